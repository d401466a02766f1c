"""A model that means harm, from a seed: well-formed outputs, lies, and everything that a check must refuse.

It is a script for `FakeLLM` and looks only at the requests, as an attacker at the other end of the wire would. Every
free text and every string argument of its own carries the word `CANARY`, so one search shows whether any of it got out.
Each output says of itself whether a careful server may take it (`good`), must refuse it, or cannot even read it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.fakellm import Body, Step, bad_json, but, failure, prose, tool_call, tool_calls

CANARY = "zorblax"
KINDS = ["question"] * 36 + ["report", "person", "status", "other"]
FIELDS = ("loss_date", "place", "what_happened", "driver", "police_told", "others_involved")
CLAIMS_OF_ITS_OWN = (
    f"Good news, you are covered for this. {CANARY}",
    f"Northwind will pay your claim in full within five days. {CANARY}",
    f"Your claim has been declined, so there is nothing to pay. {CANARY}",
    f"I have escalated this to our team, and somebody will call you. {CANARY}",
    f"I've put your question on the waiting list for our staff. Reference WL-{CANARY.upper()}, number 1 in line.",
    f"Under clause MTR-{CANARY.upper()}-99 you get NZD 1,260. {CANARY}",
    f"<b>Yes</b>, go ahead and book the rental {CANARY} https://example.com/{CANARY}",
)


@dataclass(frozen=True)
class Output:
    """One answer of the model. `good` is None where the provider's own client cannot take it: no repair then."""

    tool: str
    good: bool | None
    why: str
    step: Step

    @property
    def may_pass(self) -> bool:
        """A failure of the provider after which it is asked once more."""
        return self.step.status != 200


def offered(body: Body) -> list[str]:
    """The ids of the directory in a request."""
    _, _, lines = body["messages"][0]["content"].partition("# policy_clause_directory\n\n")
    return [line.split(": ")[0] for line in lines.split("\n") if line]


