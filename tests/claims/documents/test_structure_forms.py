"""The two real forms: as they are, without their marks, and as lines of a page with and without space between them."""

import re
import textwrap
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from claims.documents.sections import SectionKind, Structure
from tests.claims.documents.plain import Found, structure_of, units_of

GRANT, EXCLUSIONS, CONDITIONS = SectionKind.INSURING_AGREEMENT, SectionKind.EXCLUSIONS, SectionKind.CONDITIONS
DEFINITIONS = SectionKind.DEFINITIONS
POLICIES = Path(__file__).parent / "policies"
GENERAL, CONDOMINIUM = "nfip-general-property-form", "nfip-rcbap-form"
ENOUGH = 0.9
WIDTH = 95


def unmarked(text):
    return re.sub(r"(?m)^#+ ", "", text)


def wrapped(text, within, between):
    paragraphs = [part for part in unmarked(text).split("\n\n") if part.strip()]
    return between.join(within.join(textwrap.wrap(part, WIDTH)) for part in paragraphs)


SHAPES = {
    "marked": lambda text: text,
    "unmarked": unmarked,
    "a line a paragraph": lambda text: unmarked(text).replace("\n\n", "\n"),
    "wrapped": lambda text: wrapped(text, "\n", "\n\n"),
    "no blank lines": lambda text: wrapped(text, "\n", "\n"),
    "a blank line a line": lambda text: wrapped(text, "\n\n", "\n\n"),
}


@cache
def structure(form: str, shape: str) -> Structure:
    return structure_of(SHAPES[shape]((POLICIES / f"{form}.txt").read_text()))


def flat(text):
    return " ".join(text.split())


def found(form, shape, words) -> Found:
    hits = [each for each in units_of(structure(form, shape)) if words in flat(each.text)]
    assert len(hits) == 1, [each.text[:80] for each in hits] or words
    return hits[0]


both = pytest.mark.parametrize("form", [GENERAL, CONDOMINIUM])
every_shape = pytest.mark.parametrize("shape", SHAPES)


@both
@every_shape
def test_at_least_nine_tenths_of_the_text_has_a_kind(form, shape):
    lengths = dict.fromkeys(SectionKind, 0)
    for each in units_of(structure(form, shape)):
        lengths[each.kind] += len(each.text)
    assert 1 - lengths[SectionKind.UNCLASSIFIED] / sum(lengths.values()) >= ENOUGH


ARTICLES = {
    GENERAL: {"I": GRANT, "II": DEFINITIONS, "III": GRANT, "IV": EXCLUSIONS, "V": EXCLUSIONS},
    CONDOMINIUM: {"I": GRANT, "II": DEFINITIONS, "III": GRANT, "IV": EXCLUSIONS, "V": EXCLUSIONS},
}
"""The kind of an article but for its own parts: III.D.5 is a list of exclusions, all from VI on are conditions."""


def article_of(path):
    for title in path:
        match = re.match(r"([IVX]+)\. ", title)
        if match:
            return match[1]
    return ""


@both
@every_shape
def test_no_paragraph_has_the_opposite_kind(form, shape):
    """By the article that it stands in, and by what its own sentence says."""
    for each in units_of(structure(form, shape)):
        article = article_of(each.section.path)
        expected = ARTICLES[form].get(article)
        inner = any("5. Exclusions" in title for title in each.section.path)
        if expected is GRANT and not inner:
            assert each.kind is not EXCLUSIONS, each.text
        if expected is EXCLUSIONS or inner:
            assert each.kind is not GRANT, each.text
        if re.match(r"(?:\W|\w{1,4}\. )*(?:We will pay|We insure)\b(?! (?:no more|only|the least))", each.text):
            assert each.kind is not EXCLUSIONS, each.text
        if re.match(r"(?:\W|\w{1,4}\. )*(?:We do not (?:insure|cover|pay)|There is no coverage)", each.text):
            assert each.kind is not GRANT, each.text


@both
@every_shape
def test_every_list_item_stands_with_its_lead_in(form, shape):
    """The lead-in of an item is the last paragraph above it that ended with a colon, wherever that is a list's own."""
    items = 0
    texts = [part for part in unmarked((POLICIES / f"{form}.txt").read_text()).split("\n\n") if part.strip()]
    for lead, item in pairwise(texts):
        if not flat(lead).endswith(":") or not re.match(r"(?:1|a|\(1\)|\(a\)|\(i\))\.? ", item):
            continue
        each = first_below(form, shape, lead, item)
        items += 1
        assert flat(lead) in [flat(passage.text) for passage in each.unit.lead_ins], item
    assert items > 25


def first_below(form, shape, lead, item) -> Found:
    units = units_of(structure(form, shape))
    at = next(index for index, each in enumerate(units) if flat(each.text) == flat(lead))
    return next(each for each in units[at:] if flat(each.text) == flat(item))


