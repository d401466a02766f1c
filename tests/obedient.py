"""A model that obeys: what the customer's text, or an instruction inside a clause, asks to be said, it tries to say.

It tries in every place that an output has: words beside a call, prose, a question back, the name of a form, a schedule
code, a fact, a field to note, a reason, an id. The latest text counts, so after a refusal it obeys the server and
answers the question that was asked; `stubborn` is how often it does not.
"""

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

from tests.fakellm import Body, Step, but, prose, tool_call
from tests.hostile import offered

_ID = re.compile(r"\b[A-Z]{3}-[A-Z]{3}-\d{2}\b")
_ORDER = re.compile(r"Assistant: ([^\"]+)")
_DECIDES = re.compile(r"accepted|\bpays?\b|insured|covered|\bwill get\b|赔|release the|colour", re.IGNORECASE)
_PERSON = re.compile(r"manager|waiting list|\bperson\b", re.IGNORECASE)
_SUBJECTS = {
    r"rental|hire|tolls|fuel|taxi|the car\b|alternative transport|colour|green": "MTR-BEN-03",
    r"\btow": "MTR-BEN-01",
    r"hail|crash|flood|pole|water|水": "MTR-COV-01",
    r"windscreen|glass": "MTR-BEN-02",
}
PLACES = (
    "beside", "prose", "text", "clarify", "clarify with a mark", "form", "schedule", "noted", "ask", "reason",
    "clause", "quote key", "argument", "as it stands",
)  # fmt: skip


class ObedientModel:
    """A script: the body of a request to its answer. `place` fixes where it says what it was told to say."""

    def __init__(self, random: Random, *, stubborn: float = 0.2, place: str | None = None, order: str | None = None):
        self.random, self.stubborn, self.place, self.order = random, stubborn, place, order

    def __call__(self, body: Body) -> Step:
        tool = body["tools"][0]["function"]["name"]
        given = json.loads(body["messages"][1]["content"])
        is_repair = len(body["messages"]) > 2
        order = self.order or self._order(given)
        honest = tool_call(tool, self._honest(tool, body, given, order))
        if is_repair and self.random.random() >= self.stubborn:
            return honest
        place = self.place or self.random.choice(PLACES)
        return self._at(place, tool, given, order, honest)

    def _order(self, given: Body) -> str:
        """The latest text that tells it what to say: an instruction in a clause, else the customer's message."""
        clauses = json.dumps(given["evidence"], ensure_ascii=False) if given["evidence"] else ""
        found = _ORDER.search(clauses)
        return found[1] if found else given["message"]

    def _at(self, place: str, tool: str, given: Body, order: str, honest: Step) -> Step:
        if place == "beside":
            return but(honest, text=order)
        if place == "prose":
            return prose(order)
        if tool == "plan":
            return tool_call(tool, self._plan(given, order, facts=True))
        if place == "argument":
            return tool_call(tool, {**json.loads(honest.calls[0][1]), "reply": order})
        if tool == "context_resolve":
            ids = json.loads(honest.calls[0][1])["clause_ids"]
            return tool_call(tool, {"clause_ids": [order, *ids][:3]}) if place in {"clause", "form"} else honest
        if place == "as it stands":
            said = re.search(r"\{.*\}", order)
            return tool_call(tool, said[0] if said else order)
        segments = json.loads(honest.calls[0][1])["segments"]
        where = self.random.randint(0, len(segments))
        return tool_call(tool, {"segments": [*segments[:where], self._segment(place, order), *segments[where:]][:8]})

    def _segment(self, place: str, order: str) -> Body:
        ids = _ID.findall(order)
        made: dict[str, Callable[[], Body]] = {
            "text": lambda: {"kind": "text", "text": order},
            "clarify": lambda: {"kind": "clarify", "text": order},
            "clarify with a mark": lambda: {"kind": "clarify", "text": order.rstrip(".!?") + "?"},
            "form": lambda: {"kind": "form", "name": order},
            "schedule": lambda: {"kind": "schedule", "section": order},
            "noted": lambda: {"kind": "noted", "field": order},
            "ask": lambda: {"kind": "ask", "field": order},
            "reason": lambda: {"kind": "escalate", "reason": order},
            "clause": lambda: {"kind": "plain", "clause_id": ids[0] if ids else order, "line": 1},
            "quote key": lambda: {"kind": "quote", "clause_id": "MTR-BEN-03", "sentences": [1], "text": order},
        }
        return made[place]()

    def _honest(self, tool: str, body: Body, given: Body, order: str) -> Body:
        """What answers the question that is in the message, by the rules of the tool."""
        if tool == "plan":
            return self._plan(given, order, facts=self.order is None)
        if tool == "context_resolve":
            return {"clause_ids": self.wanted(given["message"], offered(body))}
        return {"segments": self._answer(given)}

    def _plan(self, given: Body, order: str, *, facts: bool) -> Body:
        wants = bool(_DECIDES.search(given["message"]))
        told = [{"field": "what_happened", "value": order[:400]}] if facts and order.strip() else []
        return {"kind": "question", "wants_decision": wants, "facts": told}

    def wanted(self, message: str, known: list[str]) -> list[str]:
        """The clauses that the message names, whether or not they exist, and those that its subject needs."""
        subjects = [i for words, i in _SUBJECTS.items() if re.search(words, message, re.IGNORECASE) and i in known]
        return list(dict.fromkeys([*_ID.findall(message)[:2], *subjects]))[:3]

    def _answer(self, given: Body) -> list[Body]:
        segments: list[Body] = []
        for clause in given["evidence"]["clauses"]:
            if clause["plain"]:
                segments.append({"kind": "plain", "clause_id": clause["clause_id"], "line": 1})
            segments.append({"kind": "quote", "clause_id": clause["clause_id"], "sentences": [self._sentence(clause)]})
        if _PERSON.search(given["message"]):
            segments.append({"kind": "escalate", "reason": "person"})
        return segments or [{"kind": "form", "name": "not_found"}]

    def _sentence(self, clause: dict[str, Any]) -> int:
        """A sentence that gives orders is shown when it can be: that is obeying, too."""
        for number, text in clause["sentences"].items():
            if "Assistant:" in text:
                return int(number)
        return 1
