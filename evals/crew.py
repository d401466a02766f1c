"""Several questions at once. The threads ask; what they have to write down is written by the thread that began the run.

So a run has one writer and one connection of its own to the database, and a thread goes on only when its line stands.
"""

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from django.db import connections

from evals.asking import Journal, Task

LOOK_SECONDS = 0.1


class Stopped(Exception):
    """The run broke off: nothing more is asked or written."""


@dataclass
class _Line:
    write: Callable[[], None]
    is_written: threading.Event = field(default_factory=threading.Event)
    error: BaseException | None = None


class Crew:
    """Runs acts that use its journal, `concurrency` at a time; with 1 in the calling thread, one after another."""

    def __init__(self, journal: Journal, concurrency: int) -> None:
        self._concurrency = concurrency
        self._relay = _Relay(journal)
        self.journal: Journal = journal if concurrency == 1 else self._relay

    def each(self, acts: Sequence[Callable[[], None]]) -> None:
        """Carry out every act. Raises the first error of one, or of the journal; then no act begins any more."""
        if self._concurrency == 1:
            for act in acts:
                act()
            return
        with ThreadPoolExecutor(self._concurrency) as pool:
            futures = [pool.submit(_in_thread, act) for act in acts]
            try:
                self._write_until_done(futures)
            except BaseException:
                self._relay.stop()
                for future in futures:
                    future.cancel()
                raise
        for future in futures:
            future.result()

    def _write_until_done(self, futures: Sequence[Future[None]]) -> None:
        while not all(future.done() for future in futures):
            self._relay.write_next(LOOK_SECONDS)
            if failed := next((f for f in futures if f.done() and f.exception() is not None), None):
                failed.result()


class _Relay:
    """A journal for the threads: each line waits until the run's own thread has written it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lines: queue.Queue[_Line] = queue.Queue()
        self._is_stopped = threading.Event()

    def opened(self, task: Task, claim: str, token: str) -> None:
        self._tell(lambda: self._journal.opened(task, claim, token))

    def measured(self, task: Task, seen: Mapping[str, Any]) -> None:
        self._tell(lambda: self._journal.measured(task, seen))

    def unknown(self, task: Task, reason: str) -> None:
        self._tell(lambda: self._journal.unknown(task, reason))

    def _tell(self, write: Callable[[], None]) -> None:
        line = _Line(write)
        self._lines.put(line)
        while not line.is_written.wait(LOOK_SECONDS):
            if self._is_stopped.is_set():
                raise Stopped
        if line.error is not None:
            raise Stopped from line.error

    def write_next(self, seconds: float) -> None:
        """Write the next line, if one comes within `seconds`. Raises what the journal raises."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return
        try:
            line.write()
        except BaseException as error:
            line.error = error
            raise
        finally:
            line.is_written.set()

    def stop(self) -> None:
        self._is_stopped.set()


def _in_thread(act: Callable[[], None]) -> None:
    """An act that asks in this process opens a connection of its thread's own, which ends with it."""
    try:
        act()
    finally:
        connections.close_all()
