"""Scores and report against planted results: right, wrong, lazy, absent."""

import json
from dataclasses import replace

import pytest

from evals.cases import Case, InventoryError, conversation, read_cases
from evals.report import as_json, as_text, make_report
from evals.runs import inventory
from evals.scoring import Observation, Unknown, judge, share, share_of

TITLES = (("MTR-BEN-03", "Hire car"), ("MTR-BEN-02", "Glass"), ("MTR-CON-01", "Your excess"))
LABEL = "offline chooser, not a language model"


def case(
    id: str = "DM-01", *expected: str, kind: str = "covered", language: str = "en", after: str | None = None
) -> Case:
    return Case(id, "motor", "NW-MTR-204518", "6011", after, f"text of {id}", expected, kind, language)


def seen(id: str = "DM-01", *cited: str, **more: object) -> Observation:
    """A turn that fetched what it cites."""
    plain = Observation(id, "answered", TITLES, cited, cited, cited, False, False, LABEL, "2026.2")
    return replace(plain, **more)


def test_M60_fetched_needs_the_first_expected_clause_asked_for_and_returned():
    row = case("DM-01", "MTR-BEN-02", "MTR-CON-01")
    right = judge(row, seen("DM-01", "MTR-BEN-02"))
    assert (right.fetched, right.cited, right.good_citations, right.citations) == (True, True, 1, 1)
    wrong = judge(row, seen("DM-01", "MTR-BEN-03"))
    assert (wrong.fetched, wrong.cited, wrong.good_citations, wrong.citations) == (False, False, 0, 1)
    second_only = judge(row, seen("DM-01", "MTR-CON-01"))
    assert (second_only.fetched, second_only.good_citations) == (False, 1)
    not_returned = judge(row, seen("DM-01", requested=("MTR-BEN-02",)))
    assert not_returned.fetched is False


def test_M64_a_completed_turn_without_a_lookup_is_not_fetched_and_a_lazy_one_not_cited():
    row = case("DM-01", "MTR-BEN-03")
    no_lookup = judge(row, seen("DM-01"))
    assert (no_lookup.fetched, no_lookup.cited, no_lookup.citations) == (False, False, 0)
    lazy = judge(row, seen("DM-01", requested=("MTR-BEN-03",), returned=("MTR-BEN-03",)))
    assert (lazy.fetched, lazy.cited) == (True, False)


def test_a_refusal_cites_nothing_and_waits_and_a_demand_goes_to_staff():
    row = case("DN-01", kind="no_clause")
    assert judge(row, seen("DN-01", waits=True, outcome="not_found")).refused is True
    assert judge(row, seen("DN-01", outcome="not_found")).refused is False
    assert judge(row, seen("DN-01", "MTR-BEN-03", waits=True)).refused is False
    assert judge(row, seen("DN-01", waits=True)).fetched is None

    demand = case("DD-01", kind="needs_decision")
    assert judge(demand, seen("DD-01", outcome="needs_decision", waits=True)).sent_for_decision is True
    assert judge(demand, seen("DD-01", outcome="answered")).sent_for_decision is False
    assert judge(demand, seen("DD-01", outcome="answered")).refused is None


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        # The roots of Wilson's quadratic, solved apart from the code under test.
        (5, 5, 0.565518, 1.0),
        (0, 10, 0.0, 0.277533),
        (1, 10, 0.017876, 0.404150),
        (20, 20, 0.838875, 1.0),
        (49, 50, 0.895046, 0.996461),
        (148, 150, 0.952693, 0.996336),
    ],
)
def test_R7_wilsons_interval(hits: int, n: int, low: float, high: float):
    figures = share(hits, n)
    assert (figures.low, figures.high) == pytest.approx((low, high), abs=2e-6)
    assert figures.rate == hits / n


def test_R7_a_share_of_nothing_is_not_zero():
    assert share(0, 0).rate is None
    assert share_of([None, None]).n == 0
    assert share_of([True, None, False]).hits == 1


ROWS = (
    case("DM-01", "MTR-BEN-03"),
    case("DM-02", "MTR-BEN-03"),
    case("DM-03", "MTR-BEN-02", language="mi"),
    case("DM-04", "MTR-BEN-02", language="zh"),
    case("DM-05", "MTR-CON-01"),
    case("DN-01", kind="no_clause"),
)
RESULTS = (
    seen("DM-01", "MTR-BEN-03", "MTR-CON-01"),
    seen("DM-02", "MTR-BEN-02"),
    seen("DM-03", "MTR-BEN-02"),
    Unknown("DM-04", "the model's provider failed: ModelTimeout"),
    seen("DN-01", "MTR-CON-01", waits=True),
)