@both
@every_shape
def test_the_items_of_a_long_list_all_have_it(form, shape):
    """31 of the 40 lines of the exclusions article are fragments: none stands alone."""
    exclusions = [each for each in units_of(structure(form, shape)) if article_of(each.section.path) == "V"]
    assert len(exclusions) > 30
    alone = [each.text for each in exclusions if not each.unit.lead_ins]
    assert all(re.match(r"[A-F]\. ", text) for text in alone), alone


QUESTIONS = [
    (
        GENERAL,
        "residential condominium building in a regular program community, except",
        SectionKind.UNCLASSIFIED,
        None,
    ),
    (GENERAL, "Have paid the full amount due", GRANT, "We will pay you for direct physical loss"),
    (GENERAL, "Overflow of inland or tidal waters", DEFINITIONS, "B. Flood, as used in this flood insurance policy"),
    (GENERAL, "A structure with two or more outside rigid walls", DEFINITIONS, "6. Building"),
    (GENERAL, "Building does not mean a gas or liquid storage tank", DEFINITIONS, "6. Building"),
    (GENERAL, "(2) Built-in microwave ovens", GRANT, "We insure against direct physical loss by or from flood to:"),
    (GENERAL, "(13) Sump pumps", GRANT, "8. Items of property below the lowest elevated floor"),
    (GENERAL, "Jewelry, watches, precious and semi-precious stones", GRANT, "6. Special Limits."),
    (GENERAL, "Plastic sheeting and lumber", GRANT, "We will pay up to $1,000 for costs you incur"),
    (GENERAL, "We will pay for damage caused by pollutants to insured property", GRANT, None),
    (GENERAL, "Increased Cost of Compliance for a garage or carport", EXCLUSIONS, "we will not pay for:"),
    (
        GENERAL,
        "Fences, retaining walls, seawalls, bulkheads",
        EXCLUSIONS,
        "We do not insure any of the following property:",
    ),
    (GENERAL, "Hot tubs and spas that are not bathroom fixtures", EXCLUSIONS, "We do not insure any of the following"),
    (
        GENERAL,
        "1. Earthquake;",
        EXCLUSIONS,
        "C. We do not insure for loss to property caused directly by earth movement",
    ),
    (GENERAL, "Discharges or overflows from a sump", EXCLUSIONS, "5. Water or water-borne material that:"),
    (GENERAL, "Theft, fire, explosion, wind, or windstorm", EXCLUSIONS, "caused directly or indirectly by:"),
    (GENERAL, "Within 60 days after the loss, send us a proof of loss", CONDITIONS, "you must:"),
    (GENERAL, "You may not sue us to recover money under this policy unless", CONDITIONS, None),
    (GENERAL, "The cost of complying with any ordinance or law requiring", EXCLUSIONS, "A. We only pay for"),
    (GENERAL, "separate deductibles apply to the building and personal property", CONDITIONS, None),
    (CONDOMINIUM, "You may not abandon damaged or undamaged insured property", CONDITIONS, None),
    (
        CONDOMINIUM,
        "At least 80 percent of its replacement cost",
        CONDITIONS,
        "We will impose a penalty on loss payment unless",
    ),
    (
        CONDOMINIUM,
        "(12) Stairways and staircases attached to the building",
        GRANT,
        "We insure against direct physical loss",
    ),
    (CONDOMINIUM, "Power, heating, or cooling failure unless", EXCLUSIONS, "caused directly or indirectly by:"),
]


@every_shape
@pytest.mark.parametrize(
    ("form", "words", "kind", "lead_in"), QUESTIONS, ids=[words[:30] for _, words, *_ in QUESTIONS]
)
def test_the_right_paragraph_with_the_right_kind(form, words, kind, lead_in, shape):
    each = found(form, shape, words)
    assert each.kind is kind
    leads = [flat(passage.text) for passage in each.unit.lead_ins]
    assert (not leads) if lead_in is None and kind is not SectionKind.UNCLASSIFIED else True
    if lead_in:
        assert [text for text in leads if lead_in in text], leads


@every_shape
def test_T63_what_is_taken_back_stands_beside_what_takes_it_back(shape):
    sump = found(GENERAL, shape, "Discharges or overflows from a sump")
    assert [flat(passage.text)[:40] for passage in sump.unit.exceptions] == [
        "unless there is a flood in the area and t"[:40]
    ]
    sinkholes = found(GENERAL, shape, "4. Sinkholes;")
    assert [flat(passage.text)[:39] for passage in sinkholes.unit.exceptions] == [
        "We do, however, pay for losses from mud"
    ]
    theft = found(GENERAL, shape, "8. Theft, fire, explosion")
    assert theft.unit.exceptions == ()
