"""From the store to rows, whole or not at all."""

from datetime import date
from hashlib import sha256

import pytest
from django.db import IntegrityError, transaction

from knowledge.audit import AuditEntry
from knowledge.clause_text import PolicyDocument, text_hash, write_document
from knowledge.ingestion import ingest
from knowledge.models import DirectoryEntry, IngestionRun, Release, Sentence
from knowledge.releases import ReleaseError, publish, submit
from knowledge.storage import FileStore, StorageUnavailable, open_store
from tests.builders_knowledge import (
    approved,
    draft,
    ingested,
    make_clause,
    make_document,
    make_user,
    published,
)

pytestmark = pytest.mark.django_db
TWO = [make_clause("MTR-COV-01"), make_clause("MTR-COV-02")]


def file_store() -> FileStore:
    store = open_store()
    assert isinstance(store, FileStore)
    return store


def rows() -> tuple[int, int]:
    return DirectoryEntry.objects.count(), Sentence.objects.count()


def published_families(*families: str) -> None:
    for family in families:
        submit(draft(make_document(family=family)).pk, by=make_user("editor"))
    publish("2030.1", by=make_user("editor"))


def stored_as(release: Release, data: bytes) -> None:
    """Store other bytes for a published release, manifest and all, as a faulty publisher would."""
    key = f"northwind-motor-policy/2030.1/{sha256(data).hexdigest()}.md"
    store = file_store()
    store.put_new(key, data)
    manifest = store.get(release.manifest_key).decode()
    manifest = manifest.replace(release.document_key, key).replace(release.document_sha256, sha256(data).hexdigest())
    store.put_new("manifests/other.json", manifest.encode())
    Release.objects.filter(pk=release.pk).update(
        document_key=key, document_sha256=sha256(data).hexdigest(), manifest_key="manifests/other.json"
    )


def test_M41_ingestion_works_on_an_empty_database() -> None:
    document = make_document(clauses=TWO)
    release = ingested(document)
    assert release.state == "ingested" and rows() == (2, 12)
    text = write_document(document)
    for entry, clause in zip(release.entries.order_by("position"), document.clauses, strict=True):
        assert (entry.clause.clause_id, entry.title, entry.sha256) == (clause.clause_id, clause.title, clause.sha256)
        assert text[entry.start : entry.end].startswith(f"## {clause.clause_id} ")
        for row, sentence in zip(entry.sentences.order_by("index"), clause.sentences, strict=True):
            assert (row.start, row.end, row.part, row.always) == (
                sentence.start,
                sentence.end,
                sentence.part,
                sentence.always,
            )
            assert row.sha256 == text_hash(clause.sentence_text(sentence.index))


def test_M41_ingestion_works_on_one_that_holds_the_old_version() -> None:
    old = approved(make_document("2030.1", clauses=TWO))
    new = ingested(make_document("2030.2", effective_from=date(2030, 2, 1), clauses=TWO))
    assert rows() == (4, 24)
    old.refresh_from_db()
    assert (old.state, new.state) == ("approved", "ingested")


def test_ingestion_puts_nothing_in_force() -> None:
    published_families("motor", "home")
    assert ingest("2030.1", by=make_user("editor")) == ("motor 2030.1", "home 2030.1")
    assert set(Release.objects.values_list("state", flat=True)) == {"ingested"}


def test_ingesting_again_changes_nothing() -> None:
    ingested(make_document())
    before = rows(), AuditEntry.objects.count()
    assert ingest("2030.1", by=make_user("editor")) == ("motor 2030.1",)
    assert (rows(), AuditEntry.objects.count()) == before


