"""Finding what is late: turns whose worker died, whose task was lost, or whose broker was away. Safe to run anywhere,
any number of times at once; the lease decides who answers."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import close_old_connections, connection
from django.utils import timezone

from claims import turn_queue
from claims.answering import answer_message, give_up

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Swept:
    """How many late turns were found and worked on; what another sweeper held is counted too."""

    retried: int
    given_up: int


def sweep(*, now: datetime, threads: int = 1) -> Swept:
    """Answer every late turn, and end with the safe reply each that was tried too often.

    With `threads` above 1 turns of different claims are answered side by side, each thread on its own connection.
    """
    found = turn_queue.late(now=now, grace_seconds=settings.PORTAL_SWEEP_GRACE)
    ended = [turn_id for turn_id, used_up in found if used_up]
    again = [turn_id for turn_id, used_up in found if not used_up]
    if threads > 1 and len(found) > 1:
        with ThreadPoolExecutor(max_workers=threads, thread_name_prefix="sweep") as pool:
            list(pool.map(_in_thread, [*((i, True) for i in ended), *((i, False) for i in again)]))
    else:
        for turn_id in ended:
            _work(turn_id, used_up=True)
        for turn_id in again:
            _work(turn_id, used_up=False)
    return Swept(len(again), len(ended))


def sweep_for_ever(pause: threading.Event) -> None:
    """Sweep every PORTAL_SWEEP_SECONDS until `pause` is set; every process that answers turns runs this on a thread."""
    while not pause.wait(settings.PORTAL_SWEEP_SECONDS):
        try:
            close_old_connections()
            sweep(now=timezone.now(), threads=settings.PORTAL_SWEEP_THREADS)
        # The next round may do better: a database that is away comes back.
        except Exception:
            logger.exception("the sweep failed; it runs again in %s s", settings.PORTAL_SWEEP_SECONDS)
        finally:
            close_old_connections()


def _in_thread(job: tuple[UUID, bool]) -> None:
    close_old_connections()
    try:
        _work(job[0], used_up=job[1])
    finally:
        connection.close()


def _work(turn_id: UUID, *, used_up: bool) -> None:
    try:
        if used_up:
            give_up(turn_id)
        else:
            answer_message(turn_id)
    # One turn that cannot be answered must not keep the others waiting; it stays late and is found again.
    except Exception:
        logger.exception("the sweep could not end turn %s", turn_id)
