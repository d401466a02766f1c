"""PostgreSQL crashes under load and comes back: nothing acknowledged is missing, nothing is there twice (F10)."""

import contextlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.bench import ledger
from tests.bench import stack as bench
from tests.bench.processes import NotHere
from tests.faults.rounds import PLAIN

pytestmark = [pytest.mark.broker, pytest.mark.postgresql]

CLIENTS = 8
RESTARTS = 2
SETTLE_SECONDS = 30.0


@pytest.fixture(scope="module")
def stack(missing, tmp_path_factory):
    """One of its own, for its database is taken down."""
    with contextlib.ExitStack() as run:
        try:
            yield run.enter_context(bench.running(tmp_path_factory.mktemp("restart"), model_seconds=0.05))
        except NotHere as reason:
            missing(reason)


def post_until(talk, over, refused):
    """One customer who keeps sending, and sends a message again with its key until it is taken."""
    number = 0
    while not over.is_set():
        number += 1
        for _ in range(200):
            post = talk.say(PLAIN.format(number), key=f"key-{number}")
            if post.turn_id is not None:
                break
            refused.append(post.response)
            time.sleep(0.05)
    talk.close()


def test_F10_the_database_crashes_under_load_and_nothing_acknowledged_is_missing_or_twice(stack):
    over, refused = threading.Event(), []
    talks = [stack.web.open_claim() for _ in range(CLIENTS)]
    with stack.worker() as worker, ThreadPoolExecutor(CLIENTS) as pool:
        clients = [pool.submit(post_until, talk, over, refused) for talk in talks]
        for _ in range(RESTARTS):
            time.sleep(1)
            stack.database.crash()
            stack.database.start_again()
        time.sleep(1)
        over.set()
        for client in clients:
            client.result()
        ledger.settled(stack.database_url, seconds=SETTLE_SECONDS)
        assert worker.poll() is None
    posted = [post for talk in talks for post in talk.posted]
    assert refused, "no request met the outage: the test proved nothing"
    assert {response.status for response in refused if response is not None} <= {503}
    assert all(response.is_problem and response.headers["retry-after"] for response in refused if response is not None)
    assert None not in refused, "the web gave no answer at all"
    assert ledger.faults(stack.database_url, posted) == []
    found = ledger.turns(stack.database_url)
    assert len(found) == len({(post.reference, post.text) for post in posted})
    assert {(turn.status, turn.outcome) for turn in found} == {("done", "answered")}
