"""What endorsements delete, replace or add, marked on the text that they touch (D18 to D20, S29)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from claims.documents.directives import SENTENCE, Directive, Reference, directives
from claims.documents.form_numbers import form_numbers
from claims.documents.forms import FormMark, listing_lines
from claims.documents.heading_words import kind_of
from claims.documents.numbering import labels, word_label
from claims.documents.rows import Row, fold
from claims.documents.sections import Amendment, Form, Passage, Section, SectionKind, Unit

_ONLY_IF = re.compile(
    r"\b(?:only|unless|not .{0,40}(?:unless|if)|if|provided)\b.{0,80}\b(?:declarations?|schedule|"
    r"certificate)\b.{0,80}"
    r"\b(?:names?|named|lists?|listed|shows?|shown|says?|states?|stated|indicat\w+|specif\w+|noted|includ\w+|"
    r"record\w+)"
    r"|\b(?:names?|named|lists?|listed|shows?|shown|stated|indicat\w+|specif\w+|"
    r"noted)\b.{0,60}\b(?:declarations?|schedule|certificate)\b",
    re.IGNORECASE,
)
_EFFECT = re.compile(
    r"\b(?:effect|effective|appl(?:y|ies)|operative|operates?|valid|in force|part of (?:the|your|this) policy|"
    r"forms? part|"
    r"cover(?:age)? is provided|only have|you (?:are|have))\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(?:only|unless)\b", re.IGNORECASE)
_KINDS = {
    "exclusion": SectionKind.EXCLUSIONS,
    "limitation": SectionKind.EXCLUSIONS,
    "exception": SectionKind.EXCLUSIONS,
    "condition": SectionKind.CONDITIONS,
    "definition": SectionKind.DEFINITIONS,
}


_HEADED = frozenset({"section", "coverage", "part", "article"})


@dataclass(frozen=True, slots=True)
class _Place:
    """A unit of the base text and by what it may be named.

    `numbers` are those of its headings and its own, `own` those below the heading that names its kind.
    """

    section: int
    unit: int
    kind: SectionKind
    numbers: tuple[str, ...]
    own: tuple[str, ...]
    titles: tuple[str, ...]
    headings: tuple[str, ...]
    start: str


def condition_of(units: Sequence[Unit]) -> Passage | None:
    """The passage by which a text applies only when the declarations or a schedule say so (D19)."""
    for unit in units[:8]:
        for sentence in SENTENCE.split(fold(unit.passage.text)[:1200]):
            if _ONLY_IF.search(sentence) and _EFFECT.search(sentence) and _ONLY.search(sentence):
                return unit.passage
    return None


def amended(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """The sections with every unit marked that an endorsement names by number or heading."""
    places = _places(sections)
    marks: dict[tuple[int, int], list[Amendment]] = {}
    for section in sections:
        if section.kind is not SectionKind.ENDORSEMENTS:
            continue
        form = section.form or (section.path[0] if section.path else section.heading)
        for unit in section.units:
            for directive in directives(fold(unit.passage.text)):
                amendment = Amendment(form, directive.change, unit.passage)
                for place in _touched(directive, places):
                    marks.setdefault((place.section, place.unit), []).append(amendment)
    if not marks:
        return sections
    return tuple(_marked(index, section, marks) for index, section in enumerate(sections))


def _marked(index: int, section: Section, marks: dict[tuple[int, int], list[Amendment]]) -> Section:
    units = tuple(
        replace(unit, amended_by=tuple(dict.fromkeys(marks[index, at]))) if (index, at) in marks else unit
        for at, unit in enumerate(section.units)
    )
    return replace(section, units=units)


def _places(sections: Sequence[Section]) -> list[_Place]:
    places = []
    given = {unit.passage.start_line: unit.label for section in sections for unit in section.units}
    for index, section in enumerate(sections):
        if section.kind is SectionKind.ENDORSEMENTS:
            continue
        titles = tuple(_bare(title) for title in section.path)
        headings = tuple(title.lower() for title in section.path)
        named = [place for place, title in enumerate(section.path) if kind_of(title) is section.kind]
        below = section.path[named[-1] + 1 :] if named else section.path
        numbers, inner = _numbers_in(section.path), _numbers_in(below)
        for at, unit in enumerate(section.units):
            chain = [given.get(lead.start_line) for lead in unit.lead_ins] + [unit.label]
            start = _bare(fold(unit.passage.text[:160]))
            own = tuple(each.lower() for each in chain if each)
            places.append(_Place(index, at, section.kind, numbers + own, inner + own, titles, headings, start))
    return places


def _numbers_in(titles: Sequence[str]) -> tuple[str, ...]:
    found = [word_label(title) or next(iter(labels(title)), None) for title in titles]
    return tuple(label.text.lower() for label in found if label is not None)


def _bare(text: str) -> str:
    text = text.lower()
    found = word_label(text) or next(iter(labels(text)), None)
    return text[found.end :].strip(" .:-\"'") if found else text.strip(" .:-\"'")


def _touched(directive: Directive, places: Sequence[_Place]) -> list[_Place]:
    found: list[_Place] = []
    for target in directive.targets:
        candidates = [place for place in places if _stands_within(place, directive.within)]
        hits = _matching(target, candidates)
        if not hits and directive.within and target.noun in _KINDS:
            hits = _matching(target, places)
        found += hits
    return found


def _stands_within(place: _Place, within: Sequence[Reference]) -> bool:
    return all(
        any(_is_inside(place, reference.noun, number[-1].lower()) for number in reference.numbers)
        for reference in within
        if reference.numbers
    )


def _is_inside(place: _Place, noun: str, number: str) -> bool:
    """`Coverage A` is a heading that says so; a paragraph or item may be any number above the text."""
    if noun in _HEADED:
        return any(re.search(rf"\b{noun} {re.escape(number)}\b", title) for title in place.headings)
    return number in place.numbers


def _matching(target: Reference, places: Sequence[_Place]) -> list[_Place]:
    kind = _KINDS.get(target.noun)
    if kind is not None:
        places = [place for place in places if place.kind is kind]
    if not target.numbers:
        return [place for place in places if _is_named(place, target.name.lower())]
    hits: list[_Place] = []
    for number in target.numbers:
        path = tuple(part.lower() for part in number)
        direct = [place for place in places if place.own[: len(path)] == path]
        hits += direct or [place for place in places if _has_path(place.numbers, path)]
    if kind is None and target.name:
        name = target.name.lower()
        return [place for place in hits if any(name in title for title in place.titles) or place.start.startswith(name)]
    return hits


def _has_path(numbers: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether a path of numbers leads to the text or to something that it stands in."""
    return any(numbers[at : at + len(path)] == path for at in range(len(numbers) - len(path) + 1))


