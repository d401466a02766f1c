"""The writing rules: each names the clause, the field and the fix."""

from dataclasses import replace
from pathlib import Path

import pytest

from knowledge.answers import MAX_CLAUSE_CHARACTERS
from knowledge.clause_rules import check_document
from knowledge.clause_text import ClauseText, PolicyDocument, read_document
from knowledge.seeding import CONTENT
from tests.builders_knowledge import BODY, make_clause, make_document

CONTENT_FILES = sorted(CONTENT.glob("*/*.md"))


def problems(*clauses: ClauseText, **header: object) -> list[tuple[str | None, str, str]]:
    document: PolicyDocument = replace(make_document(clauses=clauses or None), **header)  # type: ignore[arg-type]
    return [(problem.clause_id, problem.field, problem.message) for problem in check_document(document)]


def fields(*clauses: ClauseText, **header: object) -> list[tuple[str | None, str]]:
    return [(clause_id, field) for clause_id, field, _ in problems(*clauses, **header)]


def test_a_well_written_document_has_no_problem() -> None:
    assert problems() == []


@pytest.mark.parametrize("path", CONTENT_FILES, ids=[f"{p.parent.name}-{p.stem}" for p in CONTENT_FILES])
def test_M39_M47_M48_M49_M50_the_content_follows_the_rules(path: Path) -> None:
    assert check_document(read_document(path.read_text(encoding="utf-8"))) == ()


@pytest.mark.parametrize(
    "title",
    ["Alternative transport", "Optional benefits", "General exclusions", "Cover", "Policy conditions and limits"],
)
def test_M47_a_label_is_no_title(title: str) -> None:
    assert fields(make_clause(title=title)) == [("MTR-COV-01", "title")]


@pytest.mark.parametrize(
    "title",
    [
        "Hire car, rental car and alternative transport while your car is repaired",
        "Retaining walls",
        "Jewellery and watches",
        "Cover for keys",
    ],
)
def test_M47_a_title_in_customers_words_passes(title: str) -> None:
    assert problems(make_clause(title=title)) == []


@pytest.mark.parametrize("preamble", ["A contract.", "Synthetic text.", "Not a real insurance contract."])
def test_M39_the_preamble_says_synthetic_and_not_a_real_contract(preamble: str) -> None:
    assert fields(preamble=preamble) == [(None, "preamble")]


def test_M39_the_preamble_loses_the_demo_wording() -> None:
    wording = "Synthetic text for MVP demo; not a real insurance contract."
    assert problems(preamble=wording) == [(None, "preamble", "It speaks of an MVP.")]


def test_M49_a_clause_has_at_most_1500_characters() -> None:
    line = "[trigger]* It applies when Northwind accepts a claim for glass."
    room = MAX_CLAUSE_CHARACTERS - len(line.removeprefix("[trigger]* ")) - 1
    plain = ["The clause is about glass."]
    fits = make_clause(body=[line, "[other] " + "x" * (room - 1) + "."], plain=plain)
    assert len(fits.text) == 1500
    assert problems(fits) == []
    assert fields(make_clause(body=[line, "[other] " + "x" * room + "."], plain=plain)) == [("MTR-COV-01", "text")]


def test_M50_a_clause_records_its_sources() -> None:
    assert fields(make_clause(sources=[])) == [("MTR-COV-01", "sources")]


def test_M48_what_provides_has_a_trigger_that_is_always_shown() -> None:
    assert problems(make_clause(body=BODY[1:])) == [("MTR-COV-01", "text", "It provides something and has no trigger.")]
    hidden = [BODY[0].replace("*", ""), *BODY[1:]]
    assert problems(make_clause(body=hidden)) == [("MTR-COV-01", "text", "A trigger is not always shown.")]


def test_M48_a_clause_that_depends_on_the_schedule_always_says_so() -> None:
    says_so = "[schedule]* It is part of your policy only when the schedule lists glass cover."
    assert problems(make_clause(body=[*BODY, says_so], schedule_section="glass")) == []
    for body in (BODY, [*BODY, says_so.replace("*", "")]):
        assert fields(make_clause(body=body, schedule_section="glass")) == [("MTR-COV-01", "text")]
    assert fields(make_clause(body=[*BODY, says_so], schedule_section="Glass cover")) == [
        ("MTR-COV-01", "schedule_section")
    ]


@pytest.mark.parametrize("count", [0, 6])
def test_a_clause_has_one_to_five_plain_lines(count: int) -> None:
    assert fields(make_clause(plain=[f"The clause is about glass{'.' * n}" for n in range(count)])) == [
        ("MTR-COV-01", "plain")
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Once a claim is accepted, this clause can pay up to NZD 5,000.", "5,000"),
        ("Once a claim is accepted, this clause can pay up to NZD 50.", "50"),
        ("You are covered for up to NZD 500.", "you are covered"),
        ("We will replace the window.", "we will replace"),
        ("This clause works with MTR-COV-02.", "names a clause"),
    ],
)
def test_a_plain_line_has_the_clauses_numbers_and_decides_nothing(line: str, message: str) -> None:
    found = problems(make_clause(plain=[line]))
    assert len(found) == 1 and found[0][:2] == ("MTR-COV-01", "plain") and message in found[0][2]


@pytest.mark.parametrize(
    "line",
    [
        "[limit] The most is NZD 500. It is paid once.",
        "[limit] The most is NZD 500",
        "[limit] The most is:",
    ],
)
def test_a_line_is_one_whole_sentence(line: str) -> None:
    assert fields(make_clause(body=[BODY[0], BODY[2], line])) == [("MTR-COV-01", "text")]


def test_bullets_follow_a_colon_and_are_always_shown_with_a_lead_in_that_is() -> None:
    assert fields(make_clause(body=[*BODY[:3], BODY[3].replace(":", "."), *BODY[4:]])) == [("MTR-COV-01", "text")]
    always = [*BODY[:3], BODY[3].replace("]", "]*"), *BODY[4:]]
    assert len(problems(make_clause(body=always))) == 2
    assert problems(make_clause(body=[*BODY[:3], *(line.replace("]", "]*") for line in BODY[3:])])) == []


def test_M46_ids_are_unique_and_of_one_prefix() -> None:
    twice = [make_clause(), make_clause(title="Doors and door handles")]
    assert fields(*twice) == [("MTR-COV-01", "clause_id")]
    assert fields(make_clause(), make_clause("HOM-COV-01")) == [(None, "clauses")]
    assert fields(make_clause(title="Glass doors"), make_clause("MTR-COV-02", title="Glass doors")) == [
        ("MTR-COV-01", "title")
    ]


def test_a_document_does_not_withdraw_itself() -> None:
    assert fields(withdraws=("2030.1",)) == [(None, "withdraws")]


def test_a_problem_reads_as_a_sentence() -> None:
    problem = check_document(make_document(clauses=[make_clause(sources=[])]))[0]
    assert str(problem) == (
        "MTR-COV-01, sources: No source is recorded. Name what the figures and the practice come from."
    )
