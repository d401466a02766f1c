"""The limits of one turn, by a clock that the test moves: the deadline, four calls, one retry, the tokens."""

import json
from dataclasses import dataclass, field

import pytest

from claims.agent import runtime
from claims.agent.model import ModelMalformed, ModelRefused, ModelReply, ModelTimeout, ModelUnavailable, ToolCall
from claims.agent.runtime import run_turn
from claims.agent.tools import name_of
from claims.agent.vocabulary import Code
from tests.builders_agent import Shelf, context

GOOD = {
    "plan": {"kind": "question", "wants_decision": False, "facts": []},
    "context_resolve": {"clause_ids": ["MTR-BEN-03"]},
    "answer": {"segments": [{"kind": "plain", "clause_id": "MTR-BEN-03", "line": 1}]},
}
PASSING = ModelUnavailable("x", passing=True)
PAUSE = 0.5


@pytest.fixture(autouse=True)
def real_pause(monkeypatch):
    """The product's own pause, which passes on this test's clock."""
    monkeypatch.setattr(runtime, "RETRY_PAUSE_SECONDS", PAUSE)


@dataclass
class Played:
    """A turn on a clock of its own: each call takes `seconds` and `tokens`, and those in `faults` raise."""

    faults: dict[int, Exception] = field(default_factory=dict)
    seconds: float = 1.0
    tokens: tuple[int | None, int | None] = (100, 20)
    bad: frozenset[int] = frozenset()
    now: float = 0.0
    asked: list[str] = field(default_factory=list)
    given: list[float] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)

    def ask(self, messages, tool, seconds):
        number = len(self.asked)
        self.asked.append(name_of(tool))
        self.given.append(seconds)
        self.now += min(self.seconds, seconds)
        if number in self.faults:
            raise self.faults[number]
        arguments = "{" if number in self.bad else json.dumps(GOOD[name_of(tool)])
        return ModelReply((ToolCall("c", name_of(tool), arguments),), None, "stop", "m", *self.tokens)

    def pause(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds

    def run(self, seconds=25.0, **limits):
        return run_turn(
            context=context(),
            family_confirmed=True,
            lookup=Shelf(),
            ask=self.ask,
            seconds=seconds,
            clock=lambda: self.now,
            pause=self.pause,
            **limits,
        )


def codes(result):
    return [violation.code for violation in result.violations]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_passing_fault_is_asked_once_more_after_a_pause_and_counts_as_a_call(place):
    turn = Played({place: PASSING})
    result = turn.run()
    steps = ["plan", "context_resolve", "answer"]
    assert turn.asked == [*steps[: place + 1], *steps[place:]]
    assert (turn.pauses, result.failed, len(result.calls)) == ([PAUSE], False, 4)
    assert result.segments
    assert [call.error for call in result.calls].count("ModelUnavailable") == 1
    assert codes(result) == [Code.PROVIDER], "the record tells that the provider failed"


@pytest.mark.parametrize("faults", [{0: PASSING, 1: PASSING}, {0: PASSING, 2: PASSING}])
def test_a_second_fault_in_a_turn_ends_it_at_whichever_step(faults):
    turn = Played(faults)
    result = turn.run()
    assert result.failed and not result.segments
    assert len(turn.asked) == max(faults) + 1
    assert turn.pauses == [PAUSE]


@pytest.mark.parametrize(
    "fault", [ModelTimeout("x"), ModelUnavailable("x"), ModelRefused("x"), ModelMalformed("x")], ids=type
)
def test_a_fault_that_asking_again_does_not_mend_is_not_asked_again(fault):
    turn = Played({1: fault})
    assert turn.run().failed
    assert (turn.asked, turn.pauses) == (["plan", "context_resolve"], [])


def test_no_retry_where_the_pause_would_use_up_the_turn():
    turn = Played({0: PASSING}, seconds=9.6)
    result = turn.run(seconds=10.0)
    assert result.failed
    assert (turn.asked, turn.pauses) == (["plan"], []), "a turn does not wait for a call that it cannot make"
    assert turn.now <= 10


def test_a_retry_gets_what_is_left_of_the_deadline_and_no_more():
    turn = Played({0: PASSING}, seconds=3.0)
    turn.run(seconds=10.0)
    assert turn.given == [10.0, 6.5, 3.5, 0.5]
    assert turn.now <= 10


def test_a_retry_and_a_repair_share_the_four_calls():
    turn = Played({0: PASSING}, bad=frozenset({1}))
    result = turn.run()
    assert result.failed, "the fifth call would have been the answer"
    assert turn.asked == ["plan", "plan", "plan", "context_resolve"]
    assert codes(result)[-1] is Code.OVER_LIMIT


def test_G6_a_turn_whose_tokens_are_used_up_asks_no_more():
    turn = Played(tokens=(400, 200))
    result = turn.run(max_tokens=1200)
    assert turn.asked == ["plan", "context_resolve"]
    assert result.failed and not result.segments
    assert codes(result) == [Code.OVER_LIMIT]
    assert not Played(tokens=(400, 200)).run(max_tokens=1201).failed


def test_a_provider_that_tells_no_tokens_is_held_by_calls_and_time():
    turn = Played(tokens=(None, None))
    assert not turn.run(max_tokens=1).failed
    assert len(turn.asked) == 3


def test_what_was_heard_before_the_limit_is_kept():
    turn = Played(tokens=(6000, 6000))
    result = turn.run()
    assert result.failed and result.plan is not None
