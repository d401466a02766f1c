"""How a turn ends: its outcome, and whether and why something waits for staff. Two tables; the first that applies."""

from collections.abc import Callable
from dataclasses import dataclass

from claims.agent.checks import Escalated, Plain, Quote, ScheduleCode, StatusAsked
from claims.agent.evidence import Evidence, NoEvidence, Schedule
from claims.agent.runtime import TurnResult
from claims.agent.vocabulary import Guidance, Kind, Outcome, Reason


@dataclass(frozen=True)
class Situation:
    """What decides an ending: the turn's result and the claim's state when it began."""

    result: TurnResult
    schedule: Schedule | NoEvidence
    family_confirmed: bool
    decision_recorded: bool

    @property
    def kind(self) -> Kind | None:
        return self.result.plan.kind if self.result.plan else None

    @property
    def evidence(self) -> Evidence | None:
        return self.result.evidence

    @property
    def cited_ids(self) -> tuple[str, ...]:
        """The clauses that the reply shows, each once, in its order."""
        ids = (s.clause_id for s in self.result.segments if isinstance(s, Quote | Plain))
        return tuple(dict.fromkeys(ids))

    @property
    def cited_codes(self) -> tuple[str, ...]:
        """The schedule codes that the cited clauses depend on."""
        if self.evidence is None:
            return ()
        codes = (self.evidence.by_id[clause_id].clause.schedule_section for clause_id in self.cited_ids)
        return tuple(dict.fromkeys(code for code in codes if code is not None))

    @property
    def named_codes(self) -> tuple[str, ...]:
        """The codes that the model's own schedule segments name."""
        return tuple(dict.fromkeys(s.code for s in self.result.segments if isinstance(s, ScheduleCode)))

    @property
    def unlisted_codes(self) -> tuple[str, ...]:
        """Benefits that this reply is about and that the schedule does not list."""
        if self.evidence is None:
            return ()
        benefits = [code for code in self.named_codes if code in self.evidence.release_codes]
        codes = dict.fromkeys((*self.cited_codes, *benefits))
        return tuple(code for code in codes if self.evidence.is_unlisted(code))


def _says_nothing(situation: Situation) -> bool:
    if situation.kind is Kind.STATUS:
        return not situation.decision_recorded
    told = situation.decision_recorded and any(isinstance(s, StatusAsked) for s in situation.result.segments)
    says = situation.cited_ids or told or (situation.named_codes and isinstance(situation.schedule, Schedule))
    return situation.kind is Kind.QUESTION and not says


def _needs_schedule(situation: Situation) -> bool:
    return isinstance(situation.schedule, NoEvidence) and bool(situation.cited_codes)


def _is_unavailable(situation: Situation) -> bool:
    return situation.evidence is not None and situation.evidence.guidance is Guidance.UNAVAILABLE


_OUTCOMES: dict[Outcome, Callable[[Situation], bool]] = {
    Outcome.FAILED: lambda s: s.result.failed,
    Outcome.OVER_BUDGET: lambda s: s.result.over_budget,
    Outcome.UNAVAILABLE: _is_unavailable,
    Outcome.FAMILY_NEEDED: lambda s: s.kind is Kind.QUESTION and not s.family_confirmed,
    Outcome.PERSON: lambda s: s.kind is Kind.PERSON,
    Outcome.NEEDS_DECISION: lambda s: s.result.wants_decision,
    Outcome.NOT_FOUND: _says_nothing,
    Outcome.NO_SCHEDULE: _needs_schedule,
    Outcome.NOT_LISTED: lambda s: bool(s.unlisted_codes),
    Outcome.ANSWERED: lambda s: s.kind is Kind.QUESTION,
    Outcome.TOLD: lambda s: s.kind is Kind.STATUS,
    Outcome.CLARIFY: lambda s: s.kind is Kind.REPORT and not s.result.heard,
    Outcome.NOTED: lambda s: s.kind is Kind.REPORT,
    Outcome.OTHER: lambda s: True,
}

_REASONS: dict[Reason, Callable[[Situation, Outcome], bool]] = {
    Reason.PERSON: lambda s, outcome: s.kind is Kind.PERSON or _escalates(s, Reason.PERSON),
    Reason.NEEDS_DECISION: lambda s, outcome: s.result.wants_decision or _escalates(s, Reason.NEEDS_DECISION),
    Reason.OVER_BUDGET: lambda s, outcome: outcome is Outcome.OVER_BUDGET,
    Reason.GUARD_REJECTED: lambda s, outcome: outcome is Outcome.FAILED,
    Reason.UNAVAILABLE: lambda s, outcome: outcome is Outcome.UNAVAILABLE,
    Reason.NO_SCHEDULE: lambda s, outcome: outcome is Outcome.NO_SCHEDULE,
    Reason.NOT_FOUND: lambda s, outcome: outcome is Outcome.NOT_FOUND,
}


def _escalates(situation: Situation, reason: Reason) -> bool:
    return any(isinstance(s, Escalated) and s.reason is reason for s in situation.result.segments)


def outcome_of(situation: Situation) -> Outcome:
    """The first outcome in the vocabulary's order that applies."""
    return next(outcome for outcome in Outcome if outcome in _OUTCOMES and _OUTCOMES[outcome](situation))


def reason_of(situation: Situation, outcome: Outcome) -> Reason | None:
    """Why the turn's question waits for staff; None when nobody has to act (M5, M6)."""
    return next((reason for reason in Reason if reason in _REASONS and _REASONS[reason](situation, outcome)), None)
