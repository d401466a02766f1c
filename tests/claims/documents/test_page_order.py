"""Pages are read in the order in which a person reads them, whatever the order in the file."""

import pytest

from claims.documents.pages import Reading
from claims.documents.reading import read_file
from tests.claims.documents.drawing import BOLD, WIDTH, Sheet

LOREM = (
    "We will pay for sudden and accidental damage to the home while this policy is in force. The most we pay is shown "
    "in the schedule. You must take care of the home and tell us of any change that makes a loss more likely."
)
OTHER = (
    "We do not pay for loss caused by wear and tear, rust, mould, vermin or anything that is slow. Nor do we pay "
    "for loss that you cause on purpose, or for the cost of making good a fault in design or workmanship."
)
THIRD = "This policy is governed by the law of the place where the home stands, and its courts decide on it."


def lines_read(data):
    reading = read_file(data, "policy.pdf")
    assert isinstance(reading, Reading)
    return [line.text.replace("\ufffe", "-") for line in reading.lines]


def lines_drawn(sheet):
    return [line for drawn in sheet.drawn for line in drawn.lines]


def in_order(sheet):
    data = sheet.data()
    assert lines_read(data) == lines_drawn(sheet)


@pytest.mark.parametrize("by_row", [False, True])
@pytest.mark.parametrize("count", [2, 3])
def test_T01_T02_columns_are_read_one_after_the_other(by_row, count):
    sheet = Sheet(size=9)
    sheet.heading("HOME POLICY WORDING, EDITION OF THE FIRST OF JANUARY, WHICH RUNS OVER THE WHOLE WIDTH OF THE PAGE")
    texts = [LOREM, OTHER, THIRD]
    blocks = [
        [("heading", f"Part {place}"), ("paragraph", texts[place]), ("item", "a. rust;"), ("paragraph", THIRD)]
        for place in range(count)
    ]
    sheet.columns(*blocks, by_row=by_row)
    sheet.paragraph(LOREM)
    in_order(sheet)


def test_two_bands_of_columns_with_other_gutters():
    sheet = Sheet(size=9)
    sheet.columns([("paragraph", LOREM)], [("paragraph", OTHER)])
    sheet.paragraph(THIRD + " " + THIRD)
    sheet.columns([("paragraph", LOREM)], [("paragraph", OTHER)], [("paragraph", THIRD)])
    in_order(sheet)


def test_columns_with_a_heading_across_between_them():
    sheet = Sheet(size=9)
    sheet.columns([("paragraph", LOREM), ("paragraph", OTHER)], [("paragraph", OTHER), ("paragraph", THIRD)])
    sheet.heading("EXCLUSIONS THAT HOLD FOR EVERY PART OF THIS POLICY AND FOR ALL OF ITS ENDORSEMENTS", size=11)
    sheet.columns([("paragraph", OTHER)], [("paragraph", LOREM)])
    in_order(sheet)


@pytest.mark.parametrize("frames", [True, False])
def test_S33_S35_covered_and_not_covered_side_by_side(frames):
    sheet = Sheet()
    sheet.paragraph(LOREM)
    sheet.side_by_side(
        ["Fire, lightning and explosion", "Theft from a locked building", "Storm"],
        ["Flood", "Theft while the home is let, lent or empty for more than sixty days in a row", "Frost", "War"],
        frames=frames,
    )
    sheet.paragraph(THIRD)
    in_order(sheet)


def test_side_by_side_lists_with_one_word_items():
    sheet = Sheet()
    sheet.side_by_side(["Fire", "Theft", "Storm"], ["Flood", "Rust", "Frost"])
    in_order(sheet)


@pytest.mark.parametrize("look", [{"bold": True}, {"bold": False, "size": 13}])
def test_a_short_heading_between_boxes_ends_both_sides(look):
    """Else the right box would be read under the heading of the next ones: the opposite of what it says."""
    sheet = Sheet()
    sheet.heading("Part A", **look)
    sheet.side_by_side(["Fire", "Theft", "Storm"], ["Flood", "Rust", "Frost"], frames=False)
    sheet.heading("Part B", **look)
    sheet.side_by_side(["Lightning", "Smoke"], ["War", "Vermin"], frames=False)
    sheet.heading("Conditions", **look)
    sheet.paragraph(LOREM)
    in_order(sheet)


def test_capitals_are_a_heading_whatever_their_size():
    sheet = Sheet()
    sheet.side_by_side(["Fire", "Theft"], ["Flood", "Rust"], frames=False)
    sheet.paragraph("CONDITIONS")
    sheet.paragraph(LOREM)
    in_order(sheet)


def test_names_with_a_colon_stand_beside_their_values():
    sheet = Sheet()
    sheet.heading("Declarations")
    expected = ["Declarations"]
    for name, value in (("Named insured:", "A. Specimen"), ("Policy number:", "HL-1"), ("Form:", "HL 4400 (01 24)")):
        sheet.text_at(60, sheet.y, name)
        sheet.text_at(200, sheet.y, value)
        sheet.y += 14
        expected.append(f"{name} {value}")
    assert lines_read(sheet.data()) == expected


def test_a_footer_with_two_ends_is_one_line_under_columns():
    sheet = Sheet(size=9)
    sheet.running("HARBOURLIGHT MUTUAL", "HL 4400 (01 24) | Page {page} of 1")
    sheet.columns([("paragraph", LOREM + OTHER)], [("paragraph", OTHER + THIRD)])
    assert lines_read(sheet.data()) == ["HARBOURLIGHT MUTUAL", *lines_drawn(sheet), "HL 4400 (01 24) Page 1 of 1"]


