"""The three tools that a model may call, one a step, and the reading of their arguments.

A schema is a hint to the provider; every argument is checked here again. A boolean is not a number, an unknown key is
a violation, and nothing is repaired silently.
"""

import json
from dataclasses import dataclass
from typing import Any

from claims.agent.vocabulary import MODEL_FORMS, MODEL_REASONS, Code, Field, Kind
from knowledge.answers import MAX_CLAUSE_IDS

MAX_SEGMENTS = 8
MAX_SENTENCES = 6
MAX_FACT_CHARACTERS = 500
# Longer than any clause number can be, and short enough to keep in a record whatever a model invents.
MAX_CLAUSE_ID_CHARACTERS = 40

Tool = dict[str, Any]


@dataclass(frozen=True)
class Violation:
    """One thing wrong with a model's output: never quotes the output (`guards.md` 2.7)."""

    code: Code
    detail: str
    segment: int | None = None


class Refused(Exception):
    """The arguments of a call are not what its tool takes."""

    def __init__(self, *violations: Violation) -> None:
        super().__init__(", ".join(violation.code.value for violation in violations))
        self.violations = violations


@dataclass(frozen=True)
class ProposedFact:
    field: Field
    value: str


@dataclass(frozen=True)
class Plan:
    kind: Kind
    wants_decision: bool
    facts: tuple[ProposedFact, ...]


def _tool(name: str, description: str, properties: dict[str, Any]) -> Tool:
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


PLAN = _tool(
    "plan",
    "Say what the customer's message is. Nothing is shown to the customer from this.",
    {
        "kind": {"type": "string", "enum": [kind.value for kind in Kind]},
        "wants_decision": {
            "type": "boolean",
            "description": "true only when the customer asks for the outcome of this claim itself",
        },
        "facts": {
            "type": "array",
            "maxItems": len(Field),
            "items": {
                "type": "object",
                "properties": {
                    "field": {"type": "string", "enum": [field.value for field in Field]},
                    "value": {"type": "string", "description": "the customer's own words, copied from the message"},
                },
                "required": ["field", "value"],
                "additionalProperties": False,
            },
        },
    },
)

CONTEXT_RESOLVE = _tool(
    "context_resolve",
    "Name the clauses of policy_clause_directory that the question needs; they are then fetched whole.",
    {"clause_ids": {"type": "array", "maxItems": MAX_CLAUSE_IDS, "items": {"type": "string"}}},
)

_SEGMENT_FIELDS: dict[str, dict[str, Any]] = {
    "quote": {
        "clause_id": {"type": "string"},
        "sentences": {"type": "array", "minItems": 1, "maxItems": MAX_SENTENCES, "items": {"type": "integer"}},
    },
    "plain": {"clause_id": {"type": "string"}, "line": {"type": "integer"}},
    "schedule": {"section": {"type": "string"}},
    "form": {"name": {"type": "string", "enum": [form.value for form in MODEL_FORMS]}},
    "noted": {"field": {"type": "string", "enum": [field.value for field in Field]}},
    "ask": {"field": {"type": "string", "enum": [field.value for field in Field]}},
    "status": {},
    "clarify": {"text": {"type": "string"}},
    "escalate": {"reason": {"type": "string", "enum": [reason.value for reason in MODEL_REASONS]}},
}

ANSWER = _tool(
    "answer",
    "End the turn. Each segment names something that the server then shows in its own words.",
    {
        "segments": {
            "type": "array",
            "minItems": 1,
            "maxItems": MAX_SEGMENTS,
            "items": {
                "anyOf": [
                    {
                        "type": "object",
                        "properties": {"kind": {"type": "string", "const": kind}, **fields},
                        "required": ["kind", *fields],
                        "additionalProperties": False,
                    }
                    for kind, fields in _SEGMENT_FIELDS.items()
                ]
            },
        }
    },
)


def name_of(tool: Tool) -> str:
    return str(tool["function"]["name"])


