"""Who works on a turn: a lease, its end, the attempts, and the claim's order."""

import uuid
from datetime import timedelta

import pytest

from claims import turn_commit, turn_queue
from claims.agent.model import ModelConfig
from claims.agent.runtime import TurnResult
from claims.agent.vocabulary import Outcome, Stage, Status
from claims.answering import answer_message
from claims.claim_state import schedule_of
from claims.models import Message, Turn, WaitingItem
from claims.turn_commit import Timing, commit_turn
from claims.turn_queue import MAX_ATTEMPTS, Lease, late, next_of, take
from tests.builders import NOW, customer_writes, later, make_claim
from tests.builders_api import play

pytestmark = pytest.mark.django_db

LEASE = 40.0


@pytest.fixture
def claim():
    return make_claim()


def write(claim, text="Hello there", *, now=NOW):
    return customer_writes(claim, text, now=now).turn


def commit(lease, *, now=NOW):
    """The safe reply of a turn that failed, with its waiting row."""
    turn = Turn.objects.select_related("claim").get(pk=lease.turn_id)
    return commit_turn(
        lease=lease,
        result=TurnResult(failed=True),
        schedule=schedule_of(turn.claim, "motor"),
        family_confirmed=True,
        model=ModelConfig("", "", 1.0),
        timing=Timing(0, 0),
        now=now,
    )


def row(turn):
    return Turn.objects.get(pk=turn.pk)


def replies(turn):
    return Message.objects.filter(turn=turn, sender="portal").count()


def test_a_taken_turn_runs_until_its_lease_ends(claim):
    turn = write(claim)
    lease = take(turn.pk, now=NOW, seconds=LEASE)
    assert (lease.turn_id, lease.claim_id) == (turn.pk, claim.pk)
    taken = row(turn)
    assert (taken.status, taken.stage, taken.attempts) == (Status.RUNNING, Stage.PLANNING, 1)
    assert (taken.lease, taken.lease_until) == (lease.token, NOW + timedelta(seconds=LEASE))


def test_F13_a_held_turn_is_nobody_elses_until_its_lease_has_run_out(claim):
    turn = write(claim)
    first = take(turn.pk, now=NOW, seconds=LEASE)
    for seconds in (0, 1, LEASE):
        assert take(turn.pk, now=later(seconds=seconds), seconds=LEASE) is None
    assert row(turn).attempts == 1
    second = take(turn.pk, now=later(seconds=LEASE + 1), seconds=LEASE)
    assert second is not None and second.token != first.token
    assert row(turn).attempts == 2


def test_C3_the_first_holder_cannot_commit_after_the_turn_was_taken_over(claim):
    turn = write(claim)
    first = take(turn.pk, now=NOW, seconds=LEASE)
    second = take(turn.pk, now=later(seconds=LEASE + 1), seconds=LEASE)
    commit(first)
    assert (row(turn).status, replies(turn), WaitingItem.objects.count()) == (Status.RUNNING, 0, 0)
    commit(second)
    assert (row(turn).status, replies(turn), WaitingItem.objects.count()) == (Status.DONE, 1, 1)
    commit(first)
    commit(second)
    assert (replies(turn), WaitingItem.objects.count()) == (1, 1)


def test_C3_negative_control_with_the_leases_alike_the_first_holder_would_commit(claim, monkeypatch):
    monkeypatch.setattr(turn_queue.uuid, "uuid4", lambda: uuid.UUID(int=7))
    turn = write(claim)
    first = take(turn.pk, now=NOW, seconds=LEASE)
    take(turn.pk, now=later(seconds=LEASE + 1), seconds=LEASE)
    monkeypatch.undo()
    commit(first)
    assert (row(turn).status, replies(turn)) == (Status.DONE, 1)


def test_a_lease_that_ran_out_still_commits_while_nobody_took_over(claim):
    turn = write(claim)
    lease = take(turn.pk, now=NOW, seconds=LEASE)
    commit(lease, now=later(minutes=5))
    assert row(turn).status == Status.DONE


