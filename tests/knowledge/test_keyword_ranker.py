"""Staff's keyword ranker: what the plain one of old got wrong (M27, M28) and what this one still gets wrong, beside
what a reader of the directory makes of the same questions."""

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.agent.offline import choose
from knowledge.clause_text import Part, read_document
from knowledge.keyword_ranker import Match, Run, Searchable, rank, searched_words
from knowledge.search import lines_of
from knowledge.seeding import CONTENT
from tests.knowledge.old_ranker import MAX_RESULTS, handed_on, old_rank

ROOT = Path(__file__).resolve().parents[2]
MOTOR = max(
    (read_document(path.read_text(encoding="utf-8")) for path in CONTENT.glob("*/motor.md")),
    key=lambda document: document.effective_from,
)
CLAUSES = [Searchable(clause.clause_id, clause.title, lines_of(clause)) for clause in MOTOR.clauses]
RENTAL = "Will my policy pay for a rental car while mine is repaired?"

# What the plain ranker does not find although the wording has it: which of its faults, the question, the clause.
FAULTS = [
    ("policy and car are thrown away, covered is not cover", "is my car covered", "MTR-COV-01"),
    ("car is thrown away, courtesy is not in the text", "can I get a courtesy car", "MTR-BEN-03"),
    ("only a last s is taken off: towed is not towing", "my car was towed", "MTR-BEN-01"),
    ("only a last s is taken off: owe is not owing", "money I still owe on the car", "MTR-CLM-03"),
]
# What words do not find and titles that are read do: the question, the clause, why words fail.
STILL = [
    ("delivering pizzas", "MTR-EXC-03", "the stems of delivering and delivery differ"),
    ("who is allowed behind the wheel", "MTR-COV-04", "a wheel is no driver, and tyres have wheels"),
    ("my private data", "MTR-CLM-04", "private use is another thing"),
    ("someone else was driving", "MTR-COV-04", "driving stands in more clauses than this one"),
    ("the other driver took off", "MTR-COV-03", "took off is no word for unknown"),
]


def found(query: str, clauses: list[Searchable] = CLAUSES) -> list[str]:
    return [match.clause_id for match in rank(clauses, query)]


def chosen_from_the_directory(query: str) -> list[str]:
    """What a reader of the titles alone names, here the offline chooser, which reads the prompt as a model does."""
    directory = "\n".join(f"{clause.clause_id}: {clause.title}" for clause in MOTOR.clauses)
    user = json.dumps({"message": query, "history": []})
    arguments = choose([{"role": "system", "content": directory}, {"role": "user", "content": user}], "context_resolve")
    return list(json.loads(arguments)["clause_ids"])


def plain(runs: tuple[Run, ...]) -> str:
    return "".join(run.text for run in runs)


def marked(runs: tuple[Run, ...]) -> list[str]:
    return [run.text for run in runs if run.is_match]


@pytest.mark.parametrize(("fault", "query", "clause_id"), FAULTS)
def test_M27_what_the_plain_ranker_misses_this_one_and_the_directory_find(
    fault: str, query: str, clause_id: str
) -> None:
    assert clause_id not in old_rank(CLAUSES, query), fault
    assert found(query)[0] == clause_id
    assert clause_id in chosen_from_the_directory(query)


@pytest.mark.parametrize(("query", "clause_id", "why"), STILL)
def test_M27_what_a_keyword_search_still_misses_the_directory_finds(query: str, clause_id: str, why: str) -> None:
    assert clause_id not in old_rank(CLAUSES, query)[:1]
    assert clause_id not in found(query)[:MAX_RESULTS], why
    assert clause_id in chosen_from_the_directory(query)


def test_M27_the_question_that_started_it_scored_zero_against_a_label() -> None:
    lines = (
        "If the vehicle cannot be driven, Northwind may arrange a hire car or reimburse reasonable costs of taxis.",
    )
    label = [Searchable("MTR-BEN-03", "Alternative transport", lines)]
    assert old_rank(label, RENTAL) == []
    assert found(RENTAL, label) == ["MTR-BEN-03"]
    assert found(RENTAL)[0] == chosen_from_the_directory(RENTAL)[0] == "MTR-BEN-03"


@pytest.mark.parametrize(
    ("query", "clause_id"),
    [("EV", "MTR-BEN-08"), ("my ute was nicked", "MTR-COV-01"), ("WOF", "MTR-EXC-04"), ("I hired a car", "MTR-BEN-03")],
)
def test_M27_short_words_product_words_word_forms_and_what_people_say_count(query: str, clause_id: str) -> None:
    assert old_rank(CLAUSES, query) == []
    assert found(query)[0] == clause_id


@pytest.mark.parametrize("query", ["租车", "车被偷了", "he aha te utu mō taku waka", "Waka"])
def test_a_few_words_of_other_languages_are_known(query: str) -> None:
    assert old_rank(CLAUSES, query) == []
    assert {"MTR-BEN-03", "MTR-COV-01"} & set(found(query)[:3])


