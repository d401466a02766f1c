"""The four scenarios (M63) and what must be true of each, read from the turn's record and the claim, by no judge.

Every demand has a name: a scenario that fails says which of its demands were not met.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evals.cases import POLICIES

RENTAL_QUESTION = "Will my policy pay for a rental car while mine is repaired?"
RENTAL_CLAUSE, RENTAL_SECTION = "MTR-BEN-03", "alternative_transport"
INCLUDED, NOT_LISTED, NO_CLAUSE, STORE_STOPPED = "included", "not_listed", "no_clause", "store_stopped"
FAMILY = "motor"
FACT, FACT_VALUE = "place", "Petone"

Seen = Mapping[str, Any]
Demand = Callable[[Seen], bool]


@dataclass(frozen=True)
class Scenario:
    """One customer, one question, and the demands on what comes of it, by name.

    What was seen: `record` of the turn, `claim` after it as the customer reads it, `checks` of the reply; with the
    store stopped also `again`, the record of the first turn that came about after it was started.
    """

    name: str
    title: str
    fixture: str
    text: str
    demands: tuple[tuple[str, Demand], ...]

    @property
    def policy_number(self) -> str:
        return POLICIES[self.fixture][0]

    @property
    def postcode(self) -> str:
        return POLICIES[self.fixture][1]

    @property
    def stops_the_store(self) -> bool:
        return self.name == STORE_STOPPED


def _cited(record: Seen) -> bool:
    fetched = {clause["clause_id"] for clause in record["returned"] or ()}
    return (
        RENTAL_CLAUSE in (record["requested"] or ()) and RENTAL_CLAUSE in fetched and RENTAL_CLAUSE in record["cited"]
    )


def _cites_nothing(seen: Seen) -> bool:
    record = seen["record"]
    in_segments = any(segment["citation"] is not None for segment in record["segments"])
    return not record["cited"] and not record["citations"] and not in_segments


def _shows(part: str) -> Demand:
    return lambda seen: part in seen["checks"]["shown"].get(RENTAL_CLAUSE, ())


def _lists(seen: Seen) -> bool:
    schedule = seen["record"]["schedule"]
    return bool(schedule["state"] == "found" and RENTAL_SECTION in schedule["sections"])


def _reads_schedule(seen: Seen) -> bool:
    return bool(seen["record"]["schedule"]["state"] == "found" and seen["claim"]["schedule"] == "found")


def _says_schedule(words: str) -> Demand:
    return lambda seen: any(
        segment["kind"] == "schedule" and segment["text"].startswith(words) for segment in seen["record"]["segments"]
    )


def _ends(outcome: str) -> Demand:
    return lambda seen: seen["record"]["outcome"] == outcome


def _one_row(seen: Seen) -> bool:
    """One waiting row on a claim that had none, and the turn's own."""
    item, rows = seen["record"]["waiting_item"], seen["claim"]["waiting"]
    return item is not None and [row["reference"] for row in rows] == [item["reference"]]


def _says_row(seen: Seen) -> bool:
    item = seen["record"]["waiting_item"]
    return item is not None and any(item["reference"] in s["text"] for s in seen["record"]["segments"])


def _waits_only_with_row(seen: Seen) -> bool:
    said = any(segment["kind"] == "escalate" for segment in seen["record"]["segments"])
    return (not said and seen["record"]["waiting_item"] is None) or (_one_row(seen) and _says_row(seen))


def _keeps_fact(seen: Seen) -> bool:
    facts = {fact["field"]: fact for fact in seen["claim"]["facts"]}
    return FACT in facts and bool(facts[FACT]["value"] == FACT_VALUE and facts[FACT]["confirmed"])


_CITES = ("the clause is fetched and cited", lambda seen: _cited(seen["record"]))
_NO_ROW = ("nothing waits for staff", lambda seen: seen["record"]["waiting_item"] is None)
_NO_CITATION = ("no citation", _cites_nothing)

SCENARIOS = (
    Scenario(
        INCLUDED,
        "The benefit is included",
        "M-COMP+",
        RENTAL_QUESTION,
        (
            _CITES,
            ("the limit is shown", _shows("limit")),
            ("the trigger is shown", _shows("trigger")),
            ("the schedule lists it", _lists),
            ("the reply says that the schedule lists it", _says_schedule("Your schedule lists ")),
            ("the outcome is answered", _ends("answered")),
            _NO_ROW,
        ),
    ),
    Scenario(
        NOT_LISTED,
        "The schedule does not list it",
        "M-COMP",
        RENTAL_QUESTION,
        (
            _CITES,
            ("the clause's sentence on the schedule is shown", _shows("schedule")),
            ("the schedule does not list it", lambda seen: _reads_schedule(seen) and not _lists(seen)),
            ("the reply says that the schedule does not list it", _says_schedule("Your schedule does not list ")),
            ("the outcome is not_listed", _ends("not_listed")),
        ),
    ),
    Scenario(
        NO_CLAUSE,
        "No clause answers",
        "M-COMP",
        "when is the assessor coming to look at the car, i need to take the day off",
        (
            _NO_CITATION,
            ("the outcome is not_found", _ends("not_found")),
            ("exactly one new waiting row", _one_row),
            ("its reference is in the reply", _says_row),
        ),
    ),
    Scenario(
        STORE_STOPPED,
        "The store is stopped",
        "M-COMP+",
        RENTAL_QUESTION,
        (
            _NO_CITATION,
            ("the outcome is unavailable", _ends("unavailable")),
            ("the schedule is still read", _reads_schedule),
            ("the facts told before are kept and confirmed", _keeps_fact),
            ("a waiting sentence only with its row", _waits_only_with_row),
            ("after the start the next turn cites again", lambda seen: _cited(seen["again"])),
        ),
    ),
)


def scenario(name: str) -> Scenario:
    """Raises StopIteration for a name that is none."""
    return next(scenario for scenario in SCENARIOS if scenario.name == name)


def unmet(the_scenario: Scenario, seen: Seen) -> tuple[str, ...]:
    """The demands that are not met; none is a pass."""
    return tuple(name for name, is_met in the_scenario.demands if not is_met(seen))
