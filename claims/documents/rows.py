"""Lines prepared for the rules of structure: folded text to match on, where the line stands, what is between lines."""

import re
import unicodedata
from dataclasses import dataclass

from claims.documents.pages import Line

_QUOTES = {ord(mark): "'" for mark in "\u2018\u2019\u201a\u201b\u02bc`\u00b4"} | {
    ord(mark): '"' for mark in "\u201c\u201d\u201e\u201f\u00ab\u00bb"
}
_DASHES = {ord(mark): "-" for mark in "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufffe"}
_GONE = {ord(mark): None for mark in "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"}
_FOLD = _QUOTES | _DASHES | _GONE
_MARKDOWN = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_STRONG = re.compile(r"(\*\*|__)([^*_]{1,200})\1(:?)")
_SPACED = re.compile(r"[^\W\d_](?: {1,2}[^\W\d_])+(?:(?: {2,}|\t)[^\W\d_](?: [^\W\d_])+)*")
_TAB = 4
MAX_TEXT = 4000
"""A longer line is matched by its first characters only: rules look at how a line begins and how it ends."""


@dataclass(slots=True)
class Row:
    """A line that holds text. `text` is folded (plain quotes, dashes and letters, single spaces) and for matching only.

    `marks` counts Markdown's #. `blank` says that an empty line, or a gap as wide as one, stands before it; `broken`
    that a page, a column or page furniture ends before it. `left` and `right` are points where the file has geometry,
    else columns of characters.
    """

    line: Line
    text: str
    marks: int = 0
    emphasis: bool = False
    blank: bool = False
    broken: bool = False
    left: float = 0
    right: float = 0
    strong: bool = False

    @property
    def last(self) -> str:
        return self.text[-1:]


def fold(text: str) -> str:
    """Plain letters, quotes and dashes; white space runs become one space. Never shown, only matched."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_FOLD)).translate(_FOLD)
    return " ".join(text.split())


def row_of(line: Line) -> Row:
    raw = line.text.strip()
    marks, emphasis = 0, False
    if raw.startswith("#"):
        heading = _MARKDOWN.fullmatch(raw[:400])
        if heading:
            marks, raw = len(heading[1]), heading[2]
    strong = _STRONG.fullmatch(raw) if raw[:2] in ("**", "__") else None
    if strong:
        emphasis, raw = True, strong[2] + strong[3]
    text = fold(despaced(raw))
    row = Row(line, text, marks, emphasis)
    if line.box is not None:
        row.left, row.right = line.box.left, line.box.right
    else:
        row.left = _indent(line.text)
        row.right = row.left + len(text)
    return row


def despaced(text: str) -> str:
    """`E X C L U S I O N S` is one word; two spaces or more part such words (S6)."""
    if len(text) > 200 or not _SPACED.fullmatch(text.strip()) or len(text.split()) < 4:
        return text
    parts = re.split(r" {2,}|\t", text.strip())
    if all(len(part) == 1 for part in parts):
        return "".join(parts)
    return " ".join(part.replace(" ", "") for part in parts)


def _indent(text: str) -> float:
    spaces = 0
    for letter in text:
        if letter == "\t":
            spaces += _TAB
        elif letter.isspace():
            spaces += 1
        else:
            break
    return float(spaces)
