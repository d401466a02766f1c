"""Which turn is worked on, by whom, and until when. The row is the promise; a task or a timer only nudges.

A turn is held by a lease. Turns of one claim are answered in their order: only the first unfinished one can be taken.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from claims.agent.vocabulary import Stage, Status
from claims.models import Turn

MAX_ATTEMPTS = 3
UNFINISHED = (Status.RECEIVED, Status.RUNNING)


@dataclass(frozen=True)
class Lease:
    """The right to commit a turn; lost as soon as somebody else takes the turn after it ran out."""

    turn: Turn
    token: uuid.UUID

    @property
    def turn_id(self) -> uuid.UUID:
        return self.turn.pk

    @property
    def claim_id(self) -> uuid.UUID:
        return self.turn.claim_id


def take(turn_id: uuid.UUID, *, now: datetime, seconds: float, is_last: bool = False) -> Lease | None:
    """Hold a turn for `seconds`, or None when it is done, held, tried too often, or not the first of its claim.

    `is_last` takes a turn whose attempts are used up, to end it. One guarded update: of two who try at once, the
    database lets one through, and an earlier turn of the claim can only end meanwhile.
    """
    earlier = Turn.objects.filter(claim_id=OuterRef("claim_id"), seq__lt=OuterRef("seq"), status__in=UNFINISHED)
    free = Q(status=Status.RECEIVED) | Q(status=Status.RUNNING, lease_until__lt=now)
    takable = Turn.objects.filter(free, ~Exists(earlier), pk=turn_id)
    if not is_last:
        takable = takable.filter(attempts__lt=MAX_ATTEMPTS)
    token = uuid.uuid4()
    taken = takable.update(
        status=Status.RUNNING,
        stage=Stage.PLANNING,
        lease=token,
        lease_until=now + timedelta(seconds=seconds),
        attempts=F("attempts") + 1,
    )
    return Lease(Turn.objects.select_related("claim").get(pk=turn_id), token) if taken else None


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
