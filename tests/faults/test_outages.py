"""Each part of the portal stopped, frozen and slow: the outcomes of `outages.OUTAGES`, and a normal turn afterwards.

Database and broker are stopped and frozen by signals, store and model by a proxy before them; it makes all slow, too.
"""

import contextlib
import math
import socket
import time

import pytest

from tests.bench import ledger
from tests.bench import stack as bench
from tests.bench.processes import NotHere
from tests.bench.proxy import Mode
from tests.bench.stack import answering
from tests.faults.outages import FROZEN, OUTAGES, SLOW, STOPPED
from tests.faults.rounds import PLAIN

pytestmark = [pytest.mark.broker, pytest.mark.postgresql, pytest.mark.objects]

DEADLINE, LEASE, SWEEP = 3.0, 5.0, 1.0
BUSY = 2.0
"""Seconds that looking may take longer on a machine with other work; the turn's own seconds are in its row."""
TIMES = {
    "PORTAL_MODEL_TIMEOUT": "1.5",
    "PORTAL_TURN_DEADLINE": str(DEADLINE),
    "PORTAL_TURN_LEASE": str(LEASE),
    "PORTAL_TASK_VISIBILITY": "10",
    "PORTAL_SWEEP_SECONDS": "0.5",
    "PORTAL_SWEEP_GRACE": "0.5",
}
# Of the proxy: a little for each piece where a turn needs a hundred, a second for each byte where it must not end well.
SLOWLY = {
    "store": (Mode.DRIP, 1.0),
    "model": (Mode.DRIP, 1.0),
    "broker": (Mode.DELAY, 0.3),
    "database": (Mode.DELAY, 0.01),
}
# The least that the first words then take.
SLOWEST = {"store": math.inf, "model": math.inf, "broker": 0.6, "database": 0.02}


@pytest.fixture(scope="module")
def stack(missing, tmp_path_factory):
    with contextlib.ExitStack() as run:
        try:
            found = run.enter_context(
                bench.running(tmp_path_factory.mktemp("outages"), times=TIMES, s3=True, proxied=True)
            )
        except NotHere as reason:
            missing(reason)
        run.enter_context(found.worker())
        yield found


ASK = {
    "database": (b"\x00\x00\x00\x08\x04\xd2\x16\x2f", 1),  # whether it speaks TLS, which it answers with a letter
    "broker": (b"PING\r\n", 5),
    "store": (b"GET / HTTP/1.0\r\n\r\n", 12),
    "model": (b"GET / HTTP/1.0\r\n\r\n", 12),
}


def seconds_of_an_answer(stack, part):
    """What the product would wait for this part's first words; infinite when they are not whole after a while."""
    ask, enough = ASK[part]
    started, got = time.monotonic(), b""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", stack.proxies[part].port)) as client:
        client.settimeout(0.7)
        client.sendall(ask)
        while len(got) < enough and time.monotonic() - started < 0.7:
            piece = client.recv(64)
            if not piece:
                break
            got += piece
    return time.monotonic() - started if len(got) >= enough else math.inf


@contextlib.contextmanager
def away(stack, outage):
    """The part is away inside, and as it was afterwards."""
    server = {"database": stack.database, "broker": stack.broker}.get(outage.part)
    proxy = stack.proxies[outage.part]
    if server is None or outage.how not in {STOPPED, FROZEN}:
        proxy.set(*{STOPPED: (Mode.REFUSE,), FROZEN: (Mode.SILENT,)}.get(outage.how, SLOWLY[outage.part]))
        try:
            yield
        finally:
            proxy.set(Mode.PASS)
    elif outage.how == FROZEN:
        server.process.freeze()
        try:
            yield
        finally:
            server.process.thaw()
    else:
        server.crash()
        try:
            yield
        finally:
            server.start_again()


def test_the_table_of_outages_is_the_one_in_the_docs():
    page = (bench.ROOT / "docs" / "operation.md").read_text()
    assert [line for line in page.splitlines() if line.startswith(tuple(f"| {o.part} |" for o in OUTAGES))] == [
        outage.row for outage in OUTAGES
    ]


def is_away(outage):
    return outage.part == "database" and outage.how in {STOPPED, FROZEN}


def ended(stack, talk, *, seconds):
    """The claim's turns once all are finished. Raises NotInTime."""
    ledger.settled(stack.database_url, seconds=seconds)
    return ledger.turns(stack.database_url, [talk.reference])


@pytest.mark.parametrize("outage", OUTAGES, ids=lambda outage: outage.name)
def test_an_outage_has_its_ending_and_the_turn_after_it_is_normal(stack, outage):
    talk, other = stack.web.open_claim(), stack.web.open_claim()
    before = talk.say(PLAIN.format("before"))
    ended(stack, talk, seconds=10)
    assert seconds_of_an_answer(stack, outage.part) < 0.6
    posted = [before]
    if is_away(outage):
        stack.model.script = answering(0.4)
        posted.append(talk.say(PLAIN.format("at work")))
    with away(stack, outage):
        # A fault that is not there proves nothing.
        assert seconds_of_an_answer(stack, outage.part) >= (math.inf if outage.how != SLOW else SLOWEST[outage.part])
        post = other.say(PLAIN.format("meanwhile"))
        assert post.response is not None, "the web gave no answer"
        assert (post.response.status, post.response.seconds <= outage.post_seconds) == (outage.post, True), post
        if is_away(outage):
            assert post.response.is_problem
            assert post.response.headers["retry-after"]
            for page in ("/", f"/claims/{talk.reference}/", "/admin/login/"):
                assert stack.web.get(page)[0] != 500
            # Long enough that the turn at work needs its database, and does not get it.
            time.sleep(2)
        else:
            posted.append(post)
            [turn] = ended(stack, other, seconds=DEADLINE + 1 + BUSY)
            assert (turn.status, turn.outcome) == ("done", outage.outcome)
            assert turn.seconds <= DEADLINE + 1
    stack.model.script = answering()
    returned = time.monotonic()
    if is_away(outage):
        *_, turn = ended(stack, talk, seconds=LEASE + SWEEP + DEADLINE + 1)
        assert (turn.status, turn.outcome) == ("done", outage.outcome)
    after = talk.say(PLAIN.format("after"), tries=3)
    assert after.response.status == 202
    *_, turn = ended(stack, talk, seconds=DEADLINE + 1 + BUSY)
    assert (turn.status, turn.outcome) == ("done", "answered")
    assert turn.seconds <= DEADLINE + 1
    assert time.monotonic() - returned < LEASE + SWEEP + 2 * (DEADLINE + 1)
    assert ledger.faults(stack.database_url, [*posted, after]) == []
