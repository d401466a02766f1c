"""What a row of the inventory may say, and when the wording answers it."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from knowledge.question_rules import (
    Coverage,
    InventoryError,
    QuestionClass,
    Voice,
    coverage_of,
    read_inventory,
)
from knowledge.seeding import CONTENT

A, B, C = "MTR-COV-01", "MTR-BEN-03", "MTR-EXC-01"
ANSWERED = [QuestionClass.COVERED, QuestionClass.PROCESS, QuestionClass.DEPENDS_ON_SCHEDULE]


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def row(**changes: object) -> dict[str, object]:
    return {
        "id": "DM-01",
        "family": "motor",
        "fixture": "M-COMP",
        "after": None,
        "text": "do you do keys",
        "expected": [A],
        "class": "covered",
        "expects": "Gives the limit",
        "language": "en",
        **changes,
    }


def inventory(*rows: dict[str, object], more: str = "") -> object:
    return read_inventory(yaml.safe_dump(list(rows)), more)


@pytest.mark.parametrize("kind", [*ANSWERED, QuestionClass.NEEDS_DECISION])
def test_M43_a_question_is_covered_partly_or_missing_by_the_clauses_in_force(kind: QuestionClass) -> None:
    assert coverage_of(kind, [A, B], {A: False, B: True}) is Coverage.COVERED
    assert coverage_of(kind, [A, B], {A: False}) is Coverage.PARTLY
    assert coverage_of(kind, [A, B], {B: True}) is Coverage.MISSING
    assert coverage_of(kind, [A], {}) is Coverage.MISSING


def test_M45_what_is_not_covered_on_purpose_is_said_by_a_clause() -> None:
    kind = QuestionClass.NOT_COVERED
    assert coverage_of(kind, [A], {A: True}) is Coverage.SAYS_NOT_INCLUDED
    assert coverage_of(kind, [A], {A: False}) is Coverage.PARTLY
    assert coverage_of(kind, [A, B], {A: True}) is Coverage.PARTLY
    assert coverage_of(kind, [A], {B: True}) is Coverage.MISSING


def test_a_question_that_no_clause_should_answer_has_none_by_design_whatever_is_in_force() -> None:
    assert coverage_of(QuestionClass.NO_CLAUSE, [], {A: True}) is Coverage.NONE_BY_DESIGN
    assert coverage_of(QuestionClass.NEEDS_DECISION, [], {}) is Coverage.NONE_BY_DESIGN


@given(
    st.sampled_from(QuestionClass),
    st.lists(st.sampled_from([A, B, C]), min_size=1, max_size=3, unique=True),
    st.dictionaries(st.sampled_from([A, B, C]), st.booleans()),
    st.dictionaries(st.sampled_from([A, B, C]), st.booleans()),
)
def test_M44_more_clauses_in_force_never_make_an_answered_question_a_missing_one(
    kind: QuestionClass, expected: list[str], in_force: dict[str, bool], added: dict[str, bool]
) -> None:
    before, after = coverage_of(kind, expected, in_force), coverage_of(kind, expected, added | in_force)
    assert before is Coverage.MISSING or after is not Coverage.MISSING
    assert (before is Coverage.MISSING) == (expected[0] not in in_force)


def test_M43_the_seeded_inventory_reads_as_108_questions() -> None:
    questions = read_inventory(read(CONTENT / "inventory.yaml"), read(CONTENT / "inventory_more.yaml"))
    assert len(questions) == 108
    by_section = {start: sum(q.id.startswith(start) for q in questions) for start in ("DM", "DH", "DC", "DN", "DD")}
    assert by_section == {"DM": 28, "DH": 28, "DC": 28, "DN": 12, "DD": 12}
    assert all(set(q.expected) <= set(q.acceptable) for q in questions)
    assert {q.id for q in questions if q.voice is Voice.DISTRESSED} == {"DH-08", "DC-19", "DN-12"}
    assert {q.id for q in questions if q.voice is Voice.PRESSING} == {q.id for q in questions if q.id.startswith("DD")}
    assert sum(q.is_holdout for q in questions) == 54


def test_a_row_accepts_what_it_expects_unless_more_is_said() -> None:
    more = f"DM-01: {{acceptable: [{B}], voice: frustrated}}"
    first, second = read_inventory(yaml.safe_dump([row(), row(id="DM-02")]), more)
    assert (first.expected, first.acceptable, first.voice) == ((A,), (A, B), Voice.FRUSTRATED)
    assert (second.expected, second.acceptable, second.voice) == ((A,), (A,), Voice.EVERYDAY)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "DM-one"}, "ends with a number"),
        ({"text": ""}, "text is a text"),
        ({"language": None}, "language is a text"),
        ({"class": "maybe"}, "'maybe' is none of covered"),
        ({"expected": ["MTR-COV-1"]}, "named by their ids"),
        ({"expected": A}, "named by their ids"),
        ({"expected": [A, A]}, "named twice"),
        ({"expected": [A, B, C, "MTR-COV-02"]}, "at most 3"),
        ({"expected": []}, "expects a clause"),
        ({"class": "no_clause"}, "none is expected"),
        ({"after": "DM-99"}, "no earlier row"),
        ({"after": "DM-01"}, "no earlier row"),
        ({"colour": "red"}, "exactly these fields"),
    ],
)
def test_a_row_that_cannot_be_used_is_named_with_what_is_wrong(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InventoryError, match=message):
        inventory(row(**changes))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("DM-02: {voice: everyday}", "no row DM-02"),
        ("DM-01: {voice: shouting}", "'shouting' is none of"),
        ("DM-01: {colour: red}", "only acceptable and voice"),
        ("DM-01: frustrated", "only acceptable and voice"),
        ("- DM-01", "under their ids"),
        ("{", "not YAML"),
    ],
)
def test_what_is_said_beside_the_rows_is_checked_too(more: str, message: str) -> None:
    with pytest.raises(InventoryError, match=message):
        inventory(row(), more=more)


def test_two_rows_of_one_id_and_a_text_that_is_no_list_are_refused() -> None:
    with pytest.raises(InventoryError, match="same id"):
        inventory(row(), row())
    with pytest.raises(InventoryError, match="list of rows"):
        read_inventory("{}")
