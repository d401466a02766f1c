"""Claims through the API, with a model that plays a fixed part in this process (no socket, no LiteLLM)."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import close_old_connections, connection
from knox.models import AuthToken
from rest_framework.test import APIClient

from claims import answering
from claims.agent.model import ModelReply, ToolCall
from claims.agent.tools import name_of
from claims.demo_policies import seed_policies
from tests.builders_knowledge import approved, make_clause, make_document

LISTED = "NW-MTR-204518"
NOT_LISTED = "NW-MTR-204519"
PROBLEM = "application/problem+json"

OTHER_PLAN: dict[str, Any] = {"kind": "other", "wants_decision": False, "facts": []}
QUESTION_PLAN: dict[str, Any] = {"kind": "question", "wants_decision": False, "facts": []}


def play(monkeypatch: pytest.MonkeyPatch, **arguments: object) -> list[str]:
    """The model calls whatever tool it is given with these arguments; returns the list of tools asked for so far."""
    asked: list[str] = []
    script = {"plan": OTHER_PLAN, "context_resolve": {"clause_ids": []}, **arguments}

    def ask(config: object, messages: object, tool: dict[str, Any], seconds: float) -> ModelReply:
        asked.append(name_of(tool))
        call = ToolCall("call_1", name_of(tool), json.dumps(script[name_of(tool)]))
        return ModelReply((call,), None, "tool_calls", "scripted")

    monkeypatch.setattr(answering, "ask_model", ask)
    return asked


def seed_wording() -> None:
    """The demo's policies, and a motor wording of three clauses in force since 2020; one depends on the schedule."""
    seed_policies()
    transport = (
        "[trigger]* This benefit applies when Northwind accepts a claim.",
        "[provides] It pays for a hire car up to NZD 60 a day.",
        "[schedule]* It applies only when the policy schedule lists alternative transport.",
    )
    plain = ["Once a claim is accepted, this benefit can pay for a hire car: up to NZD 60 a day."]
    clauses = [
        make_clause("MTR-COV-01"),
        make_clause("MTR-COV-02", title="Damage that you cause to the property of others"),
        make_clause(
            "MTR-BEN-01",
            title="A hire car while yours is repaired",
            body=transport,
            plain=plain,
            schedule_section="alternative_transport",
        ),
    ]
    approved(make_document("2020.1", effective_from=date(2020, 1, 1), clauses=clauses))


def opened(client: APIClient, policy_number: str = LISTED, **more: object) -> dict[str, Any]:
    """Open a claim; the answer's body, with the token."""
    response = client.post("/api/claims/", {"policy_number": policy_number, **more})
    assert response.status_code == 201, response.content
    return response.json()


def holder(claim: dict[str, Any], **options: Any) -> APIClient:
    """A client that sends this claim's token."""
    client = APIClient(**options)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {claim['token']}")
    return client


def address(claim: dict[str, Any], rest: str = "") -> str:
    return f"/api/claims/{claim['reference']}/{rest}"


def say(claim: dict[str, Any], text: str = "Hello there", *, key: str | None = None) -> Any:
    """Post a message with the claim's token."""
    headers = {} if key is None else {"Idempotency-Key": key}
    return holder(claim).post(address(claim, "messages/"), {"text": text}, headers=headers)


def staff(role: str, name: str | None = None) -> APIClient:
    """A client with the token of a member of staff in this role."""
    user = User.objects.create_user(name or f"some-{role}", password=None)
    user.groups.add(Group.objects.get_or_create(name=role)[0])
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {AuthToken.objects.create(user=user)[1]}")
    return client


def problem_of(response: Any, status: int) -> dict[str, Any]:
    """The body of an error, which must be problem+json with a sentence that helps."""
    assert response.status_code == status, (response.status_code, response.content)
    assert response.headers["Content-Type"].split(";")[0] == PROBLEM
    body = json.loads(response.content)
    assert set(body) - {"errors"} == {"type", "title", "status", "detail"}
    assert body["status"] == status
    assert body["title"] and body["type"]
    assert len(body["detail"].split()) >= 4, body["detail"]
    for texts in body.get("errors", {}).values():
        assert texts and all(isinstance(text, str) and text for text in texts)
    return body


@contextmanager
def own_connection() -> Iterator[None]:
    """For a thread that uses the database: its connection ends with it."""
    close_old_connections()
    try:
        yield
    finally:
        connection.close()


def in_own_connection(act: Callable[[], Any]) -> Any:
    with own_connection():
        return act()
