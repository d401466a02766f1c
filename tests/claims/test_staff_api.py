"""Staff's calls: the waiting list, a turn's record, the tokens; shapes as `api.md` says them, roles as it says them."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from claims import waiting_list
from claims.answering import answer_message
from claims.claim_opening import open_claim
from claims.conversation import receive_message
from claims.models import Claim, Message, Turn, WaitingItem
from knowledge.audit import AuditEntry
from tests.builders import api_client, customer_writes, item_in, make_claim, make_item, make_staff
from tests.builders_api import LISTED, QUESTION_PLAN, play, problem_of, seed_wording

pytestmark = pytest.mark.django_db

LIST = "/api/waiting-list/"
CANARY = "canary-5b1e"
ITEM_KEYS = {
    "reference", "reason", "status", "position", "due_at", "at",
    "claim", "question", "why", "owner", "note", "closed_reason", "last_seq",
}  # fmt: skip
BODIES: dict[str, dict[str, Any]] = {
    "take": {},
    "release": {},
    "answer": {"text": "See your schedule.", "seen_seq": 1},
    "close": {"reason": "Asked twice."},
    "note": {"text": "Rang them."},
    "decision": {"text": "Accepted."},
}
RECORD_KEYS = {
    "turn", "plan", "directory", "requested", "returned", "not_found", "guidance_status", "schedule", "cited",
    "violations", "repaired", "safe_reply", "release", "model", "calls", "cost", "latency_ms",
}  # fmt: skip


@pytest.fixture
def mere():
    return make_staff("mere", "reviewer")


@pytest.fixture
def client(mere):
    return api_client(mere)


@pytest.fixture
def item():
    return make_item(now=timezone.now())


def read(response, status=200):
    assert response.status_code == status, response.content
    return response.json()


def act(client, item, name, **body):
    return client.post(f"{LIST}{item.reference}/{name}/", {**BODIES[name], **body})


def references(body):
    return [found["reference"] for found in body["results"]]


def test_the_list_is_a_page_of_items_with_all_that_staff_need(client, item):
    body = read(client.get(LIST))
    assert set(body) == {"next", "previous", "results"}
    [found] = body["results"]
    assert set(found) == ITEM_KEYS
    assert (found["reference"], found["status"], found["position"]) == (item.reference, "open", 1)
    assert (found["reason"], found["why"]) == ("not_found", "No clause answers the question.")
    assert (found["question"], found["claim"], found["owner"]) == (item.question, item.claim.reference, None)
    assert all(datetime.fromisoformat(found[name]).utcoffset() is not None for name in ("due_at", "at"))


def test_one_item_comes_with_the_conversation_that_seen_seq_counts(client, item):
    body = read(client.get(f"{LIST}{item.reference}/"))
    assert set(body) == ITEM_KEYS | {"messages"}
    [message] = body["messages"]
    assert set(message) == {"id", "seq", "from", "name", "text", "at", "turn"}
    assert (message["seq"], message["from"], message["text"]) == (1, "customer", item.question)
    assert body["last_seq"] == 1


def test_the_list_is_walked_by_cursor_in_order_and_each_item_once(client):
    now = timezone.now()
    items = [make_item(now=now - timedelta(days=n)) for n in range(30)]
    first = read(client.get(LIST))
    second = read(client.get(first["next"]))
    assert (len(first["results"]), len(second["results"])) == (25, 5)
    assert second["next"] is None
    walked = references(first) + references(second)
    assert sorted(walked) == sorted(found.reference for found in items)
    due = [found["due_at"] for found in first["results"] + second["results"]]
    assert [datetime.fromisoformat(at) for at in due] == sorted(datetime.fromisoformat(at) for at in due)
    problem_of(client.get(LIST, {"cursor": "nonsense"}), 400)


def test_the_views_of_the_list(client, mere):
    now = timezone.now()
    opened, late = make_item(now=now), make_item(now=now - timedelta(days=40))
    mine, done = item_in("taken", owner=mere), item_in("closed", owner=mere)
    WaitingItem.objects.filter(pk=mine.pk).update(due_at=now + timedelta(days=1))
    practice = make_item(make_claim(purpose=Claim.Purpose.EVALUATION), now=now)
    expected = {"": {opened, late, mine}, "mine": {mine}, "unowned": {opened, late}, "overdue": {late}, "done": {done}}
    for view, items in expected.items():
        body = read(client.get(LIST, {"view": view} if view else {}))
        assert set(references(body)) == {found.reference for found in items}, view
        assert practice.reference not in references(body)
    problem = problem_of(client.get(LIST, {"view": "snoozed"}), 400)
    assert "mine, unowned, overdue, done" in problem["errors"]["view"][0]


@pytest.mark.parametrize(
    ("name", "state", "after"),
    [
        ("take", "open", "taken"),
        ("release", "taken", "open"),
        ("answer", "taken", "answered"),
        ("answer", "open", "answered"),
        ("close", "taken", "closed"),
        ("note", "open", "open"),
        ("decision", "taken", "taken"),
    ],
)
def test_every_act_answers_with_the_item_as_it_stands_now_and_is_audited(name, state, after, client, mere):
    item = item_in(state, owner=mere)
    entries = AuditEntry.objects.count()
    body = read(act(client, item, name))
    assert set(body) == ITEM_KEYS | {"messages"} | ({"warning"} if name == "answer" else set())
    assert body["status"] == WaitingItem.objects.get(pk=item.pk).status == after
    assert body["owner"] == ("Mere Tester" if after in {"taken", "answered", "closed"} else None)
    assert body["position"] == (1 if after in {"open", "taken"} else None)
    assert AuditEntry.objects.count() == entries + 1
    assert AuditEntry.objects.latest("id").by == mere


def test_an_answer_reaches_the_customers_conversation_under_a_name(client, item):
    body = read(act(client, item, "answer", text="We pay for towing."))
    assert [(m["from"], m["name"], m["text"]) for m in body["messages"]][-1] == (
        "staff",
        "Mere Tester",
        "We pay for towing.",
    )
    assert body["last_seq"] == 2


def test_an_answer_that_reads_like_a_decision_is_sent_with_a_warning(client, item):
    assert read(act(client, item, "answer", text="The clause sets a limit of NZD 60 a day."))["warning"] is None
    body = read(act(client, make_item(), "answer", text="You are covered for this."))
    assert body["warning"] and body["messages"][-1]["text"] == "You are covered for this."


def test_what_stands_in_the_way_is_409_with_who_or_what_and_changes_nothing(client, item):
    customer_writes(item.claim, "And another thing.", now=timezone.now())
    problem = problem_of(act(client, item, "answer", seen_seq=1), 409)
    assert "The customer wrote again" in problem["detail"]
    assert not Message.objects.filter(sender="staff").exists()
    waiting_list.take(reference=item.reference, by=make_staff("tama", "reviewer"))
    for name in ("take", "release", "answer", "close"):
        assert "Tama Tester has taken this item" in problem_of(act(client, item, name, seen_seq=2), 409)["detail"], name
    assert WaitingItem.objects.get(pk=item.pk).owner.username == "tama"


def test_a_clause_outside_the_wording_of_the_claim_stops_the_answer(client, item):
    seed_wording()
    problem = problem_of(act(client, item, "answer", clause_ids=["MTR-COV-01", "MTR-COV-77"]), 400)
    assert "MTR-COV-77" in problem["errors"]["clause_ids"][0]
    problem_of(act(client, item, "answer", clause_ids=["A", "B", "C", "D"]), 400)
    assert not Message.objects.filter(sender="staff").exists()
    body = read(act(client, item, "answer", clause_ids=["MTR-COV-02"]))
    assert body["messages"][-1]["text"].endswith("MTR-COV-02 Damage that you cause to the property of others (2020.1)")


@pytest.mark.parametrize(
    ("name", "body", "field"),
    [
        ("answer", {"text": "", "seen_seq": 1}, "text"),
        ("answer", {"text": "x"}, "seen_seq"),
        ("answer", {"text": "x", "seen_seq": -1}, "seen_seq"),
        ("answer", {"text": "a\x00b", "seen_seq": 1}, "text"),
        ("answer", {"text": "x" * 8001, "seen_seq": 1}, "text"),
        ("close", {"reason": "   "}, "reason"),
        ("close", {}, "reason"),
        ("note", {"text": ""}, "text"),
        ("decision", {"text": ""}, "text"),
    ],
)
def test_incomplete_acts_are_400_with_the_field(name, body, field, client, item):
    assert field in problem_of(client.post(f"{LIST}{item.reference}/{name}/", body), 400)["errors"]
    assert WaitingItem.objects.get(pk=item.pk).status == "open"


def test_an_unknown_reference_is_404_everywhere(client):
    problem_of(client.get(f"{LIST}WL-ZZZZZZZZ/"), 404)
    for name, body in BODIES.items():
        problem_of(client.post(f"{LIST}WL-ZZZZZZZZ/{name}/", body), 404)


@pytest.mark.parametrize("role", ["editor", "approver", "manager", "adjuster", "operator", None])
def test_other_roles_are_403_on_every_call_of_the_list(role, item):
    client = api_client(make_staff("somebody", *([role] if role else [])))
    problem_of(client.get(LIST), 403)
    problem_of(client.get(f"{LIST}{item.reference}/"), 403)
    for name in BODIES:
        problem_of(act(client, item, name), 403)
    assert WaitingItem.objects.get(pk=item.pk).status == "open"


def test_no_credentials_and_a_claims_token_are_401_on_every_call_of_the_list(item):
    opened = open_claim(policy_number=LISTED, now=timezone.now(), needs_postcode=False)
    claimant = APIClient()
    claimant.credentials(HTTP_AUTHORIZATION=f"Bearer {opened.token}")
    for client in (APIClient(), claimant):
        problem_of(client.get(LIST), 401)
        problem_of(client.get(f"{LIST}{item.reference}/"), 401)
        for name in BODIES:
            problem_of(act(client, item, name), 401)
    assert WaitingItem.objects.get(pk=item.pk).status == "open"


def test_a_session_needs_its_csrf_token_and_a_superuser_may_do_everything(item):
    boss = make_staff("boss", superuser=True)
    session = APIClient(enforce_csrf_checks=True)
    session.force_login(boss)
    assert read(session.get(LIST))["results"]
    problem_of(session.post(f"{LIST}{item.reference}/take/"), 403)
    assert read(act(api_client(boss), item, "take"))["owner"] == "Boss Tester"


def test_notes_reasons_and_rejected_outputs_never_reach_the_customer(client):
    opened = open_claim(policy_number=LISTED, now=timezone.now(), needs_postcode=False)
    claim = Claim.objects.get(reference=opened.reference)
    item = make_item(claim, "Anything?", now=timezone.now())
    turn = Turn.objects.get(waiting_item=item)
    raw = {"calls": [], "content": CANARY, "finish_reason": "stop"}
    Turn.objects.update(
        calls=[{"step": "plan", "raw": raw}], violations=[{"code": "V6", "detail": CANARY, "segment": 1}]
    )
    read(act(client, item, "note", text=CANARY))
    read(act(client, item, "close", reason=CANARY))
    claimant = APIClient()
    claimant.credentials(HTTP_AUTHORIZATION=f"Bearer {opened.token}")
    address = f"/api/claims/{opened.reference}/"
    for rest in ("", "messages/", f"turns/{turn.pk}/"):
        response = claimant.get(f"{address}{rest}")
        assert response.status_code == 200
        assert CANARY not in response.content.decode(), rest
    assert read(claimant.post(f"{address}person/", {}), 201)["reference"] != item.reference
    # The control: staff see it.
    assert CANARY in client.get(f"{LIST}{item.reference}/").content.decode()


def test_M4_a_decision_is_shown_to_the_customer_with_its_day_and_the_name_of_a_person(client):
    opened = open_claim(policy_number=LISTED, now=timezone.now(), needs_postcode=False)
    item = make_item(Claim.objects.get(reference=opened.reference), now=timezone.now())
    claimant = APIClient()
    claimant.credentials(HTTP_AUTHORIZATION=f"Bearer {opened.token}")
    assert read(claimant.get(f"/api/claims/{opened.reference}/"))["decision"] is None
    read(act(client, item, "decision", text="Accepted, less the excess."))
    decision = read(claimant.get(f"/api/claims/{opened.reference}/"))["decision"]
    assert set(decision) == {"text", "decided_at", "by"}
    assert (decision["text"], decision["by"]) == ("Accepted, less the excess.", "Mere Tester")
    assert datetime.fromisoformat(decision["decided_at"]).utcoffset() is not None


@pytest.fixture
def answered(monkeypatch):
    """A turn that asked for two clauses and got one."""
    seed_wording()
    play(
        monkeypatch,
        plan=QUESTION_PLAN,
        context_resolve={"clause_ids": ["MTR-BEN-01", "MTR-COV-77"]},
        answer={"segments": [{"kind": "plain", "clause_id": "MTR-BEN-01", "line": 1}]},
    )
    claim = make_claim(policy_number=LISTED)
    received = receive_message(claim_id=claim.pk, text="Do I get a hire car?", key=None, now=timezone.now())
    answer_message(received.turn_id)
    return Turn.objects.get(pk=received.turn_id)


def test_M59_a_turns_record_says_how_its_answer_came_about(answered):
    body = read(api_client(make_staff("ana", "manager")).get(f"/api/turns/{answered.pk}/record/"))
    assert set(body) == RECORD_KEYS
    assert body["turn"]["id"] == str(answered.pk)
    assert body["plan"] == QUESTION_PLAN
    assert body["directory"][0] == {
        "clause_id": "MTR-COV-01", "title": "Windows and window glass, number MTR-COV-01",
    }  # fmt: skip
    assert body["requested"] == ["MTR-BEN-01", "MTR-COV-77"]
    assert [set(clause) for clause in body["returned"]] == [{"clause_id", "version", "sha256"}]
    assert (body["not_found"], body["cited"], body["guidance_status"]) == (["MTR-COV-77"], ["MTR-BEN-01"], "ok")
    assert body["schedule"]["state"] == "found"
    assert "alternative_transport" in body["schedule"]["sections"]
    assert set(body["schedule"]["details"][0]) == {"code", "label", "value"}
    assert body["release"] == {"version": "2020.1", "effective_from": "2020-01-01"}
    assert body["model"]["returned"] == "scripted"
    assert [call["step"] for call in body["calls"]] == ["plan", "context_resolve", "answer"]
    assert all(set(c) == {"step", "ms", "tokens_in", "tokens_out", "cached", "error"} for c in body["calls"])
    assert set(body["latency_ms"]) == {"total", "model", "server"}
    assert (body["violations"], body["repaired"], body["safe_reply"], body["cost"]) == ([], False, False, None)


def test_the_record_of_a_turn_that_is_not_answered_yet_tells_not_reached_from_nothing(item, client):
    body = read(client.get(f"/api/turns/{Turn.objects.get().pk}/record/"))
    assert set(body) == RECORD_KEYS
    not_reached = ("plan", "directory", "requested", "returned", "not_found", "guidance_status", "schedule", "release")
    assert all(body[name] is None for name in not_reached)
    assert (body["cited"], body["calls"], body["latency_ms"]["total"]) == ([], [], None)


def test_the_record_is_for_staff_and_an_unknown_turn_is_404(answered):
    address = f"/api/turns/{answered.pk}/record/"
    for role in ("reviewer", "manager", "editor", "approver", "operator"):
        assert api_client(make_staff(f"some-{role}", role)).get(address).status_code == 200, role
    for roles in (["adjuster"], []):
        problem_of(api_client(make_staff(f"some-{roles}", *roles)).get(address), 403)
    opened = open_claim(policy_number=LISTED, now=timezone.now(), needs_postcode=False)
    claimant = APIClient()
    claimant.credentials(HTTP_AUTHORIZATION=f"Bearer {opened.token}")
    problem_of(claimant.get(address), 401)
    problem_of(APIClient().get(address), 401)
    reviewer = api_client(make_staff("mere", "reviewer"))
    problem_of(reviewer.get("/api/turns/00000000-0000-4000-8000-000000000000/record/"), 404)
    problem_of(reviewer.get("/api/turns/none/record/"), 404)
