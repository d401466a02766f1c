"""The order in which a page is read: what stands in one line, what stands in columns or boxes side by side.

Geometry only, no words: x to the right and y downwards, in points, text upright.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from statistics import median

from claims.documents.page_columns import Piece, Row, are_columns, gutter_of, in_one_row, rows_of

GAP = 0.7
"""Widths of an em: a wider gap inside a line may be a gutter between columns."""

_MAX_EDGES = 16
_MAX_DEPTH = 6
_CAPITALS = re.compile(r"[^a-z]*[A-Z][^a-z]{5,}[^a-z.;,]")
_WHITE = 2.0
_BIN = 2
_OUTDENT = 20
"""In bins of two points."""


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


@dataclass(slots=True)
class _Band:
    left: list[Piece] = field(default_factory=list)
    right: list[Piece] = field(default_factory=list)
    columns: bool = False


@dataclass(slots=True)
class _Cut:
    bands: list[_Band]
    score: tuple[int, float]
    """How many pieces lie in columns, then how wide the gutter is."""


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
    left: list[Piece] = []
    right: list[Piece] = []
    for piece in pieces:
        if piece.left >= edge - 1:
            right.append(piece)
        elif piece.right <= edge - GAP * piece.size:
            left.append(piece)
        else:
            crossing.append(piece)
    titles = _titles_across(left, right, crossing)
    crossing = sorted(crossing + titles, key=lambda piece: piece.top)
    left = [piece for piece in left if piece not in titles]
    bands = _bands(crossing, [(piece, False) for piece in left] + [(piece, True) for piece in right])
    right_edge = max(piece.right for piece in pieces)
    for band in bands:
        band.columns = are_columns(band.left, band.right, right_edge)
    found = [band for band in bands if band.columns]
    if not found:
        return None
    held = sum(len(band.left) + len(band.right) for band in found)
    return _Cut(_merged(bands), (held, min(gutter_of(band.left, band.right) for band in found)))


def _titles_across(left: list[Piece], right: list[Piece], crossing: list[Piece]) -> list[Piece]:
    """Short titles over both sides, with nothing beside them: they end what stands above and begin what stands below.

    Between two pieces of the right side, or under both sides and right over a piece that crosses.
    """
    if not left or not right:
        return []
    usual, plain = median(piece.size for piece in left), sum(piece.bold for piece in left) * 2 < len(left)
    top, bottom = min(piece.top for piece in right), max(piece.bottom for piece in right)
    titles: list[Piece] = []
    for piece in left:
        looks = (piece.bold and plain) or piece.size > 1.1 * usual or _CAPITALS.fullmatch(piece.text)
        if not looks or piece.top < top:
            continue
        alone = not any(other.top < piece.bottom - 1 and piece.top + 1 < other.bottom for other in right)
        if alone and (piece.bottom < bottom or _stands_over(piece, left, crossing)):
            titles.append(piece)
    return titles


def _stands_over(title: Piece, left: list[Piece], crossing: list[Piece]) -> bool:
    below = min((piece.top for piece in crossing if piece.top >= title.bottom - 1), default=None)
    return below is not None and not any(title.bottom - 1 <= piece.top < below for piece in left)


def _bands(crossing: list[Piece], sides: list[tuple[Piece, bool]]) -> list[_Band]:
    """From top to bottom: what lies between the pieces that cross, parted by white on both sides, and their rows."""
    filled: list[list[tuple[Piece, bool]]] = [[] for _ in range(len(crossing) + 1)]
    rows = [[piece] for piece in crossing]
    place = 0
    for side in sorted(sides, key=lambda each: each[0].top + each[0].bottom):
        while place < len(crossing) and _middle(crossing[place]) < _middle(side[0]):
            place += 1
        beside = next((n for n in (place, place - 1) if 0 <= n < len(rows) and in_one_row(crossing[n], side[0])), None)
        if beside is None:
            filled[place].append(side)
        else:
            rows[beside].append(side[0])
    bands: list[_Band] = []
    for number, held in enumerate(filled):
        bands += [_band(part) for part in _parted(held)]
        if number < len(rows):
            bands.append(_Band(left=rows[number]))
    return bands


def _middle(piece: Piece) -> float:
    return (piece.top + piece.bottom) / 2


def _band(sides: list[tuple[Piece, bool]]) -> _Band:
    return _Band([piece for piece, is_right in sides if not is_right], [piece for piece, is_right in sides if is_right])


def _parted(sides: list[tuple[Piece, bool]]) -> list[list[tuple[Piece, bool]]]:
    """Parts with much white between them. A single row stays with what follows: it may hold the titles of columns."""
    if not sides:
        return []
    white = _WHITE * median(piece.height for piece, _ in sides)
    parts: list[list[tuple[Piece, bool]]] = [[]]
    bottom = sides[0][0].bottom
    for side in sorted(sides, key=lambda each: each[0].top):
        if side[0].top - bottom > white and _has_rows(parts[-1]):
            parts.append([])
        parts[-1].append(side)
        bottom = max(bottom, side[0].bottom)
    return parts


def _has_rows(part: list[tuple[Piece, bool]]) -> bool:
    return any(not in_one_row(part[0][0], piece) for piece, _ in part)


def _merged(bands: list[_Band]) -> list[_Band]:
    """Bands without columns that follow each other are read as one: other gutters may lie in them."""
    merged: list[_Band] = []
    for band in bands:
        if band.columns or not merged or merged[-1].columns:
            merged.append(band)
        else:
            merged[-1].left += band.left + band.right
    return merged
