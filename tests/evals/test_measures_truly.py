"""It measures truly: a scripted model that is right, wrong, lazy, late and absent in planted places, over real HTTP.

The questions go through the whole portal, LiteLLM and a real server; the report's figures must be the planted ones.
"""

import json
from collections import Counter
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from evals.cases import Case
from evals.runs import Wanted, make_plan
from tests.fakellm import Body, Step, but, failure, tool_call

pytestmark = pytest.mark.usefixtures("portal", "manager")

LATE_SECONDS = 0.4
OTHER = "MTR-CLM-04"
SECOND, THIRD = "MTR-CON-03", "MTR-COV-04"
# What the model does with each question; the question's own expected clause is looked up in the inventory.
PLANTED = {
    "DM-01": "right",
    "DM-06": "right",
    "DM-09": "right",
    "DM-12": "right",
    "DM-13": "wrong",
    "DM-14": "wrong",
    "DM-15": "lazy",
    "DM-16": "lazy",
    "DM-17": "not cited",
    "DM-18": "nothing",
    "DM-19": "no lookup",
    "DM-20": "right",
    "DM-23": "invents",
    "DM-24": "right",
    "DM-05": "wrong",
    "DM-25": "late",
    "DM-27": "absent",
    "DN-01": "refuses",
    "DN-02": "refuses",
    "DN-04": "wrong",
    "DD-01": "to staff",
    "DD-10": "to staff",
}
CLAUSES = {"right", "lazy", "not cited"}


def cases() -> dict[str, Case]:
    return {case.id: case for case in make_plan(Wanted(family="motor")).cases}


class Planted:
    """The model: what it does depends on the message alone."""

    def __init__(self) -> None:
        self.by_text = {case.text: case for case in cases().values()}
        self.asked: Counter[str] = Counter()

    def __call__(self, body: Body) -> Step:
        user = json.loads(body["messages"][1]["content"])
        case = self.by_text[user["message"]]
        self.asked[case.id] += 1
        return self.step(PLANTED[case.id], case, body["tools"][0]["function"]["name"], user)

    def step(self, does: str, case: Case, tool: str, user: dict[str, Any]) -> Step:
        if does == "absent":
            return failure(401)
        steps = {"plan": self.plan, "context_resolve": self.resolve, "answer": self.answer}
        step = tool_call(tool, steps[tool](does, case, user))
        return but(step, hang=LATE_SECONDS * 3) if does == "late" and tool == "answer" else step

    def plan(self, does: str, case: Case, user: dict[str, Any]) -> dict[str, Any]:
        kind = "other" if does == "no lookup" else "question"
        return {"kind": kind, "wants_decision": does == "to staff", "facts": []}

    def ids(self, does: str, case: Case) -> list[str]:
        first = case.expected[0] if case.expected else ""
        given = {"right": [first], "late": [first], "not cited": [first], "lazy": [first, SECOND, THIRD]}
        return {**given, "wrong": [OTHER], "invents": ["MTR-BEN-99"]}.get(does, [])

    def resolve(self, does: str, case: Case, user: dict[str, Any]) -> dict[str, Any]:
        return {"clause_ids": self.ids(does, case)}

    def answer(self, does: str, case: Case, user: dict[str, Any]) -> dict[str, Any]:
        """The first sentence of every clause that was fetched."""
        clauses = user["evidence"]["clauses"]
        if does == "not cited" or not clauses:
            return {"segments": [{"kind": "form", "name": "not_found"}]}
        shown = [{"kind": "quote", "clause_id": clause["clause_id"], "sentences": [1]} for clause in clauses]
        return {"segments": shown}


@pytest.fixture
def planted(model: Any, settings: Any) -> Planted:
    settings.PORTAL_MODEL_TIMEOUT = LATE_SECONDS
    script = Planted()
    model(script)
    return script


