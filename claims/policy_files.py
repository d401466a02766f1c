"""An adjuster's own documents, as they are shown and searched. Another's document is like one that is not there."""

import hashlib
import uuid
from dataclasses import dataclass, replace
from functools import lru_cache

from django.contrib.auth.models import User
from django.db.models import QuerySet

from claims.documents.pages import NotRead, Reading
from claims.documents.reading_json import from_json
from claims.documents.sections import Section, SectionKind, Structure
from claims.documents.structure import split
from claims.models import PolicyDocument, Relabel
from knowledge.storage import NotFound, StorageUnavailable, open_store

_KEPT = 8


@dataclass(frozen=True)
class PolicyFile:
    """A document with what was read of it. Both are None while it is not read, and where nothing of it could be."""

    document: PolicyDocument
    reading: Reading | None
    structure: Structure | None


def documents_of(owner: User) -> QuerySet[PolicyDocument]:
    return PolicyDocument.objects.filter(owner=owner)


def find_document(owner: User, document_id: uuid.UUID) -> PolicyDocument | None:
    """None for another's document as for one that is not there."""
    return documents_of(owner).filter(pk=document_id).first()


def open_file(document: PolicyDocument) -> PolicyFile:
    """What was read of a document, with the adjuster's own labels on it.

    Raises StorageUnavailable, also where what is kept is not what was read.
    """
    if not document.reading_sha256:
        return PolicyFile(document, None, None)
    reading, structure = _cut(document.reading_key, document.reading_sha256)
    return PolicyFile(document, reading, _relabelled(structure, _labels(document)))


def original_of(document: PolicyDocument) -> bytes:
    """The file as it was uploaded. Raises StorageUnavailable."""
    return _kept(document.original_key, document.sha256)


@lru_cache(maxsize=_KEPT)
def _cut(key: str, sha256: str) -> tuple[Reading, Structure]:
    """Both follow from the bytes alone, so a process keeps the few it is asked about."""
    reading = from_json(_kept(key, sha256))
    if isinstance(reading, NotRead):
        raise StorageUnavailable(f"{key} holds no reading")
    return reading, split(reading)


def _kept(key: str, sha256: str) -> bytes:
    try:
        data = open_store().get(key)
    except NotFound as error:
        raise StorageUnavailable(f"{key} is gone from the store") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise StorageUnavailable(f"{key} is not what was kept")
    return data


def _labels(document: PolicyDocument) -> dict[str, SectionKind]:
    """section id -> the kind that the adjuster gave it last."""
    rows = Relabel.objects.filter(document=document).order_by("pk").values_list("section_id", "kind")
    return {section_id: SectionKind(kind) for section_id, kind in rows}


def _relabelled(structure: Structure, labels: dict[str, SectionKind]) -> Structure:
    def labelled(section: Section) -> Section:
        kind = labels.get(section.section_id)
        return section if kind is None else replace(section, kind=kind)

    return replace(structure, sections=tuple(map(labelled, structure.sections))) if labels else structure