def test_M27_a_keyword_search_finds_too_much_where_words_have_two_meanings() -> None:
    """The stem of fitness is that of fitting: who searches for a warrant of fitness is shown parts that fit, below."""
    hits = {match.clause_id: match for match in rank(CLAUSES, "WOF")}
    assert hits["MTR-CLM-02"].matched == ("fitting",)


def test_M28_the_plain_ranker_handed_on_no_end_of_a_clause() -> None:
    clause = next(clause for clause in MOTOR.clauses if clause.clause_id == "MTR-BEN-03")
    cut = handed_on(clause.text)
    lost = {sentence.part for sentence in clause.sentences if sentence.start > len(cut)}
    assert len(cut) == 600 and {Part.NOT_INCLUDED, Part.SCHEDULE} <= lost
    assert "fuel" not in cut
    fuel = next(match for match in rank(CLAUSES, "fuel for the hire car") if match.clause_id == "MTR-BEN-03")
    assert "fuel" in marked(fuel.excerpt)


def test_M24_M26_M57_neither_claims_nor_evals_know_the_search() -> None:
    names = {"knowledge.search", "knowledge.keyword_ranker", "knowledge.catalogue"}
    for path in [*(ROOT / "claims").rglob("*.py"), *(ROOT / "evals").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                imported = {node.module or "", *(f"{node.module}.{name.name}" for name in node.names)}
                assert not imported & names, path
            elif isinstance(node, ast.Import):
                assert not {name.name for name in node.names} & names, path


def test_words_that_only_join_others_are_left_out_unless_there_are_no_others() -> None:
    assert searched_words("Is my CAR covered by the policy?") == ("car", "covered", "policy")
    assert searched_words("what is it") == ("what", "is", "it")
    assert searched_words("whānau’s car, NZD 1,500 car") == ("whanau's", "car", "nzd", "1500")
    assert searched_words("?! ...") == ()


def one(query: str, title: str = "Keys", *lines: str) -> Match:
    return rank([Searchable("MTR-BEN-04", title, lines)], query)[0]


def test_a_match_marks_the_clauses_own_words_and_shows_its_best_line() -> None:
    match = one(
        "key replaced", "Lost car keys", "It pays NZD 1,000.", "New keys replace the lost key.", "A key is a key."
    )
    assert marked(match.title) == ["keys"]
    assert plain(match.excerpt) == "New keys replace the lost key."
    assert marked(match.excerpt) == ["keys", "replace", "key"]
    assert match.matched == ("keys", "replace", "key")


def test_macrons_and_the_kind_of_apostrophe_make_no_difference() -> None:
    for typed in ("whanau", "whānau", "WHĀNAU"):
        assert marked(one(typed, "Whānau and guests").title) == ["Whānau"]
    assert one("driver's", "The driver’s licence").matched == ("driver’s",)
    assert one("1500", "Up to NZD 1,500").matched == ("1,500",)


def test_a_match_in_the_title_alone_has_no_excerpt_and_a_title_outweighs_a_line() -> None:
    assert one("keys", "Keys", "About something else.").excerpt == ()
    clauses = [Searchable("MTR-BEN-01", "Glass", ("keys",)), Searchable("MTR-BEN-02", "Keys", ("glass",))]
    assert found("keys", clauses) == ["MTR-BEN-02", "MTR-BEN-01"]


def test_nothing_is_found_where_no_word_is_shared_and_where_there_is_nothing_to_search() -> None:
    assert rank(CLAUSES, "xylophone") == ()
    assert rank(CLAUSES, "") == ()
    assert rank([], "keys") == ()
    assert rank([Searchable("MTR-BEN-01", "...", ("?",))], "keys") == ()


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=60)
words = st.sampled_from(["key", "keys", "car", "towed", "tow", "the", "whānau", "1,500", "driver’s", "租车", "?"])
queries = st.one_of(texts, st.lists(words, max_size=6).map(" ".join))


@settings(max_examples=150)
@given(queries, st.lists(st.tuples(queries, st.lists(queries, max_size=3)), max_size=5))
def test_what_is_shown_is_the_text_itself_and_every_match_has_a_marked_word(
    query: str, given_clauses: list[tuple[str, list[str]]]
) -> None:
    clauses = [Searchable(f"MTR-BEN-{n:02}", t, tuple(lines)) for n, (t, lines) in enumerate(given_clauses, start=1)]
    matches = rank(clauses, query)
    assert matches == rank(clauses, query)
    by_id = {clause.clause_id: clause for clause in clauses}
    assert len({match.clause_id for match in matches}) == len(matches)
    for match in matches:
        clause = by_id[match.clause_id]
        assert plain(match.title) == clause.title
        assert match.excerpt == () or plain(match.excerpt) in clause.lines
        assert match.matched
        assert {*marked(match.title), *marked(match.excerpt)}
