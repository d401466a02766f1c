"""The two commands and the administration: interfaces that make one call and say what came of it."""

from io import StringIO
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from knowledge import models
from knowledge.inventory import add_questions
from knowledge.models import Release
from knowledge.question_rules import read_inventory
from knowledge.releases import submit
from knowledge.roles import Role
from tests.builders_knowledge import approved, draft, ingested, make_document, make_user, published

pytestmark = pytest.mark.django_db
QUESTION = """
- {id: DM-01, family: motor, fixture: M-COMP, after: null, text: do you do windows, expected: [MTR-COV-01],
   class: covered, expects: Gives the limit, language: en}
"""


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def state() -> str:
    return Release.objects.values_list("state", flat=True).get()


def test_publish_and_ingest_from_the_command_line() -> None:
    make_user("operator")
    submit(draft(make_document()).pk, by=make_user("editor"))
    assert run("publish_release", "2030.1") == "motor 2030.1: published\n"
    assert run("publish_release", "2030.1") == "motor 2030.1: published\n"
    assert run("ingest_release", "2030.1") == "motor 2030.1: ingested, not yet in force\n"
    assert (state(), Release.objects.get().published_by) == ("ingested", make_user("operator"))


@pytest.mark.parametrize("command", ["publish_release", "ingest_release"])
def test_bad_input_ends_with_2_and_a_failed_run_with_1(command: str) -> None:
    draft(make_document())
    with pytest.raises(CommandError, match="no active login operator") as refused:
        run(command, "2030.1")
    assert refused.value.returncode == 2
    with pytest.raises(CommandError, match=r"no release 2031\.1") as refused:
        run(command, "2031.1", "--by", "editor")
    assert refused.value.returncode == 2
    with pytest.raises(CommandError, match=r"No release 2030\.1 is") as refused:
        run(command, "2030.1", "--by", "editor")
    assert refused.value.returncode == 1


def test_a_store_that_is_down_ends_with_1_and_changes_nothing(settings: Any) -> None:
    published(make_document())
    store = settings.VAR_DIR / "store"
    store.rename(store.with_name("away"))
    with pytest.raises(CommandError, match=r"object store is not available.*Nothing was changed") as refused:
        run("ingest_release", "2030.1", "--by", "editor")
    assert refused.value.returncode == 1 and state() == "published"


def signed_in(name: str, *, superuser: bool = False, role: Role | None = None) -> Client:
    user = User.objects.create_user(name, is_staff=True, is_superuser=superuser)
    if role:
        user.groups.add(Group.objects.get_or_create(name=role)[0])
    client = Client()
    client.force_login(user)
    return client


def act(client: Client, action: str) -> str:
    url = reverse("admin:knowledge_release_changelist")
    data = {"action": action, "_selected_action": [str(pk) for pk in Release.objects.values_list("pk", flat=True)]}
    return client.post(url, data, follow=True).content.decode()


@pytest.mark.parametrize("name", models.__all__)
def test_every_row_is_to_be_seen_and_none_is_to_be_written(name: str) -> None:
    approved(make_document())
    add_questions(read_inventory(QUESTION), by=make_user("editor"))
    client = signed_in("root", superuser=True)
    model = getattr(models, name)
    path = f"admin:knowledge_{name.lower()}"
    if model not in admin.site._registry:
        assert name in {"ReleaseItem", "QuestionClause"}
        return
    assert client.get(reverse(f"{path}_changelist")).status_code == 200
    row = model.objects.first()
    page = client.get(reverse(f"{path}_change", args=[row.pk]))
    assert page.status_code == 200 and 'name="_save"' not in page.content.decode()
    assert client.get(reverse(f"{path}_add")).status_code == 403
    assert client.post(reverse(f"{path}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403


def test_a_release_is_approved_and_withdrawn_in_the_administration() -> None:
    ingested(make_document())
    client = signed_in("root", superuser=True)
    assert "Motor 2030.1 is approved." in act(client, "approve_releases")
    assert state() == "approved"
    assert "Motor 2030.1 is withdrawn." in act(client, "withdraw_releases")
    assert state() == "withdrawn"


def test_R6_the_administration_says_why_an_author_may_not_approve() -> None:
    release = ingested(make_document())
    client = signed_in("root", superuser=True)
    Release.objects.filter(pk=release.pk).update(assembled_by=User.objects.get(username="root"))
    assert "somebody else approves it" in act(client, "approve_releases")
    assert state() == "ingested"


def test_staff_who_are_no_approvers_have_no_such_action() -> None:
    ingested(make_document())
    client = signed_in("mere", role=Role.EDITOR)
    may_view = Permission.objects.get(codename="view_release", content_type__app_label="knowledge")
    User.objects.get(username="mere").user_permissions.add(may_view)
    assert "Approve: in force" not in client.get(reverse("admin:knowledge_release_changelist")).content.decode()
    act(client, "approve_releases")
    assert state() == "ingested"
