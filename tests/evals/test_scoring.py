"""Verdicts against planted turns: right, wrong, lazy, absent; each kind of miss by its own."""

import pytest

from evals.cases import InventoryError, chosen, conversation, read_cases
from evals.runs import Wanted, make_plan
from evals.scoring import Asked, Miss, judge, judge_question
from tests.builders_evals import case, seen


def test_M60_fetched_needs_the_first_expected_clause_asked_for_and_returned():
    row = case("DM-01", "MTR-BEN-02", "MTR-CON-01")
    right = judge(row, seen("MTR-BEN-02"))
    assert (right.fetched, right.cited, right.good_citations, right.citations) == (True, True, 1, 1)
    wrong = judge(row, seen("MTR-BEN-03"))
    assert (wrong.fetched, wrong.cited, wrong.good_citations, wrong.citations) == (False, False, 0, 1)
    second_only = judge(row, seen("MTR-CON-01"))
    assert (second_only.fetched, second_only.good_citations, second_only.passed) == (False, 1, False)
    not_returned = judge(row, seen(requested=("MTR-BEN-02",)))
    assert not_returned.fetched is False


def test_M64_a_completed_turn_without_a_lookup_is_not_fetched_and_a_lazy_one_not_cited():
    row = case("DM-01", "MTR-BEN-03")
    no_lookup = judge(row, seen(looked_up=False))
    assert (no_lookup.fetched, no_lookup.cited, no_lookup.citations) == (False, False, 0)
    lazy = judge(row, seen(requested=("MTR-BEN-03",), returned=("MTR-BEN-03",)))
    assert (lazy.fetched, lazy.cited, lazy.passed) == (True, False, False)


def test_a_refusal_says_so_cites_nothing_and_waits():
    row = case("DN-01", kind="no_clause")
    assert judge(row, seen(waits=True, outcome="not_found")).refused is True
    assert judge(row, seen(outcome="not_found")).refused is False
    assert judge(row, seen("MTR-BEN-03", waits=True, outcome="not_found")).refused is False
    person = judge(row, seen(waits=True, outcome="person"))
    assert (person.refused, person.handed_over, person.fetched) == (False, True, None)


def test_what_staff_decide_goes_to_staff():
    demand = case("DD-01", kind="needs_decision")
    assert judge(demand, seen(outcome="needs_decision", waits=True)).sent_for_decision is True
    assert judge(demand, seen(outcome="needs_decision")).sent_for_decision is False
    assert judge(demand, seen(outcome="answered", waits=True)).sent_for_decision is False
    assert judge(demand, seen(outcome="answered")).refused is None
    both = case("DM-07", "MTR-BEN-03", kind="needs_decision")
    assert judge(both, seen("MTR-BEN-03", outcome="answered")).passed is False


def test_G19_the_part_that_was_asked_for_is_shown_or_not_or_not_known():
    row = case("DM-01", "MTR-BEN-03", parts=["limit"])
    assert judge(row, seen("MTR-BEN-03", shown=True)).shown is True
    assert judge(row, seen("MTR-BEN-03", shown=False)).shown is False
    assert judge(row, seen("MTR-BEN-03", shown=None)).shown is None
    assert judge(row, seen("MTR-BEN-02")).shown is False, "nothing of the clause is shown"
    assert judge(case("DM-01", "MTR-BEN-03"), seen("MTR-BEN-03")).shown is None, "nobody asked"


CLAUSE = case("DM-01", "MTR-BEN-03", parts=["limit"])
FOUND = {"requested": ("MTR-BEN-03",), "returned": ("MTR-BEN-03",)}


@pytest.mark.parametrize(
    ("row", "turn", "kinds"),
    [
        (CLAUSE, seen("MTR-BEN-03", shown=True), ()),
        (CLAUSE, seen(looked_up=False), (Miss.NO_LOOKUP,)),
        (CLAUSE, seen("MTR-BEN-02"), (Miss.WRONG, Miss.EXTRA)),
        (CLAUSE, seen(**FOUND), (Miss.NOT_CITED,)),
        (CLAUSE, seen("MTR-BEN-03", "MTR-BEN-02", shown=True), (Miss.EXTRA,)),
        (CLAUSE, seen(requested=("MTR-BEN-99",)), (Miss.REFUSED, Miss.INVENTED)),
        (CLAUSE, seen(outcome="not_found"), (Miss.REFUSED,)),
        (CLAUSE, seen(looked_up=False, outcome="family_needed"), (Miss.FAMILY, Miss.NO_LOOKUP)),
        (CLAUSE, seen(safe_reply=True, outcome="failed", **FOUND), (Miss.GUARD, Miss.NOT_CITED)),
        (CLAUSE, seen("MTR-BEN-03", shown=False), (Miss.NOT_SHOWN,)),
        (case("DN-01", kind="no_clause"), seen("MTR-BEN-03"), (Miss.ANSWERED,)),
        (case("DN-01", kind="no_clause"), seen(outcome="not_found", waits=True), ()),
        (case("DD-01", kind="needs_decision"), seen(outcome="other"), (Miss.ANSWERED,)),
    ],
)
def test_every_miss_has_its_kind(row: object, turn: object, kinds: tuple[Miss, ...]):
    verdict = judge(row, turn)
    assert verdict.misses == kinds
    assert verdict.passed or kinds, "what failed has a kind"


