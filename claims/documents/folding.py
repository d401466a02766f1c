"""Text folded for comparing, with the way back to the source's own characters. What is folded is never shown.

White space, quotation marks, dashes, ligatures and invisible characters compare alike; case, letters, digits and
currency stay as they are, and a letter of another script stays another letter (`guards.md` 2.4).
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

SOFT = "\ufffe"
"""A hyphen that a line end or the file leaves open: the word may be joined or hyphenated."""

_PLAIN = (
    dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u2032\u00b4", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
    | dict.fromkeys("\u00ad\ufffe", SOFT)
)
_PLAIN_ASCII = {ord("`"): "'", 2: SOFT}  # PDFium has written a line end's hyphen as U+0002, too
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_JAMO = re.compile("[\u1160-\u11ff]")
_LIGATURES = frozenset("\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06")
_SPACE_OR_JOIN = re.compile(r"(?<=[^\W\d_])-\s+(?=[^\W\d_])|\s\s+|[^\S ]")
_SHOWN = {0xAD: None, 2: "-", 0xFFFE: "-"}


@dataclass(frozen=True)
class Folded:
    """`starts[i]` and `ends[i]` bound the source's characters that the folded character `i` stands for."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Where a piece of the folded text, not empty, stands in the source."""
        return self.starts[start], self.ends[end - 1]


@dataclass
class _Building:
    parts: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def add(self, text: str, start: int, end: int) -> None:
        """`text` stands for the characters from `start` to `end` as a whole."""
        self.parts.append(text)
        self.starts += [start] * len(text)
        self.ends += [end] * len(text)

    def copy(self, text: str, starts: Sequence[int], ends: Sequence[int]) -> None:
        self.parts.append(text)
        self.starts += starts
        self.ends += ends

    def folded(self) -> Folded:
        return Folded("".join(self.parts), self.starts, self.ends)


def fold(text: str) -> Folded:
    """NFKC by grapheme; a run of white space is one space; a hyphen at a line end before a small letter is `SOFT`."""
    return _joined(_plain(text))


def shown(text: str) -> str:
    """A quotation as it is shown: the source's own characters, but a broken hyphen is one and a soft one is none."""
    return text.translate(_SHOWN)


def _plain(text: str) -> Folded:
    made = _Building()
    at = 0
    for run in _BEYOND_ASCII.finditer(text):
        start = run.start() - (run.start() > at and _goes_on(run[0][0]))
        made.copy(text[at:start].translate(_PLAIN_ASCII), range(at, start), range(at + 1, start + 1))
        at = start
        while at < run.end():
            end = at + 1
            while end < run.end() and _goes_on(text[end]):
                end += 1
            made.add(_folded(text[at:end]), at, end)
            if text[at] in _LIGATURES and text[end : end + 1] == " " and text[end + 1 : end + 2].islower():
                # A file that stores a ligature may put a space behind it: "of\ufb01 ce".
                made.add(SOFT, at, end)
            at = end
    made.copy(text[at:].translate(_PLAIN_ASCII), range(at, len(text)), range(at + 1, len(text) + 1))
    return made.folded()


def _goes_on(character: str) -> bool:
    """Whether a character belongs to the one before it: an accent, or a further part of a Korean syllable."""
    return unicodedata.combining(character) != 0 or bool(_JAMO.match(character))


def _folded(grapheme: str) -> str:
    first = _PLAIN.get(grapheme[0], grapheme[0])
    made = unicodedata.normalize("NFKC", first + grapheme[1:])
    return "".join(_PLAIN.get(each, each) for each in made if unicodedata.category(each) != "Cf")


def _joined(folded: Folded) -> Folded:
    """White space to single spaces. `sur- face` becomes one word with `SOFT` inside; `Sur- Face` stays as it is."""
    text = folded.text
    made = _Building()
    at = 0
    for found in _SPACE_OR_JOIN.finditer(text):
        joins = found[0][0] == "-"
        start = found.start()
        if joins and not text[found.end()].islower():
            start += 1
            joins = False
        made.copy(text[at:start], folded.starts[at:start], folded.ends[at:start])
        made.add(SOFT if joins else " ", folded.starts[start], folded.ends[found.end() - 1])
        at = found.end()
    if not at:
        return folded
    made.copy(text[at:], folded.starts[at:], folded.ends[at:])
    return made.folded()
