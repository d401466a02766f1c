"""Headings that are easily missed, and lines that look like headings and are none: the catalogue of real wordings."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.documents.heading_words import kind_of
from claims.documents.pages import Box, FileKind, Line, Page, PageState, Reading
from claims.documents.rows import fold
from claims.documents.sections import SectionKind
from claims.documents.stance import Stance, stance_of, takes_back
from claims.documents.structure import split
from tests.claims.documents.plain import structure_of, the_unit, units_of

GRANT, EXCLUSIONS, CONDITIONS = SectionKind.INSURING_AGREEMENT, SectionKind.EXCLUSIONS, SectionKind.CONDITIONS
DEFINITIONS, UNKNOWN = SectionKind.DEFINITIONS, SectionKind.UNCLASSIFIED
BEFORE = "INSURING AGREEMENT\nWe pay for theft of the trailer.\n"


@pytest.mark.parametrize(
    ("case", "heading", "kind"),
    [
        ("S1", "Exclusions", EXCLUSIONS),
        ("S1", "What Is Not Covered", EXCLUSIONS),
        ("S2", "What is not covered:", EXCLUSIONS),
        ("S3", "IV. Exclusions", EXCLUSIONS),
        ("S3", "SECTION D - EXCLUSIONS", EXCLUSIONS),
        ("S3", "2.) Exclusions", EXCLUSIONS),
        ("S4", "What we don't pay", EXCLUSIONS),
        ("S4", "General exceptions", EXCLUSIONS),
        ("S4", "Duties after loss", CONDITIONS),
        ("S5", "LOSSES THAT ARE\nNOT INSURED", EXCLUSIONS),
        ("S6", "E X C L U S I O N S", EXCLUSIONS),
        ("S6", "G E N E R A L  E X C L U S I O N S", EXCLUSIONS),
        ("S9", "**Exclusions**", EXCLUSIONS),
        ("M82", "### Exclusions", EXCLUSIONS),
        ("M82", "# 3. What we will not pay for", EXCLUSIONS),
    ],
)
def test_a_heading_is_seen_in_every_dress(case, heading, kind):
    structure = structure_of(f"{BEFORE}{heading}\nRust and mould.\nFrost in a shed.")
    assert the_unit(structure, "Rust and mould").kind is kind
    assert the_unit(structure, "theft").kind is GRANT


@pytest.mark.parametrize(
    "line", ["2. Exclusions This insurance does not apply to rust.", "EXCLUSIONS: Rust is a pity."]
)
def test_S7_a_heading_run_into_its_text_is_not_quoted(line):
    structure = structure_of(f"{BEFORE}{line}\nCONDITIONS\nTell us.")
    found = next(each for each in units_of(structure) if "ust" in each.text and each.unit.passage.start_line == 3)
    assert found.kind is EXCLUSIONS
    assert "xclusions" not in found.text and "EXCLUSIONS" not in found.text
    assert found.section.start_line == 3


@pytest.mark.parametrize(
    ("case", "lines"),
    [
        (
            "S15",
            "We do not pay for loss of property not listed in the\nDECLARATIONS OR IN A SCHEDULE\nof this policy.",
        ),
        ("S16", "Limits we pay:\nINR\nUSD 500\nE14 9SR"),
        (
            "S21",
            "THIS POLICY MAY NOT COVER ALL OF YOUR LOSS. READ IT WITH\nCARE AND ASK US WHEN YOU ARE NOT SURE OF IT.",
        ),
        ("S18", "We do not pay for rust,\nnor for mould."),
    ],
)
def test_what_only_looks_like_a_heading_ends_no_section(case, lines):
    structure = structure_of(f"EXCLUSIONS\nWe do not pay for frost.\n{lines}\n1. We do not pay for vermin.")
    assert the_unit(structure, "vermin").kind is EXCLUSIONS


def test_S19_a_heading_that_is_continued_is_no_new_section():
    structure = structure_of("EXCLUSIONS\nWe do not pay for:\na. rust;\fEXCLUSIONS (continued)\nb. mould.")
    found = the_unit(structure, "b. mould")
    assert (found.kind, found.lead_ins) == (EXCLUSIONS, [2])


def test_S10_a_section_that_is_named_in_the_page_header_only_is_a_section():
    pages = [
        "COVER\nWe pay for theft.",
        "GENERAL EXCLUSIONS\nRust of any kind.\nFrost.",
        "GENERAL EXCLUSIONS\nMould of any kind.\nWet rot.",
        "GENERAL EXCLUSIONS\nVermin of any kind.\nBirds.",
    ]
    structure = structure_of("\f".join(pages))
    assert [the_unit(structure, words).kind for words in ("Rust", "Mould", "Vermin")] == [EXCLUSIONS] * 3
    assert len(structure.furniture) == 2


def test_S23_the_same_heading_on_top_of_two_pages_is_no_header():
    pages = [
        "EXCLUSIONS\nWe do not pay for rust.",
        "COVER B\nWe pay for theft.",
        "EXCLUSIONS\nWe do not pay for mould.",
    ]
    structure = structure_of("\f".join(pages))
    assert structure.furniture == frozenset()
    assert the_unit(structure, "mould").kind is EXCLUSIONS


def test_T43_numbered_parts_on_top_of_their_pages_are_headings():
    pages = [f"SECTION {n}\nWe pay for thing {n}.\nHOUSE POLICY page {n}" for n in range(1, 6)]
    structure = structure_of("\f".join(pages))
    assert [section.heading for section in structure.sections] == [f"SECTION {n}" for n in range(1, 6)]


def test_T42_text_that_repeats_is_text():
    text = "\n".join(f"{n}. We pay for item {n}.\nThis does not increase the limit." for n in range(1, 5))
    structure = structure_of("COVER\n" + text)
    assert len([each for each in units_of(structure) if "does not increase" in each.text]) == 4


def test_S36_S37_paragraphs_are_the_same_with_and_without_empty_lines():
    lines = [
        "EXCLUSIONS",
        "We do not pay for loss that comes from a river that runs over its banks after",
        "rain that fell over more than three days, nor for the cost of the pumps that",
        "were needed.",
        "We do not pay for mould.",
        "CONDITIONS",
        "You must keep the gutters clear, and have the roof looked at by a tradesman in",
        "every second year of the policy.",
    ]
    plain = [each.text for each in units_of(structure_of("\n".join(lines)))]
    spaced = [each.text for each in units_of(structure_of("\n\n".join(lines)))]
    assert plain == spaced
    assert len(plain) == 3


def test_S40_a_clause_goes_on_over_a_page_break():
    text = (
        "EXCLUSIONS\nWe do not pay for loss of\nHL 44 (01 24) Page 1 of 2\fHL 44 (01 24) Page 2 of 2\nmoney or stamps."
    )
    found = the_unit(structure_of(text), "money or stamps")
    assert found.text == "We do not pay for loss of money or stamps."
    assert (found.unit.passage.start_line, found.unit.passage.end_line, found.unit.passage.page) == (2, 5, 1)


def test_M84_the_headings_of_a_homeowners_form_are_not_swallowed():
    text = (
        "SECTION I - EXCLUSIONS\nWe do not insure for earth movement.\nSECTION I - PROPERTY COVERAGES\n"
        "We cover the dwelling on the residence premises.\nSECTION I - PERILS INSURED AGAINST\n"
        "We insure against direct loss to the dwelling."
    )
    structure = structure_of(text)
    assert the_unit(structure, "We cover the dwelling").kind is GRANT
    assert the_unit(structure, "We insure against").kind is GRANT
    assert the_unit(structure, "earth movement").kind is EXCLUSIONS


@pytest.mark.parametrize(
    "heading", ["ANYTHING ELSE", "Locks and keys", "III. Odds and ends", "## Sundry matters", "Optional cover"]
)
@pytest.mark.parametrize("text", ["We will pay up to 750 for a locksmith.", "A locksmith after a burglary, up to 750."])
def test_M83_nothing_under_an_unknown_heading_inherits_an_opposite_kind(heading, text):
    structure = structure_of(f"EXCLUSIONS\n1. We do not pay for wear.\n2. We do not pay for flood.\n{heading}\n{text}")
    assert the_unit(structure, "locksmith").kind in (UNKNOWN, GRANT)


@pytest.mark.parametrize(
    ("heading", "text", "kind"),
    [
        ("EXCLUSIONS", "We will pay for a locksmith.", UNKNOWN),
        ("INSURING AGREEMENT", "There is no cover for a locksmith.", UNKNOWN),
        ("WHAT IS COVERED", "We do not pay for a locksmith.", EXCLUSIONS),
        ("DEFINITIONS", "We will pay for a locksmith.", UNKNOWN),
        ("EXCLUSIONS", "However, we will pay for a locksmith.", EXCLUSIONS),
        ("What is and is not covered", "A locksmith.", UNKNOWN),
        ("Locks", "We will pay for a locksmith. We do not pay for the door.", GRANT),
        ("Locks", "We do not pay for the door. We will pay for a locksmith.", UNKNOWN),
        ("Locks", "We do not pay for a locksmith. However, we will pay for the door.", EXCLUSIONS),
    ],
)
def test_R8_heading_and_verb_are_checked_against_each_other(heading, text, kind):
    assert the_unit(structure_of(f"{heading}\nThe words below.\n{text}"), "locksmith").kind is kind


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Property Not Insured", EXCLUSIONS),
        ("What isn't covered", EXCLUSIONS),
        ("What is not covered under cancellation", EXCLUSIONS),
        ("Perils insured against", GRANT),
        ("Additional coverages", None),
        ("Exclusions and conditions", None),
        ("How to make a claim", CONDITIONS),
        ("Words with special meanings", DEFINITIONS),
        ("Your schedule", SectionKind.DECLARATIONS),
        ("Forms and endorsements applying to this policy", None),
        ("Trailers", None),
        ("No Benefit to Bailee", None),
    ],
)
def test_M80_the_kind_that_a_heading_names(heading, kind):
    assert kind_of(heading) is kind


@pytest.mark.parametrize(
    ("sentence", "stance"),
    [
        ("We will pay for theft.", Stance.GRANT),
        ("If we accept a claim we will also pay for keys.", Stance.GRANT),
        ("The Underwriters agree to indemnify the Assured.", Stance.GRANT),
        ("We won't pay for rust.", Stance.EXCLUDE),
        ("In no case shall this insurance cover delay.", Stance.EXCLUDE),
        ("This insurance does not apply to:", Stance.EXCLUDE),
        ("Damage by frost is not covered.", Stance.EXCLUDE),
        ("We will pay no more than 500.", Stance.LIMIT),
        ("The most we will pay is 500.", Stance.LIMIT),
        ("You must tell us.", Stance.DUTY),
        ("Flood means water over land.", Stance.DEFINE),
        ("property that is not covered by this form", Stance.NONE),
        ("if we do not pay a claim", Stance.NONE),
        ("rust, mould and vermin", Stance.NONE),
    ],
)
def test_the_stance_of_a_sentence(sentence, stance):
    assert stance_of(sentence) is stance


@pytest.mark.parametrize(
    ("words", "back"),
    [
        ("unless a fire caused it", True),
        ("However, we will pay for fire.", True),
        ("But we will pay for fire.", True),
        ("We do, however, pay for mudflow.", True),
        ("This exclusion does not apply to fire.", True),
        ("Paragraph (2) of this exclusion does not apply if", True),
        ("Exclusion 5.1.1 above shall not apply where", True),
        ("We do not pay for fire.", False),
        ("This insurance does not apply to fire.", False),
        ("rust, however it came about", False),
    ],
)
def test_T63_what_takes_something_back(words, back):
    assert takes_back(words) is back


def drawn(*lines):
    """(left, top, size, bold, text) as a page of a PDF."""
    made = tuple(
        Line(n, text, 1, Box(left, top, left + len(text) * size / 2, top + size), size, bold)
        for n, (left, top, size, bold, text) in enumerate(lines, start=1)
    )
    return Reading(FileKind.PDF, (Page(1, PageState.READ, made, None, 500),))


def test_S9_a_heading_that_is_only_bold_is_a_heading():
    structure = split(
        drawn(
            (60, 60, 10, True, "Exclusions"),
            (60, 74, 10, False, "We do not pay for rust."),
            (60, 88, 10, True, "Something we like to give"),
            (60, 102, 10, False, "A locksmith after a burglary."),
        )
    )
    assert the_unit(structure, "locksmith").kind is UNKNOWN
    assert the_unit(structure, "rust").kind is EXCLUSIONS


def test_S39_a_line_further_out_than_the_items_closes_the_list():
    structure = split(
        drawn(
            (60, 60, 10, True, "Exclusions"),
            (60, 80, 10, False, "We do not pay for loss caused by water that"),
            (80, 94, 10, False, "a. backs up through a drain or a sewer of the"),
            (92, 108, 10, False, "house or"),
            (80, 122, 10, False, "b. overflows from a sump"),
            (60, 136, 10, False, "unless a covered fire caused the overflow."),
        )
    )
    sump = the_unit(structure, "sump")
    assert sump.text == "b. overflows from a sump"
    assert (sump.lead_ins, sump.exceptions) == ([2], [6])


def test_text_below_two_columns_belongs_to_neither():
    structure = split(
        drawn(
            (60, 60, 10, True, "What is covered"),
            (60, 74, 10, False, "Fire in the kitchen."),
            (320, 60, 10, True, "What is not covered"),
            (320, 74, 10, False, "Rust of any kind."),
            (
                60,
                110,
                10,
                False,
                "The limit of the schedule holds for each event of the year and for all of them together.",
            ),
        )
    )
    assert the_unit(structure, "Rust").kind is EXCLUSIONS
    assert the_unit(structure, "holds for each event").kind is UNKNOWN


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_heading_and_sentence_is_judged_without_an_error(text):
    folded = fold(text)
    assert kind_of(folded) is None or isinstance(kind_of(folded), SectionKind)
    assert isinstance(stance_of(folded), Stance)
    assert takes_back(folded) in (True, False)
