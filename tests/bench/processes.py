"""Child processes of a test run: found, started, waited for and stopped."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


class NotHere(Exception):
    """A program that a test needs is not on this machine; the text says what to install."""


class DidNotStart(Exception):
    """A program is here but did not come up; the text ends with its last words."""


def find_program(name: str, *folders: str) -> str | None:
    """The path of a program: beside this Python, on PATH, then in `folders`."""
    places = [str(Path(sys.executable).parent), *os.environ.get("PATH", "").split(os.pathsep), *folders]
    return shutil.which(name, path=os.pathsep.join(places))


def free_ports(number: int) -> list[int]:
    """Ports that are free now; below the range that the system hands out, so that no client takes them meanwhile."""
    found: list[int] = []
    candidate = 20_000 + (os.getpid() * 37 + time.monotonic_ns() // 1000) % 10_000
    while len(found) < number:
        candidate = candidate + 1 if candidate < 31_000 else 20_000
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", candidate))
            found.append(candidate)
    return found


def free_port() -> int:
    return free_ports(1)[0]


@dataclass
class Process:
    """A running child whose output is in `log`."""

    name: str
    child: subprocess.Popen[bytes]
    log: Path
    stop_signal: signal.Signals

    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def wait_until(self, ready: Callable[[], bool], *, seconds: float) -> None:
        """Poll `ready` (an OSError means not yet). Raises DidNotStart when the child ends or the time is over."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.child.poll() is not None:
                raise DidNotStart(f"{self.name} ended with status {self.child.returncode}:\n{self.output()[-3000:]}")
            with contextlib.suppress(OSError):
                if ready():
                    return
            time.sleep(0.05)
        raise DidNotStart(f"{self.name} did not answer within {seconds:g} s:\n{self.output()[-3000:]}")

    def kill(self) -> None:
        """End it and its children at once, without a word, as a power cut does."""
        self._signal_all(signal.SIGKILL)
        self.child.wait(timeout=10)

    def freeze(self) -> None:
        """It and its children stand still, with every connection open."""
        self._signal_all(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: signal.Signals) -> None:
        for pid in (self.child.pid, *descendants(self.child.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def stop(self) -> None:
        """Ask it to end, then insist. Safe to call again."""
        if self.child.poll() is None:
            self.child.send_signal(self.stop_signal)
            try:
                self.child.wait(timeout=10)
            except subprocess.TimeoutExpired:
                os.killpg(self.child.pid, signal.SIGKILL)
                self.child.wait(timeout=10)


def descendants(pid: int) -> list[int]:
    """The children of a process and theirs, the eldest first."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                # The fields after the name, which is in brackets and may hold anything: state, parent.
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                parents.setdefault(parent, []).append(int(entry.name))
    found = list(parents.get(pid, ()))
    for child in found:
        found += parents.get(child, ())
    return found


def start(
    command: Sequence[str | Path],
    *,
    name: str,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    user: str | None = None,
    stop_signal: signal.Signals = signal.SIGTERM,
) -> Process:
    """Start `command` in `folder` with only `environment` (and PATH, HOME, LANG), its output in `folder`/NAME.log.

    It runs in a session of its own, so a Ctrl-C reaches the tests first, and is told to end when this process dies.
    """
    log = folder / f"{name}.log"
    setpriv = find_program("setpriv")
    leash = [setpriv, "--pdeathsig", stop_signal.name.removeprefix("SIG")] if setpriv else []
    inherited = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    with log.open("wb") as output:
        child = subprocess.Popen(
            [*leash, *map(str, command)],
            cwd=folder,
            env={**inherited, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            user=user,
            group=user,
            extra_groups=[] if user else None,
            start_new_session=True,
        )
    return Process(name=name, child=child, log=log, stop_signal=stop_signal)
