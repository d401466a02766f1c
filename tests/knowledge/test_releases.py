"""The life of a release, and which one is in force."""

import json
from datetime import date
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.answers import Missing, OpenRelease, Unavailable
from knowledge.audit import AuditEntry
from knowledge.clause_text import write_document
from knowledge.models import Clause, Release, Revision
from knowledge.releases import MOVES, ReleaseError, approve, assemble, publish, release_in_force, submit, withdraw
from knowledge.storage import FileStore, open_store
from tests.builders_knowledge import (
    DAY,
    approved,
    draft,
    ingested,
    make_clause,
    make_document,
    make_family,
    make_user,
    published,
)

pytestmark = pytest.mark.django_db
FIRST, SECOND = make_clause("MTR-COV-01"), make_clause("MTR-COV-02")


def state_of(release: Release) -> str:
    return Release.objects.values_list("state", flat=True).get(pk=release.pk)


def in_force(day: date = DAY) -> str | Missing:
    found = release_in_force("northwind", "motor", day)
    return found.version if isinstance(found, OpenRelease) else found.reason


def test_a_release_goes_from_draft_to_withdrawn_and_every_step_is_recorded() -> None:
    release = approved(make_document())
    assert state_of(release) == "approved" and in_force() == "2030.1"
    withdraw(release.pk, by=make_user("approver"), reason="a test")
    assert state_of(release) == "withdrawn" and in_force() is Missing.NO_RELEASE
    acts = AuditEntry.objects.order_by("pk").values_list("act", "by_name")
    assert list(acts) == [
        ("release.assemble", "editor"),
        ("release.in_review", "editor"),
        ("release.published", "editor"),
        ("release.ingested", "editor"),
        ("release.approved", "approver"),
        ("release.withdrawn", "approver"),
    ]


@pytest.mark.parametrize("state", ["draft", "in_review", "published", "approved", "withdrawn"])
def test_only_an_ingested_release_is_approved(state: str) -> None:
    release = approved(make_document())
    Release.objects.filter(pk=release.pk).update(state=state)
    with pytest.raises(ReleaseError, match=f"is {state}, so it cannot become approved"):
        approve(release.pk, by=make_user("approver"))


def test_a_release_that_does_not_exist_is_said_to_be_so() -> None:
    with pytest.raises(ReleaseError, match="no release with the id 77"):
        approve(77, by=make_user("approver"))
    with pytest.raises(ReleaseError, match="no release 2077"):
        publish("2077.1", by=make_user("editor"))


def test_every_state_but_the_first_is_reached_by_one_move() -> None:
    assert set(MOVES) == {state.value for state in Release.State} - {"draft"}


def test_R6_nobody_approves_what_they_wrote_superusers_included() -> None:
    release = ingested(make_document())
    author = make_user("editor")
    author.is_superuser = True
    author.save()
    with pytest.raises(ReleaseError, match=r"editor wrote part of motor 2030\.1"):
        approve(release.pk, by=author)
    assert state_of(release) == "ingested"


def test_R6_one_changed_clause_is_enough_and_an_old_one_does_not_count() -> None:
    approved(make_document("2030.1", clauses=[FIRST]))
    second, third = make_user("second"), make_user("third")
    changed = make_document("2030.2", effective_from=date(2030, 2, 1), clauses=[FIRST, SECOND])
    release_id = assemble(changed, by=second)
    submit(release_id, by=second)
    publish("2030.2", by=second)
    Release.objects.filter(pk=release_id).update(state="ingested", ingested_at="2030-01-01T00:00Z")
    with pytest.raises(ReleaseError, match="second wrote part"):
        approve(release_id, by=second)
    # What "editor" wrote was approved since, so "editor" may approve what "second" added.
    approve(release_id, by=make_user("editor"))
    assert third.pk and in_force() == "2030.2"


