"""How long this thread waits for one answer of the database.

A frozen server keeps its connections, and its kernel goes on acknowledging: no timeout of TCP's or of the server's own
ends the wait. A worker may wait, its lease bounds what that costs; a customer may not.
"""

from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponse

# Longer than `lock_timeout`, which says more about what is wrong; with the connection's 2 s it stays below 5 s.
REQUEST_SECONDS = 3.5
HEALTH_SECONDS = 1.0

longest_wait: ContextVar[float | None] = ContextVar("longest_wait", default=None)


class BoundedWaits:
    """Middleware: a request waits at most REQUEST_SECONDS for one answer; then it is 503 (OperationalError)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = longest_wait.set(REQUEST_SECONDS)
        try:
            return self.get_response(request)
        finally:
            longest_wait.reset(token)
