"""The scripted model, proven with LiteLLM itself: what the client sees for every kind of step."""

import json
import time
from typing import Any

import pytest

from tests.fakellm import FakeLLM, Step, bad_json, but, failure, nothing, prose, tool_call, tool_calls

PLAN = {"type": "function", "function": {"name": "plan", "parameters": {"type": "object", "properties": {}}}}


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LITELLM_OFFLINE_MODE", "true")
    monkeypatch.setenv("LITELLM_MODE", "PRODUCTION")
    import litellm

    litellm.suppress_debug_info = True

    def call(model: FakeLLM, timeout: float = 5.0) -> Any:
        return litellm.completion(
            model="openai/scripted",
            api_base=model.base_url,
            api_key="x",
            messages=[{"role": "user", "content": "Kia ora, tēnā koe"}],
            tools=[PLAN],
            tool_choice="required",
            max_retries=0,
            timeout=timeout,
        )

    return call


def test_a_tool_call_arrives_with_its_arguments_and_the_request_is_kept(ask, fakellm):
    model = fakellm([tool_call("plan", {"kind": "question", "text": "kōrero"})])
    choice = ask(model).choices[0]
    [call] = choice.message.tool_calls
    assert (call.function.name, json.loads(call.function.arguments)) == ("plan", {"kind": "question", "text": "kōrero"})
    assert choice.finish_reason == "tool_calls"
    [request] = model.requests
    assert request["messages"][0]["content"] == "Kia ora, tēnā koe"
    assert request["tool_choice"] == "required"
    assert request["tools"][0]["function"]["name"] == "plan"
    assert model.headers[0]["authorization"] == "Bearer x"


def test_raw_arguments_text_beside_a_call_and_many_calls_go_onto_the_wire_as_scripted(ask, fakellm):
    model = fakellm(
        [
            tool_call("plan", '{"kind": ', text="Let me see."),
            tool_calls(*[("plan", {"n": number}) for number in range(200)]),
            but(tool_call("plan", {}), finish_reason="length"),
        ]
    )
    first = ask(model).choices[0].message
    assert (first.content, first.tool_calls[0].function.arguments) == ("Let me see.", '{"kind": ')
    assert len(ask(model).choices[0].message.tool_calls) == 200
    assert ask(model).choices[0].finish_reason == "length"
    assert model.unused == 0


def test_prose_and_an_empty_answer_carry_no_tool_call(ask, fakellm):
    model = fakellm([prose("You are covered."), nothing()])
    first, second = ask(model).choices[0].message, ask(model).choices[0].message
    assert (first.content, first.tool_calls) == ("You are covered.", None)
    assert (second.content, second.tool_calls) == (None, None)


@pytest.mark.parametrize(
    ("step", "error"),
    [
        (failure(429, retry_after=1), "RateLimitError"),
        (failure(500), "InternalServerError"),
        (failure(503), "ServiceUnavailableError"),
        (but(prose("x" * 400), cut=True), None),
        (bad_json(), None),
        (Step(raw=b""), None),
    ],
)
def test_a_broken_provider_is_an_exception_after_one_request(ask, fakellm, step, error):
    model = fakellm([step])
    with pytest.raises(Exception) as caught:
        ask(model)
    assert error is None or type(caught.value).__name__ == error
    assert len(model.requests) == 1


def test_a_hanging_model_runs_into_the_client_timeout(ask, fakellm):
    model = fakellm([but(prose("late"), hang=30)])
    started = time.monotonic()
    with pytest.raises(Exception, match=r"(?i)timed? ?out"):
        ask(model, timeout=0.3)
    assert time.monotonic() - started < 5


def test_a_dripping_model_outlasts_the_client_timeout(ask, fakellm):
    """Why a turn needs a deadline of its own: the client's timeout is for each read."""
    model = fakellm([but(prose("slowly"), drip=1.0)])
    started = time.monotonic()
    assert ask(model, timeout=0.3).choices[0].message.content == "slowly"
    assert time.monotonic() - started > 0.9


def test_a_function_script_sees_each_body(ask, fakellm):
    model = fakellm(lambda body: prose(body["messages"][-1]["content"].upper()))
    assert ask(model).choices[0].message.content == "KIA ORA, TĒNĀ KOE"


def test_asking_more_than_scripted_fails_the_test(ask):
    model = FakeLLM([prose("only one")])
    with pytest.raises(AssertionError, match="asked 2 times"), model:
        ask(model)
        with pytest.raises(Exception, match="scripted 500"):
            ask(model)
    assert model.overrun


def test_a_script_that_raises_fails_the_test(ask):
    model = FakeLLM(lambda body: body["segments"])
    with pytest.raises(KeyError, match="segments"), model, pytest.raises(Exception, match="scripted 500"):
        ask(model)
