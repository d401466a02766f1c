"""Who reads an upload: a lease, its end, the attempts and the sweep. No file is stuck, and none is read twice over."""

import uuid
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from claims import uploads
from claims.documents.sandbox import read_upload
from claims.models import PolicyDocument
from claims.policy_store import FilesAway
from claims.sweeping import Swept, sweep
from claims.uploads import MAX_ATTEMPTS, read_document, receive_document
from tests.builders_api import staff
from tests.builders_policies import POLICY, detail, find, upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def adjuster():
    return staff("adjuster")


def now(**passed):
    return timezone.now() + timedelta(**passed)


def received(*, ago=60):
    """A document that was taken and whose reading nobody began."""
    owner = User.objects.get(username="some-adjuster")
    return receive_document(owner=owner, name="p.txt", data=POLICY.encode(), now=now(seconds=-ago)).document


def abandoned(document, *, attempts=1):
    """Taken `attempts` times by workers that died; the last lease has run out."""
    for attempt in range(attempts):
        assert uploads._take(document.pk, now(hours=attempt - 10))
    return document


def row(document):
    return PolicyDocument.objects.get(pk=document.pk)


def test_a_file_that_waits_to_be_read_says_so_and_is_not_silent(adjuster):
    document = received()
    told = detail(adjuster, document.pk)
    assert (told["status"], told["readable"], told["reason"]) == ("received", None, None)
    for call, body in (("sections/", None), ("find/", {"query": "rust"})):
        address = f"/api/documents/{document.pk}/{call}"
        response = adjuster.post(address, body, format="json") if body else adjuster.get(address)
        assert response.status_code == 409
        assert "still being read" in response.json()["detail"]


def test_an_upload_whose_nudge_was_lost_is_read_by_the_sweep(adjuster):
    document = received()
    assert sweep(now=now()) == Swept(1, 0)
    assert (row(document).status, row(document).attempts) == ("done", 1)
    assert find(adjuster, str(document.pk), "rust")["outcome"] == "bearing"


def test_an_upload_that_just_came_is_left_to_its_own_nudge(adjuster, settings):
    document = received(ago=settings.PORTAL_SWEEP_GRACE - 5)
    assert sweep(now=now()) == Swept(0, 0)
    assert row(document).status == "received"


def test_an_upload_whose_worker_died_is_read_by_another(adjuster):
    document = abandoned(received())
    assert (row(document).status, row(document).stage) == ("running", "reading")
    assert sweep(now=now()) == Swept(1, 0)
    assert (row(document).status, row(document).attempts) == ("done", 2)


def test_an_upload_that_was_tried_too_often_ends_as_not_read(adjuster):
    document = abandoned(received(), attempts=MAX_ATTEMPTS)
    assert sweep(now=now()) == Swept(0, 1)
    told = detail(adjuster, document.pk)
    assert (told["status"], told["readable"]) == ("failed", False)
    assert "not silence" in told["reason"]
    answer = find(adjuster, str(document.pk), "rust")
    assert (answer["outcome"], answer["refused"], answer["reason"]) == ("unreadable", True, told["reason"])
    assert sweep(now=now()) == Swept(0, 0)
    again = upload(adjuster)
    assert (again.status_code, again.json()["id"]) == (202, str(document.pk)), "uploaded again, it is read again"
    assert find(adjuster, str(document.pk), "rust")["outcome"] == "bearing"


def test_a_store_that_is_away_leaves_the_upload_late_and_it_is_read_after(adjuster, monkeypatch):
    document = received()
    with monkeypatch.context() as away:
        away.setattr(uploads, "kept", lambda key, sha256: (_ for _ in ()).throw(FilesAway("away")))
        for _ in range(MAX_ATTEMPTS + 1):
            assert sweep(now=now()) == Swept(0, 0, failed=1)
    assert (row(document).status, row(document).attempts) == ("received", 0)
    assert sweep(now=now()) == Swept(1, 0)
    assert (row(document).status, row(document).attempts) == ("done", 1)


def read_while_reading(monkeypatch, document):
    """What a second reader gets who comes while the first one reads."""
    second = []

    def slow(data, name):
        if not second:
            second.append(None)
            second[0] = read_document(document.pk)
        return read_upload(data, name)

    monkeypatch.setattr(uploads, "read_upload", slow)
    assert read_document(document.pk) is True
    return second[0]


def test_of_two_who_read_at_once_one_does(adjuster, monkeypatch):
    document = received()
    assert read_while_reading(monkeypatch, document) is False
    assert (row(document).status, row(document).attempts) == ("done", 1)


def test_without_the_lease_both_would_read(adjuster, monkeypatch):
    document = received()

    def take(document_id, now):
        PolicyDocument.objects.filter(pk=document_id).update(lease=uuid.uuid4(), attempts=1)
        return PolicyDocument.objects.get(pk=document_id)

    monkeypatch.setattr(uploads, "_take", take)
    monkeypatch.setattr(uploads, "_mine", lambda document: PolicyDocument.objects.filter(pk=document.pk))
    assert read_while_reading(monkeypatch, document) is True


def test_a_reader_that_lost_its_lease_changes_nothing(adjuster, monkeypatch):
    document = received()

    def late(data, name):
        PolicyDocument.objects.filter(pk=document.pk).update(lease=uuid.uuid4(), attempts=2)
        return read_upload(data, name)

    monkeypatch.setattr(uploads, "read_upload", late)
    assert read_document(document.pk) is False
    assert (row(document).status, row(document).reading_sha256) == ("running", "")


def test_a_file_that_was_read_is_not_read_again(adjuster):
    document = received()
    assert read_document(document.pk) is True
    assert read_document(document.pk) is False
    assert row(document).attempts == 1


def test_a_file_that_was_kept_is_taken_although_it_cannot_be_read_now(adjuster, monkeypatch):
    with monkeypatch.context() as away:
        away.setattr(uploads, "kept", lambda key, sha256: (_ for _ in ()).throw(FilesAway("away")))
        response = upload(adjuster)
    assert (response.status_code, response.json()["status"]) == (202, "received")
    assert sweep(now=now(seconds=60)) == Swept(1, 0)
    assert detail(adjuster, response.json()["id"])["readable"] is True


@pytest.mark.parametrize("how", ["gone", "changed"])
def test_an_upload_whose_file_was_lost_ends_as_not_read(adjuster, own_var_dir, how):
    document = received()
    original = own_var_dir / "store" / document.original_key
    original.chmod(0o600)
    if how == "gone":
        original.unlink()
    else:
        original.write_bytes(b"other bytes")
    for _ in range(MAX_ATTEMPTS):
        assert sweep(now=now()) == Swept(0, 0, failed=1)
    assert sweep(now=now()) == Swept(0, 1)
    answer = find(adjuster, str(document.pk), "rust")
    assert (answer["outcome"], answer["refused"], answer["candidates"]) == ("unreadable", True, [])
    assert row(document).status == "failed"
    assert "not silence" in answer["reason"]


def test_a_lost_file_that_is_uploaded_again_is_kept_again_and_read(adjuster, own_var_dir):
    document = received()
    (own_var_dir / "store" / document.original_key).unlink()
    for _ in range(MAX_ATTEMPTS + 1):
        sweep(now=now())
    assert row(document).status == "failed"
    again = upload(adjuster)
    assert (again.status_code, again.json()["id"], again.json()["status"]) == (202, str(document.pk), "done")
    assert find(adjuster, str(document.pk), "rust")["outcome"] == "bearing"
