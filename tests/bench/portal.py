"""The real product as a process of its own: `manage.py start`, as a newcomer runs it."""

import contextlib
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.bench.processes import Process, free_port, start

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class ServedPortal:
    url: str
    """Without a trailing slash."""
    var_dir: Path
    process: Process

    def output(self) -> str:
        """Everything it has printed: the address, the demo's logins and their passwords."""
        return self.process.output()


@contextlib.contextmanager
def serving(
    folder: Path, *options: str, environment: Mapping[str, str] | None = None, seconds: float = 120
) -> Iterator[ServedPortal]:
    """`manage.py start` on a free port, its `var/` in `folder`, with nothing set but `environment`.

    Raises DidNotStart with its last words when it ends, or does not answer in time.
    """
    port = free_port()
    var_dir = folder / "var"
    process = start(
        [sys.executable, ROOT / "manage.py", "start", "--port", str(port), *options],
        name="portal",
        folder=folder,
        environment={"PORTAL_VAR_DIR": str(var_dir), "PYTHONUNBUFFERED": "1", **(environment or {})},
    )
    url = f"http://127.0.0.1:{port}"
    try:
        process.wait_until(lambda: _answers(url), seconds=seconds)
        yield ServedPortal(url=url, var_dir=var_dir, process=process)
    finally:
        process.stop()


def _answers(url: str) -> bool:
    """Whether it serves: any status will do, a test judges the page."""
    try:
        with urllib.request.urlopen(f"{url}/", timeout=10):
            return True
    except urllib.error.HTTPError as error:
        error.close()
        return True
