"""What stands in one row of a page, and which sides of it are columns: geometry, and the shape of words but no words.

x to the right and y downwards, in points, text upright.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from statistics import median
from typing import Any

_SAME_ROW = 0.5
_ENOUGH = 0.6
_MARKER = re.compile(
    r"[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5}|\W)(?:\.\d{1,3}){0,4}[.):\]]{0,2}(?:[(\[]?[A-Za-z0-9]{1,3}[.):\]])?"
)
_NARROW = 0.6
_WIDE = 1.5


@dataclass(slots=True, eq=False)
class Piece:
    """Words that follow each other in one line without a wide gap; `parts` are the words, left to right."""

    left: float
    top: float
    right: float
    bottom: float
    size: float
    text: str
    bold: bool
    parts: list[Any] = field(default_factory=list)

    @property
    def height(self) -> float:
        return self.bottom - self.top


Row = list[Piece]


def in_one_row(one: Piece, other: Piece) -> bool:
    overlap = min(one.bottom, other.bottom) - max(one.top, other.top)
    return overlap > _SAME_ROW * min(one.height, other.height)


def rows_of(pieces: list[Piece]) -> list[Row]:
    """Rows from top to bottom, each from left to right."""
    rows: list[Row] = []
    for piece in sorted(pieces, key=lambda each: (each.top + each.bottom, each.left)):
        for row in reversed(rows[-3:]):
            if in_one_row(row[0], piece):
                row.append(piece)
                break
        else:
            rows.append([piece])
    return [sorted(row, key=lambda each: each.left) for row in rows]


def gutter_of(left: list[Piece], right: list[Piece]) -> float:
    return min(piece.left for piece in right) - max(piece.right for piece in left)


def are_columns(left: list[Piece], right: list[Piece], right_edge: float) -> bool:
    """Whether two sides are read one after the other, and not row by row."""
    left_rows, right_rows = rows_of(left), rows_of(right)
    if len(left_rows) < 2 or len(right_rows) < 2:
        return False
    pitch = median(piece.height for piece in left + right)
    few = min(len(left_rows), len(right_rows)) < 3
    if few and gutter_of(left, right) < _WIDE * median(piece.size for piece in left + right):
        return False
    shared = min(left_rows[-1][0].bottom, right_rows[-1][0].bottom) - max(left_rows[0][0].top, right_rows[0][0].top)
    if shared < pitch:
        return False
    return not (
        _are_marks(left_rows) or _are_values(left_rows, right_rows) or _are_labels(left_rows, right_rows, right_edge)
    )


def _share(rows: list[Row], holds: Any) -> float:
    return sum(1 for row in rows if holds(row)) / len(rows)


def _are_marks(rows: list[Row]) -> bool:
    """Numbers, letters and dots of a list stand beside what they number."""
    return _share(rows, lambda row: len(row) == 1 and _MARKER.fullmatch(row[0].text) is not None) > _ENOUGH


def _are_values(left_rows: list[Row], right_rows: list[Row]) -> bool:
    """Sums and numbers stand beside their names, and so does a column of a few words that come back."""
    beside = [row for row in right_rows if any(in_one_row(row[0], other[0]) for other in left_rows)]
    if len(beside) < _ENOUGH * len(right_rows):
        return False
    last = [row[-1].text for row in beside]
    if sum(1 for text in last if _is_number(text)) >= _ENOUGH * len(last):
        return True
    return len(last) > 3 and len(set(last)) <= len(last) // 2


def _is_number(text: str) -> bool:
    digits = sum(letter.isdigit() for letter in text)
    return digits > 0 and digits >= sum(letter.isalpha() for letter in text)


def _are_labels(left_rows: list[Row], right_rows: list[Row], right_edge: float) -> bool:
    """Names beside what they name: with a colon, bold beside plain, or a narrow column with a word here and there."""
    named = [row for row in left_rows if any(in_one_row(row[0], other[0]) for other in right_rows)]
    if named and _share(named, lambda row: row[-1].text.endswith(":")) > _ENOUGH:
        return True
    in_line = _share(left_rows, lambda row: any(abs(row[0].top - other[0].top) < row[0].height for other in right_rows))
    if in_line < _ENOUGH or len(left_rows) > len(right_rows):
        return False
    bold_left = _share(left_rows, lambda row: all(piece.bold for piece in row))
    bold_right = _share(right_rows, lambda row: all(piece.bold for piece in row))
    if bold_left > 0.8 and bold_right < 0.2:
        return True
    left_edge = min(row[0].left for row in left_rows)
    middle = min(row[0].left for row in right_rows)
    narrow = (middle - left_edge) < _NARROW * (right_edge - middle)
    within = [
        row for row in right_rows if left_rows[0][0].top - 1 < row[0].bottom and row[0].top < left_rows[-1][0].bottom
    ]
    return narrow and len(left_rows) <= _ENOUGH * max(len(within), 1)
