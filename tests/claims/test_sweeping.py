"""The sweep: what is late is answered, what was tried too often ends with the safe reply, and twice is once."""

import logging
import threading
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.utils import timezone

from claims import answering, sweeping
from claims.agent import wording
from claims.agent.vocabulary import Status
from claims.claim_opening import set_fact
from claims.models import Message, Turn, WaitingItem
from claims.sweeping import Swept, sweep
from claims.turn_queue import MAX_ATTEMPTS, take
from claims.turn_records import turn_view
from tests.builders import customer_writes, make_claim
from tests.builders_api import play

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(monkeypatch):
    return play(monkeypatch)


def now(**passed):
    return timezone.now() + timedelta(**passed)


def received(text="Hello there", *, claim=None, ago=60):
    return customer_writes(claim or make_claim(), text, now=now(seconds=-ago)).turn


def abandoned(turn, *, attempts=1):
    """Taken `attempts` times by workers that died; the last lease has run out."""
    for attempt in range(attempts):
        assert take(turn.pk, now=now(hours=attempt - 10), seconds=40)
    return turn


def row(turn):
    return Turn.objects.get(pk=turn.pk)


def counts():
    return Message.objects.count(), WaitingItem.objects.count(), list(Turn.objects.order_by("pk").values())


def test_F12_a_message_whose_nudge_was_lost_is_answered(asked):
    turn = received()
    assert sweep(now=now()) == Swept(1, 0)
    assert (row(turn).status, row(turn).attempts, asked) == (Status.DONE, 1, ["plan"])


def test_a_message_that_just_came_is_left_to_its_own_nudge(asked, settings):
    turn = received(ago=settings.PORTAL_SWEEP_GRACE - 5)
    assert sweep(now=now()) == Swept(0, 0)
    assert (row(turn).status, asked) == (Status.RECEIVED, [])


def test_a_turn_whose_worker_died_is_answered_by_another(asked):
    turn = abandoned(received())
    assert sweep(now=now()) == Swept(1, 0)
    assert (row(turn).status, row(turn).attempts) == (Status.DONE, 2)
    assert Message.objects.filter(turn=turn, sender="portal").count() == 1


def test_a_turn_that_somebody_works_on_is_left_alone(asked):
    turn = received()
    take(turn.pk, now=now(), seconds=40)
    assert sweep(now=now()) == Swept(0, 0)
    assert row(turn).status == Status.RUNNING


def test_F13_a_turn_that_was_tried_three_times_ends_failed_with_the_safe_reply_and_one_row(asked):
    turn = abandoned(received("Is a rental car included?"), attempts=MAX_ATTEMPTS)
    assert sweep(now=now()) == Swept(0, 1)
    view = turn_view(row(turn))
    assert (view.status, view.outcome, asked) == ("failed", "failed", [])
    assert view.reply.segments[0].text == wording.SAFE_REPLY
    [item] = WaitingItem.objects.all()
    assert (item.reason, item.question) == ("guard_rejected", "Is a rental car included?")
    assert view.waiting_item.reference == item.reference
    assert item.reference in view.reply.text
    assert Message.objects.filter(turn=turn, sender="portal").count() == 1


def test_a_given_up_turn_that_asked_for_a_decision_waits_as_one_and_keeps_its_facts(asked):
    claim = make_claim()
    set_fact(claim_id=claim.pk, field="place", value="Levin", now=now())
    turn = abandoned(received("Will you pay for my car?", claim=claim), attempts=MAX_ATTEMPTS)
    sweep(now=now())
    assert (row(turn).status, row(turn).waiting_item.reason) == (Status.FAILED, "needs_decision")
    assert claim.facts.get(field="place").value == "Levin"


def test_F13_the_turns_behind_a_given_up_one_are_answered(asked):
    claim = make_claim()
    poison = received("The one that ends its worker", claim=claim)
    behind = [received(f"Message {number}", claim=claim, ago=1) for number in range(2)]
    abandoned(poison, attempts=MAX_ATTEMPTS)
    sweep(now=now())
    assert [row(turn).status for turn in (poison, *behind)] == [Status.FAILED, Status.DONE, Status.DONE]


def test_sweeping_twice_does_nothing_more(asked):
    abandoned(received("First"), attempts=MAX_ATTEMPTS)
    received("Second")
    abandoned(received("Third"))
    assert sweep(now=now()) == Swept(2, 1)
    before = counts()
    assert sweep(now=now()) == Swept(0, 0)
    assert counts() == before


def test_one_turn_that_cannot_be_ended_does_not_keep_the_others(asked, monkeypatch, caplog):
    caplog.set_level(logging.ERROR)
    bad, good = received("Bad", ago=90), received("Good", ago=60)
    answer = answering.answer_message

    def fails(turn_id):
        if turn_id == bad.pk:
            raise RuntimeError("boom")
        answer(turn_id)

    monkeypatch.setattr(sweeping, "answer_message", fails)
    assert sweep(now=now()) == Swept(retried=1, given_up=0, failed=1)
    assert [row(turn).status for turn in (bad, good)] == [Status.RECEIVED, Status.DONE]
    assert any(str(bad.pk) in record.getMessage() for record in caplog.records)


def test_the_timer_sweeps_again_and_again_and_outlives_a_sweep_that_fails(monkeypatch, settings, caplog):
    settings.PORTAL_SWEEP_SECONDS = 0.01
    stop, rounds = threading.Event(), []

    def one_round(**given):
        rounds.append(given)
        if len(rounds) == 1:
            raise OperationalError("the database is away")
        if len(rounds) == 3:
            stop.set()

    monkeypatch.setattr(sweeping, "sweep", one_round)
    monkeypatch.setattr(sweeping, "close_old_connections", lambda: None)
    sweeping.sweep_for_ever(stop)
    assert len(rounds) == 3
    assert rounds[0]["threads"] == settings.PORTAL_SWEEP_THREADS
    assert [record.getMessage() for record in caplog.records] == ["the sweep failed; it runs again in 0.01 s"]


def test_the_command_says_what_it_did(asked, settings):
    settings.PORTAL_SWEEP_THREADS = 1  # the threads of the other test need a server
    received("First")
    abandoned(received("Second"), attempts=MAX_ATTEMPTS)
    for said in ("1 late turns answered or retried, 1 given up.", "0 late turns answered or retried, 0 given up."):
        out = StringIO()
        call_command("sweep", stdout=out)
        assert out.getvalue().strip() == said


def test_the_command_fails_and_says_so_when_a_late_turn_cannot_be_ended(asked, settings, monkeypatch):
    settings.PORTAL_SWEEP_THREADS = 1
    received("Bad")

    def fails(turn_id):
        raise RuntimeError("boom")

    monkeypatch.setattr(sweeping, "answer_message", fails)
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("sweep", stdout=out, stderr=err)
    assert ended.value.code == 1
    assert out.getvalue().strip() == "0 late turns answered or retried, 0 given up."
    assert err.getvalue().startswith("1 could not be ended")


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_many_claims_are_swept_side_by_side_and_each_turn_once(asked):
    turns = [received(f"Message {number}") for number in range(12)]
    assert sweep(now=now(), threads=6) == Swept(12, 0)
    assert {row(turn).status for turn in turns} == {Status.DONE}
    assert len(asked) == 12
