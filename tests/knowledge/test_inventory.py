"""The inventory as rows, and how much of it the wording in force answers."""

from datetime import date

import pytest
from django.db import IntegrityError, transaction

from knowledge.answers import Missing
from knowledge.audit import AuditEntry
from knowledge.inventory import FamilyCoverage, add_questions, inventory_coverage, inventory_questions
from knowledge.models import Question, QuestionClause
from knowledge.question_rules import (
    Coverage,
    InventoryError,
    InventoryQuestion,
    QuestionClass,
    Voice,
    read_inventory,
)
from knowledge.releases import withdraw
from knowledge.seeding import CONTENT, seed_knowledge
from tests.builders_knowledge import DAY, approved, make_clause, make_document, make_family, make_user

pytestmark = pytest.mark.django_db
TODAY = date(2026, 11, 30)
BEFORE_ANY_RELEASE = date(2020, 1, 1)
FROM_TEXT = read_inventory(
    (CONTENT / "inventory.yaml").read_text(encoding="utf-8"),
    (CONTENT / "inventory_more.yaml").read_text(encoding="utf-8"),
)


def seed() -> None:
    seed_knowledge(editor=make_user("editor"), approver=make_user("approver"))


def question(code: str = "DM-01", *expected: str, **changes: object) -> InventoryQuestion:
    fields: dict[str, object] = {
        "id": code,
        "family": "motor",
        "fixture": "M-COMP",
        "after": None,
        "text": "is it in the policy",
        "language": "en",
        "voice": Voice.EVERYDAY,
        "kind": QuestionClass.COVERED,
        "expects": "Says so",
        "expected": expected,
        "acceptable": expected,
        **changes,
    }
    return InventoryQuestion(**fields)  # type: ignore[arg-type]


def add(*questions: InventoryQuestion) -> int:
    return add_questions(questions, by=make_user("editor"))


def coverage_on(day: date = DAY, family: str = "motor") -> FamilyCoverage:
    return next(found for found in inventory_coverage(day) if found.family == family)


def statuses(day: date = DAY) -> dict[str, Coverage]:
    return {covered.question.id: covered.status for covered in coverage_on(day).questions}


def test_M43_a_fresh_start_holds_the_108_questions_as_rows_word_for_word() -> None:
    seed()
    assert inventory_questions() == FROM_TEXT
    assert Question.objects.count() == 108
    entry = AuditEntry.objects.get(act="inventory.fill")
    assert (entry.by_name, entry.detail) == ("editor", {"questions": 108})


def test_M44_no_question_is_missing_in_a_family_that_has_a_release() -> None:
    seed()
    families = inventory_coverage(TODAY)
    assert [family.family for family in families] == ["motor", "home", "contents"]
    for family in families:
        assert family.release is not None, family.family
        missing = {c.question.id: c.question.expected for c in family.questions if c.status is Coverage.MISSING}
        assert missing == {}, family.family


def test_M44_a_family_without_a_release_in_force_is_named_and_all_its_questions_are_missing() -> None:
    seed()
    families = inventory_coverage(BEFORE_ANY_RELEASE)
    assert [family.family for family in families] == ["motor", "home", "contents"]
    for family in families:
        assert (family.release, family.missing) == (None, Missing.BEFORE_FIRST)
        for covered in family.questions:
            assert covered.status is (Coverage.MISSING if covered.question.expected else Coverage.NONE_BY_DESIGN)


def test_M45_the_motor_wording_says_what_it_leaves_out_and_every_row_has_its_status() -> None:
    seed()
    motor = coverage_on(TODAY)
    assert sum(motor.counts.values()) == len(motor.questions) == 40
    assert set(motor.counts) == set(Coverage)
    assert motor.counts[Coverage.SAYS_NOT_INCLUDED] == 5
    assert motor.counts[Coverage.NONE_BY_DESIGN] == 9
    assert motor.counts[Coverage.PARTLY] == 0


def test_rows_are_the_truth_once_there_are_any() -> None:
    seed()
    Question.objects.filter(code="DM-06").update(text="another wording")
    seed()
    assert add(question("DM-99", "MTR-COV-01")) == 0
    assert Question.objects.count() == 108
    assert next(q for q in inventory_questions() if q.id == "DM-06").text == "another wording"
    assert AuditEntry.objects.filter(act="inventory.fill").count() == 1


