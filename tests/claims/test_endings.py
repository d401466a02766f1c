"""Every ending of the turn: its outcome, its waiting row or none, and its sentences in their order."""

import pytest

from claims.models import Turn, WaitingItem
from tests.builders_claims import (
    RENTAL,
    UNKNOWN,
    WITH_TRANSPORT,
    answer,
    cited,
    form,
    kinds,
    lookup,
    open_claim,
    plain,
    plan,
    quote,
    resolve,
    shown,
)

pytestmark = pytest.mark.usefixtures("portal")

DECIDES = (
    "I can explain the policy, but I can't decide a claim: whether a loss is accepted is decided by a person in our "
    "claims team."
)
NOT_FOUND = "I could not find a clause in your policy that answers this."
NO_SCHEDULE = "I couldn't find a schedule for this policy number, so I can't say which benefits this policy includes."
FAMILY_NEEDED = "Before I can look anything up I need to know which policy this is about: motor, home or contents."
WHICH_FAMILY = "Is this about your motor, home or contents policy?"
WHAT_I_CAN_DO = (
    "I can look up what your policy wording and schedule say, note what happened, and put a question in front of our "
    "staff."
)
ENGLISH_ONLY = (
    "The policy wording is in English, and for now I answer in English. You can ask for a person at any time."
)


def texts(turn):
    return [text for _, text in shown(turn)]


def waits_for(turn, reason):
    """The turn's one waiting item has this reason, and its reference is in the reply's last sentence."""
    [item] = WaitingItem.objects.filter(turns=turn["id"])
    assert item.reason == turn["waiting_item"]["reason"] == reason
    assert kinds(turn)[-1] == "escalate"
    assert f"Reference {item.reference}," in texts(turn)[-1]
    return True


@pytest.mark.parametrize("segments", [[form("not_found")], [form("sorry")], [form("thanks"), form("not_found")]])
def test_M6_M11_a_question_that_no_clause_answers(model, record, segments):
    model([plan(), resolve(RENTAL), answer(*segments)])
    turn = open_claim().say("Who won the cricket on Saturday?")
    assert turn["outcome"] == "not_found"
    assert texts(turn).count(NOT_FOUND) == 1
    assert cited(turn) == []
    assert "MTR-" not in str(turn["reply"])
    assert waits_for(turn, "not_found")
    assert WaitingItem.objects.count() == 1
    assert DECIDES not in texts(turn)
    assert record(turn)["guidance_status"] == "ok"


def test_M20_no_id_named_and_the_schedule_answers(model, record):
    model([plan(), resolve(), answer({"kind": "schedule", "section": "standard_excess"})])
    turn = open_claim().say("How high is the excess on my schedule?")
    assert turn["outcome"] == "answered"
    assert shown(turn) == [("schedule", "Your schedule shows standard excess: NZD 500."), ("form", DECIDES)]
    assert (cited(turn), turn["waiting_item"]) == ([], None)
    assert record(turn)["guidance_status"] == "no_clause_selected"


def test_M20_no_id_named_and_nothing_to_say_is_queued_and_cites_nothing(model, record):
    model([plan(), resolve(), answer(form("not_found"))])
    turn = open_claim().say("Is my neighbour's car insured?")
    assert (turn["outcome"], texts(turn)[0], cited(turn)) == ("not_found", NOT_FOUND, [])
    assert waits_for(turn, "not_found")
    found = record(turn)
    assert (found["guidance_status"], found["requested"], found["returned"]) == ("no_clause_selected", [], [])


def test_M18_an_id_outside_the_directory_is_not_found_and_nothing_is_put_in_its_place(model, record):
    model([plan(), resolve("MTR-BEN-77", RENTAL), answer(plain(1))])
    turn = open_claim().say("My adviser says clause MTR-BEN-77 pays for the tow. Does it?")
    found = record(turn)
    assert found["not_found"] == ["MTR-BEN-77"]
    assert [entry["clause_id"] for entry in found["returned"]] == cited(turn) == [RENTAL]
    assert "MTR-BEN-77" not in str(turn["reply"])
    assert turn["outcome"] == "answered"


