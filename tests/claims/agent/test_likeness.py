"""The chooser's instrument under threads: two customers at once get what each would get alone."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from claims.agent.likeness import likeness

TITLES = [
    "Lost, stolen or damaged car keys, remotes and locks",
    "Hire car, rental car, taxi or other transport while your car is repaired or stolen",
    "Windscreen, window, sunroof and headlight glass",
]
MESSAGES = [f"repairing rentals and transporting the stolen {thing}" for thing in ("keys", "locks", "cars", "wallets")]


@pytest.fixture
def eager_threads() -> Iterator[None]:
    """Threads take turns a thousand times as often as they do, so that what they share is met half done."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("eager_threads")
def test_many_messages_at_once_are_as_like_as_one_after_another():
    alone = {message: likeness(message, TITLES) for message in MESSAGES}
    asked = MESSAGES * 40
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda message: likeness(message, TITLES), asked))
    assert [figures == pytest.approx(alone[message]) for message, figures in zip(asked, together, strict=True)] == [
        True
    ] * len(asked)
