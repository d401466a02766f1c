"""What is known of each page: read, blank, or not read and why (D14, D15, D16)."""

import re
from collections import Counter

from claims.documents.drafts import DraftLine, DraftPage
from claims.documents.pages import MIN_CHARACTERS, PageState
from claims.documents.printed_numbers import margin_lines

_SOME = 0.02
_HALF = 0.5
_MANY_STROKES = 40
"""A frame and a few rules have fewer. More may be letters drawn as shapes."""

_MUCH_TEXT = 400
"""A page with more is read even if another page says the same (the same form bound twice)."""

_LEFT_BLANK = re.compile(r"this page (?:is |has been |was )?(?:left )?intentionally (?:left )?blank")
_DIGITS = re.compile(r"\d+")
_NO_LETTERS = re.compile(r"(?:page|of|[\W\d_]|\b[ivxlc]{1,7}\b)*", re.IGNORECASE)


def characters_in(page: DraftPage) -> int:
    """Without white space."""
    return sum(len("".join(line.text.split())) for line in page.lines)


def page_states(pages: list[DraftPage]) -> list[PageState]:
    keys = [_keys(page) for page in pages]
    counted = Counter(key for page_keys in keys for key in set(page_keys))
    return [
        _state(page, [key for key in page_keys if counted[key] < 2])
        for page, page_keys in zip(pages, keys, strict=True)
    ]


def _keys(page: DraftPage) -> list[str]:
    """What lines are compared by: in the margins numbers do not count, they go up from page to page."""
    margin = {id(line) for line, _ in margin_lines(page)}
    return [_key(line, masked=id(line) in margin) for line in page.lines if line.text.strip()]


def _key(line: DraftLine, *, masked: bool) -> str:
    text = " ".join(line.text.split()).casefold()
    return _DIGITS.sub("#", text) if masked else text


def _state(page: DraftPage, own: list[str]) -> PageState:
    """`own` are the keys of the lines that stand on no other page."""
    characters = characters_in(page)
    pictured = page.pictures > _SOME or page.marks > _MANY_STROKES
    if page.damaged:
        return PageState.DAMAGED
    if not characters:
        return PageState.PICTURE if pictured else PageState.BLANK
    if page.pictures <= _SOME and _says_blank(page, own):
        return PageState.BLANK
    if not own and page.height is not None and (characters < _MUCH_TEXT or page.pictures > _HALF):
        return PageState.REPEATED_ONLY
    if characters < MIN_CHARACTERS and page.pictures >= _HALF:
        return PageState.PICTURE
    return PageState.READ


def _says_blank(page: DraftPage, own: list[str]) -> bool:
    """Only furniture stands beside the words that the page is blank; or a page number stands alone."""
    said = [line for line in page.lines if _LEFT_BLANK.search(" ".join(line.text.split()).casefold())]
    others = [key for key in own if not _LEFT_BLANK.search(key) and not _NO_LETTERS.fullmatch(key)]
    if said:
        return not others
    return page.marks <= _MANY_STROKES and all(_NO_LETTERS.fullmatch(line.text.strip()) for line in page.lines)
