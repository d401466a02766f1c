"""The claimant's calls: shapes as `api.md` says them, and a token that opens its claim and nothing else."""

import re
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from rest_framework.test import APIClient

from claims.demo_policies import demo_policies
from claims.models import Claim, Fact, Message, Turn, WaitingItem
from tests.builders_api import (
    LISTED,
    NOT_LISTED,
    QUESTION_PLAN,
    address,
    holder,
    opened,
    play,
    problem_of,
    say,
    seed_wording,
    staff,
)

pytestmark = pytest.mark.django_db

CLAIM_KEYS = ["reference", "family", "family_confirmed", "schedule", "loss_date", "wording"]
TURN_KEYS = {
    "id", "claim", "seq", "status", "stage", "outcome", "message", "reply", "citations", "waiting_item", "model", "at",
}  # fmt: skip
WAITING_KEYS = {"reference", "reason", "status", "position", "due_at", "at"}


@pytest.fixture(autouse=True)
def demo(settings):
    settings.DEBUG = True
    seed_wording()


def is_time_with_offset(text: str) -> bool:
    return datetime.fromisoformat(text).utcoffset() is not None


def answering_quote(monkeypatch, clause_id="MTR-BEN-01"):
    segments = [
        {"kind": "plain", "clause_id": clause_id, "line": 1},
        {"kind": "quote", "clause_id": clause_id, "sentences": [2]},
    ]
    return play(
        monkeypatch,
        plan=QUESTION_PLAN,
        context_resolve={"clause_ids": [clause_id]},
        answer={"segments": segments},
    )


def test_opening_a_claim_answers_with_exactly_these_keys_and_types():
    body = opened(APIClient())
    assert sorted(body) == sorted([*CLAIM_KEYS, "token"])
    assert body == {
        "reference": body["reference"],
        "token": body["token"],
        "family": "motor",
        "family_confirmed": True,
        "schedule": "found",
        "loss_date": None,
        "wording": {"version": "2020.1", "effective_from": "2020-01-01"},
    }


def test_opening_a_claim_takes_family_and_loss_date_as_confirmed_facts():
    body = opened(APIClient(), "NW-MTR-999999", family="Motor", loss_date="4/3/2024", purpose="customer")
    assert (body["family"], body["family_confirmed"], body["loss_date"]) == ("motor", True, "2024-03-04")
    assert list(Fact.objects.values_list("confirmed", flat=True)) == [True, True]


def test_reading_a_claim_gives_the_same_without_the_token_and_with_facts_waiting_and_decision():
    claim = opened(APIClient())
    body = holder(claim).get(address(claim)).json()
    assert sorted(body) == sorted([*CLAIM_KEYS, "facts", "waiting", "decision"])
    assert {name: body[name] for name in CLAIM_KEYS} == {name: claim[name] for name in CLAIM_KEYS}
    assert body["facts"] == [{"field": "family", "label": "Kind of policy", "value": "motor", "confirmed": True}]
    assert (body["waiting"], body["decision"]) == ([], None)


def test_a_decision_that_staff_recorded_is_shown_with_its_time_and_name():
    claim = opened(APIClient())
    item = holder(claim).post(address(claim, "person/"), {}).json()
    staff("reviewer", "Mere").post(f"/api/waiting-list/{item['reference']}/decision/", {"text": "Accepted on Monday."})
    decision = holder(claim).get(address(claim)).json()["decision"]
    assert set(decision) == {"text", "decided_at", "by"}
    assert (decision["text"], decision["by"]) == ("Accepted on Monday.", "Mere")
    assert is_time_with_offset(decision["decided_at"])


def test_setting_a_fact_confirms_it_and_answers_with_it():
    claim = opened(APIClient())
    response = holder(claim).put(address(claim, "facts/loss_date/"), {"value": "1 March 2024"})
    assert response.status_code == 200
    assert response.json() == {
        "field": "loss_date",
        "label": "Date of loss",
        "value": "2024-03-01",
        "confirmed": True,
    }


def test_a_message_is_answered_with_the_finished_turn(monkeypatch):
    answering_quote(monkeypatch)
    claim = opened(APIClient())
    response = say(claim, "Do I get a rental car?")
    body = response.json()
    assert response.status_code == 201
    assert set(body) == TURN_KEYS
    assert (body["claim"], body["seq"], body["status"], body["stage"]) == (claim["reference"], 1, "done", None)
    assert (body["outcome"], body["message"]) == ("answered", "Do I get a rental car?")
    assert body["waiting_item"] is None
    assert body["model"] == "offline chooser, not a language model"
    assert is_time_with_offset(body["at"])
    assert str(UUID(body["id"])) == body["id"]
    assert set(body["reply"]) == {"text", "segments"}
    assert body["reply"]["text"] == "\n".join(segment["text"] for segment in body["reply"]["segments"])


