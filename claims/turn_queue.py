"""Which turn is worked on, by whom, and until when. The row is the promise; a task or a timer only nudges.

A turn is held by a lease. Turns of one claim are answered in their order: only the first unfinished one can be taken.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet

from claims.agent.vocabulary import Stage, Status
from claims.models import Claim, Turn

MAX_ATTEMPTS = 3
UNFINISHED = (Status.RECEIVED, Status.RUNNING)


@dataclass(frozen=True)
class Lease:
    """The right to commit a turn; lost as soon as somebody else takes the turn after it ran out."""

    turn_id: uuid.UUID
    claim_id: uuid.UUID
    token: uuid.UUID


def take(turn_id: uuid.UUID, *, now: datetime, seconds: float, is_last: bool = False) -> Lease | None:
    """Hold a turn for `seconds`, or None when it is done, held, tried too often, or not the first of its claim.

    `is_last` takes a turn whose attempts are used up, to end it. Safe when two try at once: the claim's row is locked.
    """
    with transaction.atomic():
        claim = Claim.objects.select_for_update().filter(turns__pk=turn_id).first()
        first = None if claim is None else _unfinished(claim.pk).order_by("seq").first()
        if claim is None or first is None or first.pk != turn_id or not _is_free(first, now):
            return None
        if first.attempts >= MAX_ATTEMPTS and not is_last:
            return None
        lease = Lease(turn_id, claim.pk, uuid.uuid4())
        Turn.objects.filter(pk=turn_id).update(
            status=Status.RUNNING,
            stage=Stage.PLANNING,
            lease=lease.token,
            lease_until=now + timedelta(seconds=seconds),
            attempts=F("attempts") + 1,
        )
    return lease


def next_of(claim_id: uuid.UUID) -> uuid.UUID | None:
    """The claim's first unfinished turn."""
    return _unfinished(claim_id).order_by("seq").values_list("pk", flat=True).first()


def late(*, now: datetime, grace_seconds: float) -> list[tuple[uuid.UUID, bool]]:
    """Turns that nobody works on although they should be: (id, whether their attempts are used up), oldest first.

    A received turn is late after `grace_seconds`, a running one when its lease has run out.
    """
    forgotten = Q(status=Status.RECEIVED, at__lt=now - timedelta(seconds=grace_seconds))
    abandoned = Q(status=Status.RUNNING, lease_until__lt=now)
    rows = Turn.objects.filter(forgotten | abandoned).order_by("at", "seq").values_list("pk", "attempts")
    return [(turn_id, attempts >= MAX_ATTEMPTS) for turn_id, attempts in rows]


def _unfinished(claim_id: uuid.UUID) -> QuerySet[Turn]:
    return Turn.objects.filter(claim_id=claim_id, status__in=UNFINISHED)


def _is_free(turn: Turn, now: datetime) -> bool:
    return turn.status == Status.RECEIVED or turn.lease_until is None or turn.lease_until < now
