"""What the insurer has written, for staff to look through: families, releases, and the clauses of any version.

Which release is in force is decided in `releases`, for staff as for customers (M34). A version that is not in force can
be named, also one that waits for approval or was withdrawn. The text is that of the rows; it is given only where its
hash is the one that was ingested, so that it is what the object store holds. Turns get theirs through `lookup`.
"""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from django.db.models import Count

from knowledge.answers import Missing
from knowledge.clause_text import ClauseText
from knowledge.models import Clause, Family, Release
from knowledge.releases import in_force


class NotWritten(LookupError):
    """There is no such family, version or clause; the message says which."""


class Absent(StrEnum):
    """Why there is nothing to read of a family or of a version."""

    NO_RELEASE = "no_release"
    BEFORE_FIRST = "before_first"
    NOT_INGESTED = "not_ingested"


@dataclass(frozen=True)
class Wording:
    """One version of a family's document that was ingested; `state` is where its release stands."""

    id: int
    family: str
    version: str
    effective_from: date
    state: str


@dataclass(frozen=True)
class WrittenFamily:
    """`wording` is what is in force, or why there is none; `clauses` counts what it holds."""

    family: str
    name: str
    insurer: str
    document_id: str
    clause_prefix: str
    wording: Wording | Absent
    clauses: int


@dataclass(frozen=True)
class WrittenRelease:
    """A release from draft to withdrawn; `clauses` is what ingestion made of it, 0 before."""

    id: int
    family: str
    version: str
    document_id: str
    state: str
    effective_from: date
    visibility: str
    withdraws: tuple[str, ...]
    clauses: int
    is_in_force: bool
    approved_by: str | None
    approved_at: datetime | None


@dataclass(frozen=True)
class WrittenClause:
    """A clause as ingested. `text` is None where the rows hold another text than the one that was ingested."""

    clause_id: str
    title: str
    schedule_section: str | None
    sha256: str
    text: ClauseText | None


def written_families(day: date) -> tuple[WrittenFamily, ...]:
    """Every family and what of it is in force on `day`, by code."""
    return tuple(
        _family(family, day) for family in Family.objects.select_related("insurer").order_by("code", "insurer")
    )


def written_releases(day: date, family: str | None = None) -> tuple[WrittenRelease, ...]:
    """Every release, or one family's, the latest first. Raises NotWritten for an unknown family."""
    families = list(Family.objects.select_related("insurer")) if family is None else [_find_family(family)]
    now = {getattr(in_force(found.insurer.code, found.code, day), "pk", None) for found in families}
    rows = Release.objects.filter(family__in=families)
    counts: dict[int, int] = dict(rows.values_list("pk").annotate(Count("entries")))
    return tuple(
        WrittenRelease(
            id=row.pk,
            family=row.family.code,
            version=row.version,
            document_id=row.family.document_id,
            state=row.state,
            effective_from=row.effective_from,
            visibility=row.visibility,
            withdraws=tuple(row.withdraws),
            clauses=counts[row.pk],
            is_in_force=row.pk in now,
            approved_by=None if row.approved_by is None else row.approved_by.get_username(),
            approved_at=row.approved_at,
        )
        for row in rows.select_related("family", "approved_by").order_by("-effective_from", "-id")
    )


def open_wording(family: str, day: date, version: str | None = None) -> Wording | Absent:
    """The wording of a family in force on `day`, or a version that is named, whatever its day.

    Raises NotWritten for an unknown family and an unknown version.
    """
    return _open(_find_family(family), day, version)


def clauses_of(wording: Wording) -> tuple[WrittenClause, ...]:
    """Every clause of a wording, in the document's order."""
    release = Release.objects.get(pk=wording.id)
    items = release.items.select_related("revision__clause")
    texts = {item.revision.clause_id: item.revision.as_clause() for item in items}
    clauses = []
    for entry in release.entries.select_related("clause").order_by("position"):
        text = texts.get(entry.clause_id)
        clauses.append(
            WrittenClause(
                clause_id=entry.clause.clause_id,
                title=entry.title,
                schedule_section=entry.schedule_section or None,
                sha256=entry.sha256,
                text=text if text is not None and text.sha256 == entry.sha256 else None,
            )
        )
    return tuple(clauses)


def find_clause(clause_id: str, day: date, version: str | None = None) -> tuple[Wording, WrittenClause]:
    """A clause of its family's wording in force on `day`, or of a version that is named. Raises NotWritten."""
    row = Clause.objects.select_related("family__insurer").filter(clause_id=clause_id).first()
    if row is None:
        raise NotWritten(f"There is no clause {clause_id}.")
    wording = _open(row.family, day, version)
    found = () if isinstance(wording, Absent) else clauses_of(wording)
    for clause in found:
        if clause.clause_id == clause_id and isinstance(wording, Wording):
            return wording, clause
    raise NotWritten(f"{clause_id} does not stand in the wording that was asked for.")


def versions_with(clause_id: str) -> tuple[str, ...]:
    """The ingested versions in which a clause stands, the latest first."""
    releases = Release.objects.filter(entries__clause__clause_id=clause_id).order_by("-effective_from", "-id")
    return tuple(releases.values_list("version", flat=True))


def _find_family(code: str) -> Family:
    found = list(Family.objects.select_related("insurer").filter(code=code)[:2])
    if len(found) != 1:
        raise NotWritten(f"There is no one family {code}.")
    return found[0]


def _open(family: Family, day: date, version: str | None) -> Wording | Absent:
    if version is None:
        return _in_force(family, day)
    release = Release.objects.select_related("family").filter(family=family, version=version).first()
    if release is None:
        raise NotWritten(f"{family.code} has no version {version}.")
    return _wording(release) if release.entries.exists() else Absent.NOT_INGESTED


def _in_force(family: Family, day: date) -> Wording | Absent:
    found = in_force(family.insurer.code, family.code, day)
    if isinstance(found, Missing):
        return Absent.BEFORE_FIRST if found is Missing.BEFORE_FIRST else Absent.NO_RELEASE
    return _wording(found)


def _wording(release: Release) -> Wording:
    return Wording(release.pk, release.family.code, release.version, release.effective_from, release.state)


def _family(family: Family, day: date) -> WrittenFamily:
    wording = _in_force(family, day)
    count = 0 if isinstance(wording, Absent) else Release.objects.get(pk=wording.id).entries.count()
    return WrittenFamily(
        family=family.code,
        name=family.name,
        insurer=family.insurer.code,
        document_id=family.document_id,
        clause_prefix=family.clause_prefix,
        wording=wording,
        clauses=count,
    )
