"""Deadlines as the API and the command give them (`api.md`, Adjuster): a day with its basis, or why it is not known."""

from typing import Any

from claims.deadlines import Deadline, Deadlines, Known, TermDeadline


def deadlines_json(computed: Deadlines) -> dict[str, Any]:
    return {
        "loss_date": computed.loss_date.isoformat(),
        "proof_of_loss": _deadline(computed.proof_of_loss),
        "suit_limitation": _deadline(computed.suit_limitation),
        "terms": [_term(each) for each in computed.terms],
    }


def _deadline(deadline: Deadline) -> dict[str, Any]:
    if isinstance(deadline, Known):
        return {"known": True, "date": deadline.day.isoformat(), "basis": deadline.basis}
    return {"known": False, "reason": deadline.reason}


def _term(computed: TermDeadline) -> dict[str, Any]:
    made = {"name": computed.term.name, **_deadline(computed.deadline)}
    if isinstance(computed.deadline, Known):
        made["weekday"] = computed.deadline.weekday
    if computed.term.quote is not None:
        made["quote"] = computed.term.quote
    return made
