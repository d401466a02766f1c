"""What splitting costs beside reading: seconds of each for drawn policies, and the time of one over the other.

    uv run python -m benchmarks.structure [--pages 300]

Aim: the structure step takes at most 2.5 times as long as the extraction with boxes.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.pagesizes import A4

from benchmarks.reading import policy
from claims.documents.pages import Reading
from claims.documents.reading import read_file
from claims.documents.structure import split
from tests.claims.documents.test_real_forms_drawn import drawn

FORMS = Path(__file__).resolve().parent.parent / "tests" / "claims" / "documents" / "policies"
AIM = 2.5


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pages", type=int, default=300)
    pages = arguments.parse_args().pages
    for path in sorted(FORMS.glob("*.txt")):
        text = path.read_text().replace("#", "")
        compare(path.stem, drawn(text, columns=2, align=TA_JUSTIFY, size=9, font="Times-Roman", page=A4))
    compare(f"{pages} pages of two columns", policy(pages))


def compare(name: str, data: bytes) -> None:
    reading_seconds, reading = best(lambda: read_file(data, "policy.pdf"))
    assert isinstance(reading, Reading)
    split_seconds, structure = best(lambda: split(reading))
    share = split_seconds / reading_seconds
    print(
        f"{name}: {len(reading.pages)} pages, {len(structure.sections)} sections; extraction {reading_seconds:.2f} s, "
        f"structure {split_seconds:.2f} s, {share:.2f} times (aim: at most {AIM:g})"
    )


def best(work: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """Seconds of the fastest of a few runs, and what it gave."""
    taken, result = [], None
    for _ in range(times):
        started = time.process_time()
        result = work()
        taken.append(time.process_time() - started)
    return min(taken), result


if __name__ == "__main__":
    main()
