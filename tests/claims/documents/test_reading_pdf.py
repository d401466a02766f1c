"""PDF: what is known of every page, and what is named because it is not."""

from pathlib import Path

import pytest

from claims.documents.pages import FileKind, NoteKind, NotRead, Reading, Unreadable
from claims.documents.reading import WORDS, read_file
from tests.claims.documents.drawing import Sheet, policy_of

FIXTURES = Path(__file__).parent / "fixtures"
TEXT = (
    "We will pay for sudden and accidental damage to the home while this policy is in force. The most we pay is shown "
    "in the schedule. You must take care of the home and tell us of any change that makes a loss more likely."
)


def read(data):
    reading = read_file(data, "policy.pdf")
    assert isinstance(reading, Reading), reading
    assert reading.kind is FileKind.PDF
    return reading


def fixture(name):
    return read((FIXTURES / name).read_bytes())


def states(reading):
    return [page.state.value for page in reading.pages]


def text(reading):
    return "\n".join(line.text for line in reading.lines)


def notes(reading, kind):
    return [(note.page, note.detail) for note in reading.notes if note.kind is kind]


def test_D14_a_scanned_page_among_others_is_named():
    reading = fixture("d14_mixed_scan.pdf")
    assert states(reading) == ["read", "picture", "read"]
    assert reading.pages_not_read == (2,)
    assert reading.unreadable is None
    assert [line.text for line in reading.pages[2].lines][1:] == [
        "1. Tell us promptly of any loss.",
        "2. Send us a signed proof of loss within 45 days after our request.",
    ]


def test_D15_a_page_with_nothing_but_a_repeated_line_was_not_read():
    reading = fixture("d15_watermark_only_page.pdf")
    assert states(reading) == ["read", "repeated_only", "read"]
    assert reading.pages_not_read == (2,)


def test_D16_blank_pages_are_not_unread():
    sheet = Sheet()
    sheet.heading("EXCLUSIONS")
    sheet.paragraph("We do not pay for frost. " + TEXT)
    sheet.new_page()
    sheet.paragraph("This page intentionally left blank")
    sheet.new_page()
    sheet.new_page()
    sheet.heading("CONDITIONS")
    sheet.paragraph("Tell us promptly.")
    reading = read(sheet.data())
    assert states(reading) == ["read", "blank", "blank", "read"]
    assert reading.pages_not_read == ()


def test_D16_a_blank_page_keeps_its_header_and_number():
    sheet = Sheet()
    sheet.running("HARBOURLIGHT MUTUAL HOME POLICY", "HL 4400 (01 24) | Page {page} of 4")
    sheet.paragraph(TEXT)
    sheet.new_page()
    sheet.paragraph("This page is intentionally left blank.")
    sheet.new_page()
    sheet.new_page()
    sheet.paragraph("Tell us promptly of any loss or damage.")
    reading = read(sheet.data())
    assert states(reading) == ["read", "blank", "repeated_only", "read"]
    assert [page.printed for page in reading.pages] == ["1", "2", "3", "4"]


def test_T13_a_scan_between_header_and_footer_was_not_read():
    sheet = Sheet()
    sheet.running("HARBOURLIGHT MUTUAL HOME POLICY", "HL 4400 (01 24) | Page {page} of 3")
    sheet.paragraph(TEXT)
    sheet.new_page()
    sheet.picture(60, 60, 475, 700)
    sheet.new_page()
    sheet.paragraph("Tell us promptly of any loss or damage.")
    assert states(read(sheet.data())) == ["read", "repeated_only", "read"]


def test_T14_little_text_on_a_full_picture_does_not_make_a_page_read():
    sheet = Sheet()
    sheet.paragraph(TEXT)
    sheet.new_page()
    sheet.picture(0, 0, 595, 842)
    sheet.paragraph("Endorsement HL 41, see below")
    reading = read(sheet.data())
    assert states(reading) == ["read", "picture"]
    assert "Endorsement HL 41" in text(reading)


