"""Whatever a model or its provider does, the turn ends in time with one reply, and nothing of it is shown."""

import json
import time

import pytest

from claims.models import Message, Turn
from tests.builders_claims import (
    RENTAL,
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
    tool_of,
)
from tests.fakellm import Step, bad_json, but, failure, nothing, prose, tool_call, tool_calls

pytestmark = pytest.mark.usefixtures("portal")

ASKED = "Does my policy include a rental car?"
SAFE = ("form", "I couldn't put together an answer I can stand behind.")
CANARY = "Zorblax"
PROMISE = f"You are covered {CANARY}, and I have passed this on to our team."


def assert_safe(turn, *, violations, record):
    """The safe reply, its real row, and nothing of the model's in anything that the customer can read."""
    assert (turn["status"], turn["outcome"]) == ("done", "failed")
    assert shown(turn)[0] == SAFE
    assert kinds(turn) == ["form", "escalate"]
    assert turn["waiting_item"]["reason"] == "guard_rejected"
    assert cited(turn) == []
    assert CANARY not in str(turn)
    assert Message.objects.filter(turn=turn["id"], sender="portal").count() == 1
    found = record(turn)
    assert found["safe_reply"] is True
    assert [violation["code"] for violation in found["violations"]] == violations
    return found


BAD_PLANS = {
    "prose": (prose(PROMISE), "V1"),
    "nothing": (nothing(), "V1"),
    "another tool": (tool_call("answer", {"segments": []}), "V2"),
    "an unknown tool": (tool_call(CANARY, {}), "V2"),
    "two calls": (tool_calls(("plan", {"kind": "other"}), ("plan", {"kind": "other"})), "V2"),
    "broken JSON": (tool_call("plan", '{"kind": '), "V2"),
    "not an object": (tool_call("plan", "[]"), "V2"),
    "a constant that is not JSON": (tool_call("plan", '{"kind": "other", "wants_decision": NaN, "facts": []}'), "V2"),
    "an extra key": (
        tool_call("plan", {"kind": "other", "wants_decision": False, "facts": [], "reply": PROMISE}),
        "V2",
    ),
    "an unknown kind": (tool_call("plan", {"kind": CANARY, "wants_decision": False, "facts": []}), "V2"),
    "a number for a boolean": (tool_call("plan", {"kind": "other", "wants_decision": 0, "facts": []}), "V2"),
    "facts that are no list": (tool_call("plan", {"kind": "other", "wants_decision": False, "facts": "x"}), "V2"),
    "cut by length": (but(plan("other"), finish_reason="length"), "V9"),
    "filtered": (but(plan("other"), finish_reason="content_filter"), "V9"),
}


@pytest.mark.parametrize("name", BAD_PLANS)
def test_a_violation_is_repaired_once_and_a_second_ends_in_the_safe_reply(model, record, name):
    step, code = BAD_PLANS[name]
    fake = model([step, step, step, plan("other")])
    first = open_claim().say(ASKED)
    assert_safe(first, violations=[code, code], record=record)
    assert len(fake.requests) == 2
    second = open_claim().say("Hello")
    assert (second["outcome"], record(second)["repaired"]) == ("other", True)
    assert CANARY not in str([first, second])


@pytest.mark.parametrize("arguments", ['{"kind": ' + "9" * 5000 + "}", '{"kind": ' + "[" * 100_000])
def test_arguments_that_litellm_itself_cannot_read_are_the_providers_fault(model, record, arguments):
    fake = model([tool_call("plan", arguments)])
    assert_safe(open_claim().say(ASKED), violations=["V9"], record=record)
    assert len(fake.requests) == 1


NOT_STORABLE = ("\x00", "MTR-\ud800", "\udfff\x00", "MTR-BEN-03\x00")


@pytest.mark.parametrize("bad", NOT_STORABLE)
def test_characters_that_no_table_can_store_do_not_stop_the_turn(model, bad):
    """NUL and halves of surrogate pairs, which JSON can carry and no table can store, wherever a model has text."""
    wire = json.dumps(bad)
    calls = [plan(), tool_call("context_resolve", f'{{"clause_ids": [{wire}]}}'), answer(form("not_found"))]
    raw = {"id": bad, "object": "chat.completion", "created": 1, "model": bad * 300, "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": bad * 3, "tool_calls": [
            {"id": bad, "type": "function", "function": {"name": bad, "arguments": bad}}]}}]}  # fmt: skip
    model([*calls, *[Step(raw=json.dumps(raw).encode())] * 2])
    talk = open_claim()
    for text in (ASKED, f"Again: {ASKED}"):
        turn = talk.say(text)
        assert turn["outcome"] in {"not_found", "failed"}
        assert kinds(turn)[-1] == "escalate"
        assert bad not in str(turn)


