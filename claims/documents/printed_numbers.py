"""The page number printed on a page, which is seldom its place in the file."""

import re
from dataclasses import dataclass

from claims.documents.drafts import DraftLine, DraftPage

_MARGIN = 0.12
_SAME_HEIGHT = 15.0
_NUMBER = r"(\d{1,4}|[ivxlc]{1,7})"
_NAMED = re.compile(rf"\bpage\s+{_NUMBER}\b(?:\s*(?:of|/)\s*\d+)?|\b(\d{{1,4}})\s+of\s+\d{{1,4}}$", re.IGNORECASE)
_ALONE = re.compile(rf"[-–—|\s]*{_NUMBER}[-–—|\s]*", re.IGNORECASE)
_AT_AN_END = re.compile(r"^(\d{1,4})\s+\D|\D\s+(\d{1,4})$")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True)
class _Candidate:
    label: str
    value: int
    top: float


def printed_numbers(pages: list[DraftPage]) -> list[str | None]:
    """Per page its printed number, None where none was found.

    "Page 3" and "3 of 9" in the margin say so themselves; a bare number counts only where the page before or "
    "after has
    the number before or after it at the same height.
    """
    named = [_named(page) for page in pages]
    bare = [_bare(page) for page in pages]
    return [named[index] or _in_sequence(bare, index) for index in range(len(pages))]


def margin_lines(page: DraftPage) -> list[tuple[DraftLine, float]]:
    """Lines at the top and the foot of a page that has a height, with how far from the top they stand."""
    if page.height is None:
        return []
    low, high = page.height * _MARGIN, page.height * (1 - _MARGIN)
    return [(line, line.box.top) for line in page.lines if line.box and (line.box.bottom < low or line.box.top > high)]


def _named(page: DraftPage) -> str | None:
    for line, _ in reversed(margin_lines(page)):
        match = _NAMED.search(line.text.strip())
        if match:
            return match[1] or match[2]
    return None


def _bare(page: DraftPage) -> list[_Candidate]:
    found: list[_Candidate] = []
    for line, top in margin_lines(page):
        text = line.text.strip()
        match = _ALONE.fullmatch(text) or _AT_AN_END.search(text)
        label = next(filter(None, match.groups()), None) if match else None
        value = _value(label) if label else None
        if label and value:
            found.append(_Candidate(label, value, top))
    return found


def _value(label: str) -> int | None:
    if label.isdecimal():
        return int(label)
    total = 0
    digits = [_ROMAN[letter] for letter in label.lower()]
    for digit, after in zip(digits, [*digits[1:], 0], strict=True):
        total += -digit if digit < after else digit
    return total if 0 < total < 100 else None


def _in_sequence(bare: list[list[_Candidate]], index: int) -> str | None:
    for candidate in reversed(bare[index]):
        for step in (-1, 1):
            if 0 <= index + step < len(bare) and any(
                other.value == candidate.value + step and abs(other.top - candidate.top) < _SAME_HEIGHT
                for other in bare[index + step]
            ):
                return candidate.label
    return None