def test_M36_the_old_release_is_withdrawn_by_the_approval_of_the_new_one() -> None:
    old = approved(make_document("2030.1"))
    new = ingested(make_document("2030.2", effective_from=date(2030, 2, 1), withdraws=["2030.1"]))
    assert (state_of(old), in_force()) == ("approved", "2030.1")
    approve(new.pk, by=make_user("approver"))
    assert (state_of(old), in_force()) == ("withdrawn", "2030.2")
    assert in_force(date(2030, 1, 15)) is Missing.BEFORE_FIRST


def test_M36_when_the_new_one_cannot_be_approved_the_old_one_stays() -> None:
    old = approved(make_document("2030.1"))
    approved(make_document("2030.2", effective_from=date(2030, 2, 1)))
    new = ingested(make_document("2030.3", effective_from=date(2030, 2, 1), withdraws=["2030.1"]))
    with pytest.raises(ReleaseError, match="Another approved release of motor starts on 2030-02-01"):
        approve(new.pk, by=make_user("approver"))
    assert (state_of(old), state_of(new)) == ("approved", "ingested")
    assert not AuditEntry.objects.filter(act="release.withdrawn").exists()


def test_R4_the_predecessor_stays_the_wording_for_earlier_losses() -> None:
    approved(make_document("2030.1"))
    approved(make_document("2030.2", effective_from=date(2030, 3, 1)))
    days = {date(2029, 12, 31): Missing.BEFORE_FIRST, date(2030, 1, 1): "2030.1", date(2030, 2, 28): "2030.1"}
    for day, version in {**days, date(2030, 3, 1): "2030.2", date(2099, 1, 1): "2030.2"}.items():
        assert in_force(day) == version


def test_M30_a_family_without_an_approved_release_has_none() -> None:
    assert in_force() is Missing.NO_RELEASE
    ingested(make_document())
    assert release_in_force("northwind", "motor", DAY) == Unavailable(Missing.NO_RELEASE)


def test_M32_two_approved_with_one_date_are_none_never_the_newest() -> None:
    approved(make_document("2030.1", effective_from=date(2029, 1, 1)))
    approved(make_document("2030.2"))
    approved(make_document("2030.3", effective_from=date(2030, 2, 1)))
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX release_one_approved_a_day")
    Release.objects.filter(version="2030.3").update(effective_from=date(2030, 1, 1))
    assert in_force() is Missing.NO_RELEASE
    assert in_force(date(2029, 6, 1)) == "2030.1"


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(starts=st.sets(st.integers(1, 28), max_size=5), day=st.integers(1, 28))
def test_R4_in_force_is_the_latest_that_has_begun(starts: set[int], day: int) -> None:
    with transaction.atomic():
        moment = {"ingested_at": timezone.now(), "approved_at": timezone.now()}
        for start in starts:
            Release.objects.create(
                family=make_family(),
                version=str(start),
                effective_from=date(2030, 5, start),
                state="approved",
                document_key="k",
                document_sha256="s",
                manifest_key="m",
                assembled_by=make_user("editor"),
                **moment,
            )
        found = in_force(date(2030, 5, day))
        transaction.set_rollback(True)
    begun = [start for start in starts if start <= day]
    missing = Missing.BEFORE_FIRST if starts else Missing.NO_RELEASE
    assert found == (str(max(begun)) if begun else missing)


def test_M38_the_document_id_is_the_same_for_every_release() -> None:
    ids = set()
    for number in (1, 2, 3):
        approved(make_document(f"2030.{number}", effective_from=date(2030, number, 1)))
        found = release_in_force("northwind", "motor", date(2030, number, 1))
        assert isinstance(found, OpenRelease)
        ids.add(found.document_id)
    assert ids == {"northwind-motor-policy"}


def test_M46_a_number_that_goes_backward_is_refused_with_the_next_free_one() -> None:
    draft(make_document("2030.1", clauses=[make_clause("MTR-COV-05")]))
    with pytest.raises(ReleaseError, match=r"MTR-COV-03 goes backward.*The next free one is MTR-COV-06"):
        draft(make_document("2030.2", clauses=[make_clause("MTR-COV-03")]))
    assert Clause.objects.count() == 1 and Release.objects.count() == 1


