"""The cases of the adjuster's aid that are about structure, each on the lines that it gives."""

import pytest

from claims.documents.sections import Change, SectionKind
from tests.claims.documents.plain import reading_of, structure_of, the_unit, units_of

GRANT, EXCLUSIONS, CONDITIONS = SectionKind.INSURING_AGREEMENT, SectionKind.EXCLUSIONS, SectionKind.CONDITIONS
NEUTRAL = "\nMiscellaneous\n" + "The summer office is open from nine to five on working days. " * 6

D01 = """EXCLUSIONS
1. We do not pay for wear and tear.
2. We do not pay for flood.
Extra benefits we include
We will pay up to 750 for a locksmith after a burglary."""

D02 = """## III. Property Insured
We insure the cabin shown in the schedule.
## IV. Property Not Insured
We do not insure any of the following:
1. Jetties and boat lifts."""

D03 = """EXCLUSIONS
1. We do not pay for mould.
HARBOURLIGHT MUTUAL HOME POLICY
HL 4400 (01 24) Page 3 of 9
2. We do not pay for loss caused by vermin."""

D05 = """CONDITIONS
Keep records.
EXCLUSIONS
We do not pay for loss caused by:
a. rust;
b. birds, bats or insects; or
c. the weight of snow."""

D06 = """EXCLUSIONS
We do not pay for loss caused by water that:
a. backs up through a drain;
b. overflows from a sump;
unless a covered fire caused the back-up or overflow."""

D18 = """EXCLUSIONS
7. We do not pay for water that backs up through a drain.
ENDORSEMENT HL 33 - BACK-UP
Exclusion 7 is deleted. The most we pay for back-up is 5,000."""

D19 = """ENDORSEMENT HL 41
THIS FORM HAS EFFECT ONLY WHERE THE DECLARATIONS NAME ITS NUMBER.
We will pay up to 30 a day for a rental car."""

D20 = """ENDORSEMENT HL 12 - DATA
The following is added to paragraph 2. Exclusions of Coverage A:
2. Exclusions
We do not pay for the loss of electronic data.
HL 4400 (01 24) HOME POLICY FORM
CONDITIONS
Tell us promptly."""


@pytest.fixture(params=["alone", "padded"])
def padding(request):
    """The text alone, and with neutral text behind it, as a test of the 200-character gate needs."""
    return "" if request.param == "alone" else NEUTRAL


def test_D01_a_grant_under_a_mixed_case_heading_inherits_nothing(padding):
    found = the_unit(structure_of(D01 + padding), "locksmith")
    assert found.kind is SectionKind.UNCLASSIFIED
    assert found.section.heading == "Extra benefits we include"
    assert found.text == "We will pay up to 750 for a locksmith after a burglary."
    assert (found.unit.passage.start_line, found.unit.passage.end_line) == (5, 5)


def test_M85_additional_coverages_after_exclusions_are_unclassified(padding):
    text = (
        "EXCLUSIONS\nWe do not cover loss caused by flood.\nADDITIONAL COVERAGES\n"
        "We cover sudden and accidental water damage from a burst pipe up to $25,000."
    )
    found = the_unit(structure_of(text + padding), "burst pipe")
    assert found.kind is SectionKind.UNCLASSIFIED
    assert found.text == "We cover sudden and accidental water damage from a burst pipe up to $25,000."


def test_D02_property_not_insured_is_exclusions(padding):
    structure = structure_of(D02 + padding)
    found = the_unit(structure, "Jetties")
    assert found.kind is EXCLUSIONS
    assert found.lead_ins == [4]
    assert the_unit(structure, "cabin").kind is GRANT


def test_D03_a_running_header_is_neither_heading_nor_text(padding):
    structure = structure_of(D03 + padding)
    assert the_unit(structure, "vermin").kind is EXCLUSIONS
    assert structure.furniture >= {3, 4}
    assert not [each for each in units_of(structure) if "HARBOURLIGHT" in each.text or "4400" in each.text]


@pytest.mark.parametrize(
    "entries",
    [
        "EXCLUSIONS ............................ 4\nCONDITIONS ............................ 9",
        "EXCLUSIONS \ufffd \ufffd \ufffd \ufffd 4\nCONDITIONS \ufffd \ufffd \ufffd \ufffd 9",
        "EXCLUSIONS …………………… 4\nCONDITIONS …………………… 9",
        "Exclusions 4\nConditions 9",
        "| General exclusions | 13 |\n| General conditions | 15 |",
    ],
    ids=["dots", "replacement characters", "ellipses", "no leader", "table"],
)
def test_D04_a_table_of_contents_makes_no_sections(entries, padding):
    text = f"CONTENTS\n{entries}\nINSURING AGREEMENT\nWe pay for theft of the trailer." + padding
    structure = structure_of(text)
    assert structure.furniture == {1, 2, 3}
    first = structure.sections[0]
    assert (first.kind, first.start_line, first.end_line) == (GRANT, 4, 5)
    assert the_unit(structure, "theft").unit.passage.start_line == 5


