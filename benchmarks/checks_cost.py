"""What the server's own checks of a reply cost: reading the segments, checking them, making the sentences shown.

    uv run python -m benchmarks.checks_cost

The three longest clauses of the newest motor wording, every sentence and plain line of them named: the most a reply may
hold. No database, no model. Aim: 10 ms.
"""

import json
import statistics
import time
from pathlib import Path
from typing import Any

from claims.agent.checks import Ground, check
from claims.agent.endings import Situation, outcome_of
from claims.agent.evidence import Evidence, Schedule
from claims.agent.reply import Committed, compose
from claims.agent.runtime import TurnResult
from claims.agent.tools import MAX_SEGMENTS, MAX_SENTENCES, Plan, read_segments
from claims.agent.vocabulary import Guidance, Kind
from knowledge.answers import MAX_CLAUSE_IDS, FetchedClause
from knowledge.clause_text import ClauseText, read_document

CONTENT = Path(__file__).resolve().parent.parent / "knowledge" / "content"
AIM_MS = 10.0


def main() -> None:
    times = measure(2000)
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    print(f"checks and reply: p50 {cuts[49]:.2f} ms, p95 {cuts[94]:.2f} ms, p99 {cuts[98]:.2f} ms (aim: {AIM_MS:g} ms)")


def measure(repeats: int) -> list[float]:
    """Milliseconds of each time."""
    newest = max(
        (read_document(path.read_text()) for path in CONTENT.glob("*/motor.md")), key=lambda d: d.effective_from
    )
    clauses = sorted(newest.clauses, key=lambda clause: len(clause.text))[-MAX_CLAUSE_IDS:]
    fetched = tuple(FetchedClause(newest.version, newest.document_id, clause.sha256, clause) for clause in clauses)
    codes = tuple(clause.schedule_section for clause in newest.clauses if clause.schedule_section)
    schedule = Schedule("NW-MTR-204518", "motor", codes, ())
    evidence = Evidence(schedule, Guidance.OK, fetched, (), codes)
    raw = json.dumps({"segments": segments(clauses)})
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        found = check(read_segments(raw), Ground(evidence, frozenset(), frozenset()))
        result = TurnResult(Plan(Kind.QUESTION, False, ()), evidence=evidence, segments=found)
        situation = Situation(result, schedule, family_confirmed=True, decision_recorded=False)
        compose(situation, outcome_of(situation), Committed(), english=True)
        times.append((time.perf_counter() - started) * 1000)
    return times


def segments(clauses: list[ClauseText]) -> list[dict[str, Any]]:
    """As many as a reply may hold: the clauses' plain lines, then their sentences."""
    named: list[dict[str, Any]] = []
    for clause in clauses:
        named += [
            {"kind": "plain", "clause_id": clause.clause_id, "line": line + 1} for line in range(len(clause.plain))
        ]
        numbers = [sentence.index for sentence in clause.sentences]
        named += [
            {"kind": "quote", "clause_id": clause.clause_id, "sentences": numbers[start : start + MAX_SENTENCES]}
            for start in range(0, len(numbers), MAX_SENTENCES)
        ]
    return named[:MAX_SEGMENTS]


if __name__ == "__main__":
    main()
