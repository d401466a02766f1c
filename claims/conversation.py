"""The conversation: a message is received, a message is answered, a person is asked for.

No transaction is open while a model runs. What a turn gave is committed by `turn_commit`, and everybody, the customer
first, reads it back from the committed rows.
"""

import hashlib
import logging
import time
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from claims.agent import wording
from claims.agent.decision_net import asks_for_decision
from claims.agent.evidence import Context, HistoryTurn, KnownFact, NoEvidence, Schedule
from claims.agent.facts import fold
from claims.agent.message_language import language_of
from claims.agent.model import ModelConfig, ModelReply, ask_model, load
from claims.agent.prompt import Messages
from claims.agent.runtime import Ask, TurnResult, run_turn
from claims.agent.tools import Tool
from claims.agent.vocabulary import Field, Reason, Stage, Status
from claims.claim_state import confirmed, day_of, facts_of, schedule_of, scope_of
from claims.due_times import NEW_ZEALAND
from claims.models import Claim, Fact, Message, Turn, WaitingItem
from claims.turn_commit import Timing, commit_turn
from claims.waiting_list import PERSON_ASKED, add_message, enqueue, open_person_request, position_of
from knowledge import audit, lookup
from knowledge.answers import DirectoryLine, Fetched, OpenRelease, Scope, Unavailable

MAX_MESSAGE = 4000
HISTORY_TURNS = 6

logger = logging.getLogger(__name__)


class InvalidMessage(Exception):
    """A text that cannot be taken; the message says what to do."""


class KeyReused(Exception):
    """The idempotency key belongs to another body."""


class TooManyMessages(Exception):
    """More messages than one claim may send in a minute."""


@dataclass(frozen=True)
class Received:
    """A stored message and its turn. `response` is the status and body that an earlier post with this key was given."""

    message_id: UUID
    turn_id: UUID
    is_new: bool
    response: tuple[int, str] | None


def checked_text(text: str) -> str:
    """1 to 4,000 characters that can be stored. Raises InvalidMessage."""
    if "\x00" in text:
        raise InvalidMessage("The text holds a character that cannot be stored (NUL). Remove it and send it again.")
    if not fold(text):
        raise InvalidMessage("The message is empty. Write your question in a few words.")
    if len(text) > MAX_MESSAGE:
        raise InvalidMessage(
            f"The message has {len(text):,} characters; {MAX_MESSAGE:,} are taken. Shorten it or send it in parts."
        )
    return text


def receive_message(
    *, claim_id: UUID, text: str, key: str | None, now: datetime, messages_a_minute: int = 0
) -> Received:
    """Store a customer's message and its turn; safe to repeat with the same key.

    Raises InvalidMessage, KeyReused, TooManyMessages. A `messages_a_minute` of 0 sets no limit.
    """
    checked_text(text)
    body_sha256 = hashlib.sha256(text.encode()).hexdigest()
    with transaction.atomic():
        # The lock makes the sequence gapless and the key's first use unique; without it, posts collide.
        claim = Claim.objects.select_for_update().get(pk=claim_id)
        before = Message.objects.filter(claim=claim, idempotency_key=key).first() if key else None
        if before is not None:
            if before.body_sha256 != body_sha256:
                raise KeyReused
            stored = before.response_status
            response = None if stored is None else (stored, before.response_body)
            turn_id = Turn.objects.values_list("pk", flat=True).get(messages__pk=before.pk)
            return Received(before.pk, turn_id, False, response)
        if messages_a_minute and _sent_since(claim, now - timedelta(minutes=1)) >= messages_a_minute:
            raise TooManyMessages
        claim.last_turn_seq += 1
        claim.save(update_fields=["last_turn_seq"])
        turn = Turn.objects.create(claim=claim, seq=claim.last_turn_seq, text=text, at=now)
        message = add_message(
            claim=claim,
            sender=Message.Sender.CUSTOMER,
            name="",
            text=text,
            now=now,
            turn=turn,
            language=language_of(text),
            idempotency_key=key or None,
            body_sha256=body_sha256,
        )
        audit.record(
            "message.receive", by=audit.CUSTOMER, subject=claim.reference, detail={"turn": claim.last_turn_seq}
        )
    return Received(message.pk, turn.pk, True, None)


def _sent_since(claim: Claim, since: datetime) -> int:
    return Message.objects.filter(claim=claim, sender=Message.Sender.CUSTOMER, at__gt=since).count()


def keep_response(*, message_id: UUID, status: int, body: str) -> None:
    """Store the first response to a post, for its replay."""
    Message.objects.filter(pk=message_id, response_status=None).update(response_status=status, response_body=body)


def configured_model() -> ModelConfig:
    return ModelConfig(settings.PORTAL_MODEL, settings.PORTAL_MODEL_API_BASE, settings.PORTAL_MODEL_TIMEOUT)


def model_label(config: ModelConfig) -> str:
    """How the answering model is named wherever its work is shown."""
    return wording.OFFLINE_CHOOSER if config.is_offline else config.name


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
    """Answer a received turn; nothing happens to one that is running or done already.

    Whatever the model does, the turn ends within PORTAL_TURN_DEADLINE with one reply.
    """
    received = Turn.objects.filter(pk=turn_id, status=Status.RECEIVED)
    if not received.update(status=Status.RUNNING, stage=Stage.PLANNING):
        return
    started = time.monotonic()
    turn = Turn.objects.select_related("claim").get(pk=turn_id)
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
    result = _run(turn, facts, schedule, ask)
    commit_turn(
        turn_id=turn.pk,
        result=result,
        schedule=schedule,
        family_confirmed=family is not None,
        model=model_label(model),
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
    except Exception:
        logger.exception("turn %s ended in an error of the portal", turn.pk)
        return TurnResult(failed=True, wants_decision=asks_for_decision(turn.text))


def _set_stage(turn: Turn, stage: Stage) -> None:
    if stage != turn.stage:
        Turn.objects.filter(pk=turn.pk, status=Status.RUNNING).update(stage=stage)
        turn.stage = stage


def _history(turn: Turn) -> tuple[HistoryTurn, ...]:
    before = Turn.objects.filter(claim=turn.claim, seq__lt=turn.seq, outcome__isnull=False)
    recent = before.prefetch_related("citations").order_by("-seq")[:HISTORY_TURNS]
    return tuple(
        HistoryTurn(t.text, str(t.outcome), tuple(c.clause_id for c in t.citations.all()), t.asked)
        for t in reversed(recent)
    )


def ask_for_person(*, claim_id: UUID, now: datetime) -> tuple[WaitingItem | None, bool]:
    """The claim's request for a person, and whether it is new; (None, False) when the day's items are used up.

    The portal says in the conversation what was done, in the transaction of the row (M9).
    """
    with transaction.atomic():
        claim = Claim.objects.select_for_update().get(pk=claim_id)
        standing = open_person_request(claim)
        if standing is not None:
            return standing, False
        link = enqueue(claim=claim, question=PERSON_ASKED, reason=Reason.PERSON, now=now)
        if link.item is None:
            return None, False
        text = wording.waiting(link.item.reference, position_of(link.item), link.item.due_at)
        add_message(claim=claim, sender=Message.Sender.PORTAL, name="", text=text, now=now)
    return link.item, True


def give_feedback(*, turn: Turn, useful: bool, reason: str) -> None:
    with transaction.atomic():
        Turn.objects.filter(pk=turn.pk).update(useful=useful, useful_reason=reason)
        audit.record("turn.feedback", by=audit.CUSTOMER, subject=str(turn.pk), detail={"useful": useful})
