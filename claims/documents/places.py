"""Where the base text can be named: by numbers, by headings, by what a paragraph begins with (S29)."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claims.documents.directives import Directive, Reference
from claims.documents.heading_words import kind_of
from claims.documents.numbering import labels, word_label
from claims.documents.rows import fold
from claims.documents.sections import Section, SectionKind

_KINDS = {
    "exclusion": SectionKind.EXCLUSIONS,
    "limitation": SectionKind.EXCLUSIONS,
    "exception": SectionKind.EXCLUSIONS,
    "condition": SectionKind.CONDITIONS,
    "definition": SectionKind.DEFINITIONS,
}
_HEADED = frozenset({"section", "coverage", "part", "article"})
_DEEPEST = 6
_SHORTEST_NAME = 3
_SHORTEST_PART = 5


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

    @property
    def key(self) -> tuple[int, int]:
        return self.section, self.unit


class Places:
    """The units outside endorsements, looked up by what an endorsement calls them."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._by_own: dict[tuple[str, ...], list[_Place]] = defaultdict(list)
        self._by_path: dict[tuple[str, ...], list[_Place]] = defaultdict(list)
        self._by_title: dict[str, list[_Place]] = defaultdict(list)
        self._by_heading: dict[str, list[_Place]] = defaultdict(list)
        self._by_word: dict[str, list[_Place]] = defaultdict(list)
        self._known: dict[Directive, tuple[tuple[int, int], ...]] = {}
        for place in _places(sections):
            self._add(place)

    def _add(self, place: _Place) -> None:
        numbers, own = place.numbers[:_DEEPEST], place.own[:_DEEPEST]
        for size in range(1, len(own) + 1):
            self._by_own[own[:size]].append(place)
        paths = {numbers[at:end] for at in range(len(numbers)) for end in range(at + 1, len(numbers) + 1)}
        for path in paths:
            self._by_path[path].append(place)
        for title in set(place.titles):
            self._by_title[title].append(place)
        for heading in set(place.headings):
            self._by_heading[heading].append(place)
        self._by_word[place.start.split(" ", 1)[0]].append(place)

    def touched(self, directive: Directive) -> tuple[tuple[int, int], ...]:
        """Section and unit, as indexes, of everything that a directive names with what stands under it."""
        if directive not in self._known:
            found: dict[tuple[int, int], None] = {}
            for target in directive.targets:
                found.update(dict.fromkeys(place.key for place in self._of(target, directive.within)))
            self._known[directive] = tuple(found)
        return self._known[directive]

    def _of(self, target: Reference, within: Sequence[Reference]) -> list[_Place]:
        hits = self._named(target)
        inside = [place for place in hits if _stands_within(place, within)]
        if not inside and within and target.noun in _KINDS:
            inside = hits
        plain = target.numbers and not target.name and not within and target.noun not in _KINDS
        if plain and target.noun not in _HEADED and len({place.headings for place in inside}) > 1:
            return []
        return inside

    def _named(self, target: Reference) -> list[_Place]:
        kind, name = _KINDS.get(target.noun), target.name.lower()
        if not target.numbers:
            return _of_kind(self._by_name(name), kind)
        hits: list[_Place] = []
        for number in target.numbers:
            path = tuple(part.lower() for part in number)
            if target.noun in _HEADED and len(path) == 1:
                hits += self._below(target.noun, path[0])
            else:
                direct = _of_kind(self._by_own.get(path, ()), kind) if kind is not None else []
                hits += direct or _of_kind(self._by_path.get(path, ()), kind)
        if kind is None and name:
            return [
                place for place in hits if any(name in each for each in place.titles) or place.start.startswith(name)
            ]
        return hits

    def _below(self, noun: str, number: str) -> list[_Place]:
        """What stands below `Coverage A`, or below `III.` where an article is only numbered."""
        called = re.compile(rf"\b{noun} {re.escape(number)}\b|^{re.escape(number)}\.")
        found = {
            place.key: place for heading, below in self._by_heading.items() if called.search(heading) for place in below
        }
        return list(found.values())

    def _by_name(self, name: str) -> list[_Place]:
        if len(name) < _SHORTEST_NAME:
            return []
        titled = (
            below
            for title, below in self._by_title.items()
            if name == title or (len(name) >= _SHORTEST_PART and name in title)
        )
        found = {place.key: place for below in titled for place in below}
        beginning = (place for place in self._by_word.get(name.split(" ", 1)[0], ()) if place.start.startswith(name))
        found.update({place.key: place for place in beginning})
        return list(found.values())


def _is_called(place: _Place, name: str) -> bool:
    return any(name in title for title in place.titles) or place.start.startswith(name)


def _of_kind(places: Iterable[_Place], kind: SectionKind | None) -> list[_Place]:
    return [place for place in places if kind is None or place.kind is kind]


def _places(sections: Sequence[Section]) -> Iterable[_Place]:
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
            own = tuple(each.lower() for each in chain if each)
            start = _bare(fold(unit.passage.text[:160]).replace('"', ""))
            yield _Place(index, at, section.kind, numbers + own, inner + own, titles, headings, start)


def _numbers_in(titles: Sequence[str]) -> tuple[str, ...]:
    found = [word_label(title) or next(iter(labels(title)), None) for title in titles]
    return tuple(label.text.lower() for label in found if label is not None)


def _bare(text: str) -> str:
    text = text.lower()
    found = word_label(text) or next(iter(labels(text)), None)
    return text[found.end :].strip(" .:-\"'") if found else text.strip(" .:-\"'")


def _stands_within(place: _Place, within: Sequence[Reference]) -> bool:
    return all(
        any(_is_inside(place, reference.noun, number[-1].lower()) for number in reference.numbers)
        for reference in within
        if reference.numbers
    )


def _is_inside(place: _Place, noun: str, number: str) -> bool:
    """`Coverage A` is a heading that says so; a paragraph or item may be any number above the text."""
    if noun in _HEADED:
        called = re.compile(rf"\b{noun} {re.escape(number)}\b|^{re.escape(number)}\.")
        return any(called.search(heading) for heading in place.headings)
    return number in place.numbers
