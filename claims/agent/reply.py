"""Checked segments and committed rows -> the sentences of a reply, in the fixed order of `turn.md`.

Every sentence is the stored text of a fetched clause, the schedule's state, or one of `wording`'s.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from claims.agent import wording
from claims.agent.checks import Asked, Clarified, Formed, Plain, Quote, ScheduleCode, StatusAsked
from claims.agent.endings import Situation
from claims.agent.evidence import Evidence, NoEvidence, Schedule
from claims.agent.facts import HeardFact
from claims.agent.vocabulary import Field, Form, Kind, Outcome
from knowledge.answers import Missing
from knowledge.clause_text import ClauseText


@dataclass(frozen=True)
class ShownCitation:
    """Which part of which clause a sentence shows: sentence numbers, or one plain line."""

    clause_id: str
    version: str
    sentences: tuple[int, ...]
    line: int | None


@dataclass(frozen=True)
class ReplySentence:
    """`kind` is one of quote, plain, schedule, form, noted, ask, clarify, escalate."""

    kind: str
    text: str
    citation: ShownCitation | None = None


@dataclass(frozen=True)
class Queued:
    """The committed waiting row that a turn is linked to; `already` when an open one was shared."""

    reference: str
    position: int
    due_at: datetime
    already: bool


@dataclass(frozen=True)
class Committed:
    """What the turn's transaction wrote and the reply may therefore say."""

    noted: tuple[HeardFact, ...] = ()
    queued: Queued | None = None
    too_many: bool = False
    not_queued: bool = False
    next_field: Field | None = None
    decision: str | None = None


@dataclass
class _Reply:
    situation: Situation
    outcome: Outcome
    committed: Committed
    sentences: list[ReplySentence] = field(default_factory=list)
    shown: set[tuple[str, int]] = field(default_factory=set)

    def add(self, kind: str, text: str, citation: ShownCitation | None = None) -> None:
        self.sentences.append(ReplySentence(kind, text, citation))

    def form(self, form: Form) -> None:
        self.add("form", wording.FORMS[form])


def compose(
    situation: Situation, outcome: Outcome, committed: Committed, *, english: bool
) -> tuple[ReplySentence, ...]:
    """The reply's sentences. What `committed` does not hold is not said (M9)."""
    reply = _Reply(situation, outcome, committed)
    if not english:
        reply.form(Form.ENGLISH_ONLY)
    if outcome is Outcome.FAILED:
        reply.add("form", wording.SAFE_REPLY)
    elif outcome is Outcome.OVER_BUDGET:
        reply.add("form", wording.OVER_BUDGET)
    else:
        _state(reply)
        _body(reply)
        _schedule_of_clauses(reply)
    for fact in committed.noted:
        reply.add("noted", _noted(fact))
    _ask(reply)
    if situation.result.wants_decision or any(s.kind in {"quote", "plain", "schedule"} for s in reply.sentences):
        reply.form(Form.CANNOT_DECIDE)
    _waiting(reply)
    return tuple(reply.sentences)


def _state(reply: _Reply) -> None:
    situation = reply.situation
    if reply.outcome is Outcome.UNAVAILABLE:
        missing = situation.evidence.missing if situation.evidence else None
        reply.add("form", wording.UNAVAILABLE[missing or Missing.STORE])
        if isinstance(situation.schedule, Schedule) and situation.schedule.sections:
            reply.add("schedule", wording.schedule_list([wording.code_label(c) for c in situation.schedule.sections]))
    if isinstance(situation.schedule, NoEvidence) and situation.kind is Kind.QUESTION:
        reply.form(Form.NO_SCHEDULE)
    for code in situation.unlisted_codes:
        reply.add("schedule", wording.not_listed(code))


def _body(reply: _Reply) -> None:
    situation, evidence = reply.situation, reply.situation.evidence
    if reply.outcome is Outcome.FAMILY_NEEDED:
        reply.form(Form.FAMILY_NEEDED)
    elif situation.kind is Kind.STATUS and reply.committed.decision:
        reply.add("form", reply.committed.decision)
    elif reply.outcome is Outcome.CLARIFY:
        reply.add("form", wording.NOTHING_HEARD)
    elif reply.outcome is Outcome.OTHER:
        reply.form(Form.WHAT_I_CAN_DO)
    if evidence is not None:
        _model_segments(reply, evidence)
    if reply.outcome is Outcome.NOT_FOUND:
        _not_found(reply, situation.kind)


def _not_found(reply: _Reply, kind: Kind | None) -> None:
    text = wording.NOTHING_RECORDED if kind is Kind.STATUS else wording.FORMS[Form.NOT_FOUND]
    if all(sentence.text != text for sentence in reply.sentences):
        reply.add("form", text)


