"""An adjuster's upload: kept as it came, read once in a process of its own, and never stuck.

A document is held by a lease while it is read, as a turn is while it is answered; what is late is found by the sweep.
"""

import hashlib
import re
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone

from claims.documents.pages import NotRead, Unreadable
from claims.documents.reading import WORDS
from claims.documents.reading_json import to_json
from claims.documents.reading_limits import MAX_BYTES
from claims.documents.sandbox import read_upload
from claims.documents.sections import SectionKind
from claims.models import PolicyDocument, Relabel
from claims.policy_store import FileLost, FilesAway, is_lost, keep, kept
from knowledge import audit

MAX_NAME = 200
MAX_ATTEMPTS = 3
LEASE_SECONDS = 60
_NOT_IN_A_NAME = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
GIVEN_UP = (
    "Reading this file failed several times for a reason that lies with the portal, so nothing of it was read. Upload "
    "it again, or tell the operator. This is not silence."
)


class CannotUpload(Exception):
    """The file is not taken; the message says why and what to do. Nothing was kept."""


class TooLarge(CannotUpload):
    """The file is larger than MAX_BYTES."""


class QuotaReached(CannotUpload):
    """The adjuster has as many files, or as many bytes, as one may have."""


@dataclass(frozen=True)
class Received:
    """The document of an upload; `is_new` is False when the same bytes were uploaded before, and need no reading."""

    document: PolicyDocument
    is_new: bool


def receive_document(*, owner: User, name: str, data: bytes, now: datetime) -> Received:
    """Keep a file of an adjuster, and a row that says it is to be read.

    Raises TooLarge, QuotaReached, CannotUpload for an empty file, and FilesAway; then nothing was kept.
    """
    if not data:
        raise CannotUpload("The file is empty. Choose the policy's file and upload it again.")
    if len(data) > MAX_BYTES:
        raise TooLarge(f"The file is larger than {MAX_BYTES // 1_000_000} MB. Upload it in parts.")
    digest = hashlib.sha256(data).hexdigest()
    with transaction.atomic():
        # One upload of an adjuster at a time, so that neither a double nor the quota slips between two.
        User.objects.select_for_update().get(pk=owner.pk)
        known = PolicyDocument.objects.filter(owner=owner, sha256=digest).first()
        if known is not None:
            # What was lost is there again; what is there already stays as it is.
            keep(known.original_key, data)
            return Received(known, is_new=_is_set_back(known))
        _check_quota(owner, len(data))
        document = PolicyDocument.objects.create(
            owner=owner, name=shown_name(name), size=len(data), sha256=digest, at=now
        )
        audit.record(
            "document.upload", by=owner, subject=str(document.pk), detail={"sha256": digest, "size": len(data)}
        )
        keep(document.original_key, data)
    return Received(document, is_new=True)


def _is_set_back(document: PolicyDocument) -> bool:
    """Whether a document is to be read once more: it was given up, or the store has lost what was read of it."""
    wanted = Q(status=PolicyDocument.Status.FAILED)
    if document.reading_sha256 and is_lost(document.reading_key, document.reading_sha256):
        wanted |= Q(status=PolicyDocument.Status.DONE)
    back = PolicyDocument.objects.filter(wanted, pk=document.pk).update(
        status=PolicyDocument.Status.RECEIVED,
        attempts=0,
        unreadable="",
        reason="",
        reading_sha256="",
        done_at=None,
        lease_until=None,
    )
    document.refresh_from_db()
    return bool(back)


def _check_quota(owner: User, size: int) -> None:
    kept = PolicyDocument.objects.filter(owner=owner)
    if kept.count() >= settings.PORTAL_ADJUSTER_FILES:
        raise QuotaReached(f"You have {settings.PORTAL_ADJUSTER_FILES} files here, which is the most one may have.")
    used = kept.aggregate(total=Sum("size"))["total"] or 0
    if used + size > settings.PORTAL_ADJUSTER_BYTES:
        megabytes = settings.PORTAL_ADJUSTER_BYTES // 1_000_000
        raise QuotaReached(
            f"With this file you would have more than {megabytes} MB here, which is the most one may have."
        )


def shown_name(name: str) -> str:
    """A file's name as it is shown: the last part of a path, without what is invisible or turns the text round.

    The end is kept where it is too long, for the end tells the kind.
    """
    last = re.split(r"[/\\]", _NOT_IN_A_NAME.sub("", name))[-1].strip()
    return last[-MAX_NAME:] or "unnamed"


