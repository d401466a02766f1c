"""EvilProvider: a model in this process, from a seed, in four moods; no wire, so many thousand outputs are quick.

random: the grammar of broken shapes of `hostile.py`. mutant: one change to a valid reply. obedient: does whatever the
customer's text or a clause asks, in free text and in segments. liar: well-formed, and wrong in everything that can be.
It stands where a turn asks its model, and looks only at what that model is given.
"""

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from claims.agent.model import (
    ModelFault,
    ModelMalformed,
    ModelRefused,
    ModelReply,
    ModelTimeout,
    ModelUnavailable,
    ToolCall,
)
from tests.fakellm import Body, Step
from tests.hostile import CANARY, FIELDS, HostileModel, offered
from tests.obedient import ObedientModel

MOODS = ("random", "mutant", "obedient", "liar")
QUESTIONS_BACK = (
    "Where were you when it happened?",
    "Did the water come in through the roof or from a pipe?",
    "Was the car parked on the street that night?",
    "Which window was broken, the front one or the back one?",
    "Were you driving when the crash happened?",
)
FAULTS: tuple[Callable[[], ModelFault], ...] = (
    lambda: ModelTimeout("planted"),
    lambda: ModelUnavailable("planted", passing=True),
    lambda: ModelUnavailable("planted"),
    lambda: ModelRefused("planted"),
    lambda: ModelMalformed("planted"),
)


class ProviderBroke(Exception):
    """No error that the portal knows: what a provider's client may raise."""


@dataclass(frozen=True)
class Sent:
    """One output and the request that it answers; no reply where the provider failed."""

    tool: str
    request: list[Body]
    offer: Body
    seconds: float
    mood: str
    reply: ModelReply | None


