"""The report against planted rows: every figure it prints is one that was planted."""

import json

import pytest

from evals.measures import POOLED
from evals.report import PLUMBING, QUALITY, is_plumbing, make_report
from evals.report_json import as_json
from evals.report_text import as_text
from evals.report_values import ResultRow
from tests.builders_evals import LABEL, case, facts, kept, row

TO_STAFF = {"waiting_item": {"reference": "WL-1"}, "outcome": "not_found"}
ROWS = (
    row(case("DM-01", "MTR-BEN-03"), kept("MTR-BEN-03", "MTR-CON-01")),
    row(case("DM-02", "MTR-BEN-03"), kept("MTR-BEN-02", turn="turn-2")),
    row(case("DM-03", "MTR-BEN-02", language="mi"), kept("MTR-BEN-02")),
    row(case("DM-04", "MTR-BEN-02", language="zh"), None, reason="the model's provider failed: ModelTimeout"),
    row(case("DM-05", "MTR-CON-01"), None),
    row(case("DN-01", kind="no_clause"), kept("MTR-CON-01", **TO_STAFF)),
    row(case("DN-03", kind="no_clause"), kept(**TO_STAFF)),
    row(case("DM-07", "MTR-CON-01"), kept(**TO_STAFF)),
)


def groups(report):
    return {group.name: group for group in report.families[0].groups}


def pair(figures):
    return figures.hits, figures.n


def test_M60_groups_stand_apart_and_the_unknown_are_neither_right_nor_wrong():
    report = make_report(facts(planned=8, finished=7, unknown=1, state="partial"), ROWS)
    found = groups(report)
    assert {name: pair(group.shares["fetched"]) for name, group in found.items()} == {
        "all": (2, 4),
        "English": (1, 3),
        "English, odd rows (tuning)": (1, 2),
        "English, even rows (holdout)": (0, 1),
        "other languages": (1, 1),
    }
    whole = found["all"].shares
    assert (found["all"].questions, found["all"].known) == (8, 6)
    assert pair(whole["cited"]) == (2, 4)
    assert pair(whole["cited_of_fetched"]) == (2, 2)
    assert pair(whole["precision"]) == (2, 4), "citations on questions without a clause are not in it"
    assert pair(whole["refused"]) == (1, 2)
    assert pair(whole["handed_over"]) == (1, 2)
    assert pair(whole["refusal_precision"]) == (2, 3), "DM-07 was refused and has a clause"
    assert whole["decisions"].n == 0
    assert pair(whole["ended"]) == (5, 6), "only DM-07 ended otherwise than its class says"
    classes = {group.name: pair(group.shares["fetched"]) for group in report.families[0].classes}
    assert (classes["covered"], classes["no clause"]) == ((2, 4), (0, 0))


def test_a_partial_run_says_so_and_names_what_is_unknown():
    report = make_report(facts(planned=8, finished=7, unknown=1, state="partial"), ROWS)
    assert not report.is_usable, "one unknown in eight is too many"
    assert "This run is partial: 1 of 8 could not be measured." in report.verdict
    assert [(line.name, line.reason) for line in report.unknown] == [("DM-04", ROWS[3].reason)]
    broken = make_report(facts(planned=8, finished=7, state="aborted"), ROWS)
    assert "This run did not finish: 7 of 8 asked. Its figures are of a part." in broken.verdict
    assert not broken.is_usable
    assert make_report(facts(planned=100, finished=100, unknown=5, state="partial"), ROWS).is_usable


def test_M61_every_miss_has_its_kinds_and_the_titles_that_the_model_saw():
    report = make_report(facts(), ROWS)
    assert [(card.question.case.id, card.kinds, card.failed) for card in report.misses] == [
        ("DN-01", ("K7",), True),
        ("DM-07", ("K6",), True),
        ("DM-02", ("K2", "K4"), True),
        ("DM-01", ("K4",), False),
    ]
    text = as_text(report)
    assert "DM-02  text of DM-02\n      failed: K2 fetched another clause; K4" in text
    assert "cited      MTR-BEN-02 Glass\n      titles     the model saw the 3 titles of list 1" in text
    assert "  List 1, 3 titles\n    MTR-BEN-03 Hire car\n" in text
    assert "turn-2" in text
    card = as_json(report)["misses"][2]
    assert (card["id"], card["requested"], card["cited"]) == ("DM-02", ["MTR-BEN-02"], ["MTR-BEN-02"])
    assert card["directory"][0] == {"clause_id": "MTR-BEN-03", "title": "Hire car"}
    assert card["suggestion"].startswith("Content:"), "M62"


