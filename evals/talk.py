"""A customer of the evaluation at the claim-message API: a claim of its own, messages, and the records of its turns."""

import http.client
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from evals.driver import Answer, Call

TURN_SECONDS = 60.0
POLL_SECONDS = 0.1
AGAIN_SECONDS = 1.0
_NO_ANSWER = (OSError, http.client.HTTPException)


class CannotMeasure(Exception):
    """Nothing is known about the answer; the message says why."""


@dataclass(frozen=True)
class Talk:
    """One claim and its token; `staff_token` opened it and reads the records.

    Every message has a key of its own, so that whoever goes on with a run that died repeats a request, not a question.
    `slot` is held while a turn is being answered, and not while claims are opened or records are read.
    """

    call: Call
    staff_token: str
    reference: str
    token: str
    key: str
    slot: AbstractContextManager[Any] = field(default_factory=nullcontext)

    def set_fact(self, field: str, value: str) -> None:
        """Raises CannotMeasure."""
        self._ask("PUT", f"facts/{field}/", "setting a fact", {"value": value})

    def say(self, text: str, number: int) -> dict[str, Any]:
        """Post the message `number` of this talk, wait for its turn, and give the turn's record. Raises CannotMeasure.

        What is refused because the first request is still being answered (409) is repeated until the turn is there.
        """
        with self.slot:
            turn = self._turn(text, f"{self.key}-{number}")
        return self.record(turn["id"])

    def _turn(self, text: str, key: str) -> dict[str, Any]:
        until = time.monotonic() + TURN_SECONDS
        answer = self._request("POST", "messages/", {"text": text}, key)
        while answer.status == 409 and time.monotonic() < until:
            time.sleep(AGAIN_SECONDS)
            answer = self._request("POST", "messages/", {"text": text}, key)
        turn = _ok(answer, "posting the message")
        while turn["status"] not in {"done", "failed"}:
            if time.monotonic() > until:
                raise CannotMeasure(f"the turn was not done within {TURN_SECONDS:g} s")
            time.sleep(POLL_SECONDS)
            turn = self._ask("GET", f"turns/{turn['id']}/", "reading the turn")
        if turn["status"] == "failed":
            raise CannotMeasure("the turn was given up after several attempts")
        return turn

    def record(self, turn_id: str) -> dict[str, Any]:
        """How a turn came about, as staff read it. Raises CannotMeasure."""
        path = f"/api/turns/{turn_id}/record/"
        return _ok(_again(self.call, "GET", path, f"Token {self.staff_token}"), "reading the record")

    def claim(self) -> dict[str, Any]:
        """The claim as the customer reads it. Raises CannotMeasure."""
        return self._ask("GET", "", "reading the claim")

    def _ask(self, method: str, rest: str, doing: str, body: Any = None) -> dict[str, Any]:
        return _ok(self._request(method, rest, body), doing)

    def _request(self, method: str, rest: str, body: Any = None, key: str = "") -> Answer:
        path = f"/api/claims/{self.reference}/{rest}"
        return _again(self.call, method, path, f"Bearer {self.token}", body, key)


def open_talk(
    call: Call,
    staff_token: str,
    *,
    policy_number: str,
    postcode: str,
    key: str,
    slot: AbstractContextManager[Any] | None = None,
) -> Talk:
    """A new claim for evaluation. Raises CannotMeasure, also where the policy has no schedule here."""
    opening = {"policy_number": policy_number, "postcode": postcode, "purpose": "evaluation"}
    claim = _ok(_again(call, "POST", "/api/claims/", f"Token {staff_token}", opening), "opening a claim")
    if claim["schedule"] != "found":
        raise CannotMeasure(f"there is no schedule for {policy_number} here")
    return Talk(call, staff_token, claim["reference"], claim["token"], key, slot or nullcontext())


def _again(call: Call, method: str, path: str, authorization: str, body: Any = None, key: str = "") -> Answer:
    """The request, and once more where the connection gave no answer or the portal was not available for a moment."""
    try:
        answer = call(method, path, authorization, body, key)
    except _NO_ANSWER:
        answer = Answer(503, None)
    if answer.status != 503:
        return answer
    time.sleep(AGAIN_SECONDS)
    try:
        return call(method, path, authorization, body, key)
    except _NO_ANSWER as error:
        raise CannotMeasure(f"the portal gave no answer: {type(error).__name__}") from error


def _ok(answer: Answer, doing: str) -> dict[str, Any]:
    if answer.status not in {200, 201, 202} or not isinstance(answer.body, dict):
        detail = answer.body.get("detail", "") if isinstance(answer.body, dict) else ""
        raise CannotMeasure(f"{doing} gave {answer.status} {detail}".strip())
    return answer.body


def check_came_about(record: Mapping[str, Any], *, may_be_unavailable: bool = False) -> None:
    """A turn that its surroundings spoiled says nothing about the answer. Raises CannotMeasure with what spoiled it.

    A call that failed and was made once more is no finding: what counts is how the turn ended.
    """
    calls, outcome = record["calls"], record["turn"]["outcome"]
    if calls and calls[-1]["error"]:
        errors = ", ".join(call["error"] for call in calls if call["error"])
        raise CannotMeasure(f"the model's provider failed: {errors}")
    if outcome == "over_budget":
        raise CannotMeasure("the day's budget of tokens is spent")
    # Nothing was wrong with what the model sent: it was only too slow for the turn, or too much was spent on it.
    codes = {violation["code"] for violation in record["violations"]}
    if record["safe_reply"] and codes == {"V8"} and not record["repaired"]:
        raise CannotMeasure("the turn's time or tokens were used up")
    if outcome == "unavailable" and not may_be_unavailable:
        raise CannotMeasure("the wording could not be looked up")
