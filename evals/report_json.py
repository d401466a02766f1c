"""A report as JSON: the API's shape of a run, with the groups, counters and provenance beside the family's figures."""

from dataclasses import asdict
from typing import Any

from evals.figures import at_most
from evals.report_values import FamilyFigures, Group, MissCard, Report, SafetyCounter, ScenarioLine


def as_json(report: Report) -> dict[str, Any]:
    facts = report.facts
    whole = [figures for figures in report.families if figures.release]
    return {
        "id": facts.id,
        "title": report.title,
        "state": facts.state,
        "progress": {"planned": facts.planned, "finished": facts.finished, "unknown": facts.unknown},
        "model": facts.model_configured,
        "release": ", ".join(dict.fromkeys(figures.release for figures in whole)),
        "verdict": list(report.verdict),
        "safety": [_safety(counter) for counter in report.safety],
        "families": [_family(figures) for figures in report.families],
        "scenarios": [_scenario(line) for line in report.scenarios],
        "misses": [_miss(card) for card in report.misses],
        "unknown": [asdict(line) for line in report.unknown],
        "guard": {
            "turns": report.guard.turns,
            "trips": [{"code": code, "turns": n, "questions": list(names)} for code, n, names in report.guard.trips],
            "repaired": report.guard.repaired,
            "safe_replies": report.guard.safe_replies,
            "ignored": [{"name": name, "what": what, "turn": turn} for name, what, turn in report.guard.ignored],
        },
        "cost": asdict(report.cost),
        "cannot_tell": list(report.cannot_tell),
        "statements": [asdict(statement) for statement in report.statements],
        "provenance": _provenance(report),
    }


def _family(figures: FamilyFigures) -> dict[str, Any]:
    return {
        "family": figures.family,
        "release": figures.release,
        "n": figures.whole.questions,
        "known": figures.whole.known,
        **_shares(figures.whole),
        "groups": [_group(group) for group in figures.groups[1:]],
        "classes": [_group(group) for group in figures.classes],
    }


def _group(group: Group) -> dict[str, Any]:
    return {"name": group.name, "n": group.questions, "known": group.known, **_shares(group)}


def _shares(group: Group) -> dict[str, Any]:
    return {
        name: {
            **asdict(figures),
            "at_most": at_most(figures.n) if figures.hits == 0 else None,
            "turns": {"hits": group.turns[name][0], "n": group.turns[name][1]},
        }
        for name, figures in group.shares.items()
    }


def _safety(counter: SafetyCounter) -> dict[str, Any]:
    is_zero = bool(counter.looked_at) and counter.wrong == 0
    return {**asdict(counter), "at_most": at_most(counter.looked_at or 0) if is_zero else None}


def _scenario(line: ScenarioLine) -> dict[str, Any]:
    return {
        "name": line.name,
        "title": line.title,
        "passed": line.share.hits,
        "of": line.share.n,
        "low": line.share.low,
        "high": line.share.high,
        "unknown": line.unknown,
        "runs": [asdict(cell) for cell in line.cells],
    }


def _miss(card: MissCard) -> dict[str, Any]:
    case = card.question.case
    return {
        "id": case.id,
        "family": case.family,
        "kinds": [{"kind": kind, "what": what} for kind, what in zip(card.kinds, card.words, strict=True)],
        "failed": card.failed,
        "missed": card.missed,
        "known": card.known,
        "text": case.text,
        "expected": list(case.expected),
        "parts": list(case.parts),
        "requested": list(card.requested),
        "returned": list(card.returned),
        "not_found": list(card.not_found),
        "cited": list(card.cited),
        "outcome": card.outcome,
        "directory": [{"clause_id": clause_id, "title": title} for clause_id, title in card.directory],
        "turn": card.turn,
        "suggestion": card.suggestion,
    }


def _provenance(report: Report) -> dict[str, Any]:
    facts = report.facts
    names = ("trigger", "by", "families", "only", "repeat", "concurrency", "seed", "address", "host")
    return {
        **{name: getattr(facts, name) for name in names},
        "started_at": facts.started_at.isoformat(),
        "ended_at": facts.ended_at.isoformat() if facts.ended_at else None,
        "model": {"configured": facts.model_configured, "returned": facts.model_returned},
        "litellm_version": facts.litellm_version,
        "git": {"commit": facts.git_commit, "dirty": facts.git_dirty},
        "hashes": dict(facts.hashes),
        "releases": [asdict(line) for line in facts.releases],
        "ingestions": facts.ingestions,
    }
