"""A small TCP proxy on loopback that can go silent, drip, delay or refuse, in front of any server of the bench."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from enum import StrEnum
from urllib.parse import urlsplit, urlunsplit

CHUNK = 65_536
TICK = 0.02


class Mode(StrEnum):
    PASS = "pass"
    """Everything goes through."""
    DELAY = "delay"
    """Each piece comes `seconds` later, in both directions."""
    DRIP = "drip"
    """The server's answer comes a byte at a time, one each `seconds`."""
    SILENT = "silent"
    """Connections are taken and nothing passes: a frozen machine, as its client sees it."""
    REFUSE = "refuse"
    """Connections are cut, old ones and new ones."""


class Proxy:
    """Set `mode` (and `seconds`) at any time; connections that are open follow it."""

    def __init__(self, host: str, port: int) -> None:
        self.target = (host, port)
        self.mode = Mode.PASS
        self.seconds = 0.0
        self._closed = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def set(self, mode: Mode, seconds: float = 0.0) -> None:
        self.seconds, self.mode = seconds, mode

    def close(self) -> None:
        self._closed.set()
        self._listener.close()

    def _accept(self) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(OSError):
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=[client], daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError):
            if self.mode is Mode.REFUSE:
                return
            self._hold()
            with socket.create_connection(self.target, timeout=5) as server:
                back = threading.Thread(target=self._pump, args=[server, client, True], daemon=True)
                back.start()
                self._pump(client, server, False)
                back.join()

    def _pump(self, source: socket.socket, sink: socket.socket, is_answer: bool) -> None:
        source.settimeout(TICK)
        with contextlib.suppress(OSError):
            while not self._closed.is_set() and self.mode is not Mode.REFUSE:
                try:
                    data = source.recv(CHUNK)
                except TimeoutError:
                    continue
                if not data:
                    break
                self._send(sink, data, is_answer)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _send(self, sink: socket.socket, data: bytes, is_answer: bool) -> None:
        self._hold()
        if self.mode is Mode.DELAY:
            self._closed.wait(self.seconds)
        while data:
            dripping = self.mode is Mode.DRIP and is_answer
            size = 1 if dripping else len(data)
            _send_all(sink, data[:size])
            data = data[size:]
            if dripping and data:
                self._closed.wait(self.seconds)
            if self.mode is Mode.REFUSE:
                raise ConnectionAbortedError

    def _hold(self) -> None:
        while self.mode is Mode.SILENT and not self._closed.wait(TICK):
            pass


def _send_all(sink: socket.socket, data: bytes) -> None:
    """`sendall` on a socket whose short timeout is meant for its reader."""
    end = time.monotonic() + 10
    while data and time.monotonic() < end:
        with contextlib.suppress(TimeoutError):
            data = data[sink.send(data) :]


@contextlib.contextmanager
def before(url: str) -> Iterator[tuple[Proxy, str]]:
    """A proxy before the server of `url`; gives it and the URL that leads through it."""
    parts = urlsplit(url)
    proxy = Proxy(parts.hostname or "127.0.0.1", parts.port or 80)
    user = f"{parts.username}@" if parts.username else ""
    try:
        yield proxy, urlunsplit(parts._replace(netloc=f"{user}127.0.0.1:{proxy.port}"))
    finally:
        proxy.close()
