"""Every check of a model's reply against this turn's evidence. A reply stands whole or not at all (`guards.md` R6)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from claims.agent.clarify import is_clarifying_question
from claims.agent.evidence import Evidence
from claims.agent.tools import MAX_SENTENCES, Refused, Violation
from claims.agent.vocabulary import MODEL_FORMS, MODEL_REASONS, Code, Field, Form, Reason


@dataclass(frozen=True)
class Quote:
    clause_id: str
    sentences: tuple[int, ...]


@dataclass(frozen=True)
class Plain:
    clause_id: str
    line: int


@dataclass(frozen=True)
class ScheduleCode:
    code: str


@dataclass(frozen=True)
class Formed:
    form: Form


@dataclass(frozen=True)
class Noted:
    field: Field


@dataclass(frozen=True)
class Asked:
    field: Field


@dataclass(frozen=True)
class StatusAsked:
    """What staff recorded of the claim."""


@dataclass(frozen=True)
class Clarified:
    """The one text of the model's that is shown: a question in the closed vocabulary."""

    question: str


@dataclass(frozen=True)
class Escalated:
    reason: Reason


Segment = Quote | Plain | ScheduleCode | Formed | Noted | Asked | StatusAsked | Clarified | Escalated


@dataclass(frozen=True)
class Ground:
    """What a reply is held against: this turn's evidence and state, nothing older."""

    evidence: Evidence
    written: frozenset[Field]
    confirmed: frozenset[Field]


def check(raw: tuple[dict[str, Any], ...], ground: Ground) -> tuple[Segment, ...]:
    """The typed segments. Raises Refused with every violation found (V3, V4, V5); nothing is trimmed or mended."""
    found: list[Violation] = []
    segments: list[Segment] = []
    for number, segment in enumerate(raw):
        try:
            segments.append(_CHECKS[segment["kind"]](segment, ground))
        except _Wrong as wrong:
            found.append(Violation(wrong.code, wrong.detail, number))
    found.extend(_together(segments))
    if found:
        raise Refused(*found)
    return tuple(segments)


class _Wrong(Exception):
    def __init__(self, code: Code, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


def _fetched(segment: dict[str, Any], ground: Ground) -> str:
    """M21: a clause that was not fetched in this turn cannot be cited, whatever an earlier turn fetched."""
    clause_id = segment["clause_id"]
    if not isinstance(clause_id, str) or clause_id not in ground.evidence.by_id:
        raise _Wrong(Code.NOT_FETCHED, "this clause was not fetched in this turn")
    return clause_id


def _is_index(value: Any, count: int) -> bool:
    return type(value) is int and 1 <= value <= count


def _quote(segment: dict[str, Any], ground: Ground) -> Quote:
    clause_id = _fetched(segment, ground)
    count = len(ground.evidence.by_id[clause_id].clause.sentences)
    indexes = segment["sentences"]
    if not isinstance(indexes, list) or not 1 <= len(indexes) <= MAX_SENTENCES:
        raise _Wrong(Code.BAD_SPAN, f"name 1 to {MAX_SENTENCES} sentences")
    if not all(_is_index(index, count) for index in indexes):
        raise _Wrong(Code.BAD_SPAN, f"sentences are numbered 1 to {count}")
    if indexes != sorted(set(indexes)):
        raise _Wrong(Code.BAD_SPAN, "name sentences in order, each once")
    return Quote(clause_id, tuple(indexes))


def _plain(segment: dict[str, Any], ground: Ground) -> Plain:
    clause_id = _fetched(segment, ground)
    clause = ground.evidence.by_id[clause_id].clause
    if ground.evidence.is_unlisted(clause.schedule_section):
        raise _Wrong(Code.STATE_DISAGREES, "the schedule does not list this clause's benefit: quote its sentences")
    if not _is_index(segment["line"], len(clause.plain)):
        raise _Wrong(Code.BAD_SPAN, f"plain lines are numbered 1 to {len(clause.plain)}")
    return Plain(clause_id, segment["line"])


def _schedule(segment: dict[str, Any], ground: Ground) -> ScheduleCode:
    code = segment["section"]
    if not isinstance(code, str) or code not in ground.evidence.schedule_codes():
        raise _Wrong(Code.STATE_DISAGREES, "this code is neither the release's nor this schedule's")
    return ScheduleCode(code)


def _form(segment: dict[str, Any], ground: Ground) -> Formed:
    name = segment["name"]
    if not isinstance(name, str) or name not in set(MODEL_FORMS):
        raise _Wrong(Code.STATE_DISAGREES, f"a form is one of {', '.join(MODEL_FORMS)}")
    return Formed(Form(name))


def _field(segment: dict[str, Any]) -> Field:
    name = segment["field"]
    if not isinstance(name, str) or name not in set(Field):
        raise _Wrong(Code.STATE_DISAGREES, "this is not a field of the claim")
    return Field(name)


def _noted(segment: dict[str, Any], ground: Ground) -> Noted:
    field = _field(segment)
    if field not in ground.written:
        raise _Wrong(Code.STATE_DISAGREES, "nothing was noted for this field in this turn")
    return Noted(field)


def _ask(segment: dict[str, Any], ground: Ground) -> Asked:
    field = _field(segment)
    if field in ground.confirmed:
        raise _Wrong(Code.STATE_DISAGREES, "this field is confirmed already")
    return Asked(field)


def _status(segment: dict[str, Any], ground: Ground) -> StatusAsked:
    return StatusAsked()


def _clarify(segment: dict[str, Any], ground: Ground) -> Clarified:
    text = segment["text"]
    if not isinstance(text, str) or not is_clarifying_question(text):
        raise _Wrong(Code.FREE_TEXT, "a question must be plain English about what happened, in the known words")
    return Clarified(text)


def _escalate(segment: dict[str, Any], ground: Ground) -> Escalated:
    reason = segment["reason"]
    if not isinstance(reason, str) or reason not in set(MODEL_REASONS):
        raise _Wrong(Code.STATE_DISAGREES, f"a reason is one of {', '.join(MODEL_REASONS)}")
    return Escalated(Reason(reason))


_CHECKS: dict[str, Callable[[dict[str, Any], Ground], Segment]] = {
    "quote": _quote,
    "plain": _plain,
    "schedule": _schedule,
    "form": _form,
    "noted": _noted,
    "ask": _ask,
    "status": _status,
    "clarify": _clarify,
    "escalate": _escalate,
}


def _together(segments: list[Segment]) -> list[Violation]:
    """A reply cannot say that nothing was found beside something that was."""
    says_nothing = any(isinstance(segment, Formed) and segment.form is Form.NOT_FOUND for segment in segments)
    says_something = any(isinstance(segment, Quote | Plain | ScheduleCode) for segment in segments)
    if says_nothing and says_something:
        return [Violation(Code.STATE_DISAGREES, "not_found cannot stand beside a clause or the schedule")]
    if sum(isinstance(segment, Clarified) for segment in segments) > 1:
        return [Violation(Code.FREE_TEXT, "at most one question can be asked back")]
    return []


def legal_answer(evidence: Evidence) -> str:
    """What a reply of this turn may name, for the repair request: ids and ranges, nothing else."""
    counts = {i: (len(f.clause.sentences), len(evidence.plain_lines(i))) for i, f in evidence.by_id.items()}
    clauses = "; ".join(f"{i}: sentences 1 to {all_}, plain 1 to {plain}" for i, (all_, plain) in counts.items())
    codes = ", ".join(sorted(evidence.schedule_codes()))
    return f"clauses: {clauses or 'none'}. schedule codes: {codes or 'none'}. forms: {', '.join(MODEL_FORMS)}."
