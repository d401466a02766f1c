"""What a turn's record says about a case: fetched, cited, refused, sent for a decision; or that nothing is known.

A verdict needs the record of the turn (M64): a reply that looks right proves no lookup. What could not be measured is
`Unknown`, with its reason; it is neither a pass nor a zero.
"""

import math
from dataclasses import dataclass

from evals.cases import Case

NINETY_FIVE = 1.959963984540054


@dataclass(frozen=True)
class Observation:
    """One turn as it was recorded. `directory` is what the model saw, as (id, title); clause ids are in their order."""

    case_id: str
    outcome: str
    directory: tuple[tuple[str, str], ...]
    requested: tuple[str, ...]
    returned: tuple[str, ...]
    cited: tuple[str, ...]
    waits: bool
    safe_reply: bool
    model: str
    release: str | None


@dataclass(frozen=True)
class Unknown:
    """A case that could not be measured."""

    case_id: str
    reason: str


@dataclass(frozen=True)
class Verdict:
    """None where a measure does not apply to the case.

    `good_citations` of `citations` name a clause that the row lists, on rows that have an expected clause.
    """

    case: Case
    seen: Observation
    fetched: bool | None
    cited: bool | None
    good_citations: int
    citations: int
    refused: bool | None
    sent_for_decision: bool | None


@dataclass(frozen=True)
class Share:
    """`hits` of `n`, and Wilson's interval at 95 %; all None when n is 0, which is not a rate of 0."""

    hits: int
    n: int
    rate: float | None
    low: float | None
    high: float | None


def judge(case: Case, seen: Observation) -> Verdict:
    """Score one turn. The first expected clause decides; the row's other clauses are credit for precision."""
    has_clause = bool(case.expected)
    first = case.expected[0] if has_clause else ""
    return Verdict(
        case=case,
        seen=seen,
        fetched=first in seen.requested and first in seen.returned if has_clause else None,
        cited=first in seen.cited if has_clause else None,
        good_citations=sum(clause_id in case.expected for clause_id in seen.cited) if has_clause else 0,
        citations=len(seen.cited) if has_clause else 0,
        refused=not seen.cited and seen.waits if case.is_unanswerable else None,
        sent_for_decision=seen.outcome == "needs_decision" and seen.waits if case.is_demand else None,
    )


def share(hits: int, n: int) -> Share:
    """A rate with Wilson's score interval (R7: the normal interval is wrong near 0 and 1)."""
    if n == 0:
        return Share(0, 0, None, None, None)
    rate, z = hits / n, NINETY_FIVE
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Share(hits, n, rate, max(0.0, middle - half), min(1.0, middle + half))


def share_of(verdicts: list[bool | None]) -> Share:
    """The share of True among the verdicts that apply."""
    known = [verdict for verdict in verdicts if verdict is not None]
    return share(sum(known), len(known))
