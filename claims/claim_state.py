"""How a claim stands: what is known of it, its schedule, its scope and day, read from rows."""

from dataclasses import dataclass
from datetime import date, datetime

from claims.agent import wording
from claims.agent.evidence import NoEvidence, Schedule
from claims.agent.vocabulary import Field
from claims.models import Claim, Fact, WaitingItem
from claims.schedules import find_schedule
from claims.waiting_list import WAITING, position_of
from knowledge.answers import Audience, OpenRelease, Scope
from knowledge.lookup import open_release


@dataclass(frozen=True)
class WaitingView:
    """`position` is None for an item that no longer waits."""

    reference: str
    reason: str
    status: str
    position: int | None
    due_at: datetime
    at: datetime


@dataclass(frozen=True)
class FactView:
    """`shown` is the value in words for people."""

    field: str
    label: str
    value: str
    shown: str
    confirmed: bool


@dataclass(frozen=True)
class DecisionView:
    text: str
    decided_at: datetime
    by: str


@dataclass(frozen=True)
class WordingView:
    """The release that answers this claim's questions (R4)."""

    version: str
    effective_from: date


@dataclass(frozen=True)
class ClaimView:
    """`wording` is None when no release can be read for the claim's family and day."""

    reference: str
    policy_number: str
    family: str | None
    family_confirmed: bool
    schedule: str
    loss_date: str | None
    wording: WordingView | None
    facts: tuple[FactView, ...]
    waiting: tuple[WaitingView, ...]
    decision: DecisionView | None


def facts_of(claim: Claim) -> dict[Field, Fact]:
    return {Field(fact.field): fact for fact in Fact.objects.filter(claim=claim)}


def confirmed(facts: dict[Field, Fact], field: Field) -> str | None:
    """The value that the customer set or confirmed; None for a missing or an unconfirmed one."""
    fact = facts.get(field)
    return fact.value if fact is not None and fact.confirmed else None


def scope_of(claim: Claim, family: str) -> Scope:
    """What the holder of a claim may read: the insurer's text for customers, of this family."""
    return Scope(claim.insurer, family, Audience.CUSTOMER)


def day_of(facts: dict[Field, Fact], today: date) -> date:
    """R4: the day of loss when the customer confirmed it, else today in New Zealand."""
    loss_date = confirmed(facts, Field.LOSS_DATE)
    return today if loss_date is None else date.fromisoformat(loss_date)


def schedule_of(claim: Claim, family: str | None) -> Schedule | NoEvidence:
    """The schedule behind a claim's policy number; NoEvidence when the customer's family is another one (M56)."""
    if not claim.policy_shown or not claim.policy_number:
        return NoEvidence()
    schedule = find_schedule(claim.policy_number)
    if isinstance(schedule, Schedule) and family is not None and schedule.family != family:
        return NoEvidence()
    return schedule


def waiting_view(item: WaitingItem) -> WaitingView:
    position = position_of(item) if item.status in WAITING else None
    return WaitingView(item.reference, item.reason, item.status, position, item.due_at, item.at)


def claim_view(claim: Claim, today: date) -> ClaimView:
    """`today` is New Zealand's day."""
    facts = facts_of(claim)
    family, loss_date = facts.get(Field.FAMILY), facts.get(Field.LOSS_DATE)
    confirmed_family = confirmed(facts, Field.FAMILY)
    found = isinstance(schedule_of(claim, confirmed_family), Schedule)
    return ClaimView(
        reference=claim.reference,
        policy_number=claim.policy_number,
        family=family.value if family is not None else None,
        family_confirmed=confirmed_family is not None,
        schedule="found" if found else "no_evidence",
        loss_date=loss_date.value if loss_date is not None else None,
        wording=_wording(claim, confirmed_family, day_of(facts, today)),
        facts=tuple(fact_view(facts[field]) for field in Field if field in facts),
        waiting=tuple(waiting_view(item) for item in WaitingItem.objects.filter(claim=claim).order_by("at")),
        decision=None
        if claim.decided_at is None
        else DecisionView(claim.decision_text, claim.decided_at, claim.decided_by),
    )


def _wording(claim: Claim, family: str | None, day: date) -> WordingView | None:
    if family is None:
        return None
    release = open_release(scope_of(claim, family), day)
    return WordingView(release.version, release.effective_from) if isinstance(release, OpenRelease) else None


def fact_view(fact: Fact) -> FactView:
    field = Field(fact.field)
    shown = wording.shown_value(field, fact.value)
    return FactView(field.value, wording.FIELD_LABELS[field], fact.value, shown, fact.confirmed)
