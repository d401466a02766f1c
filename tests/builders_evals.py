"""Kept turns and result rows in plain values, for the rules of the evaluation: right, wrong, lazy, absent."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from evals.cases import Case
from evals.observation import Observation
from evals.report_values import ReleaseLine, ResultRow, RunFacts

TITLES = (("MTR-BEN-03", "Hire car"), ("MTR-BEN-02", "Glass"), ("MTR-CON-01", "Your excess"))
LABEL = "offline chooser, not a language model"
COUNTS = {name: [0, 0] for name in ("citations", "quotes", "waiting", "noted", "schedule", "conditions", "whole")}


def case(
    id: str = "DM-01",
    *expected: str,
    kind: str = "covered",
    language: str = "en",
    after: str | None = None,
    parts: Sequence[str] = (),
    family: str = "motor",
) -> Case:
    return Case(id, family, "NW-MTR-204518", "6011", after, f"text of {id}", expected, kind, language, tuple(parts))


def seen(*cited: str, **more: object) -> Observation:
    """A turn that fetched what it cites."""
    plain = Observation("answered", TITLES, True, cited, cited, (), cited, False, False, None, LABEL, "2026.2")
    return replace(plain, **more)


def kept(*cited: str, **more: Any) -> dict[str, Any]:
    """A turn's record as a result keeps it, of a turn that fetched what it cites."""
    record = {
        "turn": "turn-1",
        "outcome": "answered",
        "directory": [{"clause_id": clause_id, "title": title} for clause_id, title in TITLES],
        "requested": list(cited),
        "returned": [{"clause_id": clause_id, "version": "2026.2", "sha256": "00"} for clause_id in cited],
        "not_found": [],
        "cited": list(cited),
        "guidance_status": "ok",
        "schedule": {"state": "found", "sections": ["alternative_transport"], "details": []},
        "violations": [],
        "repaired": False,
        "safe_reply": False,
        "release": {"version": "2026.2", "effective_from": "2026-01-01"},
        "model": {"configured": LABEL, "returned": None},
        "calls": [],
        "cost": None,
        "latency_ms": {"total": 100, "model": 60, "server": 40},
        "segments": [],
        "citations": [],
        "waiting_item": None,
    }
    return record | more


def row(
    the_case: Case,
    record: Mapping[str, Any] | None,
    *,
    repetition: int = 1,
    reason: str = "",
    counts: Mapping[str, list[int]] = COUNTS,
    shown: Mapping[str, list[str]] | None = None,
    has: Mapping[str, list[str]] | None = None,
) -> ResultRow:
    """A question's result; without a record it is unknown for `reason`, or not asked."""
    checks = {"counts": {**COUNTS, **counts}, "shown": shown or {}, "has": has or {}}
    place = int(the_case.id.rpartition("-")[2])
    return ResultRow(
        kind="question",
        name=the_case.id,
        family=the_case.family,
        repetition=repetition,
        case={**asdict(the_case), "place": place, "texts": [the_case.text]},
        seen=None if record is None else {"record": record, "claim": {}, "checks": checks},
        verdict="" if record is None and not reason else "unknown" if record is None else "pass",
        reason=reason,
        turn="" if record is None else record["turn"],
        claim="CL-1",
    )


def facts(**more: object) -> RunFacts:
    """A run that is complete."""
    plain = RunFacts(
        id="run-1",
        state="complete",
        trigger="command",
        by="manager",
        started_at=datetime(2026, 9, 1, 2, tzinfo=UTC),
        ended_at=datetime(2026, 9, 1, 3, tzinfo=UTC),
        families=("motor",),
        only=(),
        repeat=1,
        concurrency=1,
        seed=7,
        address="",
        host="here",
        planned=6,
        finished=6,
        unknown=0,
        model_configured=LABEL,
        model_returned="",
        litellm_version="1",
        git_commit="unknown",
        git_dirty=None,
        hashes=(("suite", "ab"),),
        releases=(ReleaseLine("motor", "2026.2", "2026-01-01", "cd", "ef"),),
        ingestions={"ingested": 2, "refused": 0},
    )
    return replace(plain, **more)
