"""The check of quotations, over the two public forms: every harmless variant is found, no change of one character is.

    uv run python -m benchmarks.quotes [--quotations 50000] [--seed 0]

Prints what was tried. A failure names its seed and ends with 1. The suite does 2,000.
"""

import argparse
import sys
import time

from tests.claims.documents.quotations import Tally, prove


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--quotations", type=int, default=50_000)
    arguments.add_argument("--seed", type=int, default=0)
    chosen = arguments.parse_args()
    tally = Tally()
    started = time.perf_counter()
    try:
        for seed in range(chosen.seed, chosen.seed + chosen.quotations):
            prove(seed, tally)
    except AssertionError as error:
        sys.exit(str(error))
    print(
        f"{tally.quotations} quotations (seeds from {chosen.seed}): {tally.variants} variants, all found; "
        f"{tally.changes} changes of one character, none accepted; {tally.still_true} changes left a true quotation. "
        f"{time.perf_counter() - started:.0f} s"
    )


if __name__ == "__main__":
    main()
