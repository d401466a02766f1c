"""What the turns of a run cost and how the guard met them: from their records, over every measured turn."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from claims.agent.vocabulary import Code
from evals.figures import percentile
from evals.report_values import CostFigures, GuardFigures, ResultRow

_IGNORED = {
    Code.NOT_FETCHED: "named a clause that was not fetched",
    Code.STATE_DISAGREES: "disagreed with the schedule or the claim",
}


def _records(rows: Sequence[ResultRow]) -> list[tuple[ResultRow, Mapping[str, Any]]]:
    return [(row, row.seen["record"]) for row in rows if row.seen is not None]


def guard_figures(rows: Sequence[ResultRow]) -> GuardFigures:
    """A turn counts once for each code. M67: turns whose model ignored the directory or the schedule, by name."""
    names: dict[str, list[str]] = {}
    ignored: list[tuple[str, str, str]] = []
    for row, record in _records(rows):
        for code in sorted({violation["code"] for violation in record["violations"]}):
            names.setdefault(code, []).append(row.name)
            if code in _IGNORED:
                ignored.append((row.name, _IGNORED[Code(code)], row.turn))
        if strange := record["not_found"]:
            ignored.append((row.name, f"named {', '.join(strange)}, not in the directory", row.turn))
    trips = Counter({code: len(found) for code, found in names.items()})
    return GuardFigures(
        turns=len(rows),
        trips=tuple((code, count, tuple(dict.fromkeys(names[code]))) for code, count in sorted(trips.items())),
        repaired=sum(record["repaired"] for _, record in _records(rows)),
        safe_replies=sum(record["safe_reply"] for _, record in _records(rows)),
        ignored=tuple(ignored),
    )


def cost_figures(rows: Sequence[ResultRow]) -> CostFigures:
    """Of the last turn of each conversation, which is the one that is scored."""
    records = [record for _, record in _records(rows)]
    calls = [call for record in records for call in record["calls"]]
    costs = [record["cost"] for record in records if record["cost"] is not None]
    tokens_in, tokens_out = _sum(calls, "tokens_in"), _sum(calls, "tokens_out")
    cached = _sum(calls, "cached")
    total, model, server = (_times(records, which) for which in ("total", "model", "server"))
    return CostFigures(
        turns=len(records),
        total_p50=percentile(total, 50),
        total_p95=percentile(total, 95),
        model_p50=percentile(model, 50),
        model_p95=percentile(model, 95),
        server_p50=percentile(server, 50),
        server_p95=percentile(server, 95),
        calls_a_turn=len(calls) / len(records) if records else None,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cached_share=cached / tokens_in if cached is not None and tokens_in else None,
        cost=sum(costs) if costs else None,
        priced=len(costs),
    )


def _sum(calls: Sequence[Mapping[str, Any]], name: str) -> int | None:
    known = [call[name] for call in calls if call[name] is not None]
    return sum(known) if known else None


def _times(records: Sequence[Mapping[str, Any]], which: str) -> list[float]:
    return [record["latency_ms"][which] for record in records if record["latency_ms"][which] is not None]