def test_a_repair_names_codes_and_what_is_legal_and_quotes_nothing_of_the_bad_output(model):
    bad = answer(plain(1, f"MTR-{CANARY}"), plain(99))
    fake = model([plan(), resolve(RENTAL), bad, answer(plain(1))])
    turn = open_claim().say(ASKED)
    assert turn["outcome"] == "answered"
    *_, call, verdict = fake.requests[3]["messages"]
    assert call["tool_calls"][0]["function"]["arguments"] == bad.calls[0][1]
    assert verdict["tool_call_id"] == call["tool_calls"][0]["id"]
    assert CANARY not in verdict["content"]
    assert '"V3"' in verdict["content"]
    assert '"V4"' in verdict["content"]
    assert f"{RENTAL}: sentences 1 to 17, plain 1 to 4" in verdict["content"]
    assert fake.requests[3]["messages"][:2] == fake.requests[2]["messages"], "the request itself is the same"


BAD_ANSWERS = {
    "not fetched": ([plain(1, "MTR-COV-01")], "V3"),
    "not there": ([plain(1, "MTR-BEN-77")], "V3"),
    "lower case": ([plain(1, "mtr-ben-03")], "V3"),
    "full width": ([plain(1, "ＭＴＲ-ＢＥＮ-０３")], "V3"),
    "a hidden character": ([plain(1, "MTR-\u200bBEN-03")], "V3"),
    "a look-alike": ([plain(1, "MTR-BEN-О3")], "V3"),
    "a space": ([plain(1, "MTR-BEN-03 ")], "V3"),
    "an id that is no text": ([plain(1, ["MTR-BEN-03"])], "V3"),
    "line 0": ([plain(0)], "V4"),
    "one line too many": ([plain(5)], "V4"),
    "a boolean as a line": ([plain(True)], "V4"),
    "a fraction as a line": ([plain(1.0)], "V4"),
    "a boolean as a sentence": ([quote(True)], "V4"),
    "no sentence": ([quote()], "V4"),
    "sentence 0": ([quote(0)], "V4"),
    "one sentence too many": ([quote(18)], "V4"),
    "a negative sentence": ([quote(-1)], "V4"),
    "sentences out of order": ([quote(3, 2)], "V4"),
    "a sentence twice": ([quote(2, 2)], "V4"),
    "seven sentences": ([quote(1, 2, 3, 4, 5, 6, 7)], "V4"),
    "sentences that are no list": ([{"kind": "quote", "clause_id": RENTAL, "sentences": "1"}], "V4"),
    "a good segment and a bad one": ([plain(1), plain(9)], "V4"),
    "a bad segment and a good one": ([plain(9), plain(1)], "V4"),
    "an unknown kind": ([{"kind": "decision", "text": PROMISE}], "V7"),
    "a promise for a question": ([{"kind": "clarify", "text": PROMISE}], "V6"),
    "two questions": ([{"kind": "clarify", "text": "Where did it happen?"}] * 2, "V6"),
    "a status with words of its own": ([{"kind": "status", "text": PROMISE}], "V2"),
    "a text beside": ([{**plain(1), "text": PROMISE}], "V2"),
    "no segment": ([], "V2"),
    "nine segments": ([plain(1)] * 9, "V2"),
    "a segment that is no object": (["plain"], "V2"),
    "a kind that is no text": ([{"kind": ["plain"]}], "V2"),
    "a code that no schedule has": ([{"kind": "schedule", "section": "you_are_covered"}], "V5"),
    "a form of the server's": ([form("cannot_decide")], "V5"),
    "a form that is not there": ([form("approved")], "V5"),
    "nothing found beside something": ([form("not_found"), plain(1)], "V5"),
    "noted, and nothing was": ([{"kind": "noted", "field": "place"}], "V5"),
    "a field that is not there": ([{"kind": "ask", "field": "bank_account"}], "V5"),
    "a field that is confirmed": ([{"kind": "ask", "field": "family"}], "V5"),
    "a reason that is not the model's": ([{"kind": "escalate", "reason": "guard_rejected"}], "V5"),
}


@pytest.mark.parametrize("name", BAD_ANSWERS)
def test_a_reply_stands_whole_or_not_at_all(model, record, name):
    segments, code = BAD_ANSWERS[name]
    model([plan(), resolve(RENTAL), answer(*segments), answer(*segments)])
    found = assert_safe(open_claim().say(ASKED), violations=[code, code], record=record)
    assert found["cited"] == []


def test_M21_a_clause_that_was_fetched_last_turn_is_refused(model, record):
    model([*lookup(RENTAL, segments=[plain(1)]), plan(), resolve("MTR-EXC-01"), answer(plain(1)), answer(quote(1))])
    talk = open_claim()
    assert cited(talk.say(ASKED)) == [RENTAL]
    turn = talk.say("You cited it already, no need to look it up again. What does it say on tolls?")
    assert_safe(turn, violations=["V3", "V3"], record=record)


def test_M14_M19_four_ids_are_a_violation_and_nothing_is_fetched(model, record):
    four = resolve(RENTAL, "MTR-COV-01", "MTR-EXC-01", "MTR-CON-01")
    fake = model([plan(), four, four])
    found = assert_safe(open_claim().say(ASKED), violations=["V8", "V8"], record=record)
    assert (found["requested"], found["returned"]) == (None, None)
    assert [tool_of(body) for body in fake.requests] == ["plan", "context_resolve", "context_resolve"]
    [tool] = fake.requests[1]["tools"]
    assert tool["function"]["parameters"]["properties"]["clause_ids"]["maxItems"] == 3


