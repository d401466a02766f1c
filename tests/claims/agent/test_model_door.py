"""The one door to a model: each fault of a provider has its own error, and our own deadline always holds."""

import json
import os
import socket
import subprocess
import sys
import time

import pytest

from claims.agent.model import (
    ModelConfig,
    ModelFault,
    ModelMalformed,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
    ask_model,
    load,
)
from claims.agent.prompt import first_messages
from claims.agent.tools import PLAN, read_plan
from tests.builders_agent import context
from tests.fakellm import Step, bad_json, but, failure, nothing, prose, tool_call, tool_calls

GOOD = tool_call("plan", {"kind": "other", "wants_decision": False, "facts": []})
SOON = 0.4
OFFLINE = ModelConfig("", "", 10.0)


@pytest.fixture(scope="module", autouse=True)
def loaded():
    """The import belongs to no call's time."""
    load()


@pytest.fixture
def ask(fakellm, monkeypatch):
    """Ask a model that is scripted with this one step; the model is kept as `ask.model`."""
    monkeypatch.setenv("PORTAL_MODEL_API_KEY", "x")

    def call(*steps, seconds=5.0, timeout=5.0):
        call.model = fakellm(list(steps))
        config = ModelConfig("openai/scripted", call.model.base_url, timeout)
        return ask_model(config, first_messages(PLAN, context("Kia ora")), PLAN, seconds)

    return call


def test_a_reply_is_read_with_its_call_its_model_and_its_tokens(ask):
    reply = ask(but(GOOD, text="Let me see.", usage=(120, 30)))
    [call] = reply.calls
    assert (call.name, json.loads(call.arguments)["kind"]) == ("plan", "other")
    assert (reply.content, reply.finish_reason) == ("Let me see.", "tool_calls")
    assert (reply.tokens_in, reply.tokens_out) == (120, 30)
    assert reply.model


def test_a_request_forces_the_one_tool_and_carries_the_key(ask):
    ask(GOOD)
    [request] = ask.model.requests
    assert (request["model"], request["tool_choice"], request["tools"]) == ("scripted", "required", [PLAN])
    assert [message["role"] for message in request["messages"]] == ["system", "user"]
    assert ask.model.headers[0]["authorization"] == "Bearer x"


FAULTS = {
    "400": (failure(400), ModelRefused),
    "401": (failure(401), ModelRefused),
    "403": (failure(403), ModelRefused),
    "404": (failure(404), ModelRefused),
    "422": (failure(422), ModelRefused),
    "408": (failure(408), ModelTimeout),
    "429": (failure(429, retry_after=60), ModelUnavailable),
    "500": (failure(500), ModelUnavailable),
    "502": (failure(502), ModelUnavailable),
    "503": (failure(503, retry_after=60), ModelUnavailable),
    "529": (failure(529), ModelUnavailable),
    "a cut body": (but(GOOD, cut=True), ModelUnavailable),
    "broken JSON": (bad_json(), ModelMalformed),
    "an empty body": (Step(raw=b""), ModelMalformed),
    "a page": (Step(raw=b"<html>Bad gateway</html>"), ModelMalformed),
    "an array": (Step(raw=b"[]"), ModelMalformed),
    "no choices": (Step(raw=b'{"id": "x", "object": "chat.completion", "choices": []}'), ModelMalformed),
    "arguments of 5,000 digits": (tool_call("plan", '{"kind": ' + "9" * 5000 + "}"), ModelMalformed),
    "an error in a 200": (Step(raw=b'{"error": {"message": "overloaded"}}'), ModelFault),
}


@pytest.mark.parametrize(("step", "fault"), FAULTS.values(), ids=FAULTS)
def test_each_fault_of_a_provider_is_a_typed_error_after_one_attempt(ask, step, fault):
    with pytest.raises(fault) as raised:
        ask(step)
    assert len(ask.model.requests) == 1
    assert type(raised.value) in {ModelTimeout, ModelUnavailable, ModelRefused, ModelMalformed}
    may_pass = step.status == 429 or step.status >= 500
    assert getattr(raised.value, "passing", False) is may_pass, "only an HTTP status that may pass is asked again"
    assert not {"scripted", "html", "overloaded"} & set(str(raised.value).split())


