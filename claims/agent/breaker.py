"""A small circuit breaker: after some failures in a row a provider is not asked for a while, so that turns end at once.

One a process and model. It knows no provider and reads no clock but the one it is given.
"""

import threading
import time
from collections.abc import Callable

FAILURES = 5
PAUSE_SECONDS = 30.0


class Breaker:
    """Closed: calls go out. Open: none does. After the pause one trial goes out, and its result decides."""

    def __init__(
        self,
        *,
        failures: int = FAILURES,
        pause_seconds: float = PAUSE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._failures = failures
        self._pause = pause_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._open_until: float | None = None

    def allows(self) -> bool:
        """Whether a call may go out now. A True while open is the trial: the next answer is False until its result."""
        with self._lock:
            if self._open_until is None:
                return True
            if self._clock() < self._open_until:
                return False
            self._open_until = self._clock() + self._pause
            return True

    def succeeded(self) -> None:
        with self._lock:
            self._in_a_row = 0
            self._open_until = None

    def failed(self) -> None:
        with self._lock:
            self._in_a_row += 1
            if self._in_a_row >= self._failures:
                self._open_until = self._clock() + self._pause
