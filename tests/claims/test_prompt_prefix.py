"""P10 on the wire: what stands before a turn's own message is the same bytes for all claims of a family and release."""

import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from tests.builders_claims import (
    RENTAL,
    UNKNOWN,
    WITH_TRANSPORT,
    WITHOUT_TRANSPORT,
    lookup,
    open_claim,
    plan,
    quote,
    tool_of,
)

pytestmark = pytest.mark.usefixtures("portal")

STEPS = ("plan", "context_resolve", "answer")
NOON = datetime(2026, 6, 3, 0, 0, tzinfo=UTC)


def prefix_of(body):
    """Everything of a request but the messages after the first, in the order of the wire."""
    return json.dumps({**body, "messages": body["messages"][:1]}, ensure_ascii=False)


def test_P10_the_prefix_is_the_same_bytes_for_every_claim_of_a_family_and_release(model):
    def one_turn():
        return lookup(RENTAL, segments=[quote(1)])

    fake = model([*one_turn(), plan("report", place="Ōtara"), *one_turn() * 4])
    with time_machine.travel(NOON, tick=False) as clock:
        first = open_claim(WITH_TRANSPORT)
        first.say("Does my policy include a rental car?")
        first.say("It was in Ōtara.")
        first.say("And does that include fuel?")
        open_claim(WITHOUT_TRANSPORT).say("Do I get a rental? I am Mere Tīpene of NW-MTR-204519.")
        clock.shift(timedelta(days=40))
        open_claim(UNKNOWN, family="motor", loss_date="2026-05-01").say("Gibt es einen Mietwagen?")
        open_claim(WITH_TRANSPORT).say("rental?? " * 300)
    assert len(fake.requests) == 16
    for step in STEPS:
        sent = [prefix_of(body) for body in fake.requests if tool_of(body) == step]
        assert len(sent) >= 5
        assert len(set(sent)) == 1
        assert len({json.dumps(body["messages"][1:]) for body in fake.requests if tool_of(body) == step}) == len(sent)


def test_P10_a_repair_keeps_the_prefix_of_its_step(model):
    bad = quote(99)
    fake = model([*lookup(RENTAL, segments=[bad]), lookup(RENTAL, segments=[quote(1)])[-1]])
    assert open_claim().say("Does my policy include a rental car?")["outcome"] == "answered"
    assert prefix_of(fake.requests[2]) == prefix_of(fake.requests[3])
    assert fake.requests[3]["messages"][:2] == fake.requests[2]["messages"]