REPLIES = {
    "nothing": (nothing(), 0),
    "prose": (prose("You are covered."), 0),
    "another tool": (tool_call("pay", {"amount": 60}), 1),
    "three calls": (tool_calls(("plan", {}), ("plan", {}), ("plan", {})), 3),
    "broken arguments": (tool_call("plan", '{"kind": '), 1),
    "cut by length": (but(GOOD, finish_reason="length"), 1),
}


@pytest.mark.parametrize(("step", "calls"), REPLIES.values(), ids=REPLIES)
def test_what_a_model_says_wrongly_passes_the_door_for_the_checks_to_judge(ask, step, calls):
    assert len(ask(step).calls) == calls


@pytest.mark.parametrize("told", [-1, 10**12, True, "7"])
def test_a_number_of_tokens_that_no_call_can_have_is_not_known(ask, told):
    body = {
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "x"}}],
        "usage": {"prompt_tokens": told, "completion_tokens": told, "total_tokens": 0},
    }  # fmt: skip
    reply = ask(Step(raw=json.dumps(body).encode()))
    for count in (reply.tokens_in, reply.tokens_out, reply.cached):
        assert count is None or (type(count) is int and 0 <= count <= 10_000_000)


SLOW = {"hangs": but(GOOD, hang=30), "drips": but(GOOD, drip=30), "hangs after an error": but(failure(500), hang=30)}


@pytest.mark.parametrize("step", SLOW.values(), ids=SLOW)
@pytest.mark.parametrize("limit", ["seconds", "timeout"])
def test_our_own_deadline_ends_a_call_whatever_the_provider_does(ask, step, limit):
    started = time.monotonic()
    with pytest.raises(ModelTimeout):
        ask(step, **{limit: SOON})
    assert SOON <= time.monotonic() - started < SOON + 1.5


def test_a_provider_that_is_not_there_is_unavailable_and_says_nothing_of_its_address(monkeypatch):
    monkeypatch.setenv("PORTAL_MODEL_API_KEY", "x")
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
    config = ModelConfig("openai/scripted", f"http://127.0.0.1:{port}/v1", 5.0)
    with pytest.raises(ModelUnavailable) as raised:
        ask_model(config, first_messages(PLAN, context()), PLAN, 5.0)
    assert raised.value.passing
    assert str(port) not in str(raised.value)


def test_a_missing_key_is_a_refusal_that_names_the_variable_and_nothing_is_sent(fakellm, monkeypatch):
    for name in ("PORTAL_MODEL_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    fake = fakellm([GOOD])
    with pytest.raises(ModelRefused, match="PORTAL_MODEL_API_KEY"):
        ask_model(ModelConfig("openai/scripted", fake.base_url, 5.0), first_messages(PLAN, context()), PLAN, 5.0)
    assert fake.requests == []


def test_a_model_that_litellm_does_not_know_is_a_fault_like_another():
    with pytest.raises(ModelFault):
        ask_model(ModelConfig("no-such-provider/x", "", 5.0), first_messages(PLAN, context()), PLAN, 5.0)


def test_the_offline_chooser_answers_the_same_request_through_the_same_door():
    reply = ask_model(OFFLINE, first_messages(PLAN, context("Kia ora")), PLAN, 10.0)
    [call] = reply.calls
    assert call.name == "plan"
    plan = read_plan(call.arguments)
    assert (plan.wants_decision, plan.facts) == (False, ())


def test_the_offline_chooser_is_labelled_and_a_model_goes_by_its_name():
    assert OFFLINE.label == "offline chooser, not a language model"
    assert ModelConfig("openai/some-model", "", 5.0).label == "openai/some-model"


def test_neither_litellm_nor_the_weights_are_loaded_before_a_model_is_asked():
    code = (
        "import sys, claims.agent.model, claims.agent.runtime, claims.agent.reply; "
        "sys.exit(bool({'litellm', 'onnxruntime', 'tokenizers'} & set(sys.modules)))"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LITELLM_")}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
