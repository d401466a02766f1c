"""The seven statements of acceptance (M66), each with its figure from this run's rows, or `not measured` and why."""

from collections.abc import Sequence

from evals.figures import in_words, share, zero_in_words
from evals.measures import POOLED
from evals.report_values import FamilyFigures, ResultRow, RunFacts, ScenarioLine, Statement
from evals.scenarios import INCLUDED, NOT_LISTED, STORE_STOPPED
from evals.scoring import QuestionVerdict

NOT_MEASURED = "not measured"
TEXTS = (
    "No question lacks its clause: the expected clause is in the directory",
    "A clause is found by its meaning, and a report says how often",
    "A clause over 600 characters is given whole",
    "The approved wording answers on this installation",
    "The schedule decides which benefits a policy has",
    "No citation is invented, and an outage is told as one",
    "Ingestion takes what is right and refuses what is wrong",
)


def statements(
    facts: RunFacts,
    rows: Sequence[ResultRow],
    questions: Sequence[QuestionVerdict],
    families: Sequence[FamilyFigures],
    scenarios: Sequence[ScenarioLine],
) -> tuple[Statement, ...]:
    figures = (
        _no_missing(questions),
        _found(families),
        _checked(rows, "whole", "of the cited ones were not"),
        _wording(families, facts),
        f"{_played(scenarios, INCLUDED, NOT_LISTED)}; sentences that disagree: {_checked(rows, 'schedule', '')}",
        f"invented: {_checked(rows, 'citations', '')}; store stopped: {_played(scenarios, STORE_STOPPED)}",
        _ingested(facts),
    )
    return tuple(Statement(n, *pair) for n, pair in enumerate(zip(TEXTS, figures, strict=True), start=1))


def _no_missing(questions: Sequence[QuestionVerdict]) -> str:
    seen = [(q.case, a.seen) for q in questions if q.case.expected for a in q.asked if a.seen and a.seen.directory]
    there = {case.id: case.expected[0] in {line[0] for line in turn.directory} for case, turn in seen}
    if not there:
        return f"{NOT_MEASURED}: no turn had a directory"
    lacking = sorted(question for question, is_there in there.items() if not is_there)
    unseen = sum(bool(q.case.expected) for q in questions) - len(there)
    words = f"{sum(there.values())} of {len(there)} questions have it"
    words += f", not {', '.join(lacking)}" if lacking else ""
    return words + (f"; {unseen} without a directory, not measured" if unseen else "")


def _found(families: Sequence[FamilyFigures]) -> str:
    if not families:
        return f"{NOT_MEASURED}: no questions were asked"
    shares = families[-1].whole.shares
    return f"fetched {in_words(shares['fetched'])}; cited {in_words(shares['cited'])}"


def _checked(rows: Sequence[ResultRow], check: str, wrong_words: str) -> str:
    pairs = [row.seen["checks"]["counts"][check] for row in rows if row.seen is not None]
    looked_at, wrong = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
    if not looked_at:
        return f"{NOT_MEASURED}: nothing to look at"
    words = zero_in_words(looked_at) if wrong == 0 else in_words(share(wrong, looked_at))
    return f"{words} {wrong_words}".strip()


def _wording(families: Sequence[FamilyFigures], facts: RunFacts) -> str:
    used = {figures.family: figures.release for figures in families if figures.family != POOLED}
    lines = [f"{line.family} {used.get(line.family) or line.version}" for line in facts.releases]
    return ", ".join(lines) or NOT_MEASURED


def _played(scenarios: Sequence[ScenarioLine], *names: str) -> str:
    lines = {line.name: line for line in scenarios}
    words = []
    for name in names:
        line = lines.get(name)
        said = NOT_MEASURED if line is None or not line.share.n else f"{line.share.hits} of {line.share.n}"
        words.append(f"{name.replace('_', ' ')} {said}")
    return ", ".join(words)


def _ingested(facts: RunFacts) -> str:
    if facts.ingestions is None:
        return f"{NOT_MEASURED}: the records of the portal that was asked are not read from here"
    taken, refused = facts.ingestions["ingested"], facts.ingestions["refused"]
    said = f"{taken} taken" if taken else "none taken on record here, not measured"
    return f"{said}; " + (f"{refused} refused" if refused else "none refused on record here, not measured")
