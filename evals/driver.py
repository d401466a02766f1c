"""Asks the product through its claim-message API, as a customer would, and reads the turn's record as staff would.

In this process the request goes through the same handler and middleware that a web server calls; with an address it
goes over HTTP. Nothing else of the product is touched: no search, no table, no short cut around a turn (M57).
"""

import http.client
import io
import json
import time
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler

from evals.cases import Case
from evals.scoring import Observation, Unknown

TURN_SECONDS = 60.0
POLL_SECONDS = 0.25
HTTP_TIMEOUT = 60.0


@dataclass(frozen=True)
class Answer:
    """A response: its status, and its JSON body or None."""

    status: int
    body: Any


class Call(Protocol):
    """One request to the API; `authorization` is the header's value or empty."""

    def __call__(self, method: str, path: str, authorization: str, body: Any = None) -> Answer: ...


class CannotMeasure(Exception):
    """The case could not be measured; the message says why."""


def in_process() -> Call:
    """Calls the product in this process, as a web server would."""
    handler = WSGIHandler()
    host = next((name.lstrip(".") for name in settings.ALLOWED_HOSTS if name != "*"), "localhost")

    def call(method: str, path: str, authorization: str, body: Any = None) -> Answer:
        content = b"" if body is None else json.dumps(body).encode()
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "SCRIPT_NAME": "",
            "QUERY_STRING": "",
            "SERVER_NAME": host,
            "SERVER_PORT": "443",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": host,
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_LENGTH": str(len(content)),
            "wsgi.url_scheme": "https",
            "wsgi.input": io.BytesIO(content),
            "wsgi.errors": io.StringIO(),
            "wsgi.version": (1, 0),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        environ.update({f"HTTP_{n.upper()}" if n != "Content-Type" else "CONTENT_TYPE": v for n, v in _headers(body)})
        if authorization:
            environ["HTTP_AUTHORIZATION"] = authorization
        statuses: list[str] = []

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None, /) -> Any:
            statuses.append(status)

        response = handler(environ, start_response)
        try:
            text = b"".join(response)
        finally:
            response.close()
        return _answer(int(statuses[0].split()[0]), text)

    return call


def over_http(address: str) -> Call:
    """Calls a portal that is served at this address. Raises ValueError for what is no http(s) address."""
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"{address} is not an address like http://127.0.0.1:8000.")
    secure, server, root = parts.scheme == "https", parts.netloc.rpartition("@")[2], parts.path.rstrip("/")

    def call(method: str, path: str, authorization: str, body: Any = None) -> Answer:
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = kind(server, timeout=HTTP_TIMEOUT)
        headers = dict(_headers(body)) | ({"Authorization": authorization} if authorization else {})
        try:
            connection.request(method, root + path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            return _answer(response.status, response.read())
        finally:
            connection.close()

    return call


def _headers(body: Any) -> list[tuple[str, str]]:
    """`Prefer`: where workers answer, the request waits for them."""
    return [] if body is None else [("Content-Type", "application/json"), ("Prefer", "wait=30")]


def _answer(status: int, text: bytes) -> Answer:
    try:
        return Answer(status, json.loads(text))
    except ValueError:
        return Answer(status, None)


def observe(case: Case, texts: tuple[str, ...], call: Call, staff_token: str) -> Observation | Unknown:
    """Say the texts in one new claim, and read the record of the last turn.

    Unknown, with the reason, when the claim cannot be opened, its schedule is not there, or a turn did not come about:
    not answered in time, the model's provider failed, the wording could not be looked up.
    """
    staff = f"Token {staff_token}"
    try:
        opening = {"policy_number": case.policy_number, "postcode": case.postcode, "purpose": "evaluation"}
        claim = _ok(call("POST", "/api/claims/", staff, opening), "opening a claim")
        if claim["schedule"] != "found":
            raise CannotMeasure(f"there is no schedule for {case.policy_number} here")
        record: dict[str, Any] = {}
        for text in texts:
            turn = _said(call, claim, text)
            record = _ok(call("GET", f"/api/turns/{turn['id']}/record/", staff), "reading the record")
            _check_came_about(record)
        return _observation(case, record)
    except CannotMeasure as reason:
        return Unknown(case.id, str(reason))
    # Whatever else breaks on the way is no finding about the answer; its kind is kept, and the run goes on.
    except Exception as error:
        return Unknown(case.id, f"{type(error).__name__}: {error}")


def _ok(answer: Answer, doing: str) -> dict[str, Any]:
    if answer.status not in {200, 201, 202} or not isinstance(answer.body, dict):
        detail = answer.body.get("detail", "") if isinstance(answer.body, dict) else ""
        raise CannotMeasure(f"{doing} gave {answer.status} {detail}".strip())
    return answer.body


def _said(call: Call, claim: dict[str, Any], text: str) -> dict[str, Any]:
    """Post a message and wait for its finished turn."""
    holder, claim_path = f"Bearer {claim['token']}", f"/api/claims/{claim['reference']}/"
    turn = _ok(call("POST", f"{claim_path}messages/", holder, {"text": text}), "posting the message")
    until = time.monotonic() + TURN_SECONDS
    while turn["status"] != "done":
        if turn["status"] == "failed" or time.monotonic() > until:
            raise CannotMeasure(f"the turn is {turn['status']}")
        time.sleep(POLL_SECONDS)
        turn = _ok(call("GET", f"{claim_path}turns/{turn['id']}/", holder), "reading the turn")
    return turn


def _check_came_about(record: dict[str, Any]) -> None:
    # A call that failed and was made once more is no finding: what counts is how the turn ended.
    errors = [call["error"] for call in record["calls"] if call["error"]]
    if errors and record["calls"][-1]["error"]:
        raise CannotMeasure(f"the model's provider failed: {', '.join(errors)}")
    if record["turn"]["outcome"] == "unavailable":
        raise CannotMeasure("the wording could not be looked up")


def _observation(case: Case, record: dict[str, Any]) -> Observation:
    turn, release = record["turn"], record["release"]
    return Observation(
        case_id=case.id,
        outcome=turn["outcome"],
        directory=tuple((line["clause_id"], line["title"]) for line in record["directory"] or ()),
        requested=tuple(record["requested"] or ()),
        returned=tuple(clause["clause_id"] for clause in record["returned"] or ()),
        cited=tuple(record["cited"]),
        waits=turn["waiting_item"] is not None,
        safe_reply=record["safe_reply"],
        model=record["model"]["configured"],
        release=None if release is None else release["version"],
    )
