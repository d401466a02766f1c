"""The three tools: what their schemas say, and that any arguments are typed or refused, never another exception."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.agent import tools
from claims.agent.tools import ANSWER, CONTEXT_RESOLVE, PLAN, Plan, Refused, read_clause_ids, read_plan, read_segments
from claims.agent.vocabulary import MODEL_FORMS, MODEL_REASONS, Code, Field, Kind
from knowledge.answers import MAX_CLAUSE_IDS

ROOT = Path(__file__).parents[3]
READERS = [read_plan, read_clause_ids, read_segments]

KEYS = ["kind", "wants_decision", "facts", "clause_ids", "segments", "field", "value", "clause_id", "sentences", "line",
        "section", "name", "reason", "extra"]  # fmt: skip
WORDS = [*Kind, *Field, *MODEL_FORMS, *MODEL_REASONS, "quote", "plain", "schedule", "form", "noted", "ask", "escalate",
         "status", "MTR-BEN-03", "", "\x00", "\ud800"]  # fmt: skip

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from([str(word) for word in WORDS]),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=5), inner),
    max_leaves=30,
)
plans = st.fixed_dictionaries({"kind": values, "wants_decision": values, "facts": st.lists(values) | values})
ids = st.fixed_dictionaries({"clause_ids": st.lists(scalars, max_size=5) | values})
segments = st.fixed_dictionaries({"segments": st.lists(st.dictionaries(st.sampled_from(KEYS), values), max_size=10)})


def objects(schema):
    """Every object in a schema, however deep."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for inner in schema.values():
            yield from objects(inner)
    if isinstance(schema, list):
        for inner in schema:
            yield from objects(inner)


@pytest.mark.parametrize("tool", [PLAN, CONTEXT_RESOLVE, ANSWER], ids=tools.name_of)
def test_every_object_of_a_schema_takes_its_keys_and_no_other(tool):
    found = list(objects(tool["function"]["parameters"]))
    assert found
    for schema in found:
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
    json.dumps(tool)


def test_M14_M19_the_schema_takes_three_ids_at_most():
    assert CONTEXT_RESOLVE["function"]["parameters"]["properties"]["clause_ids"]["maxItems"] == MAX_CLAUSE_IDS == 3


def test_M19_four_ids_are_refused_and_three_are_taken_in_the_models_order():
    four = json.dumps({"clause_ids": ["A", "B", "C", "D"]})
    with pytest.raises(Refused) as refused:
        read_clause_ids(four)
    assert [violation.code for violation in refused.value.violations] == [Code.OVER_LIMIT]
    assert read_clause_ids(json.dumps({"clause_ids": ["C", "A", "B"]})) == ("C", "A", "B")
    assert read_clause_ids('{"clause_ids": []}') == ()


def test_an_id_that_is_named_twice_is_one_id_but_four_names_are_four():
    assert read_clause_ids('{"clause_ids": ["A", "A", "B"]}') == ("A", "B")
    with pytest.raises(Refused):
        read_clause_ids('{"clause_ids": ["A", "A", "A", "A"]}')


def test_an_id_that_is_too_long_for_a_clause_number_is_refused_and_kept_nowhere():
    assert read_clause_ids(json.dumps({"clause_ids": ["X" * 40]})) == ("X" * 40,)
    with pytest.raises(Refused) as refused:
        read_clause_ids(json.dumps({"clause_ids": ["MTR-BEN-03", "X" * 41]}))
    assert [violation.code for violation in refused.value.violations] == [Code.MALFORMED]


def test_M23_the_number_of_ids_stands_in_one_place():
    found = []
    for path in [
        *(ROOT / "claims").rglob("*.py"),
        *(ROOT / "knowledge").rglob("*.py"),
        *(ROOT / "portal").rglob("*.py"),
    ]:
        for line in path.read_text(encoding="utf-8").splitlines():
            if re.search(
                r"MAX_CLAUSE_IDS\s*(:.*)?=\s*\d|clause_ids.*\b(max\w*|<=|>)\s*[=:]?\s*3\b|[\"']maxItems[\"']: 3", line
            ):
                found.append(path.relative_to(ROOT).as_posix())
    assert found == ["knowledge/answers.py"]


@given(values | plans | ids | segments)
def test_any_json_is_typed_or_refused(value):
    raw = json.dumps(value)
    for read in READERS:
        try:
            assert isinstance(read(raw), Plan | tuple)
        except Refused as refused:
            assert refused.violations
            assert all(violation.code in set(Code) for violation in refused.violations)


@given(st.text())
def test_any_text_is_typed_or_refused(raw):
    for read in READERS:
        with pytest.raises(Refused):
            read(raw)


