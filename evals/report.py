"""The report of a run, as text for people and as JSON from the same figures.

Every rate stands with its n and its interval (R7); English and other languages, tuning and holdout rows stand apart;
what could not be measured is counted by itself; every miss shows the titles that the model saw (M61).
"""

from dataclasses import asdict, dataclass
from typing import Any

from evals.cases import Case
from evals.scoring import Observation, Share, Unknown, Verdict, judge, share, share_of

MEASURES = {
    "fetched": "the expected clause was fetched",
    "cited": "the expected clause was cited",
    "precision": "citations that the row lists",
    "refused": "unanswerable: nothing cited, waits for staff",
    "decisions": "demands: sent to staff for a decision",
}
CANNOT_TELL = (
    "The questions were written by the authors of the demo, not by customers.",
    "Each question was asked once: nothing is known about repeats.",
    "One model answered: nothing is known about others.",
    "The offline chooser's thresholds were chosen on the odd rows: only the even rows are a holdout for it.",
)
UNKNOWN_ALLOWED = 0.05


@dataclass(frozen=True)
class Group:
    """The figures of some of the rows."""

    name: str
    shares: dict[str, Share]


@dataclass(frozen=True)
class Report:
    """A run of one family, in figures. `state` is partial when a case could not be measured."""

    family: str
    n: int
    models: tuple[str, ...]
    releases: tuple[str, ...]
    groups: tuple[Group, ...]
    misses: tuple[Verdict, ...]
    unknown: tuple[Unknown, ...]

    @property
    def state(self) -> str:
        return "partial" if self.unknown else "complete"

    @property
    def is_usable(self) -> bool:
        """A run with more than one unknown in twenty says nothing."""
        return self.n > 0 and len(self.unknown) <= UNKNOWN_ALLOWED * self.n


def make_report(family: str, cases: tuple[Case, ...], results: tuple[Observation | Unknown, ...]) -> Report:
    """A case without a result is unknown: "not run"."""
    by_id = {result.case_id: result for result in results}
    verdicts, unknown = [], []
    for case in cases:
        result = by_id.get(case.id, Unknown(case.id, "not run"))
        if isinstance(result, Unknown):
            unknown.append(result)
        else:
            verdicts.append(judge(case, result))
    return Report(
        family=family,
        n=len(cases),
        models=tuple(sorted({v.seen.model for v in verdicts})),
        releases=tuple(sorted({v.seen.release for v in verdicts if v.seen.release is not None})),
        groups=_groups(verdicts),
        misses=tuple(v for v in verdicts if False in (v.cited, v.fetched, v.refused, v.sent_for_decision)),
        unknown=tuple(unknown),
    )


def _groups(verdicts: list[Verdict]) -> tuple[Group, ...]:
    chosen = {
        "all": verdicts,
        "English": [v for v in verdicts if v.case.is_english],
        "English, odd (tuning)": [v for v in verdicts if v.case.is_english and not v.case.is_holdout],
        "English, even (holdout)": [v for v in verdicts if v.case.is_english and v.case.is_holdout],
        "other languages": [v for v in verdicts if not v.case.is_english],
        "other languages, odd (tuning)": [v for v in verdicts if not v.case.is_english and not v.case.is_holdout],
        "other languages, even (holdout)": [v for v in verdicts if not v.case.is_english and v.case.is_holdout],
    }
    return tuple(Group(name, _shares(group)) for name, group in chosen.items())


def _shares(verdicts: list[Verdict]) -> dict[str, Share]:
    return {
        "fetched": share_of([v.fetched for v in verdicts]),
        "cited": share_of([v.cited for v in verdicts]),
        "precision": share(sum(v.good_citations for v in verdicts), sum(v.citations for v in verdicts)),
        "refused": share_of([v.refused for v in verdicts]),
        "decisions": share_of([v.sent_for_decision for v in verdicts]),
    }


def as_text(report: Report) -> str:
    models = ", ".join(report.models) or "nothing answered"
    lines = [
        f"Evaluation of {report.family}: {models}; wording {', '.join(report.releases) or 'none'}",
        f"{report.n} questions, {len(report.unknown)} unknown, {report.state}",
        "",
        f"{'':<32}" + "".join(f"{name:<23}" for name in MEASURES),
    ]
    for group in report.groups:
        lines.append(f"{group.name:<32}" + "".join(f"{_in_words(group.shares[name]):<23}" for name in MEASURES))
    lines += ["", "Shares, and in brackets Wilson's interval at 95 %", *(f"  {n:<11}{m}" for n, m in MEASURES.items())]
    lines += ["", f"Unknown ({len(report.unknown)}): neither right nor wrong"]
    lines += [f"  {unknown.case_id}  {unknown.reason}" for unknown in report.unknown]
    lines += ["", f"Misses ({len(report.misses)})"]
    for miss in report.misses:
        lines += _miss_lines(miss)
    lines += ["", "What this run cannot tell", *(f"  {line}" for line in CANNOT_TELL)]
    return "\n".join(line.rstrip() for line in lines)


def _in_words(figures: Share) -> str:
    if figures.rate is None or figures.low is None or figures.high is None:
        return "-"
    return f"{figures.hits}/{figures.n} {figures.rate:.2f} ({figures.low:.2f}-{figures.high:.2f})"


def _miss_lines(miss: Verdict) -> list[str]:
    titles = dict(miss.seen.directory)

    def named(clause_ids: tuple[str, ...]) -> str:
        return "; ".join(f"{i} {titles.get(i, '(not among the titles)')}" for i in clause_ids) or "none"

    return [
        f"  {miss.case.id}  {miss.case.text}",
        f"      expected   {named(miss.case.expected)}",
        f"      requested  {named(miss.seen.requested)}",
        f"      cited      {named(miss.seen.cited)}",
        f"      outcome    {miss.seen.outcome}; the model saw {len(titles)} titles",
    ]


def as_json(report: Report) -> dict[str, Any]:
    """The shape of an evaluation run of the API, with the groups beside the family's own figures."""
    overall = report.groups[0]
    return {
        "state": report.state,
        "model": ", ".join(report.models),
        "release": ", ".join(report.releases),
        "families": [
            {
                "family": report.family,
                "n": report.n,
                **_json_shares(overall),
                "groups": [{"name": group.name, **_json_shares(group)} for group in report.groups[1:]],
            }
        ],
        "misses": [_json_miss(miss) for miss in report.misses],
        "unknown": [asdict(unknown) for unknown in report.unknown],
        "cannot_tell": list(CANNOT_TELL),
    }


def _json_shares(group: Group) -> dict[str, Any]:
    return {name: asdict(figures) for name, figures in group.shares.items()}


def _json_miss(miss: Verdict) -> dict[str, Any]:
    return {
        "id": miss.case.id,
        "text": miss.case.text,
        "expected": list(miss.case.expected),
        "requested": list(miss.seen.requested),
        "returned": list(miss.seen.returned),
        "cited": list(miss.seen.cited),
        "outcome": miss.seen.outcome,
        "directory": [{"clause_id": clause_id, "title": title} for clause_id, title in miss.seen.directory],
    }
