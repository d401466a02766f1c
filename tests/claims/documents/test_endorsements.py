"""What an endorsement deletes, replaces, adds or changes is marked on exactly the text that it names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.documents.directives import directives
from claims.documents.sections import Change, SectionKind
from tests.claims.documents.plain import structure_of, the_unit, units_of

BASE = """COVERAGE A - BUILDINGS
1. Insuring Agreement
We will pay for loss of the building.
2. Exclusions
We do not pay for loss caused by:
a. rust;
b. water that:
(1) backs up through a drain; or
(2) seeps through a wall;
c. birds.
COVERAGE B - CONTENTS
1. Insuring Agreement
We will pay for loss of the contents.
2. Exclusions
We do not pay for loss caused by:
a. moths;
b. breakage.
CONDITIONS
1. Notice
You must tell us promptly.
2. Appraisal
Either party may ask for an appraisal.
DEFINITIONS
"Vacant" means without contents for 60 days.
"Water" means any liquid.
"""


def touched(sentence, base=BASE, title="ENDORSEMENT HL 12 - CHANGES"):
    """What is marked: the first words of each unit, with what is done to it."""
    structure = structure_of(f"{base}{title}\n{sentence}\nAll else stays as it is.")
    return {
        each.text[:14]: [a.change for a in each.unit.amended_by] for each in units_of(structure) if each.unit.amended_by
    }


@pytest.mark.parametrize(
    ("sentence", "texts", "change"),
    [
        ("Exclusion c. of Coverage A is deleted.", ["c. birds."], Change.DELETES),
        ("Exclusion 2.c. of Coverage A is deleted.", ["c. birds."], Change.DELETES),
        ("We delete exclusion c.", ["c. birds."], Change.DELETES),
        ("Exclusions a. and c. of Coverage A are removed.", ["a. rust;", "c. birds."], Change.DELETES),
        (
            "Exclusion b. of Coverage A is replaced by the following:",
            ["b. water that:", "(1) backs up t", "(2) seeps thro"],
            Change.REPLACES,
        ),
        ("Exclusion b.(1) of Coverage A is deleted.", ["(1) backs up t"], Change.DELETES),
        ("Exclusion a. of Coverage B is deleted and replaced by the following:", ["a. moths;"], Change.REPLACES),
        ("Condition 2. is deleted.", ["Either party m"], Change.DELETES),
        ("The Appraisal condition is deleted.", ["Either party m"], Change.DELETES),
        ('The definition of "Vacant" is replaced by:', ['"Vacant" means'], Change.REPLACES),
        ("Condition 1. Notice is amended as follows:", ["You must tell "], Change.MODIFIES),
        (
            "The following is added to Paragraph 2. Exclusions of Coverage B:",
            ["We do not pay ", "a. moths;", "b. breakage."],
            Change.ADDS,
        ),
        ("Exclusion c. does not apply to swans.", ["c. birds."], Change.MODIFIES),
    ],
)
def test_S29_the_text_that_is_named_is_marked(sentence, texts, change):
    found = touched(sentence)
    assert sorted(found) == sorted(texts)
    assert set(map(tuple, found.values())) == {(change,)}


@pytest.mark.parametrize(
    "sentence",
    [
        "We will pay up to 30 a day for a rental car.",
        "Exclusion 19. is deleted.",
        "Paragraph 9. is replaced by the following:",
        "The Earthquake exclusion is deleted.",
        "This endorsement changes the policy.",
        "All other conditions remain unchanged.",
    ],
)
def test_nothing_is_marked_that_is_not_named(sentence):
    assert touched(sentence) == {}


def test_T62_a_number_that_stands_in_two_coverages_marks_both_when_nothing_tells_them_apart():
    assert sorted(touched("Exclusion a. is deleted.")) == ["a. moths;", "a. rust;"]


def test_two_endorsements_on_one_exclusion_are_both_shown_in_their_order():
    structure = structure_of(
        f"{BASE}ENDORSEMENT HL 12 - BIRDS\nExclusion c. is deleted.\n"
        "ENDORSEMENT HL 14 - BIRDS AGAIN\nExclusion c. is replaced by the following:\nc. gulls."
    )
    found = the_unit(structure, "c. birds.").unit.amended_by
    assert [(each.form, each.change) for each in found] == [("HL 12", Change.DELETES), ("HL 14", Change.REPLACES)]
    assert found[0].passage.text == "Exclusion c. is deleted."


def test_an_endorsement_marks_no_text_of_an_endorsement():
    structure = structure_of(
        f"{BASE}ENDORSEMENT HL 12\nThe following is added:\nc. gulls.\nENDORSEMENT HL 14\nExclusion c. is deleted."
    )
    assert the_unit(structure, "c. gulls.").unit.amended_by == ()
    assert the_unit(structure, "c. birds.").unit.amended_by != ()


def test_an_endorsement_without_a_number_is_named_by_its_title():
    structure = structure_of(f"{BASE}LIMITED FUNGI ENDORSEMENT\nExclusion c. is deleted.")
    assert the_unit(structure, "c. birds.").unit.amended_by[0].form == "LIMITED FUNGI ENDORSEMENT"


@pytest.mark.parametrize(
    ("sentence", "conditional"),
    [
        ("THIS FORM HAS EFFECT ONLY WHERE THE DECLARATIONS NAME ITS NUMBER.", True),
        ("This endorsement applies only if it is shown in the Declarations.", True),
        ("You are only covered under this option if your schedule says so.", True),
        ("This cover does not apply unless it is listed on your certificate of insurance.", True),
        ("The limit is shown in the Declarations.", False),
        ("This endorsement applies to all locations.", False),
        ("We only pay for loss in the schedule of works.", False),
    ],
)
def test_D19_a_condition_on_the_declarations_is_kept(sentence, conditional):
    structure = structure_of(f"ENDORSEMENT HL 41\n{sentence}\nRental\nWe will pay up to 30 a day for a rental car.")
    condition = the_unit(structure, "rental car").section.condition
    assert (condition.start_line if condition else None) == (2 if conditional else None)


def test_T66_listed_or_not_is_unknown_without_declarations():
    forms = structure_of("ENDORSEMENT HL 41\nWe will pay for a rental car.").forms
    assert [(each.number, each.listed) for each in forms] == [("HL 41", None)]
    forms = structure_of(
        "DECLARATIONS\nNamed insured: A. Person\nForms: HL 12 (01 24), HL 77 (02 24)\n"
        "ENDORSEMENT HL 12 (01 24)\nWe will pay.\nENDORSEMENT HL 41\nWe will pay for a car. See endorsement HL 90."
    ).forms
    assert [(each.number, each.listed, each.uploaded) for each in forms] == [
        ("HL 12", True, True),
        ("HL 41", False, True),
        ("HL 90", False, False),
        ("HL 77", True, False),
    ]


def test_S25_an_endorsement_ends_with_the_next_form_on_a_page_of_its_own():
    pages = [
        "EXCLUSIONS\n1. We do not pay for rust.\nHL 4400 (01 24) Page 1 of 2",
        "2. We do not pay for mould.\nHL 4400 (01 24) Page 2 of 2",
        "WATER BACK-UP\nThis endorsement modifies the policy.\nEXCLUSIONS\nWe do not pay for pumps.\nHL 33 (02 24)",
        "CONDITIONS\nTell us promptly.\nHL 4500 (01 24) Page 1 of 1",
    ]
    structure = structure_of("\f".join(pages))
    assert the_unit(structure, "2. We do not pay for mould").kind is SectionKind.EXCLUSIONS
    pumps = the_unit(structure, "pumps")
    assert (pumps.kind, pumps.unit.effect, pumps.section.form) == (
        SectionKind.ENDORSEMENTS,
        SectionKind.EXCLUSIONS,
        "HL 33",
    )
    after = the_unit(structure, "Tell us promptly")
    assert (after.kind, after.section.form) == (SectionKind.CONDITIONS, "HL 4500")


def test_M95_a_plain_endorsements_section_holds_what_stands_below_it():
    structure = structure_of(
        "EXCLUSIONS\nWe do not cover loss caused by mold.\nENDORSEMENTS\n"
        "Limited Fungi Coverage: This endorsement provides up to $10,000 of coverage for loss caused by mold.\n"
        "CONDITIONS\nTell us promptly."
    )
    assert the_unit(structure, "Limited Fungi").kind is SectionKind.ENDORSEMENTS
    assert the_unit(structure, "Tell us").kind is SectionKind.CONDITIONS


@given(st.text(max_size=400))
@settings(max_examples=200, deadline=None)
def test_any_sentence_is_read_without_an_error(text):
    for directive in directives(text):
        assert directive.targets
