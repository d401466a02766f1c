"""Named places of a turn where a test ends the process, to prove that nothing is lost there.

Nothing happens unless PORTAL_FAULT_POINT names the place, which the settings refuse without DEBUG.
"""

import os

from django.conf import settings

TAKEN = "turn.taken"
PLANNED = "turn.planned"
ANSWERED = "turn.answered"
WRITTEN = "turn.written"
COMMITTED = "turn.committed"
RECEIVED = "message.received"
NAMES = (RECEIVED, TAKEN, PLANNED, ANSWERED, WRITTEN, COMMITTED)

KILLED = 137


def reached(name: str) -> None:
    """End the process at once, without any clean-up, when this is the place that the test named."""
    if name == settings.PORTAL_FAULT_POINT:
        os._exit(KILLED)
