"""Documents and releases for tests, made the way the product makes them. Versions are of years that nobody uses."""

from collections.abc import Iterable
from datetime import date

from django.contrib.auth.models import User

from knowledge.answers import Audience, Scope
from knowledge.clause_text import ClauseText, PolicyDocument, Visibility, read_body
from knowledge.ingestion import ingest
from knowledge.models import Family, Insurer, Release
from knowledge.releases import approve, assemble, publish, submit

PREFIXES = {"motor": "MTR", "home": "HOM", "contents": "CNT"}
BODY = (
    "[trigger]* This clause applies when Northwind accepts a claim for a broken window.",
    "[provides] It pays for new glass of the same kind.",
    "[limit] The most it pays is NZD 500 for each event.",
    "[not_included] It does not include:",
    "[not_included] - scratches",
    "[not_included] - glass that was broken before",
)
CUSTOMER = Scope("northwind", "motor", Audience.CUSTOMER)
STAFF = Scope("northwind", "motor", Audience.STAFF)
DAY = date(2030, 6, 1)


def make_clause(
    clause_id: str = "MTR-COV-01",
    *,
    title: str | None = None,
    body: Iterable[str] = BODY,
    plain: Iterable[str] = ("Once a claim is accepted, this clause can pay up to NZD 500 for a window.",),
    sources: Iterable[str] = ("invented for a test",),
    schedule_section: str | None = None,
) -> ClauseText:
    text, sentences = read_body("\n".join(body))
    title = title or f"Windows and window glass, number {clause_id}"
    return ClauseText(clause_id, title, schedule_section, tuple(sources), tuple(plain), text, sentences)


def make_document(
    version: str = "2030.1",
    *,
    family: str = "motor",
    effective_from: date = date(2030, 1, 1),
    withdraws: Iterable[str] = (),
    visibility: Visibility = Visibility.CUSTOMER,
    clauses: Iterable[ClauseText] | None = None,
    insurer: str = "northwind",
) -> PolicyDocument:
    return PolicyDocument(
        document_id=f"{insurer}-{family}-policy",
        family=family,
        insurer=insurer,
        version=version,
        effective_from=effective_from,
        withdraws=tuple(withdraws),
        visibility=visibility,
        preamble="Synthetic text for tests; not a real insurance contract.",
        clauses=tuple(clauses) if clauses is not None else (make_clause(f"{PREFIXES.get(family, 'MTR')}-COV-01"),),
    )


def make_user(name: str) -> User:
    return User.objects.get_or_create(username=name)[0]


def make_family(code: str = "motor", *, insurer: str = "northwind", prefix: str | None = None) -> Family:
    owner, _ = Insurer.objects.get_or_create(code=insurer, defaults={"name": insurer.title()})
    family, _ = Family.objects.get_or_create(
        insurer=owner,
        code=code,
        defaults={
            "name": code.title(),
            "clause_prefix": prefix or PREFIXES[code],
            "document_id": f"{insurer}-{code}-policy",
        },
    )
    return family


def draft(document: PolicyDocument) -> Release:
    if not Family.objects.filter(code=document.family, insurer__code=document.insurer).exists():
        make_family(document.family, insurer=document.insurer, prefix=document.clauses[0].clause_id[:3])
    return Release.objects.get(pk=assemble(document, by=make_user("editor")))


def published(document: PolicyDocument) -> Release:
    release = draft(document)
    submit(release.pk, by=make_user("editor"))
    publish(release.version, by=make_user("editor"))
    release.refresh_from_db()
    return release


def ingested(document: PolicyDocument) -> Release:
    release = published(document)
    ingest(release.version, by=make_user("editor"))
    release.refresh_from_db()
    return release


def approved(document: PolicyDocument) -> Release:
    release = ingested(document)
    approve(release.pk, by=make_user("approver"))
    release.refresh_from_db()
    return release
