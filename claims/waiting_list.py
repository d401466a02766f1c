"""The waiting list: how a question comes onto it, and what staff may do with it.

The transitions are a table. Each is one guarded update, so two people never hold one item.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet

from claims.agent.facts import fold
from claims.agent.vocabulary import Reason
from claims.due_times import NEW_ZEALAND, due_at
from claims.models import Claim, Message, WaitingItem
from knowledge import audit

NEW_ITEMS_A_DAY = 5
PERSON_ASKED = "The customer asked to speak to a person."

_OPEN, _TAKEN = WaitingItem.Status.OPEN, WaitingItem.Status.TAKEN
WAITING = (_OPEN, _TAKEN)

# act: (the states it starts from, the state it ends in)
TRANSITIONS: dict[str, tuple[tuple[str, ...], str]] = {
    "take": ((_OPEN,), _TAKEN),
    "release": ((_TAKEN,), _OPEN),
    "answer": (WAITING, WaitingItem.Status.ANSWERED),
    "close": (WAITING, WaitingItem.Status.CLOSED),
}


class CannotDo(Exception):
    """The act is not possible in the item's present state; the message says who or what stands in the way."""


@dataclass(frozen=True)
class Link:
    """How a question came to the list: with a new item, with an open one that it shares, or not at all (`too_many`)."""

    item: WaitingItem | None
    already: bool = False
    too_many: bool = False


def enqueue(*, claim: Claim, question: str, reason: Reason, now: datetime) -> Link:
    """Link a question to an item, inside the caller's transaction and under its lock on the claim.

    The same folded question shares the open item. Over five new items of a claim in a day, nothing is linked.
    """
    folded = hashlib.sha256(fold(question).casefold().encode()).hexdigest()
    shared = WaitingItem.objects.filter(claim=claim, folded_sha256=folded, status__in=WAITING).first()
    if shared is not None:
        return Link(shared, already=True)
    midnight = datetime.combine(now.astimezone(NEW_ZEALAND).date(), time.min, NEW_ZEALAND)
    if WaitingItem.objects.filter(claim=claim, at__gte=midnight).count() >= NEW_ITEMS_A_DAY:
        return Link(None, too_many=True)
    item = WaitingItem.objects.create(
        claim=claim, question=question, folded_sha256=folded, reason=reason, at=now, due_at=due_at(now)
    )
    audit.record("waiting_item.open", by=audit.PORTAL, subject=item.reference, detail={"reason": reason.value})
    return Link(item)


def position_of(item: WaitingItem) -> int:
    """The place in line, from 1, of an item that waits; evaluation runs do not stand in the customers' line."""
    ahead = WaitingItem.objects.filter(status__in=WAITING, at__lt=item.at)
    return ahead.filter(claim__purpose=Claim.Purpose.CUSTOMER).count() + 1


def list_items(*, view: str, user: User, now: datetime) -> QuerySet[WaitingItem]:
    """mine, unowned, overdue, or all that waits, oldest due time first; done, the latest first.

    Evaluation runs never appear.
    """
    items = WaitingItem.objects.filter(claim__purpose=Claim.Purpose.CUSTOMER).select_related("claim", "owner")
    waiting = items.filter(status__in=WAITING)
    views = {
        "mine": waiting.filter(owner=user),
        "unowned": waiting.filter(owner=None),
        "overdue": waiting.filter(due_at__lt=now),
        "done": items.exclude(status__in=WAITING),
    }
    order = ("-done_at", "id") if view == "done" else ("due_at", "at", "id")
    return views.get(view, waiting).order_by(*order)


def take(*, reference: str, by: User) -> WaitingItem:
    """One person owns the item from now on. Raises CannotDo, naming who has it."""
    return _move("take", reference, by, owner=by)


def release(*, reference: str, by: User) -> WaitingItem:
    """Give a taken item back to the list. Raises CannotDo when it is not this person's.

    A superuser may give back anybody's: the owner may be away.
    """
    return _move("release", reference, by, anybodys=by.is_superuser, owner=None)