def _model_segments(reply: _Reply, evidence: Evidence) -> None:
    segments = reply.situation.result.segments
    last = {s.clause_id: number for number, s in enumerate(segments) if isinstance(s, Quote | Plain)}
    for number, segment in enumerate(segments):
        if isinstance(segment, Quote):
            _quote(reply, evidence, segment.clause_id, segment.sentences)
        elif isinstance(segment, Plain):
            version = evidence.by_id[segment.clause_id].version
            line = evidence.plain_lines(segment.clause_id)[segment.line - 1]
            reply.add("plain", line, ShownCitation(segment.clause_id, version, (), segment.line))
        elif isinstance(segment, ScheduleCode):
            _schedule_code(reply, evidence, segment.code)
        elif isinstance(segment, StatusAsked):
            reply.add("form", reply.committed.decision or wording.NOTHING_RECORDED)
        elif isinstance(segment, Clarified):
            reply.add("clarify", segment.question)
        elif isinstance(segment, Formed) and not (
            segment.form is Form.NOT_FOUND and reply.outcome is not Outcome.NOT_FOUND
        ):
            reply.form(segment.form)
        if isinstance(segment, Quote | Plain) and last[segment.clause_id] == number:
            _always_shown(reply, evidence, segment.clause_id)


def _quote(reply: _Reply, evidence: Evidence, clause_id: str, indexes: Iterable[int]) -> None:
    fetched = evidence.by_id[clause_id]
    shown = with_lead_ins(fetched.clause, indexes)
    reply.shown.update((clause_id, index) for index in shown)
    reply.add("quote", stored_text(fetched.clause, shown), ShownCitation(clause_id, fetched.version, shown, None))


def _always_shown(reply: _Reply, evidence: Evidence, clause_id: str) -> None:
    sentences = evidence.by_id[clause_id].clause.sentences
    owed = [s.index for s in sentences if s.always and (clause_id, s.index) not in reply.shown]
    if owed:
        _quote(reply, evidence, clause_id, owed)


def with_lead_ins(clause: ClauseText, indexes: Iterable[int]) -> tuple[int, ...]:
    """The sentences to show, in order: a bullet never stands without its lead-in line."""
    wanted = set(indexes)
    wanted.update(s.lead_in for s in clause.sentences if s.index in set(wanted) and s.lead_in is not None)
    return tuple(sorted(wanted))


def stored_text(clause: ClauseText, indexes: Iterable[int]) -> str:
    """The stored characters of the sentences: bullets on lines of their own, the others one after another."""
    text, after_bullet = "", False
    for index in indexes:
        is_bullet = clause.sentences[index - 1].bullet
        gap = "" if not text else "\n" if is_bullet or after_bullet else " "
        text += f"{gap}{'- ' if is_bullet else ''}{clause.sentence_text(index)}"
        after_bullet = is_bullet
    return text


def _schedule_code(reply: _Reply, evidence: Evidence, code: str) -> None:
    schedule = evidence.schedule
    said_elsewhere = code in reply.situation.cited_codes or code in reply.situation.unlisted_codes
    if isinstance(schedule, NoEvidence) or said_elsewhere:
        return
    shown_detail = next((d for d in schedule.details if d.code == code), None)
    if shown_detail is not None:
        reply.add("schedule", wording.detail(shown_detail.label, shown_detail.value))
    elif code in evidence.release_codes:
        reply.add("schedule", wording.listed(code))
    else:
        reply.add("schedule", wording.listed_option(code))


def _schedule_of_clauses(reply: _Reply) -> None:
    schedule = reply.situation.schedule
    if isinstance(schedule, Schedule):
        for code in reply.situation.cited_codes:
            if schedule.lists(code):
                reply.add("schedule", wording.listed(code))


def _noted(fact: HeardFact) -> str:
    return wording.noted(fact.field, fact.value, fact.words)


def _ask(reply: _Reply) -> None:
    asked = asked_field(reply.situation, reply.committed.next_field)
    if asked is not None:
        reply.add("ask", wording.QUESTIONS[asked])


def asked_field(situation: Situation, next_field: Field | None) -> Field | None:
    """The field that the reply asks for, stored for the history of later turns."""
    return next_field or next((s.field for s in situation.result.segments if isinstance(s, Asked)), None)


def _waiting(reply: _Reply) -> None:
    queued = reply.committed.queued
    if queued is not None:
        say = wording.already_waiting if queued.already else wording.waiting
        reply.add("escalate", say(queued.reference, queued.position, queued.due_at))
    elif reply.committed.too_many:
        reply.add("form", wording.TOO_MANY_WAITING)
    elif reply.committed.not_queued:
        reply.add("form", wording.NOT_QUEUED)