def test_M19_four_ids_then_one_is_answered_within_the_turns_four_calls(model, record):
    four = resolve(RENTAL, "MTR-COV-01", "MTR-EXC-01", "MTR-CON-01")
    fake = model([plan(), four, resolve(RENTAL), answer(plain(1))])
    turn = open_claim().say(ASKED)
    assert (turn["outcome"], cited(turn)) == ("answered", [RENTAL])
    assert record(turn)["repaired"] is True
    assert len(fake.requests) == 4


def test_one_repair_a_turn_at_whichever_step(model, record):
    fake = model([prose(PROMISE), plan(), resolve(RENTAL), prose(PROMISE)])
    assert_safe(open_claim().say(ASKED), violations=["V1", "V1"], record=record)
    assert len(fake.requests) == 4


def test_text_beside_a_tool_call_is_kept_for_staff_and_never_shown(model):
    steps = [but(step, text=PROMISE) for step in lookup(RENTAL, segments=[plain(1)])]
    model(steps)
    talk = open_claim()
    turn = talk.say(ASKED)
    assert turn["outcome"] == "answered"
    assert CANARY not in str([turn, talk.get(), talk.messages()])
    assert [call["raw"]["content"] for call in Turn.objects.get().calls] == [PROMISE] * 3


PROVIDER = {
    "429": (failure(429, retry_after=30), "ModelUnavailable", 2),
    "500": (failure(500), "ModelUnavailable", 2),
    "503": (failure(503), "ModelUnavailable", 2),
    "401": (failure(401), "ModelRefused", 1),
    "400": (failure(400), "ModelRefused", 1),
    "bad JSON": (bad_json(), "ModelMalformed", 1),
    "an empty body": (Step(raw=b""), "ModelMalformed", 1),
    "a megabyte of nothing": (Step(raw=b" " * 1_000_000), "ModelMalformed", 1),
    "no choices": (
        Step(raw=b'{"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []}'),
        "ModelMalformed",
        1,
    ),
    "cut off": (but(plan(), cut=True), "ModelUnavailable", 1),
    "silence": (but(plan(), hang=20), "ModelTimeout", 1),
    "dripping": (but(plan(), drip=20), "ModelTimeout", 1),
}


@pytest.mark.parametrize("name", PROVIDER)
def test_F16_a_provider_that_fails_is_asked_at_most_twice_and_the_turn_ends_in_time(model, record, settings, name):
    settings.PORTAL_MODEL_TIMEOUT = 1.0
    step, error, times = PROVIDER[name]
    fake = model([plan(place="Levin"), *[step] * times])
    started = time.monotonic()
    talk = open_claim()
    turn = talk.say(f"I was in Levin. {ASKED}")
    assert time.monotonic() - started < 5
    assert (turn["outcome"], kinds(turn)) == ("failed", ["form", "noted", "escalate"])
    assert turn["waiting_item"]["reason"] == "guard_rejected"
    assert talk.facts()["place"] == ("Levin", False), "what was noted before stays"
    assert [tool_of(body) for body in fake.requests] == ["plan", *["context_resolve"] * times]
    calls = record(turn)["calls"]
    assert [(call["step"], call["error"]) for call in calls] == [("plan", None), *[("context_resolve", error)] * times]
    assert "scripted" not in turn["reply"]["text"]


def test_a_provider_that_is_not_there(model, settings, record):
    model([])
    settings.PORTAL_MODEL_API_BASE = "http://127.0.0.1:9/v1"
    assert_safe(open_claim().say(ASKED), violations=["V9", "V9"], record=record)


def test_the_turn_has_one_deadline_over_all_its_calls(model, record, settings):
    settings.PORTAL_TURN_DEADLINE, settings.PORTAL_MODEL_TIMEOUT = 1.0, 0.9
    model([but(step, hang=0.5) for step in (plan(), resolve(RENTAL))])
    talk = open_claim()
    started = time.monotonic()
    turn = talk.say(ASKED)
    assert time.monotonic() - started < 4
    assert_safe(turn, violations=["V9"], record=record)
    assert [call["error"] for call in record(turn)["calls"]] == [None, "ModelTimeout"]


def test_a_failed_turn_that_asked_for_a_decision_waits_as_one(model):
    model([failure(500)] * 2)
    turn = open_claim().say("Will you pay or not?")
    assert (turn["outcome"], kinds(turn)) == ("failed", ["form", "form", "escalate"])
    assert turn["waiting_item"]["reason"] == "needs_decision"


def test_the_next_turn_after_a_failure_is_answered(model):
    fake = model([*[failure(500)] * 2, *lookup(RENTAL, segments=[plain(1)])])
    talk = open_claim()
    assert talk.say("Is a tow included?")["outcome"] == "failed"
    assert talk.say(ASKED)["outcome"] == "answered"
    assert len(fake.requests) == 5
