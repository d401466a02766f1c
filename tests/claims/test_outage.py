"""A provider that fails for a while, through the message API: one more try, then the breaker, and each turn its row."""

import functools
import logging
import time

import pytest

from claims.agent import model as model_door
from claims.agent.breaker import Breaker
from claims.models import Turn, WaitingItem
from tests.builders_claims import RENTAL, cited, kinds, lookup, open_claim, plain, plan, tool_of
from tests.fakellm import failure, tool_call

pytestmark = pytest.mark.usefixtures("portal")

ASKED = "Does my policy include a rental car?"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_F16_a_fault_that_passes_is_asked_once_more_and_the_question_is_answered(model, record, status):
    fake = model([failure(status, retry_after=60), *lookup(RENTAL, segments=[plain(1)])])
    turn = open_claim().say(ASKED)
    assert (turn["outcome"], cited(turn)) == ("answered", [RENTAL])
    assert [tool_of(body) for body in fake.requests] == ["plan", "plan", "context_resolve", "answer"]
    assert fake.requests[0] == fake.requests[1]
    found = record(turn)
    assert [(call["step"], call["error"]) for call in found["calls"][:2]] == [
        ("plan", "ModelUnavailable"),
        ("plan", None),
    ]
    assert found["safe_reply"] is False


def test_the_retry_waits_half_a_second_and_not_as_long_as_the_provider_says(model, monkeypatch):
    monkeypatch.setattr("claims.agent.runtime.RETRY_PAUSE_SECONDS", 0.1)
    fake = model([failure(429, retry_after=60), plan("other")])
    assert open_claim().say("Hello")["outcome"] == "other"
    first, second = fake.arrivals
    assert 0.1 <= second - first < 3


def test_F16_after_five_failures_in_a_row_a_turn_asks_nobody_and_ends_at_once_with_its_row(model, record, caplog):
    caplog.set_level(logging.CRITICAL)
    fake = model(lambda body: failure(503))
    turns, seconds = [], []
    for number in range(6):
        started = time.monotonic()
        turns.append(open_claim().say(f"{ASKED} And what about question {number}?"))
        seconds.append(time.monotonic() - started)
    assert len(fake.requests) == 5, "two a turn, and the fifth closes the door within the third turn"
    for turn in turns:
        assert (turn["status"], turn["outcome"]) == ("done", "failed")
        assert kinds(turn) == ["form", "escalate"]
        assert turn["waiting_item"]["reason"] == "guard_rejected"
    assert WaitingItem.objects.count() == 6
    [call] = record(turns[-1])["calls"]
    assert (call["error"], call["tokens_in"]) == ("ModelUnavailable", None)
    assert max(seconds[3:]) < 1.0
    assert max(call["ms"] for turn in turns[3:] for call in record(turn)["calls"]) < 100


def test_after_the_pause_one_trial_closes_the_breaker_again(model, monkeypatch):
    now = [0.0]
    breaker = Breaker(clock=lambda: now[0])
    monkeypatch.setattr(model_door, "breaker_of", functools.cache(lambda name: breaker))
    healthy = [False]

    def answer(body):
        return (
            tool_call("plan", {"kind": "other", "wants_decision": False, "facts": []}) if healthy[0] else failure(500)
        )

    fake = model(answer)
    talk = open_claim()
    assert [talk.say("Hello")["outcome"] for _ in range(4)] == ["failed"] * 4
    assert len(fake.requests) == 5
    healthy[0] = True
    assert talk.say("Hello")["outcome"] == "failed", "the pause is not over"
    now[0] = 30.0
    assert [talk.say("Hello")["outcome"] for _ in range(3)] == ["other"] * 3
    assert len(fake.requests) == 8


def test_what_a_model_says_wrongly_never_opens_the_breaker(model):
    """A customer could otherwise talk the model into faults and shut the door for everybody."""
    bad = tool_call("plan", '{"kind": ' + "9" * 5000 + "}")
    fake = model([*[bad] * 8, plan("other")])
    talk = open_claim()
    assert [talk.say("Hello")["outcome"] for _ in range(8)] == ["failed"] * 8
    assert talk.say("Hello")["outcome"] == "other"
    assert len(fake.requests) == 9


def test_a_key_that_is_refused_is_asked_once_and_opens_nothing(model):
    fake = model([*[failure(401)] * 6, plan("other")])
    talk = open_claim()
    assert [talk.say("Hello")["outcome"] for _ in range(7)] == ["failed"] * 6 + ["other"]
    assert len(fake.requests) == 7


def test_the_cost_of_a_turn_is_known_by_the_table_or_null(model, settings, record):
    fake = model(lookup(RENTAL, segments=[plain(1)]) * 2)
    assert record(open_claim().say(ASKED))["cost"] is None, "the scripted model has no price"
    settings.PORTAL_MODEL = "openai/gpt-5-mini"
    turn = open_claim().say(ASKED)
    assert record(turn)["cost"] == pytest.approx(3 * (100 * 0.25 + 20 * 2.00) / 1_000_000)
    assert len(fake.requests) == 6
    assert Turn.objects.get(pk=turn["id"]).tokens == 360
