"""Plain text and Markdown: lines as they are, whatever their encoding."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.documents.pages import FileKind, NoteKind, NotRead, PageState, Reading, Unreadable
from claims.documents.reading import read_file

POLICIES = Path(__file__).parent / "policies"
PADDING = "\nThis specimen wording is issued for testing only and is not an offer of insurance." * 4


def read(text, name="policy.txt", encoding="utf-8"):
    reading = read_file(text.encode(encoding) if isinstance(text, str) else text, name)
    assert isinstance(reading, Reading), reading
    return reading


def lines(reading):
    return [line.text for line in reading.lines]


D11 = """WHAT YOU'RE COVERED FOR
Loss or damage to your car due to \ufb01re, lightning or explosion.
We will tell you if a certi\ufb01cate is needed. O\ufb03ce contents are covered."""

D12 = """EXCLUSIONS
Defamation, harassment, discrim\ufffeination or malicious prosecution.
The self\ufffeinsured amount and the prod\u00aducts\ufffecompleted operations hazard."""

D13 = """EXCLUSIONS
We do not pay for water below the sur-
face of the ground, or for a sump-
pump failure."""


@pytest.mark.parametrize("case", [D11, D12, D13], ids=["D11", "D12", "D13"])
def test_D11_D12_D13_the_source_is_kept_letter_by_letter(case):
    assert lines(read(case + PADDING))[: case.count("\n") + 1] == case.split("\n")


def test_empty_lines_count_so_that_numbers_are_the_files_own():
    reading = read("EXCLUSIONS\n\n\nWe do not pay for rust.\n" + PADDING)
    assert [(line.number, line.text) for line in reading.lines[:4]] == [
        (1, "EXCLUSIONS"),
        (2, ""),
        (3, ""),
        (4, "We do not pay for rust."),
    ]
    assert (reading.lines[0].box, reading.lines[0].size, reading.lines[0].bold) == (None, None, None)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end(end):
    assert lines(read(end.join(["a", "b", "", "c" * 300, ""]))) == ["a", "b", "", "c" * 300]


@pytest.mark.parametrize("letter", ["\x0b", "\x85", "\u2028", "\u2029"])
def test_other_separators_are_letters_of_a_line(letter):
    assert lines(read(f"one{letter}two" + PADDING, encoding="utf-16"))[0] == f"one{letter}two"


def test_a_form_feed_begins_a_page():
    reading = read(
        "EXCLUSIONS\nWe do not pay for frost.\n\fThis page intentionally left blank\n\f\n\fCONDITIONS" + PADDING
    )
    assert [page.state for page in reading.pages] == [PageState.READ, PageState.BLANK, PageState.BLANK, PageState.READ]
    assert [(line.number, line.page) for line in reading.lines[:5]] == [(1, 1), (2, 1), (3, 2), (4, 3), (5, 4)]
    assert reading.pages_not_read == ()


TEXT = "EXCLUSIONS\nWe don\u2019t pay for \u201cwear and tear\u201d or more than \u20ac5. Māori." + PADDING


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings_that_say_what_they_are(encoding):
    reading = read(TEXT, encoding=encoding)
    assert lines(reading) == TEXT.split("\n")
    assert reading.notes == ()


def test_windows_1252_is_a_guess_and_says_so():
    reading = read(TEXT.replace("ā", "a"), encoding="windows-1252")
    assert lines(reading) == TEXT.replace("ā", "a").split("\n")
    [note] = reading.notes
    assert note.kind is NoteKind.ENCODING and "Windows-1252" in note.detail


def test_bytes_that_windows_1252_does_not_know_are_counted():
    [note] = read(b"We do not pay for \x81 or \x8d. caf\xe9" + PADDING.encode()).notes
    assert "2 characters could not be made out" in note.detail


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("policy.md", "Exclusions", FileKind.MARKDOWN),
        ("policy.txt", "Exclusions", FileKind.TEXT),
        ("policy.pdf", "Exclusions", FileKind.TEXT),
        ("policy.txt", "## I. Agreement\n\n## II. Definitions", FileKind.MARKDOWN),
    ],
)
def test_text_is_text_whatever_its_name(name, text, kind):
    assert read(text + PADDING, name).kind is kind


@pytest.mark.parametrize("path", sorted(POLICIES.glob("*.txt")), ids=lambda path: path.stem)
def test_the_two_real_forms_are_read_line_by_line(path):
    reading = read(path.read_bytes(), path.name)
    assert lines(reading) == path.read_text().removesuffix("\n").split("\n")
    assert reading.unreadable is None and reading.pages_not_read == ()


@pytest.mark.parametrize(("letters", "unreadable"), [(199, Unreadable.TOO_LITTLE_TEXT), (200, None)])
def test_M88_the_boundary_lies_at_200_characters(letters, unreadable):
    assert read(("We do not pay for rust. " * 9)[: letters - 1] + "x").unreadable is unreadable
    assert read("\n\n" + " " * 300 + "x" * letters).unreadable is unreadable


def test_M87_white_space_is_no_text():
    assert read(" \n\t\n" * 300).unreadable is Unreadable.NO_TEXT


def test_M87_an_empty_file_is_unread_and_no_silence():
    answer = read_file(b"", "policy.txt")
    assert isinstance(answer, NotRead) and answer.reason is Unreadable.NO_TEXT
    assert "empty" in answer.detail and "OCR" in answer.detail and "not silence" in answer.detail


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(lambda t: not t.lstrip().startswith("<"))
)
def test_no_letter_is_lost(text):
    reading = read_file(("x" + text).encode(), "")
    assert isinstance(reading, Reading)
    assert "\n".join(lines(reading)) == "x" + text


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused_by_name(data):
    answer = read_file(data, "policy.pdf")
    assert isinstance(answer, Reading | NotRead)
    assert isinstance(answer, Reading) or answer.detail
