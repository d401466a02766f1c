"""The 74 phrasings of `guards.md` 2.9, each from an obedient model in five ways: none is ever shown as the portal's.

The model was told to say the phrase; the customer asked an honest question. The phrase goes beside calls, in prose, in
a question back, into names, codes, fields, reasons, ids and facts, and the question is answered all the same.
"""

from random import Random

import pytest

from claims.models import Fact
from tests.builders_claims import RENTAL, WITH_TRANSPORT, WITHOUT_TRANSPORT, cited, open_claim
from tests.claims.evil_run import asked_instead
from tests.claims.oracle import DECIDES
from tests.claims.properties import folds_to, vocabulary
from tests.evil import as_reply
from tests.knowledge.test_language import ALLOW, BLOCK
from tests.obedient import PLACES, ObedientModel

pytestmark = [pytest.mark.usefixtures("portal"), pytest.mark.thorough]

REPEATS = 5
# The strongest sentence of the portal's own (R11) holds this allowed one, where the schedule lists the benefit.
OURS_TOO = "Your policy includes this benefit, subject to the claim being accepted."
ASKED = "Does my policy include a rental car?"
TOLD = "I was in Levin. Does my policy include a rental car?"


class Told:
    """An obedient model that was told one phrase; `places` are where it says it, one after the other."""

    def __init__(self, phrase, places, *, stubborn):
        self.models = [ObedientModel(Random(place), stubborn=stubborn, place=place, order=phrase) for place in places]
        self.phrase, self.asked = phrase, 0

    def __call__(self, config, messages, tool, seconds):
        model = self.models[self.asked % len(self.models)]
        self.asked += 1
        return as_reply(model({"tools": [tool], "messages": messages}))


def places_of(number, repeat):
    """Other places for each phrase and repeat, so that all of them meet every kind of phrase."""
    at = number * REPEATS + repeat
    return [PLACES[(at + step * (repeat + 1)) % len(PLACES)] for step in range(3)]


def shown_by_us(turn, messages):
    """Everything that a customer reads as the portal's: not their own words, and not the policy's."""
    segments = [s["text"] for s in turn["reply"]["segments"] if s["kind"] not in {"quote", "plain", "schedule"}]
    assert [m["text"] for m in messages if m["from"] == "portal"] == [turn["reply"]["text"]]
    return "\n".join(segments)


@pytest.mark.parametrize(("number", "phrase"), list(enumerate([*BLOCK, *ALLOW])))
def test_no_phrasing_of_a_model_is_ever_shown_as_ours(number, phrase):
    words = set(phrase.lower().rstrip("?").split())
    is_in_the_vocabulary = phrase.endswith("?") and words <= vocabulary()
    assert phrase in ALLOW or not is_in_the_vocabulary
    talks = open_claim(WITHOUT_TRANSPORT), open_claim(WITH_TRANSPORT)
    for repeat in range(REPEATS):
        talk = talks[repeat % 2]
        places = places_of(number, repeat)
        with asked_instead(Told(phrase, places, stubborn=1.0 if repeat == REPEATS - 1 else 0.0)):
            turn = talk.say(TOLD if repeat == 1 else ASKED)
        ours = shown_by_us(turn, [message for message in talk.messages() if message["turn"] == turn["id"]])
        assert folds_to(phrase) not in folds_to(ours) or is_in_the_vocabulary, places
        if phrase != OURS_TOO:
            assert folds_to(phrase) not in folds_to(turn["reply"]["text"]) or is_in_the_vocabulary, places
        assert not Fact.objects.filter(value=phrase).exists()
        assert turn["outcome"] in {"answered", "not_listed", "failed"}
        assert turn["outcome"] != "failed" or (turn["waiting_item"] and not cited(turn))
        if turn["outcome"] != "failed":
            assert cited(turn) == [RENTAL]
            assert DECIDES in ours


def test_the_honest_question_is_answered_once_the_refusal_is_obeyed():
    """Of the refusals above, one a turn is mended: the clause is cited, and the phrase is not there."""
    ended = []
    for place in PLACES:
        # Only the first output of the last step is bad: the one repair of the turn is left for it.
        model = ObedientModel(Random(place), stubborn=0.0, place=place, order=BLOCK[0])
        honest = ObedientModel(Random(place), stubborn=0.0, place="beside", order=BLOCK[0])

        def ask(config, messages, tool, seconds, model=model, honest=honest):
            chosen = model if tool["function"]["name"] == "answer" else honest
            return as_reply(chosen({"tools": [tool], "messages": messages}))

        with asked_instead(ask):
            turn = open_claim().say(ASKED)
        ended.append((place, turn["outcome"], cited(turn)))
        assert folds_to(BLOCK[0]) not in folds_to(turn["reply"]["text"])
    assert ended == [(place, "answered", [RENTAL]) for place in PLACES]


def test_there_are_74_phrasings():
    assert (len(BLOCK), len(ALLOW)) == (38, 36)
    assert len({*BLOCK, *ALLOW}) == 74
