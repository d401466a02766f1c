"""Readings from plain text, and what a test asks of a structure."""

from dataclasses import dataclass

from claims.documents.pages import FileKind, Line, Page, PageState, Reading
from claims.documents.sections import Section, SectionKind, Structure, Unit
from claims.documents.structure import split


def reading_of(text: str, *, kind: FileKind = FileKind.TEXT) -> Reading:
    """Lines as they are, empty ones too; a form feed begins a page."""
    pages, number = [], 0
    for page, part in enumerate(text.split("\f"), start=1):
        lines = []
        for line in part.split("\n"):
            number += 1
            lines.append(Line(number, line, page))
        characters = len("".join(part.split()))
        state = PageState.READ if characters else PageState.BLANK
        pages.append(Page(page, state, tuple(lines), None, characters))
    return Reading(kind, tuple(pages))


@dataclass(frozen=True)
class Found:
    section: Section
    unit: Unit

    @property
    def kind(self) -> SectionKind:
        return self.section.kind

    @property
    def text(self) -> str:
        return self.unit.passage.text

    @property
    def lead_ins(self) -> list[int]:
        return [passage.start_line for passage in self.unit.lead_ins]

    @property
    def exceptions(self) -> list[int]:
        return [passage.start_line for passage in self.unit.exceptions]


def units_of(structure: Structure) -> list[Found]:
    return [Found(section, unit) for section in structure.sections for unit in section.units]


def the_unit(structure: Structure, words: str) -> Found:
    """The one unit whose own text holds the words."""
    found = [each for each in units_of(structure) if words in each.text]
    assert len(found) == 1, [each.text for each in found] or f"no unit says {words!r}"
    return found[0]


def structure_of(text: str) -> Structure:
    return split(reading_of(text))