def read_arguments(raw: str) -> dict[str, Any]:
    """The JSON object of a call's arguments. Raises Refused (V2)."""
    try:
        arguments = json.loads(raw, parse_constant=_no_constant)
        _must_be_storable(arguments)
    except (ValueError, RecursionError) as error:
        raise Refused(Violation(Code.MALFORMED, "the arguments are not JSON")) from error
    if not isinstance(arguments, dict):
        raise Refused(Violation(Code.MALFORMED, "the arguments are not an object"))
    return arguments


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _must_be_storable(arguments: Any) -> None:
    """Escapes can spell a NUL or half of a surrogate pair, which no table can hold. Raises ValueError."""
    text = json.dumps(arguments, ensure_ascii=False)
    text.encode()
    if r"\u0000" in text:
        raise ValueError("NUL")


def read_plan(raw: str) -> Plan:
    """Raises Refused (V2). Whether a fact's words stand in the message is checked by `facts.py`."""
    arguments = read_arguments(raw)
    _only(arguments, {"kind", "wants_decision", "facts"})
    kind, wants, facts = arguments["kind"], arguments["wants_decision"], arguments["facts"]
    if not isinstance(kind, str) or kind not in set(Kind):
        raise Refused(Violation(Code.MALFORMED, "kind is not one of the listed"))
    if not isinstance(wants, bool):
        raise Refused(Violation(Code.MALFORMED, "wants_decision is not true or false"))
    if not isinstance(facts, list) or len(facts) > len(Field):
        raise Refused(Violation(Code.MALFORMED, f"facts is not a list of at most {len(Field)}"))
    return Plan(Kind(kind), wants, tuple(_read_fact(fact) for fact in facts))


def _read_fact(fact: Any) -> ProposedFact:
    if not isinstance(fact, dict):
        raise Refused(Violation(Code.MALFORMED, "a fact is not an object"))
    _only(fact, {"field", "value"})
    name, value = fact["field"], fact["value"]
    if not isinstance(name, str) or name not in set(Field):
        raise Refused(Violation(Code.MALFORMED, "a fact's field is not one of the listed"))
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_FACT_CHARACTERS:
        raise Refused(Violation(Code.MALFORMED, "a fact's value is not text of at most 500 characters"))
    return ProposedFact(Field(name), value)


def read_clause_ids(raw: str) -> tuple[str, ...]:
    """None to three ids, each once, in the model's order (M14, M19). Raises Refused (V2, V8): nothing is fetched."""
    arguments = read_arguments(raw)
    _only(arguments, {"clause_ids"})
    ids = arguments["clause_ids"]
    if not isinstance(ids, list) or not all(isinstance(clause_id, str) for clause_id in ids):
        raise Refused(Violation(Code.MALFORMED, "clause_ids is not a list of ids"))
    if len(ids) > MAX_CLAUSE_IDS:
        raise Refused(Violation(Code.OVER_LIMIT, f"at most {MAX_CLAUSE_IDS} clause ids can be named"))
    if any(len(clause_id) > MAX_CLAUSE_ID_CHARACTERS for clause_id in ids):
        raise Refused(Violation(Code.MALFORMED, f"a clause id has at most {MAX_CLAUSE_ID_CHARACTERS} characters"))
    return tuple(dict.fromkeys(ids))


def read_segments(raw: str) -> tuple[dict[str, Any], ...]:
    """1 to 8 segments of known kinds with exactly their keys. Raises Refused (V2, V7). Their truth is `reply.py`'s."""
    arguments = read_arguments(raw)
    _only(arguments, {"segments"})
    segments = arguments["segments"]
    if not isinstance(segments, list) or not 1 <= len(segments) <= MAX_SEGMENTS:
        raise Refused(Violation(Code.MALFORMED, f"segments is not a list of 1 to {MAX_SEGMENTS}"))
    for number, segment in enumerate(segments):
        if not isinstance(segment, dict) or not isinstance(segment.get("kind"), str):
            raise Refused(Violation(Code.MALFORMED, "a segment is not an object with a kind", number))
        fields = _SEGMENT_FIELDS.get(segment["kind"])
        if fields is None:
            raise Refused(Violation(Code.UNKNOWN_KIND, "the kind of a segment is not one of the listed", number))
        _only(segment, {"kind", *fields}, number)
    return tuple(segments)


def _only(found: dict[str, Any], expected: set[str], segment: int | None = None) -> None:
    if set(found) != expected:
        raise Refused(
            Violation(Code.MALFORMED, f"exactly these keys are taken: {', '.join(sorted(expected))}", segment)
        )
