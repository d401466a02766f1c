"""The one door to a model: LiteLLM, imported at the first call, with our own deadline and our own errors.

LiteLLM's retries, fallbacks and timeouts are not trusted (a `timeout` of 1 s let a dripping server run for 7 s): one
request is one attempt in a worker thread, and whoever waits for it stops waiting at the deadline.
"""

import functools
import os
import queue
import re
import threading
from dataclasses import dataclass
from typing import Any

from claims.agent import offline
from claims.agent.breaker import Breaker
from claims.agent.prompt import Messages
from claims.agent.tools import Tool
from claims.agent.wording import OFFLINE_CHOOSER

OFFLINE_MODEL = "offline/chooser"
API_KEY_VARIABLE = "PORTAL_MODEL_API_KEY"
MAX_NAME = 200
MAX_CAUSES = 12
MAX_TOKENS_OF_A_CALL = 10_000_000
_BROKEN_OFF = {"ReadError", "WriteError", "RemoteProtocolError"}
# JSON can carry these two; no table of PostgreSQL's can hold a NUL, and nothing can hold half of a surrogate pair.
_NOT_STORABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True)
class ModelConfig:
    """`name` is a LiteLLM model name, empty for the offline chooser; `timeout` in seconds is for one call."""

    name: str
    api_base: str
    timeout: float

    @property
    def is_offline(self) -> bool:
        return not self.name

    @property
    def label(self) -> str:
        """How the answering model is named wherever its work is shown."""
        return OFFLINE_CHOOSER if self.is_offline else self.name


@dataclass(frozen=True)
class ToolCall:
    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class ModelReply:
    calls: tuple[ToolCall, ...]
    content: str | None
    finish_reason: str | None
    model: str | None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cached: int | None = None


class ModelFault(Exception):
    """A request that gave no reply. The message never carries the provider's text."""


class ModelTimeout(ModelFault):
    """No whole reply within the time of the call or of the turn."""


class ModelUnavailable(ModelFault):
    """No connection, a connection that broke off, an overloaded or failing provider (429, 5xx).

    `passing` when to ask once more may help: not after a reply that was cut, which may come from the request itself.
    """

    def __init__(self, message: str, *, passing: bool = False) -> None:
        super().__init__(message)
        self.passing = passing


class ModelRefused(ModelFault):
    """The provider refused the request: a wrong key, an unknown model, a request it does not take."""


class ModelMalformed(ModelFault):
    """A reply that is not in the shape of one."""


def load() -> None:
    """Import LiteLLM, once a process: seconds that belong to no call and to no turn's deadline."""
    _litellm()


@functools.cache
def breaker_of(name: str) -> Breaker:
    """This process's breaker for a model."""
    return Breaker()


def ask_model(config: ModelConfig, messages: Messages, tool: Tool, seconds: float) -> ModelReply:
    """One request, one attempt, at most `seconds`. Raises ModelFault in one of its four forms.

    After five failures in a row the model is not asked for half a minute, and ModelUnavailable comes at once.
    """
    breaker = breaker_of(config.name)
    if not breaker.allows():
        raise ModelUnavailable("the model failed several times in a row and is left alone for a while")
    try:
        reply = _attempt(config, messages, tool, seconds)
    except (ModelTimeout, ModelUnavailable):
        breaker.failed()
        raise
    except ModelFault:
        breaker.succeeded()
        raise
    breaker.succeeded()
    return reply


def _attempt(config: ModelConfig, messages: Messages, tool: Tool, seconds: float) -> ModelReply:
    limit = min(seconds, config.timeout)
    answers: queue.SimpleQueue[ModelReply | ModelFault] = queue.SimpleQueue()

    def work() -> None:
        try:
            answers.put(_request(config, messages, tool, limit))
        except ModelFault as fault:
            answers.put(fault)

    threading.Thread(target=work, name="model-call", daemon=True).start()
    try:
        answer = answers.get(timeout=limit)
    except queue.Empty:
        raise ModelTimeout(f"no reply within {limit:.1f} s") from None
    if isinstance(answer, ModelFault):
        raise answer
    return answer