def measured(capsys: pytest.CaptureFixture[str], ids: list[str], *options: str) -> dict[str, Any]:
    try:
        call_command("run_evals", "--json", "--only", *ids, *options)
    except CommandError as error:
        assert error.returncode == 1, error
    body: dict[str, Any] = json.loads(capsys.readouterr().out)
    return body


def pair(figures: dict[str, Any]) -> tuple[int, int]:
    return figures["hits"], figures["n"]


def having(*doings: str, among: set[str] | None = None) -> set[str]:
    return {i for i, does in PLANTED.items() if does in doings and (among is None or i in among)}


UNKNOWN = {"DM-25", "DM-27"}
WITH_CLAUSE = {i for i in PLANTED if i.startswith("DM")} - UNKNOWN


_once: list[dict[str, Any]] = []


@pytest.fixture
def report(planted: Planted, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The report of one run, which these tests share: it is only read."""
    if not _once:
        _once.append(measured(capsys, list(PLANTED), "--seed", "1"))
    return _once[0]


def test_the_reports_figures_are_the_planted_ones(report: dict[str, Any]):
    [motor] = report["families"]
    fetched = having(*CLAUSES, among=WITH_CLAUSE)
    cited = having("right", "lazy", among=WITH_CLAUSE)
    assert (motor["n"], motor["known"]) == (22, 20)
    assert pair(motor["fetched"]) == (len(fetched), len(WITH_CLAUSE)) == (9, 15)
    assert pair(motor["cited"]) == (len(cited), len(WITH_CLAUSE)) == (8, 15)
    assert pair(motor["cited_of_fetched"]) == (8, 9)
    # Right: 6 of 6. Wrong: 0 of 3. Lazy: each its own of three; DM-16 lists none of the other two, nor does DM-15.
    assert pair(motor["precision"]) == (6 + 2, 6 + 3 + 6)
    assert pair(motor["refused"]) == (2, 3)
    assert pair(motor["handed_over"]) == (2, 3)
    # DM-17 (not cited), DM-18 (nothing), DM-23 (an invented id) were refused as well.
    assert pair(motor["refusal_precision"]) == (2, 2 + 3)
    assert pair(motor["decisions"]) == (2, 3), "DM-20 is answered and should wait for staff"


def test_the_halves_and_the_languages_stand_apart(report: dict[str, Any]):
    groups = {group["name"]: group for group in report["families"][0]["groups"]}
    english = WITH_CLAUSE - {"DM-05", "DM-24"}
    odd = {i for i in english if int(i[3:]) % 2}
    cited = having("right", "lazy", among=WITH_CLAUSE)
    assert pair(groups["English"]["cited"]) == (len(cited & english), len(english))
    assert pair(groups["English, odd rows (tuning)"]["cited"]) == (len(cited & odd), len(odd)) == (3, 7)
    assert pair(groups["English, even rows (holdout)"]["cited"]) == (len(cited & (english - odd)), 6) == (4, 6)
    assert pair(groups["other languages"]["cited"]) == (1, 2)


def test_late_and_absent_are_unknown_with_their_reason_and_in_no_figure(report: dict[str, Any]):
    assert (report["state"], report["progress"]) == ("partial", {"planned": 22, "finished": 22, "unknown": 2})
    reasons = {line["name"]: line["reason"] for line in report["unknown"]}
    assert reasons == {
        "DM-25": "the model's provider failed: ModelTimeout",
        "DM-27": "the model's provider failed: ModelRefused",
    }
    assert any("could not be measured" in line for line in report["verdict"])
    assert not UNKNOWN & {card["id"] for card in report["misses"]}


def test_every_planted_miss_is_listed_with_its_kind_and_what_the_model_saw(report: dict[str, Any]):
    kinds = {card["id"]: {kind["kind"] for kind in card["kinds"]} - {"K10"} for card in report["misses"]}
    expected = {
        **{name: {"K2", "K4"} for name in having("wrong", among=WITH_CLAUSE)},
        **{name: {"K4"} for name in having("lazy")},
        "DM-17": {"K3"},
        "DM-18": {"K6"},
        "DM-19": {"K1"},
        "DM-23": {"K6", "K5"},
        "DN-04": {"K7"},
        "DM-20": {"K7"},
    }
    assert {name: kinds[name] for name in expected} == expected
    assert all(kinds[name] == set() for name in set(kinds) - set(expected)), "the rest lacks only the asked-for part"
    cards = {card["id"]: card for card in report["misses"]}
    assert (cards["DM-23"]["requested"], cards["DM-23"]["not_found"]) == (["MTR-BEN-99"], ["MTR-BEN-99"])
    assert len(cards["DM-13"]["directory"]) == 24
    assert cards["DM-19"]["directory"] == [], "nothing was looked up, so no title was seen"
    assert [(line["name"], line["what"]) for line in report["guard"]["ignored"]] == [
        ("DM-23", "named MTR-BEN-99, not in the directory")
    ]


def test_G19_the_shown_parts_are_the_planted_ones(report: dict[str, Any]):
    """The model quotes sentence 1 of each clause; the server adds what must stand with it."""
    documents = {clause.clause_id: clause for clause in motor_clauses()}
    for name in having("right", "lazy", among=WITH_CLAUSE):
        case = cases()[name]
        clause = documents[case.expected[0]]
        shown = {s.part.value for s in clause.sentences if s.index == 1 or s.always}
        missed = {"K10"} <= {k["kind"] for card in report["misses"] if card["id"] == name for k in card["kinds"]}
        assert missed == (not shown & set(case.parts)), name
    assert 0 < report["families"][0]["shown"]["hits"] < report["families"][0]["shown"]["n"] == 15


def motor_clauses() -> Any:
    from knowledge.clause_text import read_document
    from knowledge.seeding import CONTENT

    return read_document((CONTENT / "2026.2" / "motor.md").read_text(encoding="utf-8")).clauses


def test_a_lazy_model_fetches_and_cites_everything_and_its_precision_gives_it_away(
    planted: Planted, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    ids = ["DM-01", "DM-06", "DM-09", "DM-12", "DM-13", "DM-14"]
    figures = {}
    for does in ("right", "lazy"):
        monkeypatch.setitem(globals(), "PLANTED", dict.fromkeys(ids, does))
        [motor] = measured(capsys, ids)["families"]
        figures[does] = {name: pair(motor[name]) for name in ("fetched", "cited", "precision")}
    assert figures["right"] == {"fetched": (6, 6), "cited": (6, 6), "precision": (6, 6)}
    assert figures["lazy"] == {"fetched": (6, 6), "cited": (6, 6), "precision": (6, 18)}


def test_repeats_count_each_question_once_and_the_mean_over_turns_beside_it(
    planted: Planted, capsys: pytest.CaptureFixture[str]
):
    [motor] = measured(capsys, ["DM-01", "DM-13"], "--repeat", "3")["families"]
    assert (pair(motor["cited"]), motor["cited"]["turns"]) == ((1, 2), {"hits": 3, "n": 6})
    assert planted.asked["DM-01"] == 9, "three calls, three times"


def test_the_safety_counters_have_looked_at_what_was_shown(report: dict[str, Any]):
    counters = {line["name"]: line for line in report["safety"]}
    shown = len(having("right", "wrong", "lazy"))
    assert counters["G8"]["looked_at"] == shown + 2 * len(having("lazy")), "each shown clause once"
    for name in ("G1", "G2", "G4", "G6", "G8"):
        assert (counters[name]["wrong"], counters[name]["looked_at"] > 0) == (0, True), name
    assert counters["G3"]["looked_at"] is None
    assert report["statements"][0]["figure"].startswith("14 of 14 questions have it; 3 without")
    assert report["title"] == "Plumbing run, not a quality result", "a scripted model is no language model"