def test_a_turn_that_is_done_or_not_there_cannot_be_taken(claim):
    turn = write(claim)
    commit(take(turn.pk, now=NOW, seconds=LEASE))
    assert take(turn.pk, now=later(hours=1), seconds=LEASE) is None
    assert take(turn.pk, now=later(hours=1), seconds=LEASE, is_last=True) is None
    assert take(uuid.uuid4(), now=NOW, seconds=LEASE) is None


def test_after_three_attempts_a_turn_is_only_taken_to_be_ended(claim):
    turn = write(claim)
    for attempt in range(MAX_ATTEMPTS):
        assert take(turn.pk, now=later(minutes=attempt), seconds=LEASE) is not None
    assert MAX_ATTEMPTS == 3
    assert take(turn.pk, now=later(hours=1), seconds=LEASE) is None
    last = take(turn.pk, now=later(hours=1), seconds=LEASE, is_last=True)
    assert last is not None
    commit(last)
    assert replies(turn) == 1


def test_a_turn_cannot_be_taken_before_the_one_in_front_of_it(claim):
    first, second, third = write(claim), write(claim), write(claim)
    assert take(second.pk, now=NOW, seconds=LEASE) is None
    lease = take(first.pk, now=NOW, seconds=LEASE)
    assert take(second.pk, now=NOW, seconds=LEASE) is None
    assert take(second.pk, now=later(hours=1), seconds=LEASE) is None, "not even when the first one's lease is over"
    commit(lease)
    assert next_of(claim.pk) == second.pk
    assert take(third.pk, now=NOW, seconds=LEASE) is None
    assert take(second.pk, now=NOW, seconds=LEASE) is not None


def test_claims_do_not_wait_for_one_another(claim):
    write(claim)
    other = write(make_claim())
    assert take(other.pk, now=NOW, seconds=LEASE) is not None


def test_whoever_ends_a_turn_answers_those_that_wait_behind_it(claim, monkeypatch):
    asked = play(monkeypatch)
    turns = [write(claim, f"Message {number}") for number in range(4)]
    answer_message(turns[2].pk)
    assert asked == [], "the third turn waits for the first"
    answer_message(turns[0].pk)
    assert [row(turn).status for turn in turns] == [Status.DONE] * 4
    done = [row(turn).done_at for turn in turns]
    assert done == sorted(done)
    said = Message.objects.filter(sender="portal").order_by("seq").values_list("turn__seq", flat=True)
    assert list(said) == [1, 2, 3, 4]


def test_a_message_that_comes_while_a_turn_is_answered_is_answered_after_it(claim, monkeypatch):
    asked = play(monkeypatch)
    first = write(claim)
    ended, late_ones = turn_commit.commit_turn, []

    def commit_after_another_came(**given):
        if not late_ones:
            late_ones.append(write(claim, "One more thing"))
            answer_message(late_ones[0].pk)
        return ended(**given)

    monkeypatch.setattr("claims.answering.commit_turn", commit_after_another_came)
    answer_message(first.pk)
    assert [row(turn).outcome for turn in (first, late_ones[0])] == [Outcome.OTHER] * 2
    assert asked == ["plan", "plan"]


def test_late_is_what_nobody_works_on_although_somebody_should(claim):
    waiting = write(claim)
    held = write(make_claim())
    take(held.pk, now=NOW, seconds=LEASE)
    used_up = write(make_claim())
    for attempt in range(MAX_ATTEMPTS):
        take(used_up.pk, now=later(minutes=attempt), seconds=LEASE)
    done = write(make_claim())
    commit(take(done.pk, now=NOW, seconds=LEASE))

    def found(**passed):
        return set(late(now=later(**passed), grace_seconds=15))

    assert found(seconds=15) == set()
    assert found(seconds=16) == {(waiting.pk, False)}
    assert found(seconds=41) == {(waiting.pk, False), (held.pk, False)}
    assert found(hours=1) == {(waiting.pk, False), (held.pk, False), (used_up.pk, True)}


def test_a_lease_of_nobody_commits_nothing(claim):
    turn = write(claim)
    take(turn.pk, now=NOW, seconds=LEASE)
    commit(Lease(row(turn), uuid.uuid4()))
    assert (row(turn).status, replies(turn)) == (Status.RUNNING, 0)
