"""A process ends at a named place of a turn or at a random moment: each message has one answer (F12, F13)."""

import os
import random

import pytest

from claims.fault_points import ANSWERED, COMMITTED, KILLED, NAMES, RECEIVED
from tests.bench import ledger
from tests.bench.stack import NotInTime, wait_for
from tests.faults.rounds import DECISION, PLAIN, SETTLE_SECONDS, kill_at_random

pytestmark = [pytest.mark.broker, pytest.mark.postgresql]

IN_THE_WORKER = tuple(name for name in NAMES if name != RECEIVED)


def assert_kept(stack, posted):
    assert ledger.faults(stack.database_url, posted) == []


@pytest.fixture(scope="module")
def ended(stack):
    """For each place of a worker: its exit status there and the posts of that moment, after a healthy one's sweep."""
    found = {}
    for name in IN_THE_WORKER:
        talks = [stack.web.open_claim(), stack.web.open_claim()]
        # It does not sweep, so it ends with its own turns and not with those that the one before it left.
        with stack.worker(f"ends-{name}", PORTAL_FAULT_POINT=name, PORTAL_SWEEP_SECONDS=60) as worker:
            posted = [talks[0].say(PLAIN.format(1)), talks[1].say(DECISION.format(1)), talks[0].say(PLAIN.format(2))]
            found[name] = worker.wait(seconds=15), posted
        # Nor does the broker hand out again what it had taken: the row alone is left.
        stack.broker.forget()
    with stack.worker():
        ledger.settled(stack.database_url, seconds=SETTLE_SECONDS)
    return found


@pytest.mark.parametrize("name", IN_THE_WORKER)
def test_F12_a_worker_that_ends_at_a_named_place_loses_and_doubles_nothing(stack, ended, name):
    status, posted = ended[name]
    assert status == KILLED
    assert [post.response.status for post in posted] == [202] * 3
    assert_kept(stack, posted)
    mine = ledger.turns(stack.database_url, {post.reference for post in posted})
    assert sorted(turn.outcome for turn in mine) == ["answered", "answered", "needs_decision"]
    assert {turn.status for turn in mine} == {"done"}
    if name != COMMITTED:
        assert max(turn.attempts for turn in mine) == 2


def test_F12_a_web_process_that_ends_after_its_commit_leaves_the_message_to_the_sweep(stack):
    talk = stack.web.open_claim()
    with stack.serving("ends-received", PORTAL_FAULT_POINT=RECEIVED) as (web, process):
        talk.url = web.url
        lost = talk.say(PLAIN.format(1), key="sent-again")
        assert lost.response is None
        assert process.wait(seconds=10) == KILLED
    with stack.worker():
        ledger.settled(stack.database_url, seconds=SETTLE_SECONDS)
        talk.url = stack.web.url
        again = talk.say(PLAIN.format(1), key="sent-again")
    assert again.response.status == 201
    assert again.response.body["outcome"] == "answered"
    assert_kept(stack, [again])
    assert len(ledger.turns(stack.database_url, [talk.reference])) == 1


def test_F1_ten_kills_at_random_moments(stack):
    seed = int(os.environ.get("FAULTS_SEED") or random.SystemRandom().randrange(1_000_000))
    note = [f"FAULTS_SEED={seed}"]
    killed = kill_at_random(stack, rounds=10, seed=seed, say=note.append)
    assert killed.faults == [], note
    assert killed.hit_a_running_turn >= 1, f"no kill hit a turn at work, so nothing is proved: {note}"


def test_F13_a_turn_that_always_ends_its_process_is_given_up_and_the_others_are_answered(stack):
    poisoned = stack.web.open_claim()
    post = poisoned.say(DECISION.format(1))
    for _ in range(3):
        with stack.worker("poisoned", PORTAL_FAULT_POINT=ANSWERED) as worker:
            assert worker.wait(seconds=30) == KILLED
    [turn] = ledger.turns(stack.database_url, [poisoned.reference])
    assert (turn.status, turn.attempts) == ("running", 3)
    others = [stack.web.open_claim() for _ in range(5)]
    posted = [post, poisoned.say(PLAIN.format(2)), *(talk.say(PLAIN.format(1)) for talk in others)]
    with stack.worker() as healthy:
        ledger.settled(stack.database_url, seconds=SETTLE_SECONDS)
        assert healthy.poll() is None
    given_up, behind = ledger.turns(stack.database_url, [poisoned.reference])
    assert (given_up.status, given_up.outcome) == ("failed", "failed")
    assert given_up.waiting is not None
    assert (behind.status, behind.outcome) == ("done", "answered")
    assert {t.outcome for t in ledger.turns(stack.database_url, [t.reference for t in others])} == {"answered"}
    assert_kept(stack, posted)


def test_the_fault_is_observed_a_worker_without_a_fault_point_does_not_end(stack):
    """The negative control of the tests above: what they wait for does not come by itself."""
    with stack.worker() as worker:
        post = stack.web.open_claim().say(PLAIN.format(1))
        ledger.settled(stack.database_url, seconds=SETTLE_SECONDS)
        with pytest.raises(NotInTime):
            wait_for(lambda: worker.poll() is not None, seconds=0.5, what="its end")
    assert_kept(stack, [post])