@pytest.mark.parametrize(
    "raw",
    ["", "null", "[]", "1", '"plan"', "{", '{"clause_ids": NaN}', '{"clause_ids": [Infinity]}', "[" * 100_000, "{}",
     '{"a":' * 50_000, "9" * 5000, '{"segments": "\\ud800"}', '{"kind": "question", "kind": 1}'],
)  # fmt: skip
def test_arguments_that_are_none_are_refused(raw):
    for read in READERS:
        with pytest.raises(Refused) as refused:
            read(raw)
        assert refused.value.violations[0].code is Code.MALFORMED


@given(plans)
def test_a_plan_that_is_taken_holds_only_values_of_the_vocabulary(value):
    try:
        plan = read_plan(json.dumps(value))
    except Refused:
        return
    assert isinstance(plan.kind, Kind) and isinstance(plan.wants_decision, bool)
    assert all(isinstance(fact.field, Field) and fact.value.strip() for fact in plan.facts)


GOOD_PLAN = {"kind": "question", "wants_decision": False, "facts": [{"field": "place", "value": "Ōtara"}]}


def test_a_good_plan_is_read():
    plan = read_plan(json.dumps(GOOD_PLAN))
    assert (plan.kind, plan.wants_decision, plan.facts[0].field, plan.facts[0].value) == (
        Kind.QUESTION,
        False,
        Field.PLACE,
        "Ōtara",
    )


BAD_PLANS = {
    "1 for true": {**GOOD_PLAN, "wants_decision": 1},
    "a text for true": {**GOOD_PLAN, "wants_decision": "true"},
    "none for false": {**GOOD_PLAN, "wants_decision": None},
    "another kind": {**GOOD_PLAN, "kind": "decision"},
    "a list for a kind": {**GOOD_PLAN, "kind": ["question"]},
    "another key": {**GOOD_PLAN, "reply": "You are covered."},
    "no facts": {"kind": "question", "wants_decision": False},
    "facts that are none": {**GOOD_PLAN, "facts": None},
    "another field": {**GOOD_PLAN, "facts": [{"field": "policy_number", "value": "NW-MTR-204519"}]},
    "a fact with another key": {**GOOD_PLAN, "facts": [{"field": "place", "value": "x", "confirmed": True}]},
    "a number for a value": {**GOOD_PLAN, "facts": [{"field": "place", "value": 1}]},
    "a blank value": {**GOOD_PLAN, "facts": [{"field": "place", "value": " "}]},
    "a long value": {**GOOD_PLAN, "facts": [{"field": "place", "value": "x" * 501}]},
    "too many facts": {**GOOD_PLAN, "facts": [{"field": "place", "value": "x"}] * 8},
}


@pytest.mark.parametrize("plan", BAD_PLANS.values(), ids=BAD_PLANS)
def test_a_bad_plan_is_refused(plan):
    with pytest.raises(Refused):
        read_plan(json.dumps(plan))


BAD_SEGMENTS = {
    "none": ([], Code.MALFORMED),
    "nine": ([{"kind": "form", "name": "sorry"}] * 9, Code.MALFORMED),
    "no object": (["sorry"], Code.MALFORMED),
    "no kind": ([{"name": "sorry"}], Code.MALFORMED),
    "a number for a kind": ([{"kind": 1}], Code.MALFORMED),
    "free text": ([{"kind": "text", "text": "You are covered."}], Code.UNKNOWN_KIND),
    "a question by another key": ([{"kind": "clarify", "question": "Where was it?"}], Code.MALFORMED),
    "a status that brings its words": ([{"kind": "status", "text": "Accepted."}], Code.MALFORMED),
    "a key too many": ([{"kind": "form", "name": "sorry", "text": "You are covered."}], Code.MALFORMED),
    "a key too few": ([{"kind": "quote", "clause_id": "MTR-BEN-03"}], Code.MALFORMED),
    "the last is bad": ([{"kind": "form", "name": "sorry"}, {"kind": "text"}], Code.UNKNOWN_KIND),
}


@pytest.mark.parametrize(("given_segments", "code"), BAD_SEGMENTS.values(), ids=BAD_SEGMENTS)
def test_bad_segments_are_refused_whole(given_segments, code):
    with pytest.raises(Refused) as refused:
        read_segments(json.dumps({"segments": given_segments}))
    assert refused.value.violations[0].code is code


@given(st.text(min_size=8, max_size=60, alphabet=st.characters(categories=["Lu", "Nd"])))
def test_what_was_wrong_never_quotes_the_output(secret):
    for raw in (
        json.dumps({"clause_ids": secret}),
        json.dumps({secret: 1}),
        json.dumps({"segments": [{"kind": secret}]}),
    ):
        for read in READERS:
            with pytest.raises(Refused) as refused:
                read(raw)
            assert all(secret not in violation.detail for violation in refused.value.violations)
