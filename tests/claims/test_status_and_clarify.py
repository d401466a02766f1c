"""Two kinds of segments that a model may send: how the claim stands, and a question asked back."""

from datetime import UTC, datetime

import pytest

from claims.models import Claim
from claims.waiting_list import record_decision
from tests.builders import make_staff
from tests.builders_claims import RENTAL, answer, cited, kinds, open_claim, plain, plan, quote, resolve, shown

pytestmark = pytest.mark.usefixtures("portal")

NOTHING_RECORDED = "No decision on your claim has been recorded yet that I could show you."
DECISION = "Mere Tester recorded this on 3 June 2026: “Accepted, less the excess.”"
NOT_FOUND = "I could not find a clause in your policy that answers this."
STATUS = {"kind": "status"}
QUESTION = {"kind": "clarify", "text": "Where did the water come in?"}
AT = datetime(2026, 6, 3, 1, 0, tzinfo=UTC)


def texts(turn):
    return [text for _, text in shown(turn)]


@pytest.fixture
def decided(model):
    """A claim on which staff recorded a decision."""
    model([plan("person"), plan(), resolve(), answer(STATUS), plan(), resolve(RENTAL), answer(plain(1), STATUS)])
    talk = open_claim()
    item = talk.say("Let me speak to somebody.")["waiting_item"]["reference"]
    by = make_staff("mere", "reviewer")
    record_decision(reference=item, by=by, text="Accepted, less the excess.", now=AT)
    return talk


def test_M4_a_status_segment_tells_what_staff_recorded_word_for_word(decided):
    turn = decided.say("And what came of it?")
    assert DECISION in texts(turn)
    assert NOT_FOUND not in texts(turn) and NOTHING_RECORDED not in texts(turn)
    assert turn["waiting_item"] is None, "nobody has to act on what is told already"
    turn = decided.say("Is a rental car included, and what came of it?")
    assert DECISION in texts(turn) and cited(turn) == [RENTAL]


def test_a_status_segment_with_nothing_recorded_says_so_and_makes_nothing_up(model):
    model([plan(), resolve(RENTAL), answer(plain(1), STATUS)])
    turn = open_claim().say("Is a rental car included, and what came of my claim?")
    assert NOTHING_RECORDED in texts(turn)
    assert "recorded this on" not in str(turn)
    assert Claim.objects.get().decided_at is None


def test_a_status_segment_alone_with_nothing_recorded_is_a_question_that_waits(model):
    model([plan(), resolve(), answer(STATUS)])
    turn = open_claim().say("What came of my claim?")
    assert (turn["outcome"], turn["waiting_item"]["reason"]) == ("not_found", "not_found")
    assert texts(turn).count(NOTHING_RECORDED) == 1


def test_a_question_asked_back_is_shown_as_it_is_with_what_was_found(model):
    model([plan(), resolve(RENTAL), answer(plain(1), QUESTION)])
    turn = open_claim().say("What about the water?")
    assert ("clarify", QUESTION["text"]) in shown(turn)
    assert (turn["outcome"], cited(turn)) == ("answered", [RENTAL])


@pytest.mark.parametrize("text", ["Are you glad that you are covered?", "Is it accepted, and will we pay?"])
def test_P6_a_promise_in_a_question_is_repaired_once_and_then_the_reply_is_refused_whole(model, record, text):
    bad = answer(quote(1), {"kind": "clarify", "text": text})
    model([plan(), resolve(RENTAL), bad, bad])
    turn = open_claim().say("Does my policy include a rental car?")
    assert (turn["outcome"], kinds(turn)) == ("failed", ["form", "escalate"])
    assert text not in str(turn)
    assert [violation["code"] for violation in record(turn)["violations"]] == ["V6", "V6"]
