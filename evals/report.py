"""The report of a run, as one frozen value, made from the run's rows and nothing else (M59 to M61, M67).

Every rate stands with its n and its interval (R7); English and other languages, tuning and holdout rows stand apart;
what could not be measured is counted by itself; every miss shows the titles that the model saw.
"""

from collections.abc import Sequence
from typing import Any

from claims.agent.wording import OFFLINE_CHOOSER
from evals.cases import Case
from evals.figures import in_words, share
from evals.measures import POOLED, family_figures
from evals.misses import miss_cards
from evals.observation import observation_of
from evals.reply_checks import CHECKS, shows_part
from evals.report_values import (
    FamilyFigures,
    Report,
    ResultRow,
    RunFacts,
    SafetyCounter,
    ScenarioCell,
    ScenarioLine,
    UnknownLine,
)
from evals.scenarios import SCENARIOS
from evals.scoring import Asked, QuestionVerdict, judge_question
from evals.statements import statements
from evals.turn_figures import cost_figures, guard_figures

QUALITY, PLUMBING = "Evaluation", "Plumbing run, not a quality result"
SCRIPTED = "scripted"
SAFETY_NAMES = {
    "citations": "G1",
    "quotes": "G2",
    "waiting": "G4",
    "noted": "G5",
    "schedule": "G6",
    "conditions": "G8",
}
ELSEWHERE = (
    ("G3", "decision statements to a customer: by the tests' own oracle and by people who read turns, not in a run"),
    ("G7", "the kinds of nothing taken for one another: by the fault tests, not in a run"),
)


def is_plumbing(model: str) -> bool:
    """Whether what answered is no language model: the offline chooser, or a scripted model by its name."""
    return model in {"", OFFLINE_CHOOSER} or model.rpartition("/")[2] == SCRIPTED


def make_report(facts: RunFacts, rows: Sequence[ResultRow]) -> Report:
    """The report as it can be had of these rows now; a run that goes on or broke off has rows without a verdict."""
    questions = _questions([row for row in rows if row.kind == "question"])
    scenarios = _scenarios([row for row in rows if row.kind == "scenario"])
    families = _families(facts, questions)
    measured = [row for row in rows if row.seen is not None]
    plumbing = is_plumbing(facts.model_configured)
    safety = _safety(measured)
    return Report(
        facts=facts,
        title=PLUMBING if plumbing else QUALITY,
        is_plumbing=plumbing,
        verdict=_verdict(facts, families, scenarios, safety),
        safety=safety,
        families=families,
        scenarios=scenarios,
        misses=miss_cards(questions),
        unknown=tuple(UnknownLine(r.name, r.repetition, r.reason) for r in rows if r.verdict == "unknown"),
        guard=guard_figures(measured),
        cost=cost_figures(measured),
        cannot_tell=_cannot_tell(facts, questions, plumbing=plumbing),
        statements=statements(facts, measured, questions, families, scenarios),
    )


def asked_of(row: ResultRow) -> Asked:
    """A question's repetition, with whether a part that was asked for is shown."""
    if row.seen is None:
        return Asked(row.repetition, None, row.reason or "not asked yet", row.turn, row.claim)
    case = case_of(row)
    shown = shows_part(row.seen["checks"], case.expected[0], case.parts) if case.expected and case.parts else None
    return Asked(row.repetition, observation_of(row.seen["record"], shown), "", row.turn, row.claim)


def case_of(row: ResultRow) -> Case:
    """The question as it was when it was asked."""
    stored: dict[str, Any] = {name: row.case[name] for name in Case.__dataclass_fields__}
    return Case(**{**stored, "expected": tuple(stored["expected"]), "parts": tuple(stored["parts"])})


def _questions(rows: Sequence[ResultRow]) -> tuple[QuestionVerdict, ...]:
    """In the inventory's order, whatever the order they were asked in."""
    by_name: dict[str, list[ResultRow]] = {}
    for row in sorted(rows, key=lambda row: (row.case["place"], row.repetition)):
        by_name.setdefault(row.name, []).append(row)
    return tuple(judge_question(case_of(group[0]), [asked_of(row) for row in group]) for group in by_name.values())


def _families(facts: RunFacts, questions: Sequence[QuestionVerdict]) -> tuple[FamilyFigures, ...]:
    """Each family, and all of them pooled when there is more than one."""
    if not questions:
        return ()
    names = tuple(dict.fromkeys(question.case.family for question in questions))
    each = tuple(_family(facts, name, [q for q in questions if q.case.family == name]) for name in names)
    pooled = (family_figures(POOLED, "", questions),) if len(each) > 1 else ()
    return (*each, *pooled)


