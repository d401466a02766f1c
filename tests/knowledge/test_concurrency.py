"""What happens when two do it at once, or one reads while another approves. Needs a database that really runs both."""

import threading
from collections.abc import Callable
from datetime import date

import pytest
from django.db import connection

from knowledge.answers import OpenRelease
from knowledge.ingestion import ingest
from knowledge.models import DirectoryEntry, IngestionRun, Sentence
from knowledge.releases import ReleaseError, approve, release_in_force
from tests.builders_knowledge import DAY, approved, ingested, make_document, make_user, published

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Run the acts at the same time, each on a connection of its own; what each returned or raised."""
    outcomes: list[object] = [None] * len(acts)
    start = threading.Barrier(len(acts))

    def run(position: int, act: Callable[[], object]) -> None:
        start.wait()
        try:
            outcomes[position] = act()
        except ReleaseError as error:
            outcomes[position] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_of_two_who_ingest_at_once_one_writes_and_both_are_done() -> None:
    published(make_document())
    editor = make_user("editor")
    outcomes = at_once(*[lambda: ingest("2030.1", by=editor)] * 4)
    assert outcomes == [("motor 2030.1",)] * 4
    assert (DirectoryEntry.objects.count(), Sentence.objects.count()) == (1, 6)
    assert IngestionRun.objects.count() == 1


def test_of_two_who_approve_at_once_one_does() -> None:
    release = ingested(make_document())
    approvers = [make_user(f"approver-{n}") for n in range(3)]
    outcomes = at_once(*[lambda user=user: approve(release.pk, by=user) for user in approvers])  # type: ignore[misc]
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NoneType", "ReleaseError", "ReleaseError"]


def test_M36_a_reader_sees_the_old_release_or_the_new_one_never_none_or_two() -> None:
    approved(make_document("2030.1"))
    new = ingested(make_document("2030.2", effective_from=date(2030, 1, 1), withdraws=["2030.1"]))
    approver = make_user("approver")
    seen: list[str] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set() or not seen or seen[-1] == "2030.1":
            found = release_in_force("northwind", "motor", DAY)
            seen.append(found.version if isinstance(found, OpenRelease) else found.reason)

    def swap() -> None:
        try:
            approve(new.pk, by=approver)
        finally:
            done.set()

    assert at_once(read, read, swap) == [None, None, None]
    assert set(seen) <= {"2030.1", "2030.2"} and seen[-1] == "2030.2"
