"""The whole product in processes of its own: PostgreSQL, a broker, a model on loopback, the web and its workers.

Times are short, so that a lease runs out while a test looks on; they keep the order that `manage.py check` holds.
"""

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench import broker, object_store, postgresql, proxy
from tests.bench.client import Web
from tests.bench.processes import free_port
from tests.fakellm import Body, FakeLLM, Step, but, tool_call

ROOT = Path(__file__).resolve().parents[2]
CLAUSE = "MTR-BEN-03"
KILLED = 137
QUICK = {
    "PORTAL_MODEL_TIMEOUT": "1.5",
    "PORTAL_TURN_DEADLINE": "2",
    "PORTAL_TURN_LEASE": "3",
    "PORTAL_TASK_VISIBILITY": "6",
    "PORTAL_SWEEP_SECONDS": "0.5",
    "PORTAL_SWEEP_GRACE": "0.5",
}
NO_RATES = {"PORTAL_MESSAGES_A_MINUTE": "0", "PORTAL_CLAIMS_AN_HOUR": "0"}


class NotInTime(Exception):
    """What a test waits for did not come within its bound."""


def wait_for(happened: Callable[[], Any], *, seconds: float, what: str) -> Any:
    """Poll until `happened` is true and give what it gave. Raises NotInTime."""
    end = time.monotonic() + seconds
    while not (found := happened()):
        if time.monotonic() >= end:
            raise NotInTime(f"{what}: not within {seconds:g} s")
        time.sleep(0.05)
    return found


def answering(seconds: float = 0.0) -> Callable[[Body], Step]:
    """A model that looks up the rental clause and shows a line of it, `seconds` after each question."""
    steps = {
        "plan": {"kind": "question", "wants_decision": False, "facts": []},
        "context_resolve": {"clause_ids": [CLAUSE]},
        "answer": {"segments": [{"kind": "plain", "clause_id": CLAUSE, "line": 1}]},
    }

    def script(body: Body) -> Step:
        name = body["tools"][0]["function"]["name"]
        return but(tool_call(name, steps[name]), hang=seconds)

    return script