def read_document(document_id: uuid.UUID) -> bool:
    """Read a document that waits for it, and keep what was read. False when it is done, held or given up.

    Raises FilesAway; then it waits again, and the attempt counts only where the file is lost: an outage is no fault of
    the file's, but a lost one would be tried for ever.
    """
    document = _take(document_id, timezone.now())
    if document is None:
        return False
    try:
        return _read(document)
    except FilesAway as error:
        uncounted = 0 if isinstance(error, FileLost) else 1
        _mine(document).update(
            status=PolicyDocument.Status.RECEIVED,
            stage=None,
            lease=None,
            lease_until=None,
            attempts=F("attempts") - uncounted,
        )
        raise


def _read(document: PolicyDocument) -> bool:
    answer = read_upload(kept(document.original_key, document.sha256), document.name)
    if isinstance(answer, NotRead):
        return _end(document, unreadable=answer.reason, reason=answer.detail)
    made = to_json(answer).encode()
    document.reading_sha256 = hashlib.sha256(made).hexdigest()
    _mine(document).update(stage=PolicyDocument.Stage.KEEPING)
    # An attempt that died after this left the same object: its key holds the hash.
    keep(document.reading_key, made)
    reason = "" if answer.unreadable is None else WORDS[answer.unreadable]
    return _end(document, unreadable=answer.unreadable, reason=reason)


def give_up(document_id: uuid.UUID) -> None:
    """End a document that was tried too often: it was not read, and says so."""
    document = PolicyDocument.objects.filter(pk=document_id, attempts__gte=MAX_ATTEMPTS).exclude(_ended()).first()
    if document is not None:
        PolicyDocument.objects.filter(pk=document_id).exclude(_ended()).update(
            status=PolicyDocument.Status.FAILED,
            stage=None,
            unreadable=Unreadable.TOO_SLOW,
            reason=GIVEN_UP,
            done_at=timezone.now(),
            lease=None,
        )


def late_documents(*, now: datetime, grace_seconds: float) -> list[tuple[uuid.UUID, bool]]:
    """Documents that nobody reads although somebody should: (id, whether their attempts are used up), oldest first."""
    forgotten = Q(status=PolicyDocument.Status.RECEIVED, at__lt=now - timedelta(seconds=grace_seconds))
    abandoned = Q(status=PolicyDocument.Status.RUNNING, lease_until__lt=now)
    rows = PolicyDocument.objects.filter(forgotten | abandoned).order_by("at").values_list("pk", "attempts")
    return [(document_id, attempts >= MAX_ATTEMPTS) for document_id, attempts in rows]


def _ended() -> Q:
    return Q(status__in=[PolicyDocument.Status.DONE, PolicyDocument.Status.FAILED])


def _take(document_id: uuid.UUID, now: datetime) -> PolicyDocument | None:
    """Hold a document for LEASE_SECONDS, by one guarded update: of two who try at once, one gets it."""
    free = Q(status=PolicyDocument.Status.RECEIVED) | Q(status=PolicyDocument.Status.RUNNING, lease_until__lt=now)
    lease = uuid.uuid4()
    taken = PolicyDocument.objects.filter(free, pk=document_id, attempts__lt=MAX_ATTEMPTS).update(
        status=PolicyDocument.Status.RUNNING,
        stage=PolicyDocument.Stage.READING,
        lease=lease,
        lease_until=now + timedelta(seconds=LEASE_SECONDS),
        attempts=F("attempts") + 1,
    )
    return PolicyDocument.objects.get(pk=document_id, lease=lease) if taken else None


def _mine(document: PolicyDocument) -> QuerySet[PolicyDocument]:
    return PolicyDocument.objects.filter(pk=document.pk, lease=document.lease)


def _end(document: PolicyDocument, *, unreadable: Unreadable | None, reason: str) -> bool:
    ended = _mine(document).update(
        status=PolicyDocument.Status.DONE,
        stage=None,
        unreadable=unreadable or "",
        reason=reason,
        reading_sha256=document.reading_sha256,
        done_at=timezone.now(),
        lease=None,
    )
    return bool(ended)


def relabel(
    *, document: PolicyDocument, section_id: str, kind: SectionKind, reason: str, by: User, now: datetime
) -> None:
    """Keep an adjuster's word on a section's kind. Whether the document has such a section is the caller's to know."""
    with transaction.atomic():
        Relabel.objects.create(document=document, section_id=section_id, kind=kind.value, reason=reason, by=by, at=now)
        detail = {"section": section_id, "kind": kind.value, "reason": reason}
        audit.record("document.relabel", by=by, subject=str(document.pk), detail=detail)
