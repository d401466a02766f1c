"""Damaged policies through reading and splitting: no exception, every quotation is its lines' own, time linear in size.

    uv run python -m benchmarks.mutated_policies [--policies 5000] [--seed 0]

Prints how many were split, the slowest, and the time of a policy of one, two, four and eight times the size. A failure
names its seed. The suite does the first 300.
"""

import argparse
import time

from claims.documents.pages import Reading
from claims.documents.reading import read_file
from claims.documents.sections import Structure
from claims.documents.structure import split
from tests.claims.documents.mutations import mutated, sources
from tests.claims.documents.plain import reading_of
from tests.claims.documents.test_structure_properties import passages, slices_back

MOST_GROWTH = 3.0
"""A doubled policy may take so many times as long: linear with a margin for a busy machine."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--policies", type=int, default=5000)
    arguments.add_argument("--seed", type=int, default=0)
    chosen = arguments.parse_args()
    texts = sources()
    slowest, sections = (0.0, -1), 0
    for seed in range(chosen.seed, chosen.seed + chosen.policies):
        started = time.perf_counter()
        structure = one(mutated(seed, texts), seed)
        slowest = max(slowest, (time.perf_counter() - started, seed))
        sections += len(structure.sections)
    print(f"{chosen.policies} policies, {sections} sections; slowest {slowest[0] * 1000:.0f} ms (seed {slowest[1]})")
    grown()


def one(text: str, seed: int) -> Structure:
    """Read as a file and split; below the gate for too little text, split all the same."""
    read = read_file(text.encode(), f"{seed}.txt")
    reading = read if isinstance(read, Reading) else reading_of(text)
    structure = split(reading)
    for passage in passages(structure):
        if not slices_back(passage, reading, structure.furniture):
            raise SystemExit(f"seed {seed}: lines {passage.start_line} to {passage.end_line} do not give the quotation")
    return structure


def grown() -> None:
    """The longest policy, once, twice, four and eight times over."""
    text = max(("\n".join(lines) for lines in sources()), key=len)
    last = 0.0
    for times in (1, 2, 4, 8):
        reading = reading_of("\f".join([text] * times))
        took = min(timed(reading) for _ in range(3))
        growth = took / last if last else 0.0
        print(f"{times} x {len(text)} characters: {took * 1000:.0f} ms" + (f" ({growth:.1f} times)" if last else ""))
        if growth > MOST_GROWTH:
            raise SystemExit("the time grows faster than the policy")
        last = took


def timed(reading: Reading) -> float:
    started = time.perf_counter()
    split(reading)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