def _is_named(place: _Place, name: str) -> bool:
    if len(name) < 3:
        return False
    return any(name == title or (len(name) > 4 and name in title) for title in place.titles) or place.start.startswith(
        name
    )


def forms_of(
    rows: Sequence[Row], marks: Sequence[FormMark], sections: Sequence[Section], *, declared: bool
) -> tuple[Form, ...]:
    """Forms that begin in the file, then those that it only names. `listed` is None without declarations."""
    lists = listing_lines(rows)
    declared_lines = {
        line
        for section in sections
        if section.kind is SectionKind.DECLARATIONS
        for line in range(section.start_line, section.end_line + 1)
    }
    named = {
        form.key: form
        for row in rows
        if row.line.number in lists or row.line.number in declared_lines
        for form in form_numbers(row.text)
    }
    spoken = {form.key: form for row in rows for form in form_numbers(row.text) if _speaks_of(row.text, form.start)}
    found: dict[str, Form] = {}
    for mark in marks:
        listed = (mark.form.key in named) if declared else None
        found.setdefault(mark.form.key, Form(mark.form.number, mark.form.edition, mark.line, listed, True))
    for key, form in {**spoken, **named}.items():
        if key not in found:
            found[key] = Form(form.number, form.edition, None, (key in named) if declared else None, False)
    return tuple(found.values())


def _speaks_of(text: str, start: int) -> bool:
    return bool(
        re.search(
            r"\b(?:endorsements?|forms?|rider)(?: (?:no\.?|number))? ?$",
            text[max(0, start - 24) : start],
            re.IGNORECASE,
        )
    )
