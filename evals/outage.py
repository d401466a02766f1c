"""Stopping the object store for a while and starting it again, really: what is moved or ended is the store itself.

With the file door and in this process the store's folder is moved away and put back. Anywhere else the operator says
how: one command that stops the store, one that starts it and ends when it is started.
"""

import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from django.conf import settings

COMMAND_SECONDS = 120
_AWAY = "store.stopped-by-evaluation"


class CannotStop(Exception):
    """The store cannot be stopped or started here; the message says why."""


class Outage(Protocol):
    """How long one can wait for the store after its start is not this one's to know."""

    def stop(self) -> None:
        """Raises CannotStop; then the store was left as it was."""

    def start(self) -> None:
        """Raises CannotStop."""


class FolderOutage:
    """The folder of the file door (`knowledge.storage`), moved away and put back."""

    def __init__(self, var_dir: Path) -> None:
        self._here, self._away = var_dir / "store", var_dir / _AWAY

    def stop(self) -> None:
        self._move(self._here, self._away)

    def start(self) -> None:
        self._move(self._away, self._here)

    def put_back(self) -> None:
        """What a run that died with the store away left to do."""
        if self._away.is_dir() and not self._here.exists():
            self.start()

    def _move(self, source: Path, target: Path) -> None:
        try:
            source.rename(target)
        except OSError as error:
            raise CannotStop(f"the store's folder could not be moved: {error.strerror}") from error


class CommandOutage:
    """Two commands of the operator's, without a shell."""

    def __init__(self, stop: str, start: str) -> None:
        self._stop, self._start = shlex.split(stop), shlex.split(start)

    def stop(self) -> None:
        _run(self._stop)

    def start(self) -> None:
        _run(self._start)


class NoOutage:
    """No way to stop it: the scenario is unknown, for this reason."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def stop(self) -> None:
        raise CannotStop(self._reason)

    def start(self) -> None:
        raise CannotStop(self._reason)


def outage_for(*, stop: str, start: str, in_process: bool) -> Outage:
    """The operator's commands, else the file door's folder when the product is asked in this process, else none.

    Raises ValueError for a command that is no words, and for one command without the other.
    """
    if bool(stop) != bool(start):
        raise ValueError("Give both --stop-store and --start-store, or neither.")
    if stop:
        return CommandOutage(stop, start)
    if not in_process:
        return NoOutage("over HTTP the store is not this command's to stop: give --stop-store and --start-store")
    if settings.S3_ENDPOINT_URL:
        return NoOutage("an S3 store is not this command's to stop: give --stop-store and --start-store")
    folder = FolderOutage(Path(settings.VAR_DIR))
    folder.put_back()
    return folder


@contextmanager
def stopped(outage: Outage) -> Iterator[None]:
    """The store is away inside, and started on leaving whatever happened. Raises CannotStop."""
    outage.stop()
    try:
        yield
    finally:
        outage.start()


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotStop(f"{command[0]} could not be run: {type(error).__name__}") from error
    if done.returncode:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise CannotStop(f"{command[0]} ended with {done.returncode}: {words[-1] if words else 'without a word'}")