def test_M60_groups_stand_apart_and_the_unknown_are_neither_right_nor_wrong():
    report = make_report("motor", ROWS, RESULTS)
    groups = {group.name: group.shares for group in report.groups}
    counts = {name: (shares["fetched"].hits, shares["fetched"].n) for name, shares in groups.items()}
    assert counts == {
        "all": (2, 3),
        "English": (1, 2),
        "English, odd (tuning)": (1, 1),
        "English, even (holdout)": (0, 1),
        "other languages": (1, 1),
        "other languages, odd (tuning)": (1, 1),
        "other languages, even (holdout)": (0, 0),
    }
    assert (groups["all"]["precision"].hits, groups["all"]["precision"].n) == (2, 4), "refusals are not in it"
    assert (groups["all"]["refused"].hits, groups["all"]["refused"].n) == (0, 1)
    assert report.unknown == (RESULTS[3], Unknown("DM-05", "not run"))
    assert (report.state, report.is_usable) == ("partial", False)


def test_M61_the_report_names_who_answered_and_shows_every_miss_with_titles():
    report = make_report("motor", ROWS, RESULTS)
    text = as_text(report)
    first, second, *rest = text.splitlines()
    assert LABEL in first and "2026.2" in first
    assert second == "6 questions, 2 unknown, partial"
    assert [miss.case.id for miss in report.misses] == ["DM-02", "DN-01"]
    for words in (
        "MTR-BEN-02 Glass",
        "the model saw 3 titles",
        "1/2 0.50 (0.09-0.91)",
        "DM-05  not run",
        "ModelTimeout",
    ):
        assert words in text
    assert any(line.startswith("English, even (holdout)") for line in rest)

    body = json.loads(json.dumps(as_json(report)))
    [family] = body["families"]
    assert (family["family"], family["n"], body["model"], body["release"]) == ("motor", 6, LABEL, "2026.2")
    assert (family["fetched"]["hits"], family["fetched"]["n"]) == (2, 3)
    assert body["misses"][0]["directory"][0] == {"clause_id": "MTR-BEN-03", "title": "Hire car"}
    assert [row["case_id"] for row in body["unknown"]] == ["DM-04", "DM-05"]


def test_a_run_in_which_nothing_was_measured_says_so():
    report = make_report("motor", ROWS, ())
    assert not report.is_usable
    assert "nothing answered; wording none" in as_text(report)
    assert as_json(report)["families"][0]["fetched"]["rate"] is None


def test_M58_every_row_of_the_inventory_is_a_case_with_its_policy():
    cases = inventory()
    assert len(cases) == 108
    assert len({c.id for c in cases}) == 108
    assert sum(c.is_unanswerable for c in cases) == sum(c.is_demand for c in cases) == 12
    assert all(c.expected or c.is_unanswerable or c.is_demand for c in cases)
    assert {c.policy_number for c in cases if c.family == "motor"} >= {"NW-MTR-204518", "NW-MTR-204519"}


def test_a_row_that_comes_after_another_is_asked_after_it():
    rows = (case("DM-01", "A"), case("DM-03", "A", after="DM-01"), case("DM-05", "A", after="DM-03"))
    assert conversation(rows[0], rows) == ("text of DM-01",)
    assert conversation(rows[2], rows) == ("text of DM-01", "text of DM-03", "text of DM-05")
    circle = (case("DM-01", "A", after="DM-03"), rows[1])
    with pytest.raises(InventoryError, match="circle"):
        conversation(circle[0], circle)


ROW = """
- {id: DM-01, family: motor, fixture: M-COMP, after: null, text: t, expected: [], class: no_clause, expects: e,
   language: en}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "not YAML"),
        ("a: 1", "not a list"),
        ("- {id: DM-01}", "exactly these fields"),
        (ROW.replace("M-COMP", "M-NONE"), "no policy for the fixture"),
        (ROW.replace("DM-01", "DM"), "ends with a number"),
        (ROW.replace("after: null", "after: DM-77"), "DM-77"),
        (ROW + ROW, "same id"),
    ],
)
def test_an_inventory_that_cannot_be_used_says_what_is_wrong(text: str, message: str):
    with pytest.raises(InventoryError, match=message):
        read_cases(text)