def test_segments_and_citations_have_the_shape_of_the_contract(monkeypatch):
    answering_quote(monkeypatch)
    body = say(opened(APIClient()), "Do I get a rental car?").json()
    plain, quote, always, schedule, form = body["reply"]["segments"]
    version = {"clause_id": "MTR-BEN-01", "version": "2020.1"}
    assert all(set(segment) == {"kind", "text", "citation"} for segment in body["reply"]["segments"])
    assert (plain["kind"], plain["citation"]) == ("plain", {**version, "sentences": [], "line": 1})
    assert (quote["kind"], quote["citation"]) == ("quote", {**version, "sentences": [2], "line": None})
    assert (always["kind"], always["citation"]) == ("quote", {**version, "sentences": [1, 3], "line": None})
    assert (schedule["kind"], schedule["citation"]) == ("schedule", None)
    assert (form["kind"], form["citation"]) == ("form", None)
    [citation] = body["citations"]
    assert set(citation) == {"clause_id", "title", "version", "text"}
    assert citation["text"].startswith("This benefit applies when Northwind accepts a claim.")


def test_reading_a_turn_gives_what_the_message_gave(monkeypatch):
    answering_quote(monkeypatch)
    claim = opened(APIClient())
    posted = say(claim, "Do I get a rental car?").json()
    assert holder(claim).get(address(claim, f"turns/{posted['id']}/")).json() == posted


def test_a_pending_turn_has_no_outcome_and_no_reply_and_says_where_it_will_be(monkeypatch):
    monkeypatch.setattr("claims.tasks.answer_message", lambda turn_id: None)
    claim = opened(APIClient())
    response = say(claim)
    body = response.json()
    assert response.status_code == 202
    assert response.headers["Location"] == address(claim, f"turns/{body['id']}/")
    assert set(body) == TURN_KEYS
    assert (body["status"], body["outcome"], body["reply"], body["citations"]) == ("received", None, None, [])


def test_the_conversation_is_a_cursor_page_of_messages(monkeypatch):
    play(monkeypatch)
    claim = opened(APIClient())
    turn = say(claim).json()
    body = holder(claim).get(address(claim, "messages/")).json()
    assert list(body) == ["next", "previous", "results"]
    assert (body["next"], body["previous"]) == (None, None)
    first, second = body["results"]
    assert set(first) == {"id", "seq", "from", "name", "text", "at", "turn"}
    assert (first["seq"], first["from"], first["text"], first["turn"]) == (1, "customer", "Hello there", turn["id"])
    assert (second["seq"], second["from"], second["text"]) == (2, "portal", turn["reply"]["text"])
    assert is_time_with_offset(first["at"])


def test_a_long_conversation_is_walked_by_its_cursors_without_a_gap():
    claim = opened(APIClient())
    row = Claim.objects.get()
    Message.objects.bulk_create(
        Message(claim=row, seq=seq, sender="customer", text=str(seq), at=row.opened_at) for seq in range(1, 121)
    )
    seen, link = [], address(claim, "messages/")
    while link:
        page = holder(claim).get(link).json()
        seen += [message["seq"] for message in page["results"]]
        link = page["next"]
    assert seen == list(range(1, 121))


def test_M5_asking_for_a_person_makes_one_item_and_says_so_in_the_conversation():
    claim = opened(APIClient())
    first = holder(claim).post(address(claim, "person/"), {})
    again = holder(claim).post(address(claim, "person/"), {})
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    body = first.json()
    assert set(body) == WAITING_KEYS
    assert (body["reason"], body["status"], body["position"]) == ("person", "open", 1)
    assert is_time_with_offset(body["due_at"]) and is_time_with_offset(body["at"])
    [message] = holder(claim).get(address(claim, "messages/")).json()["results"]
    assert message["from"] == "portal"
    assert body["reference"] in message["text"]
    assert holder(claim).get(address(claim)).json()["waiting"] == [body]
    assert WaitingItem.objects.count() == 1


def test_feedback_is_kept_and_answered_with_nothing(monkeypatch):
    play(monkeypatch)
    claim = opened(APIClient())
    turn = say(claim).json()
    response = holder(claim).post(address(claim, f"turns/{turn['id']}/feedback/"), {"useful": False, "reason": "no"})
    assert (response.status_code, response.content) == (204, b"")
    assert Turn.objects.values_list("useful", "useful_reason").get() == (False, "no")


def test_references_tokens_and_ids_cannot_be_guessed():
    claims = [opened(APIClient(REMOTE_ADDR=f"10.0.0.{n}")) for n in range(20)]
    assert len({claim["reference"] for claim in claims}) == 20
    assert all(re.fullmatch(r"CL-[2-9A-HJKMNP-Z]{12}", claim["reference"]) for claim in claims)
    assert all(len(claim["token"]) >= 40 for claim in claims)
    stored = Claim.objects.values_list("token_sha256", flat=True)
    assert not {claim["token"] for claim in claims} & set(stored)


