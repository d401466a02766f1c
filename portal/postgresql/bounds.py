"""How long a thread waits for one answer of the database, in a request and in a worker.

A frozen server keeps its connections, and its kernel goes on acknowledging: no timeout of TCP's or of the server's own
ends the wait. A customer is told to try again; a worker's turn is left to its lease and the sweep, with its time anew.
Commands such as `migrate` wait as long as it takes.
"""

from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponse

# Longer than `lock_timeout`, which says more about what is wrong; with the connection's 2 s it stays below 5 s.
WAIT_SECONDS = 3.5
HEALTH_SECONDS = 1.0

longest_wait: ContextVar[float | None] = ContextVar("longest_wait", default=None)
_in_worker = False


def bound_this_worker() -> None:
    """Every thread of this process waits at most WAIT_SECONDS from now on."""
    global _in_worker
    _in_worker = True


def bound() -> float | None:
    """Seconds that this thread waits for an answer; None without a bound."""
    return longest_wait.get() or (WAIT_SECONDS if _in_worker else None)


class BoundedWaits:
    """Middleware: a request waits at most WAIT_SECONDS for one answer; then it is 503 (OperationalError)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = longest_wait.set(WAIT_SECONDS)
        try:
            return self.get_response(request)
        finally:
            longest_wait.reset(token)