def test_several_families_stand_apart_and_pooled():
    rows = (
        row(case("DM-01", "MTR-BEN-03"), kept("MTR-BEN-03")),
        row(case("DH-01", "HOM-COV-01", family="home"), kept("HOM-COV-02")),
        row(case("DH-02", "HOM-COV-01", family="home"), kept("HOM-COV-01")),
    )
    report = make_report(facts(families=("motor", "home")), rows)
    assert [(f.family, pair(f.whole.shares["cited"])) for f in report.families] == [
        ("motor", (1, 1)),
        ("home", (1, 2)),
        (POOLED, (2, 3)),
    ]
    assert "Home, expected clauses cited: 1 of 2, 50 % (9 to 91 %)." in report.verdict
    assert [family["family"] for family in as_json(report)["families"]] == ["motor", "home", POOLED]


def test_G19_the_part_that_was_asked_for_is_looked_for_in_the_expected_clause():
    asked = case("DM-01", "MTR-BEN-03", parts=["limit"])
    has = {"MTR-BEN-03": ["limit", "provides"]}
    shown = [
        row(asked, kept("MTR-BEN-03"), has=has, shown={"MTR-BEN-03": ["limit"]}),
        row(case("DM-03", "MTR-BEN-03", parts=["limit"]), kept("MTR-BEN-03"), has=has, shown={"MTR-BEN-03": []}),
        row(case("DM-05", "MTR-BEN-03", parts=["starts"]), kept("MTR-BEN-03"), has=has, shown={"MTR-BEN-03": []}),
        row(case("DM-07", "MTR-BEN-03", parts=["limit"]), kept("MTR-BEN-03")),
        row(case("DM-09", "MTR-BEN-03", parts=["limit"]), kept("MTR-BEN-02")),
    ]
    report = make_report(facts(), shown)
    assert pair(groups(report)["all"].shares["shown"]) == (1, 3), "a part the clause lacks, or an unknown text, is not"
    assert [card.question.case.id for card in report.misses if "K10" in card.kinds] == ["DM-03"]


def test_repeats_make_a_verdict_and_their_mean_stands_beside_it():
    right, wrong = kept("MTR-BEN-03"), kept("MTR-BEN-02")
    asked = case("DM-01", "MTR-BEN-03")
    rows = [row(asked, record, repetition=n) for n, record in enumerate([right, wrong, right], start=1)]
    report = make_report(facts(repeat=3), rows)
    whole = groups(report)["all"]
    assert (pair(whole.shares["cited"]), whole.turns["cited"]) == ((1, 1), (2, 3))
    assert (pair(whole.shares["precision"]), whole.turns["precision"]) == ((1, 1), (2, 3))
    assert "cited 2 of 3" in as_text(report)


def test_the_safety_counters_add_up_and_one_that_is_not_zero_makes_the_page_red():
    rows = [
        row(case("DM-01", "MTR-BEN-03"), kept("MTR-BEN-03"), counts={"citations": [3, 0], "schedule": [1, 0]}),
        row(case("DM-03", "MTR-BEN-03"), kept("MTR-BEN-03", turn="turn-9"), counts={"citations": [2, 1]}),
    ]
    report = make_report(facts(), rows)
    counters = {counter.name: counter for counter in report.safety}
    assert list(counters) == ["G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8"]
    assert (counters["G1"].looked_at, counters["G1"].wrong, counters["G1"].turns) == (5, 1, ("turn-9",))
    assert (counters["G6"].looked_at, counters["G6"].wrong) == (1, 0)
    assert counters["G3"].looked_at is None
    assert report.is_red and report.verdict[0].startswith("Red: G1")
    text = as_text(report)
    assert "G1  1 of 5" in text and "G6  0 of 1, at most 95 %" in text and "G2  nothing to look at" in text
    assert not make_report(facts(), rows[:1]).is_red


def scenario_row(name, repetition, verdict, reason=""):
    return ResultRow("scenario", name, "motor", repetition, {}, None, verdict, reason, "", "")


def test_M63_the_scenarios_stand_in_a_grid_and_the_unknown_ones_are_no_pass():
    rows = [scenario_row("included", n, "pass") for n in (1, 2, 3)]
    rows += [
        scenario_row("included", 4, "fail", "not met: no citation"),
        scenario_row("included", 5, "unknown", "late"),
    ]
    rows += [scenario_row("store_stopped", 1, "unknown", "no way to stop it")]
    report = make_report(facts(), rows)
    first, second = report.scenarios
    assert (pair(first.share), first.unknown) == ((3, 4), 1)
    assert (pair(second.share), second.unknown) == ((0, 0), 1)
    assert [cell.verdict for cell in first.cells] == ["pass", "pass", "pass", "fail", "unknown"]
    assert as_json(report)["scenarios"][0] | {"runs": None} == {
        **{"name": "included", "title": "The benefit is included", "passed": 3, "of": 4, "unknown": 1, "runs": None},
        **{"low": first.share.low, "high": first.share.high},
    }
    assert "no way to stop it" in as_text(report)


