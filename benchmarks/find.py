"""What a search costs over a policy of 300 pages whose index is kept, and what building the index costs.

    uv run python -m benchmarks.find [--pages 300]

The pages are drawn from the two public forms of the tests, over and over. Aim: a median of 10 ms for a search.
"""

import argparse
import statistics
import time
from pathlib import Path

from claims.documents.finder import find
from claims.documents.pages import FileKind, Line, Page, PageState, Reading
from claims.documents.structure import split
from claims.documents.wording_index import index_of

FORMS = Path(__file__).resolve().parent.parent / "tests" / "claims" / "documents" / "policies"
LINES_A_PAGE = 55
WIDTH = 100
AIM_MS = 10.0
QUERIES = (
    "mold damage in the basement",
    "theft of jewelry",
    "proof of loss",
    "flood",
    "loss of use after a fire",
    "cyber liability",
    "self-insured retention",
    "swimming pools and hot tubs",
    "deductible",
    "building",
)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pages", type=int, default=300)
    pages = arguments.parse_args().pages
    reading = long_reading(pages)
    structure = split(reading)
    started = time.perf_counter()
    index = index_of(structure, reading)
    built = time.perf_counter() - started
    times = []
    print(f"{pages} pages, {len(index.candidates)} units; index built in {built * 1000:.0f} ms")
    for query in QUERIES:
        took, found = [], 0
        for _ in range(20):
            started = time.perf_counter()
            found = len(find(structure, reading, query).candidates)
            took.append((time.perf_counter() - started) * 1000)
        times += took
        print(f"  {statistics.median(took):6.2f} ms  {found:5} candidates  {query}")
    print(f"median {statistics.median(times):.2f} ms, slowest {max(times):.1f} ms (aim: {AIM_MS:g} ms)")


def long_reading(pages: int) -> Reading:
    """The forms one behind the other, page after page, lines as a typist breaks them."""
    texts = [line for path in sorted(FORMS.glob("*.txt")) for line in path.read_text().splitlines()]
    wrapped = [piece for text in texts for piece in _pieces(text)]
    made = []
    for number in range(1, pages + 1):
        start = (number - 1) * LINES_A_PAGE
        lines = tuple(
            Line(start + offset + 1, wrapped[(start + offset) % len(wrapped)], number) for offset in range(LINES_A_PAGE)
        )
        made.append(Page(number, PageState.READ, lines, None, sum(len("".join(line.text.split())) for line in lines)))
    return Reading(FileKind.TEXT, tuple(made))


def _pieces(text: str) -> list[str]:
    pieces, words = [""], text.split(" ")
    for word in words:
        if len(pieces[-1]) + len(word) > WIDTH:
            pieces.append("")
        pieces[-1] += f" {word}" if pieces[-1] else word
    return pieces


if __name__ == "__main__":
    main()
