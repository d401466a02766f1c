"""A sentence about the waiting list if and only if its row: shared, capped, refused by the database, never invented."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine
from django.db import DatabaseError, connection

from claims import turn_commit
from claims.models import Message, Turn, WaitingItem
from knowledge.audit import AuditEntry
from knowledge.language import decision_problem
from tests.builders_claims import (
    RENTAL,
    answer,
    cited,
    form,
    kinds,
    open_claim,
    plain,
    plan,
    resolve,
    shown,
)

pytestmark = pytest.mark.usefixtures("portal")

SAFE = ("form", "I couldn't put together an answer I can stand behind.")
NOT_QUEUED = (
    "form",
    "I couldn't place your question on the waiting list just now. Please try again, or call us.",
)
TOO_MANY = ("form", "You already have several questions with our staff today. For anything more, please call us.")
ROOT = Path(__file__).resolve().parents[2]


def nothing_found():
    return [plan(), resolve(), answer(form("not_found"))]


def test_M9_the_row_its_reference_place_and_due_time_are_what_is_said(model):
    with time_machine.travel(datetime(2026, 4, 1, 20, 0, tzinfo=UTC), tick=True):
        model(nothing_found() * 2)
        first = open_claim().say("Who won the cricket?")
        second = open_claim().say("Who won the cricket?")
    for place, turn in enumerate((first, second), start=1):
        item = WaitingItem.objects.get(turns=turn["id"])
        # 2 April in New Zealand; Good Friday and Easter Monday are no business days.
        assert shown(turn)[-1] == (
            "escalate",
            f"I've put your question on the waiting list for our staff. Reference {item.reference}, number {place} in "
            "line; a person is due to reply by 13 April 2026.",
        )
        assert turn["waiting_item"]["position"] == place
        assert item.question == "Who won the cricket?"
    assert AuditEntry.objects.filter(act="waiting_item.open").count() == 2


def test_M9_the_same_question_shares_the_open_item_and_says_so(model, staff):
    model(nothing_found() * 3)
    talk, other = open_claim(), open_claim()
    first = talk.say("Who won the cricket?")
    again = talk.say("  who WON the\n cricket? ")
    assert again["waiting_item"]["reference"] == first["waiting_item"]["reference"]
    assert shown(again)[-1][1].startswith("Your question is already on the waiting list. Reference WL-")
    assert WaitingItem.objects.count() == 1
    assert Turn.objects.filter(waiting_item__isnull=False).count() == 2
    assert other.say("Who won the cricket?")["waiting_item"]["reference"] != first["waiting_item"]["reference"]


def test_a_question_whose_item_is_done_gets_a_new_one(model, staff):
    model(nothing_found() * 2)
    talk = open_claim()
    first = talk.say("Who won the cricket?")["waiting_item"]["reference"]
    closed = staff.post(f"/api/waiting-list/{first}/close/", {"reason": "not ours"})
    assert closed.status_code == 200, closed.content
    assert talk.say("Who won the cricket?")["waiting_item"]["reference"] != first


def test_M9_over_five_new_items_a_day_nothing_is_linked_and_nothing_is_said_to_wait(model):
    # 23:50 on 1 April in New Zealand; the day there ends ten minutes later.
    with time_machine.travel(datetime(2026, 4, 1, 10, 50, tzinfo=UTC), tick=True) as clock:
        model(nothing_found() * 7 + [*nothing_found(), plan("person")])
        talk = open_claim()
        for number in range(5):
            assert talk.say(f"Question {number}?")["waiting_item"] is not None
        sixth = talk.say("Question 5?")
        assert (sixth["outcome"], sixth["waiting_item"]) == ("not_found", None)
        assert shown(sixth)[-1] == TOO_MANY
        assert talk.say("Question 3?")["waiting_item"] is not None, "an open one is still shared"
        assert WaitingItem.objects.count() == 5
        assert open_claim().say("Question 5?")["waiting_item"] is not None, "the cap is each claim's own"
        clock.shift(20 * 60)
        assert talk.say("A person, please")["waiting_item"] is not None, "a new day in New Zealand"


def test_a_message_that_asks_for_three_hundred_items_makes_one(model):
    model([plan("person")])
    turn = open_claim().say("Put 300 questions on the waiting list, one per line, reason 'urgent'.\n" + "Why?\n" * 300)
    assert WaitingItem.objects.count() == 1
    assert turn["waiting_item"]["reason"] == "person"


def refuse(monkeypatch, *, after_insert):
    """Have the database refuse the waiting row, before or after its insert: everything of the turn is rolled back."""
    real = turn_commit.enqueue

    def failing(**given):
        if after_insert:
            real(**given)
            with connection.cursor() as cursor:
                cursor.execute("SELECT no_such_column FROM claims_waitingitem")
        raise DatabaseError("refused")

    monkeypatch.setattr(turn_commit, "enqueue", failing)


@pytest.mark.parametrize("after_insert", [False, True])
@pytest.mark.parametrize(
    "steps",
    [
        [plan(place="Levin"), resolve(), answer(form("not_found"))],
        [plan(wants_decision=True, place="Levin"), resolve(RENTAL), answer(plain(1))],
        [plan("person", place="Levin")],
    ],
)
def test_M9_a_refused_row_leaves_the_safe_sentence_and_no_trace_of_a_hand_over(model, monkeypatch, after_insert, steps):
    model([plan("report", driver="my son"), *steps, *nothing_found()])
    talk = open_claim()
    talk.say("It was my son")
    with monkeypatch.context() as patch:
        refuse(patch, after_insert=after_insert)
        turn = talk.say("In Levin. Who won the cricket?")
    assert (turn["status"], turn["outcome"], turn["waiting_item"], cited(turn)) == ("done", "failed", None, [])
    assert [sentence for sentence in shown(turn) if not sentence[1].startswith("I can explain")] == [SAFE, NOT_QUEUED]
    assert WaitingItem.objects.count() == 0
    assert talk.facts()["driver"] == ("my son", False), "what was noted before stays"
    assert "place" not in talk.facts(), "what was rolled back is not said to be noted"
    assert Message.objects.filter(turn=turn["id"], sender="portal").count() == 1
    assert talk.say("Once more: who won?")["waiting_item"] is not None


@pytest.mark.parametrize("broken", ["compose", "_write_citations", "_write_turn"])
def test_a_fault_of_ours_while_the_reply_is_written_ends_in_the_safe_reply(model, monkeypatch, broken):
    real = getattr(turn_commit, broken)
    calls = []

    def once(*given, **named):
        calls.append(given)
        if len(calls) == 1:
            raise KeyError("a fault of ours")
        return real(*given, **named)

    monkeypatch.setattr(turn_commit, broken, once)
    model([plan(wants_decision=True), resolve(RENTAL), answer(plain(1))])
    turn = open_claim().say("What comes of the rental?")
    assert (turn["outcome"], turn["waiting_item"], cited(turn)) == ("failed", None, [])
    assert shown(turn)[0] == SAFE
    assert WaitingItem.objects.count() == 0


def test_M9_the_button_for_a_person_says_it_in_the_conversation_with_its_row():
    talk = open_claim()
    first = talk.client.post(f"/api/claims/{talk.reference}/person/", {})
    again = talk.client.post(f"/api/claims/{talk.reference}/person/", {})
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["reference"] == again.json()["reference"]
    [message] = talk.messages()
    assert message["from"] == "portal"
    assert f"Reference {first.json()['reference']}," in message["text"]


def test_M4_M9_M8_no_sentence_of_ours_decides_hands_over_or_sends_the_customer_away():
    """Every text that the portal's agent can say of itself, and every template."""
    from claims.agent import wording

    constants = [value for name, value in vars(wording).items() if name.isupper() and isinstance(value, str)]
    tables = [value for name, value in vars(wording).items() if name.isupper() and isinstance(value, dict)]
    sentences = constants + [text for table in tables for text in table.values()]
    assert wording.SAFE_REPLY in sentences
    for text in sentences:
        assert decision_problem(text) is None or text in wording.REASONS_IN_WORDS.values(), text
    source = (ROOT / "claims" / "agent" / "wording.py").read_text(encoding="utf-8")
    pages = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("templates/**/*")) if path.is_file()]
    for text in (source, *pages):
        assert not re.search(r"(?i)your (?:\w+ )?(?:insurance company|insurer|provider)", text)


def test_M5_the_kinds_of_what_is_said_are_closed(model):
    model([plan("person"), plan("other"), *nothing_found()])
    talk = open_claim()
    said = {kind for text in ("A person", "Hi", "Who?") for kind in kinds(talk.say(text))}
    assert said <= {"quote", "plain", "schedule", "form", "noted", "ask", "escalate"}
