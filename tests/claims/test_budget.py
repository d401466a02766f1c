"""The day's budget: over it no model is asked, the customer is told and the question waits for a person."""

import logging
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from claims.budget import budget_is_spent
from claims.models import Turn
from tests.builders_claims import kinds, open_claim, plan, shown

pytestmark = pytest.mark.usefixtures("portal")

SPENT = "I can't look anything up any more today, so I won't guess. What you have told us so far is kept."
# 23:50 in New Zealand: ten minutes before another day.
LATE_EVENING = datetime(2026, 6, 3, 11, 50, tzinfo=UTC)


@pytest.fixture(autouse=True)
def one_turn_a_day(settings):
    settings.PORTAL_DAILY_TOKENS = 120  # what one call of the scripted model takes


def test_G6_over_the_days_budget_nobody_is_asked_and_the_question_waits(model, record, caplog):
    fake = model([plan("report", place="Levin")])
    talk = open_claim()
    with time_machine.travel(LATE_EVENING, tick=False):
        assert talk.say("It was in Levin.")["outcome"] == "noted"
        caplog.clear()
        turn = talk.say("Does my policy include a rental car?")
    assert (turn["status"], turn["outcome"], kinds(turn)) == ("done", "over_budget", ["form", "escalate"])
    assert shown(turn)[0] == ("form", SPENT)
    assert turn["waiting_item"]["reason"] == "over_budget"
    assert len(fake.requests) == 1
    assert talk.facts()["place"] == ("Levin", False)
    found = record(turn)
    assert (found["calls"], found["plan"], found["safe_reply"]) == ([], None, False)
    [alert] = [r for r in caplog.records if r.name == "claims.budget"]
    assert alert.levelno == logging.ERROR and "120 tokens" in alert.getMessage()


def test_a_question_for_a_decision_waits_as_one_and_who_decides_is_said(model):
    model([plan("other")])
    talk = open_claim()
    with time_machine.travel(LATE_EVENING, tick=False):
        talk.say("Hello")
        turn = talk.say("Will you pay for my car?")
    assert (turn["outcome"], kinds(turn)) == ("over_budget", ["form", "form", "escalate"])
    assert turn["waiting_item"]["reason"] == "needs_decision"


def test_the_next_day_of_new_zealand_begins_with_a_new_budget(model):
    fake = model([plan("other"), plan("other")])
    talk = open_claim()
    with time_machine.travel(LATE_EVENING, tick=False) as clock:
        assert talk.say("Hello")["outcome"] == "other"
        assert talk.say("Hello?")["outcome"] == "over_budget"
        clock.shift(timedelta(minutes=10))
        assert talk.say("Hello again")["outcome"] == "other"
    assert len(fake.requests) == 2


def test_a_budget_of_0_is_none(model, settings):
    settings.PORTAL_DAILY_TOKENS = 0
    fake = model([plan("other")] * 3)
    talk = open_claim()
    assert [talk.say("Hello")["outcome"] for _ in range(3)] == ["other"] * 3
    assert len(fake.requests) == 3


def test_the_budget_is_spent_by_everybodys_turns_of_the_day_and_by_no_older_ones(model):
    model([plan("other")])
    with time_machine.travel(LATE_EVENING, tick=False):
        open_claim().say("Hello")
    assert Turn.objects.get().tokens == 120
    assert budget_is_spent(now=LATE_EVENING)
    assert not budget_is_spent(now=LATE_EVENING + timedelta(minutes=10))