def test_a_picture_on_a_page_that_was_read_is_named():
    sheet = Sheet()
    sheet.paragraph(TEXT)
    sheet.picture(60, 300, 475, 300)
    reading = read(sheet.data())
    assert states(reading) == ["read"]
    [(page, detail)] = notes(reading, NoteKind.NOT_READ)
    assert page == 1 and "28% of the page" in detail


def test_letters_drawn_as_shapes_are_a_picture():
    sheet = Sheet()
    sheet.paragraph(TEXT)
    sheet.new_page()
    for place in range(30):
        sheet.canvas.circle(100 + place * 10, 500, 4)
    assert states(read(sheet.data())) == ["read", "picture"]


def test_the_same_form_bound_twice_was_read_twice():
    sheet = Sheet()
    for _ in range(2):
        sheet.paragraph(TEXT + TEXT + TEXT)
        sheet.new_page()
    sheet.paragraph("End of the package.")
    assert states(read(sheet.data())) == ["read", "read", "read"]


def test_D17a_an_empty_user_password_opens():
    reading = fixture("d17a_empty_user_password.pdf")
    assert "We do not cover mould." in text(reading)


def test_D17b_a_password_is_named_and_is_no_silence():
    answer = read_file((FIXTURES / "d17b_user_password.pdf").read_bytes(), "policy.pdf")
    assert isinstance(answer, NotRead)
    assert answer.reason is Unreadable.LOCKED
    assert "needs a password" in answer.detail and "not silence" in answer.detail


@pytest.mark.parametrize(("letters", "unreadable"), [(199, Unreadable.TOO_LITTLE_TEXT), (200, None)])
def test_M88_fewer_than_200_characters_are_unread(letters, unreadable):
    words = ("We do not pay for rust. " * 9)[: letters - 1] + "x"
    assert read(policy_of(("paragraph", words))).unreadable is unreadable


def test_M87_an_image_only_file_is_unread_and_its_reason_says_what_to_do():
    sheet = Sheet()
    sheet.picture(0, 0, 595, 842)
    sheet.new_page()
    sheet.picture(0, 0, 595, 842)
    reading = read(sheet.data())
    assert reading.unreadable is Unreadable.NO_TEXT
    assert reading.pages_not_read == (1, 2)
    for words in ("scanned or image-only", "OCR", "upload another version", "not silence"):
        assert words in WORDS[Unreadable.NO_TEXT]


def test_D15_a_licence_line_on_every_page_of_a_scan_is_no_text():
    sheet = Sheet()
    sheet.running(footer="Licensed to reader@example.test for personal use only. Copying may be unlawful. Licence 1.")
    for _ in range(4):
        sheet.picture(0, 0, 595, 780)
        sheet.new_page()
    sheet.picture(0, 0, 595, 780)
    reading = read(sheet.data())
    assert set(states(reading)) == {"repeated_only"}
    assert reading.unreadable is Unreadable.NO_TEXT


@pytest.mark.parametrize("how", ["invisible", "white", "tiny", "off_page", "covered"])
def test_T18_text_that_nobody_sees_is_named_and_not_read(how):
    sheet = Sheet()
    sheet.paragraph(TEXT)
    sheet.hidden("We cover mould without limit.", how=how)
    sheet.new_page()
    sheet.paragraph("Tell us promptly.")
    reading = read(sheet.data())
    assert [page.hidden_text for page in reading.pages] == [True, False]
    assert "mould" not in text(reading)
    [(page, detail)] = notes(reading, NoteKind.HIDDEN_TEXT)
    assert page == 1 and '"We cover mould without limit."' in detail


def test_white_letters_on_a_dark_bar_are_read():
    sheet = Sheet()
    sheet.canvas.setFillColorRGB(0.1, 0.1, 0.4)
    sheet.canvas.rect(55, 842 - 80, 480, 24, fill=1, stroke=0)
    sheet.canvas.setFillColorRGB(1, 1, 1)
    sheet.heading("What is not covered")
    sheet.canvas.setFillColorRGB(0, 0, 0)
    sheet.y = 100
    sheet.paragraph(TEXT)
    reading = read(sheet.data())
    assert reading.lines[0].text == "What is not covered"
    assert reading.notes == ()


