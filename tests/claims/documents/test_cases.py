"""The 25 cases of the adjuster's aid by their numbers, from the file to the answer and through the commands."""

import json
from datetime import date
from functools import cache
from io import StringIO

import pytest
from django.core.management import call_command

from claims.deadlines import Known, Term, TimeUnit, Trigger, Unknown, deadline, last_day
from claims.documents.finder import find, refuse
from claims.documents.finding_json import finding_json
from claims.documents.pages import NotRead
from claims.documents.reading import read_file
from claims.documents.sections import Change, SectionKind
from claims.documents.structure import split
from claims.documents.terms import proof_of_loss_deadline, proof_of_loss_stated, terms_stated
from tests.claims.documents.adjuster_cases import ASKED, DOTLESS, NEUTRAL, file_of

EXCLUSIONS, GRANT = SectionKind.EXCLUSIONS, SectionKind.INSURING_AGREEMENT
UNCLASSIFIED, ENDORSEMENTS = SectionKind.UNCLASSIFIED, SectionKind.ENDORSEMENTS


@cache
def policy(case):
    read = read_file(*file_of(case))
    return (None, read) if isinstance(read, NotRead) else (split(read), read)


def ask(case, query):
    structure, read = policy(case)
    return refuse(read) if structure is None else find(structure, read, query)


def the_one(case, query):
    (candidate,) = ask(case, query).candidates
    return candidate


def starts(passages):
    return [passage.start_line for passage in passages]


@pytest.mark.parametrize(("case", "query", "outcome", "lines"), ASKED, ids=[f"{a[0]} {a[1]}" for a in ASKED])
def test_every_case_has_the_right_outcome_on_the_right_lines(case, query, outcome, lines):
    finding = ask(case, query)
    assert finding.outcome == outcome
    if lines is not None:
        assert [candidate.passages[0].start_line for candidate in finding.candidates] == lines
    assert all(
        heading not in quote
        for candidate in finding.candidates
        for heading in candidate.path
        for quote in [passage.text for passage in candidate.passages]
    )


@pytest.mark.parametrize("case", sorted({case for case, *_ in ASKED if case not in DOTLESS}))
def test_the_command_gives_what_the_rules_give(case, tmp_path):
    data, name = file_of(case)
    (tmp_path / name).write_bytes(data)
    query, outcome = next((query, outcome) for one, query, outcome, _ in ASKED if one == case)
    out = StringIO()
    call_command("find_clause", str(tmp_path / name), query, json=True, stdout=out)
    made = json.loads(out.getvalue())
    assert made["outcome"] == outcome
    ids = {candidate["document_id"] for candidate in made["candidates"]} or {""}
    assert made == json.loads(json.dumps(finding_json(ask(case, query), document_id=ids.pop())))


def test_D01_M111_a_grant_after_exclusions_is_never_called_an_exclusion():
    candidate = the_one("D01", "locksmith")
    assert candidate.section_kind in (UNCLASSIFIED, GRANT)
    assert candidate.passages[0].text == "We will pay up to 750 for a locksmith after a burglary."


@pytest.mark.parametrize("query", ["jetty damage", "jetties"])
def test_D02_property_not_insured_is_an_exclusion_with_its_lead_in(query):
    candidate = the_one("D02", query)
    assert (candidate.section_kind, starts(candidate.lead_ins)) == (EXCLUSIONS, [4])
    assert candidate.matched == ("jetties",)


def test_D03_a_running_header_is_no_heading_and_no_text():
    candidate = the_one("D03", "vermin")
    assert (candidate.section_kind, candidate.path) == (EXCLUSIONS, ("EXCLUSIONS",))
    assert ask("D03", "harbourlight").candidates == ()


@pytest.mark.parametrize("case", ["D04", *DOTLESS])
def test_D04_a_table_of_contents_is_no_section(case):
    assert the_one(case, "theft").section_kind is GRANT
    structure, _ = policy(case)
    assert min(section.start_line for section in structure.sections) == 4


def test_D05_an_item_comes_with_its_lead_in():
    candidate = the_one("D05", "bats")
    assert (candidate.section_kind, starts(candidate.lead_ins), starts(candidate.passages)) == (EXCLUSIONS, [4], [6])


@pytest.mark.parametrize(("case", "lines"), [("D06", (1, 2, 4, 5)), ("D06 blank lines", (1, 3, 7, 9))])
def test_D06_an_item_comes_with_what_takes_it_back(case, lines):
    candidate = the_one(case, "sump")
    assert candidate.section_kind is EXCLUSIONS
    assert (starts(candidate.lead_ins), starts(candidate.passages), starts(candidate.exceptions)) == (
        [lines[1]],
        [lines[2]],
        [lines[3]],
    )


def test_D07_a_definition_is_context():
    assert the_one("D07", "sinkhole").section_kind is SectionKind.DEFINITIONS


def test_D08_M111_whole_words_only():
    assert the_one("D08", "arts party").matched == ("party",)


def test_D09_the_words_searched_and_matched_are_named():
    assert the_one("D09", "tree fell").matched == ("trees",)
    assert "Searched: fenced. Only exact words, plain plurals and possessives" in ask("D09", "fenced").guidance


def test_D12_what_is_shown_has_no_broken_hyphen():
    (shown,) = finding_json(ask("D12", "discrimination"), document_id="d")["candidates"]
    assert "\ufffe" not in shown["quote"]
    assert "\u00ad" not in shown["quote"]


