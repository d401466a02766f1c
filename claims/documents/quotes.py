"""Does a quotation that was typed stand in the file? Found by offsets, shown in the file's own characters.

A quotation names its section. It must stand there once, in whole words, at least `MIN_CHARACTERS` long; differences of
white space, quotation marks, dashes, invisible characters and composed letters do not count, every other does. What is
shown is never what was typed: it is the whole sentences or list items of the source in which the quotation stands
(`guards.md` 2.4).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from claims.documents.findings import supports
from claims.documents.folding import SOFT, Folded, fold, shown
from claims.documents.pages import Reading
from claims.documents.sections import Passage, Section, SectionKind, Structure, Unit
from claims.documents.sentences import sentence_spans

MIN_CHARACTERS = 12
"""Shorter pieces stand anywhere."""

GAP = "[...]"

_ELLIPSIS = re.compile(r"[\s\[(]*(?:\u2026|\.(?:\s?\.){2,})[\s\])]*")
_SOFT_IN_SOURCE = f"(?:{SOFT} ?)?"
_kept_fold = lru_cache(maxsize=64)(fold)


class QuoteProblem(StrEnum):
    UNREAD = "unread"
    NO_SUCH_SECTION = "no_such_section"
    TOO_SHORT = "too_short"
    NOT_FOUND = "not_found"
    CUTS_A_WORD = "cuts_a_word"
    NOT_UNIQUE = "not_unique"
    OUT_OF_ORDER = "out_of_order"


IN_WORDS = {
    QuoteProblem.UNREAD: "The file was not read, so no quotation from it can be checked.",
    QuoteProblem.NO_SUCH_SECTION: "The file has no section of this id.",
    QuoteProblem.TOO_SHORT: f"Quote at least {MIN_CHARACTERS} characters in one piece.",
    QuoteProblem.NOT_FOUND: "These words do not stand in this section.",
    QuoteProblem.CUTS_A_WORD: "The quotation begins or ends inside a word. Quote whole words.",
    QuoteProblem.NOT_UNIQUE: "These words stand more than once in this section. Quote more of them.",
    QuoteProblem.OUT_OF_ORDER: "The parts of this quotation stand in another order in the section.",
}


@dataclass(frozen=True)
class RefusedQuote:
    problem: QuoteProblem

    @property
    def detail(self) -> str:
        return IN_WORDS[self.problem]


@dataclass(frozen=True)
class Quoted:
    """Whole sentences of one paragraph or item, as the source has them. `after_gap`: text before them is left out."""

    unit: Unit
    source: str
    after_gap: bool

    @property
    def passage(self) -> Passage:
        """The paragraph's page and lines, lead-ins and exceptions are the unit's."""
        return self.unit.passage


@dataclass(frozen=True)
class Quotation:
    section: Section
    parts: tuple[Quoted, ...]

    @property
    def supports(self) -> bool:
        """Declarations, definitions and unclassified text can be shown and never support a position (M78)."""
        return all(supports(self.section.kind, part.unit.effect) for part in self.parts)

    @property
    def kind(self) -> SectionKind:
        return self.section.kind

    @property
    def text(self) -> str:
        """As it is shown: items on lines of their own, what is left out as a gap."""
        return "\n".join(f"{GAP} {shown(each.source)}" if each.after_gap else shown(each.source) for each in self.parts)


@dataclass(frozen=True)
class _Sentence:
    unit: Unit
    start: int
    end: int


def check_quote(structure: Structure, reading: Reading, *, section_id: str, quotation: str) -> Quotation | RefusedQuote:
    """The quotation as the named section has it, or why it is refused. An ellipsis joins parts that stand in order."""
    if reading.unreadable is not None or not structure.sections:
        return RefusedQuote(QuoteProblem.UNREAD)
    section = next((each for each in structure.sections if each.section_id == section_id), None)
    if section is None:
        return RefusedQuote(QuoteProblem.NO_SUCH_SECTION)
    pieces = [piece for piece in _ELLIPSIS.split(quotation) if piece.strip()]
    if not pieces:
        return RefusedQuote(QuoteProblem.TOO_SHORT)
    source = "\n".join(unit.passage.text for unit in section.units)
    folded = _kept_fold(source)
    spans: list[tuple[int, int]] = []
    for piece in pieces:
        hit = _hit(fold(piece).text.strip(f" {SOFT}"), folded)
        if isinstance(hit, QuoteProblem):
            return RefusedQuote(hit)
        spans.append(hit)
    if any(after[0] < before[1] for before, after in pairwise(spans)):
        return RefusedQuote(QuoteProblem.OUT_OF_ORDER)
    in_source = [folded.source_span(*span) for span in spans]
    sentences = _sentences(section, in_source[0][0], in_source[-1][1])
    return Quotation(section, tuple(_grown(in_source, sentences, source)))


def _hit(piece: str, folded: Folded) -> tuple[int, int] | QuoteProblem:
    """Where a folded piece stands in a folded section, when it does so once and in whole words."""
    if len(piece.replace(SOFT, "")) < MIN_CHARACTERS:
        return QuoteProblem.TOO_SHORT
    hits = list(_hits(piece, folded.text))
    whole = [hit for hit in hits if not any(_is_inside_word(folded.text, edge) for edge in hit)]
    if len(whole) == 1:
        return whole[0]
    if whole:
        return QuoteProblem.NOT_UNIQUE
    return QuoteProblem.CUTS_A_WORD if hits else QuoteProblem.NOT_FOUND


def _hits(piece: str, text: str) -> Iterator[tuple[int, int]]:
    """Overlapping ones, too."""
    if SOFT not in text:
        piece = piece.replace(SOFT, "")
        at = text.find(piece)
        while at >= 0:
            yield at, at + len(piece)
            at = text.find(piece, at + 1)
        return
    # A hyphen that the source leaves open is read as none and as one.
    parts = (f"[-{SOFT}]" if each == "-" else re.escape(each) for each in piece.replace(SOFT, ""))
    yield from (match.span(1) for match in re.finditer(f"(?=({_SOFT_IN_SOURCE.join(parts)}))", text))


def _is_inside_word(text: str, at: int) -> bool:
    """Whether a place lies inside a word or a number: `1,000`, `insured's` and a broken word are one."""
    before, after = text[max(0, at - 2) : at], text[at : at + 2]
    if not before or not after:
        return False
    if SOFT in (before[-1], after[0]):
        return True
    if before[-1].isalnum():
        follows = after[1:].isalnum() and _binds(before[-1], after[0], after[1:])
        return after[0].isalnum() or follows
    return after[0].isalnum() and before[:-1].isalnum() and _binds(before[0], before[-1], after[0])


def _binds(one: str, mark: str, other: str) -> bool:
    if mark == "'":
        return one.isalpha() and other.isalpha()
    return mark in ".," and one.isdigit() and other.isdigit()


def _sentences(section: Section, first: int, last: int) -> list[_Sentence]:
    """The sentences of the units that a stretch of the section's text touches, in their order."""
    found: list[_Sentence] = []
    offset = 0
    for unit in section.units:
        end = offset + len(unit.passage.text)
        if first < end and offset < last:
            found += [
                _Sentence(unit, offset + start, offset + stop) for start, stop in sentence_spans(unit.passage.text)
            ]
        offset = end + 1
    return found


def _grown(spans: Sequence[tuple[int, int]], sentences: Sequence[_Sentence], source: str) -> Iterator[Quoted]:
    """The sentences that the spans touch, those of one unit together, gaps marked."""
    touched = [
        number
        for number, sentence in enumerate(sentences)
        if any(start < sentence.end and sentence.start < end for start, end in spans)
    ]
    run: list[int] = []
    for number in [*touched, None]:
        goes_on = bool(run) and number == run[-1] + 1 and sentences[number].unit is sentences[run[-1]].unit
        if run and not goes_on:
            first, last = sentences[run[0]], sentences[run[-1]]
            yield Quoted(first.unit, source[first.start : last.end], run[0] > touched[0] and run[0] - 1 not in touched)
            run = []
        if number is not None:
            run.append(number)
