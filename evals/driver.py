"""One request to the product's API: through the whole handler in this process, or over HTTP.

In this process the request goes through the same handler and middleware that a web server calls. Nothing else of the
product is touched: no search, no table, no short cut around a turn (M57).
"""

import http.client
import io
import json
import threading
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler

HTTP_TIMEOUT = 60.0
_IN_ENVIRON = {"Content-Type": "CONTENT_TYPE"}


@dataclass(frozen=True)
class Answer:
    """A response: its status, and its JSON body or None."""

    status: int
    body: Any


class Call(Protocol):
    """One request to the API; `authorization` is the header's value or empty, `key` the Idempotency-Key or empty.

    Raises OSError or HTTPException where no whole answer came.
    """

    def __call__(self, method: str, path: str, authorization: str, body: Any = None, key: str = "") -> Answer: ...


def in_process() -> Call:
    """Calls the product in this process, as a web server would."""
    handler = WSGIHandler()
    host = next((name.lstrip(".") for name in settings.ALLOWED_HOSTS if name != "*"), "localhost")

    def call(method: str, path: str, authorization: str, body: Any = None, key: str = "") -> Answer:
        content = b"" if body is None else json.dumps(body).encode()
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "SCRIPT_NAME": "",
            "QUERY_STRING": "",
            "SERVER_NAME": host,
            "SERVER_PORT": "443",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": host,
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_LENGTH": str(len(content)),
            "wsgi.url_scheme": "https",
            "wsgi.input": io.BytesIO(content),
            "wsgi.errors": io.StringIO(),
            "wsgi.version": (1, 0),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        for name, value in _headers(authorization, body, key).items():
            environ[_IN_ENVIRON.get(name, f"HTTP_{name.upper().replace('-', '_')}")] = value
        statuses: list[str] = []

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None, /) -> Any:
            statuses.append(status)

        response = handler(environ, start_response)
        try:
            text = b"".join(response)
        finally:
            response.close()
        return _answer(int(statuses[0].split()[0]), text)

    return call


def over_http(address: str) -> Call:
    """Calls a portal that is served at this address. Raises ValueError for what is no http(s) address."""
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"{address} is not an address like http://127.0.0.1:8000.")
    secure, server, root = parts.scheme == "https", parts.netloc.rpartition("@")[2], parts.path.rstrip("/")

    kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    own = threading.local()

    def once(method: str, path: str, content: str | None, headers: dict[str, str]) -> Answer:
        kept: _Kept = own.kept
        try:
            kept.connection.request(method, root + path, content, headers)
            response = kept.connection.getresponse()
            answer = _answer(response.status, response.read())
        except BaseException:
            kept.connection.close()
            raise
        kept.is_used = True
        return answer

    def call(method: str, path: str, authorization: str, body: Any = None, key: str = "") -> Answer:
        content, headers = None if body is None else json.dumps(body), _headers(authorization, body, key)
        if not hasattr(own, "kept"):
            own.kept = _Kept(kind(server, timeout=HTTP_TIMEOUT))
        was_used, own.kept.is_used = own.kept.is_used, False
        try:
            return once(method, path, content, headers)
        except (ConnectionError, http.client.BadStatusLine):
            # The server may have ended a connection that was kept open; a fresh one is another matter.
            if not was_used:
                raise
        return once(method, path, content, headers)

    return call


class _Kept:
    """A connection of one thread's, kept open between requests: each new one costs the portal one to its database."""

    def __init__(self, connection: http.client.HTTPConnection) -> None:
        self.connection = connection
        self.is_used = False

    def __del__(self) -> None:
        self.connection.close()


def _headers(authorization: str, body: Any, key: str) -> dict[str, str]:
    """`Prefer`: where workers answer, the request waits for them."""
    given = {"Authorization": authorization, "Idempotency-Key": key}
    headers = {name: value for name, value in given.items() if value}
    return headers if body is None else {**headers, "Content-Type": "application/json", "Prefer": "wait=30"}


def _answer(status: int, text: bytes) -> Answer:
    try:
        return Answer(status, json.loads(text))
    except ValueError:
        return Answer(status, None)