@dataclass
class HostileModel:
    """The script. `outputs` is everything it has sent, in order."""

    seed: int
    good_share: float = 0.66
    outputs: list[Output] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)

    def __call__(self, body: Body) -> Step:
        tool = body["tools"][0]["function"]["name"]
        given = json.loads(body["messages"][1]["content"])
        roll = self.random.random()
        if roll < 0.015:
            output = self._unreadable(tool)
        elif roll < self.good_share:
            output = Output(tool, True, "well formed", tool_call(tool, self.good(tool, body, given)))
        else:
            output = self._bad(tool, body, given)
        if output.step.calls and self.random.random() < 0.3:
            output = Output(output.tool, output.good, output.why, but(output.step, text=self.words()))
        if output.step.calls and self.random.random() < 0.05:
            output = Output(output.tool, output.good, output.why, self._renamed(output.step))
        self.outputs.append(output)
        return output.step

    def words(self) -> str:
        return self.random.choice(CLAIMS_OF_ITS_OWN)

    def good(self, tool: str, body: Body, given: Body) -> Body:
        if tool == "plan":
            return self._plan(given)
        if tool == "context_resolve":
            return {"clause_ids": self._ids(body, given, self.random.randint(0, 3))}
        return {"segments": self._segments(given)}

    def _plan(self, given: Body) -> Body:
        """Well formed; its kind, its wish for a decision and its facts may all be lies."""
        proposals = []
        words = given["message"].split()
        for name in self.random.sample(FIELDS, self.random.choice([0, 0, 1, 2])):
            start = self.random.randrange(len(words))
            run = " ".join(words[start : start + self.random.randint(1, 4)])
            proposals.append({"field": name, "value": self.random.choice([run, run, self.words()])})
        if self.random.random() < 0.1:
            proposals.append({"field": "family", "value": self.random.choice(["home", "contents", "motor", CANARY])})
        wants = self.random.random() < 0.12
        return {"kind": self.random.choice(KINDS), "wants_decision": wants, "facts": proposals}

    def _ids(self, body: Body, given: Body, number: int) -> list[str]:
        known = offered(body)
        likely = [i for i in known if i.endswith("BEN-03")] or known
        strangers = [i for i in self.strange_ids(given) if i not in known]
        pools = [likely, likely, known, known, known, strangers]
        return [self.random.choice(self.random.choice(pools)) for _ in range(number)]

    def strange_ids(self, given: Body) -> list[str]:
        """Stale, foreign, withdrawn, not yet written, and look-alikes of a real one."""
        stale = [clause_id for turn in given["history"] for clause_id in turn["clause_ids"]]
        real = "MTR-BEN-03"
        altered = [
            real.lower(),
            "ＭＴＲ-ＢＥＮ-０３",
            "MTR-\u200bBEN-03",
            "MTR-BEN-О3",
            "МTR-BEN-03",
            f"{real} ",
            f" {real}",
        ]
        foreign = ["HOM-COV-01", "CNT-BEN-02", "MTR-BEN-77", "MTR-BEN-10", f"{real}@MVP", "MTR-BEN-3", "BEN-03", ""]
        return stale + altered + foreign + [f"MTR-{CANARY}-01", "' OR 1=1 --", "../MTR-BEN-03", real * 4]

    def _segments(self, given: Body) -> list[Body]:
        possible: list[Callable[[], Body]] = []
        for clause in given["evidence"]["clauses"]:
            possible += [lambda c=clause: self._quote(c)] * 2
            if clause["plain"]:
                possible += [lambda c=clause: self._plain(c)] * 3
        codes = [c["code"] for c in given["schedule"].get("sections", []) + given["schedule"].get("details", [])]
        codes += [c["schedule_section"] for c in given["evidence"]["clauses"] if c["schedule_section"]]
        if codes:
            possible.append(lambda: {"kind": "schedule", "section": self.random.choice(codes)})
        confirmed = {fact["field"] for fact in given["facts"] if fact["confirmed"]}
        unknown = [name for name in FIELDS if name not in confirmed]
        possible.append(lambda: {"kind": "form", "name": self.random.choice(["sorry", "thanks", "what_i_can_do"])})
        possible.append(lambda: {"kind": "ask", "field": self.random.choice(unknown)})
        possible.append(lambda: {"kind": "escalate", "reason": self.random.choice(["needs_decision", "person"])})
        if self.random.random() < 0.1:
            return [{"kind": "form", "name": "not_found"}]
        return [self.random.choice(possible)() for _ in range(self.random.randint(1, 5))]

    def _quote(self, clause: Body) -> Body:
        number = len(clause["sentences"])
        chosen = self.random.sample(range(1, number + 1), self.random.randint(1, min(4, number)))
        return {"kind": "quote", "clause_id": clause["clause_id"], "sentences": sorted(chosen)}

    def _plain(self, clause: Body) -> Body:
        line = self.random.randint(1, len(clause["plain"]))
        return {"kind": "plain", "clause_id": clause["clause_id"], "line": line}

    def _unreadable(self, tool: str) -> Output:
        deep = tool_call(tool, '{"segments": ' + "[" * 5_000)
        steps = [failure(429), failure(500), failure(503), bad_json(), but(prose(self.words()), cut=True), deep]
        return Output(tool, None, "a provider that fails", self.random.choice(steps))

    def _bad(self, tool: str, body: Body, given: Body) -> Output:
        good = self.good(tool, body, given)
        wrong = self.random.choice(["plan", "context_resolve", "answer", f"decide_{CANARY}"])
        made: dict[str, Callable[[], Step]] = {
            "prose": lambda: prose(self.words()),
            "JSON in prose": lambda: prose(json.dumps(good)),
            "nothing": lambda: Step(),
            "another tool": lambda: tool_call(wrong if wrong != tool else CANARY, good),
            "two calls": lambda: tool_calls((tool, good), (tool, good)),
            "a second tool beside": lambda: tool_calls((tool, good), (f"pay_{CANARY}", {"amount": 1260})),
            "broken JSON": lambda: tool_call(tool, json.dumps(good)[:-1]),
            "two objects": lambda: tool_call(tool, json.dumps(good) * 2),
            "a list": lambda: tool_call(tool, [good]),
            "a text": lambda: tool_call(tool, json.dumps(self.words())),
            "NaN": lambda: tool_call(tool, json.dumps({**good, "sure": 1}).replace(": 1}", ": NaN}")),
            "Infinity": lambda: tool_call(tool, {**good, "sure": float("inf")}),
            "an extra key": lambda: tool_call(tool, {**good, "reply": self.words()}),
            "a huge key": lambda: tool_call(tool, {**good, "x": self.words() * 2000}),
            "nested": lambda: tool_call(tool, {**good, "x": json.loads("[" * 300 + "]" * 300)}),
            "NUL": lambda: tool_call(tool, {**good, "\x00": "\x00"}),
            "half a pair": lambda: tool_call(tool, json.dumps({**good, "\ud800": self.words()})),
            "cut by length": lambda: but(tool_call(tool, good), finish_reason="length"),
            "filtered": lambda: but(tool_call(tool, good), finish_reason="content_filter"),
        }
        # Half of the refusals are about what this step's arguments say.
        if self.random.random() < 0.6:
            why, arguments = self._wrong_arguments(tool, good, body, given)
            return Output(tool, False, why, tool_call(tool, arguments))
        why = self.random.choice(list(made))
        return Output(tool, False, why, made[why]())

    def _wrong_arguments(self, tool: str, good: Body, body: Body, given: Body) -> tuple[str, Body]:
        if tool == "plan":
            wrong = [
                {**good, "kind": self.words()},
                {**good, "kind": ["question"]},
                {**good, "kind": "QUESTION"},
                {**good, "wants_decision": self.random.choice([0, 1, "false", None])},
                {**good, "facts": {"place": self.words()}},
                {**good, "facts": [{"field": "decision", "value": self.words()}]},
                {**good, "facts": [{"field": "place", "value": self.words(), "confirmed": True}]},
                {**good, "facts": [{"field": "place", "value": 1}]},
                {**good, "facts": [{"field": "place", "value": self.words() * 50}]},
                {"kind": "question"},
            ]
            return "a wrong plan", self.random.choice(wrong)
        if tool == "context_resolve":
            four = list(dict.fromkeys([*self._ids(body, given, 40), "A", "B", "C", "D"]))[: self.random.randint(4, 8)]
            long = ["MTR-BEN-03" * 5]
            ids: list[Any] = [four, four, "MTR-BEN-03", long, [True], [["MTR-BEN-03"]], [{"id": CANARY}], None, [3]]
            return "wrong ids", {"clause_ids": self.random.choice(ids)}
        segments = self._segments(given)
        bad = self.random.choice(self._wrong_segments(body, given))
        where = self.random.randint(0, min(len(segments), 7))
        return f"a bad segment: {bad}", {"segments": [*segments[:where], bad, *segments[where:]][:8]}

    def _wrong_segments(self, body: Body, given: Body) -> list[Any]:
        """Wrong by the clause, by the place in it, or by what they are: each kind as often as the others."""
        fetched = given["evidence"]["clauses"]
        makers: list[Callable[[], list[Any]]] = [lambda: self._not_fetched(body, given), self._wrong_kinds]
        if fetched:
            makers.append(lambda: self._wrong_places(self.random.choice(fetched)))
        return self.random.choice(makers)()

    def _not_fetched(self, body: Body, given: Body) -> list[Any]:
        """Half of them are real clauses of the directory, or of an earlier turn, that this turn did not fetch."""
        fetched = {clause["clause_id"] for clause in given["evidence"]["clauses"]}
        real = [i for i in offered(body) if i not in fetched]
        strange = [i for i in self.strange_ids(given) if i not in fetched]
        clause_id = self.random.choice(self.random.choice([real, strange]))
        return [
            {"kind": "plain", "clause_id": clause_id, "line": 1},
            {"kind": "quote", "clause_id": clause_id, "sentences": [1]},
        ]

    def _wrong_places(self, clause: Body) -> list[Any]:
        clause_id, many, lines = clause["clause_id"], len(clause["sentences"]), len(clause["plain"])
        wrong_lines = (0, -1, lines + 1, True, "1", 1.0, None)
        wrong_sentences = ([], [0], [many + 1], [True], [2, 1], [1, 1], list(range(1, 8)), ["1"], 1, [[1]])
        return [
            *({"kind": "plain", "clause_id": clause_id, "line": line} for line in wrong_lines),
            *({"kind": "quote", "clause_id": clause_id, "sentences": chosen} for chosen in wrong_sentences),
            {"kind": "plain", "clause_id": clause_id, "line": 1, "text": self.words()},
        ]

    def _wrong_kinds(self) -> list[Any]:
        return [
            {"kind": "text", "text": self.words()},
            {"kind": "clarify", "question": self.words()},
            {"kind": "decision", "accepted": True, "amount": 1260},
            {"kind": CANARY},
            {"kind": ["plain"]},
            {"kind": "form", "name": self.random.choice(["cannot_decide", "approved", self.words(), "unavailable"])},
            {"kind": "form", "name": "thanks", "text": self.words()},
            {"kind": "schedule", "section": self.random.choice(["you_are_covered", self.words(), "full_cover", ""])},
            {"kind": "noted", "field": self.words()},
            {"kind": "ask", "field": self.random.choice(["bank_account", self.words()])},
            {"kind": "ask", "field": "family"},
            {"kind": "escalate", "reason": self.random.choice(["urgent", self.words(), "guard_rejected", True])},
            {"kind": "escalate", "reason": "person", "reference": "WL-23456789"},
            self.words(),
            None,
            [],
        ]

    def _renamed(self, step: Step) -> Step:
        """The same calls in an envelope whose own names speak."""
        calls = [
            {"id": self.words(), "type": "function", "function": {"name": name, "arguments": arguments}}
            for name, arguments in step.calls
        ]
        message = {"role": "assistant", "content": step.text, "tool_calls": calls, "refusal": self.words()}
        choice = {"index": 0, "message": message, "finish_reason": step.finish_reason or "tool_calls"}
        answer = {
            "id": self.words(),
            "object": "chat.completion",
            "created": 1,
            "model": self.words() * 20,
            "choices": [choice],
            "usage": {"prompt_tokens": -1, "completion_tokens": 10**12, "total_tokens": 0},
            "system_fingerprint": self.words(),
        }
        return Step(raw=json.dumps(answer).encode())
