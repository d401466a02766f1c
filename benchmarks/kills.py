"""A worker killed at random moments of its work (SIGKILL): each message has one answer, nothing acknowledged is lost.

    uv run python -m benchmarks.kills --rounds 50
    uv run python -m benchmarks.kills --rounds 50 --seed 4711      the same moments again

Real PostgreSQL (commits are kept), a real broker, the web and a worker in processes of their own, a model on loopback.
Exit status 1 when anything does not hold.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.bench import stack
from tests.faults.rounds import kill_at_random


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    options = parser.parse_args()
    print(f"seed {options.seed}, load of the machine {os.getloadavg()[0]:.1f}", flush=True)
    started = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="kills-") as folder,
        stack.running(Path(folder), model_seconds=0.2) as bench,
    ):
        killed = kill_at_random(
            bench, rounds=options.rounds, seed=options.seed, say=lambda text: print(text, flush=True)
        )
    print(f"{killed.rounds} kills, {killed.hit_a_running_turn} of them while a turn was at work")
    print(f"{killed.messages} messages, by attempts {dict(sorted(killed.attempts.items()))}")
    print(f"{len(killed.faults)} faults in {time.monotonic() - started:.0f} s", *killed.faults, sep="\n")
    sys.exit(1 if killed.faults or not killed.hit_a_running_turn else 0)


if __name__ == "__main__":
    main()
