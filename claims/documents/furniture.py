"""Page furniture by position and repetition: running headers and footers, page numbers, marks (D03)."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from claims.documents.form_numbers import form_numbers, page_of, without_form
from claims.documents.heading_words import kind_of
from claims.documents.numbering import labels, word_label
from claims.documents.rows import Row

ZONE = 3
"""So many lines at the top and at the bottom of a page may be its furniture."""

_DIGITS = re.compile(r"\d+")
_NUMBER_ONLY = re.compile(r"\W*(?:page\W*)?(?:\d{1,3}|[ivxl]{1,6})(?: ?(?:of|/) ?\d{1,3})?\W*", re.IGNORECASE)
_PAGE_WORD_ONLY = re.compile(r"\W*page\W*\d{1,3}(?: ?(?:of|/) ?\d{1,3})?\W*", re.IGNORECASE)
_BLANK_PAGE = re.compile(
    r"\W*this page (?:is |has been |was )?(?:left )?intentionally (?:left )?blank\W*", re.IGNORECASE
)
_CONTINUED = re.compile(
    r".{0,80}\(cont(?:inued|'d|d)?\.?\)|(?:continued (?:on (?:the )?(?:next|following) page|overleaf)|please "
    r"turn over).{0,20}",
    re.IGNORECASE,
)
_TITLE_WORDS = re.compile(
    r"\b(?:policy|form|wording|booklet|insurance|assurance|mutual|insurers?|company|limited|ltd|inc|group|"
    r"underwriters)\b",
    re.IGNORECASE,
)
_MAX_HEADER_WORDS = 12
_FEW_PAGES = 4
_ENOUGH = 3
_MAX_BESIDE_NUMBER = 8
_MARK_SHARE = 0.6


def furniture(rows: Sequence[Row], printed: Mapping[int, str | None] | None = None) -> frozenset[int]:
    """Numbers of the lines that are page furniture. What repeats inside a page's text stays text (T42).

    `printed` are the page numbers that were found printed, by page.
    """
    pages = _by_page(rows)
    found = _repeated(pages) | _marks(pages) | _numbered(rows, pages) | _counting(rows)
    found |= _with_printed_number(pages, printed or {})
    found |= {row.line.number for row in rows if _BLANK_PAGE.fullmatch(row.text) or _CONTINUED.fullmatch(row.text)}
    return frozenset(found | _beside_page_lines(rows, found))


def _by_page(rows: Sequence[Row]) -> list[list[Row]]:
    pages: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        pages[row.line.page].append(row)
    return [pages[number] for number in sorted(pages)]


def zones(page: Sequence[Row]) -> tuple[Sequence[Row], Sequence[Row]]:
    """The lines at the top and those at the bottom of a page; a short page has no line in both."""
    if page and page[0].line.box is not None:
        page = sorted(page, key=_top)
    size = min(ZONE, max(1, len(page) // 2))
    return page[:size], page[max(size, len(page) - size) :]


def _top(row: Row) -> float:
    return row.line.box.top if row.line.box else 0.0


def _masked(row: Row) -> str:
    return _DIGITS.sub("#", row.text.casefold())


def _repeated(pages: Sequence[list[Row]]) -> set[int]:
    """Lines that stand in the same zone of several pages.

    A recognised heading needs pages in a row, and keeps its first line: it may be the only heading there is (S10, T43).
    """
    places: dict[tuple[str, int], list[tuple[int, Row]]] = defaultdict(list)
    for index, page in enumerate(pages):
        for side, zone in enumerate(zones(page)):
            for row in zone:
                if len(row.text) <= 200:
                    places[_masked(row), side].append((index, row))
    few = len(pages) <= _FEW_PAGES
    found: set[int] = set()
    for seen in places.values():
        on_pages = sorted({index for index, _ in seen})
        first = seen[0][1]
        needed = 2 if few or form_numbers(first.text) or page_of(first.text) else 3
        if len(on_pages) < needed or _number_parts(seen):
            continue
        if kind_of(first.text) is None and not labels(first.text):
            found.update(row.line.number for _, row in seen)
            continue
        found.update(_after_the_first(seen) if len(on_pages) > 2 else ())
    return found


def _number_parts(seen: Sequence[tuple[int, Row]]) -> bool:
    """`Section 1`, `Section 2`: headings at the top of their pages, whose numbers tell them apart."""
    found = {label.text for _, row in seen if (label := word_label(row.text)) is not None}
    return len(found) > 1


def _after_the_first(seen: Sequence[tuple[int, Row]]) -> set[int]:
    found, last = set(), None
    for index, row in seen:
        if last is not None and index == last + 1:
            found.add(row.line.number)
        last = index
    return found


def _marks(pages: Sequence[list[Row]]) -> set[int]:
    """A watermark or licence line: the same words on most pages, wherever they stand."""
    if len(pages) < 3:
        return set()
    needed = max(3, math.ceil(_MARK_SHARE * len(pages)))
    counted = Counter(text for page in pages for text in {row.text for row in page})
    marks = {text for text, times in counted.items() if times >= needed and not labels(text) and kind_of(text) is None}
    return {row.line.number for page in pages for row in page if row.text in marks}


def _numbered(rows: Sequence[Row], pages: Sequence[list[Row]]) -> set[int]:
    """Page numbers: with the word `page` anywhere, without it only as a page's first or last line."""
    found = {row.line.number for row in rows if _PAGE_WORD_ONLY.fullmatch(row.text) or _form_line(row)}
    if len(pages) > 1:
        for page in pages:
            top, bottom = zones(page)
            for row in (*top[:1], *bottom[-1:]):
                if _NUMBER_ONLY.fullmatch(row.text) and len(page) > 1:
                    found.add(row.line.number)
    return found


