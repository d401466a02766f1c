"""The worker: threads, because a turn waits for its model, and a timer that sweeps for what is late.

    celery -A portal worker --pool threads --concurrency 16

The broker only carries nudges; every job is a row. So nothing is retried, no result is kept, and a lost broker costs
time, never an answer.
"""

import os
import sys
import threading

from celery import Celery
from celery.signals import worker_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

app = Celery("portal")
app.config_from_object("portal.celery_settings")
app.autodiscover_tasks(["claims", "evals"])


@worker_ready.connect
def start_sweeping(**event: object) -> None:
    """Every worker sweeps, so nothing depends on one scheduler being alive."""
    from claims.sweeping import sweep_for_ever  # noqa: PLC0415 (Django is set up by now, not before)

    threading.Thread(target=sweep_for_ever, args=[threading.Event()], name="sweeper", daemon=True).start()


@worker_init.connect
def refuse_or_prepare(**event: object) -> None:
    """No start with times in a wrong order; and the model's client, seconds that the first customer need not wait for.

    Celery only logs what a handler raises, so a refusal has to end the process itself.
    """
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 (Django is set up by now, not before)

    from claims.agent.model import load  # noqa: PLC0415
    from portal.checks import refuse_wrong_times  # noqa: PLC0415
    from portal.postgresql.bounds import bound_this_worker  # noqa: PLC0415

    try:
        refuse_wrong_times()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    bound_this_worker()
    load()
