"""The worker: threads, because a turn waits for its model, and a timer that sweeps for what is late.

    celery -A portal worker --pool threads --concurrency 16

The broker only carries nudges; every job is a row. So nothing is retried, no result is kept, and a lost broker costs
time, never an answer.
"""

import logging
import os
import sys
import threading

from celery import Celery
from celery.signals import worker_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

logger = logging.getLogger(__name__)
app = Celery("portal")
app.config_from_object("portal.celery_settings")
app.autodiscover_tasks(["claims"])


@worker_ready.connect
def start_sweeping(**event: object) -> None:
    """Every worker sweeps, so nothing depends on one scheduler being alive."""
    threading.Thread(target=_sweep_for_ever, name="sweeper", daemon=True).start()


@worker_init.connect
def refuse_or_prepare(**event: object) -> None:
    """No start with times in a wrong order; and the model's client, seconds that the first customer need not wait for.

    Celery only logs what a handler raises, so a refusal has to end the process itself.
    """
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 (Django is set up by now, not before)

    from claims.agent.model import load  # noqa: PLC0415
    from portal.checks import refuse_wrong_times  # noqa: PLC0415

    try:
        refuse_wrong_times()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    load()


def _sweep_for_ever() -> None:
    from django.conf import settings  # noqa: PLC0415 (Django is set up by now, not when this module is loaded)
    from django.db import close_old_connections  # noqa: PLC0415
    from django.utils import timezone  # noqa: PLC0415

    from claims.sweeping import sweep  # noqa: PLC0415

    pause = threading.Event()
    while not pause.wait(settings.PORTAL_SWEEP_SECONDS):
        close_old_connections()
        try:
            sweep(now=timezone.now(), threads=settings.PORTAL_SWEEP_THREADS)
        except Exception:
            logger.exception("the sweep failed; it runs again in %s s", settings.PORTAL_SWEEP_SECONDS)
        finally:
            close_old_connections()
