"""The order in which a page is read: what stands in one line, what stands in columns or boxes side by side.

Geometry only, no words: x to the right and y downwards, in points, text upright.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from statistics import median
from typing import Any

GAP = 0.7
"""Widths of an em: a wider gap inside a line may be a gutter between columns."""

_MAX_EDGES = 16
_MAX_DEPTH = 6
_SAME_ROW = 0.5
_ENOUGH = 0.6
_MARKER = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5}|\W)[.):\]]{0,2}(?:[A-Za-z0-9]{1,2}[.):\]])?")
_NARROW = 0.6
_WIDE = 1.5
_BIN = 2
_OUTDENT = 20
"""In bins of two points."""


@dataclass(slots=True)
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


def reading_order(pieces: list[Piece], depth: int = 0) -> list[Row]:
    """Rows in the order of reading: columns one after the other, all else from top to bottom.

    A column is a band of lines with a gutter that none of them crosses. Numbers beside their names, list marks and
    terms beside their meaning are no columns: they belong to the row.
    """
    cut = _best_cut(pieces) if depth < _MAX_DEPTH else None
    if cut is None:
        return rows_of(pieces)
    rows: list[Row] = []
    for band in cut.bands:
        if band.columns:
            rows += reading_order(band.left, depth + 1) + reading_order(band.right, depth + 1)
        else:
            rows += reading_order(band.left + band.right, depth + 1)
    return rows


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


@dataclass(slots=True)
class _Band:
    left: list[Piece] = field(default_factory=list)
    right: list[Piece] = field(default_factory=list)
    columns: bool = False


@dataclass(slots=True)
class _Cut:
    bands: list[_Band]
    score: int


def _best_cut(pieces: list[Piece]) -> _Cut | None:
    best: _Cut | None = None
    for edge in _edges(pieces):
        cut = _cut_at(pieces, edge)
        if cut is not None and (best is None or cut.score > best.score):
            best = cut
    return best


def _edges(pieces: list[Piece]) -> list[float]:
    """Where columns could begin: left edges that several pieces share, and single ones a little to the left of those.

    The title of a column often stands further out than the items below it.
    """
    if len(pieces) < 4:
        return []
    counted = Counter(round(piece.left / _BIN) for piece in pieces)
    common = sorted(counted, key=lambda place: (-counted[place], place))[:_MAX_EDGES]
    shared = [place for place in common if _near(counted, place) > 1]
    outer = [place for place in counted if any(0 < inner - place <= _OUTDENT for inner in shared)]
    leftmost = min(counted) + 1
    places = [place for place in dict.fromkeys([*shared, *sorted(outer)[: 2 * _MAX_EDGES]]) if place > leftmost]
    return [min(piece.left for piece in pieces if round(piece.left / _BIN) == place) for place in places]


def _near(counted: Counter[int], place: int) -> int:
    return counted[place - 1] + counted[place] + counted[place + 1]


def _cut_at(pieces: list[Piece], edge: float) -> _Cut | None:
    """Bands between the pieces that cross the gutter before `edge`; None when no band has columns."""
    crossing: list[Piece] = []
    sides: list[tuple[Piece, bool]] = []
    for piece in pieces:
        if piece.left >= edge - 1:
            sides.append((piece, True))
        elif piece.right <= edge - GAP * piece.size:
            sides.append((piece, False))
        else:
            crossing.append(piece)
    crossing.sort(key=lambda piece: piece.top)
    bands = [_Band() for _ in range(len(crossing) + 1)]
    _fill(bands, crossing, sides)
    right_edge = max(piece.right for piece in pieces)
    for band in bands:
        band.columns = are_columns(band.left, band.right, right_edge)
    score = sum(len(band.left) + len(band.right) for band in bands if band.columns)
    return _Cut(_merged(bands, crossing), score) if score else None


def _fill(bands: list[_Band], crossing: list[Piece], sides: list[tuple[Piece, bool]]) -> None:
    """Each piece goes to the band that its middle lies in, below as many crossing pieces as stand above it."""
    place = 0
    for piece, is_right in sorted(sides, key=lambda side: side[0].top + side[0].bottom):
        while place < len(crossing) and crossing[place].top + crossing[place].bottom < piece.top + piece.bottom:
            place += 1
        (bands[place].right if is_right else bands[place].left).append(piece)


def _merged(bands: list[_Band], crossing: list[Piece]) -> list[_Band]:
    """Bands without columns and the crossing pieces between them are read as one: other gutters may lie in them."""
    merged: list[_Band] = []
    for number, band in enumerate(bands):
        loose = [crossing[number]] if number < len(crossing) else []
        if band.columns:
            merged.append(band)
            rest = loose
        else:
            rest = band.left + band.right + loose
        if not rest:
            continue
        if merged and not merged[-1].columns:
            merged[-1].left += rest
        else:
            merged.append(_Band(left=rest))
    return merged


def are_columns(left: list[Piece], right: list[Piece], right_edge: float) -> bool:
    """Whether two sides are read one after the other, and not row by row."""
    left_rows, right_rows = rows_of(left), rows_of(right)
    if len(left_rows) < 2 or len(right_rows) < 2:
        return False
    pitch = median(piece.height for piece in left + right)
    gutter = min(piece.left for piece in right) - max(piece.right for piece in left)
    if min(len(left_rows), len(right_rows)) < 3 and gutter < _WIDE * median(piece.size for piece in left + right):
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
    """Terms beside their meaning: bold beside plain, or a narrow column with a word here and there."""
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