@dataclass
class Forked:
    """A process of the product; `stack` knows how it ended."""

    pid: int
    log: Path
    ended: Callable[[int], int | None]
    status: int | None = None

    def poll(self) -> int | None:
        if self.status is None:
            self.status = self.ended(self.pid)
        return self.status

    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def wait(self, *, seconds: float) -> int:
        """Its exit status, negative for a signal. Raises NotInTime."""
        wait_for(lambda: self.poll() is not None, seconds=seconds, what=f"the end of {self.log.name}")
        assert self.status is not None
        return self.status

    def wait_until_it_says(self, words: str, *, seconds: float) -> None:
        wait_for(
            lambda: words in self.output() or self.poll() is not None, seconds=seconds, what=f"{words!r} of {self.log}"
        )
        if words not in self.output():
            raise NotInTime(f"{self.log.name} ended with {self.status}:\n{self.output()[-3000:]}")

    def processor_seconds(self) -> float:
        """What all its threads have used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End it at once. Not an error when it has ended."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)
            self.wait(seconds=10)


@dataclass
class Stack:
    folder: Path
    database: postgresql.Server
    database_url: str
    """Past any proxy: for a test that looks at the rows."""
    broker: broker.Server
    model: FakeLLM
    environment: dict[str, str]
    proxies: dict[str, proxy.Proxy] = field(default_factory=dict)
    forks: "ForkServer | None" = None
    web: Web = field(default_factory=lambda: Web(""))
    web_process: Forked | None = None

    @contextlib.contextmanager
    def worker(
        self, name: str = "worker", *, concurrency: int = 8, waits: bool = True, **settings: object
    ) -> Iterator[Forked]:
        """A Celery worker on a thread pool, ready when `waits`; killed on leaving, for nothing is lost by that."""
        assert self.forks is not None
        arguments = ["worker", "--pool", "threads", "--concurrency", str(concurrency), "--loglevel", "INFO"]
        arguments += ["--without-gossip", "--without-mingle"]
        forked = self.forks.start([*arguments, "--hostname", f"{name}@bench"], name, settings)
        try:
            if waits:
                forked.wait_until_it_says(" ready.", seconds=30)
            yield forked
        finally:
            forked.kill()

    @contextlib.contextmanager
    def serving(self, name: str = "web", *, unlocked: bool = False, **settings: object) -> Iterator[tuple[Web, Forked]]:
        """`manage.py start` on a free port."""
        assert self.forks is not None
        port = free_port()
        forked = self.forks.start(["start", "--port", str(port)], name, settings, unlocked=unlocked)
        try:
            web = Web(f"http://127.0.0.1:{port}")
            wait_for(lambda: web.is_up() or forked.poll() is not None, seconds=60, what=f"{name} on port {port}")
            if forked.poll() is not None:
                raise NotInTime(forked.output()[-3000:])
            yield web, forked
        finally:
            web.close()
            forked.kill()


class ForkServer:
    """The other end of `tests.bench.fork_server`."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        inherited = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
        with (folder / "fork_server.log").open("wb") as log:
            self.child = subprocess.Popen(
                [sys.executable, "-m", "tests.bench.fork_server"],
                cwd=ROOT,
                env={**inherited, **environment},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self._started = 0
        self._asking = threading.Lock()
        self._read()

    def start(
        self, arguments: list[str], name: str, settings: Mapping[str, object], *, unlocked: bool = False
    ) -> Forked:
        self._started += 1
        log = self.folder / f"{self._started:03}-{name}.log"
        log.touch()
        command = {"start": arguments, "log": str(log), "settings": settings, "unlocked": unlocked}
        return Forked(self._ask(command)["pid"], log, self._ended)

    def stop(self) -> None:
        self.child.kill()
        self.child.communicate()

    def _ended(self, pid: int) -> int | None:
        status: int | None = self._ask({"ended": pid})["ended"]
        return status

    def _ask(self, command: Mapping[str, object]) -> dict[str, Any]:
        assert self.child.stdin is not None
        with self._asking:
            self.child.stdin.write(json.dumps(command) + "\n")
            self.child.stdin.flush()
            return self._read()

    def _read(self) -> dict[str, Any]:
        assert self.child.stdout is not None
        line = self.child.stdout.readline()
        if not line:
            raise NotInTime(f"the fork server ended:\n{(self.folder / 'fork_server.log').read_text()[-3000:]}")
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextlib.contextmanager
def running(
    folder: Path,
    *,
    times: Mapping[str, str] = QUICK,
    model_seconds: float = 0.0,
    s3: bool = False,
    proxied: bool = False,
) -> Iterator[Stack]:
    """Everything but a worker, with the demo's content. Raises NotHere where a server is not on this machine."""
    with contextlib.ExitStack() as run:
        # A commit is kept by a crash only with this one on.
        database = run.enter_context(postgresql.serving("synchronous_commit=on", "max_connections=400"))
        queue = run.enter_context(broker.serving())
        model = run.enter_context(FakeLLM(answering(model_seconds)))
        stack = Stack(folder, database, postgresql.fresh_database(database.url), queue, model, {})
        addresses = {"database": stack.database_url, "broker": queue.url, "model": model.base_url}
        if s3:
            store = run.enter_context(object_store.running())
            client = store.client()
            client.create_bucket(Bucket="bench")
            client.close()
            addresses["store"] = store.endpoint
            stack.environment |= {**store.credentials, "S3_BUCKET": "bench"}
        if proxied:
            for part, url in addresses.items():
                stack.proxies[part], addresses[part] = run.enter_context(proxy.before(url))
        stack.environment |= {
            **times,
            **NO_RATES,
            # As in production: errors are pages and problems, not Django's for developers.
            "DEBUG": "off",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "ALLOWED_HOSTS": "127.0.0.1",
            "SECURE_SSL_REDIRECT": "off",
            "PORTAL_VAR_DIR": str(folder / "var"),
            "DATABASE_URL": addresses["database"],
            "REDIS_URL": addresses["broker"],
            "PORTAL_MODEL": "openai/scripted",
            "PORTAL_MODEL_API_BASE": addresses["model"],
            "PORTAL_MODEL_API_KEY": "x",
            **({"S3_ENDPOINT_URL": addresses["store"]} if s3 else {}),
        }
        stack.forks = ForkServer(folder, stack.environment)
        run.callback(stack.forks.stop)
        stack.web, stack.web_process = run.enter_context(stack.serving())
        yield stack
