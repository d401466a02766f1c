"""Shares over questions: what each measure counts, and the groups that stand apart."""

from collections.abc import Callable, Sequence

from evals.cases import OUTCOMES, Case
from evals.figures import Share, majority, share, share_of
from evals.report_values import FamilyFigures, Group
from evals.scoring import QuestionVerdict, Verdict

POOLED = "all families"
MEASURES = {
    "fetched": "the expected clause was asked for and fetched",
    "cited": "the expected clause was cited",
    "cited_of_fetched": "of the expected clauses fetched, those cited",
    "precision": "of all clauses cited, those that the question lists",
    "shown": "the part of the clause that was asked for is in the reply",
    "refused": "no clause answers: says so, cites nothing, waits for staff",
    "handed_over": "no clause answers: cites nothing and waits for staff, however it is said",
    "refusal_precision": "of all refusals, those of questions that no clause answers",
    "decisions": "a decision is asked for: says so and waits for staff",
    "ended": "ended as its class should",
}


_YES_OR_NO: dict[str, Callable[[Verdict], bool | None]] = {
    "fetched": lambda v: v.fetched,
    "cited": lambda v: v.cited,
    "shown": lambda v: v.shown,
    "refused": lambda v: v.refused,
    "handed_over": lambda v: v.handed_over,
    "decisions": lambda v: v.sent_for_decision,
    "ended": lambda v: v.ended_as_expected,
}


def family_figures(family: str, release: str, questions: Sequence[QuestionVerdict]) -> FamilyFigures:
    """A family's groups, or with POOLED as its name those of every family."""
    groups: dict[str, Callable[[Case], bool]] = {
        "all": lambda case: True,
        "English": lambda case: case.is_english,
        "English, odd rows (tuning)": lambda case: case.is_english and not case.is_holdout,
        "English, even rows (holdout)": lambda case: case.is_english and case.is_holdout,
        "other languages": lambda case: not case.is_english,
    }
    classes: dict[str, Callable[[Case], bool]] = {
        kind.replace("_", " "): lambda case, kind=kind: case.kind == kind  # type: ignore[misc]
        for kind in OUTCOMES
    }
    return FamilyFigures(
        family,
        release,
        tuple(_group(name, [q for q in questions if is_in(q.case)]) for name, is_in in groups.items()),
        tuple(_group(name, [q for q in questions if is_in(q.case)]) for name, is_in in classes.items()),
    )


def _group(name: str, questions: list[QuestionVerdict]) -> Group:
    known = [question for question in questions if question.is_known]
    return Group(
        name=name,
        questions=len(questions),
        known=len(known),
        shares={measure: _share(measure, known) for measure in MEASURES},
        turns={measure: _turns(measure, known) for measure in MEASURES},
    )


def _share(measure: str, questions: Sequence[QuestionVerdict]) -> Share:
    if measure in _YES_OR_NO:
        return share_of([_majority(measure, question) for question in questions])
    if measure == "cited_of_fetched":
        return share_of([_majority("cited", q) for q in questions if _majority("fetched", q)])
    if measure == "precision":
        with_clause = [question for question in questions if question.case.expected]
        cited = [(question.case, clause_id) for question in with_clause for clause_id in question.cited]
        return share(sum(clause_id in case.expected for case, clause_id in cited), len(cited))
    refusals = [q for q in questions if majority([verdict.said_not_found for verdict in q.verdicts])]
    return share_of([question.case.is_unanswerable for question in refusals])


def _majority(measure: str, question: QuestionVerdict) -> bool | None:
    return majority([_YES_OR_NO[measure](verdict) for verdict in question.verdicts])


def _turns(measure: str, questions: Sequence[QuestionVerdict]) -> tuple[int, int]:
    pairs = [(question.case, verdict) for question in questions for verdict in question.verdicts]
    if measure == "precision":
        return sum(v.good_citations for _, v in pairs), sum(v.citations for _, v in pairs)
    if measure == "cited_of_fetched":
        answers = [verdict.cited for _, verdict in pairs if verdict.fetched]
    elif measure == "refusal_precision":
        answers = [case.is_unanswerable for case, verdict in pairs if verdict.said_not_found]
    else:
        answers = [_YES_OR_NO[measure](verdict) for _, verdict in pairs]
    known = [answer for answer in answers if answer is not None]
    return sum(known), len(known)
