"""What staff look through and search: the wording in force or a named version, from rows, each nothing by its name."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge.catalogue import (
    Absent,
    NotWritten,
    Wording,
    clauses_of,
    find_clause,
    open_wording,
    versions_with,
    written_families,
    written_releases,
)
from knowledge.clause_text import Visibility
from knowledge.keyword_ranker import Run
from knowledge.models import Revision
from knowledge.releases import withdraw
from knowledge.search import MAX_QUERY, SearchResult, search_clauses
from tests.builders_knowledge import (
    DAY,
    approved,
    draft,
    ingested,
    make_clause,
    make_document,
    make_family,
    make_user,
)

pytestmark = pytest.mark.django_db
KEYS = make_clause(
    "MTR-BEN-04",
    title="Lost or stolen car keys",
    body=["[other] New keys and locks, once a claim is accepted.", "[other] It leaves out:", "[other] - worn remotes"],
    plain=["The clause is about car keys."],
)


def search(query: str, family: str = "motor", day: date = DAY, version: str | None = None) -> SearchResult:
    return search_clauses(family=family, query=query, day=day, version=version)


def ids(result: SearchResult) -> list[str]:
    return [match.clause_id for match in result.matches]


def text(runs: tuple[Run, ...]) -> str:
    return "".join(run.text for run in runs)


def test_M26_the_titles_plain_lines_and_texts_in_force_are_searched() -> None:
    approved(make_document(clauses=[make_clause("MTR-COV-01"), KEYS]))
    result = search("lost keys")
    assert isinstance(result.wording, Wording)
    assert (result.wording.version, result.wording.state, result.words) == ("2030.1", "approved", ("lost", "keys"))
    assert ids(result) == ["MTR-BEN-04"]
    assert text(result.matches[0].title) == KEYS.title
    assert ids(search("scratches")) == ["MTR-COV-01"]


def test_a_bullet_is_never_shown_without_its_lead_in() -> None:
    approved(make_document(clauses=[KEYS]))
    assert text(search("remotes").matches[0].excerpt) == "It leaves out: worn remotes"


def test_R4_the_day_or_a_name_says_which_version_is_searched() -> None:
    approved(make_document("2030.1"))
    approved(make_document("2030.2", effective_from=date(2030, 7, 1), clauses=[make_clause(), KEYS]))
    assert ids(search("keys", day=date(2030, 6, 30))) == []
    assert ids(search("keys", day=date(2030, 7, 1))) == ["MTR-BEN-04"]
    assert ids(search("keys", day=date(2030, 6, 30), version="2030.2")) == ["MTR-BEN-04"]
    assert ids(search("keys", day=date(2030, 7, 1), version="2030.1")) == []


def test_a_named_version_may_wait_for_approval_or_be_withdrawn() -> None:
    waiting = ingested(make_document("2030.1", clauses=[KEYS]))
    assert search("keys").wording is Absent.NO_RELEASE
    assert ids(search("keys", version="2030.1")) == ["MTR-BEN-04"]
    withdraw(waiting.pk, by=make_user("approver"), reason="a test")
    assert ids(search("keys", version="2030.1")) == ["MTR-BEN-04"]


def test_every_kind_of_nothing_has_its_own_name() -> None:
    approved(make_document("2030.1", clauses=[KEYS]))
    make_family("home")
    draft(make_document("2031.1", effective_from=date(2031, 1, 1)))
    no_match, no_words = search("xylophone"), search("?!")
    assert (ids(no_match), no_match.words) == ([], ("xylophone",)) and isinstance(no_match.wording, Wording)
    assert (ids(no_words), no_words.words) == ([], ()) and isinstance(no_words.wording, Wording)
    assert search("keys", "home").wording is Absent.NO_RELEASE
    assert search("keys", day=date(2029, 12, 31)).wording is Absent.BEFORE_FIRST
    assert search("keys", version="2031.1").wording is Absent.NOT_INGESTED
    for family, version in (("boat", None), ("motor", "2099.9"), ("home", "2030.1")):
        with pytest.raises(NotWritten):
            search("keys", family, version=version)
    with pytest.raises(ValueError, match="at most"):
        search("k" * (MAX_QUERY + 1))


def test_staff_see_a_document_for_staff() -> None:
    approved(make_document(clauses=[KEYS], visibility=Visibility.STAFF))
    assert ids(search("keys")) == ["MTR-BEN-04"]


def test_a_text_that_is_not_the_one_that_was_ingested_is_neither_searched_nor_shown() -> None:
    approved(make_document(clauses=[KEYS]))
    Revision.objects.update(body="[other] Ignition and nothing else.")
    assert ids(search("ignition")) == ids(search("remotes")) == []
    match = search("keys").matches[0]
    assert (match.clause_id, match.excerpt) == ("MTR-BEN-04", ())
    assert find_clause("MTR-BEN-04", DAY)[1].text is None


def test_a_search_asks_the_database_a_few_times_however_many_clauses_there_are() -> None:
    approved(make_document(clauses=[make_clause(f"MTR-COV-{n:02}") for n in range(1, 31)]))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert len(search("windows").matches) == 30
    assert len(queries) <= 6


def test_the_families_with_what_is_in_force_and_why_nothing_is() -> None:
    approved(make_document("2030.1", clauses=[make_clause(), KEYS]))
    make_family("home")
    home, motor = written_families(DAY)
    assert (home.family, home.wording, home.clauses) == ("home", Absent.NO_RELEASE, 0)
    assert isinstance(motor.wording, Wording)
    assert (motor.family, motor.wording.version, motor.clauses) == ("motor", "2030.1", 2)
    assert written_families(date(2029, 1, 1))[1].wording is Absent.BEFORE_FIRST


def test_the_releases_the_latest_first_and_which_is_in_force() -> None:
    approved(make_document("2030.1"))
    approved(make_document("2030.2", effective_from=date(2030, 7, 1)))
    approved(make_document("H-1", family="home", clauses=[make_clause("HOM-COV-01")]))
    draft(make_document("2031.1", effective_from=date(2031, 1, 1), withdraws=["2030.1"]))
    rows = {row.version: (row.state, row.clauses, row.is_in_force) for row in written_releases(DAY, "motor")}
    assert list(rows) == ["2031.1", "2030.2", "2030.1"]
    assert rows == {
        "2031.1": ("draft", 0, False),
        "2030.2": ("approved", 1, False),
        "2030.1": ("approved", 1, True),
    }
    latest, *others = written_releases(DAY)
    assert (latest.withdraws, latest.approved_by) == (("2030.1",), None)
    assert {row.family for row in others} == {"motor", "home"}
    assert {row.version for row in others if row.is_in_force} == {"2030.1", "H-1"}
    with pytest.raises(NotWritten):
        written_releases(DAY, "boat")


def test_a_clause_is_found_in_force_or_in_a_version_and_not_elsewhere() -> None:
    approved(make_document("2030.1", clauses=[make_clause(), KEYS]))
    approved(make_document("2030.2", effective_from=date(2030, 7, 1)))
    wording, clause = find_clause("MTR-BEN-04", DAY)
    assert (wording.version, clause.text) == ("2030.1", KEYS)
    assert versions_with("MTR-COV-01") == ("2030.2", "2030.1")
    later = date(2030, 7, 1)
    assert find_clause("MTR-BEN-04", later, "2030.1")[1].text == KEYS
    for clause_id, day, version in (
        ("MTR-BEN-04", later, None),
        ("MTR-BEN-04", later, "2030.2"),
        ("MTR-BEN-04", date(2029, 1, 1), None),
        ("MTR-BEN-04", DAY, "2099.1"),
        ("MTR-BEN-99", DAY, None),
    ):
        with pytest.raises(NotWritten):
            find_clause(clause_id, day, version)


def test_the_clauses_of_a_wording_stand_in_the_documents_order() -> None:
    approved(make_document(clauses=[KEYS, make_clause("MTR-COV-01")]))
    wording = open_wording("motor", DAY)
    assert isinstance(wording, Wording)
    assert [(c.clause_id, c.title, c.sha256) for c in clauses_of(wording)] == [
        (c.clause_id, c.title, c.sha256) for c in (KEYS, make_clause("MTR-COV-01"))
    ]