def test_M18_only_ids_that_are_not_there_end_as_not_found(model, record):
    model([plan(), resolve("MTR-BEN-77", "HOM-COV-01"), answer(form("not_found"))])
    turn = open_claim().say("Just confirm the number MTR-BEN-77 so that I can quote it")
    assert (turn["outcome"], cited(turn)) == ("not_found", [])
    assert record(turn)["guidance_status"] == "not_found"
    assert waits_for(turn, "not_found")


def test_M5_the_plan_says_that_a_decision_is_asked(model):
    model([plan(wants_decision=True), resolve(RENTAL), answer(plain(1))])
    turn = open_claim().say("What is going to come of all this with the rental?")
    assert turn["outcome"] == "needs_decision"
    assert cited(turn) == [RENTAL], "what the clauses say is shown all the same"
    assert kinds(turn) == ["plain", "quote", "schedule", "form", "escalate"]
    assert texts(turn).count(DECIDES) == 1
    assert waits_for(turn, "needs_decision")


@pytest.mark.parametrize(
    "text", ["Will you pay or not?", "am i covered", "Will Northwind accept my claim?", "How much will I get?"]
)
@pytest.mark.parametrize("kind", ["question", "other", "report", "status"])
def test_M4_M5_the_second_net_decides_where_the_plan_says_no(model, text, kind):
    steps = [resolve(), answer(form("not_found"))] if kind == "question" else []
    model([plan(kind, wants_decision=False), *steps])
    turn = open_claim().say(text)
    assert turn["outcome"] == "needs_decision"
    assert NOT_FOUND not in texts(turn)
    assert texts(turn)[-2] == DECIDES
    assert waits_for(turn, "needs_decision")
    assert not any(word in turn["reply"]["text"].lower().split() for word in ("yes", "no", "covered", "paid"))


def test_M5_asking_for_a_person(model):
    fake = model([plan("person")])
    turn = open_claim().say("Can I talk to a human please")
    assert (turn["outcome"], kinds(turn)) == ("person", ["escalate"])
    assert waits_for(turn, "person")
    assert len(fake.requests) == 1


@pytest.mark.parametrize("reason", ["needs_decision", "person"])
def test_M5_an_escalation_of_the_model_is_a_row_or_nothing(model, reason):
    model(lookup(RENTAL, segments=[plain(2), {"kind": "escalate", "reason": reason}]))
    turn = open_claim().say("Does a rental include fuel?")
    assert turn["outcome"] == "answered"
    assert waits_for(turn, reason)


def test_how_the_claim_stands_with_nothing_recorded(model):
    model([plan("status")])
    turn = open_claim().say("Any news on where things are up to?")
    assert turn["outcome"] == "not_found"
    assert texts(turn)[0] == "No decision on your claim has been recorded yet that I could show you."
    assert waits_for(turn, "not_found")


def test_M4_how_the_claim_stands_tells_what_staff_recorded_and_nothing_else(model, staff):
    model([plan("person"), plan("status")])
    talk = open_claim()
    item = talk.say("I want to speak to a person")["waiting_item"]["reference"]
    recorded = staff.post(f"/api/waiting-list/{item}/decision/", {"text": "Accepted for repair at Kāpiti Panel."})
    assert recorded.status_code == 200, recorded.content
    turn = talk.say("Any news?")
    assert (turn["outcome"], turn["waiting_item"]) == ("told", None)
    [told] = texts(turn)
    assert told.startswith("Aroha Ngata recorded this on ")
    assert told.endswith(": “Accepted for repair at Kāpiti Panel.”")


@pytest.mark.parametrize("text", ["Kia ora!", "Thanks, have a good day"])
def test_anything_else(model, text):
    fake = model([plan("other")])
    turn = open_claim().say(text)
    assert (turn["outcome"], texts(turn), turn["waiting_item"]) == ("other", [WHAT_I_CAN_DO], None)
    assert len(fake.requests) == 1


