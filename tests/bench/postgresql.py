"""A PostgreSQL server of the run's own: durable in nothing, fast in everything."""

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from glob import glob
from pathlib import Path

import psycopg
from psycopg import sql

from tests.bench.processes import DidNotStart, NotHere, Process, find_program, free_port, start

MISSING = "PostgreSQL's initdb and postgres are not on this machine (Debian: apt-get install postgresql)"
SPEED = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=64MB", "max_connections=200"]


@dataclass
class Server:
    """A running PostgreSQL that a test may stop, freeze and start again where it was. `url` names no database."""

    url: str
    command: list[str | Path]
    folder: Path
    user: str | None
    process: Process

    def crash(self) -> None:
        """What `pg_ctl stop -m immediate` does: every session is cut, the next start recovers from the log."""
        self.process.child.send_signal(signal.SIGQUIT)
        self.process.child.wait(timeout=20)

    def start_again(self) -> None:
        self.process = _start(self.command, self.folder, self.user)
        self.process.wait_until(lambda: _answers(self.url), seconds=30)


@contextlib.contextmanager
def running() -> Iterator[str]:
    """A fresh server on a free port; gives its URL without a database. Raises NotHere or DidNotStart.

    For tests that roll back: statistics gathered between them would say that each table is empty, and every plan after
    that would be one for an empty table. Without any the planner assumes a few pages.
    """
    with serving("autovacuum=off") as server:
        yield server.url


@contextlib.contextmanager
def serving(*settings: str) -> Iterator[Server]:
    """A fresh server on a free port, with more settings like `synchronous_commit=on`. Raises NotHere or DidNotStart.

    Without that one a crash may forget what was committed, as it says; `fsync` is for the machine's own crash.
    """
    folders = [*sorted(glob("/usr/lib/postgresql/*/bin"), reverse=True), "/usr/local/bin"]
    initdb, postgres = (find_program(name, *folders) for name in ("initdb", "postgres"))
    if initdb is None or postgres is None:
        raise NotHere(MISSING)
    user = _server_user()
    folder = Path(tempfile.mkdtemp(prefix="bench-postgresql-"))
    data = folder / "data"
    try:
        if user is not None:
            shutil.chown(folder, user, user)
        _initialise(initdb, data, user)
        port = free_port()
        options = [f"-cport={port}", "-clisten_addresses=127.0.0.1", f"-cunix_socket_directories={folder}"]
        command = [postgres, "-D", data, *options, *(f"-c{setting}" for setting in (*SPEED, *settings))]
        url = f"postgresql://postgres@127.0.0.1:{port}"
        server = Server(url, command, folder, user, _start(command, folder, user))
        try:
            server.process.wait_until(lambda: _answers(url), seconds=20)
            yield server
        finally:
            server.process.thaw()
            server.process.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _start(command: list[str | Path], folder: Path, user: str | None) -> Process:
    return start(command, name="postgresql", folder=folder, user=user, stop_signal=signal.SIGINT)


def _server_user() -> str | None:
    """The account to run it as: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise NotHere("PostgreSQL does not run as root and there is no user 'postgres' or 'nobody' to run it as")


def _initialise(initdb: str, data: Path, user: str | None) -> None:
    done = subprocess.run(
        [initdb, "-D", data, "-U", "postgres", "-A", "trust", "--locale=C.UTF-8", "--encoding=UTF8", "--no-sync"],
        cwd=data.parent,
        user=user,
        group=user,
        extra_groups=[] if user else None,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise DidNotStart(f"initdb failed:\n{done.stdout[-1500:]}{done.stderr[-1500:]}")


def _answers(server: str) -> bool:
    with contextlib.suppress(psycopg.OperationalError), psycopg.connect(f"{server}/postgres", connect_timeout=1):
        return True
    return False


def fresh_database(server: str) -> str:
    """Create an empty database on this server; gives its URL."""
    name = f"bench_{secrets.token_hex(6)}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return f"{server}/{name}"
