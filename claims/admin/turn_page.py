"""A turn's record arranged for staff's eyes. The model's own output is kept apart: nobody has verified it."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from claims.agent import wording
from claims.agent.vocabulary import Code
from claims.models import Turn
from claims.turn_records import TurnRecord, turn_record

CODES_IN_WORDS = {
    Code.NO_TOOL_CALL: "answered in prose, without the tool",
    Code.MALFORMED: "malformed output",
    Code.NOT_FETCHED: "a clause that was not fetched in this turn",
    Code.BAD_SPAN: "a sentence or line that the clause does not have",
    Code.STATE_DISAGREES: "disagrees with the state of the claim or schedule",
    Code.FREE_TEXT: "words of its own",
    Code.UNKNOWN_KIND: "an unknown kind of segment",
    Code.OVER_LIMIT: "over the limit of calls, time or length",
    Code.PROVIDER: "the provider failed",
}


@dataclass(frozen=True)
class Refusal:
    """Why an output was refused: the code in words, the segment from 1 where one is at fault."""

    code: str
    words: str
    segment: int | None
    detail: str


@dataclass(frozen=True)
class Output:
    """What the model sent in one call. It was never checked as a whole, and never shown to the customer."""

    step: str
    calls: tuple[tuple[str, str], ...]
    content: str
    finish_reason: str


@dataclass(frozen=True)
class TurnPage:
    record: TurnRecord
    claim_id: str
    outcome: str
    done_at: datetime | None
    useful: bool | None
    useful_reason: str
    sections: tuple[str, ...]
    refusals: tuple[Refusal, ...]
    outputs: tuple[Output, ...]
    server_ms: int | None


def turn_page(turn: Turn) -> TurnPage:
    record = turn_record(turn)
    known = record.total_ms is not None and record.model_ms is not None
    schedule = record.schedule or {}
    return TurnPage(
        record=record,
        claim_id=str(turn.claim_id),
        outcome="" if turn.outcome is None else wording.outcome_in_words(turn.outcome),
        done_at=turn.done_at,
        useful=turn.useful,
        useful_reason=turn.useful_reason,
        sections=tuple(section["label"] for section in schedule.get("sections", [])),
        refusals=tuple(_refusal(violation) for violation in record.violations),
        outputs=tuple(_output(call) for call in record.calls if call.get("raw")),
        server_ms=(record.total_ms or 0) - (record.model_ms or 0) if known else None,
    )


def _refusal(violation: dict[str, Any]) -> Refusal:
    code, segment = violation["code"], violation["segment"]
    words = CODES_IN_WORDS.get(code, "")
    return Refusal(code, words, None if segment is None else segment + 1, violation["detail"])


def _output(call: dict[str, Any]) -> Output:
    raw = call["raw"]
    calls = tuple((made["name"], _indented(made["arguments"])) for made in raw.get("calls", []))
    return Output(call["step"], calls, raw.get("content") or "", raw.get("finish_reason") or "")


def _indented(arguments: str) -> str:
    """JSON on several lines; anything else as it came."""
    try:
        return json.dumps(json.loads(arguments), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments
