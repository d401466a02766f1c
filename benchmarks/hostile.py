"""The long run of a hostile model: P1 to P10 over as many generated outputs as asked for.

    uv run python -m benchmarks.hostile --outputs 300000                 a seed of its own, which it prints
    uv run python -m benchmarks.hostile --outputs 20000 --seed 7         the same run again

Messages are received, answered, committed and read back by the product as it is, on SQLite in a temporary folder; in
the place of the model's door stands the EvilProvider of the tests in its four moods, with provider, database and store
faults among it. Each batch has a seed of its own and is rolled back, so that the run does not slow down. It ends with
1 when a property was broken, and names the batch's seed.
"""

import argparse
import gc
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BATCH = 2000
SHOWN_VIOLATIONS = 5
NUMBERS = ("outputs", "replies", "quotes", "schedule_lines", "waiting_rows")
GROUPS = ("moods", "faults", "outcomes", "kinds")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--outputs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    if "BENCHMARK_CHILD" in os.environ:
        for total in batches(options.outputs, options.seed):
            print(json.dumps(total), flush=True)
        return 0
    print(f"hostile run, seed {options.seed}, {options.outputs:,} outputs, {options.processes} processes", flush=True)
    started = time.monotonic()
    total = run(options.outputs, options.seed, options.processes)
    seconds = time.monotonic() - started
    print(f"{seconds:.0f} s, {total['outputs'] / seconds:.0f} outputs a second")
    for name in NUMBERS:
        print(f"  {name.replace('_', ' '):16} {total[name]:>9,}")
    for name in GROUPS:
        print(f"  {name:16} {', '.join(f'{key} {count:,}' for key, count in total[name].most_common())}")
    print(f"  {'violations':16} {len(total['violations']):>9,}")
    if not total["violations"]:
        print(f"0 violations: at 95 % confidence fewer than 1 output in {total['outputs'] // 3:,} breaks a property")
        print(f"  (upper bound 3/n = {3 / total['outputs']:.1e} an output, {3 / total['replies']:.1e} a reply)")
    return 1 if total["violations"] else 0


def run(outputs: int, seed: int, processes: int) -> dict[str, Any]:
    """The sum of all batches of all processes; a line after each batch."""
    total: dict[str, Any] = dict.fromkeys(NUMBERS, 0) | {name: Counter() for name in GROUPS} | {"violations": []}

    def follow(number: int) -> None:
        share = outputs // processes + (outputs % processes if number == 0 else 0)
        for line in child(share, seed + number):
            for name in NUMBERS:
                total[name] += line[name]
            for name in GROUPS:
                total[name].update(line[name])
            total["violations"].extend(line["violations"])
            broken = len(total["violations"])
            print(f"{total['outputs']:,} outputs, {total['replies']:,} replies, {broken} violations", flush=True)
            if line["violations"]:
                print(*line["violations"][:SHOWN_VIOLATIONS], sep="\n\n", flush=True)

    with ThreadPoolExecutor(processes) as pool:
        list(pool.map(follow, range(processes)))
    return total


def child(outputs: int, seed: int) -> Iterator[dict[str, Any]]:
    """The batches of one process, each as soon as it is done. Raises CalledProcessError when the process fails."""
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("PORTAL_", "S3_"))},
            "BENCHMARK_CHILD": "1",
            "PORTAL_VAR_DIR": folder,
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
            "DJANGO_SETTINGS_MODULE": "portal.settings",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "DEBUG": "off",
            "ALLOWED_HOSTS": "testserver",
            "SECURE_SSL_REDIRECT": "off",
            # The planted faults are errors in the log, thousands of them.
            "LOG_LEVEL": "CRITICAL",
            "PYTHONWARNINGS": "ignore",
            "PORTAL_MESSAGES_A_MINUTE": "0",
            "PORTAL_CLAIMS_AN_HOUR": "0",
        }
        command = [sys.executable, "-m", "benchmarks.hostile", "--outputs", str(outputs), "--seed", str(seed)]
        with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout or ():
                yield json.loads(line)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)


def batches(outputs: int, seed: int) -> Iterator[dict[str, Any]]:
    import django

    django.setup()
    from django.conf import settings
    from django.db import transaction

    from benchmarks.lookup_turn import prepare
    from claims import answering
    from claims.agent import runtime
    from tests.claims.evil_run import EvilRun, asked_instead
    from tests.evil import EvilProvider

    prepare()
    answering.load()
    runtime.RETRY_PAUSE_SECONDS = 0.0
    gc.collect()
    gc.freeze()
    # A full collection of what LiteLLM and Django hold would cost more than it finds.
    gc.disable()
    seeds = random.Random(seed)
    done = 0
    while done < outputs:
        batch = seeds.randrange(2**32)
        evil = EvilProvider(batch)
        running = EvilRun(evil, Path(settings.VAR_DIR) / "store", stop_at_first=False)
        with asked_instead(evil), transaction.atomic():
            counts = running.drive(min(BATCH, outputs - done))
            transaction.set_rollback(True)
        done += counts.outputs
        found = [f"batch seed {batch}: {violation}" for violation in counts.violations]
        yield {
            **{name: getattr(counts, name) for name in NUMBERS},
            **{name: dict(getattr(counts, name)) for name in GROUPS},
            "violations": found,
        }
        gc.collect()


if __name__ == "__main__":
    sys.exit(main())