def _request(config: ModelConfig, messages: Messages, tool: Tool, limit: float) -> ModelReply:
    key = None if config.is_offline else os.environ.get(API_KEY_VARIABLE) or None
    try:
        litellm = _litellm()
        response = litellm.completion(
            model=config.name or OFFLINE_MODEL,
            messages=messages,
            tools=[tool],
            tool_choice="required",
            max_retries=0,
            timeout=limit,
            api_base=config.api_base or None,
            api_key=key,
        )
    # LiteLLM raises a wide and changing set of types for whatever a provider does; none may pass this door.
    except Exception as error:
        raise _fault(error, has_key=key is not None) from error
    try:
        return _read(response)
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise ModelMalformed("the reply has no message") from error


def _fault(error: Exception, *, has_key: bool) -> ModelFault:
    status = getattr(error, "status_code", None)
    beneath = _beneath(error)
    if "Timeout" in type(error).__name__ or status == 408:
        return ModelTimeout("the provider did not answer in time")
    if isinstance(status, int) and 400 <= status < 500 and status != 429:
        return ModelRefused(f"the provider refused the request ({status})")
    # A client without a key fails before anything is sent, with an error that tells no more than its name.
    if beneath[-1] == "OpenAIError" and not has_key:
        return ModelRefused(f"the request was not sent: is {API_KEY_VARIABLE} set?")
    if "ConnectError" in beneath:
        return ModelUnavailable("the provider cannot be reached", passing=True)
    if _BROKEN_OFF.intersection(beneath):
        return ModelUnavailable("the provider broke off")
    # LiteLLM gives a 500 to whatever it cannot read, too: then no HTTP error lies beneath.
    if isinstance(status, int) and (status != 500 or "HTTPStatusError" in beneath):
        return ModelUnavailable(f"the provider is failing or has too much to do ({status})", passing=True)
    return ModelMalformed("the reply could not be read")


def _beneath(error: Exception) -> list[str]:
    """The names of this error and those that led to it, the first cause last: what LiteLLM lets through changes."""
    names: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(names) < MAX_CAUSES:
        names.append(type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    return names


def _read(response: Any) -> ModelReply:
    choice = response.choices[0]
    message = choice.message
    calls = tuple(
        ToolCall(_name(call.id) or "call", _name(call.function.name), _text(call.function.arguments))
        for call in message.tool_calls or ()
    )
    usage = getattr(response, "usage", None)
    details = getattr(usage, "prompt_tokens_details", None)
    return ModelReply(
        calls=calls,
        content=_text(message.content) if isinstance(message.content, str) else None,
        finish_reason=_name(choice.finish_reason) or None,
        model=_name(response.model) or None,
        tokens_in=_count(getattr(usage, "prompt_tokens", None)),
        tokens_out=_count(getattr(usage, "completion_tokens", None)),
        cached=_count(getattr(details, "cached_tokens", None)),
    )


def _count(value: Any) -> int | None:
    """A number of tokens as the provider tells it; None for one that no call can have and no column can hold."""
    return value if type(value) is int and 0 <= value <= MAX_TOKENS_OF_A_CALL else None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return _NOT_STORABLE.sub("\ufffd", value)


def _name(value: Any) -> str:
    """A name that the provider gives, short enough for its column; empty for none."""
    return _text(str(value))[:MAX_NAME] if value else ""


_importing = threading.Lock()


def _litellm() -> Any:
    with _importing:
        return _import_litellm()


@functools.cache
def _import_litellm() -> Any:
    """Two to five seconds and 200 MB: only a process that calls a model pays it.

    Both switches must stand before the import: without them it looks up hosts and reads the checkout's `.env`.
    """
    os.environ["LITELLM_OFFLINE_MODE"] = "true"
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    import litellm  # noqa: PLC0415

    litellm.suppress_debug_info = True
    litellm.telemetry = False

    class OfflineChooser(litellm.CustomLLM):  # type: ignore[misc]
        """The chooser in the shape of a provider, so that the whole path runs without a key."""

        def completion(self, *args: Any, **kwargs: Any) -> Any:
            tool = kwargs["optional_params"]["tools"][0]
            arguments = offline.choose(kwargs["messages"], tool["function"]["name"])
            call = {
                "id": "call_offline",
                "type": "function",
                "function": {"name": tool["function"]["name"], "arguments": arguments},
            }
            return litellm.ModelResponse(
                model=OFFLINE_MODEL,
                choices=[
                    {
                        "index": 0,
                        "finish_reason": "tool_calls",
                        "message": {"role": "assistant", "content": None, "tool_calls": [call]},
                    }
                ],
            )

    # Appended: assigning the map would drop what others registered.
    litellm.custom_provider_map.append({"provider": "offline", "custom_handler": OfflineChooser()})
    return litellm
