"""Lines of a policy as they were read, with their numbers: quoted ones marked, each section named where it begins."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claims.documents.marks import Piece, marked
from claims.documents.pages import Line
from claims.documents.sections import Section, Structure
from portal.pages.adjuster_words import KINDS, visible

# A plain text is one page, however long: so many lines of it are shown at a time.
MOST_LINES = 1000
_SPAN = re.compile(r"(\d{1,7})(?:-(\d{1,7}))?", re.ASCII)


@dataclass(frozen=True)
class SectionMark:
    section_id: str
    kind: str
    path: tuple[str, ...]
    goes_on: bool
    """It began on an earlier page."""


@dataclass(frozen=True)
class LineRow:
    """`begins` names the section that begins with this line; `is_furniture`: of the page, not of the wording."""

    number: int
    pieces: tuple[Piece, ...]
    is_quoted: bool
    is_furniture: bool
    begins: SectionMark | None


@dataclass(frozen=True)
class Window:
    """The lines that are shown; `earlier` and `later` are the first lines of what is before and after, or None."""

    rows: tuple[LineRow, ...]
    earlier: int | None
    later: int | None


def quoted_lines(text: str) -> range:
    """`88-91` or `88` as typed into an address; anything else is no line."""
    found = _SPAN.fullmatch(text)
    return range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)


def window(lines: Sequence[Line], structure: Structure, *, quoted: range, forms: Iterable[str], first: int) -> Window:
    """The lines from number `first` on, or from a little before the first quoted one; those that there are."""
    wanted = first or (quoted.start - 5 if quoted else 0)
    start = _index(lines, wanted) if len(lines) > MOST_LINES else 0
    shown_lines = lines[start : start + MOST_LINES]
    forms = tuple(forms)
    return Window(
        tuple(_rows(shown_lines, structure, quoted, forms)),
        lines[max(start - MOST_LINES, 0)].number if start else None,
        lines[start + MOST_LINES].number if start + MOST_LINES < len(lines) else None,
    )


def _index(lines: Sequence[Line], number: int) -> int:
    """Lines of a page are numbered without gaps."""
    return min(max(number - lines[0].number, 0), len(lines) - 1)


def _rows(lines: Sequence[Line], structure: Structure, quoted: range, forms: Sequence[str]) -> Iterable[LineRow]:
    sections = sorted(structure.sections, key=lambda section: section.start_line)
    at, inside = 0, None
    for line in lines:
        begins = None
        while at < len(sections) and sections[at].start_line <= line.number:
            if sections[at].end_line >= line.number and inside != at:
                inside, begins = at, _mark(sections[at], goes_on=sections[at].start_line < line.number)
            at += 1
        yield LineRow(
            line.number,
            tuple(Piece(visible(piece.text), piece.is_match) for piece in marked(line.text, forms)),
            line.number in quoted,
            line.number in structure.furniture,
            begins,
        )


def _mark(section: Section, *, goes_on: bool) -> SectionMark:
    return SectionMark(section.section_id, KINDS[section.kind], tuple(map(visible, section.path)), goes_on)
