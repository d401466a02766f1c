"""A turn without a database or a provider: clauses, evidence and a model in plain values."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from claims.agent.evidence import Context, Detail, Evidence, HistoryTurn, KnownFact, NoEvidence, Schedule
from claims.agent.model import ModelReply, ToolCall
from claims.agent.runtime import TurnResult, run_turn
from claims.agent.tools import name_of
from claims.agent.vocabulary import Field, Guidance
from knowledge.answers import DirectoryLine, Fetched, FetchedClause, OpenRelease
from knowledge.clause_text import ClauseText
from tests.builders_knowledge import make_clause

TRANSPORT = "alternative_transport"
HIRE_CAR = make_clause(
    "MTR-BEN-03",
    title="A hire car while yours is repaired",
    body=(
        "[trigger]* This benefit applies when Northwind accepts a claim.",
        "[provides] It pays for a hire car.",
        "[limit] The most it pays is NZD 60 a day.",
        "[not_included] It does not include:",
        "[not_included] - fuel",
        "[not_included] - tolls and parking",
        "[schedule]* It applies only when the policy schedule lists alternative transport.",
    ),
    plain=("Once a claim is accepted, it can pay for a hire car.", "It can pay up to NZD 60 a day."),
    schedule_section=TRANSPORT,
)
GLASS = make_clause("MTR-BEN-02")
CLAUSES = (HIRE_CAR, GLASS)
LISTING = Schedule("NW-MTR-204518", "motor", ("comprehensive", TRANSPORT), (Detail("excess", "excess", "NZD 500"),))
NOT_LISTING = Schedule("NW-MTR-204519", "motor", ("comprehensive",), ())
RELEASE = OpenRelease(1, "motor", "2030.1", date(2030, 1, 1), "northwind-motor-policy", (TRANSPORT,))
DIRECTORY = tuple(DirectoryLine(clause.clause_id, clause.title) for clause in CLAUSES)


def fetched(clause: ClauseText) -> FetchedClause:
    return FetchedClause(RELEASE.version, RELEASE.document_id, clause.sha256, clause)


def evidence(schedule: Schedule | NoEvidence = LISTING, clauses: Sequence[ClauseText] = CLAUSES) -> Evidence:
    return Evidence(schedule, Guidance.OK, tuple(fetched(clause) for clause in clauses), (), RELEASE.codes)


def context(
    message: str = "Do I get a rental?",
    *,
    schedule: Schedule | NoEvidence = LISTING,
    history: Sequence[HistoryTurn] = (),
    facts: Sequence[KnownFact] = (KnownFact(Field.FAMILY, "motor", confirmed=True),),
    today: date = date(2030, 6, 1),
) -> Context:
    return Context(today, message, tuple(facts), schedule, tuple(history))


class Shelf:
    """The knowledge base of one test: these clauses, always there."""

    def open(self) -> tuple[OpenRelease, tuple[DirectoryLine, ...]]:
        return RELEASE, DIRECTORY

    def fetch(self, release: OpenRelease, clause_ids: tuple[str, ...]) -> Fetched:
        known = {clause.clause_id: clause for clause in CLAUSES}
        there = tuple(fetched(known[clause_id]) for clause_id in clause_ids if clause_id in known)
        return Fetched(there, tuple(clause_id for clause_id in clause_ids if clause_id not in known))


@dataclass
class Scripted:
    """A model that sends these arguments by tool, and keeps the messages of every request by step."""

    arguments: dict[str, Any]
    requests: list[tuple[str, list[dict[str, Any]]]] = field(default_factory=list)

    def __call__(self, messages: list[dict[str, Any]], tool: dict[str, Any], seconds: float) -> ModelReply:
        self.requests.append((name_of(tool), messages))
        call = ToolCall("call_1", name_of(tool), json.dumps(self.arguments[name_of(tool)]))
        return ModelReply((call,), None, "tool_calls", "scripted")


def question(*segments: dict[str, Any], clause_ids: Sequence[str] = ("MTR-BEN-03",), **plan: Any) -> Scripted:
    """A model that plans a question, names these clauses and sends these segments."""
    return Scripted(
        {
            "plan": {"kind": "question", "wants_decision": False, "facts": [], **plan},
            "context_resolve": {"clause_ids": list(clause_ids)},
            "answer": {"segments": list(segments)},
        }
    )


def run(ask: Scripted, the_context: Context | None = None, *, family_confirmed: bool = True) -> TurnResult:
    return run_turn(
        context=the_context or context(), family_confirmed=family_confirmed, lookup=Shelf(), ask=ask, seconds=25
    )
