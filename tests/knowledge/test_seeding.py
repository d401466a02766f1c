"""A fresh start: what is read is what the content folder says, and what is there already is left alone."""

import shutil
from datetime import date
from pathlib import Path

import pytest

from knowledge.answers import Audience, Missing, OpenRelease, Scope, Unavailable
from knowledge.assembly import ReleaseError
from knowledge.audit import AuditEntry
from knowledge.clause_text import PolicyDocument, read_document, write_document
from knowledge.lookup import clause_directory, fetch_clauses, open_release
from knowledge.models import DirectoryEntry, Family, Release
from knowledge.seeding import CONTENT, seed_knowledge
from tests.builders_knowledge import CUSTOMER, DAY, draft, make_clause, make_document, make_user

pytestmark = pytest.mark.django_db
DOCUMENTS = [read_document(path.read_text(encoding="utf-8")) for path in sorted(CONTENT.glob("*/*.md"))]


def seed(content: Path = CONTENT) -> tuple[str, ...]:
    return seed_knowledge(editor=make_user("editor"), approver=make_user("approver"), content=content)


def write(folder: Path, *documents: PolicyDocument) -> Path:
    for document in documents:
        path = folder / document.version / f"{document.family}.md"
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(write_document(document), encoding="utf-8")
    family = "{insurer: northwind, family: motor, clause_prefix: MTR, document_id: northwind-motor-policy}"
    (folder / "families.yaml").write_text(f"- {family}\n", encoding="utf-8")
    return folder


def states() -> dict[str, str]:
    return {str(release): release.state for release in Release.objects.select_related("family")}


def test_M37_a_fresh_start_reads_the_newest_content_of_every_family() -> None:
    assert len(seed()) == len(DOCUMENTS) + 1  # and the question inventory
    for document in DOCUMENTS:
        newest = max((d for d in DOCUMENTS if d.family == document.family), key=lambda d: d.effective_from)
        found = open_release(Scope(document.insurer, document.family, Audience.CUSTOMER), date(2026, 11, 30))
        assert isinstance(found, OpenRelease)
        assert (found.version, found.version) == (newest.version, "2026.2")


def test_M37_what_a_document_withdraws_ends_withdrawn() -> None:
    seed()
    withdrawn = {f"{d.family} {version}" for d in DOCUMENTS for version in d.withdraws}
    assert {name for name, state in states().items() if state == "withdrawn"} == withdrawn & set(states())
    assert {"MVP-2026.1"} == {name.split()[1] for name in withdrawn}


def test_M13_every_listed_clause_of_the_content_can_be_fetched_as_it_is_written() -> None:
    seed()
    for document in DOCUMENTS:
        scope = Scope(document.insurer, document.family, Audience.CUSTOMER)
        release = open_release(scope, date(2026, 11, 30))
        assert isinstance(release, OpenRelease)
        if release.version != document.version:
            continue
        written = {clause.clause_id: clause for clause in document.clauses}
        directory = clause_directory(release, scope)
        assert isinstance(directory, tuple) and [line.clause_id for line in directory] == list(written)
        for line in directory:
            found = fetch_clauses(release, scope, [line.clause_id])
            assert [f.clause for f in found.clauses] == [written[line.clause_id]]  # type: ignore[union-attr]


def test_seeding_twice_does_nothing_the_second_time() -> None:
    seed()
    before = states(), AuditEntry.objects.count(), DirectoryEntry.objects.count()
    assert seed() == ()
    assert (states(), AuditEntry.objects.count(), DirectoryEntry.objects.count()) == before


def test_the_demo_is_written_by_the_editor_and_approved_by_the_approver() -> None:
    seed()
    by = {
        act: set(AuditEntry.objects.filter(act=act).values_list("by_name", flat=True))
        for act in ("release.assemble", "release.approved", "release.withdrawn")
    }
    assert by["release.assemble"] == {"editor"}
    assert by["release.approved"] | by["release.withdrawn"] == {"approver"}


def test_home_and_contents_are_families_even_without_a_release(tmp_path: Path) -> None:
    shutil.copy(CONTENT / "families.yaml", tmp_path)
    for path in CONTENT.glob("*/motor.md"):
        (tmp_path / path.parent.name).mkdir()
        shutil.copy(path, tmp_path / path.parent.name)
    assert len(seed(tmp_path)) == 2
    assert set(Family.objects.values_list("code", flat=True)) == {"motor", "home", "contents"}
    for code in ("home", "contents"):
        found = open_release(Scope("northwind", code, Audience.CUSTOMER), date(2026, 11, 30))
        assert found == Unavailable(Missing.NO_RELEASE)


def test_a_family_with_a_release_is_left_alone(tmp_path: Path) -> None:
    mine = draft(make_document("2030.1"))
    Family.objects.filter(pk=mine.family_id).update(name="Cars")
    other = make_document("2030.1", clauses=[make_clause(title="Another title")])
    content = write(tmp_path, other, make_document("2030.2", effective_from=date(2030, 2, 1)))
    assert seed(content) == ()
    assert states() == {"motor 2030.1": "draft"}
    assert Family.objects.get().name == "Cars"


def test_the_oldest_comes_first_whatever_its_name(tmp_path: Path) -> None:
    old = make_document("Z-1", effective_from=date(2029, 1, 1))
    new = make_document("A-2", withdraws=["Z-1"])
    assert len(seed(write(tmp_path, new, old))) == 2
    assert states() == {"motor Z-1": "withdrawn", "motor A-2": "approved"}


def test_a_family_comes_in_whole_or_not_at_all_and_a_later_start_goes_on(tmp_path: Path) -> None:
    good = make_document("2030.1")
    bad = make_document("2030.2", effective_from=date(2030, 2, 1), clauses=[make_clause(sources=[])])
    with pytest.raises(ReleaseError, match="No source is recorded"):
        seed(write(tmp_path, good, bad))
    assert states() == {}
    write(tmp_path, make_document("2030.2", effective_from=date(2030, 2, 1)))
    assert len(seed(tmp_path)) == 2
    found = open_release(CUSTOMER, DAY)
    assert isinstance(found, OpenRelease) and found.version == "2030.2"


def test_a_document_that_cannot_be_read_is_named_with_its_line(tmp_path: Path) -> None:
    content = write(tmp_path, make_document("2030.1"))
    (content / "2030.1" / "motor.md").write_text("---\n")
    with pytest.raises(ReleaseError, match=r"2030\.1/motor\.md, line 1"):
        seed(content)