def _with_printed_number(pages: Sequence[list[Row]], printed: Mapping[int, str | None]) -> set[int]:
    """The outermost line of a page that ends with its number, a gap away from the text."""
    found: set[int] = set()
    for page in pages:
        number = printed.get(page[0].line.page)
        top, bottom = zones(page)
        if not number or len(page) < _ENOUGH or not bottom:
            continue
        for row, apart in ((bottom[-1], bottom[-1].blank), (top[0], page[1].blank)):
            words = row.text.split()
            if apart and words[-1] == number and len(words) <= _MAX_BESIDE_NUMBER and kind_of(row.text) is None:
                found.add(row.line.number)
    return found


def _counting(rows: Sequence[Row]) -> set[int]:
    """Lines that are the same but for one number that only goes up: footers of a file whose pages are not marked."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if len(row.text) <= 100 and row.text[-1].isdigit() and word_label(row.text) is None and not labels(row.text):
            groups[_masked(row)].append(row)
    found: set[int] = set()
    for key, group in groups.items():
        numbers = [int(_DIGITS.findall(row.text)[-1][-6:]) for row in group]
        rises = all(one < other for one, other in pairwise(numbers))
        if len(group) >= _ENOUGH and rises and key.count("#") == 1 and len(key.split()) > _ENOUGH:
            found.update(row.line.number for row in group)
    return found


def _form_line(row: Row) -> bool:
    """`HL 4400 (01 24) Page 3 of 9`, with or without the policy's name."""
    if len(row.text) > 120 or row.last in ".;:,":
        return False
    page = page_of(row.text)
    if page is None:
        return False
    rest = without_form(row.text)
    known = bool(form_numbers(row.text)) or page[1] is not None
    return known and len(rest.split()) <= _MAX_HEADER_WORDS and not rest[:1].islower() and kind_of(rest) is None


def _beside_page_lines(rows: Sequence[Row], found: set[int]) -> set[int]:
    """The policy's name above or below a page line that stands between two lines of text."""
    beside = set()
    for index, row in enumerate(rows):
        if row.line.number not in found or page_of(row.text) is None:
            continue
        for near in (index - 1, index + 1):
            if 0 <= near < len(rows) and _is_running_title(rows, near, index):
                beside.add(rows[near].line.number)
    return beside


def _is_running_title(rows: Sequence[Row], near: int, index: int) -> bool:
    row = rows[near]
    words = row.text.split()
    if len(words) > _MAX_HEADER_WORDS or row.last in ".;:," or row.marks or labels(row.text) or row.text[:1].islower():
        return False
    if kind_of(row.text) is not None or abs(row.line.number - rows[index].line.number) > 2:
        return False
    titled = row.text.isupper() or all(word[:1].isupper() for word in words if len(word) > 3)
    return titled and bool(_TITLE_WORDS.search(row.text)) and not form_numbers(row.text)
