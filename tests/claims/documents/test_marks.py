"""The words that found a place are marked in it, and nothing of the text is lost or added."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.documents.marks import marked
from claims.documents.query import read_query

WORDS = st.lists(st.sampled_from(["mold", "Mold", "self-insured", "bats", "sur-\nface", "car\ufffepet", "d\u00e9bris"]))


def in_marks(text, *forms):
    return [piece.text for piece in marked(text, forms) if piece.is_match]


@pytest.mark.parametrize(
    ("text", "forms", "expected"),
    [
        ("Loss by Mold, or by molds.", ["mold"], ["Mold"]),
        ("Loss by Mold, or by molds.", ["mold", "molds"], ["Mold", "molds"]),
        ("the roof, not the proof", ["roof"], ["roof"]),
        ("a self-insured retention", ["self-insured"], ["self-insured"]),
        ("a self\ufffeinsured retention", ["self-insured", "selfinsured"], ["self\ufffeinsured"]),
        ("below the sur- face of the ground", ["surface"], ["sur- face"]),
        ("a \ufb01re", ["fire"], ["\ufb01re"]),
        ("workers\u2019 compensation", ["workers", "compensation"], ["workers", "compensation"]),
        ("no such word", ["mold"], []),
        ("no words asked", [], []),
    ],
)
def test_A3_the_words_are_marked_as_the_text_spells_them(text, forms, expected):
    assert in_marks(text, *forms) == expected


def test_a_part_of_a_broken_word_is_marked_only_where_nothing_else_is():
    assert in_marks("a car\ufffepet and a pet", "pet") == ["pet"]
    assert in_marks("a car\ufffepet", "pet") == ["pet"]


@given(st.text(), st.lists(st.text(min_size=1)))
def test_every_character_is_kept_in_its_place(text, forms):
    pieces = marked(text, forms)
    assert "".join(piece.text for piece in pieces) == text
    assert pieces


@given(WORDS.map(" ".join), st.sampled_from(["mold", "self-insured", "bats", "surface", "carpet", "debris"]))
def test_what_a_search_finds_is_marked_and_no_more(text, word):
    forms = [str(form) for term in read_query(word, exact=True).terms for form in term.forms]
    spelt = {"surface": "sur-\nface", "carpet": "car\ufffepet", "debris": "d\u00e9bris"}.get(word, word)
    assert len(in_marks(text, *forms)) == text.casefold().count(spelt)
