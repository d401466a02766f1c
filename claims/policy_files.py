"""An adjuster's own documents, as they are shown and searched. Another's document is like one that is not there."""

import uuid
from dataclasses import dataclass, replace
from functools import lru_cache

from django.contrib.auth.models import User
from django.db.models import QuerySet

from claims.documents.finder import find, refuse_for
from claims.documents.findings import Finding
from claims.documents.pages import KNOWN_WHOLE, NotRead, PageState, Reading
from claims.documents.reading_json import from_json
from claims.documents.sections import Section, SectionKind, Structure
from claims.documents.structure import split
from claims.models import PolicyDocument, Relabel
from claims.policy_store import FilesAway, kept

_KEPT = 8
_COUNTS_KEPT = 2000


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

    Raises FilesAway, also where what is kept is not what was read.
    """
    if not document.reading_sha256:
        return PolicyFile(document, None, None)
    return PolicyFile(document, *_labelled(document.reading_key, document.reading_sha256, _labels(document)))


@dataclass(frozen=True)
class PageCount:
    """`not_read` are the pages of which something is not known, each with its state."""

    total: int
    not_read: tuple[tuple[int, PageState], ...]


def page_count(document: PolicyDocument) -> PageCount | None:
    """How many pages were read, for a list of files; None where there are none to count. Raises FilesAway."""
    return _counted(document.reading_key, document.reading_sha256) if document.reading_sha256 else None


class StillReading(Exception):
    """Nobody knows yet what the file says: it is being read, or waits for it."""


def find_in(file: PolicyFile, query: str, *, exact: bool = False) -> Finding:
    """Where a file speaks of something. Raises StillReading; a file that was not read refuses with its reason (M90)."""
    if file.reading is not None and file.structure is not None:
        return find(file.structure, file.reading, query, exact=exact)
    if not file.document.unreadable:
        raise StillReading
    return refuse_for(file.document.reason)


def original_of(document: PolicyDocument) -> bytes:
    """The file as it was uploaded. Raises FilesAway."""
    return kept(document.original_key, document.sha256)


@lru_cache(maxsize=_COUNTS_KEPT)
def _counted(key: str, sha256: str) -> PageCount:
    """Without cutting it: a list of many files has no use for their sections."""
    reading = _read(key, sha256)
    not_read = tuple((page.number, page.state) for page in reading.pages if page.state not in KNOWN_WHOLE)
    return PageCount(len(reading.pages), not_read)


def _read(key: str, sha256: str) -> Reading:
    reading = from_json(kept(key, sha256))
    if isinstance(reading, NotRead):
        raise FilesAway(f"{key} holds no reading")
    return reading


@lru_cache(maxsize=_KEPT)
def _cut(key: str, sha256: str) -> tuple[Reading, Structure]:
    """Both follow from the bytes alone, so a process keeps the few it is asked about."""
    reading = _read(key, sha256)
    return reading, split(reading)


def _labels(document: PolicyDocument) -> tuple[tuple[str, str], ...]:
    """Every section with a label and the kind that the adjuster gave it last."""
    rows = Relabel.objects.filter(document=document).order_by("pk").values_list("section_id", "kind")
    return tuple(sorted(dict(rows).items()))


# A structure that is kept keeps its search index.
@lru_cache(maxsize=_KEPT)
def _labelled(key: str, sha256: str, labels: tuple[tuple[str, str], ...]) -> tuple[Reading, Structure]:
    reading, structure = _cut(key, sha256)
    kinds = {section_id: SectionKind(kind) for section_id, kind in labels}

    def labelled(section: Section) -> Section:
        return replace(section, kind=kinds.get(section.section_id, section.kind))

    return reading, replace(structure, sections=tuple(map(labelled, structure.sections))) if kinds else structure
