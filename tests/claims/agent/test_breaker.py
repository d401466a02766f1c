"""The breaker by a clock that the test moves: five failures in a row open it, one trial after the pause decides."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from claims.agent.breaker import FAILURES, PAUSE_SECONDS, Breaker


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def open_breaker(clock):
    breaker = Breaker(clock=clock)
    for _ in range(FAILURES):
        assert breaker.allows()
        breaker.failed()
    return breaker


def test_the_figures_are_five_failures_and_half_a_minute():
    assert (FAILURES, PAUSE_SECONDS) == (5, 30.0)


def test_four_failures_leave_it_closed_and_the_fifth_opens_it(clock):
    breaker = Breaker(clock=clock)
    allowed = []
    for _ in range(6):
        allowed.append(breaker.allows())
        breaker.failed()
    assert allowed == [True] * 5 + [False]


def test_a_success_in_between_begins_the_count_again(clock):
    breaker = Breaker(clock=clock)
    for _ in range(10):
        for _ in range(FAILURES - 1):
            breaker.failed()
        breaker.succeeded()
        assert breaker.allows()


def test_it_stays_open_to_the_end_of_the_pause(open_breaker, clock):
    clock.now += PAUSE_SECONDS - 0.01
    assert not open_breaker.allows()
    clock.now += 0.01
    assert open_breaker.allows()


def test_after_the_pause_one_call_goes_out_however_many_ask(open_breaker, clock):
    clock.now += PAUSE_SECONDS
    with ThreadPoolExecutor(16) as pool:
        allowed = list(pool.map(lambda _: open_breaker.allows(), range(200)))
    assert allowed.count(True) == 1


def test_a_trial_that_fails_opens_it_for_another_whole_pause(open_breaker, clock):
    clock.now += PAUSE_SECONDS
    assert open_breaker.allows()
    clock.now += 10
    open_breaker.failed()
    clock.now += PAUSE_SECONDS - 1
    assert not open_breaker.allows()
    clock.now += 1
    assert open_breaker.allows()


def test_a_trial_that_succeeds_closes_it_for_everybody(open_breaker, clock):
    clock.now += PAUSE_SECONDS
    assert open_breaker.allows()
    open_breaker.succeeded()
    assert [open_breaker.allows() for _ in range(5)] == [True] * 5


def test_a_trial_whose_result_never_comes_is_followed_by_another(open_breaker, clock):
    clock.now += PAUSE_SECONDS
    assert open_breaker.allows()
    clock.now += PAUSE_SECONDS
    assert open_breaker.allows()
