"""The scenarios' oracles: what is right meets every demand, and each planted fault fails by the demand it breaks."""

from copy import deepcopy

import pytest

from evals.scenarios import SCENARIOS, scenario, unmet
from tests.builders_evals import kept

RENTAL = "MTR-BEN-03"
LISTS = {"state": "found", "sections": ["alternative_transport"], "details": []}
LISTS_NOT = {"state": "found", "sections": ["comprehensive"], "details": []}
SHOWN = {"shown": {RENTAL: ["limit", "trigger", "schedule"]}}
FACT = {"field": "place", "value": "Petone", "confirmed": True}
ITEM = {"reference": "WL-7"}
QUOTE = {
    "kind": "plain",
    "text": "x",
    "citation": {"clause_id": RENTAL, "version": "2026.2", "sentences": [], "line": 1},
}


def said(kind, text):
    return {"kind": kind, "text": text, "citation": None}


WAITS = said("escalate", "It waits. Reference WL-7, number 1 in line.")
RIGHT = {
    "included": {
        "record": kept(RENTAL, schedule=LISTS, segments=[QUOTE, said("schedule", "Your schedule lists it.")]),
        "claim": {"schedule": "found", "facts": [], "waiting": []},
        "checks": SHOWN,
    },
    "not_listed": {
        "record": kept(
            RENTAL,
            outcome="not_listed",
            schedule=LISTS_NOT,
            segments=[QUOTE, said("schedule", "Your schedule does not list it.")],
        ),
        "claim": {"schedule": "found", "facts": [], "waiting": []},
        "checks": SHOWN,
    },
    "no_clause": {
        "record": kept(outcome="not_found", waiting_item=ITEM, segments=[WAITS]),
        "claim": {"schedule": "found", "facts": [], "waiting": [ITEM]},
        "checks": {"shown": {}},
    },
    "store_stopped": {
        "record": kept(outcome="unavailable", waiting_item=ITEM, segments=[WAITS], returned=None),
        "claim": {"schedule": "found", "facts": [FACT], "waiting": [ITEM]},
        "checks": {"shown": {}},
        "again": kept(RENTAL),
    },
}


@pytest.mark.parametrize("name", RIGHT)
def test_M63_what_is_right_meets_every_demand(name):
    assert unmet(scenario(name), RIGHT[name]) == ()


def test_M63_there_are_four_each_of_its_own():
    assert {played.name for played in SCENARIOS} == set(RIGHT)
    assert [played.name for played in SCENARIOS if played.stops_the_store] == ["store_stopped"]


FAULTS = [
    ("included", {"record": {"returned": []}}, {"the clause is fetched and cited"}),
    ("included", {"record": {"cited": []}}, {"the clause is fetched and cited"}),
    ("included", {"record": {"requested": []}}, {"the clause is fetched and cited"}),
    ("included", {"checks": {"shown": {RENTAL: ["limit"]}}}, {"the trigger is shown"}),
    ("included", {"checks": {"shown": {RENTAL: ["trigger"]}}}, {"the limit is shown"}),
    ("included", {"record": {"schedule": LISTS_NOT}}, {"the schedule lists it"}),
    ("included", {"record": {"segments": [QUOTE]}}, {"the reply says that the schedule lists it"}),
    ("included", {"record": {"outcome": "not_found"}}, {"the outcome is answered"}),
    ("included", {"record": {"waiting_item": ITEM}}, {"nothing waits for staff"}),
    ("not_listed", {"record": {"cited": []}}, {"the clause is fetched and cited"}),
    ("not_listed", {"checks": {"shown": {}}}, {"the clause's sentence on the schedule is shown"}),
    ("not_listed", {"record": {"schedule": LISTS}}, {"the schedule does not list it"}),
    ("not_listed", {"claim": {"schedule": "no_evidence"}}, {"the schedule does not list it"}),
    ("not_listed", {"record": {"segments": []}}, {"the reply says that the schedule does not list it"}),
    ("not_listed", {"record": {"outcome": "answered"}}, {"the outcome is not_listed"}),
    ("no_clause", {"record": {"cited": [RENTAL]}}, {"no citation"}),
    ("no_clause", {"record": {"segments": [QUOTE, WAITS]}}, {"no citation"}),
    ("no_clause", {"record": {"outcome": "answered"}}, {"the outcome is not_found"}),
    ("no_clause", {"claim": {"waiting": []}}, {"exactly one new waiting row"}),
    ("no_clause", {"claim": {"waiting": [ITEM, {"reference": "WL-8"}]}}, {"exactly one new waiting row"}),
    (
        "no_clause",
        {"record": {"waiting_item": None}},
        {"exactly one new waiting row", "its reference is in the reply"},
    ),
    ("no_clause", {"record": {"segments": [said("escalate", "It waits.")]}}, {"its reference is in the reply"}),
    ("store_stopped", {"record": {"citations": [{}]}}, {"no citation"}),
    ("store_stopped", {"record": {"outcome": "not_found"}}, {"the outcome is unavailable"}),
    ("store_stopped", {"record": {"schedule": {"state": "no_evidence"}}}, {"the schedule is still read"}),
    ("store_stopped", {"claim": {"schedule": "no_evidence"}}, {"the schedule is still read"}),
    ("store_stopped", {"claim": {"facts": []}}, {"the facts told before are kept and confirmed"}),
    (
        "store_stopped",
        {"claim": {"facts": [{**FACT, "confirmed": False}]}},
        {"the facts told before are kept and confirmed"},
    ),
    ("store_stopped", {"claim": {"waiting": []}}, {"a waiting sentence only with its row"}),
    ("store_stopped", {"record": {"waiting_item": None}}, {"a waiting sentence only with its row"}),
    ("store_stopped", {"again": {"cited": []}}, {"after the start the next turn cites again"}),
]


@pytest.mark.parametrize(("name", "change", "demands"), FAULTS)
def test_M63_each_fault_fails_by_the_demand_that_it_breaks(name, change, demands):
    seen = deepcopy(RIGHT[name])
    for part, values in change.items():
        seen[part] = {**seen[part], **values}
    assert set(unmet(scenario(name), seen)) == demands


def test_every_demand_is_broken_by_a_fault_above():
    broken = {(name, demand) for name, _, demands in FAULTS for demand in demands}
    assert broken == {(played.name, demand) for played in SCENARIOS for demand, _ in played.demands}


def test_without_a_waiting_sentence_no_row_is_needed():
    seen = deepcopy(RIGHT["store_stopped"])
    seen["record"] |= {"waiting_item": None, "segments": []}
    assert unmet(scenario("store_stopped"), seen) == ()
