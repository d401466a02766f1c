"""A document and the rows it is made of: into a draft release, and back into the document that is published.

Clause numbers are given out here and only go forward; what a document says is judged when it is submitted.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from knowledge.audit import record
from knowledge.clause_rules import Problem
from knowledge.clause_text import ClauseText, PolicyDocument, Visibility
from knowledge.models import Clause, Family, Release, ReleaseItem, Revision


class ReleaseError(Exception):
    """Why a release cannot be made or moved, in a sentence; `problems` when it is its text."""

    def __init__(self, message: str, problems: Iterable[Problem] = ()) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join([message, *(f"- {problem}" for problem in self.problems)]))


class NoSuchRelease(ReleaseError):
    """The release that was named is not there."""


@dataclass(frozen=True, order=True)
class _Number:
    kind: str
    number: int

    @classmethod
    def of(cls, clause_id: str) -> "_Number":
        _, kind, number = clause_id.split("-")
        return cls(kind, int(number))


@transaction.atomic
def assemble(document: PolicyDocument, *, by: User) -> int:
    """Make a draft release of a document, written by `by`; returns its id.

    New clause numbers become permanent here (M46); a clause that did not change keeps its revision and its author.
    Raises ReleaseError for an unknown family, a document id that is not the family's, a version that is there already
    and a number that goes backward.
    """
    family = _family_of(document)
    if Release.objects.filter(family=family, version=document.version).exists():
        raise ReleaseError(f"{family.code} has a version {document.version} already; a version is written once.")
    release = Release.objects.create(
        family=family,
        version=document.version,
        effective_from=document.effective_from,
        withdraws=list(document.withdraws),
        visibility=document.visibility,
        preamble=document.preamble,
        assembled_by=by,
    )
    clauses = _clauses(family, [clause.clause_id for clause in document.clauses])
    latest = _latest_revisions(family)
    items = []
    for position, text in enumerate(document.clauses, start=1):
        clause = clauses[text.clause_id]
        revision = latest.get(clause.pk)
        if revision is None or revision.as_clause() != text:
            revision = latest[clause.pk] = _add_revision(clause, text, by)
        items.append(ReleaseItem(release=release, revision=revision, position=position))
    ReleaseItem.objects.bulk_create(items)
    record("release.assemble", by=by, subject=str(release), detail={"clauses": len(items)})
    return release.pk


def document_of(release: Release) -> PolicyDocument:
    """The document that a release's rows make."""
    items = release.items.select_related("revision__clause").order_by("position")
    return PolicyDocument(
        document_id=release.family.document_id,
        family=release.family.code,
        insurer=release.family.insurer.code,
        version=release.version,
        effective_from=release.effective_from,
        withdraws=tuple(release.withdraws),
        visibility=Visibility(release.visibility),
        preamble=release.preamble,
        clauses=tuple(item.revision.as_clause() for item in items),
    )


def withdrawn_numbers(release: Release) -> frozenset[str]:
    """Clause ids that must not come back in `release`: an earlier approved release had them, the last of these had not.

    A release that was approved counts even when it is withdrawn since (M46).
    """
    earlier = Release.objects.filter(
        family=release.family_id, approved_at__isnull=False, effective_from__lt=release.effective_from
    )
    last = earlier.exclude(pk=release.pk).order_by("-effective_from", "-approved_at").first()
    if last is None:
        return frozenset()
    ever = Clause.objects.filter(entries__release__in=earlier).exclude(entries__release=last)
    return frozenset(ever.values_list("clause_id", flat=True))


def _family_of(document: PolicyDocument) -> Family:
    family = (
        Family.objects.select_related("insurer")
        .select_for_update(of=("self",))
        .filter(insurer__code=document.insurer, code=document.family)
        .first()
    )
    if family is None:
        raise ReleaseError(f"There is no family {document.family} of insurer {document.insurer}.")
    if family.document_id != document.document_id:
        raise ReleaseError(f"The document of {family.code} is {family.document_id}, not {document.document_id}.")
    strange = [c.clause_id for c in document.clauses if not c.clause_id.startswith(family.clause_prefix + "-")]
    if strange:
        raise ReleaseError(f"Clauses of {family.code} start with {family.clause_prefix}, not {', '.join(strange)}.")
    ids = [clause.clause_id for clause in document.clauses]
    if len(set(ids)) < len(ids):
        raise ReleaseError("A clause number stands twice in this document.")
    return family


def _clauses(family: Family, clause_ids: list[str]) -> dict[str, Clause]:
    known = {clause.clause_id: clause for clause in Clause.objects.filter(family=family, clause_id__in=clause_ids)}
    kinds = Clause.objects.filter(family=family).values_list("kind").annotate(Max("number"))
    highest: dict[str, int] = dict(kinds)
    for clause_id in sorted(set(clause_ids) - set(known), key=_Number.of):
        new = _Number.of(clause_id)
        if new.number <= highest.get(new.kind, 0):
            raise ReleaseError(
                f"{clause_id} goes backward: numbers are never reused. "
                f"The next free one is {family.clause_prefix}-{new.kind}-{highest[new.kind] + 1:02}."
            )
        known[clause_id] = Clause.objects.create(family=family, clause_id=clause_id, kind=new.kind, number=new.number)
        highest[new.kind] = new.number
    return known


def _latest_revisions(family: Family) -> dict[int, Revision]:
    latest: dict[int, Revision] = {}
    for revision in Revision.objects.filter(clause__family=family).select_related("clause").order_by("pk"):
        latest[revision.clause_id] = revision
    return latest


def _add_revision(clause: Clause, text: ClauseText, by: User) -> Revision:
    return Revision.objects.create(
        clause=clause,
        title=text.title,
        schedule_section=text.schedule_section or "",
        sources=list(text.sources),
        plain=list(text.plain),
        body=text.body,
        author=by,
    )