def test_D05_an_item_stands_with_its_lead_in(padding):
    found = the_unit(structure_of(D05 + padding), "bats")
    assert found.kind is EXCLUSIONS
    assert (found.unit.label, found.lead_ins) == ("b", [4])
    assert found.unit.lead_ins[0].text == "We do not pay for loss caused by:"


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n\n\n"], ids=["no blank lines", "blank lines", "two blank lines"])
def test_D06_a_carve_back_below_a_list_belongs_to_its_items(gap, padding):
    structure = structure_of(gap.join(D06.split("\n")) + "\n" + padding)
    step = len(gap)
    sump, drain = the_unit(structure, "sump"), the_unit(structure, "drain")
    for found in (sump, drain):
        assert found.kind is EXCLUSIONS
        assert found.lead_ins == [1 + step]
        assert found.exceptions == [1 + 4 * step]
    assert the_unit(structure, "covered fire").lead_ins == [1 + step]


def test_D07_a_definition_is_a_definition(padding):
    text = 'INSURING AGREEMENT\nWe cover direct physical loss to the home.\nDEFINITIONS\n"Sinkhole" means a hollow.'
    assert the_unit(structure_of(text + padding), "Sinkhole").kind is SectionKind.DEFINITIONS


def test_D13_a_broken_word_stays_in_its_passage(padding):
    text = (
        "EXCLUSIONS\nWe do not pay for water below the sur-\nface of the ground, or for a sump-\npump failure."
        + padding
    )
    passage = the_unit(structure_of(text), "sump-").unit.passage
    assert (passage.start_line, passage.end_line) == (2, 4)
    assert passage.text == "We do not pay for water below the sur- face of the ground, or for a sump- pump failure."


def test_D16_a_page_left_blank_says_nothing():
    text = "EXCLUSIONS\nWe do not pay for frost.\fThis page intentionally left blank\fCONDITIONS\nTell us promptly."
    structure = structure_of(text)
    assert structure.furniture == {3}
    assert [(section.kind, section.page) for section in structure.sections] == [(EXCLUSIONS, 1), (CONDITIONS, 3)]


def test_D18_a_deleted_exclusion_says_so(padding):
    structure = structure_of(D18 + padding)
    found = the_unit(structure, "drain")
    assert found.kind is EXCLUSIONS
    (amendment,) = found.unit.amended_by
    assert (amendment.form, amendment.change, amendment.passage.start_line) == ("HL 33", Change.DELETES, 4)
    assert the_unit(structure, "Exclusion 7 is deleted").kind is SectionKind.ENDORSEMENTS


def test_D19_an_endorsement_keeps_its_condition(padding):
    structure = structure_of(D19 + padding)
    found = the_unit(structure, "rental car")
    assert found.kind is SectionKind.ENDORSEMENTS
    assert found.section.condition is not None
    assert found.section.condition.start_line == 2
    assert found.unit.effect is GRANT
    assert not structure.has_declarations
    assert [(form.number, form.listed) for form in structure.forms] == [("HL 41", None)]


def test_D20_a_heading_does_not_end_an_endorsement_but_the_next_form_does(padding):
    structure = structure_of(D20 + padding)
    found = the_unit(structure, "electronic data")
    assert (found.kind, found.unit.effect, found.section.form) == (SectionKind.ENDORSEMENTS, EXCLUSIONS, "HL 12")
    after = the_unit(structure, "Tell us promptly")
    assert (after.kind, after.section.form) == (CONDITIONS, "HL 4400")
    assert [(form.number, form.edition, form.start_line) for form in structure.forms] == [
        ("HL 12", None, 1),
        ("HL 4400", "01 24", 5),
    ]


def test_M81_the_same_file_gives_the_same_ids():
    one, other = structure_of(D05 + NEUTRAL), structure_of(D05 + NEUTRAL)
    assert one == other
    ids = [section.section_id for section in one.sections]
    assert len(ids) == len(set(ids)) > 2


def test_no_text_has_no_sections():
    assert structure_of("").sections == ()
    assert structure_of("\n \n\f\n").sections == ()
    assert reading_of("").lines[0].text == ""


def test_an_item_that_ends_with_part_does_not_hide_the_next_number():
    text = (
        "EXCLUSIONS\nWe do not cover loss caused by:\n2.5 the cost of replacing or repairing the defective part\n"
        "2.6 negligence of the insured\n2.7 a loss that is covered by another policy under a similar clause\n"
        "2.8 ordinary leakage\n"
    )
    found = [(each.unit.passage.start_line, each.lead_ins) for each in units_of(structure_of(text))]
    assert found == [(2, []), (3, [2]), (4, [2]), (5, [2]), (6, [2])]
