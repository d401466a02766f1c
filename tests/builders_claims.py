"""A customer at the message API, and what a well-behaved scripted model sends."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rest_framework.test import APIClient

from tests.fakellm import Body, Step, tool_call

Json = dict[str, Any]

WITH_TRANSPORT = "NW-MTR-204518"
WITHOUT_TRANSPORT = "NW-MTR-204519"
HOME = "NW-HOM-310201"
CONTENTS = "NW-CNT-420301"
UNKNOWN = "NW-MTR-999999"
RENTAL = "MTR-BEN-03"
WAITING_SENTENCE = (
    r"(?:I've put your question on the waiting list for our staff|Your question is already on the waiting list)\. "
    r"Reference (WL-[2-9A-HJKMNP-Z]{8}), number [1-9][0-9]* in line; "
    r"a person is due to reply by [1-9][0-9]? [A-Z][a-z]+ 20[0-9]{2}\."
)

ORDER = ("plan", "context_resolve", "answer")


@dataclass(frozen=True)
class Talk:
    """One claim and its token: every call of a claimant. An unexpected status fails the test."""

    reference: str
    token: str
    opened: Json

    @cached_property
    def client(self) -> APIClient:
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {self.token}")
        return client

    def get(self, path: str = "") -> Any:
        response = self.client.get(f"/api/claims/{self.reference}/{path}")
        assert response.status_code == 200, response.content
        return response.json()

    def say(self, text: str) -> Json:
        """Send a message and return its finished turn, read again from the rows."""
        response = self.client.post(f"/api/claims/{self.reference}/messages/", {"text": text})
        assert response.status_code == 201, response.content
        turn: Json = response.json()
        assert turn == self.get(f"turns/{turn['id']}/")
        assert_tells_the_truth_about_the_waiting_list(turn, self.reference)
        return turn

    def set(self, field: str, value: str) -> Json:
        response = self.client.put(f"/api/claims/{self.reference}/facts/{field}/", {"value": value})
        assert response.status_code == 200, response.content
        fact: Json = response.json()
        return fact

    def facts(self) -> dict[str, tuple[str, bool]]:
        return {fact["field"]: (fact["value"], fact["confirmed"]) for fact in self.get()["facts"]}

    def messages(self) -> list[Json]:
        messages: list[Json] = self.get("messages/")["results"]
        return messages


def assert_tells_the_truth_about_the_waiting_list(turn: Json, claim_reference: str) -> None:
    """A sentence about the waiting list if and only if the turn is linked to an item of this claim (M9)."""
    from claims.models import Turn

    item = Turn.objects.select_related("waiting_item__claim").get(pk=turn["id"]).waiting_item
    said = [re.fullmatch(WAITING_SENTENCE, segment["text"]) for segment in turn["reply"]["segments"]]
    references = [match[1] for match in said if match]
    assert references == ([] if item is None else [item.reference])
    assert item is None or item.claim.reference == claim_reference
    assert (turn["waiting_item"] or {}).get("reference") == (item.reference if item else None)
    other = [s["text"] for s, match in zip(turn["reply"]["segments"], said, strict=True) if not match]
    assert not any("WL-" in text or "have put" in text or "already on the waiting" in text for text in other)


def open_claim(policy_number: str = WITH_TRANSPORT, **given: str) -> Talk:
    """Open a claim as somebody who knows the policy's postcode."""
    from claims.models import PolicySchedule

    policy = PolicySchedule.objects.filter(policy_number=policy_number).first()
    given = {"policy_number": policy_number, "postcode": policy.postcode if policy else "6011", **given}
    response = APIClient().post("/api/claims/", given)
    assert response.status_code == 201, response.content
    opened = response.json()
    return Talk(opened["reference"], opened["token"], opened)


def plan(kind: str = "question", *, wants_decision: bool = False, **facts: str) -> Step:
    proposed = [{"field": field, "value": value} for field, value in facts.items()]
    return tool_call("plan", {"kind": kind, "wants_decision": wants_decision, "facts": proposed})


def resolve(*clause_ids: str) -> Step:
    return tool_call("context_resolve", {"clause_ids": clause_ids})


def answer(*segments: Json) -> Step:
    return tool_call("answer", {"segments": segments})


def plain(line: int, clause_id: str = RENTAL) -> Json:
    return {"kind": "plain", "clause_id": clause_id, "line": line}


def quote(*sentences: int, clause_id: str = RENTAL) -> Json:
    return {"kind": "quote", "clause_id": clause_id, "sentences": sentences}


def form(name: str) -> Json:
    return {"kind": "form", "name": name}


def lookup(*clause_ids: str, segments: Sequence[Json]) -> list[Step]:
    """The three steps of a question that is answered."""
    return [plan(), resolve(*clause_ids), answer(*segments)]


def tool_of(body: Body) -> str:
    """The one tool that a request offers."""
    [tool] = body["tools"]
    name: str = tool["function"]["name"]
    return name


def system_of(body: Body) -> str:
    text: str = body["messages"][0]["content"]
    return text


def user_of(body: Body) -> Json:
    """What a request says of this turn: today, facts, schedule, history, message, evidence."""
    given: Json = json.loads(body["messages"][1]["content"])
    return given


def shown(turn: Json) -> list[tuple[str, str]]:
    return [(segment["kind"], segment["text"]) for segment in turn["reply"]["segments"]]


def kinds(turn: Json) -> list[str]:
    return [segment["kind"] for segment in turn["reply"]["segments"]]


def cited(turn: Json) -> list[str]:
    return [citation["clause_id"] for citation in turn["citations"]]
