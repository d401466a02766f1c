"""What is usual in a file: how wide its lines are, whether they are wrapped, whether empty lines mean anything."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from claims.documents.numbering import labels
from claims.documents.rows import Row
from claims.documents.shapes import ends_item

_FULL = 0.95
_ENOUGH = 6
_ALWAYS = 0.95
_LOOSEST = 1.25
_EVIDENCE = 2
_WINDOW = 12
_NEARLY = 0.99


@dataclass(slots=True)
class Habits:
    """What is usual in this file: how wide lines are, whether they are wrapped, whether empty lines mean anything."""

    widths: list[float]
    wrapped: bool
    double_spaced: bool
    spaced: bool
    """Whether paragraphs always have a gap between them: then lines without one belong together."""


def habits_of(rows: Sequence[Row]) -> Habits:
    wraps = spaced = ends = numbered = apart = 0
    for before, row in pairwise(rows):
        flows = row.text[:1].islower() and not ends_item(before.text) and len(before.text) > 30 and not labels(row.text)
        wraps += flows
        spaced += flows and row.blank
        ends += row.blank
        if (
            row.text[:1].isalnum()
            and ends_item(before.text)
            and not row.broken
            and any(not each.is_bullet and each.style != "1" for each in labels(row.text))
        ):
            numbered += 1
            apart += row.blank
    pairs = max(1, len(rows) - 1)
    double = ends >= 0.9 * pairs and spaced >= max(2, 0.1 * pairs)
    always = numbered >= _ENOUGH and apart >= _ALWAYS * numbered and not double
    return Habits(_widths(rows), wraps >= max(1, 0.04 * pairs), double, always)


def _widths(rows: Sequence[Row]) -> list[float]:
    """For each row the right edge of the lines around it: what a full line reaches."""
    widths = []
    for index in range(len(rows)):
        near = rows[max(0, index - _WINDOW) : index + _WINDOW + 1]
        row = rows[index]
        if row.line.box is not None:
            column = [each.right for each in near if abs(each.left - row.left) < 60 and each.line.page == row.line.page]
            widths.append(max(column or [row.right]))
        else:
            widths.append(max(each.right for each in near))
    return widths


def is_full(rows: Sequence[Row], index: int, habits: Habits, *, open_sentence: bool = False) -> bool:
    """Whether the line before `index` is as long as lines get here: its next word had no room.

    Where no line is wrapped every line is a paragraph, unless it leaves its sentence open.
    """
    before, row = rows[index - 1], rows[index]
    if not (habits.wrapped or open_sentence):
        return False
    word = len(row.text.split(" ", 1)[0]) + 1
    if before.line.box is not None:
        letter = (before.right - before.left) / max(1, len(before.text))
        return before.right + word * letter > habits.widths[index - 1] * _NEARLY
    return before.right + word > habits.widths[index - 1] * _FULL


def usual_size(rows: Sequence[Row]) -> float | None:
    """The size of most letters, None without geometry."""
    counted: Counter[float] = Counter()
    for row in rows:
        if row.line.size:
            counted[round(row.line.size, 1)] += len(row.text)
    return counted.most_common(1)[0][0] if counted else None


def usual_pitch(rows: Sequence[Row]) -> float | None:
    """How far below each other the lines of one paragraph stand, None without geometry.

    Measured on lines that go on with a sentence; where there are too few, by the closest lines and the letters' size.
    """
    flowing: list[float] = []
    every: list[float] = []
    for before, row in pairwise(rows):
        if row.line.box is None or before.line.box is None or row.line.page != before.line.page:
            continue
        down = row.line.box.top - before.line.box.top
        if down <= 1:
            continue
        every.append(down)
        if row.text[:1].islower() and not ends_item(before.text):
            flowing.append(down)
    if len(flowing) >= _EVIDENCE:
        return sorted(flowing)[len(flowing) // 2]
    if not every:
        return None
    size = usual_size(rows)
    closest = sorted(every)[len(every) // 5]
    return min(closest, size * _LOOSEST) if size else closest
