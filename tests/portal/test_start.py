"""`manage.py start`: what is made once, what is kept, what is printed, what is refused."""

import json
import re
import socket
from io import StringIO

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from claims.schedules import find_policy
from knowledge.answers import OpenRelease
from knowledge.audit import AuditEntry
from knowledge.releases import release_in_force
from knowledge.roles import DEMO_LOGINS, Role
from portal.demo import LOGINS_FILE, seed_demo, seed_groups
from portal.management.commands.start import Command
from tests.bench.portal import serving
from tests.builders_api import QUESTION_PLAN, play

pytestmark = pytest.mark.django_db


def prepared(*, demo: bool = True) -> str:
    """What a start prints; it is not served."""
    printed = StringIO()
    Command(stdout=printed).prepare(port=8000, demo=demo)
    return printed.getvalue()


def logins_in(printed: str) -> dict[str, str]:
    return dict(re.findall(r"^  (\w+) +(\w{4}-\w{4}-\w{4}-\w{4})$", printed, re.MULTILINE))


def test_M37_the_first_start_makes_the_demo_and_the_second_finds_it_as_it_was(settings, own_var_dir):
    settings.DEBUG = True
    first = prepared()
    users = list(User.objects.order_by("pk").values())
    entries = AuditEntry.objects.count()
    second = prepared()
    assert "Made\n  groups: editor, approver" in first and "policies: 10" in first
    assert "Found the demo as it was." in second and "Made" not in second
    assert logins_in(first).keys() == DEMO_LOGINS and logins_in(first) == logins_in(second)
    assert list(User.objects.order_by("pk").values()) == users
    assert AuditEntry.objects.count() == entries
    assert isinstance(release_in_force("northwind", "motor", timezone.localdate()), OpenRelease)
    assert find_policy("NW-MTR-204518") is not None


def test_the_start_says_where_to_go_what_to_type_and_who_answers(settings):
    settings.DEBUG = True
    printed = prepared()
    for words in (
        "http://127.0.0.1:8000/\n",
        "offline chooser, not a language model",
        "NW-MTR-204518  motor     6011      comprehensive cover, agreed value, alternative transport",
        "Will my policy pay for a rental car while mine is repaired?",
        "Does that include fuel?",
    ):
        assert words in printed
    settings.PORTAL_MODEL = "openai/some-model"
    assert "Answered by  openai/some-model" in prepared()


def test_the_passwords_are_random_kept_for_their_owner_only_and_let_their_role_in(settings, own_var_dir):
    settings.DEBUG = True
    logins = logins_in(prepared())
    file = own_var_dir / LOGINS_FILE
    assert file.stat().st_mode & 0o777 == 0o600
    assert len(set(logins.values())) == len(DEMO_LOGINS)
    for name, password in logins.items():
        client = Client()
        assert client.login(username=name, password=password)
        assert client.get("/admin/").status_code == 200
        user = User.objects.get(username=name)
        assert user.is_superuser == (name == "admin")
        assert [g.name for g in user.groups.all()] == ([] if name == "admin" else [name])


def test_a_changed_password_is_left_alone_and_not_printed(settings, own_var_dir):
    settings.DEBUG = True
    prepared()
    editor = User.objects.get(username="editor")
    editor.set_password("another long one")
    editor.save()
    printed = prepared()
    assert "editor      (changed since)" in printed and "editor" not in logins_in(printed)
    assert User.objects.get(username="editor").check_password("another long one")


def test_a_new_database_gets_the_passwords_that_were_kept(settings, own_var_dir):
    settings.DEBUG = True
    kept = {name: {"password": f"kept-kept-kept-{name[:4]:x<4}", "hash": ""} for name in DEMO_LOGINS}
    (own_var_dir / LOGINS_FILE).write_text(json.dumps(kept))
    seeded = seed_demo(with_logins=True, kept_in=own_var_dir)
    assert {login.name: login.password for login in seeded.logins} == {n: k["password"] for n, k in kept.items()}


def test_without_debug_no_login_is_made_and_the_start_says_so(settings, own_var_dir):
    settings.DEBUG = False
    printed = prepared()
    assert "No demo logins: DEBUG is off." in printed
    assert not (own_var_dir / LOGINS_FILE).exists()
    assert {u.username for u in User.objects.all()} == {"editor", "approver"}
    assert not any(u.has_usable_password() or u.is_staff for u in User.objects.all())


def test_no_demo_makes_the_groups_and_nothing_else(settings):
    settings.DEBUG = True
    printed = prepared(demo=False)
    assert "groups:" in printed and "NW-MTR" not in printed
    assert User.objects.count() == 0 and Group.objects.count() == len(Role)
    assert find_policy("NW-MTR-204518") is None


def test_each_group_may_look_and_none_may_change():
    seed_groups()
    looks = {g.name: {p.codename.split("_")[0] for p in g.permissions.all()} for g in Group.objects.all()}
    assert looks == {role.value: set() if role is Role.ADJUSTER else {"view"} for role in Role}
    apps = {p.content_type.app_label for p in Group.objects.get(name="reviewer").permissions.all()}
    assert apps == {"claims"}
    Group.objects.get(name="editor").permissions.clear()
    seed_groups()
    assert not Group.objects.get(name="editor").permissions.exists()


def test_a_port_in_use_is_one_sentence_and_exit_code_2_before_anything_is_changed():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=f"^Port {port} is in use\\.") as refused:
            call_command("start", port=port, reset_demo=True)
    assert refused.value.returncode == 2
    with pytest.raises(CommandError, match="1 to 65535"):
        call_command("start", port=70000)


def test_reset_demo_is_refused_where_the_data_may_be_more_than_a_demos(settings):
    settings.DEBUG = False
    with pytest.raises(CommandError, match="DEBUG on only"):
        call_command("start", port=_free(), reset_demo=True)
    settings.DEBUG = True
    with pytest.raises(CommandError, match="DATABASE_URL names another"):
        call_command("start", port=_free(), reset_demo=True)


def _free() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_the_data_stays_over_a_start_and_goes_with_reset_demo(tmp_path):
    with serving(tmp_path) as first:
        printed = first.output()
    database = first.var_dir / "portal.sqlite3"
    before = database.stat().st_ino
    with serving(tmp_path) as second:
        assert "Found the demo as it was." in second.output()
    assert database.stat().st_ino == before
    with serving(tmp_path, "--reset-demo") as third:
        assert "policies: 10" in third.output()
        assert logins_in(third.output()) == logins_in(printed)


def test_a_question_without_any_wording_is_answered_and_what_to_run_is_said(settings, monkeypatch):
    play(monkeypatch, plan=QUESTION_PLAN)
    prepared(demo=False)
    out, err = StringIO(), StringIO()
    call_command("ask", "NW-MTR-204518", "Hello", json=True, stdout=out, stderr=err)
    assert json.loads(out.getvalue())["outcome"] == "family_needed"
    assert "No policy wording is in force here. Run manage.py start once" in err.getvalue()
