"""Deadlines from a policy's own terms: a period with its unit as written, counted from an event whose day is known.

No period is assumed, none is converted (365 days, 12 months and one year are three things), and no day is shifted: not
to a working day, not past a month's end. Where a term or its event is missing the answer is that it is not known, and
why. An error toward a later day is the dangerous one (M102), so nothing here gives a day later than the clause does.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from dateutil.relativedelta import relativedelta

LONGEST_NAME = 200


class TimeUnit(StrEnum):
    DAYS = "days"
    MONTHS = "months"
    YEARS = "years"


class Trigger(StrEnum):
    """The event from which a period counts (R2)."""

    LOSS = "loss"
    REQUEST = "request"
    NOTICE = "notice"
    DENIAL = "denial"
    PROOF_REQUIRED = "proof_required"


_DAY_OF = {
    Trigger.LOSS: "the date of loss",
    Trigger.REQUEST: "the date of our request",
    Trigger.NOTICE: "the date of the notice",
    Trigger.DENIAL: "the date of the denial",
    Trigger.PROOF_REQUIRED: "the date on which proof of loss was required",
}
_EVENT = {
    Trigger.LOSS: "the loss",
    Trigger.REQUEST: "the insurer's request",
    Trigger.NOTICE: "the notice",
    Trigger.DENIAL: "the insurer's denial",
    Trigger.PROOF_REQUIRED: "the day on which proof of loss was required",
}
_ONE = {TimeUnit.DAYS: "day(s)", TimeUnit.MONTHS: "month(s)", TimeUnit.YEARS: "year(s)"}


class InvalidTerm(ValueError):
    """A term that cannot be counted. `field` names what is wrong; the message is one sentence for a person."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class Term:
    """A period of the policy. `trigger_date` is None until the event's day is known; a loss has the loss date itself.

    Raises InvalidTerm when the period is no whole number of 1 or more or the name is empty or too long.
    """

    name: str
    period: int
    unit: TimeUnit
    trigger: Trigger
    trigger_date: date | None = None
    quote: str | None = None

    def __post_init__(self) -> None:
        check_period("period", self.period)
        if not self.name.strip() or len(self.name) > LONGEST_NAME:
            raise InvalidTerm("name", f"Name the term in 1 to {LONGEST_NAME} characters.")


@dataclass(frozen=True)
class Known:
    day: date
    basis: str

    @property
    def weekday(self) -> str:
        """In English, and never a reason to move the day."""
        return _WEEKDAYS[self.day.weekday()]


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True)
class Unknown:
    reason: str


Deadline = Known | Unknown


@dataclass(frozen=True)
class TermDeadline:
    term: Term
    deadline: Deadline


@dataclass(frozen=True)
class Deadlines:
    loss_date: date
    proof_of_loss: Deadline
    suit_limitation: Deadline
    terms: tuple[TermDeadline, ...] = ()


PROOF_NOT_SUPPLIED = (
    "The policy's period for the proof of loss was not supplied. It differs from policy to policy and from state to "
    "state: take it from the declarations or the conditions, and from nowhere else."
)
SUIT_NOT_SUPPLIED = (
    "The policy's period for bringing suit was not supplied. It differs from policy to policy and from state to state: "
    "take it from the declarations or the conditions, and from nowhere else."
)
PROOF_NOT_STATED = "The policy states no period for the insured's proof of loss."


def deadlines(
    *,
    loss_date: date,
    proof_of_loss_days: int | None = None,
    suit_limitation_months: int | None = None,
    terms: Iterable[Term] = (),
) -> Deadlines:
    """Both periods of the policy from the date of loss, and any further terms each from its own event (M98, R2).

    Raises InvalidTerm, its field named as the argument or as the term's.
    """
    return Deadlines(
        loss_date,
        _from_loss(loss_date, "proof_of_loss_days", proof_of_loss_days, TimeUnit.DAYS, PROOF_NOT_SUPPLIED),
        _from_loss(loss_date, "suit_limitation_months", suit_limitation_months, TimeUnit.MONTHS, SUIT_NOT_SUPPLIED),
        tuple(TermDeadline(term, deadline(term, loss_date=loss_date)) for term in terms),
    )


def deadline(term: Term, *, loss_date: date) -> Deadline:
    """The term's last day, or why it is not known. Raises InvalidTerm for an event before the loss."""
    start = loss_date if term.trigger is Trigger.LOSS else term.trigger_date
    if start is None:
        return Unknown(f"This period counts from {_EVENT[term.trigger]}, which was not given.")
    if term.trigger is Trigger.LOSS and term.trigger_date not in (None, loss_date):
        raise InvalidTerm("trigger_date", f"A term that counts from the loss counts from the loss date, {loss_date}.")
    if start < loss_date:
        raise InvalidTerm("trigger_date", f"The event is on {start}, before the date of loss, {loss_date}.")
    day = last_day(start, term.period, term.unit)
    return Known(day, f"{_counted(term.period, term.unit)} from {_DAY_OF[term.trigger]} ({start})")


def last_day(start: date, period: int, unit: TimeUnit) -> date:
    """So many days, months or years on, in one step. A month without that day ends on its last one (M101).

    Raises InvalidTerm when that is beyond the calendar.
    """
    try:
        day: date = start + relativedelta(**{unit.value: period})
    except (OverflowError, ValueError) as error:
        raise InvalidTerm("period", f"{_counted(period, unit)} from {start} is beyond the calendar.") from error
    return day


def check_period(field: str, period: int) -> None:
    """Raises InvalidTerm unless it is a whole number of 1 or more."""
    if isinstance(period, bool) or not isinstance(period, int) or period < 1:
        raise InvalidTerm(field, "Give the period as a whole number of 1 or more, as the policy states it.")


def _from_loss(loss_date: date, field: str, period: int | None, unit: TimeUnit, reason: str) -> Deadline:
    if period is None:
        return Unknown(reason)
    check_period(field, period)
    try:
        day = last_day(loss_date, period, unit)
    except InvalidTerm as error:
        raise InvalidTerm(field, str(error)) from error
    return Known(
        day, f"{_counted(period, unit)} from {_DAY_OF[Trigger.LOSS]} ({loss_date}), as supplied from the policy."
    )


def _counted(period: int, unit: TimeUnit) -> str:
    return f"{period} {_ONE[unit]}"
