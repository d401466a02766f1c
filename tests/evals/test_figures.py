"""Intervals, bounds and majorities, against figures worked out apart from the code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.figures import at_most, in_words, majority, percentile, share, share_of


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        # The roots of Wilson's quadratic, solved apart from the code under test.
        (5, 5, 0.565518, 1.0),
        (0, 10, 0.0, 0.277533),
        (1, 10, 0.017876, 0.404150),
        (20, 20, 0.838875, 1.0),
        (49, 50, 0.895046, 0.996461),
        (148, 150, 0.952693, 0.996336),
    ],
)
def test_R7_wilsons_interval(hits: int, n: int, low: float, high: float):
    figures = share(hits, n)
    assert (figures.low, figures.high) == pytest.approx((low, high), abs=2e-6)
    assert figures.rate == hits / n


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_R7_the_interval_holds_the_rate_and_never_leaves_0_to_1(pair: tuple[int, int]):
    figures = share(*pair)
    assert 0 <= figures.low <= figures.rate <= figures.high <= 1
    assert figures.low < figures.high


def test_R7_a_share_of_nothing_is_not_zero():
    assert share(0, 0).rate is None
    assert share_of([None, None]).n == 0
    assert share_of([True, None, False]).hits == 1
    assert in_words(share(0, 0)) == "not measured"


@pytest.mark.parametrize(("n", "words"), [(3, "63"), (60, "4.9"), (300, "0.99"), (5000, "0.060")])
def test_zero_says_what_it_still_allows(n: int, words: str):
    assert in_words(share(0, n)) == f"0 of {n}, at most {words} %"
    bound = at_most(n)
    assert (1 - bound) ** n == pytest.approx(0.05), "so many without one would be seen once in twenty times"


def test_a_share_in_words_has_its_n_and_its_interval():
    assert in_words(share(46, 48)) == "46 of 48, 96 % (86 to 99 %)"


def test_a_majority_is_more_than_half_of_what_is_known():
    assert majority([True, True, False]) is True
    assert majority([True, False]) is False, "a tie is no"
    assert majority([True, None, None]) is True
    assert majority([None]) is None
    assert majority([]) is None


def test_percentiles_of_few_values():
    assert (percentile([], 95), percentile([7.0], 95), percentile([0.0, 10.0], 50)) == (None, 7.0, 5.0)
