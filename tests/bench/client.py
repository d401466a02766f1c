"""Customers over HTTP: one connection each, kept open, so that the web keeps its own to the database too."""

import contextlib
import http.client
import json
import secrets
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

LISTED = ("NW-MTR-204518", "6011")


@dataclass(frozen=True)
class Response:
    status: int
    headers: dict[str, str]
    """Names in lower case."""
    body: Any
    seconds: float

    @property
    def is_problem(self) -> bool:
        return self.headers.get("content-type", "").startswith("application/problem+json")


@dataclass(frozen=True)
class Posted:
    """A message that a customer sent: acknowledged with a turn's id, or with no answer at all (None)."""

    reference: str
    text: str
    turn_id: str | None
    response: Response | None


class NoAnswer(Exception):
    """The connection ended before a whole response."""


@dataclass
class Talk:
    """One claim and its token."""

    reference: str
    token: str
    url: str
    posted: list[Posted] = field(default_factory=list)
    refusals: int = 0
    """How many requests were answered with 503, or not at all."""

    def __post_init__(self) -> None:
        self._connection: http.client.HTTPConnection | None = None

    def call(self, method: str, path: str, body: Any = None, *, timeout: float = 40.0, **headers: str) -> Response:
        """One request on the open connection. Raises NoAnswer."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=timeout)
        started = time.monotonic()
        given = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            content = None if body is None else json.dumps(body)
            self._connection.request(method, f"/api/claims/{self.reference}/{path}", content, given)
            answer = self._connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            self._connection = None
            self.refusals += 1
            raise NoAnswer(type(error).__name__) from error
        self.refusals += answer.status == 503
        found = {name.lower(): value for name, value in answer.getheaders()}
        is_json = "json" in found.get("content-type", "")
        return Response(answer.status, found, json.loads(text) if is_json else text, time.monotonic() - started)

    def say(self, text: str, *, key: str | None = None, tries: int = 1, **headers: str) -> Posted:
        """Send a message with a key, again with the same key after no answer or a 503, and remember what came of it."""
        key = key or secrets.token_hex(8)
        response: Response | None = None
        for attempt in range(tries):
            if attempt:
                time.sleep(0.1)
            response = None
            with contextlib.suppress(NoAnswer):
                response = self.call("POST", "messages/", {"text": text}, Idempotency_Key=key, **headers)
            if response is not None and response.status != 503:
                break
        turn_id = response.body["id"] if response is not None and response.status in {201, 202} else None
        self.posted.append(Posted(self.reference, text, turn_id, response))
        return self.posted[-1]

    def turn(self, turn_id: str) -> dict[str, Any]:
        response = self.call("GET", f"turns/{turn_id}/")
        assert response.status == 200, response
        body: dict[str, Any] = response.body
        return body

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@dataclass(frozen=True)
class Web:
    """A served portal."""

    url: str
    """Without a trailing slash."""
    talks: list[Talk] = field(default_factory=list)

    def close(self) -> None:
        """End every connection of its customers; one that is used again is opened again."""
        for talk in self.talks:
            talk.close()
        self.talks.clear()

    def is_up(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/livez", timeout=5) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def get(self, path: str) -> tuple[int, str]:
        """Status and content type of a page, whatever the status."""
        try:
            with urllib.request.urlopen(f"{self.url}{path}", timeout=40) as response:
                return response.status, response.headers["Content-Type"]
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers["Content-Type"]

    def open_claim(self) -> Talk:
        number, postcode = LISTED
        body = json.dumps({"policy_number": number, "postcode": postcode}).encode()
        request = urllib.request.Request(f"{self.url}/api/claims/", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=40) as response:
            opened = json.load(response)
        self.talks.append(Talk(opened["reference"], opened["token"], self.url))
        return self.talks[-1]