def test_a_table_of_sums_is_read_row_by_row():
    sheet = Sheet()
    sheet.paragraph(LOREM)
    rows = [("Dwelling", "250,000"), ("Water back-up", "5,000"), ("Locks and keys", "750"), ("Excess", "400")]
    sheet.table(rows, widths=(200, 80))
    sheet.paragraph(THIRD)
    in_order(sheet)


def test_a_table_of_items_with_two_sums_is_read_row_by_row():
    sheet = Sheet()
    rows = [("Dwelling", "250,000", "400"), ("Water back-up", "5,000", "250"), ("Locks and keys", "750", "0")]
    sheet.table(rows, widths=(200, 100, 80))
    sheet.paragraph(THIRD)
    in_order(sheet)


def test_list_marks_stand_on_the_line_that_they_number():
    sheet = Sheet()
    expected = []
    for number, text in enumerate((LOREM, OTHER, THIRD), start=1):
        top = sheet.y
        drawn = sheet.paragraph(text, indent=30)
        sheet.text_at(sheet.margin, top, f"{number}.")
        expected += [f"{number}. {drawn.lines[0]}", *drawn.lines[1:]]
    assert lines_read(sheet.data()) == expected


def test_hanging_numbers_in_two_columns():
    sheet = Sheet(size=9)
    expected = []
    for left in (60.0, 310.0):
        sheet.y = 60
        for number, text in enumerate((LOREM, OTHER, THIRD, OTHER), start=1):
            top = sheet.y
            drawn = sheet.block(text, left=left, indent=16, width=225)
            sheet.text_at(left, top, f"{number}.")
            expected += [f"{number}. {drawn.lines[0]}", *drawn.lines[1:]]
    assert lines_read(sheet.data()) == expected


def test_terms_beside_their_meaning_stay_with_it():
    sheet = Sheet()
    expected = []
    for term, meaning in (("Accident", LOREM), ("Home", OTHER), ("Schedule", THIRD)):
        sheet.text_at(sheet.margin, sheet.y, term, font=BOLD)
        drawn = sheet.paragraph(meaning, indent=110)
        expected += [f"{term} {drawn.lines[0]}", *drawn.lines[1:]]
    assert lines_read(sheet.data()) == expected


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_T17_a_rotated_page_is_read_as_it_is_shown(turn):
    """The page is drawn lying and shown standing, as scanners and drawing programs do."""
    sheet = Sheet()
    canvas, width, height = sheet.canvas, sheet.width, sheet.height
    canvas.setPageRotation(turn)
    if turn == 90:
        canvas.transform(0, 1, -1, 0, height, 0)
    elif turn == 180:
        canvas.transform(-1, 0, 0, -1, width, height)
    elif turn == 270:
        canvas.transform(0, -1, 1, 0, 0, width)
    sheet.heading("CONDITIONS")
    sheet.paragraph(LOREM)
    reading = read_file(sheet.data(), "")
    assert [line.text for line in reading.lines] == lines_drawn(sheet)
    first = reading.lines[0].box
    assert abs(first.left - 60) < 2 and 55 < first.top < 66


def test_text_drawn_sideways_on_an_upright_page_is_read():
    sheet = Sheet()
    sheet.canvas.transform(0, 1, -1, 0, WIDTH, 0)
    sheet.height, sheet.width = WIDTH, sheet.height
    sheet.heading("CONDITIONS")
    sheet.paragraph(LOREM)
    in_order(sheet)


def test_marks_in_the_margin_and_across_the_page_do_not_break_its_lines():
    sheet = Sheet()
    canvas = sheet.canvas
    for degrees, text in ((90, "HL 4400 sideways"), (45, "SPECIMEN COPY")):
        canvas.saveState()
        canvas.translate(40 if degrees == 90 else 200, 300)
        canvas.rotate(degrees)
        canvas.setFont(BOLD, 14)
        canvas.drawString(0, 0, text)
        canvas.restoreState()
    sheet.paragraph(LOREM)
    sheet.paragraph(OTHER)
    drawn = lines_drawn(sheet)
    assert lines_read(sheet.data()) == [*drawn, "HL 4400 sideways", "SPECIMEN COPY"]


def test_T10_letters_spaced_out_are_words_again():
    sheet = Sheet(size=12)
    for space in (2, 4, 6):
        sheet.spaced("GENERAL EXCLUSIONS", space=space)
    sheet.paragraph("1. We do not pay for loss of market.")
    sheet.paragraph("E X C L U S I O N S")
    sheet.canvas.drawString(60, 400, "T")
    sheet.canvas.drawString(60 + sheet.canvas.stringWidth("T", "Helvetica", 12) + 1.1, 400, "ower of strength")
    assert lines_read(sheet.data()) == [
        *["GENERAL EXCLUSIONS"] * 3,
        "1. We do not pay for loss of market.",
        "EXCLUSIONS",
        "Tower of strength",
    ]


def test_T05_a_hyphen_at_the_line_end_stays_with_its_line():
    sheet = Sheet()
    sheet.text_at(60, 100, "We do not pay for discrim-")
    sheet.text_at(60, 114, "ination or libel.")
    reading = read_file(sheet.data(), "")
    assert [line.text for line in reading.lines] == ["We do not pay for discrim\ufffe", "ination or libel."]


def test_sizes_boldness_and_boxes_are_told():
    sheet = Sheet(size=10)
    heading = sheet.heading("Exclusions", size=16)
    sheet.paragraph("We do not pay for frost.")
    title, text = read_file(sheet.data(), "").lines
    assert (title.size, title.bold, text.size, text.bold) == (16, True, 10, False)
    assert (title.number, text.number, text.page) == (1, 2, 1)
    assert abs(title.box.left - heading.left) < 1 and abs(title.box.right - heading.right) < 1
    assert title.box.top - 3 < heading.top < title.box.bottom < text.box.bottom
