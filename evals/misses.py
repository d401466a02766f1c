"""The cards of missed questions, worst first, with what the model saw (M61) and where to look for a cure (M62)."""

from collections.abc import Sequence

from evals.report_values import MissCard
from evals.scoring import MISSES, Miss, QuestionVerdict

_PROMPT = "Report it with the turn's record: a model that ignores what it was given is not cured in the clauses."
_TITLE = "Content: is the expected clause's title plain enough beside the ones that were chosen, or does a clause lack?"
_CLAUSE = "Content: do the clause's plain lines say what was asked for?"
SUGGESTIONS = {
    Miss.FAMILY: "Report it: the family was not known although the policy number was given.",
    Miss.GUARD: "Read the turn's record: the checks' codes say what was wrong.",
    Miss.NO_LOOKUP: _PROMPT,
    Miss.ANSWERED: "Read the turn's record: did a title promise what its clause does not say?",
    Miss.REFUSED: _TITLE,
    Miss.INVENTED: _PROMPT,
    Miss.WRONG: _TITLE,
    Miss.NOT_CITED: _PROMPT,
    Miss.EXTRA: "Read the turn's record: do two titles promise the same?",
    Miss.NOT_SHOWN: _CLAUSE,
}


def miss_cards(questions: Sequence[QuestionVerdict]) -> tuple[MissCard, ...]:
    """Failed questions before those with a fault beside a pass; among them in the order of the kinds, then of ids."""
    cards = [_card(question) for question in questions if question.is_known and question.is_miss]
    order = list(Miss)
    return tuple(sorted(cards, key=lambda card: (not card.failed, order.index(Miss(card.kinds[0])))))


def _card(question: QuestionVerdict) -> MissCard:
    example = question.example
    if example is None or example.seen is None:
        raise ValueError(f"{question.case.id} is not known, so it is no miss")
    faulty = [verdict for verdict in question.verdicts if not verdict.passed or verdict.misses]
    kinds = question.misses or tuple(k for k in Miss if any(k in verdict.misses for verdict in faulty))
    seen = example.seen
    return MissCard(
        question=question,
        kinds=tuple(kind.value for kind in kinds),
        words=tuple(MISSES[kind] for kind in kinds),
        failed=question.passed is False,
        missed=len(faulty),
        known=len(question.verdicts),
        turn=example.turn,
        outcome=seen.outcome,
        requested=seen.requested,
        returned=seen.returned,
        not_found=seen.not_found,
        cited=seen.cited,
        directory=seen.directory,
        suggestion=SUGGESTIONS[kinds[0]],
    )
