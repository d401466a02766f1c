"""Sending a message twice is sending it once (C2), and how much one claim or one address may send."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from claims import answering, conversation
from claims.demo_policies import seed_policies
from claims.models import Claim, Message, Turn, WaitingItem
from knowledge.audit import AuditEntry
from tests.builders_api import LISTED, NOT_LISTED, address, holder, opened, play, problem_of, say, staff

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 7, 1, 0, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def asked(settings, monkeypatch):
    """The tools that the model was asked to call so far."""
    settings.DEBUG = True
    seed_policies()
    return play(monkeypatch)


def stored():
    return [table.objects.count() for table in (Claim, Message, Turn, WaitingItem, AuditEntry)]


def open_at(address, **more):
    return APIClient(REMOTE_ADDR=address).post("/api/claims/", {"policy_number": LISTED, **more})


def test_C2_the_same_key_and_body_replay_status_and_body_byte_for_byte(asked):
    claim = opened(APIClient())
    first = say(claim, "Hello there", key="k-1")
    before = stored()
    again = [say(claim, "Hello there", key="k-1") for _ in range(3)]
    assert first.status_code == 201
    for response in again:
        assert (response.status_code, response.content) == (first.status_code, first.content)
        assert response.headers["Content-Type"] == first.headers["Content-Type"]
    assert stored() == before
    assert asked == ["plan"]


def test_C2_the_replay_stays_the_first_answer_when_the_claim_moves_on():
    claim = opened(APIClient())
    first = say(claim, "Hello there", key="k-1")
    say(claim, "And another thing", key="k-2")
    holder(claim).put(address(claim, "facts/place/"), {"value": "Ōtara"})
    Turn.objects.filter(seq=1).update(useful=True, model_configured="another")
    assert say(claim, "Hello there", key="k-1").content == first.content


def test_C2_the_same_key_with_another_body_is_422_and_nothing_is_stored():
    claim = opened(APIClient())
    say(claim, "Hello there", key="k-1")
    before = stored()
    body = problem_of(say(claim, "Hello there!", key="k-1"), 422)
    assert "new key" in body["detail"]
    assert stored() == before


def test_C2_the_same_key_on_another_claim_is_another_key():
    one, other = opened(APIClient()), opened(APIClient(), NOT_LISTED)
    first, second = say(one, "Hello there", key="k"), say(other, "Something else", key="k")
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json()["id"] != second.json()["id"]


def test_without_a_key_the_same_text_twice_is_two_messages():
    claim = opened(APIClient())
    assert say(claim).json()["seq"] == 1
    assert say(claim).json()["seq"] == 2


def test_C2_a_refused_message_leaves_its_key_free():
    claim = opened(APIClient())
    problem_of(say(claim, "", key="k"), 400)
    assert say(claim, "Hello there", key="k").status_code == 201


def test_a_message_without_a_stored_response_answers_with_the_turn_as_it_stands_and_stores_that():
    claim = opened(APIClient())
    row = Claim.objects.get()
    received = conversation.receive_message(claim_id=row.pk, text="Hello there", key="k", now=timezone.now())
    first = say(claim, "Hello there", key="k")
    assert (first.status_code, first.json()["status"]) == (202, "received")
    assert UUID(first.json()["id"]) == received.turn_id
    answering.answer_message(received.turn_id)
    again = say(claim, "Hello there", key="k")
    assert (again.status_code, again.content) == (202, first.content)
    assert again.headers["Location"] == first.headers["Location"]
    assert holder(claim).get(first.headers["Location"]).json()["status"] == "done"


def test_a_turn_is_answered_once_however_often_it_is_asked_for(asked):
    opened(APIClient())
    row = Claim.objects.get()
    received = conversation.receive_message(claim_id=row.pk, text="Hello", key=None, now=timezone.now())
    for _ in range(3):
        answering.answer_message(received.turn_id)
    assert asked == ["plan"]
    assert Message.objects.filter(sender="portal").count() == 1


def test_the_31st_message_in_a_minute_is_429_and_nothing_of_it_is_stored():
    claim = opened(APIClient())
    with time_machine.travel(NOON, tick=False) as clock:
        assert {say(claim).status_code for _ in range(30)} == {201}
        before = stored()
        response = say(claim, key="k")
        problem_of(response, 429)
        assert 0 < int(response.headers["Retry-After"]) <= 60
        assert stored() == before
        clock.shift(timedelta(seconds=60))
        assert say(claim, key="k").status_code == 201


def test_a_replay_is_no_new_message_and_is_never_429():
    claim = opened(APIClient())
    with time_machine.travel(NOON, tick=False):
        first = say(claim, key="k")
        for _ in range(29):
            say(claim)
        assert say(claim, key="k").content == first.content


def test_the_limit_of_one_claim_is_not_another_claims(settings):
    settings.PORTAL_MESSAGES_A_MINUTE = 1
    one, other = opened(APIClient()), opened(APIClient(), NOT_LISTED)
    assert [say(one).status_code, say(one).status_code, say(other).status_code] == [201, 429, 201]


def test_the_21st_claim_of_an_address_in_an_hour_is_429_and_is_not_opened():
    with time_machine.travel(NOON, tick=False) as clock:
        assert {open_at("10.0.0.1").status_code for _ in range(20)} == {201}
        before = stored()
        response = open_at("10.0.0.1")
        problem_of(response, 429)
        assert 0 < int(response.headers["Retry-After"]) <= 3600
        assert stored() == before
        assert open_at("10.0.0.2").status_code == 201
        clock.shift(timedelta(hours=1))
        assert open_at("10.0.0.1").status_code == 201


def test_an_address_is_stored_hashed():
    open_at("10.0.0.1")
    assert len(Claim.objects.get().address_sha256) == 64


def test_a_rate_of_0_switches_a_limit_off(settings):
    settings.PORTAL_MESSAGES_A_MINUTE = settings.PORTAL_CLAIMS_AN_HOUR = 0
    with time_machine.travel(NOON, tick=False):
        claims = [open_at("10.0.0.1") for _ in range(25)]
        assert {response.status_code for response in claims} == {201}
        assert {say(claims[0].json()).status_code for _ in range(35)} == {201}


@pytest.mark.parametrize("role", ["manager", "operator"])
def test_claims_for_evaluation_have_no_limits_and_stay_out_of_staffs_lists(settings, role):
    settings.PORTAL_MESSAGES_A_MINUTE = settings.PORTAL_CLAIMS_AN_HOUR = 1
    client = staff(role)
    claims = [opened(client, LISTED, purpose="evaluation") for _ in range(3)]
    assert {say(claims[0]).status_code for _ in range(3)} == {201}
    item = holder(claims[0]).post(address(claims[0], "person/"), {}).json()
    assert item["position"] == 1
    reviewer = staff("reviewer")
    for view in ("", "unowned", "overdue", "mine", "done"):
        assert reviewer.get("/api/waiting-list/", {"view": view}).json()["results"] == []


def test_claims_for_evaluation_do_not_use_up_an_addresss_claims_and_never_stand_in_the_line(settings):
    settings.PORTAL_CLAIMS_AN_HOUR = 1
    evaluation = opened(staff("manager"), LISTED, purpose="evaluation")
    holder(evaluation).post(address(evaluation, "person/"), {})
    customer = opened(APIClient())
    assert holder(customer).post(address(customer, "person/"), {}).json()["position"] == 1


@pytest.mark.parametrize(("role", "status"), [(None, 401), ("reviewer", 403), ("editor", 403), ("adjuster", 403)])
def test_only_managers_and_operators_open_claims_for_evaluation(role, status):
    client = APIClient() if role is None else staff(role)
    before = stored()
    problem_of(client.post("/api/claims/", {"policy_number": LISTED, "purpose": "evaluation"}), status)
    assert stored() == before