def _family(facts: RunFacts, name: str, questions: Sequence[QuestionVerdict]) -> FamilyFigures:
    """The release is the one that answered; where nothing did, the one that the run found in force."""
    used = {a.seen.release for q in questions for a in q.asked if a.seen is not None and a.seen.release is not None}
    recorded = {line.version for line in facts.releases if line.family == name}
    return family_figures(name, ", ".join(sorted(used or recorded)), questions)


def _scenarios(rows: Sequence[ResultRow]) -> tuple[ScenarioLine, ...]:
    lines = []
    for scenario in SCENARIOS:
        own = sorted((row for row in rows if row.name == scenario.name), key=lambda row: row.repetition)
        cells = tuple(ScenarioCell(row.repetition, row.verdict or "not asked", row.reason, row.turn) for row in own)
        known = [cell for cell in cells if cell.verdict in {"pass", "fail"}]
        figures = share(sum(cell.verdict == "pass" for cell in known), len(known))
        if cells:
            lines.append(ScenarioLine(scenario.name, scenario.title, cells, figures, len(cells) - len(known)))
    return tuple(lines)


def _safety(rows: Sequence[ResultRow]) -> tuple[SafetyCounter, ...]:
    counters = []
    for check, name in SAFETY_NAMES.items():
        pairs = [(row, *row.seen["checks"]["counts"][check]) for row in rows if row.seen is not None]
        turns = tuple(row.turn for row, _, wrong in pairs if wrong)
        looked_at, wrong = sum(pair[1] for pair in pairs), sum(pair[2] for pair in pairs)
        counters.append(SafetyCounter(name, CHECKS[check], looked_at, wrong, turns))
    elsewhere = [SafetyCounter(name, what, None, 0, ()) for name, what in ELSEWHERE]
    return tuple(sorted([*counters, *elsewhere], key=lambda counter: counter.name))


def _verdict(
    facts: RunFacts,
    families: Sequence[FamilyFigures],
    scenarios: Sequence[ScenarioLine],
    safety: Sequence[SafetyCounter],
) -> tuple[str, ...]:
    """Words before numbers; what is wrong comes first, and a run that is not whole says so."""
    lines = []
    if wrong := [counter.name for counter in safety if counter.wrong]:
        lines.append(f"Red: {', '.join(wrong)} must be zero and is not. Read the turns first.")
    if facts.state in {"running", "aborted"}:
        how = "is still under way" if facts.state == "running" else "did not finish"
        lines.append(f"This run {how}: {facts.finished} of {facts.planned} asked. Its figures are of a part.")
    elif facts.unknown:
        lines.append(f"This run is partial: {facts.unknown} of {facts.planned} could not be measured.")
    for figures in families:
        name = "All families" if figures.family == POOLED else figures.family.capitalize()
        lines.append(f"{name}, expected clauses cited: {in_words(figures.whole.shares['cited'])}.")
    if scenarios:
        passed, n = sum(line.share.hits for line in scenarios), sum(line.share.n for line in scenarios)
        lines.append(f"Scenarios passed: {in_words(share(passed, n))}.")
    return tuple(lines)


def _cannot_tell(facts: RunFacts, questions: Sequence[QuestionVerdict], *, plumbing: bool) -> tuple[str, ...]:
    known = sum(question.is_known for question in questions)
    lines = [
        f"{len(questions)} questions, of which {known} are known: with so few, the intervals are wide, and a change of "
        "a few questions between two runs may be chance.",
        "The questions and what is expected of them were written by the authors of the demo, not by customers, and no "
        "second reader has agreed them.",
        "One model answered: nothing is known about others, or about the same one on another day.",
        "Whether a plain line says the part that was asked for is found by its words and figures; nobody read it.",
        "A citation on a question that no clause answers is a missed refusal and is not in the precision.",
    ]
    if facts.repeat == 1:
        lines.append("Each question was asked once: nothing is known about repeats.")
    else:
        lines.append("The question is the unit: repeats make its verdict steadier and the intervals no narrower.")
    if facts.unknown:
        lines.append(f"{facts.unknown} could not be measured and stand in no figure; they may not be like the others.")
    if plumbing:
        lines.append("No language model answered. These figures show that the path works, not how good an answer is.")
    if facts.model_configured == OFFLINE_CHOOSER:
        lines.append("The chooser's thresholds were chosen on odd rows: only even rows are a holdout for it.")
    if facts.address:
        lines.append("The portal was asked over HTTP: the hashes of code and texts are of the checkout that asked.")
    return tuple(lines)
