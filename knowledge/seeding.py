"""Fill an empty knowledge base with the documents that are kept as text beside the code: the demo's content.

They seed; afterwards the rows are the truth. What is there already, family or version, is left alone, so this may run
at every start. Families and versions come from the documents: no name of one stands here (M35).
"""

from pathlib import Path

from django.contrib.auth.models import User
from django.db import transaction

from knowledge.assembly import ReleaseError, assemble
from knowledge.clause_text import DocumentError, PolicyDocument, read_document
from knowledge.ingestion import ingest
from knowledge.models import Family, Insurer, Release
from knowledge.releases import approve, publish, submit
from knowledge.storage import StorageUnavailable

CONTENT = Path(__file__).resolve().parent / "content"


def seed_knowledge(*, editor: User, approver: User, content: Path = CONTENT) -> tuple[str, ...]:
    """Bring every document of the content folder into force that has no release yet; returns a line for each.

    Written by `editor`, approved by `approver`, the oldest day first, so that a document can withdraw an earlier one.
    Each document comes in whole or not at all. Raises ReleaseError, also when the object store is not available; to
    run it again goes on with the document that failed.
    """
    documents = [_read(path) for path in sorted(content.glob("*/*.md"))]
    done = []
    for document in sorted(documents, key=lambda d: (d.effective_from, d.version)):
        if not _is_there(document):
            try:
                _bring_in(document, editor=editor, approver=approver)
            except StorageUnavailable as error:
                raise ReleaseError(f"The object store is not available: {error}") from error
            done.append(f"{document.family} {document.version}: {len(document.clauses)} clauses, approved")
    return tuple(done)


def _read(path: Path) -> PolicyDocument:
    try:
        return read_document(path.read_text(encoding="utf-8"))
    except DocumentError as error:
        raise ReleaseError(f"{path.parent.name}/{path.name}, {error}") from error


def _is_there(document: PolicyDocument) -> bool:
    of_family = Release.objects.of_family(document.insurer, document.family)
    return of_family.filter(version=document.version).exists()


@transaction.atomic
def _bring_in(document: PolicyDocument, *, editor: User, approver: User) -> None:
    insurer, _ = Insurer.objects.get_or_create(code=document.insurer, defaults={"name": document.insurer.title()})
    Family.objects.get_or_create(
        insurer=insurer,
        code=document.family,
        defaults={
            "name": document.family.title(),
            "clause_prefix": document.clauses[0].clause_id[:3],
            "document_id": document.document_id,
        },
    )
    release_id = assemble(document, by=editor)
    submit(release_id, by=editor)
    publish(document.version, by=editor, family=document.family)
    ingest(document.version, by=editor, family=document.family)
    approve(release_id, by=approver)