def test_M66_seven_statements_each_with_a_figure_or_the_word_that_there_is_none():
    counts = {"citations": [4, 0], "schedule": [2, 0], "whole": [3, 0]}
    rows = [row(case("DM-01", "MTR-BEN-03"), kept("MTR-BEN-03"), counts=counts)]
    rows += [row(case("DM-03", "MTR-COV-01"), kept()), row(case("DM-05", "MTR-COV-01"), None, reason="late")]
    rows += [scenario_row("included", 1, "pass"), scenario_row("not_listed", 1, "fail", "not met: x")]
    figures = [statement.figure for statement in make_report(facts(), rows).statements]
    assert figures[0] == "1 of 2 questions have it, not DM-03; 1 without a directory, not measured"
    assert figures[1].startswith("fetched 1 of 2, 50 %") and "cited 1 of 2" in figures[1]
    assert figures[2] == "0 of 3, at most 63 % of the cited ones were not"
    assert figures[3] == "motor 2026.2"
    assert figures[4] == "included 1 of 1, not listed 0 of 1; sentences that disagree: 0 of 2, at most 78 %"
    assert figures[5] == "invented: 0 of 4, at most 53 %; store stopped: store stopped not measured"
    assert figures[6] == "2 taken; none refused on record here, not measured"
    nothing = [statement.figure for statement in make_report(facts(ingestions=None, releases=()), []).statements]
    assert len(nothing) == 7 and all("not measured" in figure for figure in nothing)


def test_M67_a_model_that_ignores_what_it_is_given_is_named_with_its_turn():
    strange = kept(
        violations=[{"code": "V5", "detail": "x", "segment": 0}], repaired=True, not_found=["MTR-BEN-99"], turn="turn-7"
    )
    report = make_report(facts(), [row(case("DM-01", "MTR-BEN-03"), strange)])
    assert [(name, turn) for name, _, turn in report.guard.ignored] == [("DM-01", "turn-7"), ("DM-01", "turn-7")]
    assert report.guard.trips == (("V5", 1, ("DM-01",)),)
    assert (report.guard.turns, report.guard.repaired, report.guard.safe_replies) == (1, 1, 0)


def test_cost_and_time_are_of_what_is_known():
    call = {"step": "plan", "ms": 1, "tokens_in": 100, "tokens_out": 10, "cached": 40, "error": None}
    silent = {**call, "tokens_in": None, "tokens_out": None, "cached": None}
    rows = [
        row(case("DM-01", "MTR-BEN-03"), kept("MTR-BEN-03", calls=[call, call], cost=0.5)),
        row(case("DM-03", "MTR-BEN-03"), kept("MTR-BEN-03", calls=[silent])),
    ]
    cost = make_report(facts(), rows).cost
    assert (cost.tokens_in, cost.tokens_out, cost.cached_share, cost.calls_a_turn) == (200, 20, 0.4, 1.5)
    assert (cost.cost, cost.priced, cost.turns, cost.total_p50, cost.server_p95) == (0.5, 1, 2, 100, 40)


@pytest.mark.parametrize(
    ("model", "plumbing"), [(LABEL, True), ("openai/scripted", True), ("", True), ("openai/gpt-5-mini", False)]
)
def test_what_is_no_language_model_gives_a_plumbing_run(model: str, plumbing: bool):
    assert is_plumbing(model) is plumbing
    report = make_report(facts(model_configured=model), ROWS)
    assert report.title == (PLUMBING if plumbing else QUALITY)
    assert as_text(report).startswith(report.title)
    assert as_json(report)["title"] == report.title
    assert any("not how good" in line for line in report.cannot_tell) is plumbing


def test_text_and_json_always_say_what_the_run_cannot_tell_and_what_it_was_made_with():
    for rows in (ROWS, ()):
        report = make_report(facts(), rows)
        text, body = as_text(report), json.loads(json.dumps(as_json(report)))
        assert "What this run cannot tell you" in text and "second reader" in text
        assert body["cannot_tell"] == list(report.cannot_tell)
        for words in ("unknown", "document cd, manifest ef", "suite, SHA-256", "seed 7"):
            assert words in text
        assert body["provenance"]["hashes"] == {"suite": "ab"}
        assert body["provenance"]["git"] == {"commit": "unknown", "dirty": None}
    empty = make_report(facts(), ())
    assert empty.families == () and as_json(empty)["families"] == []
