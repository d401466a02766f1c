"""A claim's committed rows as its page shows them: entries in order, answers in parts, facts, waiting items.

Nothing is worded or decided here that the turn did not say; this only puts it in place. All text stays plain text, and
the templates escape it.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings

from claims.agent import wording
from claims.agent.vocabulary import Field, Form, Outcome
from claims.claim_state import FactView, WaitingView, claim_view
from claims.due_times import NEW_ZEALAND
from claims.models import Claim, Turn
from claims.turn_records import CitationView, MessageView, SegmentView, TurnView, messages_of, turns_of

ALWAYS_LISTED = (Field.FAMILY, Field.LOSS_DATE)
_REFERENCE = re.compile(r"WL-[0-9A-Z]+")
NOTICES = {wording.TOO_MANY_WAITING, wording.NOT_QUEUED}
EXAMPLES = {
    "motor": (
        "Will my policy pay for a rental car while mine is repaired?",
        "What is my excess?",
        "Do I have to tell the Police?",
    ),
    "home": ("Is a burst pipe included?", "Where can we live while the house is repaired?", "What is my excess?"),
    "contents": ("Is my laptop included when I travel?", "Is a broken phone screen included?", "What is my excess?"),
}
REASONS = {
    "person": "You asked for a person",
    "needs_decision": "A question that a person decides",
    "over_budget": "A question for our staff",
    "guard_rejected": "A question for our staff",
    "unavailable": "A question while the wording could not be read",
    "no_schedule": "A question about a policy without a schedule",
    "not_found": "A question that no clause answers",
}


@dataclass(frozen=True)
class Block:
    """A paragraph, or the bullets of a list."""

    text: str = ""
    bullets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Line:
    """One sentence of the reply; `is_quote` when it is the clause's own words."""

    is_quote: bool
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Part:
    """Sentences that stand together: those of one clause with the clause to open, or one sentence without."""

    lines: tuple[Line, ...]
    clause: CitationView | None = None
    clause_blocks: tuple[Block, ...] = ()


@dataclass(frozen=True)
class Promise:
    """The sentence about the waiting list, cut around its reference so that this can stand out."""

    before: str
    reference: str
    after: str


@dataclass(frozen=True)
class Answer:
    turn_id: str
    parts: tuple[Part, ...]
    noted: tuple[str, ...]
    asks: tuple[str, ...]
    asks_family: bool
    cannot_decide: str
    promise: Promise | None
    notices: tuple[str, ...]
    model: str
    useful: bool | None
    reason_given: bool


@dataclass(frozen=True)
class Entry:
    """`kind`: customer, staff, portal (a sentence without a question), answer, pending."""

    kind: str
    anchor: str
    name: str
    at: str
    iso: str
    text: str
    answer: Answer | None = None
    promise: Promise | None = None


@dataclass(frozen=True)
class FactRow:
    field: str
    label: str
    value: str
    shown: str
    is_given: bool
    confirmed: bool
    can_confirm: bool


@dataclass(frozen=True)
class WaitingRow:
    reference: str
    what: str
    state: str
    due: str
    is_done: bool


@dataclass(frozen=True)
class ClaimPage:
    """`pending`: an answer is expected any moment. `draft`: a question that can be sent again as it stands."""

    reference: str
    policy_number: str
    family: str
    has_schedule: bool
    entries: tuple[Entry, ...]
    facts: tuple[FactRow, ...]
    missing: tuple[FactRow, ...]
    waiting: tuple[WaitingRow, ...]
    decision: str
    examples: tuple[str, ...]
    pending: bool
    draft: str


def when(at: datetime) -> str:
    """A moment as people here write it: 4 April 2027, 2:30 pm (New Zealand's time)."""
    local = at.astimezone(NEW_ZEALAND)
    return f"{wording.day(local.date())}, {local.hour % 12 or 12}:{local:%M} {'am' if local.hour < 12 else 'pm'}"


def blocks_of(text: str) -> tuple[Block, ...]:
    """Stored text -> paragraphs and lists; a line that begins with "- " is a bullet, every other line stands alone."""
    blocks: list[Block] = []
    for line in text.split("\n"):
        if line.startswith("- "):
            before = blocks.pop().bullets if blocks and blocks[-1].bullets else ()
            blocks.append(Block(bullets=(*before, line[2:])))
        elif line.strip():
            blocks.append(Block(text=line))
    return tuple(blocks)


