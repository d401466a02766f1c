"""A turn's result becomes rows: facts, waiting item, citations, reply, record, in one transaction.

The reply is composed inside it, from what it has just written. Where the database refuses, nothing of the reply
stands, and a second, smaller transaction says so without a waiting row.
"""

import logging
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction

from claims.agent import wording
from claims.agent.endings import Situation, outcome_of, reason_of
from claims.agent.evidence import NoEvidence, Schedule
from claims.agent.facts import HeardFact
from claims.agent.message_language import ENGLISH, language_of
from claims.agent.model import OFFLINE_MODEL, ModelConfig
from claims.agent.prices import cost_of
from claims.agent.prompt import render_schedule
from claims.agent.reply import Committed, Queued, ReplySentence, asked_field, compose
from claims.agent.runtime import TurnResult
from claims.agent.vocabulary import Field, Kind, Outcome, Status
from claims.claim_state import facts_of
from claims.fault_points import COMMITTED, WRITTEN, reached
from claims.models import Citation, Claim, Fact, Message, Turn, WaitingItem
from claims.turn_queue import Lease
from claims.waiting_list import Link, add_message, enqueue, position_of
from knowledge import audit

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Timing:
    """Milliseconds of the whole turn, and of those the ones spent waiting for the model."""

    total_ms: int
    model_ms: int


@dataclass(frozen=True)
class _Finished:
    """A turn that is about to be committed."""

    result: TurnResult
    schedule: Schedule | NoEvidence
    family_confirmed: bool
    model: ModelConfig
    timing: Timing
    now: datetime
    status: Status


def commit_turn(
    *,
    lease: Lease,
    result: TurnResult,
    schedule: Schedule | NoEvidence,
    family_confirmed: bool,
    model: ModelConfig,
    timing: Timing,
    now: datetime,
    status: Status = Status.DONE,
) -> bool:
    """Write a turn whole; whether later turns of the claim wait.

    A turn that is done already, or held by another lease since, is left as it is: then whoever holds it goes on.
    Raises OperationalError or InterfaceError where a database that is gone leaves the turn to the sweep.
    """
    finished = _Finished(result, schedule, family_confirmed, model, timing, now, status)
    try:
        return _commit_again(lease, finished)
    # A refusal of the database or a fault of ours: the customer gets a reply, and the turn does not stay open.
    except Exception as error:
        if is_left_to_sweep(error):
            raise
        logger.exception("turn %s could not be committed; its safe reply is written instead", lease.turn_id)
        failed = replace(result, failed=True, segments=(), heard=())
        return _commit(lease, replace(finished, result=failed), may_queue=False)


def is_left_to_sweep(error: Exception) -> bool:
    """Whether the database is to blame and there are workers who answer again when it is back: no reason to refuse."""
    return bool(settings.REDIS_URL) and isinstance(error, OperationalError | InterfaceError)


def _commit_again(lease: Lease, finished: _Finished) -> bool:
    """Commit, and where the connection was cut once more on a new one; a first that came through after all stands."""
    try:
        return _commit(lease, finished, may_queue=True)
    except (OperationalError, InterfaceError):
        logger.warning("turn %s lost its database while it was committed; it is committed again", lease.turn_id)
        return _commit(lease, finished, may_queue=True)


def _commit(lease: Lease, finished: _Finished, *, may_queue: bool) -> bool:
    with transaction.atomic():
        # Both rows are locked, the turn's first; nobody locks them in the other order. Under the lock both are as they
        # are now: the conversation's numbers and the facts stand still.
        turn = Turn.objects.select_related("claim").select_for_update().get(pk=lease.turn_id)
        claim = turn.claim
        if turn.status != Status.RUNNING or turn.lease != lease.token:
            return False
        facts = facts_of(claim) if _touches_facts(finished.result) else {}
        noted = _write_facts(claim, facts, finished)
        situation = Situation(
            replace(finished.result, heard=noted),
            finished.schedule,
            finished.family_confirmed,
            decision_recorded=claim.decided_at is not None,
        )
        outcome = outcome_of(situation)
        link = _link(claim, turn, situation, outcome, finished.now) if may_queue else None
        committed = Committed(
            noted=noted,
            queued=_queued(link),
            too_many=link is not None and link.too_many,
            not_queued=not may_queue,
            next_field=_next_field(facts, situation, outcome),
            decision=_decision(claim),
        )
        sentences = compose(situation, outcome, committed, english=language_of(turn.text) == ENGLISH)
        _write_citations(turn, situation)
        _write_turn(turn, situation, outcome, sentences, finished)
        turn.asked = asked_field(situation, committed.next_field)
        turn.waiting_item = link.item if link is not None else None
        turn.save()
        text = "\n".join(sentence.text for sentence in sentences)
        add_message(claim=claim, sender=Message.Sender.PORTAL, name="", text=text, now=finished.now, turn=turn)
        audit.record("turn.answer", by=audit.PORTAL, subject=str(turn.pk), detail={"outcome": outcome.value})
        reached(WRITTEN)
    reached(COMMITTED)
    return claim.last_turn_seq > turn.seq


