"""Waiting for a turn that another process answers, for a caller who would rather wait than ask again."""

import time
from uuid import UUID

from claims.models import Turn
from claims.turn_queue import UNFINISHED

POLL_SECONDS = 0.1


def wait_until_done(turn_id: UUID, *, seconds: float) -> bool:
    """Whether the turn has ended, looked at every tenth of a second for at most `seconds`."""
    give_up_at = time.monotonic() + seconds
    while Turn.objects.filter(pk=turn_id, status__in=UNFINISHED).exists():
        if time.monotonic() >= give_up_at:
            return False
        time.sleep(POLL_SECONDS)
    return True
