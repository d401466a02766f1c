"""What holds for every text: lines and quotations are the source's own, every line has one place, nothing is raised."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from claims.documents.pages import Reading
from claims.documents.rows import row_of
from claims.documents.sections import Passage, Structure
from claims.documents.structure import split
from tests.claims.documents.plain import reading_of
from tests.claims.documents.test_structure_cases import D01, D03, D05, D06, D18, D20

HEADINGS = [
    "EXCLUSIONS",
    "Conditions",
    "What is covered",
    "Extra benefits we include",
    "## III. Property Insured",
    "SECTION II - LIABILITY",
    "ENDORSEMENT HL 12 - DATA",
    "HL 4400 (01 24) HOME POLICY FORM",
    "Definitions",
    "CONTENTS",
    "Page 3 of 9",
    "THIS ENDORSEMENT CHANGES THE POLICY.",
    "E X C L U S I O N S",
    "Forms and endorsements: HL 12, HL 33",
]
SENTENCES = [
    "We do not pay for loss caused by:",
    "We will pay up to 750 for a locksmith.",
    "You must tell us promptly.",
    '"Flood" means water over land.',
    "rust;",
    "birds, bats or insects; or",
    "unless a covered fire caused the over-",
    "flow of water from a sump",
    "However, we will pay for fire.",
    "This exclusion does not apply to theft",
    "Exclusion 7 is deleted. Condition 2.a. is replaced by the following:",
    "Theft ........ 4",
    "2. Exclusions This insurance does not apply to war.",
]
LABELS = [
    "",
    "1. ",
    "2. ",
    "3.",
    "a. ",
    "b. ",
    "(1) ",
    "(i) ",
    "A. ",
    "B. ",
    "I. ",
    "IV. ",
    "1.1 ",
    "• ",
    "- ",
    "   ",
    "1 ",
]

lines = st.one_of(
    st.builds(lambda label, text: label + text, st.sampled_from(LABELS), st.sampled_from(HEADINGS + SENTENCES)),
    st.text(max_size=60),
    st.sampled_from(["", " ", "\t", "\u00ad", "#", "**", "1.", "(", "|", "\ufffe"]),
)
texts = st.builds(lambda parts, between: between.join(parts), st.lists(lines, max_size=40), st.sampled_from("\n\f"))


def slices_back(passage: Passage, reading: Reading, furniture: frozenset[int]) -> bool:
    """The text is that of its lines with a space between; only a heading on the first line is left out."""
    taken = [
        line.text.strip()
        for line in reading.lines[passage.start_line - 1 : passage.end_line]
        if line.text.strip() and line.number not in furniture
    ]
    whole = " ".join(taken)
    return bool(passage.text) and whole.endswith(passage.text) and passage.text.endswith(" ".join(taken[1:]))


def passages(structure: Structure):
    for section in structure.sections:
        for unit in section.units:
            yield unit.passage
            yield from unit.lead_ins
            yield from unit.exceptions
            yield from (amendment.passage for amendment in unit.amended_by)


@given(texts)
@example(D01)
@example(D03)
@example("\n\n".join(D06.split("\n")))
@example(D05 + "\f" + D18)
@example(D20)
@settings(max_examples=150, deadline=None)
def test_every_quotation_slices_back_to_its_lines(text):
    reading = reading_of(text)
    structure = split(reading)
    for passage in passages(structure):
        assert slices_back(passage, reading, structure.furniture)
        assert reading.lines[passage.start_line - 1].page == passage.page


@given(texts)
@example(D03 + "\n\n" + D20)
@settings(max_examples=150, deadline=None)
def test_every_line_is_in_one_unit_or_a_heading_or_furniture(text):
    reading = reading_of(text)
    structure = split(reading)
    counted: dict[int, int] = {}
    for section in structure.sections:
        assert section.units
        assert section.start_line <= section.units[0].passage.start_line <= section.end_line
        for unit in section.units:
            for number in range(unit.passage.start_line, unit.passage.end_line + 1):
                counted[number] = counted.get(number, 0) + 1
    headings = {title for section in structure.sections for title in section.path}
    for line in reading.lines:
        if not line.text.strip() or line.number in structure.furniture:
            continue
        if line.number in counted:
            assert counted[line.number] == 1
        else:
            assert any(row_of(line).text in title for title in headings), line.text


@given(texts)
@settings(max_examples=60, deadline=None)
def test_the_same_text_gives_the_same_structure(text):
    assert split(reading_of(text)) == split(reading_of(text))


@given(st.lists(st.sampled_from(SENTENCES[:9]), min_size=1, max_size=30))
@settings(max_examples=40, deadline=None)
def test_M80_the_sections_are_in_the_order_of_the_file(parts):
    structure = split(reading_of("EXCLUSIONS\n" + "\n".join(parts)))
    starts = [section.start_line for section in structure.sections]
    assert starts == sorted(starts)
    assert [section.section_id for section in structure.sections] == [f"section-{n + 1}" for n in range(len(starts))]
