"""`manage.py start`: set up what is missing, say what there is and how to use it, serve it on this machine."""

import errno
import logging
import shutil
import socket
import threading
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.core.servers.basehttp import get_internal_wsgi_application, run
from django.db import DatabaseError, connection, connections

from claims.agent.likeness import likeness
from claims.agent.model import load
from claims.answering import configured_model
from claims.sweeping import sweep_for_ever
from knowledge.assembly import ReleaseError
from portal.demo import QUESTIONS, Seeded, seed_demo, seed_groups, shown_policies

HOST = "127.0.0.1"


class Command(BaseCommand):
    help = "Set up the portal and serve it on this machine only. A second start keeps what the first one made."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="(default: %(default)s)")
        parser.add_argument("--no-demo", action="store_true", help="no demo content, policies or logins")
        parser.add_argument("--reset-demo", action="store_true", help="delete the demo's data and begin again")

    def handle(self, *args: Any, port: int, no_demo: bool, reset_demo: bool, **options: Any) -> None:
        _check_port(port)
        try:
            if reset_demo:
                _reset_demo()
            self.prepare(port=port, demo=not no_demo)
            _serve(port)
        except KeyboardInterrupt:
            self.stdout.write("\nStopped. What was made is kept.")

    def prepare(self, *, port: int, demo: bool) -> None:
        """Everything but serving: migrate, seed, print."""
        self.stdout.write("Northwind policy knowledge portal\n")
        self.stdout.flush()
        try:
            call_command("migrate", verbosity=0, interactive=False)
            seeded = seed_demo(with_logins=settings.DEBUG, kept_in=settings.VAR_DIR) if demo else Seeded(_groups(), ())
        except DatabaseError as error:
            raise CommandError(
                f"The database cannot be used: {error}. Check DATABASE_URL.".replace("\n", " ")
            ) from error
        except ReleaseError as error:
            raise CommandError(f"The demo's content could not be brought in: {error}") from error
        self.stdout.write(report(seeded, port=port, demo=demo))
        self.stdout.flush()


def _serve(port: int) -> None:
    application = get_internal_wsgi_application()
    # One line for each request that went well would push what is printed above out of sight.
    logging.getLogger("django.server").setLevel(logging.WARNING)
    # Daemon: it must not hold up the end of the process.
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    if not settings.REDIS_URL:
        # No worker: what an earlier start was stopped in the middle of is answered here.
        threading.Thread(target=sweep_for_ever, args=[threading.Event()], name="sweeper", daemon=True).start()
    try:
        run(HOST, port, application, threading=True)
    except OSError as error:
        raise _taken(port) if error.errno == errno.EADDRINUSE else error from error


def _warm_up() -> None:
    """Load what answers while people read the first page: the first question would wait ten seconds for it."""
    load()
    if configured_model().is_offline:
        likeness("a question", ("a title",))


def report(seeded: Seeded, *, port: int, demo: bool) -> str:
    """What was done, where to go, what to type; for people."""
    url = f"http://{HOST}:{port}"
    lines = []
    if seeded.made:
        lines += ["Made", *(f"  {line}" for line in seeded.made)]
    else:
        lines += ["Found the demo as it was." if demo else "Nothing was missing."]
    lines += [
        "",
        f"Customers    {url}/",
        f"Staff        {url}/admin/",
        f"Adjusters    {url}/policies/",
        f"API          {url}/api/docs/",
        f"Answered by  {configured_model().label}",
        f"Data         {_data()}",
    ]
    if demo:
        lines += ["", *_policies(), "", *_logins(seeded), "", *_questions()]
    return "\n".join([*lines, "", "Stop with Ctrl+C.", ""])


def _policies() -> list[str]:
    rows = [f"  {p.number}  {p.family:<8}  {p.postcode}      {p.lists}" for p in shown_policies()]
    return ["Policies     kind      postcode  schedule shows", *rows]


def _logins(seeded: Seeded) -> list[str]:
    if not settings.DEBUG:
        return ["No demo logins: DEBUG is off. Make one with manage.py createsuperuser."]
    rows = [f"  {login.name:<10}  {login.password or '(changed since)'}" for login in seeded.logins]
    return ["Logins for staff, in the demo only", *rows]


def _questions() -> list[str]:
    return ["Try", *(f"  {policy:<14}  {question}" for policy, question in QUESTIONS)]


def _data() -> str:
    database = "SQLite" if connection.vendor == "sqlite" else "PostgreSQL"
    objects = f"objects in the bucket {settings.S3_BUCKET}" if settings.S3_BUCKET else "objects as files"
    var_dir = Path(settings.VAR_DIR)
    is_inside = var_dir.is_relative_to(settings.BASE_DIR)
    folder = var_dir.relative_to(settings.BASE_DIR) if is_inside else var_dir
    return f"{database}, {objects}; what is kept as files is in {folder}/"


def _groups() -> tuple[str, ...]:
    made = seed_groups()
    return (f"groups: {', '.join(made)}",) if made else ()


def _check_port(port: int) -> None:
    """Before anything is changed. Raises CommandError."""
    if not 1 <= port <= 65535:
        raise CommandError(f"--port {port} is not a port. Choose a number from 1 to 65535.", returncode=2)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except PermissionError as error:
            raise CommandError(f"Port {port} needs more rights. Choose one above 1023.", returncode=2) from error
        except OSError as error:
            raise _taken(port) from error


def _taken(port: int) -> CommandError:
    return CommandError(
        f"Port {port} is in use. Stop what runs there, or choose another one: manage.py start --port {port + 1}",
        returncode=2,
    )


def _reset_demo() -> None:
    """Delete the demo's database and objects. Raises CommandError where they may be more than a demo's."""
    if not settings.DEBUG:
        raise CommandError("--reset-demo works with DEBUG on only: it deletes every claim.", returncode=2)
    database = Path(settings.VAR_DIR) / "portal.sqlite3"
    if connection.vendor != "sqlite" or Path(str(settings.DATABASES["default"]["NAME"])) != database:
        raise CommandError(
            "--reset-demo deletes the demo's own database only, and DATABASE_URL names another.", returncode=2
        )
    connections.close_all()
    for name in (database.name, f"{database.name}-wal", f"{database.name}-shm"):
        (database.parent / name).unlink(missing_ok=True)
    shutil.rmtree(database.parent / "store", ignore_errors=True)
