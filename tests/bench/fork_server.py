"""The product's processes in a second instead of ten: imported once, then forked for each worker and each web process.

    python -m tests.bench.fork_server       reads one JSON command a line, answers each with one JSON line

`{"start": [...], "log": path, "settings": {...}}` forks a process that runs a command of Celery's (`worker ...`) or of
`manage.py` with these settings changed, and answers its pid. `{"ended": pid}` answers its exit status, negative for a
signal, or null while it runs. `"unlocked": true` is the negative control: the process takes no row locks.
"""

import ctypes
import json
import os
import signal
import sys
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
PR_SET_PDEATHSIG = 1


def main() -> None:
    _import_what_is_slow()
    _say({"ready": True})
    for line in sys.stdin:
        command = json.loads(line)
        _say({"pid": _fork(command)} if "start" in command else {"ended": _ended(command["ended"])})


def _say(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _import_what_is_slow() -> None:
    """Django, LiteLLM and what a first call loads; then no connection is open that a fork would share."""
    import django

    django.setup()
    import celery.bin.worker  # noqa: F401
    from django.db import connections

    import portal.urls  # noqa: F401
    from claims.agent.model import ModelConfig, ask_model
    from claims.agent.tools import PLAN
    from tests.fakellm import FakeLLM, nothing

    with FakeLLM([nothing()]) as model:
        ask_model(ModelConfig("openai/warm-up", model.base_url, 60.0), [{"role": "user", "content": "x"}], PLAN, 60.0)
    connections.close_all()


def _ended(pid: int) -> int | None:
    found, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


def _fork(command: dict[str, Any]) -> int:
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        _become(command)
        status = _run(command["start"])
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    finally:
        sys.stdout.flush()
        os._exit(status)


def _become(command: dict[str, Any]) -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setsid()
    log = os.open(command["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, source in ((0, nothing), (1, log), (2, log)):
        os.dup2(source, number)
    from django.conf import settings
    from django.db.models import QuerySet

    for name, value in command.get("settings", {}).items():
        setattr(settings, name, value)
    if command.get("unlocked"):
        QuerySet.select_for_update = lambda self, *args, **kwargs: self  # type: ignore[method-assign]


def _run(arguments: list[str]) -> int:
    if arguments[0] == "worker":
        from portal.celery import app

        app.worker_main(arguments)
    else:
        from django.core.management import execute_from_command_line

        execute_from_command_line(["manage.py", *arguments])
    return 0


if __name__ == "__main__":
    main()
