"""The conversation: a message is received and stored with its turn, a person is asked for, an answer is judged.

How a turn is answered is the business of `answering`.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from claims.agent import wording
from claims.agent.facts import fold
from claims.agent.message_language import language_of
from claims.agent.vocabulary import Reason
from claims.fault_points import RECEIVED, reached
from claims.models import Claim, Message, Turn, WaitingItem
from claims.waiting_list import PERSON_ASKED, add_message, enqueue, open_person_request, position_of
from knowledge import audit

MAX_MESSAGE = 4000


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
    reached(RECEIVED)
    return Received(message.pk, turn.pk, True, None)


def _sent_since(claim: Claim, since: datetime) -> int:
    return Message.objects.filter(claim=claim, sender=Message.Sender.CUSTOMER, at__gt=since).count()


def keep_response(*, message_id: UUID, status: int, body: str) -> None:
    """Store the first response to a post, for its replay."""
    Message.objects.filter(pk=message_id, response_status=None).update(response_status=status, response_body=body)


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
