"""Whether a Word table is read by rows or by columns, as `page_layout` decides for a page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from claims.documents.drafts import DraftLine

_MARK = re.compile(r"[(\[]?[A-Za-z0-9\W]{1,4}[.):\]]{0,2}")
_NARROW = 0.6
_MOST = 0.6


@dataclass(frozen=True)
class Cell:
    lines: list[DraftLine]
    span: int = 1

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines).strip()


Rows = list[list[Cell]]


def rows_or_columns(rows: Rows, widths: list[float]) -> list[list[DraftLine]]:
    """Lines in the order of reading. A row across the whole table parts it into bands, each judged for itself."""
    lines: list[list[DraftLine]] = []
    band: Rows = []
    for row in rows:
        if band and len(row) != len(band[-1]):
            lines += _band(band, widths)
            band = []
        band.append(row)
    return lines + (_band(band, widths) if band else [])


def _band(rows: Rows, widths: list[float]) -> list[list[DraftLine]]:
    if len(rows[0]) > 1 and len(rows) > 1 and not _by_row(rows, widths):
        return [cell.lines for column in zip(*rows, strict=True) for cell in column]
    return [_row(row) for row in rows]


def _row(row: list[Cell]) -> list[DraftLine]:
    """One line where each cell has one; else cell after cell."""
    if any(len(cell.lines) > 1 for cell in row):
        return [line for cell in row for line in cell.lines]
    told = [cell.lines[0] for cell in row if cell.lines]
    if len(told) < 2:
        return told
    sizes = [line.size for line in told if line.size is not None]
    text = "\t".join(line.text for line in told)
    return [DraftLine(text, None, max(sizes, default=None), all(line.bold for line in told))]


def _by_row(rows: Rows, widths: list[float]) -> bool:
    body = rows[1:] if len(rows) > 2 else rows
    first = [row[0] for row in body]
    last = [row[-1].text for row in body]
    if sum(1 for cell in first if _MARK.fullmatch(cell.text)) > _MOST * len(body):
        return True
    if sum(1 for text in last if _is_number(text)) >= _MOST * len(body):
        return True
    if len(last) > 3 and len(set(last)) <= len(last) // 2:
        return True
    bold_first = sum(1 for cell in first if cell.lines and all(line.bold for line in cell.lines))
    bold_rest = sum(1 for row in body for cell in row[1:] if cell.lines and all(line.bold for line in cell.lines))
    if bold_first > 0.8 * len(body) and not bold_rest:
        return True
    return len(widths) > 1 and 0 < widths[0] < _NARROW * max(widths[1:])


def _is_number(text: str) -> bool:
    digits = sum(letter.isdigit() for letter in text)
    return digits > 0 and digits >= sum(letter.isalpha() for letter in text)