def test_a_fault_in_the_middle_leaves_no_row_and_the_next_run_finishes() -> None:
    published_families("motor", "home")
    home = Release.objects.get(family__code="home")
    motor_clause = home.family.clauses.get()
    # A row in the way of the last family's rows: the first family's are written by then.
    in_the_way = DirectoryEntry.objects.create(
        release=home, clause=motor_clause, position=1, title="x", sha256="x", start=0, end=1
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        ingest("2030.1", by=make_user("editor"))
    assert rows() == (1, 0)
    assert set(Release.objects.values_list("state", flat=True)) == {"published"}
    in_the_way.delete()
    ingest("2030.1", by=make_user("editor"))
    assert rows() == (2, 12)


def test_a_family_that_is_not_in_the_store_keeps_every_family_out() -> None:
    published_families("motor", "home")
    key = Release.objects.get(family__code="home").document_key
    (file_store().root / key).unlink()
    with pytest.raises(ReleaseError, match=r"home 2030.1 is not in the object store.*Publish it again"):
        ingest("2030.1", by=make_user("editor"))
    assert rows() == (0, 0)
    run = IngestionRun.objects.get()
    assert (run.release.family.code, run.state) == ("home", "refused")
    publish("2030.1", by=make_user("editor"))
    ingest("2030.1", by=make_user("editor"))
    assert rows() == (2, 12)


def test_a_store_that_is_down_is_recorded_and_changes_nothing() -> None:
    published(make_document())
    root = file_store().root
    root.rename(root.with_name("away"))
    with pytest.raises(StorageUnavailable):
        ingest("2030.1", by=make_user("editor"))
    assert rows() == (0, 0) and IngestionRun.objects.get().state == "unavailable"
    assert AuditEntry.objects.filter(act="release.ingestion_unavailable").count() == 1


def test_other_bytes_under_the_key_are_refused() -> None:
    release = published(make_document())
    (file_store().root / release.document_key).write_bytes(write_document(make_document("2030.9")).encode())
    with pytest.raises(ReleaseError, match="is not the one that was published"):
        ingest("2030.1", by=make_user("editor"))


@pytest.mark.parametrize("manifest", [b"", b"[]", b"{}", b"\xff", b'{"object": "other"}'])
def test_another_manifest_is_refused(manifest: bytes) -> None:
    release = published(make_document())
    (file_store().root / release.manifest_key).write_bytes(manifest)
    with pytest.raises(ReleaseError, match=r"manifest of motor 2030.1"):
        ingest("2030.1", by=make_user("editor"))
    assert rows() == (0, 0)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe", "cannot be read"),
        (b"no document", "cannot be read: line 1"),
        (write_document(make_document(family="home")).encode(), "of another family, version or day"),
        (write_document(make_document(withdraws=["2029.1"])).encode(), "withdraws something else"),
        (write_document(make_document(clauses=[make_clause(sources=[])])).encode(), "No source is recorded"),
        (write_document(make_document(clauses=TWO)).encode(), "never given out: MTR-COV-02"),
    ],
)
def test_a_document_that_is_not_fit_is_refused_with_its_problem(data: bytes, message: str) -> None:
    stored_as(published(make_document()), data)
    with pytest.raises(ReleaseError, match=message), transaction.atomic():
        ingest("2030.1", by=make_user("editor"))
    assert rows() == (0, 0)


def test_M46_a_withdrawn_number_is_not_ingested_again() -> None:
    approved(make_document("2030.1", clauses=TWO))
    approved(make_document("2030.2", effective_from=date(2030, 2, 1), clauses=TWO[:1], withdraws=["2030.1"]))
    again: PolicyDocument = make_document("2030.3", effective_from=date(2030, 3, 1), clauses=TWO)
    Release.objects.filter(pk=draft(again).pk).update(state="in_review")
    publish("2030.3", by=make_user("editor"))
    with pytest.raises(ReleaseError, match="This number was withdrawn"):
        ingest("2030.3", by=make_user("editor"))
    assert not DirectoryEntry.objects.filter(release__version="2030.3").exists()


def test_what_was_not_published_is_not_ingested() -> None:
    draft(make_document())
    with pytest.raises(ReleaseError, match=r"No release 2030.1 is published"):
        ingest("2030.1", by=make_user("editor"))
    with pytest.raises(ReleaseError, match=r"There is no release 2031.1"):
        ingest("2031.1", by=make_user("editor"))
