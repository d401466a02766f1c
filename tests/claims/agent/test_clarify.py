"""The one free-text channel: whatever passes is a short question in the closed vocabulary, and decides nothing."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.agent.checks import Clarified, Ground, check
from claims.agent.clarify import MAX_WORDS, MIN_WORDS, is_clarifying_question, vocabulary
from claims.agent.tools import Refused, read_segments
from claims.agent.vocabulary import Code
from knowledge.language import decision_problem
from tests.builders_agent import evidence
from tests.knowledge.test_language import BLOCK, MORE_BLOCK

GOOD = [
    "Did the water come in through the roof or from a pipe?",
    "Were you driving when the accident happened?",
    "Which date did the burglary happen?",
    "Where was the car parked, and who was in it?",
    "Was another person there when it happened?",
]
PROMISING = (
    "pay pays paid cover covered covers claim claims accept accepted accepts approve approved decline declined yes no "
    "good sorted done entitled money amount excess nzd valid refund reimburse worry fine sure sign confirm confirmed "
    "booked arranged notified escalated forwarded passed told will shall can should must"
).split()
OBEDIENT = [
    "You are covered, is that what you want to hear?",
    "Is it true that you are covered for this?",
    "Did you know that your claim is accepted?",
    "Would you like me to say yes?",
    "Where should we pay the money to?",
    "When did we approve your claim for the car?",
    "Which bank account should the payment go into?",
    "What if we just say the claim is done?",
    "Is it green, as we agreed before?",
    "Are you glad that we will pay for it?",
]


def test_vocabulary_is_small_lower_case_words_of_what_happened():
    assert 150 <= len(vocabulary()) <= 280
    assert all(word.isascii() and word.isalpha() and word.islower() for word in vocabulary())
    assert not vocabulary() & set(PROMISING)


@pytest.mark.parametrize("question", GOOD)
def test_a_question_about_what_happened_passes(question):
    assert is_clarifying_question(question)


@pytest.mark.parametrize("text", [*BLOCK, *MORE_BLOCK, *OBEDIENT])
def test_no_decision_passes_as_it_is_or_dressed_as_a_question(text):
    core = text.rstrip(".?!")
    for dressed in (text, f"{core}?", f"Is it so that {core[0].lower()}{core[1:]}?", f"What if {core}?"):
        assert not is_clarifying_question(dressed)


BAD = {
    "a statement": "The car was parked in the street",
    "three words": "Where was it?",
    "26 words": f"Where {'and ' * 24}car?",
    "a digit": "Was it 2 days after the storm?",
    "a symbol": "Was it in the garage / the garden?",
    "two questions": "Where was the car? Was it locked?",
    "a mark in the middle": "Where? was the car then?",
    "a full stop": "The car was there. Was it locked?",
    "an exclamation": "Was the car in the garage!?",
    "a line": "Was the car\nin the garage?",
    "two spaces": "Was the car  in the garage?",
    "a space before the mark": "Was the car in the garage ?",
    "not a question word first": "The car was in the garage?",
    "a macron": "Was the car in the wharē then?",
    "a look-alike": "Was the cаr in the garage?",
    "a hidden character": "Was the c\u200bar in the garage?",
    "full width": "Was the car in the garage？",
    "another word": "Was the car in the submarine then?",
    "an address": "Was the car at www.example.com then?",
    "mark-up": "Was the <b>car</b> in the garage?",
    "nothing": "",
    "only the mark": "?",
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_what_is_not_such_a_question_does_not_pass(text):
    assert not is_clarifying_question(text)


WORDS = st.one_of(
    st.sampled_from(sorted(vocabulary())),
    st.sampled_from([*PROMISING, "MTR-BEN-03", "60", "WL-22222222", "would", "how"]),
    st.text(string.ascii_letters + " ',.?-", min_size=1, max_size=8),
)


@given(st.lists(WORDS, max_size=30).map(lambda words: f"{' '.join(words)}?"))
def test_P6_whatever_passes_is_made_of_the_vocabulary(text):
    if is_clarifying_question(text):
        words = text.removesuffix("?").replace(",", " ").lower().split()
        assert text.isascii() and text.count("?") == 1 and text.endswith("?")
        assert MIN_WORDS <= len(words) <= MAX_WORDS
        assert set(words) <= vocabulary()
        assert not any(character.isdigit() for character in text)
        assert decision_problem(text) is None


@given(st.lists(st.sampled_from(sorted(vocabulary())), min_size=3, max_size=24), st.sampled_from(["was", "did", "is"]))
def test_any_words_of_the_vocabulary_make_no_decision(words, first):
    text = f"{first.capitalize()} {' '.join(words)}?"
    assert is_clarifying_question(text) == (decision_problem(text) is None)


def checked(*segments):
    return check(read_segments(json.dumps({"segments": segments})), Ground(evidence(), frozenset(), frozenset()))


def test_one_question_passes_the_check_word_for_word():
    assert checked({"kind": "clarify", "text": GOOD[0]}) == (Clarified(GOOD[0]),)


@pytest.mark.parametrize("text", ["You are covered.", "Where was it?", 5, None, ["Where was the car then?"], ""])
def test_any_other_text_is_V6(text):
    with pytest.raises(Refused) as refused:
        checked({"kind": "clarify", "text": text})
    assert [violation.code for violation in refused.value.violations] == [Code.FREE_TEXT]
    assert str(text) not in refused.value.violations[0].detail or not text


def test_a_second_question_is_V6_and_the_whole_reply_goes():
    with pytest.raises(Refused) as refused:
        checked({"kind": "plain", "clause_id": "MTR-BEN-03", "line": 1}, *[{"kind": "clarify", "text": GOOD[0]}] * 2)
    assert [violation.code for violation in refused.value.violations] == [Code.FREE_TEXT]