def _touches_facts(result: TurnResult) -> bool:
    return bool(result.heard) or (result.plan is not None and result.plan.kind is Kind.REPORT)


def _write_facts(claim: Claim, facts: dict[Field, Fact], finished: _Finished) -> tuple[HeardFact, ...]:
    """Write what was heard; under the lock a value that the customer confirmed meanwhile still holds."""
    noted = []
    for heard in finished.result.heard:
        standing = facts.get(heard.field)
        if standing is not None and standing.confirmed:
            continue
        facts[heard.field], _ = Fact.objects.update_or_create(
            claim=claim,
            field=heard.field,
            defaults={"value": heard.value, "words": heard.words, "confirmed": False, "at": finished.now},
        )
        noted.append(heard)
    return tuple(noted)


def _link(claim: Claim, turn: Turn, situation: Situation, outcome: Outcome, now: datetime) -> Link | None:
    reason = reason_of(situation, outcome)
    return None if reason is None else enqueue(claim=claim, question=turn.text, reason=reason, now=now)


def _queued(link: Link | None) -> Queued | None:
    if link is None or link.item is None:
        return None
    item: WaitingItem = link.item
    return Queued(item.reference, position_of(item), item.due_at, link.already)


def _next_field(facts: dict[Field, Fact], situation: Situation, outcome: Outcome) -> Field | None:
    """The next thing to ask: the family where it is needed, in reports the first field without a value."""
    if outcome is Outcome.FAMILY_NEEDED:
        return Field.FAMILY
    if situation.kind is Kind.REPORT and not situation.result.failed:
        return next((field for field in Field if field not in facts), None)
    return None


def _decision(claim: Claim) -> str | None:
    if claim.decided_at is None:
        return None
    return wording.recorded_decision(claim.decision_text, claim.decided_at, claim.decided_by)


def _write_citations(turn: Turn, situation: Situation) -> None:
    evidence = situation.evidence
    if evidence is None:
        return
    fetched = [evidence.by_id[clause_id] for clause_id in situation.cited_ids]
    Citation.objects.bulk_create(
        Citation(
            turn=turn,
            position=position,
            clause_id=f.clause.clause_id,
            title=f.clause.title,
            document_id=f.document_id,
            version=f.version,
            text=f.clause.text,
            sha256=f.sha256,
        )
        for position, f in enumerate(fetched, start=1)
    )


def _write_turn(
    turn: Turn, situation: Situation, outcome: Outcome, sentences: tuple[ReplySentence, ...], finished: _Finished
) -> None:
    result, evidence = finished.result, situation.evidence
    turn.status, turn.stage, turn.outcome, turn.done_at = finished.status, None, outcome, finished.now
    turn.cited = list(situation.cited_ids)
    turn.segments = [asdict(sentence) for sentence in sentences]
    turn.plan = _plan(result)
    turn.directory = None if result.directory is None else [asdict(line) for line in result.directory]
    turn.requested = None if result.requested is None else list(result.requested)
    if evidence is not None:
        turn.guidance_status = evidence.guidance
        turn.not_found = list(evidence.not_found)
        turn.returned = [
            {"clause_id": f.clause.clause_id, "version": f.version, "sha256": f.sha256} for f in evidence.clauses
        ]
    turn.schedule = render_schedule(finished.schedule)
    turn.violations = [asdict(violation) for violation in result.violations]
    turn.repaired, turn.safe_reply = result.repaired, result.failed
    if result.release is not None:
        turn.release_version, turn.release_effective_from = result.release.version, result.release.effective_from
    turn.model_configured = finished.model.label
    turn.model_returned = next((call.model for call in reversed(result.calls) if call.model), None)
    turn.calls = [asdict(call) for call in result.calls]
    turn.tokens = sum((call.tokens_in or 0) + (call.tokens_out or 0) for call in result.calls)
    turn.cost = _cost(finished)
    turn.total_ms, turn.model_ms = finished.timing.total_ms, finished.timing.model_ms


def _cost(finished: _Finished) -> float | None:
    """US dollars of the turn's calls; None when the model has no known price or a call did not say what it used."""
    costs = [
        cost_of(
            finished.model.name or OFFLINE_MODEL,
            tokens_in=call.tokens_in,
            tokens_out=call.tokens_out,
            cached=call.cached or 0,
        )
        if call.tokens_in is not None and call.tokens_out is not None
        else None
        for call in finished.result.calls
    ]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if costs and len(known) == len(costs) else None


def _plan(result: TurnResult) -> dict[str, Any] | None:
    if result.plan is None:
        return None
    facts = [{"field": fact.field, "value": fact.value} for fact in result.plan.facts]
    return {"kind": result.plan.kind, "wants_decision": result.plan.wants_decision, "facts": facts}