def test_M46_a_withdrawn_number_does_not_come_back() -> None:
    approved(make_document("2030.1", clauses=[FIRST, SECOND]))
    approved(make_document("2030.2", effective_from=date(2030, 2, 1), clauses=[FIRST], withdraws=["2030.1"]))
    again = draft(make_document("2030.3", effective_from=date(2030, 3, 1), clauses=[FIRST, SECOND]))
    with pytest.raises(ReleaseError, match="MTR-COV-02, clause_id: This number was withdrawn"):
        submit(again.pk, by=make_user("editor"))


def test_a_clause_that_did_not_change_keeps_its_revision() -> None:
    draft(make_document("2030.1", clauses=[FIRST, SECOND]))
    draft(make_document("2030.2", clauses=[FIRST, make_clause("MTR-COV-02", title="Doors and door handles")]))
    assert Revision.objects.count() == 3


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (make_document(family="pets", clauses=[make_clause("PET-COV-01")]), "no family pets"),
        (make_document(insurer="southwind"), "no family motor of insurer southwind"),
        (make_document(clauses=[make_clause("HOM-COV-01")]), "start with MTR, not HOM-COV-01"),
        (make_document(clauses=[FIRST, FIRST]), "stands twice"),
    ],
)
def test_a_document_of_another_family_is_refused(document: Any, message: str) -> None:
    make_family()
    with pytest.raises(ReleaseError, match=message):
        assemble(document, by=make_user("editor"))


def test_a_version_is_written_once() -> None:
    draft(make_document())
    with pytest.raises(ReleaseError, match="a version is written once"):
        draft(make_document())


def test_M50_a_draft_with_problems_is_not_submitted() -> None:
    release = draft(make_document(clauses=[make_clause(sources=[])]))
    with pytest.raises(ReleaseError, match="No source is recorded") as refused:
        submit(release.pk, by=make_user("editor"))
    assert [problem.field for problem in refused.value.problems] == ["sources"]
    assert state_of(release) == "draft"


def test_publishing_writes_the_document_and_then_a_manifest_that_names_its_hash() -> None:
    document = make_document()
    release = published(document)
    stored = open_store().get(release.document_key)
    assert stored.decode() == write_document(document)
    assert release.document_key == f"northwind-motor-policy/2030.1/{release.document_sha256}.md"
    manifest = json.loads(open_store().get(release.manifest_key))
    assert (manifest["object"], manifest["sha256"]) == (release.document_key, release.document_sha256)
    assert manifest["clauses"] == [{"clause_id": "MTR-COV-01", "sha256": document.clauses[0].sha256}]


def test_publishing_takes_every_frozen_family_of_a_version_and_no_draft() -> None:
    editor = make_user("editor")
    frozen = [draft(make_document(family=family)) for family in ("motor", "home")]
    for release in frozen:
        submit(release.pk, by=editor)
    unfinished = draft(make_document(family="contents"))
    assert publish("2030.1", by=editor) == ("motor 2030.1", "home 2030.1")
    assert [state_of(release) for release in (*frozen, unfinished)] == ["published", "published", "draft"]
    assert Release.objects.filter(state="approved").count() == 0


def test_a_draft_is_not_published() -> None:
    draft(make_document())
    with pytest.raises(ReleaseError, match=r"No release 2030\.1 is in review"):
        publish("2030.1", by=make_user("editor"))


def test_publishing_again_is_harmless_and_puts_back_what_was_lost() -> None:
    release = approved(make_document())
    store = open_store()
    assert isinstance(store, FileStore)
    (store.root / release.document_key).unlink()
    for _ in range(2):
        assert publish("2030.1", by=make_user("editor")) == ("motor 2030.1",)
    assert store.get(release.document_key).decode() == write_document(make_document())
    assert state_of(release) == "approved"


def test_publishing_finds_something_else_under_its_key_and_names_it() -> None:
    release = published(make_document())
    store = open_store()
    assert isinstance(store, FileStore)
    (store.root / release.document_key).write_bytes(b"something else")
    with pytest.raises(ReleaseError, match=f"something else under {release.document_key}"):
        publish("2030.1", by=make_user("editor"))
    assert store.get(release.document_key) == b"something else"
