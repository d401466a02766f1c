"""The life of a release after it is written: submitted, published, ingested, approved, withdrawn; which is in force.

A move is one guarded update of one row and its audit entry, in one transaction. Nobody picks "the newest": what is in
force on a day is decided in `release_in_force` alone, for customers and staff alike (M34).
"""

import json
from datetime import date
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from knowledge.answers import Missing, OpenRelease, Unavailable
from knowledge.assembly import NoSuchRelease, ReleaseError, assemble, document_of, withdrawn_numbers
from knowledge.audit import record
from knowledge.clause_rules import Problem, check_document
from knowledge.clause_text import PolicyDocument, write_document
from knowledge.models import Family, Release, ReleaseItem
from knowledge.storage import AlreadyExists, Store, open_store

__all__ = [
    "MOVES",
    "NoSuchRelease",
    "ReleaseError",
    "approve",
    "assemble",
    "in_force",
    "locked",
    "move",
    "opened",
    "problems_of",
    "publish",
    "release_in_force",
    "submit",
    "withdraw",
]

_State = Release.State
_IN_STORE = (_State.PUBLISHED, _State.INGESTED, _State.APPROVED)

MOVES: dict[str, tuple[str, frozenset[str]]] = {
    # state that is reached: the name of the step, the states it starts from
    _State.IN_REVIEW: ("submitted", frozenset({_State.DRAFT})),
    _State.PUBLISHED: ("published", frozenset({_State.IN_REVIEW})),
    _State.INGESTED: ("ingested", frozenset({_State.PUBLISHED})),
    _State.APPROVED: ("approved", frozenset({_State.INGESTED})),
    _State.WITHDRAWN: ("withdrawn", frozenset(_State) - {_State.WITHDRAWN}),
}


def submit(release_id: int, *, by: User) -> None:
    """Freeze a draft for review. Raises ReleaseError with every problem of its text (M39, M46 to M50)."""
    with transaction.atomic():
        release = locked(release_id)
        if problems := problems_of(release, document_of(release)):
            raise ReleaseError(f"{release} is not ready for review:", problems)
        move(release, _State.IN_REVIEW, by=by)


def publish(version: str, *, by: User, family: str | None = None) -> tuple[str, ...]:
    """Put every frozen family of a version, or one, into the object store: the document, then its manifest, last.

    Keys hold the hash of what is under them. To repeat it is harmless, and puts back objects that were lost.
    Never approves. Returns the releases by name. Raises ReleaseError, StorageUnavailable.
    """
    of_version = Release.objects.of_version(version, family)
    releases = list(of_version.filter(state__in=[_State.IN_REVIEW, *_IN_STORE]))
    if not releases:
        if not of_version.exists():
            raise NoSuchRelease(f"There is no release {version}.")
        raise ReleaseError(f"No release {version} is in review, which is where it is published from.")
    store = open_store()
    for release in releases:
        keys = _put_objects(store, release)
        if release.state == _State.IN_REVIEW:
            with transaction.atomic():
                move(locked(release.pk), _State.PUBLISHED, by=by, columns=keys)
    return tuple(str(release) for release in releases)


def approve(release_id: int, *, by: User) -> None:
    """Put an ingested release in force from its day on, and withdraw what its document names, in one transaction (M36).

    Raises ReleaseError when it is not ingested, when `by` wrote any part of it since the last approval (R6; superusers
    too), and when another approved release of the family starts on the same day.
    """
    with transaction.atomic():
        release = locked(release_id)
        if by.pk in _writers(release):
            raise ReleaseError(f"{by.get_username()} wrote part of {release}; somebody else approves it.")
        replaced = Release.objects.filter(family=release.family_id, version__in=release.withdraws)
        for old in replaced.exclude(state=_State.WITHDRAWN).select_related("family").order_by("effective_from"):
            move(old, _State.WITHDRAWN, by=by, replaced_by=release.version)
        try:
            with transaction.atomic():
                move(release, _State.APPROVED, by=by)
        except IntegrityError as error:
            raise ReleaseError(
                f"Another approved release of {release.family.code} starts on {release.effective_from}; "
                "withdraw it, or name it under withdraws."
            ) from error


def withdraw(release_id: int, *, by: User, reason: str) -> None:
    """Never use a release again, for any day. Raises ReleaseError when it is withdrawn already."""
    with transaction.atomic():
        move(locked(release_id), _State.WITHDRAWN, by=by, reason=reason)


