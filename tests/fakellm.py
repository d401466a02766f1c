"""A scripted model behind a real socket: `POST /v1/chat/completions` as an OpenAI-shaped server answers it.

It stands in for the provider only, so LiteLLM, its client and the wire stay in every test. Each test scripts it with a
list of steps (asking for more than the list holds fails the test) or with a function from the request's body to a step.
It does not stream, count tokens or judge what it is asked: the test reads `requests` and judges.
"""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from types import TracebackType
from typing import Any, Self

Body = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """One answer of the scripted model; the builders below name the usual ones, `but` makes the odd ones.

    `hang` is the seconds of silence before the first byte, `drip` the seconds over which the body trickles out,
    `cut` breaks the connection half way through the body, `raw` is sent in place of a well-formed body.
    """

    calls: tuple[tuple[str, str], ...] = ()
    text: str | None = None
    finish_reason: str | None = None
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    hang: float = 0.0
    drip: float = 0.0
    cut: bool = False
    raw: bytes | None = None
    usage: tuple[int, int] = (100, 20)


Script = Sequence["Step | Callable[[Body], Step]"] | Callable[[Body], Step]


def tool_call(name: str, arguments: object, *, text: str | None = None) -> Step:
    """The model calls one tool. A string goes onto the wire as it is, so it may be broken JSON."""
    return tool_calls((name, arguments), text=text)


def tool_calls(*calls: tuple[str, object], text: str | None = None) -> Step:
    """The model calls several tools at once; `text` is content beside them."""
    return Step(calls=tuple((name, _as_json(arguments)) for name, arguments in calls), text=text)


def prose(text: str) -> Step:
    """The model answers in words and calls nothing."""
    return Step(text=text)


def nothing() -> Step:
    """A well-formed answer with neither content nor a tool call."""
    return Step()


def failure(status: int, *, retry_after: int | None = None) -> Step:
    """The provider answers with an HTTP error such as 429, 500 or 503."""
    headers = (("Retry-After", str(retry_after)),) if retry_after is not None else ()
    return Step(status=status, headers=headers)


def bad_json() -> Step:
    """Status 200 and a body that no JSON parser takes."""
    return Step(raw=b'{"id": "chatcmpl-1", "choices": [')


def but(step: Step, **changes: Any) -> Step:
    """`step` with some fields changed: `but(prose("late"), hang=5)`, `but(tool_call(...), finish_reason="length")`."""
    return replace(step, **changes)


def _as_json(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


@dataclass
class FakeLLM:
    """The server, as a context manager. Leaving it fails the test when more was asked than scripted."""

    script: Script
    requests: list[Body] = field(default_factory=list)
    """The body of every request, in order of arrival."""
    headers: list[dict[str, str]] = field(default_factory=list)
    arrivals: list[float] = field(default_factory=list)
    """`time.monotonic()` of every request, for the spacing of retries."""
    overrun: bool = False
    broken: Exception | None = None
    """What the script function raised, if it raised."""

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._closing = threading.Event()
        self._server: ThreadingHTTPServer | None = None

    @property
    def base_url(self) -> str:
        """The address to give as `api_base`, with `/v1`."""
        if self._server is None:
            raise RuntimeError("The scripted model is not running: use it in a with block.")
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def unused(self) -> int:
        """How many steps of a list script were never asked for."""
        return 0 if callable(self.script) else max(0, len(self.script) - len(self.requests))

    def start(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def stop(self) -> None:
        self._closing.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def check(self) -> None:
        """Raise what the script did wrong or AssertionError when it was asked for more than it holds."""
        if self.broken is not None:
            raise self.broken
        if self.overrun:
            raise AssertionError(f"The model was asked {len(self.requests)} times, more than the script holds.")

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        if error is None:
            self.check()

    def _next(self, body: Body, headers: dict[str, str]) -> Step:
        with self._lock:
            position = len(self.requests)
            self.requests.append(body)
            self.headers.append(headers)
            self.arrivals.append(time.monotonic())
            if not callable(self.script) and position >= len(self.script):
                self.overrun = True
                return failure(500)
        chosen = self.script if callable(self.script) else self.script[position]
        try:
            return chosen(body) if callable(chosen) else chosen
        except Exception as error:
            self.broken = error
            return failure(500)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            """HTTP/1.0: the connection closes after each answer, so no pooled socket outlives the test."""

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path != "/v1/chat/completions":
                    self.send_error(404)
                    return
                step = model._next(body, {name.lower(): value for name, value in self.headers.items()})
                if step.hang and model._closing.wait(step.hang):
                    return
                # The client may give up first: that is what a deadline is for.
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    model._send(self, step, _encode(step, body, next(model._numbers)))

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler

    def _send(self, handler: BaseHTTPRequestHandler, step: Step, payload: bytes) -> None:
        handler.send_response(step.status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(payload)))
        for name, value in step.headers:
            handler.send_header(name, value)
        handler.end_headers()
        if step.cut:
            payload = payload[: len(payload) // 2]
        pieces = 20 if step.drip else 1
        size = max(1, -(-len(payload) // pieces))
        for start in range(0, len(payload), size):
            handler.wfile.write(payload[start : start + size])
            handler.wfile.flush()
            if step.drip and self._closing.wait(step.drip / pieces):
                return


def _encode(step: Step, body: Body, number: int) -> bytes:
    if step.raw is not None:
        return step.raw
    if step.status != 200:
        return json.dumps({"error": {"message": f"scripted {step.status}", "type": "scripted", "code": None}}).encode()
    message: Body = {"role": "assistant", "content": step.text}
    if step.calls:
        message["tool_calls"] = [
            {"id": f"call_{number}_{place}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for place, (name, arguments) in enumerate(step.calls, start=1)
        ]
    prompt, completion = step.usage
    answer = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1_800_000_000,
        "model": body.get("model", "scripted"),
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": step.finish_reason or ("tool_calls" if step.calls else "stop"),
            }
        ],
        "usage": {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion},
    }
    return json.dumps(answer, ensure_ascii=False).encode()