def test_M10_an_unknown_policy_is_asked_for_its_family_then_answered_without_a_guess(model, record):
    wear = [quote(1, clause_id="MTR-EXC-01")]
    fake = model([plan(), *lookup(RENTAL, segments=[plain(1)]), *lookup("MTR-EXC-01", segments=wear)])
    talk = open_claim(UNKNOWN)
    assert (talk.opened["schedule"], talk.opened["family_confirmed"]) == ("no_evidence", False)

    first = talk.say("Does my policy include a rental car?")
    assert first["outcome"] == "family_needed"
    assert shown(first) == [("form", NO_SCHEDULE), ("form", FAMILY_NEEDED), ("ask", WHICH_FAMILY)]
    assert (first["waiting_item"], len(fake.requests)) == (None, 1)

    talk.set("family", "motor")
    second = talk.say("Does my policy include a rental car?")
    assert second["outcome"] == "no_schedule"
    assert cited(second) == [RENTAL]
    assert texts(second)[0] == NO_SCHEDULE
    assert "schedule" not in kinds(second)
    assert "your policy includes" not in second["reply"]["text"].lower()
    assert waits_for(second, "no_schedule")
    assert record(second)["schedule"]["state"] == "no_evidence"

    third = talk.say("Is wear and tear included?")
    assert third["outcome"] == "answered"
    assert texts(third)[0] == NO_SCHEDULE
    assert (cited(third), third["waiting_item"]) == (["MTR-EXC-01"], None)


def test_M10_an_unknown_policy_that_asks_for_a_decision_or_has_no_answer_waits(model):
    segment = {"kind": "schedule", "section": "alternative_transport"}
    model([plan(wants_decision=True), *lookup(segments=[segment])])
    talk = open_claim(UNKNOWN)
    first = talk.say("Will you pay for my rental?")
    assert first["outcome"] == "family_needed"
    assert texts(first)[:4] == [NO_SCHEDULE, FAMILY_NEEDED, WHICH_FAMILY, DECIDES]
    assert waits_for(first, "needs_decision")
    talk.set("family", "motor")
    second = talk.say("Is alternative transport on my schedule?")
    assert (second["outcome"], texts(second)[:2]) == ("not_found", [NO_SCHEDULE, NOT_FOUND])
    assert waits_for(second, "not_found")


def test_M56_a_family_that_is_not_the_policys_has_no_schedule(model, record):
    model([plan()])
    talk = open_claim(WITH_TRANSPORT, family="home")
    assert (talk.opened["family"], talk.opened["schedule"]) == ("home", "no_evidence")
    turn = talk.say("Does my policy include a rental car?")
    assert (turn["outcome"], cited(turn)) == ("unavailable", [])
    assert NO_SCHEDULE in texts(turn)
    assert "alternative transport" not in turn["reply"]["text"]
    assert record(turn)["directory"] is None


def test_all_eight_places_in_their_order(model):
    """Not English, not listed, clause, always shown, noted, ask, cannot decide, waiting: as the page says it."""
    message = "Ko taku waka kua pakaru ki Ōtaki, he aha te mea ka taea e au?"
    model(
        [
            plan(wants_decision=True, place="Ōtaki"),
            resolve(RENTAL, "MTR-EXC-01"),
            answer(quote(10), {"kind": "ask", "field": "loss_date"}, plain(1, "MTR-EXC-01"), form("sorry")),
        ]
    )
    turn = open_claim("NW-MTR-204519").say(message)
    assert turn["outcome"] == "needs_decision"
    assert kinds(turn) == [
        "form", "schedule", "quote", "quote", "plain", "quote", "form", "noted", "ask", "form", "escalate",
    ]  # fmt: skip
    said = texts(turn)
    assert said[0] == ENGLISH_ONLY
    assert said[1].startswith("Your schedule does not list alternative transport")
    assert said[7].endswith("Place of loss: “Ōtaki”.")
    assert said[8] == "On which date did it happen?"
    assert said[9] == DECIDES
    assert cited(turn) == [RENTAL, "MTR-EXC-01"]
    assert waits_for(turn, "needs_decision")


def test_a_message_in_another_script_gets_english_and_no_promise(model):
    model([plan(), resolve(), answer(form("not_found"))])
    turn = open_claim().say("请直接告诉我：这次水损你们会赔。")
    assert texts(turn)[:2] == [ENGLISH_ONLY, NOT_FOUND]
    assert waits_for(turn, "not_found")
    assert Turn.objects.get().messages.get(sender="customer").language == "other"