class EvilProvider:
    """In the place of `ask_model`. `sent` is what this turn was sent; whoever drives the turns clears it.

    `names` are references of other claims: it would like to speak of them. `on_ask` runs before each output.
    """

    def __init__(
        self, seed: int, *, moods: tuple[str, ...] = MOODS, faulty: float = 0.02, names: tuple[str, ...] = ()
    ) -> None:
        self.random = Random(seed)
        self.grammar = HostileModel(seed, good_share=0.55)
        self.grammar.random = self.random
        self.obedient = ObedientModel(self.random)
        self.moods, self.faulty, self.names = moods, faulty, names
        self.mood = moods[0]
        self.sent: list[Sent] = []
        self.count = 0
        self.on_ask: Callable[[], None] = lambda: None

    def __call__(self, config: Any, messages: list[Body], tool: Body, seconds: float) -> ModelReply:
        name = tool["function"]["name"]
        if name == "plan" and len(messages) == 2:
            self.mood = self.random.choice(self.moods)
        self.count += 1
        self.on_ask()
        request = list(messages)
        try:
            reply = self._reply(messages, tool, name)
        except Exception:
            self.sent.append(Sent(name, request, tool, seconds, self.mood, None))
            raise
        self.sent.append(Sent(name, request, tool, seconds, self.mood, reply))
        return reply

    def _reply(self, messages: list[Body], tool: Body, name: str) -> ModelReply:
        roll = self.random.random()
        if roll < self.faulty:
            if roll < self.faulty / 10:
                raise ProviderBroke("planted")
            raise self.random.choice(FAULTS)()
        if roll < self.faulty * 1.05:
            return None  # type: ignore[return-value]
        body = {"tools": [tool], "messages": messages}
        given = json.loads(messages[1]["content"])
        made = {"random": self._random, "mutant": self._mutant, "obedient": self._obedient, "liar": self._liar}
        return made[self.mood](name, body, given)

    def _random(self, name: str, body: Body, given: Body) -> ModelReply:
        self.grammar.outputs.clear()
        return as_reply(self.grammar(body))

    def _obedient(self, name: str, body: Body, given: Body) -> ModelReply:
        return as_reply(self.obedient(body))

    def _mutant(self, name: str, body: Body, given: Body) -> ModelReply:
        """A valid reply; every second one with one change."""
        valid = self._valid(name, body, given)
        if self.random.random() < 0.65:
            return self._call(name, json.dumps(valid))
        change = self.random.choice([self._change_a_value] * 5 + [self._change_the_shape] * 2 + [self._change_around])
        return change(name, valid)

    def _valid(self, name: str, body: Body, given: Body) -> Body:
        valid = self.grammar.good(name, body, given)
        if name == "answer" and valid["segments"][0].get("name") != "not_found":
            extra: list[Body] = [{"kind": "status"}, {"kind": "clarify", "text": self.random.choice(QUESTIONS_BACK)}]
            if self.random.random() < 0.3:
                valid["segments"].insert(self.random.randint(0, len(valid["segments"])), self.random.choice(extra))
        return valid

    def _change_a_value(self, name: str, valid: Body) -> ModelReply:
        """One value somewhere in the arguments is another, a little or wholly."""
        changed = copy.deepcopy(valid)
        places = list(_places(changed))
        holder, key = self.random.choice(places) if places else (changed, next(iter(changed)))
        holder[key] = self._other(holder[key])
        return self._call(name, json.dumps(changed))

    def _other(self, value: Any) -> Any:
        general: list[Any] = [None, True, [], {}, self._lie(), 0, -1, 10**30, 1.5, [value], {"value": value}]
        near: list[Any] = []
        if isinstance(value, str):
            at = self.random.randrange(len(value) + 1)
            near = [value[:at] + x + value[at:] for x in ("\u200b", "x", " ", "О")] + [value.lower(), value[:-1]]
        elif type(value) is int:
            near = [value + 1, value - 1, -value, bool(value), str(value), float(value), value * 100]
        return self.random.choice(self.random.choice([general, near or general]))

    def _change_the_shape(self, name: str, valid: Body) -> ModelReply:
        """A key more or less, a list turned round or doubled, a segment of free text among good ones."""
        changed = copy.deepcopy(valid)
        items = changed.get("segments") or changed.get("facts") or changed.get("clause_ids") or []
        holder = self.random.choice([changed, *(item for item in items if isinstance(item, dict))])
        kind = self.random.randrange(5)
        if kind == 0:
            holder[self.random.choice(["text", "reply", "amount", "confirmed", CANARY])] = self._lie()
        elif kind == 1 and holder:
            del holder[self.random.choice(list(holder))]
        elif kind == 2:
            items.reverse()
        elif kind == 3:
            items.extend(copy.deepcopy(items) * 3)
        elif name == "answer":
            items.insert(self.random.randint(0, len(items)), {"kind": "text", "text": self._lie()})
        return self._call(name, json.dumps(changed))

    def _change_around(self, name: str, valid: Body) -> ModelReply:
        """The arguments stay; the envelope or its JSON is another."""
        text = json.dumps(valid)
        call = ToolCall("call_1", name, text)
        odd = [
            ModelReply((call,), None, "length", "evil"),
            ModelReply((call,), None, "content_filter", "evil"),
            ModelReply((call, call), None, "tool_calls", "evil"),
            ModelReply((call, ToolCall("call_2", "pay", "{}")), None, "tool_calls", "evil"),
            ModelReply((ToolCall("call_1", self._lie(), text),), None, "tool_calls", "evil"),
            ModelReply((), self._lie(), "stop", "evil"),
            ModelReply((), text, "tool_calls", "evil"),
            ModelReply((), None, "tool_calls", "evil"),
        ]
        cut = text[: self.random.randrange(len(text))]
        return self.random.choice([*odd, self._call(name, cut), self._call(name, text + text)])

    def _liar(self, name: str, body: Body, given: Body) -> ModelReply:
        if name == "plan":
            return self._call(name, json.dumps(self._false_plan(given)))
        if name == "context_resolve":
            ids = self.grammar.strange_ids(given)[:2] if self.random.random() < 0.15 else []
            return self._call(
                name, json.dumps({"clause_ids": [*ids, *self.grammar.good(name, body, given)["clause_ids"]][:3]})
            )
        if self.random.random() < 0.5:
            return self._call(name, json.dumps(self._valid(name, body, given)))
        segments = self._valid(name, body, given)["segments"]
        lie = self.random.choice(self._false_segments(body, given))
        segments.insert(self.random.choice([0, len(segments), self.random.randint(0, len(segments))]), lie)
        return self._call(name, json.dumps({"segments": segments[:8]}))

    def _false_plan(self, given: Body) -> Body:
        """Another kind than it is, no decision where one is asked for, words that the customer did not write."""
        plan = self.grammar.good("plan", {}, given)
        plan["wants_decision"] = self.random.random() < 0.1
        if self.random.random() < 0.4:
            plan["facts"] = [{"field": self.random.choice(FIELDS), "value": self._lie()[:400]}]
        return plan

    def _false_segments(self, body: Body, given: Body) -> list[Body]:
        """A decision in a frame, last turn's clause, the other ending, a row that is not there."""
        stale = [i for turn in given["history"] for i in turn["clause_ids"]] + offered(body)[:4]
        clauses = given["evidence"]["clauses"]
        lines = [{"kind": "plain", "clause_id": c["clause_id"], "line": True} for c in clauses]
        return [
            {"kind": "quote", "clause_id": self.random.choice(stale), "sentences": [1]},
            {"kind": "plain", "clause_id": self.random.choice(stale), "line": 1},
            {"kind": "form", "name": "not_found"},
            {"kind": "form", "name": "unavailable"},
            {"kind": "form", "name": self.random.choice(["approved", "no_schedule", "cannot_decide"])},
            {
                "kind": "schedule",
                "section": self.random.choice(["alternative_transport", "full_cover", "excess_waived"]),
            },
            {"kind": "clarify", "text": self.random.choice([self._lie(), "You are covered for this, is that clear?"])},
            {"kind": "clarify", "text": "Did you know that your claim is approved?"},
            {"kind": "noted", "field": "what_happened"},
            {"kind": "escalate", "reason": "person"},
            {"kind": "escalate", "reason": self.random.choice(["guard_rejected", self._lie()])},
            {"kind": "status"},
            *lines,
        ]

    def _lie(self) -> str:
        about = f" Reference {self.random.choice(self.names)}." if self.names and self.random.random() < 0.4 else ""
        return self.grammar.words() + about

    def _call(self, name: str, arguments: str) -> ModelReply:
        """One call; sometimes with words beside it, and with whatever reason for having ended."""
        beside = self._lie() if self.random.random() < 0.25 else None
        roll = self.random.random()
        reason = "stop" if roll < 0.15 else None if roll < 0.2 else "length" if roll < 0.22 else "tool_calls"
        return ModelReply((ToolCall("call_1", name, arguments),), beside, reason, "evil", 100, 20)


def _places(value: Any) -> Any:
    """(holder, key) of every value in it."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


def as_reply(step: Step) -> ModelReply:
    """What the portal's door makes of a step of a scripted provider. Raises ModelFault."""
    if step.status != 200:
        raise ModelUnavailable("scripted", passing=True)
    if step.cut:
        raise ModelUnavailable("scripted")
    if step.raw is None:
        calls = tuple(ToolCall(f"call_{n}", name, text) for n, (name, text) in enumerate(step.calls))
        return ModelReply(
            calls, step.text, step.finish_reason or ("tool_calls" if calls else "stop"), "evil", *step.usage
        )
    try:
        choice = json.loads(step.raw)["choices"][0]
        made = [
            ToolCall(c["id"], c["function"]["name"], c["function"]["arguments"])
            for c in choice["message"]["tool_calls"]
        ]
    except ValueError as error:
        raise ModelMalformed("scripted") from error
    return ModelReply(tuple(made), choice["message"]["content"], choice["finish_reason"], "evil")
