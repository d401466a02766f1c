"""What turns' records say about a case: fetched, cited, refused, sent for a decision; or that nothing is known.

A verdict needs the record of the turn (M64): a reply that looks right proves no lookup. What could not be measured is
unknown, with its reason; it is neither a pass nor a zero. The question is the unit: of several repetitions the
majority of the known ones is its verdict.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evals.cases import OUTCOMES, Case
from evals.figures import majority
from evals.observation import Observation


class Miss(StrEnum):
    """What kind of miss it was (`evals.md`), the kind that explains most first."""

    FAMILY = "K8"
    GUARD = "K9"
    NO_LOOKUP = "K1"
    ANSWERED = "K7"
    REFUSED = "K6"
    INVENTED = "K5"
    WRONG = "K2"
    NOT_CITED = "K3"
    EXTRA = "K4"
    NOT_SHOWN = "K10"


MISSES = {
    Miss.FAMILY: "the family of the policy was not known",
    Miss.GUARD: "the checks refused the model's reply",
    Miss.NO_LOOKUP: "nothing was looked up",
    Miss.ANSWERED: "answered, or let go, though staff should have got it",
    Miss.REFUSED: "refused though a clause answers it",
    Miss.INVENTED: "named a clause that is not in the directory",
    Miss.WRONG: "fetched another clause",
    Miss.NOT_CITED: "fetched the clause and did not cite it",
    Miss.EXTRA: "cited a clause that does not answer it",
    Miss.NOT_SHOWN: "cited the clause without the part that was asked for",
}


@dataclass(frozen=True)
class Verdict:
    """The measures of one turn; None where a measure does not apply to the case or is not known.

    `good_citations` of `citations` name a clause that the row lists, on rows that have an expected clause.
    `refused` says not_found, cites nothing and waits for staff; `handed_over` only the last two, however it was said.
    """

    fetched: bool | None
    cited: bool | None
    good_citations: int
    citations: int
    shown: bool | None
    refused: bool | None
    handed_over: bool | None
    sent_for_decision: bool | None
    ended_as_expected: bool
    said_not_found: bool
    misses: tuple[Miss, ...]

    @property
    def passed(self) -> bool:
        """The inventory's own rule: the first clause fetched and cited; staff's question with staff."""
        return False not in (self.fetched, self.cited, self.refused, self.sent_for_decision)


def judge(case: Case, seen: Observation) -> Verdict:
    """Score one turn. The first expected clause decides; the row's other clauses are credit for precision."""
    has_clause = bool(case.expected)
    first = case.expected[0] if has_clause else ""
    to_staff = not seen.cited and seen.waits
    return Verdict(
        fetched=first in seen.requested and first in seen.returned if has_clause else None,
        cited=first in seen.cited if has_clause else None,
        good_citations=sum(clause_id in case.expected for clause_id in seen.cited) if has_clause else 0,
        citations=len(seen.cited) if has_clause else 0,
        shown=_shown(case, seen),
        refused=to_staff and seen.outcome == "not_found" if case.is_unanswerable else None,
        handed_over=to_staff if case.is_unanswerable else None,
        sent_for_decision=seen.outcome == "needs_decision" and seen.waits if case.is_for_staff else None,
        ended_as_expected=seen.outcome in OUTCOMES[case.kind],
        said_not_found=seen.outcome == "not_found",
        misses=tuple(kind for kind in Miss if _is_miss(kind, case, seen)),
    )


def _shown(case: Case, seen: Observation) -> bool | None:
    if not case.parts:
        return None
    return seen.shown if case.expected[0] in seen.cited else False


def _is_miss(kind: Miss, case: Case, seen: Observation) -> bool:
    first = case.expected[0] if case.expected else None
    is_fetched, is_cited = first in seen.returned, first in seen.cited
    needs_clause = first is not None and not is_fetched
    named = {clause_id for clause_id, _ in seen.directory}
    found = {
        Miss.FAMILY: seen.outcome == "family_needed",
        Miss.GUARD: seen.safe_reply,
        Miss.NO_LOOKUP: needs_clause and not seen.looked_up,
        Miss.ANSWERED: _is_let_go(case, seen),
        Miss.REFUSED: needs_clause and seen.looked_up and not seen.cited and not seen.returned,
        Miss.INVENTED: seen.looked_up and not set(seen.requested) <= named,
        Miss.WRONG: needs_clause and bool(seen.returned),
        Miss.NOT_CITED: first is not None and is_fetched and not is_cited,
        Miss.EXTRA: first is not None and bool(set(seen.cited) - set(case.expected)),
        Miss.NOT_SHOWN: is_cited and _shown(case, seen) is False,
    }
    return found[kind]


def _is_let_go(case: Case, seen: Observation) -> bool:
    if case.is_unanswerable:
        return bool(seen.cited) or not seen.waits or seen.outcome != "not_found"
    return case.is_for_staff and not (seen.outcome == "needs_decision" and seen.waits)


@dataclass(frozen=True)
class Asked:
    """One repetition: what it gave, or why nothing is known. `turn` and `claim` lead to the record."""

    repetition: int
    seen: Observation | None
    unknown: str
    turn: str
    claim: str


@dataclass(frozen=True)
class QuestionVerdict:
    """A question over its repetitions; `verdicts` are those of the known ones, in their order."""

    case: Case
    asked: tuple[Asked, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def is_known(self) -> bool:
        return bool(self.verdicts)

    @property
    def passed(self) -> bool | None:
        return majority([verdict.passed for verdict in self.verdicts])

    @property
    def misses(self) -> tuple[Miss, ...]:
        """The kinds that more than half of the known repetitions show."""
        return tuple(kind for kind in Miss if majority([kind in verdict.misses for verdict in self.verdicts]))

    @property
    def is_miss(self) -> bool:
        """Failed, or passed with a fault that the reader should see; on a tie the reader sees it, too."""
        return self.passed is False or bool(self.misses)

    @property
    def cited(self) -> tuple[str, ...]:
        """The clauses that more than half of the known repetitions cite."""
        count = Counter(clause_id for a in self.asked if a.seen for clause_id in a.seen.cited)
        return tuple(clause_id for clause_id, times in count.items() if 2 * times > len(self.verdicts))

    @property
    def example(self) -> Asked | None:
        """The first known repetition with a fault, else the first known one."""
        known = [asked for asked in self.asked if asked.seen is not None]
        pairs = zip(known, self.verdicts, strict=True)
        return next((a for a, v in pairs if not v.passed or v.misses), known[0] if known else None)


def judge_question(case: Case, asked: Sequence[Asked]) -> QuestionVerdict:
    verdicts = tuple(judge(case, one.seen) for one in asked if one.seen is not None)
    return QuestionVerdict(case, tuple(asked), verdicts)
