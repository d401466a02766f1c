"""The six drawn policies and the two forms as PDFs: read and split, every label compared."""

import re
from functools import cache
from pathlib import Path

import pytest
from reportlab.lib.enums import TA_JUSTIFY, TA_LEFT
from reportlab.lib.pagesizes import A4

from claims.documents.pages import Reading
from claims.documents.reading import read_file
from claims.documents.sections import Change, SectionKind, Structure
from claims.documents.structure import split
from tests.claims.documents.drawn_policies import POLICIES
from tests.claims.documents.plain import structure_of, the_unit, units_of
from tests.claims.documents.test_real_forms_drawn import drawn as drawn_form

FORMS = Path(__file__).parent / "policies"
OPPOSITES = [{"insuring_agreement", "exclusions"}]
ENOUGH = 0.9


def flat(text):
    return " ".join(text.replace("\ufffe ", "-").split())


@cache
def drawn(name: str) -> tuple[list[tuple[str, str]], Structure]:
    """The labels and the structure of what was drawn."""
    sheet = POLICIES[name]()
    reading = read_file(sheet.data(), f"{name}.pdf")
    assert isinstance(reading, Reading)
    assert reading.pages_not_read == ()
    return [(flat(each.text), each.kind) for each in sheet.drawn if each.kind], split(reading)


@pytest.mark.parametrize("name", POLICIES)
def test_paragraph_and_kind_are_right_for_nine_labels_of_ten(name):
    labels, structure = drawn(name)
    kinds = {flat(each.text): each.kind.value for each in units_of(structure)}
    wrong = [(text, kind, kinds.get(text)) for text, kind in labels if kinds.get(text) != kind]
    assert len(labels) >= 12
    assert len(wrong) <= (1 - ENOUGH) * len(labels), wrong


@pytest.mark.parametrize("name", POLICIES)
def test_no_label_has_the_opposite_kind(name):
    labels, structure = drawn(name)
    for each in units_of(structure):
        text = flat(each.text)
        for label, kind in labels:
            if label in text or text in label:
                assert {kind, each.kind.value} not in OPPOSITES, text


def test_the_drawn_labels_are_right_but_for_a_few():
    """Over all six: what is not exactly right is listed here."""
    wrong = []
    for name in POLICIES:
        labels, structure = drawn(name)
        kinds = {flat(each.text): each.kind.value for each in units_of(structure)}
        wrong += [text for text, kind in labels if kinds.get(text) != kind]
    assert wrong == []


def test_S12_headers_and_footers_are_furniture_on_every_page():
    for name in POLICIES:
        texts = [each.text for each in units_of(drawn(name)[1])]
        assert not [text for text in texts if re.search(r"\bPage \d|\{page\}|Product disclosure statement", text)]


def test_S31_items_below_their_lead_in_in_the_second_column():
    found = the_unit(drawn("two_columns")[1], "frost to a swimming pool")
    assert found.unit.lead_ins[0].text == "We will not pay for:"
    assert "However, we will pay for damage to the pool" in found.unit.exceptions[0].text


def test_D18_a_drawn_endorsement_deletes_an_exclusion_of_the_form():
    structure = drawn("with_endorsements")[1]
    found = the_unit(structure, "2. water that backs up").unit.amended_by
    assert [(each.form, each.change) for each in found] == [("SV 2140", Change.DELETES), ("SV 3300", Change.ADDS)]
    assert [(form.number, form.listed) for form in structure.forms] == [
        ("SV 1000", True),
        ("SV 2140", True),
        ("SV 3300", True),
    ]


def test_D19_a_drawn_endorsement_keeps_its_condition_under_its_headings():
    found = the_unit(drawn("with_endorsements")[1], "a virus or an attack on a computer")
    assert found.section.condition is not None
    assert "only if its number is shown" in found.section.condition.text
    assert found.unit.effect is SectionKind.EXCLUSIONS


def test_S29_a_drawn_endorsement_replaces_an_exclusion_with_its_items():
    structure = drawn("commercial")[1]
    for words in ("b. Injury or damage arising out of the use of:", "(2) a watercraft"):
        (amendment,) = the_unit(structure, words).unit.amended_by
        assert (amendment.form, amendment.change) == ("GC 0712", Change.REPLACES)
    assert the_unit(structure, "a. Injury or damage that the insured expected").unit.amended_by == ()


@pytest.mark.parametrize("path", sorted(FORMS.glob("*.txt")), ids=lambda path: path.stem)
@pytest.mark.parametrize(
    ("columns", "align", "size"), [(1, TA_LEFT, 10), (2, TA_JUSTIFY, 9), (3, TA_LEFT, 7)], ids=["one", "two", "three"]
)
def test_a_form_drawn_in_columns_is_split_like_its_text(path, columns, align, size):
    """No indents, no bold: the same paragraphs with the same kinds and as many lead-ins as the text has."""
    text = path.read_text().replace("#", "")
    data = drawn_form(text, columns=columns, align=align, size=size, font="Times-Roman", page=A4)
    reading = read_file(data, "form.pdf")
    assert isinstance(reading, Reading)
    expected = described(structure_of(text))
    found = described(split(reading))
    wrong = {words: found.get(words) for words, seen in expected.items() if found.get(words) != seen}
    assert len(wrong) <= 0.01 * len(expected), wrong


def described(structure):
    return {
        re.sub(r"\W", "", each.text): (each.kind, len(each.unit.lead_ins), len(each.unit.exceptions))
        for each in units_of(structure)
    }
