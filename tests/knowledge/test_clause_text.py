"""The document format: nothing is lost, nothing is mended."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from knowledge.clause_text import (
    ClauseText,
    DocumentError,
    Part,
    PolicyDocument,
    clause_spans,
    read_clause,
    read_document,
    text_hash,
    write_clause,
    write_document,
)
from knowledge.seeding import CONTENT
from tests.builders_knowledge import make_clause, make_document
from tests.knowledge.strategies import clauses, documents

CONTENT_FILES = sorted(CONTENT.glob("*/*.md"))
GOOD = write_document(make_document(clauses=[make_clause(), make_clause("MTR-COV-02")]))


@settings(max_examples=40)
@given(documents())
def test_a_document_that_was_written_reads_back_as_the_same_document(document: PolicyDocument) -> None:
    text = write_document(document)
    assert read_document(text) == document
    assert write_document(read_document(text)) == text


@settings(max_examples=40)
@given(documents())
def test_every_clause_is_cut_out_by_its_span(document: PolicyDocument) -> None:
    text = write_document(document)
    spans = clause_spans(text)
    assert [read_clause(text[start:end]) for start, end in spans.values()] == list(document.clauses)
    assert list(spans) == [clause.clause_id for clause in document.clauses]
    ends = [end for _, end in spans.values()]
    assert [start for start, _ in spans.values()][1:] == ends[:-1] and ends[-1] == len(text)


@given(clauses())
def test_sentences_tile_the_text_but_for_line_ends_and_bullets(clause: ClauseText) -> None:
    position = 0
    for number, sentence in enumerate(clause.sentences, start=1):
        gap = clause.text[position : sentence.start]
        assert gap == ("\n" if number > 1 else "") + ("- " if sentence.bullet else "")
        assert sentence.index == number and sentence.end > sentence.start
        assert clause.sentence_text(number) == clause.text[sentence.start : sentence.end]
        position = sentence.end
    assert position == len(clause.text)


@given(clauses())
def test_a_bullet_hangs_on_the_last_line_before_it_that_is_none(clause: ClauseText) -> None:
    for sentence in clause.sentences:
        assert (sentence.lead_in is None) == (not sentence.bullet)
        if sentence.lead_in is not None:
            lead_in = clause.sentences[sentence.lead_in - 1]
            assert not lead_in.bullet and lead_in.part == sentence.part
            assert all(s.bullet for s in clause.sentences[sentence.lead_in : sentence.index])


@given(clauses())
def test_the_hash_is_of_the_text_without_prefixes(clause: ClauseText) -> None:
    assert clause.sha256 == text_hash(clause.text)
    assert read_clause(write_clause(clause)) == clause


@pytest.mark.parametrize("path", CONTENT_FILES, ids=[f"{p.parent.name}-{p.stem}" for p in CONTENT_FILES])
def test_the_content_documents_are_written_in_the_one_way(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert write_document(read_document(text)) == text


def test_offsets_count_code_points() -> None:
    clause = make_clause(body=["[trigger]* Motokā 租车 applies.", "[limit] Ngā rā."])
    assert [clause.sentence_text(n) for n in (1, 2)] == ["Motokā 租车 applies.", "Ngā rā."]
    assert (clause.sentences[1].start, clause.sentences[1].end) == (19, 26)


def test_a_sentence_that_is_not_there_is_an_error() -> None:
    for index in (0, 7, -1):
        with pytest.raises(IndexError, match="sentences 1 to 6"):
            make_clause().sentence_text(index)


def test_parts_are_those_of_the_format() -> None:
    names = "trigger provides limit starts ends not_included excess schedule duty other"
    assert " ".join(Part) == names


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('version: "2030.1"', "version: 2030.1", 5, "number is quoted"),
        ("effective_from: 2030-01-01", 'effective_from: "2030-01-01"', 6, "is a day"),
        ("effective_from: 2030-01-01", "effective_from: 2030-01-01 12:00:00", 6, "is a day"),
        ("effective_from: 2030-01-01", "effective_from: 2030-13-01", 2, "not YAML"),
        ("visibility: customer", "visibility: public", 8, "customer, staff"),
        ("insurer: northwind", "insurer: ../northwind", 4, "letters, digits"),
        ("family: motor\ninsurer: northwind", "insurer: northwind\nfamily: motor", 2, "in this order"),
        ("withdraws: []", "withdraws: [1.0]", 7, "list of texts"),
        ("withdraws: []", "withdraws: [ ]", 7, "the one way"),
        ("Synthetic text for tests; not a real insurance contract.", "", 10, "preamble"),
        ("## MTR-COV-01 W", "## MTR-COV-1 W", 12, "its id such as"),
        ("## MTR-COV-01 W", "## MTR-XYZ-01 W", 12, "its id such as"),
        ("schedule_section:\n", "schedule_section: yes\n", 15, "is a code, or nothing"),
        ("sources: [invented for a test]", 'sources: ["invented for a test"]', 16, "the one way"),
        ("plain:\n", "plain: \n", 17, "the one way"),
        ("[trigger]* ", "[triggered]* ", 21, "known part"),
        ("[trigger]* ", "[trigger] * ", 21, "known part"),
        ("[limit] ", "[limit]  ", 23, "known part"),
        ("window.\n[provides]", "window. \n[provides]", 21, "no space at its end"),
        ("window.\n[provides]", "window.\n\n[provides]", 22, "known part"),
        ("[not_included] It does not include:\n", "", 24, "lead-in"),
        ("[not_included] - scratches", "[limit] - scratches", 25, "lead-in"),
        ("new glass", "new\tglass", 22, "printable"),
        ("new glass", "new\u00a0glass", 22, "printable"),
        ("new glass", "new\u200bglass", 22, "printable"),
        ("new glass", "new gla\u0308ss", 22, "NFC"),
        ("before\n\n## MTR-COV-02", "before\n\n\n## MTR-COV-02", 28, "the one way"),
    ],
)
def test_what_would_not_be_given_back_is_refused_with_its_line(old: str, new: str, line: int, message: str) -> None:
    assert old in GOOD
    with pytest.raises(DocumentError, match=message) as refused:
        read_document(GOOD.replace(old, new, 1))
    assert refused.value.line == line


NOT_DOCUMENTS = ["", "\n", "no header", "---\nfamily: motor\n", GOOD.split("\n## ")[0] + "\n", GOOD + "\n", GOOD[:-1]]


@pytest.mark.parametrize("text", NOT_DOCUMENTS)
def test_a_text_without_header_clause_or_last_line_end_is_refused(text: str) -> None:
    with pytest.raises(DocumentError):
        read_document(text)


def test_an_id_that_stands_twice_has_no_span() -> None:
    with pytest.raises(DocumentError, match="stands twice"):
        clause_spans(GOOD.replace("MTR-COV-02", "MTR-COV-01"))
