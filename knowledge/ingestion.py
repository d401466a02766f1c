"""From the object store to rows: manifest, document, hash, text, rules, then every row of every family or none.

Nothing is in force afterwards: that is `releases.approve`. Reading and judging come first, outside the transaction;
a fault anywhere leaves no row but the record of the attempt, and the next attempt starts anew.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction

from knowledge.audit import record
from knowledge.clause_text import DocumentError, PolicyDocument, clause_spans, read_document, text_hash
from knowledge.models import Clause, DirectoryEntry, IngestionRun, Release, Sentence
from knowledge.releases import NoSuchRelease, ReleaseError, locked, move, problems_of
from knowledge.storage import NotFound, StorageUnavailable, Store, open_store

_State = Release.State


@dataclass(frozen=True)
class _Read:
    release: Release
    document: PolicyDocument
    spans: dict[str, tuple[int, int]]


def ingest(version: str, *, by: User, family: str | None = None) -> tuple[str, ...]:
    """Make the rows of every published family of a version, or of one; returns the releases, those done before too.

    Raises ReleaseError with every problem when a document is missing, different or badly written, and
    StorageUnavailable; in both cases no family of the version was changed (M41).
    """
    releases = list(Release.objects.of_version(version, family))
    waiting = [release for release in releases if release.state == _State.PUBLISHED]
    done = [release for release in releases if release.state in (_State.INGESTED, _State.APPROVED)]
    if not releases:
        raise NoSuchRelease(f"There is no release {version}.")
    if not waiting and not done:
        raise ReleaseError(f"No release {version} is published.")
    store = open_store()
    read: list[_Read] = []
    for release in waiting:
        try:
            read.append(_read(store, release))
        except ReleaseError as error:
            _record_failure(release, IngestionRun.State.REFUSED, str(error).split("\n"), by)
            raise
        except StorageUnavailable as error:
            _record_failure(release, IngestionRun.State.UNAVAILABLE, [str(error)], by)
            raise
    with transaction.atomic():
        for found in read:
            _write(found, by)
    return tuple(str(release) for release in (*done, *waiting))


def _read(store: Store, release: Release) -> _Read:
    try:
        manifest = json.loads(store.get(release.manifest_key))
        data = store.get(release.document_key)
    except NotFound as error:
        raise ReleaseError(f"{release} is not in the object store: {error} is missing. Publish it again.") from error
    except ValueError as error:
        raise ReleaseError(f"The manifest of {release} cannot be read: {error}.") from error
    named = (manifest.get("object"), manifest.get("sha256")) if isinstance(manifest, dict) else None
    if named != (release.document_key, release.document_sha256):
        raise ReleaseError(f"The manifest of {release} is about another document than the one that was published.")
    if sha256(data).hexdigest() != release.document_sha256:
        raise ReleaseError(f"The stored document of {release} is not the one that was published.")
    try:
        text = data.decode()
        document = read_document(text)
    except (UnicodeDecodeError, DocumentError) as error:
        raise ReleaseError(f"The stored document of {release} cannot be read: {error}") from error
    _check_names(release, document)
    if problems := problems_of(release, document):
        raise ReleaseError(f"{release} is not fit to be ingested:", problems)
    return _Read(release, document, clause_spans(text))


def _check_names(release: Release, document: PolicyDocument) -> None:
    given = (document.insurer, document.family, document.document_id, document.version, document.effective_from)
    family = release.family
    if given != (family.insurer.code, family.code, family.document_id, release.version, release.effective_from):
        raise ReleaseError(f"The stored document of {release} is of another family, version or day.")
    if document.visibility != release.visibility or list(document.withdraws) != release.withdraws:
        raise ReleaseError(f"The stored document of {release} has another visibility or withdraws something else.")


def _write(read: _Read, by: User) -> None:
    """The rows of one release. Of two who ingest at once, the second waits for the first and finds it done."""
    if locked(read.release.pk).state != _State.PUBLISHED:
        return
    move(read.release, _State.INGESTED, by=by)
    numbers = dict(Clause.objects.filter(family=read.release.family_id).values_list("clause_id", "pk"))
    unknown = [clause.clause_id for clause in read.document.clauses if clause.clause_id not in numbers]
    if unknown:
        raise ReleaseError(f"{read.release} holds numbers that were never given out: {', '.join(unknown)}.")
    entries = DirectoryEntry.objects.bulk_create(_entries(read, numbers))
    sentences = []
    for entry, clause in zip(entries, read.document.clauses, strict=True):
        for sentence in clause.sentences:
            sentences.append(
                Sentence(
                    entry=entry,
                    index=sentence.index,
                    start=sentence.start,
                    end=sentence.end,
                    sha256=text_hash(clause.sentence_text(sentence.index)),
                    part=sentence.part,
                    always=sentence.always,
                )
            )
    Sentence.objects.bulk_create(sentences)
    codes = [clause.schedule_section for clause in read.document.clauses if clause.schedule_section]
    Release.objects.filter(pk=read.release.pk).update(codes=list(dict.fromkeys(codes)))
    IngestionRun.objects.create(release=read.release, state=IngestionRun.State.INGESTED, by=by)


def _entries(read: _Read, numbers: dict[str, int]) -> list[DirectoryEntry]:
    return [
        DirectoryEntry(
            release=read.release,
            clause_id=numbers[clause.clause_id],
            position=position,
            title=clause.title,
            schedule_section=clause.schedule_section or "",
            sha256=clause.sha256,
            start=read.spans[clause.clause_id][0],
            end=read.spans[clause.clause_id][1],
        )
        for position, clause in enumerate(read.document.clauses, start=1)
    ]


def _record_failure(release: Release, state: str, problems: Sequence[str], by: User) -> None:
    with transaction.atomic():
        IngestionRun.objects.create(release=release, state=state, problems=list(problems), by=by)
        record(f"release.ingestion_{state}", by=by, subject=str(release), detail={"problems": list(problems)})
