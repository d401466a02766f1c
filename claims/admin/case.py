"""Everything about one waiting item on one screen: why it waits, the conversation, what is known, what was cited."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.timesince import timesince

from claims import waiting_list
from claims.admin.turn_page import TurnPage, turn_page
from claims.agent import wording
from claims.agent.evidence import Schedule
from claims.agent.vocabulary import Field
from claims.claim_state import DecisionView, FactView, claim_view, confirmed, facts_of, schedule_of
from claims.due_times import NEW_ZEALAND
from claims.models import Claim, Message, Turn, WaitingItem
from claims.turn_records import MessageView, messages_of
from knowledge.audit import AuditEntry

ACTS_IN_WORDS = {
    "waiting_item.open": "put on the list",
    "waiting_item.take": "taken",
    "waiting_item.release": "given back to the list",
    "waiting_item.answer": "answered",
    "waiting_item.close": "closed",
    "waiting_item.note": "note added",
    "claim.record_decision": "decision recorded",
}


@dataclass(frozen=True)
class Line:
    """One message; `is_new` when the customer wrote it after the page was opened that the answer was written on."""

    message: MessageView
    is_new: bool


@dataclass(frozen=True)
class ScheduleShown:
    sections: tuple[str, ...]
    details: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Happened:
    what: str
    who: str
    at: datetime


@dataclass(frozen=True)
class Case:
    """`overdue` says how late, empty when it is not; `mine` and `others` say who has a taken item.

    `beside` are the other items of the same claim.
    `last_seq` is the number of the last message shown here: an answer written on this page has seen as far as that.
    """

    item: WaitingItem
    why: str
    position: int | None
    overdue: str
    is_waiting: bool
    owner: str
    mine: bool
    others: bool
    policy_number: str
    schedule: ScheduleShown | None
    facts: tuple[FactView, ...]
    decision: DecisionView | None
    conversation: tuple[Line, ...]
    last_seq: int
    turns: tuple[TurnPage, ...]
    history: tuple[Happened, ...]
    beside: tuple[WaitingItem, ...]

    @property
    def wrote_again(self) -> bool:
        return any(line.is_new for line in self.conversation)


def find_item(item_id: UUID) -> WaitingItem | None:
    """A customer's item; evaluation runs have nothing that waits for staff."""
    items = WaitingItem.objects.select_related("claim", "owner")
    return items.filter(pk=item_id, claim__purpose=Claim.Purpose.CUSTOMER).first()


def case_of(item: WaitingItem, *, viewer: User, now: datetime, seen_seq: int | None = None) -> Case:
    """`seen_seq`: as far as the viewer had read when they sent what could not be done; None on a fresh page."""
    claim = item.claim
    view = claim_view(claim, now.astimezone(NEW_ZEALAND).date())
    messages = messages_of(claim)
    late = waiting_list.overdue_by(item, now)
    turns = Turn.objects.filter(waiting_item=item).select_related("claim", "waiting_item").prefetch_related("citations")
    is_taken = item.status == WaitingItem.Status.TAKEN
    return Case(
        item=item,
        why=wording.REASONS_IN_WORDS[item.reason],
        position=next((w.position for w in view.waiting if w.reference == item.reference), None),
        overdue="" if late is None else timesince(item.due_at, now),
        is_waiting=item.status in waiting_list.WAITING,
        owner="" if item.owner is None else waiting_list.staff_name(item.owner),
        mine=is_taken and item.owner == viewer,
        others=is_taken and item.owner != viewer,
        policy_number=view.policy_number,
        schedule=_schedule(claim),
        facts=view.facts,
        decision=view.decision,
        conversation=tuple(Line(message, _is_new(message, seen_seq)) for message in messages),
        last_seq=messages[-1].seq if messages else 0,
        turns=tuple(turn_page(turn) for turn in turns.order_by("seq")),
        history=tuple(_history(item)),
        beside=tuple(WaitingItem.objects.filter(claim=claim).exclude(pk=item.pk).order_by("at")),
    )


def _is_new(message: MessageView, seen_seq: int | None) -> bool:
    return seen_seq is not None and message.seq > seen_seq and message.sender == Message.Sender.CUSTOMER


def _schedule(claim: Claim) -> ScheduleShown | None:
    schedule = schedule_of(claim, confirmed(facts_of(claim), Field.FAMILY))
    if not isinstance(schedule, Schedule):
        return None
    return ScheduleShown(
        tuple(wording.code_label(code) for code in schedule.sections),
        tuple((detail.label, detail.value) for detail in schedule.details),
    )


def _history(item: WaitingItem) -> Iterable[Happened]:
    of_item = Q(subject=item.reference)
    decisions = Q(subject=item.claim.reference, act="claim.record_decision")
    for entry in AuditEntry.objects.filter(of_item | decisions).order_by("id"):
        yield Happened(ACTS_IN_WORDS.get(entry.act, entry.act), entry.by_name, entry.at)
