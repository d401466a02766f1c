"""What the database itself refuses, whatever the code above it does."""

from datetime import date

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from knowledge.audit import CUSTOMER, PORTAL, AuditEntry, record
from knowledge.models import Clause, Family, Release
from tests.builders_knowledge import approved, draft, ingested, make_clause, make_document, make_family, make_user

pytestmark = pytest.mark.django_db


def number(family: Family, kind: str, n: int) -> Clause:
    with transaction.atomic():
        return Clause.objects.create(
            family=family, clause_id=f"{family.clause_prefix}-{kind}-{n:02}", kind=kind, number=n
        )


def refused(sql: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


def test_audit_entries_are_never_changed_or_deleted() -> None:
    entry = record("test.act", by=make_user("editor"), subject="motor 2030.1", detail={"n": 1})
    refused("UPDATE knowledge_auditentry SET act = 'other'")
    refused("DELETE FROM knowledge_auditentry")
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.delete()
    entry.act = "other"
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.save()
    kept = AuditEntry.objects.get()
    assert (kept.act, kept.by_name, kept.subject, kept.detail) == ("test.act", "editor", "motor 2030.1", {"n": 1})


def test_an_audit_entry_names_who_did_it_even_when_it_was_no_login() -> None:
    assert record("a", by=None, subject="s").by_name == PORTAL
    assert record("a", by=CUSTOMER, subject="s").by_name == CUSTOMER
    assert record("a", by=CUSTOMER, subject="s").by is None


def test_M46_clause_numbers_only_go_forward() -> None:
    family, other = make_family(), make_family("home")
    number(family, "COV", 3)
    for n in (1, 2, 3):
        with pytest.raises(IntegrityError):
            number(family, "COV", n)
    number(family, "COV", 4)
    number(family, "BEN", 1)
    number(other, "COV", 1)


def test_M46_a_clause_number_is_never_changed_or_deleted() -> None:
    clause = number(make_family(), "COV", 3)
    refused("UPDATE knowledge_clause SET number = 9")
    refused("DELETE FROM knowledge_clause")
    with pytest.raises(IntegrityError), transaction.atomic():
        clause.delete()


def test_M36_two_approved_releases_of_a_family_never_start_on_one_day() -> None:
    approved(make_document("2030.1"))
    second = ingested(make_document("2030.2"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Release.objects.filter(pk=second.pk).update(state="approved", approved_at=timezone.now())
    Release.objects.filter(pk=second.pk).update(
        state="approved", approved_at=timezone.now(), effective_from=date(2030, 1, 2)
    )


def test_a_release_has_a_version_once() -> None:
    release = draft(make_document("2030.1", clauses=[make_clause()]))
    with pytest.raises(IntegrityError), transaction.atomic():
        Release.objects.create(
            family=release.family,
            version="2030.1",
            effective_from=date(2031, 1, 1),
            preamble="x",
            assembled_by=make_user("editor"),
        )


@pytest.mark.parametrize("state", ["published", "ingested", "approved", "unheard_of"])
def test_a_release_is_in_the_store_before_it_is_anywhere_else(state: str) -> None:
    release = draft(make_document("2030.1"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Release.objects.filter(pk=release.pk).update(state=state)


def test_a_release_is_approved_only_after_it_was_ingested() -> None:
    release = draft(make_document("2030.1"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Release.objects.filter(pk=release.pk).update(
            state="approved", document_key="k", document_sha256="0" * 64, manifest_key="m", approved_at=timezone.now()
        )
