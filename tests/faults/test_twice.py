"""A task that comes twice, two workers on one turn, and a hundred messages to one claim at the same moment."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from celery import Celery

from tests.bench import ledger
from tests.bench.stack import answering
from tests.faults.rounds import DECISION, PLAIN, SETTLE_SECONDS

pytestmark = [pytest.mark.broker, pytest.mark.postgresql]

AT_ONCE = 100


@pytest.fixture
def nudge(stack):
    """Publish a turn's task, as anybody might once more."""
    app = Celery(broker=stack.broker.url)
    app.conf.task_default_queue = "turns"
    yield lambda turn_id: app.send_task("claims.answer_turn", args=[turn_id], retry=False)
    app.close()


def test_a_task_that_is_delivered_five_times_to_two_workers_gives_one_answer(stack, nudge):
    talks = [stack.web.open_claim() for _ in range(4)]
    posted = [talk.say(text.format(n)) for talk in talks for n, text in enumerate((PLAIN, DECISION, PLAIN))]
    for post in posted * 4:
        nudge(post.turn_id)
    asked = len(stack.model.requests)
    with stack.worker("one", concurrency=6) as one, stack.worker("two", concurrency=6) as two:
        ledger.settled(stack.database_url, seconds=SETTLE_SECONDS)
        assert {one.poll(), two.poll()} == {None}
    mine = ledger.turns(stack.database_url, [talk.reference for talk in talks])
    assert ledger.faults(stack.database_url, posted) == []
    assert {(turn.status, turn.attempts) for turn in mine} == {("done", 1)}
    assert len(stack.model.requests) - asked == 3 * len(posted)


@pytest.fixture
def quick_model(stack):
    """One claim's turns are answered one after the other, so a hundred of them need a model that does not wait."""
    before, stack.model.script = stack.model.script, answering()
    yield
    stack.model.script = before


def all_at_once(web, talk, number):
    """Each message from two clients of its own with one key, all at the same moment; the answers in pairs."""
    gate = threading.Barrier(2 * number)

    def post(place):
        client = type(talk)(talk.reference, talk.token, web.url)
        gate.wait(timeout=30)
        try:
            return client.say(PLAIN.format(place // 2), key=f"key-{place // 2}", tries=30)
        finally:
            client.close()

    with ThreadPoolExecutor(2 * number) as pool:
        answers = list(pool.map(post, range(2 * number)))
    return list(zip(answers[0::2], answers[1::2], strict=True))


@pytest.mark.usefixtures("quick_model")
def test_C1_a_hundred_messages_at_once_each_sent_twice_are_stored_and_answered_once_in_order(stack):
    talk = stack.web.open_claim()
    pairs = all_at_once(stack.web, talk, AT_ONCE)
    with stack.worker():
        ledger.settled(stack.database_url, seconds=120)
    mine = ledger.turns(stack.database_url, [talk.reference])
    posted = [post for pair in pairs for post in pair]
    assert ledger.faults(stack.database_url, posted) == []
    assert [turn.seq for turn in mine] == list(range(1, AT_ONCE + 1))
    assert all(first.turn_id and first.turn_id == second.turn_id for first, second in pairs)
    assert len({first.turn_id for first, _ in pairs}) == AT_ONCE
    assert {turn.outcome for turn in mine} == {"answered"}


@pytest.mark.usefixtures("quick_model")
def test_C1_negative_control_with_the_lock_off_messages_collide(stack):
    talk = stack.web.open_claim()
    with stack.serving("unlocked", unlocked=True) as (web, _):
        pairs = all_at_once(web, talk, AT_ONCE)
    refused = [post.response.status for pair in pairs for post in pair if post.response and post.turn_id is None]
    with stack.worker():
        ledger.settled(stack.database_url, seconds=120)
    seqs = [turn.seq for turn in ledger.turns(stack.database_url, [talk.reference])]
    assert 500 in refused or seqs != list(range(1, AT_ONCE + 1))
