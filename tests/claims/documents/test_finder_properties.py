"""What holds for any policy and any question: every word of the text finds its places, and nothing else does."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.documents.finder import find
from claims.documents.findings import Outcome
from claims.documents.query import EVERYWHERE, GRAMMAR
from claims.documents.reading import read_file
from claims.documents.structure import split
from claims.documents.words import words_of
from tests.builders_documents import homeowners, reading_of_structure, section, structure
from tests.claims.documents.mutations import mutated, sources
from tests.claims.documents.plain import reading_of
from tests.claims.documents.quotations import FORMS

TEXT = st.text(max_size=120) | st.text("ab-\ufffe\u00ad' .,\n\u0301\ufb01A", max_size=60)


@pytest.mark.parametrize("path", sorted(FORMS.glob("*.txt")), ids=lambda path: path.stem)
def test_any_word_of_a_real_form_finds_every_place_that_holds_it(path):
    reading = read_file(path.read_bytes(), path.name)
    made = split(reading)
    units = [unit for each in made.sections for unit in each.units]
    holding = {}
    for unit in units:
        for word in words_of(unit.passage.text):
            if word.first == word.last and not word.unless:
                holding.setdefault(word.text, set()).add(unit.passage)
    words = sorted(word for word in holding if word not in GRAMMAR and len(word) > 1)
    for word in random.Random(7).sample(words, 150):
        finding = find(made, reading, word, exact=True)
        assert {passage for each in finding.candidates if each.matched for passage in each.passages} >= holding[word]
        assert find(made, reading, f"the {word} of").outcome in (Outcome.BEARING, Outcome.NON_BEARING_ONLY)


@settings(max_examples=300, deadline=None)
@given(text=TEXT, query=TEXT, exact=st.booleans())
def test_no_text_and_no_question_fails(text, query, exact):
    made = structure(section(1, "exclusions", text, "A hail storm."))
    finding = find(made, reading_of_structure(made), query, exact=exact)
    assert finding.outcome in (Outcome.BEARING, Outcome.NO_MATCH, Outcome.NOT_SEARCHED)
    assert (finding.outcome is Outcome.NOT_SEARCHED) is (not finding.words.searched)
    assert (finding.outcome is Outcome.BEARING) is bool(finding.candidates)
    assert all(set(each.matched) <= tried(finding) for each in finding.candidates)


def tried(finding):
    return {form for forms in finding.words.forms.values() for form in forms}


@settings(max_examples=100, deadline=None)
@given(query=st.lists(st.sampled_from(sorted(GRAMMAR | EVERYWHERE | {"mold", "roof"})), min_size=1, max_size=6))
def test_every_word_of_a_question_is_searched_or_dropped_and_never_both(query):
    words = find(homeowners(), reading_of_structure(homeowners()), " ".join(query)).words
    assert set(words.searched) | set(words.dropped) == {word.text for each in query for word in words_of(each)}
    assert not set(words.searched) & set(words.dropped)
    assert not GRAMMAR & set(words.searched)


@pytest.mark.parametrize("seed", range(25))
def test_a_damaged_policy_can_be_searched(seed):
    reading = reading_of(mutated(seed, sources()))
    made = split(reading)
    for query in ("mold damage", "water", "a-b-c-d-e-f-g-h"):
        find(made, reading, query)


@pytest.mark.parametrize(
    "text",
    [
        "ab\ufffe" * 50_000,
        "a- " * 50_000,
        "a" + "\u0301" * 100_000,
        "the " + "Aa " * 50_000 + "endorsement",
        "1," * 50_000,
    ],
    ids=["broken hyphens", "line ends", "accents", "titles", "numbers"],
)
def test_a_text_made_to_be_slow_is_not(text):
    made = structure(section(1, "exclusions", text, "Hail."))
    started = time.process_time()
    find(made, reading_of_structure(made), f"hail {text[:500]}")
    assert time.process_time() - started < 5
