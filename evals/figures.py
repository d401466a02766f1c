"""Shares with their intervals, and what a count of zero allows one to say."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles

NINETY_FIVE = 1.959963984540054
ONE_SIDED = 0.05


@dataclass(frozen=True)
class Share:
    """`hits` of `n`, and Wilson's interval at 95 %; all None when n is 0, which is not a rate of 0."""

    hits: int
    n: int
    rate: float | None
    low: float | None
    high: float | None


def share(hits: int, n: int) -> Share:
    """A rate with Wilson's score interval (R7: the normal interval is wrong near 0 and 1)."""
    if n == 0:
        return Share(0, 0, None, None, None)
    rate, z = hits / n, NINETY_FIVE
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # At the ends the interval touches 0 or 1, and rounding must not leave a crumb there.
    low = 0.0 if hits == 0 else middle - half
    high = 1.0 if hits == n else middle + half
    return Share(hits, n, rate, low, high)


def share_of(verdicts: Sequence[bool | None]) -> Share:
    """The share of True among the verdicts that apply; None is a measure that does not apply or is not known."""
    known = [verdict for verdict in verdicts if verdict is not None]
    return share(sum(known), len(known))


def at_most(n: int) -> float | None:
    """The rate that nothing in `n` still allows, one-sided at 95 %: 60 give 4.9 %; None for n = 0."""
    return None if n == 0 else 1 - ONE_SIDED ** (1 / n)


def majority(verdicts: Sequence[bool | None]) -> bool | None:
    """What more than half of the known verdicts say; a tie is no; None when none is known."""
    known = [verdict for verdict in verdicts if verdict is not None]
    return None if not known else 2 * sum(known) > len(known)


def percentile(values: Sequence[float], percent: int) -> float | None:
    """None for no values."""
    if len(values) < 2:
        return values[0] if values else None
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def in_words(figures: Share) -> str:
    """`46 of 48, 96 % (86 to 99 %)`; zero says what it still allows; a share of nothing is `not measured`."""
    if figures.rate is None or figures.low is None or figures.high is None:
        return "not measured"
    if figures.hits == 0:
        return zero_in_words(figures.n)
    low, high = (f"{100 * bound:.0f}" for bound in (figures.low, figures.high))
    return f"{figures.hits} of {figures.n}, {100 * figures.rate:.0f} % ({low} to {high} %)"


def zero_in_words(n: int) -> str:
    bound = at_most(n)
    return "not measured" if bound is None else f"0 of {n}, at most {_two_digits(100 * bound)} %"


def _two_digits(percent: float) -> str:
    """Two digits that say something: 63, 4.9, 0.99, 0.060."""
    return f"{percent:.0f}" if percent >= 10 else f"{percent:#.2g}"
