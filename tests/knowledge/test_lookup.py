"""What a turn may know: one scope, whole clauses, and every kind of nothing by its name."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.answers import MAX_CLAUSE_IDS, Audience, Fetched, Missing, OpenRelease, Scope, Unavailable
from knowledge.clause_text import ClauseText, Visibility, write_document
from knowledge.lookup import clause_directory, fetch_clauses, open_release
from knowledge.models import Release
from knowledge.releases import approve, release_in_force, withdraw
from knowledge.storage import FileStore, StorageUnavailable, open_store
from tests.builders_knowledge import (
    CUSTOMER,
    DAY,
    STAFF,
    approved,
    ingested,
    make_clause,
    make_document,
    make_user,
    published,
)

pytestmark = pytest.mark.django_db
FOUR = [make_clause(f"MTR-COV-0{n}") for n in (1, 2, 3, 4)]
ID = "MTR-COV-01"


def opened(scope: Scope = CUSTOMER, day: date = DAY) -> OpenRelease:
    found = open_release(scope, day)
    assert isinstance(found, OpenRelease)
    return found


def fetched(release: OpenRelease, ids: list[str], scope: Scope = CUSTOMER) -> Fetched:
    found = fetch_clauses(release, scope, ids)
    assert isinstance(found, Fetched)
    return found


def stored_file(release: Release) -> Any:
    store = open_store()
    assert isinstance(store, FileStore)
    return store.root / release.document_key


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_the_release_the_directory_and_the_clauses_of_a_family() -> None:
    approved(make_document(clauses=FOUR))
    release = opened()
    assert (release.family, release.version, release.effective_from) == ("motor", "2030.1", date(2030, 1, 1))
    directory = clause_directory(release, CUSTOMER)
    assert isinstance(directory, tuple)
    assert [(line.clause_id, line.title) for line in directory] == [(c.clause_id, c.title) for c in FOUR]
    answer = fetched(release, ["MTR-COV-03", ID])
    assert [found.clause for found in answer.clauses] == [FOUR[2], FOUR[0]]
    assert {(f.version, f.document_id) for f in answer.clauses} == {("2030.1", "northwind-motor-policy")}
    assert answer.not_found == ()


def test_the_codes_are_those_of_the_clauses_each_once() -> None:
    says_so = "[schedule]* It is part of your policy only when the schedule lists it."
    on_schedule = [
        make_clause(f"MTR-BEN-0{n}", body=[says_so], plain=["It is about glass."], schedule_section=code)
        for n, code in ((1, "glass"), (2, "towing"), (3, "glass"))
    ]
    approved(make_document(clauses=[FOUR[0], *on_schedule]))
    assert opened().codes == ("glass", "towing")


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sets(st.integers(1, 30), min_size=1, max_size=8), min_size=1, max_size=3))
def test_M13_every_listed_id_can_be_fetched_over_all_releases(releases: list[set[int]]) -> None:
    with rolled_back():
        before: set[int] = set()
        highest = 0
        for month, wanted in enumerate(releases, start=1):
            # Numbers go forward, and one that an earlier release left out does not come back.
            before = {n for n in wanted if n in before or n > highest} or {highest + 1}
            highest = max(highest, *before)
            clauses = [make_clause(f"MTR-COV-{n:02}") for n in sorted(before, reverse=True)]
            approved(make_document(f"2030.{month}", effective_from=date(2030, month, 1), clauses=clauses))
        for month in range(1, len(releases) + 1):
            release = opened(day=date(2030, month, 1))
            assert release.version == f"2030.{month}"
            directory = clause_directory(release, CUSTOMER)
            assert isinstance(directory, tuple) and directory
            for line in directory:
                answer = fetched(release, [line.clause_id])
                assert answer.not_found == () and answer.clauses[0].clause.title == line.title


def long_clause(clause_id: str, length: int) -> ClauseText:
    start = "[trigger]* It applies when Northwind accepts a claim for glass."
    last = "[schedule]* Ngā whakatau: it is part of your policy only when the schedule lists glass."
    room = length - len(start.removeprefix("[trigger]* ")) - len(last.removeprefix("[schedule]* ")) - 2
    body = [start, f"[other] {'ā' * (room - 1)}.", last]
    return make_clause(clause_id, body=body, plain=["The clause is about glass."], schedule_section="glass")


@pytest.mark.parametrize("length", [1300, 1500])
def test_M15_a_long_clause_comes_back_whole(length: int) -> None:
    clause = long_clause(ID, length)
    document = make_document(clauses=[clause, FOUR[1]])
    approved(document)
    found = fetched(opened(), [ID]).clauses[0]
    assert len(found.clause.text) == length
    assert found.clause.text.encode() == clause.text.encode()
    assert found.clause == clause and found.sha256 == clause.sha256


def test_M28_the_end_of_a_clause_is_there() -> None:
    approved(make_document(clauses=[long_clause(ID, 1400)]))
    clause = fetched(opened(), [ID]).clauses[0].clause
    last = clause.sentences[-1]
    assert last.start > 600 and clause.text[last.start :].endswith("only when the schedule lists glass.")


def test_M18_an_unknown_id_is_not_found_and_nothing_is_put_in_its_place() -> None:
    approved(make_document(clauses=FOUR))
    answer = fetched(opened(), ["MTR-COV-77", ID, "MTR-BEN-01"])
    assert [found.clause.clause_id for found in answer.clauses] == [ID]
    assert answer.not_found == ("MTR-COV-77", "MTR-BEN-01")


@pytest.mark.parametrize(
    "strange", ["", "mtr-cov-01", " MTR-COV-01", "MTR-COV-01\n", "MTR-COV-01\x00", "%", "MTR-COV-0１"]
)
def test_M18_what_is_no_id_is_not_found(strange: str) -> None:
    approved(make_document(clauses=FOUR))
    assert fetched(opened(), [strange]) == Fetched((), (strange,))


def test_M18_an_id_that_is_named_twice_comes_back_once() -> None:
    approved(make_document(clauses=FOUR))
    answer = fetched(opened(), [ID, ID, "X"])
    assert (len(answer.clauses), answer.not_found) == (1, ("X",))


def test_M19_more_than_three_ids_are_refused_and_nothing_is_fetched(django_assert_num_queries: Any) -> None:
    approved(make_document(clauses=FOUR))
    release = opened()
    with django_assert_num_queries(0), pytest.raises(ValueError, match="at most 3"):
        fetch_clauses(release, CUSTOMER, [clause.clause_id for clause in FOUR])
    assert MAX_CLAUSE_IDS == 3 and len(fetched(release, [c.clause_id for c in FOUR[:3]]).clauses) == 3


def test_M20_no_id_is_no_clause() -> None:
    approved(make_document(clauses=FOUR))
    assert fetched(opened(), []) == Fetched((), ())


def nothing(release: OpenRelease, scope: Scope) -> bool:
    """Out of scope looks like what does not exist, in both answers."""
    directory = clause_directory(release, scope)
    return directory == Unavailable(Missing.NO_RELEASE) and fetched(release, [ID], scope) == Fetched((), (ID,))


def test_M17_another_insurer() -> None:
    approved(make_document())
    approved(make_document(insurer="southwind", clauses=[make_clause("SMT-COV-01")]))
    other = replace(CUSTOMER, insurer="southwind")
    assert nothing(opened(), other)
    assert fetched(opened(other), [ID], other).not_found == (ID,)
    assert open_release(replace(CUSTOMER, insurer="nobody"), DAY) == Unavailable(Missing.NO_RELEASE)


def test_M17_another_family() -> None:
    approved(make_document())
    approved(make_document(family="home"))
    home = replace(CUSTOMER, family="home")
    assert nothing(opened(), home)
    assert fetched(opened(home), [ID], home).not_found == (ID,)
    assert open_release(replace(CUSTOMER, family="pets"), DAY) == Unavailable(Missing.NO_RELEASE)


def test_M17_another_version() -> None:
    approved(make_document("2030.1", clauses=FOUR[:2]))
    approved(make_document("2030.2", effective_from=date(2030, 2, 1), clauses=FOUR[:1]))
    assert nothing(replace(opened(), version="2030.1"), CUSTOMER)
    assert fetched(opened(day=date(2030, 1, 5)), ["MTR-COV-02"]).not_found == ()
    assert fetched(opened(), ["MTR-COV-02"]).not_found == ("MTR-COV-02",)


def test_M17_another_effective_date() -> None:
    approved(make_document())
    assert nothing(replace(opened(), effective_from=date(2029, 1, 1)), CUSTOMER)
    assert open_release(CUSTOMER, date(2029, 12, 31)) == Unavailable(Missing.BEFORE_FIRST)


def test_M17_another_visibility() -> None:
    approved(make_document(visibility=Visibility.STAFF))
    assert open_release(CUSTOMER, DAY) == Unavailable(Missing.NO_RELEASE)
    assert nothing(opened(STAFF), CUSTOMER)


def test_M17_another_permission() -> None:
    approved(make_document(visibility=Visibility.STAFF))
    assert fetched(opened(STAFF), [ID], STAFF).not_found == ()
    approved(make_document(family="home"))
    for audience in Audience:
        home = Scope("northwind", "home", audience)
        assert fetched(opened(home), ["HOM-COV-01"], home).not_found == ()


@pytest.mark.parametrize("state", ["published", "ingested", "withdrawn"])
def test_M17_a_release_that_is_not_approved(state: str) -> None:
    release = approved(make_document())
    before = opened()
    Release.objects.filter(pk=release.pk).update(state=state)
    assert open_release(CUSTOMER, DAY) == Unavailable(Missing.NO_RELEASE)
    assert nothing(before, CUSTOMER)


def test_a_release_that_is_withdrawn_within_a_turn_gives_no_clause() -> None:
    release = approved(make_document())
    before = opened()
    withdraw(release.pk, by=make_user("approver"), reason="a test")
    assert nothing(before, CUSTOMER)


def test_M34_customers_and_staff_get_their_version_from_one_function_and_change_together() -> None:
    def versions() -> set[str]:
        in_force = release_in_force("northwind", "motor", DAY)
        assert isinstance(in_force, OpenRelease)
        return {opened(CUSTOMER).version, opened(STAFF).version, in_force.version}

    approved(make_document("2030.1"))
    assert versions() == {"2030.1"}
    new = ingested(make_document("2030.2", effective_from=date(2030, 2, 1), withdraws=["2030.1"]))
    assert versions() == {"2030.1"}
    approve(new.pk, by=make_user("approver"))
    assert versions() == {"2030.2"}


def test_M30_no_approved_release_is_unavailable() -> None:
    published(make_document())
    assert open_release(CUSTOMER, DAY) == Unavailable(Missing.NO_RELEASE)


def test_M29_a_store_that_is_down_is_unavailable_and_the_directory_stays() -> None:
    file = stored_file(approved(make_document(clauses=FOUR)))
    root = file.parents[2]
    root.rename(root.with_name("away"))
    release = opened()
    assert isinstance(clause_directory(release, CUSTOMER), tuple)
    assert fetch_clauses(release, CUSTOMER, [ID]) == Unavailable(Missing.STORE)
    root.with_name("away").rename(root)
    assert fetched(release, [ID]).not_found == ()


@pytest.mark.objects
def test_M29_the_text_comes_from_the_bucket_at_each_lookup(s3_store: Any, monkeypatch: Any, settings: Any) -> None:
    approved(make_document(clauses=FOUR))
    release = opened()
    assert fetched(release, [ID]).clauses[0].clause == FOUR[0]
    settings.S3_ENDPOINT_URL = "http://127.0.0.1:9"
    assert fetch_clauses(release, CUSTOMER, [ID]) == Unavailable(Missing.STORE)
    with pytest.raises(StorageUnavailable):
        open_store().get("any")


def test_an_object_that_is_gone_is_unavailable() -> None:
    stored_file(approved(make_document())).unlink()
    assert fetch_clauses(opened(), CUSTOMER, [ID]) == Unavailable(Missing.STORE)


@pytest.mark.parametrize("data", [b"", b"\xff", write_document(make_document(clauses=[FOUR[1]])).encode()])
def test_an_object_that_was_overwritten_is_a_mismatch(data: bytes) -> None:
    stored_file(approved(make_document())).write_bytes(data)
    assert fetch_clauses(opened(), CUSTOMER, [ID]) == Unavailable(Missing.MISMATCH)


@pytest.mark.parametrize("change", [{"sha256": "0" * 64}, {"start": 0}, {"start": 20}, {"end": 400}, {"end": 10**6}])
def test_a_clause_that_is_not_the_one_that_was_ingested_is_a_mismatch(change: dict[str, Any]) -> None:
    release = approved(make_document(clauses=FOUR))
    release.entries.filter(position=1).update(**change)
    assert fetch_clauses(opened(), CUSTOMER, ["MTR-COV-02", ID]) == Unavailable(Missing.MISMATCH)
    assert fetched(opened(), ["MTR-COV-02"]).not_found == ()


def test_a_lookup_takes_three_queries(django_assert_num_queries: Any) -> None:
    approved(make_document(clauses=FOUR))
    with django_assert_num_queries(3):
        release = opened()
        clause_directory(release, CUSTOMER)
        fetched(release, [ID, "MTR-COV-02", "MTR-COV-03"])
