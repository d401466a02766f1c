"""Every row of claims can be looked at in the administration, by the roles that may, and changed by nobody."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.utils import timezone

from claims.answering import answer_message
from claims.conversation import receive_message
from claims.documents.sections import SectionKind
from claims.models import Citation, Claim, Fact, Message, PolicyDocument, PolicySchedule, Relabel, Turn
from claims.uploads import receive_document, relabel
from tests.builders import admin_client, make_claim, make_item, make_staff
from tests.builders_api import LISTED, QUESTION_PLAN, play, seed_wording
from tests.builders_policies import POLICY

pytestmark = pytest.mark.django_db

RECORDS = {model.__name__.lower(): model for model in (PolicySchedule, Claim, Fact, Message, Turn, Citation)}
MAY_LOOK = ("reviewer", "manager", "operator")
MAY_NOT = ("editor", "approver", "adjuster")


@pytest.fixture
def turn(monkeypatch):
    """A question that was answered from a clause after one refused output."""
    seed_wording()
    segments = [{"kind": "plain", "clause_id": "MTR-BEN-01", "line": 1}]
    play(
        monkeypatch,
        plan=QUESTION_PLAN,
        context_resolve={"clause_ids": ["MTR-BEN-01", "MTR-COV-77"]},
        answer={"segments": segments},
    )
    claim = make_claim(policy_number=LISTED)
    received = receive_message(claim_id=claim.pk, text="Do I get a hire car?", key=None, now=timezone.now())
    answer_message(received.turn_id)
    make_item(claim, now=timezone.now())
    return Turn.objects.get(pk=received.turn_id)


def test_every_table_of_claims_is_in_the_administration():
    assert {
        model for model in apps.get_app_config("claims").get_models() if not admin.site.is_registered(model)
    } == set()


@pytest.mark.parametrize("name", RECORDS)
def test_rows_are_listed_searched_and_opened_but_never_added_changed_or_deleted(name, turn):
    model = RECORDS[name]
    row = model.objects.first()
    before = list(model.objects.order_by("pk").values())
    for client in (
        *(admin_client(make_staff(f"some-{role}", role)) for role in MAY_LOOK),
        admin_client(make_staff("boss", superuser=True)),
    ):
        address = f"/admin/claims/{name}/"
        assert client.get(address).status_code == 200
        assert client.get(address, {"q": "CL-"}).status_code == 200
        assert client.get(f"{address}{row.pk}/change/").status_code == 200
        assert client.get(f"{address}add/").status_code == 403
        assert client.post(f"{address}add/", {}).status_code == 403
        assert client.post(f"{address}{row.pk}/change/", {"text": "x", "_save": "Save"}).status_code == 403
        assert client.get(f"{address}{row.pk}/delete/").status_code == 403
        assert client.post(f"{address}{row.pk}/delete/", {"post": "yes"}).status_code == 403
        assert client.post(
            address, {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
        ).status_code
    assert list(model.objects.order_by("pk").values()) == before


@pytest.mark.parametrize("role", MAY_NOT)
def test_other_roles_see_no_record_and_no_menu_of_them(role, turn):
    client = admin_client(make_staff(f"some-{role}", role))
    for name, model in RECORDS.items():
        assert client.get(f"/admin/claims/{name}/").status_code == 403
        assert client.get(f"/admin/claims/{name}/{model.objects.first().pk}/change/").status_code == 403
    assert "/admin/claims/" not in client.get("/admin/").content.decode()
    assert Client().get("/admin/claims/turn/").status_code == 302


def test_the_filters_of_the_lists_work(turn):
    client = admin_client(make_staff("boss", superuser=True))
    for name in RECORDS:
        filters = [f for f in admin.site._registry[RECORDS[name]].list_filter if not f.endswith("at")]
        for chosen in filters:
            response = client.get(f"/admin/claims/{name}/", {f"{chosen}__exact": "1"})
            assert response.status_code == 200, (name, chosen)


def test_M59_a_turns_page_tells_how_its_answer_came_about(turn):
    page = admin_client(make_staff("mere", "reviewer")).get(f"/admin/claims/turn/{turn.pk}/change/").content.decode()
    for part in (
        "Do I get a hire car?",
        "answered",
        "Once a claim is accepted, this benefit can pay for a hire car: up to NZD 60 a day.",
        "MTR-BEN-01 (2020.1), line 1",
        "MTR-COV-01: Windows and window glass",
        "MTR-BEN-01, MTR-COV-77",
        turn.returned[0]["sha256"],
        "<dd>MTR-COV-77</dd>",
        "alternative transport",
        "2020.1, in force from 1 Jan 2020",
        "context_resolve",
        "ms for the portal",
        "Unverified model output",
    ):
        assert part in page, part


def test_a_turn_that_is_not_answered_yet_has_a_page_too():
    item = make_item(now=timezone.now())
    waiting = Turn.objects.get(waiting_item=item)
    page = admin_client(make_staff("mere", "reviewer")).get(f"/admin/claims/turn/{waiting.pk}/change/").content.decode()
    assert "Not there yet." in page
    assert "not reached" in page


def test_no_page_shows_a_claims_token_or_where_it_was_opened_from(turn):
    Claim.objects.update(address_sha256="a" * 64, token_sha256="b" * 64)
    page = admin_client(make_staff("boss", superuser=True)).get(f"/admin/claims/claim/{turn.claim_id}/change/")
    assert page.status_code == 200
    assert b"aaaaaaaa" not in page.content
    assert b"bbbbbbbb" not in page.content


@pytest.mark.parametrize("name", ["policydocument", "relabel"])
def test_an_operator_sees_how_far_an_upload_is_and_neither_its_name_nor_its_words(name):
    adjuster = make_staff("some-adjuster", "adjuster")
    document = receive_document(
        owner=adjuster, name="Mrs Example.txt", data=POLICY.encode(), now=timezone.now()
    ).document
    relabel(
        document=document,
        section_id="section-1",
        kind=SectionKind.CONDITIONS,
        reason="Mrs Example's own words",
        by=adjuster,
        now=timezone.now(),
    )
    row = (PolicyDocument if name == "policydocument" else Relabel).objects.get()
    for role, status in (("operator", 200), ("reviewer", 403), ("manager", 403), ("adjuster", 403)):
        client = admin_client(make_staff(f"another-{role}", role))
        for address in (f"/admin/claims/{name}/", f"/admin/claims/{name}/{row.pk}/change/"):
            response = client.get(address)
            assert response.status_code == status, (role, address)
            assert "Mrs Example" not in response.content.decode()
        assert client.get(f"/admin/claims/{name}/add/").status_code == 403
        assert client.post(f"/admin/claims/{name}/{row.pk}/delete/", {"post": "yes"}).status_code == 403
