"""The offline chooser in conversations of the real wording, and by itself on any prompt."""

import ast
import json
import logging
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.agent import likeness, offline, prompt, tools
from claims.agent.checks import Ground, check
from claims.agent.evidence import Context, Evidence, HistoryTurn, NoEvidence, Schedule
from claims.agent.vocabulary import Guidance
from knowledge.answers import MAX_CLAUSE_IDS, DirectoryLine, FetchedClause
from knowledge.clause_text import ClauseText, read_document
from knowledge.seeding import CONTENT
from tests.builders_claims import RENTAL, WITH_TRANSPORT, WITHOUT_TRANSPORT, cited, open_claim

ASKED = "Will my policy pay for a rental car while mine is repaired?"
LABEL = "offline chooser, not a language model"
DAY = date(2026, 6, 1)
LISTS = Schedule("NW-MTR-204518", "motor", ("comprehensive", "alternative_transport"), ())


def motor_clauses() -> dict[str, ClauseText]:
    [path] = CONTENT.glob("2026.2/motor.md")
    return {clause.clause_id: clause for clause in read_document(path.read_text(encoding="utf-8")).clauses}


CLAUSES = motor_clauses()
DIRECTORY = tuple(DirectoryLine(clause.clause_id, clause.title) for clause in CLAUSES.values())


def context(message: str, after: Sequence[str] = (), schedule: Schedule | NoEvidence = LISTS) -> Context:
    history = (HistoryTurn("an earlier question", "answered", tuple(after), None),) if after else ()
    return Context(DAY, message, (), schedule, history)


def plan(message: str) -> str:
    kind: str = json.loads(offline.choose(prompt.first_messages(tools.PLAN, context(message)), "plan"))["kind"]
    return kind


def named(message: str, after: Sequence[str] = ()) -> list[str]:
    messages = prompt.first_messages(tools.CONTEXT_RESOLVE, context(message, after), DIRECTORY)
    return list(tools.read_clause_ids(offline.choose(messages, "context_resolve")))


