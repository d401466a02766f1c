"""A whole evaluation against workers: its wall time over what the model's own time allows.

    uv run python -m benchmarks.evaluation
    uv run python -m benchmarks.evaluation --concurrency 4 --family motor

The 108 questions and the 20 scenario turns go over HTTP to a web process; one worker process (threads) answers them,
with PostgreSQL, a broker, files as the store, and a model on loopback that takes a second a call. The ideal is the
model's time divided by how many are asked at once: nobody waits for anything else. The store is stopped and started by
two commands, as an operator would give them. Aim: wall time at most 1.2 times the ideal.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench import stack

MODEL_SECONDS = 1.0
AIM = 1.2
ROOT = Path(__file__).resolve().parent.parent
# The production's times: what is measured is not how a turn ends early.
TIMES = {"PORTAL_SWEEP_SECONDS": "15", "PORTAL_SWEEP_GRACE": "15"}
TOKEN = """
import django; django.setup()
from django.contrib.auth.models import Group, User
from knox.models import AuthToken
user = User.objects.create(username="measures")
user.groups.add(Group.objects.get(name="manager"))
print(AuthToken.objects.create(user=user)[1])
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--threads", type=int, default=16, help="of the worker")
    parser.add_argument("--family", help="only one family's questions, and the scenarios with motor")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="evaluation-") as folder,
        stack.running(Path(folder), times=TIMES, model_seconds=MODEL_SECONDS) as bench,
        bench.worker(concurrency=options.threads),
    ):
        warm_up(bench)
        asked = len(bench.model.requests)
        load, started = os.getloadavg()[0], time.monotonic()
        report = run(bench, options)
        elapsed = time.monotonic() - started
        show(report, elapsed, len(bench.model.requests) - asked, options.concurrency, load)


def warm_up(bench: stack.Stack) -> None:
    """The first turn of a worker opens its connections."""
    talk = bench.web.open_claim()
    post = talk.say("Does my policy include a rental car?", Prefer="wait=30")
    if post.turn_id is None:
        raise SystemExit(f"the first message was not taken: {post}")
    bench.web.close()


def run(bench: stack.Stack, options: argparse.Namespace) -> dict[str, Any]:
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    environment = {**inherited, **bench.environment, "DJANGO_SETTINGS_MODULE": "portal.settings"}
    token = subprocess.run([sys.executable, "-c", TOKEN], cwd=ROOT, env=environment, capture_output=True, check=True)
    environment["PORTAL_STAFF_TOKEN"] = token.stdout.decode().strip()
    here, away = bench.folder / "var" / "store", bench.folder / "var" / "store.away"
    command = [sys.executable, "manage.py", "run_evals", "--json", "--address", bench.web.url]
    command += ["--concurrency", str(options.concurrency), "--seed", str(options.seed)]
    command += ["--stop-store", f"mv {here} {away}", "--start-store", f"mv {away} {here}"]
    command += ["--family", options.family] if options.family else []
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if not done.stdout:
        raise SystemExit(f"the run gave nothing: {done.stderr[-2000:]}")
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def show(report: dict[str, Any], elapsed: float, calls: int, concurrency: int, load: float) -> None:
    began, ended = (report["provenance"][name] for name in ("started_at", "ended_at"))
    progress = report["progress"]
    ideal = calls * MODEL_SECONDS / concurrency
    asking = seconds_between(began, ended)
    print(f"{progress['planned']} asked, {progress['unknown']} unknown, {calls} calls of {MODEL_SECONDS:g} s")
    for line in report["scenarios"]:
        print(f"  {line['title']}: {line['passed']} of {line['of']}, {line['unknown']} unknown")
    for reason in sorted({line["reason"] for line in report["unknown"]}):
        names = [line["name"] for line in report["unknown"] if line["reason"] == reason]
        print(f"  unknown: {reason}: {len(names)}, as {', '.join(names[:3])}")
    print(f"  load of the machine before {load:.1f}, at the end {os.getloadavg()[0]:.1f}")
    print(f"  ideal {ideal:.1f} s with {concurrency} at once")
    print(f"  the run {asking:.1f} s, {asking / ideal:.2f} of the ideal (aim: {AIM})")
    print(f"  the command with its start and report {elapsed:.1f} s, {elapsed / ideal:.2f} of the ideal")


def seconds_between(began: str, ended: str) -> float:
    from datetime import datetime

    return (datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds()


if __name__ == "__main__":
    main()
