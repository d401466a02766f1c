"""What a turn showed and how its answer came about, read from committed rows: for the API, pages and evaluation."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from claims.claim_state import WaitingView, waiting_view
from claims.models import Claim, Message, Turn


@dataclass(frozen=True)
class CitationOf:
    clause_id: str
    version: str
    sentences: tuple[int, ...]
    line: int | None


@dataclass(frozen=True)
class SegmentView:
    kind: str
    text: str
    citation: CitationOf | None


@dataclass(frozen=True)
class ReplyView:
    text: str
    segments: tuple[SegmentView, ...]


@dataclass(frozen=True)
class CitationView:
    clause_id: str
    title: str
    version: str
    text: str


@dataclass(frozen=True)
class TurnView:
    """A turn as the customer gets it; `outcome` and `reply` are None while it is pending."""

    id: str
    claim: str
    seq: int
    status: str
    stage: str | None
    outcome: str | None
    message: str
    reply: ReplyView | None
    citations: tuple[CitationView, ...]
    waiting_item: WaitingView | None
    model: str
    at: datetime


@dataclass(frozen=True)
class MessageView:
    id: str
    seq: int
    sender: str
    name: str
    text: str
    at: datetime
    turn: str | None


@dataclass(frozen=True)
class TurnRecord:
    """How an answer came about (M59), for staff. None: the step was not reached; an empty list: it gave nothing."""

    turn: TurnView
    plan: dict[str, Any] | None
    directory: list[dict[str, str]] | None
    requested: list[str] | None
    returned: list[dict[str, str]] | None
    not_found: list[str] | None
    guidance_status: str | None
    schedule: dict[str, Any] | None
    cited: list[str]
    violations: list[dict[str, Any]]
    repaired: bool
    safe_reply: bool
    release_version: str | None
    release_effective_from: date | None
    model_configured: str
    model_returned: str | None
    calls: list[dict[str, Any]]
    cost: float | None
    total_ms: int | None
    model_ms: int | None


def turn_view(turn: Turn) -> TurnView:
    """From the rows as they are committed; call it outside the turn's transaction."""
    citations = tuple(
        CitationView(c.clause_id, c.title, c.version, c.text)
        for c in sorted(turn.citations.all(), key=lambda c: c.position)
    )
    return TurnView(
        id=str(turn.pk),
        claim=turn.claim.reference,
        seq=turn.seq,
        status=turn.status,
        stage=turn.stage,
        outcome=turn.outcome,
        message=turn.text,
        reply=None if turn.segments is None else _reply_view(turn.segments),
        citations=citations,
        waiting_item=None if turn.waiting_item is None else waiting_view(turn.waiting_item),
        model=turn.model_configured,
        at=turn.at,
    )


def _reply_view(segments: list[dict[str, Any]]) -> ReplyView:
    views = tuple(
        SegmentView(
            segment["kind"],
            segment["text"],
            None if segment["citation"] is None else CitationOf(**_tupled(segment["citation"])),
        )
        for segment in segments
    )
    return ReplyView("\n".join(view.text for view in views), views)


def _tupled(citation: dict[str, Any]) -> dict[str, Any]:
    return {**citation, "sentences": tuple(citation["sentences"])}


def find_turn(turn_id: UUID | str, claim: Claim | None = None) -> Turn | None:
    """A turn with its citations and waiting item, of this claim when one is given; None when there is none."""
    turns = Turn.objects.select_related("claim", "waiting_item").prefetch_related("citations")
    if claim is not None:
        turns = turns.filter(claim=claim)
    return turns.filter(pk=turn_id).first()


def turns_of(claim: Claim) -> tuple[TurnView, ...]:
    turns = Turn.objects.filter(claim=claim).select_related("claim", "waiting_item").prefetch_related("citations")
    return tuple(turn_view(turn) for turn in turns.order_by("seq"))


def turn_record(turn: Turn) -> TurnRecord:
    return TurnRecord(
        turn=turn_view(turn),
        plan=turn.plan,
        directory=turn.directory,
        requested=turn.requested,
        returned=turn.returned,
        not_found=turn.not_found,
        guidance_status=turn.guidance_status,
        schedule=turn.schedule,
        cited=[c.clause_id for c in sorted(turn.citations.all(), key=lambda c: c.position)],
        violations=turn.violations,
        repaired=turn.repaired,
        safe_reply=turn.safe_reply,
        release_version=turn.release_version,
        release_effective_from=turn.release_effective_from,
        model_configured=turn.model_configured,
        model_returned=turn.model_returned,
        calls=turn.calls,
        cost=turn.cost,
        total_ms=turn.total_ms,
        model_ms=turn.model_ms,
    )


def messages_of(claim: Claim) -> tuple[MessageView, ...]:
    """The whole conversation in its order, staff's messages included."""
    return tuple(message_view(message) for message in Message.objects.filter(claim=claim).order_by("seq"))


def message_view(message: Message) -> MessageView:
    turn_id = None if message.turn_id is None else str(message.turn_id)
    return MessageView(str(message.pk), message.seq, message.sender, message.name, message.text, message.at, turn_id)
