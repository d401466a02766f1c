"""Fill an empty knowledge base with what is kept as text beside the code: the demo's documents and the inventory.

They seed; afterwards the rows are the truth. A family that has a release is left alone, and so is an inventory that has
a question, so this may run at every start.
Families and versions come from the folder: no name of one stands here (M35).
"""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import yaml
from django.contrib.auth.models import User
from django.db import transaction

from knowledge.assembly import ReleaseError, assemble
from knowledge.clause_text import DocumentError, PolicyDocument, read_document
from knowledge.ingestion import ingest
from knowledge.inventory import add_questions
from knowledge.models import Family, Insurer, Release
from knowledge.question_rules import InventoryError, read_inventory
from knowledge.releases import approve, publish, submit
from knowledge.storage import StorageUnavailable

CONTENT = Path(__file__).resolve().parent / "content"


def seed_knowledge(*, editor: User, approver: User, content: Path = CONTENT) -> tuple[str, ...]:
    """Add the content folder's families and questions; bring into force the documents of families without a release.

    Written by `editor`, approved by `approver`, the oldest day first, so that a document can withdraw an earlier one.
    A family's documents come in together or not at all; a family with a release is left alone. The questions come in
    when there is none. Returns a line for each thing that came in. Raises ReleaseError, also when the object store is
    not available; it can be run again.
    """
    families = _families(content)
    documents = [_read(path) for path in sorted(content.glob("*/*.md"))]
    done: list[str] = []
    for family in families:
        own = [d for d in documents if (d.insurer, d.family) == (family.insurer.code, family.code)]
        if own and not Release.objects.filter(family=family).exists():
            done.extend(_bring_in(sorted(own, key=_by_day), editor=editor, approver=approver))
    return (*done, *_fill_inventory(content, by=editor))


def _families(content: Path) -> list[Family]:
    rows = yaml.safe_load((content / "families.yaml").read_text(encoding="utf-8"))
    families = []
    for row in rows:
        insurer, _ = Insurer.objects.get_or_create(code=row["insurer"], defaults={"name": row["insurer"].title()})
        names = {"clause_prefix": row["clause_prefix"], "document_id": row["document_id"]}
        family, _ = Family.objects.get_or_create(
            insurer=insurer, code=row["family"], defaults={"name": row["family"].title(), **names}
        )
        families.append(family)
    return families


def _fill_inventory(content: Path, *, by: User) -> list[str]:
    file, more = content / "inventory.yaml", content / "inventory_more.yaml"
    if not file.exists():
        return []
    try:
        questions = read_inventory(
            file.read_text(encoding="utf-8"), more.read_text(encoding="utf-8") if more.exists() else ""
        )
        added = add_questions(questions, by=by)
    except InventoryError as error:
        raise ReleaseError(str(error)) from error
    return [f"question inventory: {added} questions"] if added else []


def _by_day(document: PolicyDocument) -> tuple[date, str]:
    return document.effective_from, document.version


def _read(path: Path) -> PolicyDocument:
    try:
        return read_document(path.read_text(encoding="utf-8"))
    except DocumentError as error:
        raise ReleaseError(f"{path.parent.name}/{path.name}, {error}") from error


@transaction.atomic
def _bring_in(documents: Sequence[PolicyDocument], *, editor: User, approver: User) -> list[str]:
    done = []
    for document in documents:
        release_id = assemble(document, by=editor)
        submit(release_id, by=editor)
        try:
            publish(document.version, by=editor, family=document.family)
            ingest(document.version, by=editor, family=document.family)
        except StorageUnavailable as error:
            raise ReleaseError(f"The object store is not available: {error}") from error
        approve(release_id, by=approver)
        done.append(f"{document.family} {document.version}: {len(document.clauses)} clauses, approved")
    return done
