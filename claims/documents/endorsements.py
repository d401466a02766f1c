"""What endorsements delete, replace or add, marked on the text that they touch (D18 to D20, S29)."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from claims.documents.directives import SENTENCE, directives
from claims.documents.places import Places
from claims.documents.rows import fold
from claims.documents.sections import Amendment, Passage, Section, SectionKind, Unit

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
_MOST = 100
"""So many amendments of one place are marked: a file with more is no policy."""


def condition_of(units: Sequence[Unit]) -> Passage | None:
    """The passage by which a text applies only when the declarations or a schedule say so (D19)."""
    for unit in units[:8]:
        for sentence in SENTENCE.split(fold(unit.passage.text)[:1200]):
            if _ONLY_IF.search(sentence) and _EFFECT.search(sentence) and _ONLY.search(sentence):
                return unit.passage
    return None


def amended(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """The sections with every unit marked that an endorsement names by number or heading."""
    places = Places(sections)
    marks: dict[tuple[int, int], list[Amendment]] = {}
    counted: Counter[object] = Counter()
    for section in sections:
        if section.kind is not SectionKind.ENDORSEMENTS:
            continue
        form = section.form or (section.path[0] if section.path else section.heading)
        for unit in section.units:
            for directive in directives(fold(unit.passage.text)):
                counted[directive] += 1
                if counted[directive] > _MOST:
                    continue
                amendment = Amendment(form, directive.change, unit.passage)
                for place in places.touched(directive):
                    marks.setdefault(place, []).append(amendment)
    if not marks:
        return sections
    return tuple(_marked(index, section, marks) for index, section in enumerate(sections))


def _marked(index: int, section: Section, marks: dict[tuple[int, int], list[Amendment]]) -> Section:
    units = tuple(
        replace(unit, amended_by=tuple(dict.fromkeys(marks[index, at]))[:_MOST]) if (index, at) in marks else unit
        for at, unit in enumerate(section.units)
    )
    return replace(section, units=units)
