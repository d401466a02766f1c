"""Tables of contents: lines that only say on which page something stands; never headings nor quotable (D04)."""

import re
from collections.abc import Sequence

from claims.documents.rows import Row

_TITLE = re.compile(
    r"(?:table of contents?|contents?(?: pages?)?|index|what's inside|in this (?:booklet|document|policy))\s*:?"
    r"(?: page(?: no\.?| number)?)?",
    re.IGNORECASE,
)
_LEADERS = r"(?:[.\u2026\ufffd\u00b7_\u2024]\s?){2,}"
_NUMBER = r"(?:page |p\.? ?)?(\d{1,3}|[ivxl]{1,6})"
_LED = re.compile(rf"(?P<name>\S.{{0,150}}?)\s?{_LEADERS}\s?{_NUMBER}", re.IGNORECASE)
_PLAIN = re.compile(
    r"(?P<name>[^\W\d_].{0,120}?|\d.{0,120}?[^\W\d_].{0,80}?)[ -]+(?:page |p\.? ?)?(\d{1,3})", re.IGNORECASE
)
_BEFORE = re.compile(r"(\d{1,3}) (?P<name>[^\W\d_].{0,120})")
_TABLE = re.compile(r"\|\s*(?P<name>[^|]{1,150}?)\s*\|\s*(\d{1,3})\s*\|?")
_RULE = re.compile(r"\|?[\s|:\-]{3,}\|?")
_PAGE_ONLY = re.compile(r"(?:page )?\d{1,3}|page(?: no\.?)?", re.IGNORECASE)
_CONTINUED = re.compile(r"[^.;]{2,90}")
_ENOUGH_LED = 3
_MAX_WRAP = 2


def contents_lines(rows: Sequence[Row]) -> frozenset[int]:
    """Line numbers of tables of contents, their titles included.

    A table begins with its title, or is three lines in a row with leaders. It ends with the first line that names no
    page, or a page before the one named last: `Section 1` below `Section 4 ..... 12` is a heading.
    """
    found: set[int] = set()
    index = 0
    while index < len(rows):
        end = _table_end(rows, index)
        if end > index:
            found.update(row.line.number for row in rows[index:end])
            index = end
        else:
            index += 1
    return frozenset(found)


def _table_end(rows: Sequence[Row], index: int) -> int:
    text = rows[index].text
    if len(text) <= 60 and _TITLE.fullmatch(text):
        end, entries = _entries(rows, index + 1, led=False)
        return end if entries >= 2 or (entries == 1 and _page(rows[index + 1].text, led=True)) else index
    if _page(text, led=True) is None:
        return index
    end, entries = _entries(rows, index, led=True)
    return end if entries >= _ENOUGH_LED else index


def _entries(rows: Sequence[Row], index: int, *, led: bool) -> tuple[int, int]:
    """Where the entries that begin at `index` end, and how many they are."""
    entries, last, end = 0, 0, index
    while index < len(rows):
        text = rows[index].text
        page = _page(text, led=led)
        if page is not None and page >= last:
            entries, last = entries + 1, page or last
            index += 1
            end = index
            continue
        if _RULE.fullmatch(text) or (_PAGE_ONLY.fullmatch(text) and not led):
            index += 1
            end = index if entries else end
            continue
        wrapped = _wrapped(rows, index, last, led=led)
        if not wrapped:
            break
        index += wrapped
    return end, entries


def _wrapped(rows: Sequence[Row], index: int, last: int, *, led: bool) -> int:
    """How many lines of a name stand before the line that ends it with its page; 0 when none does."""
    for ahead in range(1, _MAX_WRAP + 1):
        if index + ahead >= len(rows) or not _CONTINUED.fullmatch(rows[index + ahead - 1].text):
            return 0
        text = rows[index + ahead].text
        page = int(text) if text.isdigit() and len(text) <= 3 and not led else _page(text, led=True)
        if page is not None and page >= last:
            return ahead
    return 0


def _page(text: str, *, led: bool) -> int | None:
    """The page that a line names; 0 for a Roman number, which is not compared; None when it names none."""
    if len(text) > 200:
        return None
    found = _TABLE.fullmatch(text) or _LED.fullmatch(text)
    if found is None and not led:
        found = _PLAIN.fullmatch(text)
        if found is None and (before := _BEFORE.fullmatch(text)):
            return int(before[1])
    if found is None:
        return None
    number = found.groups()[-1]
    return int(number) if number.isdigit() else 0