def claim_page(claim: Claim, *, now: datetime) -> ClaimPage:
    """Everything that the conversation's page shows of one claim."""
    view = claim_view(claim, now.astimezone(NEW_ZEALAND).date())
    turns = turns_of(claim)
    useful = {str(pk): (said, bool(reason)) for pk, said, reason in _feedback(claim)}
    by_turn = {turn.id: turn for turn in turns}
    entries: list[Entry] = []
    for message in messages_of(claim):
        turn = by_turn.get(message.turn or "")
        entries.append(_entry(message, turn, useful))
        if message.sender == "customer" and turn is not None and turn.reply is None:
            waits = wording.pending(turn.stage, is_late=now - turn.at >= _soon())
            entries.append(Entry("pending", f"pending-{turn.id}", "", "", "", waits))
    last = turns[-1] if turns else None
    given = {fact.field: fact for fact in view.facts}
    return ClaimPage(
        reference=view.reference,
        policy_number=view.policy_number,
        family=view.family or "",
        has_schedule=view.schedule == "found",
        entries=tuple(entries),
        facts=tuple(_fact_row(f, given.get(f)) for f in Field if f in given or f in ALWAYS_LISTED),
        missing=tuple(_fact_row(f, None) for f in Field if f not in given and f not in ALWAYS_LISTED),
        waiting=tuple(_waiting_row(item) for item in view.waiting),
        decision=wording.recorded_decision(view.decision.text, view.decision.decided_at, view.decision.by)
        if view.decision
        else "",
        examples=EXAMPLES.get(view.family or "", EXAMPLES["motor"]),
        pending=last is not None and last.reply is None and now - last.at < _soon(),
        draft=last.message
        if last is not None and last.outcome == Outcome.FAMILY_NEEDED and view.family_confirmed
        else "",
    )


def _soon() -> timedelta:
    """How long an answer is awaited on the page: a whole turn, and before it the time in which a lost one is found."""
    found = settings.PORTAL_SWEEP_GRACE + settings.PORTAL_SWEEP_SECONDS if settings.REDIS_URL else 0
    return timedelta(seconds=settings.PORTAL_TURN_DEADLINE + found + 5)


def _feedback(claim: Claim) -> list[tuple[object, bool | None, str]]:
    return list(Turn.objects.filter(claim=claim).values_list("pk", "useful", "useful_reason"))


def _entry(message: MessageView, turn: TurnView | None, useful: dict[str, tuple[bool | None, bool]]) -> Entry:
    kind, answer = message.sender, None
    if message.sender == "portal" and turn is not None and turn.reply is not None:
        kind, answer = "answer", _answer(turn, *useful.get(turn.id, (None, False)))
    return Entry(
        kind=kind,
        anchor=f"message-{message.id}",
        name=message.name,
        at=when(message.at),
        iso=message.at.isoformat(),
        text=message.text,
        answer=answer,
        promise=_promise(message.text) if kind == "portal" else None,
    )


def _promise(text: str) -> Promise:
    found = _REFERENCE.search(text)
    return Promise(text[: found.start()], found[0], text[found.end() :]) if found else Promise(text, "", "")


def _answer(turn: TurnView, useful: bool | None, reason_given: bool) -> Answer:
    segments = turn.reply.segments if turn.reply else ()
    clauses = {citation.clause_id: citation for citation in turn.citations}
    cannot_decide = wording.FORMS[Form.CANNOT_DECIDE]
    said = [s for s in segments if s.text not in NOTICES and s.text != cannot_decide]
    return Answer(
        turn_id=turn.id,
        parts=_parts([s for s in said if s.kind in {"plain", "quote", "schedule", "form"}], clauses),
        noted=_texts(said, "noted"),
        asks=(*_texts(said, "clarify"), *_texts(said, "ask")),
        asks_family=wording.QUESTIONS[Field.FAMILY] in _texts(said, "ask"),
        cannot_decide=cannot_decide if any(s.text == cannot_decide for s in segments) else "",
        promise=next((_promise(text) for text in _texts(said, "escalate")), None),
        notices=tuple(s.text for s in segments if s.text in NOTICES),
        model=turn.model,
        useful=useful,
        reason_given=reason_given,
    )


def _texts(segments: list[SegmentView], kind: str) -> tuple[str, ...]:
    return tuple(segment.text for segment in segments if segment.kind == kind)


def _parts(segments: list[SegmentView], clauses: dict[str, CitationView]) -> tuple[Part, ...]:
    """Sentences of the same clause that follow one another share the button that opens it."""
    parts: list[Part] = []
    for segment in segments:
        line = Line(segment.kind == "quote", blocks_of(segment.text))
        clause = clauses.get(segment.citation.clause_id) if segment.citation else None
        if clause is None:
            parts.append(Part((line,)))
        elif parts and parts[-1].clause == clause:
            parts[-1] = Part((*parts[-1].lines, line), clause, parts[-1].clause_blocks)
        else:
            parts.append(Part((line,), clause, blocks_of(clause.text)))
    return tuple(parts)


def _fact_row(field: Field, fact: FactView | None) -> FactRow:
    if fact is None:
        return FactRow(field.value, wording.FIELD_LABELS[field], "", "", False, False, False)
    can_confirm = not fact.confirmed and (field is not Field.LOSS_DATE or _is_date(fact.value))
    return FactRow(fact.field, fact.label, fact.value, fact.shown, True, fact.confirmed, can_confirm)


def _is_date(value: str) -> bool:
    """Words that the server could not read as a date cannot be confirmed, only changed."""
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _waiting_row(item: WaitingView) -> WaitingRow:
    states = {
        "open": f"Waiting, number {item.position} in line",
        "taken": "A person is working on it",
        "answered": "Answered",
        "closed": "Closed by our staff",
    }
    is_done = item.position is None
    due = "" if is_done else when(item.due_at)
    return WaitingRow(
        item.reference, REASONS.get(item.reason, "A question for our staff"), states[item.status], due, is_done
    )
