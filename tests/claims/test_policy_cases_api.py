"""The 25 cases of the adjuster's aid through the API: each file uploaded, read in its own process, and asked."""

import json

import pytest

from claims.documents.finder import find as rule_find
from claims.documents.finder import refuse
from claims.documents.finding_json import finding_json
from claims.documents.pages import NotRead
from claims.documents.reading import read_file
from claims.documents.structure import split
from tests.builders_api import staff
from tests.builders_policies import detail, find, uploaded
from tests.claims.documents.adjuster_cases import ASKED, DOTLESS, file_of
from tests.claims.documents.test_cases import D21

pytestmark = pytest.mark.django_db
CASES = [case for case in dict.fromkeys(case for case, *_ in ASKED) if case not in DOTLESS]


@pytest.fixture
def adjuster():
    return staff("adjuster")


def by_the_rules(data, name, query, document_id):
    read = read_file(data, name)
    found = refuse(read) if isinstance(read, NotRead) else rule_find(split(read), read, query)
    return json.loads(json.dumps(finding_json(found, document_id=document_id)))


@pytest.mark.parametrize("case", CASES)
def test_M108_M110_a_case_has_the_right_outcome_on_the_right_lines(adjuster, case):
    data, name = file_of(case)
    document = uploaded(adjuster, data, name)
    for query, outcome, lines in [asked[1:] for asked in ASKED if asked[0] == case]:
        answer = find(adjuster, document, query)
        assert answer["outcome"] == outcome, query
        assert answer["citation_required"] is True
        assert answer["candidate_count"] == len(answer["candidates"])
        if lines is not None:
            assert [candidate["start_line"] for candidate in answer["candidates"]] == lines, query
        assert answer == by_the_rules(data, name, query, document)


def test_M111_the_four_shipped_bugs(adjuster):
    """The inverted citation, the word inside a word, the locked file called silent, the month cut to 30 days."""
    grant = uploaded(adjuster, *file_of("D01"))
    assert [c["section_kind"] for c in find(adjuster, grant, "locksmith")["candidates"]] == ["unclassified"]
    assert find(adjuster, uploaded(adjuster, *file_of("D08")), "roof")["outcome"] == "no_match"
    locked = find(adjuster, uploaded(adjuster, *file_of("D17b")), "mould")
    assert (locked["outcome"], locked["refused"]) == ("unreadable", True)
    assert "password" in locked["reason"]
    [term] = deadlines(adjuster, "2026-08-31", name="suit", period=6, unit="months", trigger="loss")["terms"]
    assert (term["date"], term["weekday"]) == ("2027-02-28", "Sunday")


def deadlines(client, loss_date, policy_terms=None, **term):
    body = {"loss_date": loss_date, "policy_terms": policy_terms or {}, "terms": [term] if term else []}
    response = client.post("/api/deadlines/", body, format="json")
    assert response.status_code == 200, response.content
    return response.json()


def test_D21_the_request_is_the_event_that_counts(adjuster):
    document = uploaded(adjuster, D21)
    [found] = find(adjuster, document, "proof of loss")["candidates"][:1]
    term = {"name": "proof of loss", "period": 45, "unit": "days", "trigger": "request", "quote": found["quote"]}
    [unknown] = deadlines(adjuster, "2026-11-30", **term)["terms"]
    assert unknown["known"] is False
    assert "counts from the insurer's request, which was not given" in unknown["reason"]
    assert "date" not in unknown
    [known] = deadlines(adjuster, "2026-11-30", **term, trigger_date="2026-12-20")["terms"]
    assert (known["date"], known["quote"]) == ("2027-02-03", found["quote"])


@pytest.mark.parametrize(
    ("period", "unit", "day"), [(1, "years", "2028-03-01"), (12, "months", "2028-03-01"), (365, "days", "2028-02-29")]
)
def test_D22_D23_units_are_what_the_clause_says(adjuster, period, unit, day):
    [term] = deadlines(adjuster, "2027-03-01", name="suit", period=period, unit=unit, trigger="loss")["terms"]
    assert term["date"] == day


@pytest.mark.parametrize(
    ("start", "months", "day"),
    [
        ("2026-08-31", 6, "2027-02-28"),
        ("2027-08-31", 6, "2028-02-29"),
        ("2028-02-29", 12, "2029-02-28"),
        ("2024-02-29", 48, "2028-02-29"),
        ("2026-12-31", 2, "2027-02-28"),
    ],
)
def test_D22_M101_months_clamp_to_the_end_of_the_month(adjuster, start, months, day):
    [term] = deadlines(adjuster, start, name="suit", period=months, unit="months", trigger="loss")["terms"]
    assert term["date"] == day


@pytest.mark.parametrize("case", DOTLESS)
def test_D04_a_table_of_contents_without_dots_is_no_section(adjuster, case):
    answer = find(adjuster, uploaded(adjuster, *file_of(case)), "theft")
    assert answer["outcome"] == "bearing"
    assert [(c["start_line"], c["section_kind"]) for c in answer["candidates"]] == [(5, "insuring_agreement")]


def test_D24_no_period_is_taken_from_anothers_clock(adjuster):
    answer = find(adjuster, uploaded(adjuster, *file_of("D24")), "proof")
    assert [candidate["start_line"] for candidate in answer["candidates"]] == [2, 3, 4]
    computed = deadlines(adjuster, "2026-05-10")
    assert [computed[name]["known"] for name in ("proof_of_loss", "suit_limitation")] == [False, False]
    assert "was not supplied" in computed["proof_of_loss"]["reason"]


def test_D25_tracked_changes_are_named_with_the_file(adjuster):
    document = uploaded(adjuster, *file_of("D25"))
    assert any("tracked" in note["detail"].casefold() for note in detail(adjuster, document)["notes"])
