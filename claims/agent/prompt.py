"""The messages of a request: first what is the same for everybody (instructions, then the family's directory), then
one JSON user message with what belongs to this turn. No date, id or name stands in the first part, so it can be cached.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from claims.agent.evidence import Context, Evidence, NoEvidence, Schedule
from claims.agent.tools import Tool, Violation, name_of
from claims.agent.wording import code_label
from knowledge.answers import DirectoryLine, FetchedClause

DIRECTORY_HEADING = "# policy_clause_directory"

Messages = list[dict[str, Any]]


@cache
def _sections() -> dict[str, str]:
    text = (Path(__file__).parent / "instructions.md").read_text(encoding="utf-8")
    sections = {}
    for block in text.split("# ")[1:]:
        title, _, body = block.partition("\n")
        sections[title.strip()] = body.strip()
    return sections


def instructions(step: str) -> str:
    """What a step tells the model: the general part and the step's own."""
    return f"{_sections()['Always']}\n\n{_sections()[step]}"


def render_directory(directory: tuple[DirectoryLine, ...]) -> str:
    """One line a clause: id, colon, title (M12, R10: at most 600 tokens)."""
    lines = "\n".join(f"{line.clause_id}: {line.title}" for line in directory)
    return f"{DIRECTORY_HEADING}\n\n{lines}"


def first_messages(
    tool: Tool, context: Context, directory: tuple[DirectoryLine, ...] | None = None, evidence: Evidence | None = None
) -> Messages:
    """The two messages of a fresh request. `directory` is None in turns that look nothing up (M12, M25)."""
    system = instructions(name_of(tool))
    if directory is not None:
        system = f"{system}\n\n{render_directory(directory)}"
    user = {
        "today": context.today.isoformat(),
        "facts": [{"field": fact.field, "value": fact.value, "confirmed": fact.confirmed} for fact in context.facts],
        "schedule": render_schedule(context.schedule),
        "history": [
            {"customer": turn.customer, "outcome": turn.outcome, "clause_ids": turn.clause_ids, "asked": turn.asked}
            for turn in context.history
        ],
        "message": context.message,
        "evidence": None if evidence is None else render_evidence(evidence),
    }
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": json.dumps(user, ensure_ascii=False)},
    ]


def render_schedule(schedule: Schedule | NoEvidence) -> dict[str, Any]:
    if isinstance(schedule, NoEvidence):
        return {"state": "no_evidence"}
    return {
        "state": "found",
        "sections": [{"code": code, "label": code_label(code)} for code in schedule.sections],
        "details": [{"code": d.code, "label": d.label, "value": d.value} for d in schedule.details],
    }


def render_evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "guidance_status": evidence.guidance,
        "clauses": [_render_clause(fetched, evidence) for fetched in evidence.clauses],
        "not_found": evidence.not_found,
    }


def _render_clause(fetched: FetchedClause, evidence: Evidence) -> dict[str, Any]:
    clause = fetched.clause
    return {
        "clause_id": clause.clause_id,
        "title": clause.title,
        "schedule_section": clause.schedule_section,
        "sentences": {str(s.index): clause.sentence_text(s.index) for s in clause.sentences},
        "plain": dict(enumerate(evidence.plain_lines(clause.clause_id), start=1)),
    }


def repair_messages(
    call_id: str | None, name: str, arguments: str, violations: tuple[Violation, ...], legal: str
) -> Messages:
    """The bad call and what was wrong with it: codes and what is legal, nothing quoted from it."""
    verdict = json.dumps(
        {
            "refused": [
                {"code": v.code, "detail": v.detail, **({} if v.segment is None else {"segment": v.segment})}
                for v in violations
            ],
            "legal": legal,
        }
    )
    if call_id is None:
        return [
            {"role": "assistant", "content": "(no usable tool call)"},
            {"role": "user", "content": verdict},
        ]
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call_id, "content": verdict},
    ]
