"""A run in the background: in a worker where there is a broker, in a thread of this process where there is none.

Neither survives the end of its process. The rows do: the run then reads as aborted, and `manage.py run_evals --resume`
goes on with it. So the task is taken from the broker when it begins, not when it ends, and never comes twice.
"""

import logging
import threading
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.db import close_old_connections, connections

from evals.driver import in_process
from evals.outage import CannotStop, NoOutage, Outage, outage_for
from evals.recording import CannotRun
from evals.runs import Means, adopt_run, carry_out, token_of

logger = logging.getLogger(__name__)


class CannotStart(Exception):
    """Nobody can be told to carry the run out just now."""


@shared_task(name="evals.carry_out_run", acks_late=False, reject_on_worker_lost=False, ignore_result=True)
def carry_out_run(run_id: str, **later: object) -> None:
    close_old_connections()
    try:
        _carry_out(UUID(run_id))
    finally:
        close_old_connections()


def start_run(run_id: UUID) -> None:
    """Have a planned run carried out; call it after the commit that planned it. Raises CannotStart."""
    if not settings.REDIS_URL:
        threading.Thread(target=_in_thread, args=[run_id], name="evaluation", daemon=True).start()
        return
    try:
        carry_out_run.apply_async(args=[str(run_id)], retry=False)
    # Whatever the broker's client raises, nobody was told.
    except Exception as error:
        raise CannotStart(type(error).__name__) from error


def _in_thread(run_id: UUID) -> None:
    try:
        _carry_out(run_id)
    finally:
        connections.close_all()


def _carry_out(run_id: UUID) -> None:
    """As the login that began it. What breaks a run off is in its row; the log says what it was."""
    try:
        login = adopt_run(run_id)
        with token_of(login) as token:
            carry_out(run_id, Means(in_process(), token, _outage()))
    except (CannotRun, CannotStop) as error:
        logger.warning("the evaluation run %s was not carried out: %s", run_id, error)


def _outage() -> Outage:
    """The demo's store may be stopped for some seconds; one that other customers are served from may not."""
    if settings.REDIS_URL:
        return NoOutage("a run begun over the API stops no store that others are served from: use manage.py run_evals")
    return outage_for(stop="", start="", in_process=True)