CALLS = [
    ("get", "", None),
    ("put", "facts/place/", {"value": "Ōtara"}),
    ("get", "messages/", None),
    ("post", "messages/", {"text": "Hello"}),
    ("get", "turns/{turn}/", None),
    ("post", "turns/{turn}/feedback/", {"useful": True}),
    ("post", "person/", {}),
]


@pytest.mark.parametrize(("method", "rest", "body"), CALLS)
def test_A2_another_claims_token_sees_what_never_existed(monkeypatch, method, rest, body):
    play(monkeypatch)
    theirs, mine = opened(APIClient()), opened(APIClient(), NOT_LISTED)
    rest = rest.format(turn=say(theirs).json()["id"])
    before = (Message.objects.count(), Fact.objects.count(), WaitingItem.objects.count())
    call = getattr(holder(mine), method)
    another = call(address(theirs, rest), body)
    nobody = call(f"/api/claims/CL-222222222222/{rest}", body)
    wrong_token = getattr(holder({"token": "x" * 43}), method)(address(theirs, rest), body)
    problem_of(another, 404)
    assert another.content == nobody.content == wrong_token.content
    assert dict(another.headers) == dict(nobody.headers) == dict(wrong_token.headers)
    assert before == (Message.objects.count(), Fact.objects.count(), WaitingItem.objects.count())


def test_A2_another_claims_turn_is_not_found_under_ones_own_claim(monkeypatch):
    play(monkeypatch)
    theirs, mine = opened(APIClient()), opened(APIClient(), NOT_LISTED)
    turn = say(theirs).json()
    for rest, method, body in (("", "get", None), ("feedback/", "post", {"useful": True})):
        call = getattr(holder(mine), method)
        another = call(address(mine, f"turns/{turn['id']}/{rest}"), body)
        nobody = call(address(mine, f"turns/00000000-0000-4000-8000-000000000000/{rest}"), body)
        problem_of(another, 404)
        assert another.content == nobody.content
    assert Turn.objects.get(pk=turn["id"]).useful is None


@pytest.mark.parametrize(("method", "rest", "body"), CALLS)
def test_without_a_claims_token_a_claimants_call_is_401(monkeypatch, method, rest, body):
    play(monkeypatch)
    claim = opened(APIClient())
    rest = rest.format(turn=say(claim).json()["id"])
    for client in (APIClient(), staff("reviewer")):
        response = getattr(client, method)(address(claim, rest), body)
        problem_of(response, 401)
        assert response.headers["WWW-Authenticate"] == "Bearer"


def test_a_claims_token_opens_none_of_staffs_calls(monkeypatch):
    play(monkeypatch)
    claim = opened(APIClient())
    turn = say(claim).json()
    for link in (f"/api/turns/{turn['id']}/record/", "/api/waiting-list/", "/api/waiting-list/WL-22222222/"):
        problem_of(holder(claim).get(link), 401)


def test_A4_fields_that_no_caller_may_set_are_ignored():
    mine = {
        "reference": "CL-222222222222",
        "token": "x",
        "policy_shown": True,
        "insurer": "other",
        "decision_text": "Accepted",
    }
    claim = opened(APIClient(), "NW-MTR-999999", schedule="found", family_confirmed=True, facts=[], **mine)
    assert claim["reference"] != mine["reference"] and claim["token"] != "x"
    assert (claim["schedule"], claim["family_confirmed"]) == ("no_evidence", False)
    row = Claim.objects.get()
    assert (row.insurer, row.decision_text, row.purpose) == ("northwind", "", "customer")


def test_A4_a_message_cannot_choose_its_sender_its_place_or_its_outcome(monkeypatch):
    play(monkeypatch)
    claim = opened(APIClient())
    body = {"text": "Hello", "from": "staff", "name": "Northwind Claims Team", "seq": 9, "outcome": "answered"}
    turn = holder(claim).post(address(claim, "messages/"), body).json()
    assert (turn["seq"], turn["outcome"]) == (1, "other")
    assert Message.objects.values_list("sender", "name", "seq").order_by("seq")[0] == ("customer", "", 1)


def test_waiting_times_are_five_business_days_ahead():
    claim = opened(APIClient())
    item = holder(claim).post(address(claim, "person/"), {}).json()
    wait = datetime.fromisoformat(item["due_at"]) - datetime.fromisoformat(item["at"])
    assert timedelta(days=4) < wait < timedelta(days=30)


def test_M55_the_demo_has_a_policy_with_and_one_without_alternative_transport():
    sections = {row["policy_number"]: row["coverage_sections"] for row in demo_policies()}
    assert "alternative_transport" in sections[LISTED]
    assert "alternative_transport" not in sections[NOT_LISTED]
