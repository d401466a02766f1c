"""The three conversations of the reference, with a scripted model over real HTTP."""

import pytest

from tests.builders_claims import (
    RENTAL,
    WITH_TRANSPORT,
    WITHOUT_TRANSPORT,
    answer,
    cited,
    kinds,
    lookup,
    open_claim,
    plain,
    plan,
    quote,
    resolve,
    shown,
    user_of,
)

pytestmark = pytest.mark.usefixtures("portal")

ASKED = "Will my policy pay for a rental car while mine is being repaired?"
DECIDES = (
    "form",
    "I can explain the policy, but I can't decide a claim: whether a loss is accepted is decided by a person in our "
    "claims team.",
)
LISTED = (
    "schedule",
    "Your schedule lists alternative transport, so your policy includes this benefit, subject to the claim being "
    "accepted.",
)
NOT_LISTED = (
    "schedule",
    "Your schedule does not list alternative transport, and the clause applies only when the schedule lists it.",
)
PROMISES = ("you are covered", "will be paid", "we will pay", "claim is accepted.", "been approved", "is covered")


def test_M1_included_the_benefit_its_limits_its_condition_and_the_schedule(model, record):
    fake = model(lookup(RENTAL, segments=[plain(1)]))
    turn = open_claim(WITH_TRANSPORT).say(ASKED)

    assert turn["outcome"] == "answered"
    text = turn["reply"]["text"]
    for words in ("NZD 60 a day", "21 days", "Once a claim is accepted", "subject to the claim being accepted"):
        assert words in text
    assert cited(turn) == [RENTAL]
    assert kinds(turn) == ["plain", "quote", "schedule", "form"]
    assert shown(turn)[-2:] == [LISTED, DECIDES]
    assert (turn["waiting_item"], turn["model"]) == (None, "openai/scripted")
    assert not any(words in text.lower() for words in PROMISES)
    assert record(turn)["returned"][0]["clause_id"] == RENTAL
    assert [body["tool_choice"] for body in fake.requests] == ["required"] * 3


def test_M2_M7_fuel_is_not_included_and_the_clause_is_fetched_again_in_that_turn(model, record):
    fake = model(lookup(RENTAL, segments=[plain(1)]) + lookup(RENTAL, segments=[quote(10)]))
    talk = open_claim(WITH_TRANSPORT)
    first = talk.say(ASKED)
    second = talk.say("Does that include fuel, and the tolls and parking?")

    # A bullet never stands without the line that it hangs on.
    assert shown(second)[0] == ("quote", "This benefit does not include:\n- fuel, tolls, parking and fines")
    assert second["outcome"] == "answered"
    assert cited(second) == [RENTAL]
    assert second["waiting_item"] is None
    for turn in (first, second):
        found = record(turn)
        assert found["requested"] == [RENTAL]
        assert [entry["clause_id"] for entry in found["returned"]] == found["cited"] == [RENTAL]
        assert (found["guidance_status"], found["not_found"]) == ("ok", [])
    history = user_of(fake.requests[3])["history"]
    assert history == [{"customer": ASKED, "outcome": "answered", "clause_ids": [RENTAL], "asked": None}]
    assert "21 days" not in str(fake.requests[3]["messages"]), "no text of an earlier turn is kept for a later one"


def test_M2_the_plain_line_says_it_too(model):
    model(lookup(RENTAL, segments=[plain(2)]))
    turn = open_claim(WITH_TRANSPORT).say("Does a rental include fuel?")
    assert "does not include fuel, tolls, parking or fines" in turn["reply"]["text"]
    assert cited(turn) == [RENTAL]


def test_M3_not_listed_says_so_cites_the_clause_and_promises_nothing(model, record):
    fake = model(lookup(RENTAL, segments=[quote(17)]))
    turn = open_claim(WITHOUT_TRANSPORT).say(ASKED)

    assert turn["outcome"] == "not_listed"
    assert cited(turn) == [RENTAL]
    assert shown(turn)[0] == NOT_LISTED
    assert shown(turn)[1] == (
        "quote",
        "This benefit is part of your policy only when the policy schedule lists alternative transport.",
    )
    assert shown(turn)[-1] == DECIDES
    assert [segment["kind"] for segment in turn["reply"]["segments"]].count("schedule") == 1
    assert turn["waiting_item"] is None
    text = turn["reply"]["text"].lower()
    assert "your policy includes" not in text
    assert not any(words in text for words in PROMISES)
    assert user_of(fake.requests[2])["evidence"]["clauses"][0]["plain"] == {}, "its plain lines are not offered"
    assert record(turn)["schedule"]["state"] == "found"


def test_M3_a_plain_line_of_an_unlisted_benefit_is_refused(model, record):
    model([plan(), resolve(RENTAL), answer(plain(1)), answer(quote(17))])
    turn = open_claim(WITHOUT_TRANSPORT).say(ASKED)
    assert turn["outcome"] == "not_listed"
    assert "21 days" not in turn["reply"]["text"]
    assert [violation["code"] for violation in record(turn)["violations"]] == ["V5"]


def test_M1_M3_the_schedule_decides_whatever_the_model_says_of_it(model):
    """The model names the benefit's code: the server says what the schedule says."""
    segment = {"kind": "schedule", "section": "alternative_transport"}
    model(lookup(segments=[segment]) + lookup(segments=[segment]))
    included = open_claim(WITH_TRANSPORT).say("Is alternative transport on my schedule?")
    absent = open_claim(WITHOUT_TRANSPORT).say("Is alternative transport on my schedule?")
    assert (included["outcome"], shown(included)) == ("answered", [LISTED, DECIDES])
    assert (absent["outcome"], shown(absent)) == ("not_listed", [NOT_LISTED, DECIDES])
    assert cited(included) == cited(absent) == []
