"""`manage.py check_citations`: silent over what was answered, and exact about what somebody changed since."""

from io import StringIO

import pytest
from django.core.management import call_command

from claims.models import Citation, Turn
from knowledge.models import DirectoryEntry, Release
from tests.builders_claims import RENTAL, answer, lookup, open_claim, plain, plan, quote, resolve

pytestmark = pytest.mark.usefixtures("portal")

ASKED = "Does my policy include a rental car?"


@pytest.fixture
def turn(model):
    """A turn that shows a plain line, bullets with their lead-in, and the always-shown sentences of two clauses."""
    segments = [plain(1), quote(1, 3), quote(9, 10), quote(1, clause_id="MTR-EXC-01")]
    model([plan(), resolve(RENTAL, "MTR-EXC-01"), answer(*segments), *lookup(RENTAL, segments=[plain(2)])])
    talk = open_claim()
    first = talk.say(ASKED)
    assert first["outcome"] == "answered"
    talk.say(ASKED)
    return first


def check():
    """The command's exit code and lines."""
    out, code = StringIO(), 0
    try:
        call_command("check_citations", stdout=out)
    except SystemExit as ended:
        code = ended.code
    return code, out.getvalue().splitlines()


def found_for(turn, clause_id):
    """Exit 1 and exactly one difference, which names the turn and the clause."""
    code, lines = check()
    assert code == 1
    *differences, summary = lines
    assert summary.endswith(f"{len(differences)} differ.")
    assert all(turn["id"] in line and clause_id in line for line in differences)
    return differences


def changed_segment(turn, kind, change):
    row = Turn.objects.get(pk=turn["id"])
    segment = next(s for s in row.segments if s["kind"] == kind and s["citation"]["clause_id"] == RENTAL)
    change(segment)
    Turn.objects.filter(pk=row.pk).update(segments=row.segments)


def test_what_was_answered_is_what_is_stored(turn):
    code, [summary] = check()
    assert code == 0
    cited, sentences = (
        Citation.objects.count(),
        sum(bool(s["citation"]) for t in Turn.objects.all() for s in t.segments),
    )
    assert (cited, sentences) == (3, 7)
    assert summary == f"{cited} citations and {sentences} shown sentences checked, 0 differ."


def test_nothing_answered_is_nothing_that_differs():
    assert check() == (0, ["0 citations and 0 shown sentences checked, 0 differ."])


def test_one_changed_character_of_a_stored_text_is_named(turn):
    citation = Citation.objects.get(turn=turn["id"], clause_id="MTR-EXC-01")
    Citation.objects.filter(pk=citation.pk).update(text=citation.text + "\nThis pays for everything.")
    [difference] = found_for(turn, "MTR-EXC-01")
    assert "the stored text is not the text that was cited" in difference


def test_a_text_changed_with_its_hash_differs_from_the_release(turn):
    Citation.objects.filter(turn=turn["id"], clause_id="MTR-EXC-01").update(sha256="0" * 64)
    assert len(found_for(turn, "MTR-EXC-01")) == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.update(text=s["text"].replace("accepts", "declines")),
        lambda s: s.update(text=s["text"] + " You are covered."),
        lambda s: s.update(text="You are covered. " + s["text"]),
        lambda s: s["citation"].update(sentences=[2]),
        lambda s: s["citation"].update(sentences=[99]),
        lambda s: s["citation"].update(sentences=[0]),
    ],
    ids=["a word", "a sentence after", "a sentence before", "another sentence", "beyond the last", "before the first"],
)
def test_one_changed_quotation_is_named(turn, change):
    changed_segment(turn, "quote", change)
    [difference] = found_for(turn, RENTAL)
    assert "a quotation is not the stored sentences" in difference


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.update(text=s["text"] + " You are covered."),
        lambda s: s["citation"].update(line=2),
        lambda s: s["citation"].update(line=99),
        lambda s: s["citation"].update(line=0),
    ],
    ids=["a word more", "another line", "beyond the last", "before the first"],
)
def test_one_changed_plain_line_is_named(turn, change):
    changed_segment(turn, "plain", change)
    [difference] = found_for(turn, RENTAL)
    assert "a plain line is not the release's" in difference


def test_a_sentence_of_a_clause_that_the_turn_does_not_cite_is_named(turn):
    changed_segment(turn, "quote", lambda s: s["citation"].update(clause_id="MTR-COV-01"))
    [difference] = found_for(turn, "MTR-COV-01")
    assert "from a clause that the turn does not cite" in difference


def test_a_changed_clause_of_the_release_is_named(turn):
    entries = DirectoryEntry.objects.filter(clause__clause_id="MTR-EXC-01", release__state=Release.State.APPROVED)
    assert entries.update(sha256="0" * 64) == 1
    [difference] = found_for(turn, "MTR-EXC-01")
    assert "the release holds another text under this number" in difference


def test_M43_a_withdrawn_release_still_proves_its_answers_and_a_missing_one_is_named(turn):
    Release.objects.filter(state=Release.State.APPROVED).update(state=Release.State.WITHDRAWN)
    assert check()[0] == 0
    Citation.objects.filter(turn=turn["id"]).update(version="1999.9")
    differences = found_for(turn, "MTR-")
    assert len(differences) == 2
    assert all("1999.9" in line and "holds no such clause any more" in line for line in differences)