def release_in_force(insurer: str, family: str, day: date) -> OpenRelease | Unavailable:
    """The approved release of a family with the latest `effective_from` not after `day` (R4).

    None approved, or two with the same date: `no_release` (M30, M32; never the newest). A day before the first one:
    `before_first`. There is no version to fall back to (M35).
    """
    found = in_force(insurer, family, day)
    return Unavailable(found) if isinstance(found, Missing) else opened(found)


def opened(release: Release) -> OpenRelease:
    """A release as the value that others get."""
    return OpenRelease(
        id=release.pk,
        family=release.family.code,
        version=release.version,
        effective_from=release.effective_from,
        document_id=release.family.document_id,
        codes=tuple(release.codes),
        document_sha256=release.document_sha256,
        manifest_key=release.manifest_key,
    )


def in_force(insurer: str, family: str, day: date) -> Release | Missing:
    """The row behind `release_in_force`, for this app only."""
    approved = list(Release.objects.of_family(insurer, family).approved().select_related("family"))
    if not approved:
        return Missing.NO_RELEASE
    begun = [release for release in approved if release.effective_from <= day]
    if not begun:
        return Missing.BEFORE_FIRST
    latest = max(release.effective_from for release in begun)
    candidates = [release for release in begun if release.effective_from == latest]
    return candidates[0] if len(candidates) == 1 else Missing.NO_RELEASE


def problems_of(release: Release, document: PolicyDocument) -> tuple[Problem, ...]:
    """The writing problems of a document, and the withdrawn numbers that it would use again (M46)."""
    withdrawn = withdrawn_numbers(release)
    again = tuple(
        Problem(clause.clause_id, "clause_id", "This number was withdrawn.", "Give the clause the next free number.")
        for clause in document.clauses
        if clause.clause_id in withdrawn
    )
    return (*check_document(document), *again)


def move(release: Release, to: str, *, by: User, columns: dict[str, str] | None = None, **detail: str) -> None:
    """Move a release to a state and record it; call it in a transaction. Raises ReleaseError when it is elsewhere.

    `columns` are set with the state; `detail` goes into the record beside them.
    """
    step, starts = MOVES[to]
    values: dict[str, Any] = {f"{step}_by": by, f"{step}_at": timezone.now(), **(columns or {})}
    if not Release.objects.filter(pk=release.pk, state__in=starts).update(state=to, **values):
        state = Release.objects.values_list("state", flat=True).get(pk=release.pk)
        raise ReleaseError(f"{release} is {state}, so it cannot become {to}.")
    record(f"release.{to}", by=by, subject=str(release), detail={**detail, **(columns or {})})


def locked(release_id: int) -> Release:
    """The release as it is once its family's row is locked: moves of one family happen one after the other.

    Call it in a transaction. Raises ReleaseError for an unknown id.
    """
    Family.objects.select_for_update().filter(releases=release_id).first()
    release = Release.objects.select_related("family__insurer").filter(pk=release_id).first()
    if release is None:
        raise NoSuchRelease(f"There is no release with the id {release_id}.")
    return release


def _writers(release: Release) -> set[int]:
    approved_before = ReleaseItem.objects.filter(release__approved_at__isnull=False).values("revision")
    new = release.items.exclude(revision__in=approved_before)
    return {release.assembled_by_id, *new.values_list("revision__author", flat=True)}


def _put_objects(store: Store, release: Release) -> dict[str, str]:
    document = document_of(release)
    data = write_document(document).encode()
    digest = sha256(data).hexdigest()
    if release.document_sha256 not in ("", digest):
        raise ReleaseError(f"The rows of {release} make another document than the one that was published.")
    key = f"{document.document_id}/{document.version}/{digest}.md"
    _put(store, key, data)
    manifest = _manifest(document, key, digest)
    manifest_key = f"manifests/{document.version}/{document.document_id}-{sha256(manifest).hexdigest()}.json"
    _put(store, manifest_key, manifest)
    return {"document_key": key, "document_sha256": digest, "manifest_key": manifest_key}


def _manifest(document: PolicyDocument, key: str, digest: str) -> bytes:
    content = {
        "document_id": document.document_id,
        "insurer": document.insurer,
        "family": document.family,
        "version": document.version,
        "effective_from": document.effective_from.isoformat(),
        "visibility": document.visibility.value,
        "object": key,
        "sha256": digest,
        "clauses": [{"clause_id": clause.clause_id, "sha256": clause.sha256} for clause in document.clauses],
    }
    return (json.dumps(content, indent=2) + "\n").encode()


def _put(store: Store, key: str, data: bytes) -> None:
    try:
        store.put_new(key, data)
    except AlreadyExists:
        if store.get(key) != data:
            raise ReleaseError(f"The object store holds something else under {key}; it was left as it is.") from None
