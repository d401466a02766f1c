"""What one turn may be answered from: frozen values, fetched in that turn. Nothing here is kept for the next turn."""

from dataclasses import dataclass, field
from datetime import date

from claims.agent.vocabulary import Field, Guidance
from knowledge.answers import FetchedClause, Missing


@dataclass(frozen=True)
class Detail:
    """A line of the schedule that the insurer fills in, such as the excess: printed as stored."""

    code: str
    label: str
    value: str


@dataclass(frozen=True)
class Schedule:
    """The policy schedule of one policy: a free list of section codes and read-only details (`M54`)."""

    policy_number: str
    family: str
    sections: tuple[str, ...]
    details: tuple[Detail, ...]

    def lists(self, code: str) -> bool:
        return code in self.sections


@dataclass(frozen=True)
class NoEvidence:
    """No schedule is known for the claim's policy number: not an empty schedule (`M10`)."""


@dataclass(frozen=True)
class KnownFact:
    field: Field
    value: str
    confirmed: bool


@dataclass(frozen=True)
class HistoryTurn:
    """An earlier turn as the model sees it: never our sentences, never clause text."""

    customer: str
    outcome: str
    clause_ids: tuple[str, ...]
    asked: str | None


@dataclass(frozen=True)
class Context:
    """What is known before the model is asked anything."""

    today: date
    message: str
    facts: tuple[KnownFact, ...]
    schedule: Schedule | NoEvidence
    history: tuple[HistoryTurn, ...]


@dataclass(frozen=True)
class Evidence:
    """What this turn's lookup gave. Only `clauses` may be cited (`M21`)."""

    schedule: Schedule | NoEvidence
    guidance: Guidance
    clauses: tuple[FetchedClause, ...] = ()
    not_found: tuple[str, ...] = ()
    release_codes: tuple[str, ...] = ()
    missing: Missing | None = None
    by_id: dict[str, FetchedClause] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {fetched.clause.clause_id: fetched for fetched in self.clauses})

    def plain_lines(self, clause_id: str) -> tuple[str, ...]:
        """The approved lines of a fetched clause; none where the schedule is known not to list its benefit."""
        clause = self.by_id[clause_id].clause
        return () if self.is_unlisted(clause.schedule_section) else clause.plain

    def is_unlisted(self, code: str | None) -> bool:
        return code is not None and isinstance(self.schedule, Schedule) and not self.schedule.lists(code)

    def schedule_codes(self) -> frozenset[str]:
        """The codes that a schedule segment may name: the release's, and those of this schedule."""
        codes = set(self.release_codes)
        if isinstance(self.schedule, Schedule):
            codes.update(self.schedule.sections)
            codes.update(detail.code for detail in self.schedule.details)
        return frozenset(codes)
