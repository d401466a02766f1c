"""Many conversations at once, a model that takes a second a call: a turn's time over its model's; the checks' cost.

    uv run python -m benchmarks.load                         50, 100 and 200 conversations
    uv run python -m benchmarks.load --conversations 50 --turns 4

One web process (threads), one worker process (threads), PostgreSQL, a broker. The customers begin one after the other
within the time of a first turn; each asks, reads the turn every two seconds until it is done, and asks again. A turn's
time is from its post to its commit (`done_at` - `at`) and so holds every wait in a queue. Aim: p95 of a turn at most
1.5 times its model's time with 50 conversations; the checks and the reply at most 10 ms.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg

from benchmarks.checks_cost import AIM_MS, measure
from tests.bench import ledger, stack
from tests.bench.client import Talk

QUESTION = "Does my policy include a rental car, asked as number {}?"
MODEL_SECONDS, READ_SECONDS = 1.0, 2.0
AIM_RATIO = 1.5
# The production's times: what is measured is not how a turn ends early.
TIMES = {"PORTAL_SWEEP_SECONDS": "15", "PORTAL_SWEEP_GRACE": "15"}
SETTLE_SECONDS = 300.0
MEASURED = """
SELECT extract(epoch FROM t.done_at - t.at)::float, t.model_ms / 1000.0, t.total_ms / 1000.0, t.outcome
FROM claims_turn t JOIN claims_claim c ON c.id = t.claim_id WHERE c.reference = ANY(%s)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, nargs="+", default=[50, 100, 200])
    parser.add_argument("--turns", type=int, default=3, help="of each conversation")
    parser.add_argument("--threads", type=int, default=64, help="of the worker")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="load-") as folder,
        stack.running(Path(folder), times=TIMES, model_seconds=MODEL_SECONDS) as bench,
        bench.worker(concurrency=options.threads) as worker,
    ):
        talk_and_report(bench, worker, conversations=2, turns=1, quiet=True)
        for conversations in options.conversations:
            talk_and_report(bench, worker, conversations=conversations, turns=options.turns)
    report_checks()


def talk_and_report(
    bench: stack.Stack, worker: stack.Forked, *, conversations: int, turns: int, quiet: bool = False
) -> None:
    talks = [bench.web.open_claim() for _ in range(conversations)]
    processes = [process for process in (worker, bench.web_process) if process is not None]
    used = [process.processor_seconds() for process in processes]
    load, started = os.getloadavg()[0], time.monotonic()

    def talk(place: int) -> list[float]:
        posts = []
        time.sleep(3 * MODEL_SECONDS * place / conversations)
        for number in range(turns):
            post = talks[place].say(QUESTION.format(number), tries=20)
            if post.turn_id is None or post.response is None:
                raise SystemExit(f"a message was not taken: {post}")
            posts.append(post.response.seconds)
            while not has_ended(talks[place], post.turn_id):
                time.sleep(READ_SECONDS)
        return posts

    with ThreadPoolExecutor(conversations) as pool:
        posts = [seconds for result in pool.map(talk, range(conversations)) for seconds in result]
    elapsed = time.monotonic() - started
    ledger.settled(bench.database_url, seconds=SETTLE_SECONDS)
    bench.web.close()
    if quiet:
        return
    with psycopg.connect(bench.database_url) as connection:
        rows = connection.execute(MEASURED, [[t.reference for t in talks]]).fetchall()
    whole, model = [row[0] for row in rows], [float(row[1]) for row in rows]
    ratios = [turn / asked for turn, asked in zip(whole, model, strict=True)]
    answered = sum(row[3] == "answered" for row in rows)
    print(f"{conversations} conversations, {len(rows)} turns in {elapsed:.0f} s, {answered} answered")
    print(f"  {sum(talk.refusals for talk in talks)} requests were refused with 503, and sent again")
    print(f"  load of the machine before {load:.1f}, at the end {os.getloadavg()[0]:.1f}")
    print(f"  turn     p50 {p(whole, 50):.2f} s, p95 {p(whole, 95):.2f} s")
    print(f"  model    p50 {p(model, 50):.2f} s, p95 {p(model, 95):.2f} s")
    print(f"  turn / its model's time  p50 {p(ratios, 50):.2f}, p95 {p(ratios, 95):.2f} (aim with 50: {AIM_RATIO})")
    mine = [
        1000 * (process.processor_seconds() - before) / len(rows)
        for process, before in zip(processes, used, strict=True)
    ]
    print(f"  processor a turn: worker {mine[0]:.0f} ms, web {mine[1]:.0f} ms (with the customers' reading)")
    print(f"  post     p50 {p(posts, 50) * 1000:.0f} ms, p95 {p(posts, 95) * 1000:.0f} ms", flush=True)


def has_ended(talk: Talk, turn_id: str) -> bool:
    response = talk.call("GET", f"turns/{turn_id}/")
    return response.status == 200 and response.body["status"] in {"done", "failed"}


def p(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def report_checks(repeats: int = 2000) -> None:
    """Of `benchmarks.checks_cost`."""
    times = measure(repeats)
    print(f"checks and reply  p50 {p(times, 50):.2f} ms, p95 {p(times, 95):.2f} ms (aim: {AIM_MS:g} ms)")


if __name__ == "__main__":
    main()
