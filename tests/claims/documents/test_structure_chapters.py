"""Titles right below an exclusions heading that has no text of its own."""

import pytest

from claims.documents.sections import SectionKind
from tests.claims.documents.plain import structure_of, the_unit

CHAPTER = """Things we don't cover

War

Any loss caused by war.

Ride sharing

Any accident while your car carries paying passengers.

{title}

{text}
"""


def test_M83_titles_below_an_empty_exclusions_heading_stand_below_it():
    found = the_unit(
        structure_of(CHAPTER.format(title="Rust", text="Damage that builds up over time.")), "Any accident"
    )
    assert found.kind is SectionKind.EXCLUSIONS
    assert found.section.path == ("Things we don't cover", "Ride sharing")


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Emergency repairs", "Up to $500 for repairs that could not wait."),
        ("Additional coverages", "Locks and keys after a theft."),
        ("Our repair guarantee", "We guarantee the work of our repairers."),
        ("Locksmith", "The cost of a locksmith after a theft."),
    ],
)
def test_M83_what_is_no_mere_exclusion_ends_the_chapter(title, text):
    found = the_unit(structure_of(CHAPTER.format(title=title, text=text)), text)
    assert found.kind is not SectionKind.EXCLUSIONS
    assert found.section.path == (title,)


def test_M85_exclusions_right_above_additional_coverages_give_them_nothing():
    text = "EXCLUSIONS\n\nADDITIONAL COVERAGES\n\nBurst pipe: USD 25,000.\n\nLOCKS\n\nKeys that were lost.\n"
    assert the_unit(structure_of(text), "Burst pipe").kind is SectionKind.UNCLASSIFIED
    assert the_unit(structure_of(text), "Keys that").kind is SectionKind.UNCLASSIFIED


def test_S35_the_heads_of_two_columns_are_no_chapter():
    text = "What is covered\nWhat is not covered\nStorm\nDamage by storm.\nEscape of water\nWater leaking from pipes.\n"
    assert the_unit(structure_of(text), "Water leaking").kind is SectionKind.UNCLASSIFIED
