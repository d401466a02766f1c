"""Finding what is late: turns and uploads whose worker died, whose task was lost, or whose broker was away.

Safe to run anywhere, any number of times at once; the lease decides who works on a row.
"""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import close_old_connections, connection
from django.utils import timezone

from claims import turn_queue, uploads
from claims.answering import answer_message, give_up

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Swept:
    """How many late turns and documents were found and worked on; what another sweeper held is counted too.

    `failed` are those that could not be ended now, for a reason that is in the log: they stay late.
    """

    retried: int
    given_up: int
    failed: int = 0


@dataclass(frozen=True)
class _Job:
    """What is to be done with a late row; `used_up` when its attempts are, so that it is only to be ended."""

    act: Callable[[UUID], object]
    row_id: UUID
    used_up: bool


def sweep(*, now: datetime, threads: int = 1) -> Swept:
    """Answer every late turn, read every late document, and end each that was tried too often.

    With `threads` above 1 turns of different claims are answered side by side, each thread on its own connection.
    """
    grace = settings.PORTAL_SWEEP_GRACE
    turns = turn_queue.late(now=now, grace_seconds=grace)
    documents = uploads.late_documents(now=now, grace_seconds=grace)
    jobs = [_Job(give_up if used_up else answer_message, pk, used_up) for pk, used_up in turns]
    jobs += [_Job(uploads.give_up if used_up else uploads.read_document, pk, used_up) for pk, used_up in documents]
    # Those to give up first: the turns behind them in their claims wait for it.
    jobs.sort(key=lambda job: not job.used_up)
    if threads > 1 and len(jobs) > 1:
        with ThreadPoolExecutor(max_workers=threads, thread_name_prefix="sweep") as pool:
            done = list(pool.map(_in_thread, jobs))
    else:
        done = [_work(job) for job in jobs]
    worked_on = [job.used_up for job, ok in zip(jobs, done, strict=True) if ok]
    return Swept(worked_on.count(False), worked_on.count(True), done.count(False))


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


def _in_thread(job: _Job) -> bool:
    close_old_connections()
    try:
        return _work(job)
    finally:
        connection.close()


def _work(job: _Job) -> bool:
    """Whether it was done or was another's; the reason of a failure is logged."""
    try:
        job.act(job.row_id)
    # One row that cannot be ended must not keep the others waiting; it stays late and is found again.
    except Exception:
        logger.exception("the sweep could not end %s", job.row_id)
        return False
    return True