def test_words_of_text_recognition_are_read_and_said_to_be_so():
    sheet = Sheet()
    sheet.picture(0, 0, 595, 842)
    for start in range(0, 2 * len(TEXT), 70):
        sheet.hidden((TEXT + TEXT)[start : start + 70], how="invisible")
    reading = read(sheet.data())
    assert states(reading) == ["read"] and reading.pages[0].hidden_text
    [(_, detail)] = notes(reading, NoteKind.HIDDEN_TEXT)
    assert "text recognition" in detail
    assert reading.unreadable is None


def test_T26_struck_out_words_are_named():
    sheet = Sheet()
    sheet.paragraph(TEXT)
    struck = sheet.text_at(60, 200, "We do not pay for flood.")
    sheet.text_at(60, 220, "We pay for frost.")
    canvas = sheet.canvas
    canvas.line(struck.left, 842 - 207, struck.right, 842 - 207)
    canvas.line(60, 842 - 232, 140, 842 - 232)
    [(page, detail)] = notes(read(sheet.data()), NoteKind.STRUCK_TEXT)
    assert page == 1 and '"We do not pay for flood."' in detail


def test_T19_filled_form_fields_are_read_where_they_stand():
    sheet = Sheet()
    sheet.paragraph(TEXT)
    sheet.text_at(60, 200, "Insured:")
    sheet.text_at(60, 230, "Limit:")
    form = sheet.canvas.acroForm
    form.textfield(name="insured", value="A. Specimen", x=110, y=842 - 214, width=200, height=16)
    form.textfield(name="limit", value="250,000", x=110, y=842 - 244, width=200, height=16)
    form.textfield(name="empty", value="", x=110, y=842 - 274, width=200, height=16)
    form.checkbox(name="flood", checked=True, x=110, y=842 - 320)
    form.checkbox(name="fire", checked=False, x=210, y=842 - 320)
    reading = read(sheet.data())
    assert "Insured: A. Specimen" in text(reading) and "Limit: 250,000" in text(reading)
    fields = [detail for _, detail in notes(reading, NoteKind.FORM_FIELDS)]
    assert fields == [
        "Page 1 holds 2 filled-in form fields, read as text.",
        "Page 1 holds 2 tick boxes or buttons, 1 of them ticked: which ones was not read.",
    ]


def test_printed_numbers_are_not_places_in_the_file():
    sheet = Sheet()
    sheet.paragraph(TEXT)
    for number in ("i", "ii", "1", "2", "3"):
        sheet.new_page()
        sheet.paragraph(TEXT)
        sheet.text_at(290, 800, number)
    reading = read(sheet.data())
    assert [page.printed for page in reading.pages] == [None, "i", "ii", "1", "2", "3"]


def test_a_year_or_sum_in_the_margin_is_no_page_number():
    sheet = Sheet()
    for words in ("Issued 2024", "250,000", "Harbourlight 12"):
        sheet.paragraph(TEXT)
        sheet.text_at(290, 800, words)
        sheet.new_page()
    assert {page.printed for page in read(sheet.data()).pages} == {None}


def test_the_same_bytes_are_read_the_same():
    data = (FIXTURES / "d14_mixed_scan.pdf").read_bytes()
    assert read(data) == read(data)


@pytest.mark.parametrize("name", ["d14_mixed_scan.pdf", "d15_watermark_only_page.pdf", "d17a_empty_user_password.pdf"])
def test_lines_are_numbered_over_the_document(name):
    reading = fixture(name)
    assert [line.number for line in reading.lines] == list(range(1, len(reading.lines) + 1))
    for page in reading.pages:
        assert {line.page for line in page.lines} <= {page.number}
