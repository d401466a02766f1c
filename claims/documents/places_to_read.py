"""Every unit of a policy with what it cannot be read without: above it, below it, and what changes any of that.

A list item comes with its lead-in (D05), a lead-in with its items, a clause with its exceptions and an exception with
what it takes back (D06), all of them with the endorsements that touch them (D18) and an endorsement with the condition
on which it applies (D19).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from claims.documents.findings import Candidate
from claims.documents.missing_forms import MissingForms
from claims.documents.sections import Passage, Section, Structure, Unit

_Place = tuple[Section, Unit]


@dataclass(frozen=True)
class _Surroundings:
    """By passage: the units that it leads in, those that it is an exception of, and the unit that it is itself."""

    below: Mapping[Passage, list[_Place]]
    takes_back: Mapping[Passage, list[_Place]]
    at: Mapping[Passage, Unit]
    missing: Mapping[Passage, tuple[str, ...]]


def candidates_of(structure: Structure) -> tuple[Candidate, ...]:
    """One for each unit, in the order of the file; `matched` is empty."""
    places = [(section, unit) for section in structure.sections for unit in section.units]
    forms = MissingForms(structure)
    around = _Surroundings(
        _by_passage((passage, place) for place in places for passage in place[1].lead_ins),
        _by_passage((passage, place) for place in places for passage in place[1].exceptions),
        {unit.passage: unit for _, unit in places},
        {unit.passage: named for _, unit in places if (named := forms.named_in(unit.passage.text))},
    )
    return tuple(_candidate(section, unit, around) for section, unit in places)


def _candidate(section: Section, unit: Unit, around: _Surroundings) -> Candidate:
    below = [each for where, each in around.below.get(unit.passage, ()) if where is section]
    above = [around.at[passage] for passage in unit.lead_ins if passage in around.at]
    taken_back = [each.passage for _, each in around.takes_back.get(unit.passage, ())]
    exceptions = _in_order((each for one in (unit, *below) for each in one.exceptions), without=[unit.passage])
    passages = _in_order([unit.passage, *(each.passage for each in below)], without=exceptions)
    lead_ins = _in_order([*unit.lead_ins, *taken_back], without=passages)
    read = (*passages, *lead_ins, *exceptions)
    return Candidate(
        section_id=section.section_id,
        section_kind=section.kind,
        path=section.path,
        form=section.form,
        passages=passages,
        lead_ins=lead_ins,
        exceptions=exceptions,
        amended_by=tuple(dict.fromkeys(each for one in (unit, *above, *below) for each in one.amended_by)),
        condition=section.condition if section.condition not in passages else None,
        named_not_uploaded=tuple(dict.fromkeys(form for each in read for form in around.missing.get(each, ()))),
        effect=unit.effect,
    )


def _in_order(passages: Iterable[Passage], without: Collection[Passage]) -> tuple[Passage, ...]:
    """Each once, in the order of the file, but for those that are shown apart."""
    apart = set(without)
    unique = dict.fromkeys(passage for passage in passages if passage not in apart)
    return tuple(sorted(unique, key=lambda passage: (passage.start_line, passage.end_line)))


def _by_passage(pairs: Iterable[tuple[Passage, _Place]]) -> dict[Passage, list[_Place]]:
    found: dict[Passage, list[_Place]] = {}
    for passage, place in pairs:
        found.setdefault(passage, []).append(place)
    return found