def said(message: str, clause_ids: Sequence[str], after: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The segments of the answer step over these clauses, as the server reads and checks them."""
    fetched = tuple(FetchedClause("2026.2", "d", CLAUSES[i].sha256, CLAUSES[i]) for i in clause_ids)
    guidance = Guidance.OK if fetched else Guidance.NO_CLAUSE_SELECTED
    evidence = Evidence(LISTS, guidance, fetched, (), ("alternative_transport",))
    messages = prompt.first_messages(tools.ANSWER, context(message, after), DIRECTORY, evidence)
    segments = tools.read_segments(offline.choose(messages, "answer"))
    check(segments, Ground(evidence, frozenset(), frozenset()))
    return list(segments)


@pytest.mark.usefixtures("portal")
def test_M1_M2_M7_the_readmes_questions_where_the_schedule_lists_the_benefit(record):
    talk = open_claim(WITH_TRANSPORT)
    first = talk.say(ASKED)
    second = talk.say("Does that include fuel?")

    assert (first["outcome"], cited(first), first["model"]) == ("answered", [RENTAL], LABEL)
    for words in ("NZD 60 a day", "21 days", "subject to the claim being accepted"):
        assert words in first["reply"]["text"]
    assert (second["outcome"], cited(second), second["waiting_item"]) == ("answered", [RENTAL], None)
    for words in ("does not include", "fuel", "tolls", "parking"):
        assert words in second["reply"]["text"]
    assert record(second)["requested"][0] == RENTAL, "fetched again in the turn of the follow-up"
    assert (record(first)["violations"], record(second)["violations"]) == ([], [])


@pytest.mark.usefixtures("portal")
def test_M1_the_readmes_question_where_the_schedule_does_not_list_it_promises_nothing():
    turn = open_claim(WITHOUT_TRANSPORT).say(ASKED)

    assert (turn["outcome"], cited(turn)) == ("not_listed", [RENTAL])
    text = turn["reply"]["text"]
    assert "Your schedule does not list alternative transport" in text
    assert "only when the policy schedule lists alternative transport" in text
    assert not any(
        words in text for words in ("NZD 60", "21 days", "can pay", "can organise", "lists alternative tr" * 2)
    )


@pytest.mark.usefixtures("portal")
def test_M3_M4_M5_other_endings_with_the_chooser(record):
    endings = {
        "will you pay or not?": ("needs_decision", "needs_decision"),
        "do you insure jetskis and how much is it": ("not_found", "not_found"),
        "can I claim the gst back": ("not_found", "not_found"),
        "I want to speak to a person": ("person", "person"),
        "has there been any news on my claim": ("not_found", "not_found"),
        "hello, thanks": ("other", None),
        "我的车被偷了，你们会给我租车吗？": ("not_found", "not_found"),
    }
    for message, (outcome, reason) in endings.items():
        turn = open_claim(WITH_TRANSPORT).say(message)
        waits = turn["waiting_item"] or {"reason": None}
        assert (turn["outcome"], waits["reason"], cited(turn)) == (outcome, reason, []), message
        assert not record(turn)["safe_reply"], message


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("person", "I want to speak to a person"),
        ("person", "put me through to an agent"),
        ("status", "has there been any news on my claim"),
        ("other", "hello, thanks"),
        ("question", ASKED),
        ("question", "how do i complain about you"),
        ("question", "who pays the tow truck"),
        ("question", "will you pay or not?"),
        ("question", "请问我的理赔怎么样了"),
    ],
)
def test_the_kind_is_told_from_the_prompts_own_descriptions(kind: str, message: str):
    assert plan(message) == kind


def test_other_descriptions_in_the_prompt_give_other_kinds():
    messages = prompt.first_messages(tools.PLAN, context("the moon is made of green cheese"))
    told = messages[0]["content"].replace("tells what happened", "says that the moon is made of green cheese;")
    assert plan("the moon is made of green cheese") != "report"
    assert json.loads(offline.choose([{"role": "system", "content": told}, messages[1]], "plan"))["kind"] == "report"


def test_a_vague_message_goes_on_with_the_last_turn_and_a_clear_one_changes_the_subject():
    assert named("when does it start?") == []
    assert named("when does it start?", after=[RENTAL]) == [RENTAL]
    assert named("ok and what about complaints, who do i go to", after=[RENTAL])[0] == "MTR-CLM-04"
    assert RENTAL not in named("ok and what about complaints, who do i go to", after=[RENTAL])


def test_M12_a_clause_of_an_earlier_turn_that_is_not_in_the_directory_is_not_named():
    assert named("when does it start?", after=["HOM-COV-01"]) == []


def test_what_the_clause_gives_is_said_first_and_not_again_in_a_follow_up():
    assert said(ASKED, [RENTAL])[0] == {"kind": "plain", "clause_id": RENTAL, "line": 1}
    follow_up = said("Does that include fuel?", [RENTAL, "MTR-BEN-09"], after=[RENTAL])
    assert follow_up == [{"kind": "plain", "clause_id": RENTAL, "line": 2}]


def test_a_clause_that_says_nothing_to_the_message_is_not_cited():
    assert said("what is your bank account number", [RENTAL]) == [{"kind": "form", "name": "not_found"}]


ODD_TEXT = st.text(max_size=60) | st.sampled_from(
    [
        "",
        "?!",
        "\u202e",
        "- question: x",
        "MTR-BEN-03: y",
        "0" * 300,
        "ＦＵＥＬ",
        "é" * 40,
        "(",
        "a, b; c: d or e and f",
    ]
)


@given(message=ODD_TEXT, ids=st.lists(st.sampled_from([*CLAUSES, "ZZZ-COV-99"]), max_size=3, unique=True))
@settings(max_examples=20)
def test_M14_any_prompt_gives_a_legal_call(message: str, ids: list[str]):
    plan_messages = prompt.first_messages(tools.PLAN, context(message))
    made = tools.read_plan(offline.choose(plan_messages, "plan"))
    assert (made.wants_decision, made.facts) == (False, ())
    assert len(named(message, after=ids)) <= MAX_CLAUSE_IDS
    assert set(named(message, after=ids)) <= set(CLAUSES)
    assert said(message, [i for i in ids if i in CLAUSES], after=ids)


def test_an_empty_directory_names_nothing():
    messages = prompt.first_messages(tools.CONTEXT_RESOLVE, context(ASKED), ())
    assert json.loads(offline.choose(messages, "context_resolve")) == {"clause_ids": []}


@pytest.mark.parametrize("file", [offline.__file__, likeness.__file__])
def test_the_chooser_holds_no_word_list_and_no_clause(file: str | None):
    """Every text in its code is a name of the protocol or of a file: none is a customer's word, none a clause id."""
    assert file is not None
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    documented = (ast.Module, ast.FunctionDef, ast.ClassDef)
    docstrings = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, documented)}
    texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)} - docstrings
    titles = {word.lower() for clause in CLAUSES.values() for word in clause.title.split() if len(word) > 4}
    words = {word.lower() for text in texts for word in text.replace("_", " ").split()}
    assert not words & (titles - {"other", "claim"})
    assert not [text for text in texts if any(clause_id in text for clause_id in CLAUSES)]
    collections = [n for n in ast.walk(tree) if isinstance(n, ast.List | ast.Set | ast.Tuple) and len(n.elts) > 4]
    assert not collections, "no list that could hold synonyms"


@pytest.mark.parametrize("constant", ["_WEIGHTS", "_TOKENIZER"])
@pytest.mark.parametrize("damage", ["missing package", "missing file", "other bytes"])
def test_without_the_weights_as_they_should_be_words_alone_decide(
    constant: str, damage: str, monkeypatch: pytest.MonkeyPatch
):
    package, path, sha256 = getattr(likeness, constant)
    changed = {
        "missing package": ("no_such_package_here", path, sha256),
        "missing file": (package, "no/such/file", sha256),
        "other bytes": (package, path, "0" * 64),
    }
    monkeypatch.setattr(likeness, constant, changed[damage])
    monkeypatch.setattr(likeness, "_embedder", likeness._embedder.__wrapped__)

    assert likeness._embedder() is None
    assert named(ASKED)[0] == RENTAL
    assert plan("I want to speak to a person") == "person"
    assert named("do you insure jetskis and how much is it") == []


def test_the_word_measure_is_quiet_and_its_errors_are_not(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.DEBUG):
        likeness.likeness("rental car", ["a rental car", "glass"])
        logging.getLogger("bm25s").warning("something is wrong")
    assert [r.getMessage() for r in caplog.records if r.name == "bm25s"] == ["something is wrong"]


def test_likeness_ranks_by_meaning_without_a_shared_word():
    transport, glass = likeness.likeness("a courtesy vehicle to get around in", ["rental car", "windscreen"])
    assert transport > glass
    assert likeness.likeness("anything", []) == []
