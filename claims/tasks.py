"""Starting a turn or a reading: by a task where there is a broker, in this process where there is none.

A task is a nudge. Publishing happens on a thread of its own, outside the request's success and time: a broker that is
down or frozen costs a post nothing, and the sweep finds what was not nudged.
"""

import logging
import queue
import threading
from typing import Any
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.db import close_old_connections

from claims.answering import answer_message
from claims.policy_store import FilesAway
from claims.uploads import read_document

MAX_UNPUBLISHED = 1000

logger = logging.getLogger(__name__)
_unpublished: queue.Queue[tuple[Any, UUID]] = queue.Queue(maxsize=MAX_UNPUBLISHED)
_starting = threading.Lock()
_publisher: threading.Thread | None = None


# `**later` lets an older worker take a message of a newer web process.
@shared_task(name="claims.answer_turn", acks_late=True, reject_on_worker_lost=True, ignore_result=True)
def answer_turn(turn_id: str, **later: object) -> None:
    close_old_connections()
    try:
        answer_message(UUID(turn_id))
    finally:
        close_old_connections()


@shared_task(name="claims.read_upload", acks_late=True, reject_on_worker_lost=True, ignore_result=True)
def read_upload(document_id: str, **later: object) -> None:
    close_old_connections()
    try:
        read_document(UUID(document_id))
    finally:
        close_old_connections()


def start_turn(turn_id: UUID) -> None:
    """Have a turn answered; call it after the commit that made it."""
    if settings.REDIS_URL:
        nudge(answer_turn, turn_id)
    else:
        answer_message(turn_id)


def start_reading(document_id: UUID) -> None:
    """Have an uploaded document read; call it after its commit. What cannot be read now is left to the sweep."""
    if settings.REDIS_URL:
        nudge(read_upload, document_id)
        return
    try:
        read_document(document_id)
    except FilesAway as error:
        logger.warning("document %s is left to the sweep: %s", document_id, error)


def nudge(task: Any, row_id: UUID) -> None:
    """Hand a task on a row to the publishing thread and return at once. A full queue drops it: the sweep finds it."""
    global _publisher
    with _starting:
        if _publisher is None or not _publisher.is_alive():
            _publisher = threading.Thread(target=_publish_all, name="publisher", daemon=True)
            _publisher.start()
    try:
        _unpublished.put_nowait((task, row_id))
    except queue.Full:
        logger.warning("the broker is behind; %s %s is left to the sweep", task.name, row_id)


def _publish_all() -> None:
    while True:
        task, row_id = _unpublished.get()
        try:
            task.apply_async(args=[str(row_id)], retry=False)
        # Whatever the broker's client raises, the row is there and the sweep finds it.
        except Exception as error:
            kind = type(error).__name__
            logger.warning("%s %s was not published (%s); it is left to the sweep", task.name, row_id, kind)
