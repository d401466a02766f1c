"""What a search of one policy gives: candidates that a person reads, never a conclusion (M72, M79)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from claims.documents.sections import BEARING, Amendment, Passage, SectionKind


class Outcome(StrEnum):
    """Six answers that never share a shape (R1). That a policy is silent is none of them: a person says so."""

    BEARING = "bearing"
    NON_BEARING_ONLY = "non_bearing_only"
    NO_MATCH = "no_match"
    PARTLY_READ = "partly_read"
    UNREADABLE = "unreadable"
    NOT_SEARCHED = "not_searched"


@dataclass(frozen=True)
class Words:
    """`searched` and `dropped` as they were asked for; `forms` are all the spellings tried for each searched word."""

    searched: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Candidate:
    """A place to read, with what it cannot be read without.

    `form` is the number of the form that it belongs to. `passages` are the quotation: the paragraph or item, and where
    that opens a list the items below it. `lead_ins` stand above it, for a carve-back with the items that it takes back;
    `exceptions` take back something of it. `condition` is the passage by which its endorsement applies only when
    something else says so. `named_not_uploaded` are forms that it names and that are not in the file. `matched` are the
    words that found it, as the text spells them: none for an endorsement that comes along with what it amends.
    """

    section_id: str
    section_kind: SectionKind
    path: tuple[str, ...]
    form: str | None
    passages: tuple[Passage, ...]
    lead_ins: tuple[Passage, ...] = ()
    exceptions: tuple[Passage, ...] = ()
    amended_by: tuple[Amendment, ...] = ()
    condition: Passage | None = None
    named_not_uploaded: tuple[str, ...] = ()
    matched: tuple[str, ...] = ()
    effect: SectionKind | None = None

    @property
    def is_bearing(self) -> bool:
        """Whether it may support a position: a definition that an endorsement holds is a definition still (M78)."""
        return supports(self.section_kind, self.effect)


@dataclass(frozen=True)
class Finding:
    """`reason` says why nothing was searched, and is None whenever something was. A citation is always required."""

    outcome: Outcome
    guidance: str
    words: Words = Words()
    reason: str | None = None
    pages_not_read: tuple[int, ...] = ()
    candidates: tuple[Candidate, ...] = ()

    @property
    def refused(self) -> bool:
        return self.outcome is Outcome.UNREADABLE

    @property
    def citation_required(self) -> bool:
        return True


def supports(kind: SectionKind, effect: SectionKind | None) -> bool:
    """Whether text of this kind, with this effect inside an endorsement, can support a position (M77, M78)."""
    return kind in BEARING and (effect is None or effect in BEARING)