def test_the_order_of_the_expected_clauses_and_what_is_acceptable_beside_them_is_kept() -> None:
    make_family()
    expected, more = ("MTR-EXC-01", "MTR-COV-01"), ("MTR-COV-03", "MTR-BEN-01")
    asked = question("DM-01", *expected, acceptable=expected + more)
    assert add(asked, question("DM-02", "MTR-COV-01", after="DM-01")) == 2
    first, second = inventory_questions()
    assert first == asked
    assert second.after == "DM-01"


def test_R4_the_status_is_that_of_the_release_in_force_on_the_day() -> None:
    approved(make_document("2030.1"))
    later = make_document(
        "2030.2", effective_from=date(2030, 7, 1), clauses=[make_clause(), make_clause("MTR-COV-02", title="Keys lost")]
    )
    approved(later)
    add(question("DM-01", "MTR-COV-02"), question("DM-02", "MTR-COV-01", "MTR-COV-02"))
    assert statuses(date(2030, 6, 30)) == {"DM-01": Coverage.MISSING, "DM-02": Coverage.PARTLY}
    assert statuses(date(2030, 7, 1)) == {"DM-01": Coverage.COVERED, "DM-02": Coverage.COVERED}
    titles = [clause.title for clause in coverage_on(date(2030, 6, 30)).questions[1].clauses]
    assert titles == ["Windows and window glass, number MTR-COV-01", None]
    before = coverage_on(date(2029, 12, 31))
    assert (before.release, before.missing) == (None, Missing.BEFORE_FIRST)
    assert set(statuses(date(2029, 12, 31)).values()) == {Coverage.MISSING}


def test_a_withdrawn_release_answers_nothing_any_more() -> None:
    release = approved(make_document())
    add(question("DM-01", "MTR-COV-01"))
    assert statuses() == {"DM-01": Coverage.COVERED}
    withdraw(release.pk, by=make_user("approver"), reason="a test")
    assert statuses() == {"DM-01": Coverage.MISSING}


def test_M45_a_clause_says_it_by_a_sentence_or_by_its_title() -> None:
    silent = ["[other] Tyres wear out."]
    about = {"body": silent, "plain": ["The clause is about tyres."]}
    clauses = [
        make_clause("MTR-EXC-01", title="Worn tyres (not included)", **about),  # type: ignore[arg-type]
        make_clause("MTR-EXC-02", title="Tyres that wear", **about),  # type: ignore[arg-type]
        make_clause("MTR-EXC-03", title="Scratched window glass"),
    ]
    approved(make_document(clauses=clauses))
    add(*(question(f"DM-0{n}", f"MTR-EXC-0{n}", kind=QuestionClass.NOT_COVERED) for n in (1, 2, 3)))
    assert statuses() == {
        "DM-01": Coverage.SAYS_NOT_INCLUDED,
        "DM-02": Coverage.PARTLY,
        "DM-03": Coverage.SAYS_NOT_INCLUDED,
    }


def test_a_question_of_no_family_or_with_anothers_clause_is_refused_and_nothing_is_added() -> None:
    make_family()
    with pytest.raises(InventoryError, match="no family boat"):
        add(question("DM-01", "MTR-COV-01"), question("DM-02", family="boat"))
    with pytest.raises(InventoryError, match="HOM-COV-01 is a clause of another family"):
        add(question("DM-01", "HOM-COV-01"))
    assert not Question.objects.exists()


def test_the_database_keeps_a_clause_once_in_its_place_and_the_words_of_the_columns() -> None:
    make_family()
    add(question("DM-01", "MTR-COV-01"), question("DM-02", "MTR-COV-01"))
    row = Question.objects.get(code="DM-01")
    for clause_id, position in (("MTR-COV-01", None), ("MTR-COV-02", 1), ("MTR-COV-02", 0), ("MTR-COV-02", 4)):
        with pytest.raises(IntegrityError), transaction.atomic():
            QuestionClause.objects.create(question=row, clause_id=clause_id, position=position)
    for changes in ({"kind": "maybe"}, {"voice": "loud"}, {"after": row}, {"code": "DM-02"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Question.objects.filter(pk=row.pk).update(**changes)
