"""`manage.py sweep`: answer what is late, now. Exit 1 when a late turn could not be ended."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from claims.sweeping import sweep


class Command(BaseCommand):
    help = "Answer every turn that is late, and end with the safe reply each that was tried too often."

    def handle(self, *args: Any, **options: Any) -> None:
        swept = sweep(now=timezone.now(), threads=settings.PORTAL_SWEEP_THREADS)
        self.stdout.write(f"{swept.retried} late turns answered or retried, {swept.given_up} given up.")
        if swept.failed:
            self.stderr.write(f"{swept.failed} could not be ended; the log says why. They stay late: sweep again.")
            sys.exit(1)
