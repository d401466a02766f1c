"""Answering one turn: what is known, the model's run, the commit. The only place where a turn is put together.

No transaction is open while a model runs. What a turn gave is committed by `turn_commit`, and everybody, the customer
first, reads it back from the committed rows.
"""

import logging
import time
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from claims import turn_queue
from claims.agent.decision_net import asks_for_decision
from claims.agent.evidence import Context, HistoryTurn, KnownFact, NoEvidence, Schedule
from claims.agent.model import ModelConfig, ModelReply, ask_model, load
from claims.agent.prompt import Messages
from claims.agent.runtime import Ask, TurnResult, run_turn
from claims.agent.tools import Tool
from claims.agent.vocabulary import Field, Stage, Status
from claims.budget import budget_is_spent
from claims.claim_state import confirmed, day_of, facts_of, schedule_of, scope_of
from claims.due_times import NEW_ZEALAND
from claims.fault_points import ANSWERED, PLANNED, TAKEN, reached
from claims.models import Fact, Turn
from claims.turn_commit import Timing, commit_turn, is_left_to_sweep
from knowledge import lookup
from knowledge.answers import DirectoryLine, Fetched, OpenRelease, Scope, Unavailable

HISTORY_TURNS = 6

logger = logging.getLogger(__name__)


def configured_model() -> ModelConfig:
    return ModelConfig(settings.PORTAL_MODEL, settings.PORTAL_MODEL_API_BASE, settings.PORTAL_MODEL_TIMEOUT)


@dataclass(frozen=True)
class _ClaimLookup:
    """The knowledge base in one claim's scope, on one day."""

    scope: Scope
    day: date

    def open(self) -> tuple[OpenRelease, tuple[DirectoryLine, ...]] | Unavailable:
        release = lookup.open_release(self.scope, self.day)
        if isinstance(release, Unavailable):
            return release
        directory = lookup.clause_directory(release, self.scope)
        return directory if isinstance(directory, Unavailable) else (release, directory)

    def fetch(self, release: OpenRelease, clause_ids: tuple[str, ...]) -> Fetched | Unavailable:
        return lookup.fetch_clauses(release, self.scope, clause_ids)


def answer_message(turn_id: UUID) -> None:
    """Answer a turn if it is the first of its claim and free, and then those that wait behind it.

    Whatever the model does, each ends within PORTAL_TURN_DEADLINE with one reply. Safe to call any number of times.
    """
    waiting: UUID | None = turn_id
    while waiting is not None:
        lease = turn_queue.take(waiting, now=timezone.now(), seconds=settings.PORTAL_TURN_LEASE)
        if lease is None:
            return
        reached(TAKEN)
        more_wait = _answer(lease)
        waiting = turn_queue.next_of(lease.claim_id) if more_wait else None


def give_up(turn_id: UUID) -> None:
    """End a turn that was tried too often: the safe reply, its waiting row, and the status that says so."""
    lease = turn_queue.take(turn_id, now=timezone.now(), seconds=settings.PORTAL_TURN_LEASE, is_last=True)
    if lease is None:
        return
    turn = lease.turn
    family = confirmed(facts_of(turn.claim), Field.FAMILY)
    commit_turn(
        lease=lease,
        result=TurnResult(failed=True, wants_decision=asks_for_decision(turn.text)),
        schedule=schedule_of(turn.claim, family),
        family_confirmed=family is not None,
        model=configured_model(),
        timing=Timing(0, 0),
        now=timezone.now(),
        status=Status.FAILED,
    )
    waiting = turn_queue.next_of(lease.claim_id)
    if waiting is not None:
        answer_message(waiting)


def _answer(lease: turn_queue.Lease) -> bool:
    """Whether turns wait behind this one."""
    started = time.monotonic()
    turn = lease.turn
    model = configured_model()
    spent: list[float] = []

    def ask(messages: Messages, tool: Tool, seconds: float) -> ModelReply:
        asked = time.monotonic()
        try:
            return ask_model(model, messages, tool, seconds)
        finally:
            spent.append(time.monotonic() - asked)

    load()
    spent.append(time.monotonic() - started)
    facts = facts_of(turn.claim)
    family = confirmed(facts, Field.FAMILY)
    schedule = schedule_of(turn.claim, family)
    if budget_is_spent(now=timezone.now()):
        result = TurnResult(over_budget=True, wants_decision=asks_for_decision(turn.text))
    else:
        result = _run(turn, facts, schedule, ask)
    reached(ANSWERED)
    return commit_turn(
        lease=lease,
        result=result,
        schedule=schedule,
        family_confirmed=family is not None,
        model=model,
        timing=Timing(round((time.monotonic() - started) * 1000), round(sum(spent) * 1000)),
        now=timezone.now(),
    )


def _run(turn: Turn, facts: dict[Field, Fact], schedule: Schedule | NoEvidence, ask: Ask) -> TurnResult:
    today = timezone.now().astimezone(NEW_ZEALAND).date()
    family = confirmed(facts, Field.FAMILY)
    try:
        return run_turn(
            context=Context(
                today=today,
                message=turn.text,
                facts=tuple(KnownFact(field, fact.value, fact.confirmed) for field, fact in facts.items()),
                schedule=schedule,
                history=_history(turn),
            ),
            family_confirmed=family is not None,
            lookup=_ClaimLookup(scope_of(turn.claim, family or ""), day_of(facts, today)),
            ask=ask,
            seconds=settings.PORTAL_TURN_DEADLINE,
            on_stage=lambda stage: _set_stage(turn, stage),
        )
    # A fault of ours must not leave the customer without an answer: the safe reply, and the row behind it.
    except Exception as error:
        if is_left_to_sweep(error):
            raise
        logger.exception("turn %s ended in an error of the portal", turn.pk)
        return TurnResult(failed=True, wants_decision=asks_for_decision(turn.text))


def _set_stage(turn: Turn, stage: Stage) -> None:
    """Write the stage for whoever waits; checking takes no time that anybody could see, so it is not written."""
    if stage not in {turn.stage, Stage.CHECKING}:
        Turn.objects.filter(pk=turn.pk, status=Status.RUNNING, lease=turn.lease).update(stage=stage)
        turn.stage = stage
    if stage is not Stage.PLANNING:
        reached(PLANNED)


def _history(turn: Turn) -> tuple[HistoryTurn, ...]:
    before = Turn.objects.filter(claim=turn.claim, seq__lt=turn.seq, outcome__isnull=False)
    recent = before.order_by("-seq")[:HISTORY_TURNS]
    return tuple(HistoryTurn(t.text, str(t.outcome), tuple(t.cited or ()), t.asked) for t in reversed(recent))
