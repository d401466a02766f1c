"""What a turn may know of the policy wording: which release, which clauses there are, and three of them, whole.

Every question goes through one scope (M17). What is out of scope looks exactly like what does not exist. The text
comes from the object store at each lookup and is checked by two hashes; rows only say where it stands. No cache.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from hashlib import sha256

from django.db.models import QuerySet

from knowledge.answers import (
    MAX_CLAUSE_IDS,
    Audience,
    DirectoryLine,
    Fetched,
    FetchedClause,
    IngestedClause,
    Missing,
    OpenRelease,
    Scope,
    Unavailable,
)
from knowledge.clause_text import CLAUSE_ID, DocumentError, Visibility, read_clause
from knowledge.models import DirectoryEntry, Release, ReleaseItem
from knowledge.releases import in_force, opened
from knowledge.storage import NotFound, StorageUnavailable, open_store

_VISIBLE_TO = {
    Audience.CUSTOMER: (Visibility.CUSTOMER,),
    Audience.STAFF: (Visibility.CUSTOMER, Visibility.STAFF),
}


def open_release(scope: Scope, day: date) -> OpenRelease | Unavailable:
    """The release of the scope's family in force on `day` (`releases.release_in_force`).

    One that the audience may not see is `no_release`, like one that is not there.
    """
    found = in_force(scope.insurer, scope.family, day)
    if isinstance(found, Missing):
        return Unavailable(found)
    if found.visibility not in _VISIBLE_TO[scope.audience]:
        return Unavailable(Missing.NO_RELEASE)
    return opened(found)


def clause_directory(release: OpenRelease, scope: Scope) -> tuple[DirectoryLine, ...] | Unavailable:
    """Every clause of an ingested release in the document's order (M13); `no_release` when it is out of scope."""
    entries = _in_scope(release, scope).order_by("position").values_list("clause__clause_id", "title")
    lines = tuple(DirectoryLine(clause_id, title) for clause_id, title in entries)
    return lines or Unavailable(Missing.NO_RELEASE)


def fetch_clauses(release: OpenRelease, scope: Scope, ids: Sequence[str]) -> Fetched | Unavailable:
    """The named clauses, whole (M15), in the order asked for; unknown ids and those out of scope in `not_found` (M18).

    `store` when the text cannot be had, `mismatch` when it is not what was ingested; then no clause at all is returned.
    Raises ValueError for more than MAX_CLAUSE_IDS (M19), before anything is fetched.
    """
    if len(ids) > MAX_CLAUSE_IDS:
        raise ValueError(f"at most {MAX_CLAUSE_IDS} clause ids, not {len(ids)}")
    asked = tuple(dict.fromkeys(ids))
    known = [clause_id for clause_id in asked if CLAUSE_ID.fullmatch(clause_id)]
    rows = _in_scope(release, scope).filter(clause__clause_id__in=known).select_related("clause", "release__family")
    entries = {entry.clause.clause_id: entry for entry in rows} if known else {}
    if not entries:
        return Fetched((), asked)
    document = _document(next(iter(entries.values())).release)
    if isinstance(document, Missing):
        return Unavailable(document)
    clauses = []
    for clause_id in asked:
        if clause_id in entries:
            clause = _cut(document, entries[clause_id])
            if clause is None:
                return Unavailable(Missing.MISMATCH)
            clauses.append(clause)
    return Fetched(tuple(clauses), tuple(clause_id for clause_id in asked if clause_id not in entries))


def _in_scope(release: OpenRelease, scope: Scope) -> QuerySet[DirectoryEntry]:
    """The entries of a release, if it is what it says and the scope may see it: every filter of M17, each time."""
    return DirectoryEntry.objects.filter(
        release=release.id,
        release__state=Release.State.APPROVED,
        release__version=release.version,
        release__effective_from=release.effective_from,
        release__visibility__in=_VISIBLE_TO[scope.audience],
        release__family__code=scope.family,
        release__family__insurer__code=scope.insurer,
    )


def _document(release: Release) -> str | Missing:
    try:
        data = open_store().get(release.document_key)
    except (NotFound, StorageUnavailable):
        return Missing.STORE
    if sha256(data).hexdigest() != release.document_sha256:
        return Missing.MISMATCH
    try:
        return data.decode()
    except UnicodeDecodeError:
        return Missing.MISMATCH


def _cut(document: str, entry: DirectoryEntry) -> FetchedClause | None:
    try:
        clause = read_clause(document[entry.start : entry.end])
    except DocumentError:
        return None
    if (clause.clause_id, clause.sha256) != (entry.clause.clause_id, entry.sha256):
        return None
    release = entry.release
    return FetchedClause(release.version, release.family.document_id, clause.sha256, clause)


def ingested_clauses(document_id: str, version: str) -> Mapping[str, IngestedClause]:
    """The clauses of one version of a document by their ids; empty when it was never ingested."""
    of_version = {"release__family__document_id": document_id, "release__version": version}
    items = ReleaseItem.objects.filter(**of_version)
    plain = dict(items.values_list("revision__clause__clause_id", "revision__plain"))
    entries = DirectoryEntry.objects.filter(**of_version).values_list("clause__clause_id", "sha256")
    return {clause_id: IngestedClause(sha256, tuple(plain.get(clause_id, ()))) for clause_id, sha256 in entries}