def asked(number: int, observation: object, unknown: str = "") -> Asked:
    return Asked(number, observation, unknown, f"turn-{number}", "CL-1")


def test_the_question_is_the_unit_and_the_majority_of_what_is_known_its_verdict():
    right, wrong = seen("MTR-BEN-03", shown=True), seen("MTR-BEN-02")
    row = case("DM-01", "MTR-BEN-03")
    mostly = judge_question(row, [asked(1, wrong), asked(2, right), asked(3, right)])
    assert (mostly.passed, mostly.misses, mostly.cited) == (True, (), ("MTR-BEN-03",))
    tie = judge_question(row, [asked(1, right), asked(2, wrong), asked(3, None, "late")])
    assert (tie.passed, tie.is_known, tie.is_miss, tie.cited) == (False, True, True, ())
    assert tie.example == asked(2, wrong), "the repetition that went wrong is shown"
    nothing = judge_question(row, [asked(1, None, "late")])
    assert (nothing.passed, nothing.is_known, nothing.is_miss, nothing.example) == (None, False, False, None)


def test_M58_every_row_of_the_inventory_is_a_case_with_its_policy_and_what_to_show():
    cases = make_plan(Wanted()).cases
    assert len(cases) == 108
    assert len({c.id for c in cases}) == 108
    assert sum(c.is_unanswerable for c in cases) == sum(c.is_demand for c in cases) == 12
    assert all(c.expected or c.is_unanswerable or c.is_demand for c in cases)
    assert [c.id for c in cases if bool(c.expected) != bool(c.parts)] == []
    assert {c.policy_number for c in cases if c.family == "motor"} >= {"NW-MTR-204518", "NW-MTR-204519"}


def test_a_row_that_comes_after_another_is_asked_after_it():
    rows = (case("DM-01", "A"), case("DM-03", "A", after="DM-01"), case("DM-05", "A", after="DM-03"))
    assert conversation(rows[0], rows) == ("text of DM-01",)
    assert conversation(rows[2], rows) == ("text of DM-01", "text of DM-03", "text of DM-05")
    circle = (case("DM-01", "A", after="DM-03"), rows[1])
    with pytest.raises(InventoryError, match="circle"):
        conversation(circle[0], circle)


def test_cases_are_chosen_by_family_and_by_id():
    rows = (case("DM-01"), case("DM-02"), case("DH-01", family="home"))
    assert [c.id for c in chosen(rows)] == ["DM-01", "DM-02", "DH-01"]
    assert [c.id for c in chosen(rows, "motor", ("DM-02",))] == ["DM-02"]
    for family, only in (("pets", ()), ("home", ("DM-01",)), (None, ("DM-99",))):
        with pytest.raises(InventoryError):
            chosen(rows, family, only)


ROW = """
- {id: DM-01, family: motor, fixture: M-COMP, after: null, text: t, expected: [], class: no_clause, expects: e,
   language: en}
"""


@pytest.mark.parametrize(
    ("text", "parts", "message"),
    [
        ("[", "", "not YAML"),
        ("a: 1", "", "not a list"),
        ("- {id: DM-01}", "", "exactly these fields"),
        (ROW.replace("M-COMP", "M-NONE"), "", "no policy for the fixture"),
        (ROW.replace("no_clause", "a_wish"), "", "no class"),
        (ROW.replace("DM-01", "DM"), "", "ends with a number"),
        (ROW.replace("after: null", "after: DM-77"), "", "DM-77"),
        (ROW + ROW, "", "same id"),
        (ROW, "DM-01: [moral]", "no part"),
    ],
)
def test_an_inventory_that_cannot_be_used_says_what_is_wrong(text: str, parts: str, message: str):
    with pytest.raises(InventoryError, match=message):
        read_cases(text, parts)