def answer(*, reference: str, by: User, text: str, seen_seq: int, now: datetime) -> WaitingItem:
    """Send a person's answer into the conversation and end the item.

    Raises CannotDo when the customer wrote after `seen_seq` (the sequence number of the last message that was read),
    when there is no such message yet, when somebody else has the item, or when it is done already.
    """
    with transaction.atomic():
        claim = _lock_claim(reference)
        if seen_seq > claim.last_message_seq:
            raise CannotDo(f"The conversation has no message {seen_seq} yet. Read it again, then send your answer.")
        if Message.objects.filter(claim=claim, sender=Message.Sender.CUSTOMER, seq__gt=seen_seq).exists():
            raise CannotDo(
                "The customer wrote again after what you have read. Read the new message, then send your answer."
            )
        item = _move("answer", reference, by, owner=by, done_at=now)
        add_message(claim=claim, sender=Message.Sender.STAFF, name=staff_name(by), text=text, now=now)
    return item


def close(*, reference: str, by: User, reason: str, now: datetime) -> WaitingItem:
    """End the item without an answer; the reason is kept for staff. Raises CannotDo."""
    return _move("close", reference, by, owner=by, closed_reason=reason, done_at=now)


def note(*, reference: str, by: User, text: str, now: datetime) -> WaitingItem:
    """Add a line for staff, with its author and New Zealand's time; it is never shown to the customer."""
    with transaction.atomic():
        item = WaitingItem.objects.select_for_update().get(reference=reference)
        at = now.astimezone(NEW_ZEALAND)
        item.note = f"{item.note}\n{staff_name(by)}, {at.day} {at:%B %Y, %H:%M}: {text}".strip()
        item.save(update_fields=["note"])
        audit.record("waiting_item.note", by=by, subject=reference, detail={})
    return item


def record_decision(*, reference: str, by: User, text: str, now: datetime) -> WaitingItem:
    """Staff record a decision on the claim: the only way in which a decision comes into the portal (M4).

    It takes the place of an earlier one; the audit keeps the words of each.
    """
    with transaction.atomic():
        claim = _lock_claim(reference)
        claim.decision_text, claim.decided_at, claim.decided_by = text, now, staff_name(by)
        claim.save(update_fields=["decision_text", "decided_at", "decided_by"])
        audit.record("claim.record_decision", by=by, subject=claim.reference, detail={"item": reference, "text": text})
    return WaitingItem.objects.get(reference=reference)


def add_message(*, claim: Claim, sender: str, name: str, text: str, now: datetime, **fields: object) -> Message:
    """Append to the conversation, inside the caller's transaction and under its lock on the claim."""
    claim.last_message_seq += 1
    claim.save(update_fields=["last_message_seq", "last_turn_seq"])
    return Message.objects.create(
        claim=claim, seq=claim.last_message_seq, sender=sender, name=name, text=text, at=now, **fields
    )


def staff_name(user: User) -> str:
    return user.get_full_name() or user.get_username()


def open_person_request(claim: Claim) -> WaitingItem | None:
    """The claim's open request for a person, if there is one."""
    return WaitingItem.objects.filter(claim=claim, reason=Reason.PERSON, status__in=WAITING).order_by("at").first()


def _lock_claim(reference: str) -> Claim:
    claim_id = WaitingItem.objects.values_list("claim_id", flat=True).get(reference=reference)
    return Claim.objects.select_for_update().get(pk=claim_id)


def _move(act: str, reference: str, by: User, *, anybodys: bool = False, **changes: object) -> WaitingItem:
    before, after = TRANSITIONS[act]
    movable = Q(reference=reference, status__in=before)
    if not anybodys:
        movable &= Q(owner=by) | Q(owner=None)
    with transaction.atomic():
        moved = WaitingItem.objects.filter(movable).update(status=after, **changes)
        item = WaitingItem.objects.select_related("owner", "claim").get(reference=reference)
        if not moved:
            raise CannotDo(_why_not(item, by))
        audit.record(f"waiting_item.{act}", by=by, subject=reference, detail={"status": after})
    return item


def _why_not(item: WaitingItem, by: User) -> str:
    if item.status == _OPEN:
        return "Nobody has taken this item, so it is on the list already."
    if item.owner == by:
        return f"You have {item.status} this item already."
    who = "Somebody" if item.owner is None else staff_name(item.owner)
    if item.status == _TAKEN:
        return f"{who} has taken this item. Ask them to release it first."
    return f"{who} has {item.status} this item already."


def overdue_by(item: WaitingItem, now: datetime) -> timedelta | None:
    """How late a waiting item is; None when it is not late or no longer waits."""
    late = now - item.due_at
    return late if item.status in WAITING and late > timedelta(0) else None