def test_D13_a_quotation_spans_the_lines_of_its_word():
    (passage,) = the_one("D13", "sump pump").passages
    assert (passage.start_line, passage.end_line) == (2, 4)


@pytest.mark.parametrize("query", ["rats", "flood", "proof of loss"])
def test_D14_R3_a_page_that_is_a_picture_is_named(query):
    finding = ask("D14", query)
    assert finding.pages_not_read == (2,)
    assert "Page 2 was not read" in finding.guidance


def test_D14_what_was_read_is_found_on_its_page():
    assert {candidate.passages[0].page for candidate in ask("D14", "flood").candidates} == {1}
    first = ask("D14", "proof of loss").candidates[0].passages[0]
    assert (first.page, "45 days after our request" in first.text) == (3, True)


def test_D15_a_watermark_does_not_make_a_page_read():
    for query in ("dwelling", "limit"):
        finding = ask("D15", query)
        assert finding.pages_not_read == (2,)
        assert "Page 2 was not read" in finding.guidance
    assert {candidate.passages[0].page for candidate in ask("D15", "limit").candidates} == {1}


def test_D16_blank_pages_warn_of_nothing():
    finding = ask("D16", "hail")
    assert finding.pages_not_read == ()
    assert "not read:" not in finding.guidance


def test_D17_M111_a_locked_file_is_refused_with_its_reason():
    finding = ask("D17b", "mould")
    assert finding.refused
    assert "needs a password" in finding.reason
    assert ask("D17a", "mould").reason is None


@pytest.mark.parametrize("query", ["drain", "backs up"])
def test_D18_a_deleted_exclusion_comes_with_its_endorsement(query):
    exclusion, endorsement = ask("D18", query).candidates
    (amendment,) = exclusion.amended_by
    assert (amendment.form, amendment.change, amendment.passage.start_line) == ("HL 33", Change.DELETES, 4)
    assert (exclusion.section_kind, endorsement.section_kind) == (EXCLUSIONS, ENDORSEMENTS)


def test_D19_whether_an_endorsement_applies_is_unknown_without_declarations():
    finding = ask("D19", "rental car")
    (candidate,) = finding.candidates
    assert (candidate.section_kind, candidate.condition.start_line) == (ENDORSEMENTS, 2)
    assert "this file holds no declarations page: whether it applies is unknown" in finding.guidance


def test_D20_a_heading_inside_an_endorsement_does_not_end_it():
    candidate = the_one("D20", "electronic data")
    assert (candidate.section_kind, candidate.effect, candidate.form) == (ENDORSEMENTS, EXCLUSIONS, "HL 12")
    assert the_one("D20", "promptly").section_kind is SectionKind.CONDITIONS


D21 = "CONDITIONS\nSend us a signed proof of loss within 45 days after our request." + NEUTRAL


def test_D21_from_the_policy_text_to_the_day():
    read = read_file(D21.encode(), "policy.txt")
    structure, loss = split(read), date(2026, 11, 30)
    unknown = proof_of_loss_deadline(structure, read, loss_date=loss)
    assert isinstance(unknown, Unknown)
    assert "counts from the insurer's request, which was not given" in unknown.reason
    known = proof_of_loss_deadline(structure, read, loss_date=loss, request_date=date(2026, 12, 20))
    assert known == Known(date(2027, 2, 3), "45 day(s) from the date of our request (2026-12-20)")


def test_D22_D23_M111_month_ends_and_units():
    assert last_day(date(2026, 8, 31), 6, TimeUnit.MONTHS) == date(2027, 2, 28)
    days = {
        unit: deadline(Term("suit", period, unit, Trigger.LOSS), loss_date=date(2027, 3, 1)).day
        for period, unit in ((1, TimeUnit.YEARS), (12, TimeUnit.MONTHS), (365, TimeUnit.DAYS))
    }
    assert list(days.values()) == [date(2028, 3, 1), date(2028, 3, 1), date(2028, 2, 29)]


def test_D24_no_day_follows_from_another_partys_clock():
    structure, read = policy("D24")
    known = proof_of_loss_deadline(structure, read, loss_date=date(2026, 5, 10))
    assert known == Unknown("The policy states no period for the insured's proof of loss.")
    assert starts(stated.passage for stated in terms_stated(structure)) == [2, 3]


def test_D25_tracked_changes_are_read_as_the_final_text_with_a_warning():
    structure, read = policy("D25")
    assert the_one("D25", "tree root").passages[0].text == "We do not cover loss caused by a tree root."
    assert the_one("D25", "burst garden hose").passages[0].text == "We do not cover loss caused by a burst garden hose."
    stated = proof_of_loss_stated(structure, read)
    assert (stated.period, stated.unit) == (60, TimeUnit.DAYS)
    guidance = ask("D25", "tree root").guidance
    assert "tracked changes that nobody accepted" in guidance
    assert all(detail in guidance for detail in ("Editor", "2026-01-05"))


def test_M85_M109_M111_the_inverted_citation_stays_unclassified():
    text = (
        "EXCLUSIONS\nWe do not cover loss caused by flood.\nADDITIONAL COVERAGES\n"
        "We cover sudden and accidental water damage from a burst pipe up to $25,000." + NEUTRAL
    )
    read = read_file(text.encode(), "policy.txt")
    finding = find(split(read), read, "burst pipe")
    (candidate,) = finding.candidates
    assert candidate.section_kind is UNCLASSIFIED
    assert candidate.passages[0].text == "We cover sudden and accidental water damage from a burst pipe up to $25,000."
    assert finding.outcome == "non_bearing_only"
    assert "no supporting language" in finding.guidance
