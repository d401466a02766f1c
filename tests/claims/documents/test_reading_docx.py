"""DOCX: the text that stands in the policy, and what is named because it does not or was not read."""

from io import BytesIO
from pathlib import Path

import docx
import pytest

from claims.documents.docx_numbers import written
from claims.documents.pages import FileKind, NoteKind, PageState, Reading, Unreadable
from claims.documents.reading import read_file
from tests.claims.documents.wording import PADDING, deleted, inserted, paragraph, part, relations, run, table, wording

FIXTURES = Path(__file__).parent / "fixtures"


def read(data):
    reading = read_file(data, "policy.docx")
    assert isinstance(reading, Reading), reading
    assert reading.kind is FileKind.DOCX
    return reading


def lines(reading):
    return [line.text for line in reading.lines if line.text != PADDING.strip()]


def body(xml, **parts):
    return lines(read(wording(xml, **parts)))


def details(reading, kind):
    return [note.detail for note in reading.notes if note.kind is kind]


def test_D25_tracked_changes_are_read_as_the_final_text_with_a_warning():
    reading = read((FIXTURES / "d25_tracked_changes.docx").read_bytes())
    assert lines(reading)[-5:] == [
        "CONDITIONS",
        "Send us a proof of loss within 60 days after the loss.",
        "EXCLUSIONS",
        "We do not cover loss caused by a tree root.",
        "We do not cover loss caused by a burst garden hose.",
    ]
    [detail] = details(reading, NoteKind.TRACKED_CHANGES)
    for words in ("Editor", "2026-01-05", "1 deletion, 3 insertions", '"30"'):
        assert words in detail


def test_T21_inserted_and_deleted_paragraphs_rows_and_ends():
    end_deleted = '<w:rPr><w:del w:id="3" w:author="B. Broker" w:date="2026-02-09T09:00:00Z"/></w:rPr>'
    xml = (
        paragraph(deleted("We cover everything."), properties=end_deleted)
        + paragraph(inserted(run("We do not pay for frost.")))
        + paragraph("We do not pay for ", properties=end_deleted)
        + paragraph("vermin.")
        + '<w:tbl><w:tr><w:trPr><w:del w:id="4" w:author="B. Broker"/></w:trPr><w:tc>'
        + paragraph("Old limit 1")
        + "</w:tc></w:tr></w:tbl>"
    )
    reading = read(wording(xml))
    assert lines(reading) == ["We do not pay for frost.", "We do not pay for vermin."]
    [detail] = details(reading, NoteKind.TRACKED_CHANGES)
    assert "A. Editor, B. Broker" in detail and "2026-02-01 to 2026-02-09" in detail


def test_moved_text_stands_once_where_it_went():
    xml = (
        f'<w:p><w:moveFrom w:id="1">{run("We do not pay for rust.")}</w:moveFrom></w:p>'
        + paragraph("EXCLUSIONS")
        + f'<w:p><w:moveTo w:id="2">{run("We do not pay for rust.")}</w:moveTo></w:p>'
    )
    assert [line for line in body(xml) if line] == ["EXCLUSIONS", "We do not pay for rust."]


def test_a_made_file_is_read_paragraph_by_paragraph():
    file = docx.Document()
    file.add_heading("Exclusions", 1)
    file.add_paragraph("We do not pay for frost.")
    file.add_paragraph().add_run("Bold words").bold = True
    file.add_paragraph(PADDING)
    out = BytesIO()
    file.save(out)
    reading = read(out.getvalue())
    heading, text, bold, _ = reading.lines
    assert (heading.text, heading.bold, heading.size) == ("Exclusions", True, 14)
    assert (text.text, text.bold) == ("We do not pay for frost.", False)
    assert bold.bold is True
    assert len(reading.pages) == 1 and reading.pages[0].state is PageState.READ
    assert reading.notes == ()


def test_hard_page_breaks_make_pages_and_nothing_else_does():
    file = docx.Document()
    file.add_paragraph(PADDING)
    file.add_page_break()
    file.add_paragraph("Second page.")
    file.add_section()
    file.add_paragraph("Third page.").paragraph_format.page_break_before = True
    out = BytesIO()
    file.save(out)
    pages = read(out.getvalue()).pages
    told = [[line.text for line in page.lines if line.text] for page in pages]
    assert told[:2] == [[PADDING.strip()], ["Second page."]]
    assert told[-1] == ["Third page."]


def numbering(*levels):
    made = "".join(
        f'<w:lvl w:ilvl="{place}"><w:start w:val="1"/><w:numFmt w:val="{style}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for place, (style, text) in enumerate(levels)
    )
    return part(
        "numbering",
        f'<w:abstractNum w:abstractNumId="7">{made}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
        '<w:num w:numId="2"><w:abstractNumId w:val="7"/>'
        '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>',
    )


def item(text, level=0, number=1):
    return paragraph(text, properties=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def test_automatic_numbers_are_read():
    xml = (
        item("We do not pay for loss caused by:")
        + item("rust;", 1)
        + item("birds.", 1)
        + item("Nor for:")
        + item("frost.", 1)
        + item("A new list.", number=2)
    )
    levels = numbering(("decimal", "%1."), ("lowerLetter", "%1.%2)"))
    assert body(xml, word__numbering_DOT_xml=levels) == [
        "1. We do not pay for loss caused by:",
        "1.a) rust;",
        "1.b) birds.",
        "2. Nor for:",
        "2.a) frost.",
        "1. A new list.",
    ]


def test_a_deleted_paragraph_takes_no_number():
    gone = "<w:rPr><w:del/></w:rPr>"
    numbered = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
    xml = item("Rust.") + paragraph(deleted("Flood."), properties=numbered + gone) + item("Frost.")
    assert body(xml, word__numbering_DOT_xml=numbering(("decimal", "%1."))) == ["1. Rust.", "2. Frost."]


def test_numbers_of_an_unusual_kind_are_named_as_not_read():
    reading = read(wording(item("Rust."), word__numbering_DOT_xml=numbering(("hebrew1", "%1."))))
    assert lines(reading) == ["Rust."]
    [detail] = details(reading, NoteKind.NOT_READ)
    assert "automatic numbers" in detail


@pytest.mark.parametrize(
    ("count", "style", "label"),
    [
        (3, "decimal", "3"),
        (3, "decimalZero", "03"),
        (28, "lowerLetter", "bb"),
        (4, "upperRoman", "IV"),
        (19, "lowerRoman", "xix"),
    ],
)
def test_numbers_as_word_writes_them(count, style, label):
    assert written(count, style) == label


def test_T24_headers_and_footers_are_read_once():
    xml = (
        paragraph("EXCLUSIONS")
        + '<w:sectPr><w:headerReference r:id="rId1" w:type="default"/><w:footerReference r:id="rId2"/></w:sectPr>'
    )
    reading = read(
        wording(
            xml,
            word__header1_DOT_xml=part("hdr", paragraph("HARBOURLIGHT MUTUAL")),
            word__footer1_DOT_xml=part("ftr", paragraph("HL 4400 (01 24)")),
            word___rels__document_DOT_xml_DOT_rels=relations(
                ("rId1", "header", "header1.xml"), ("rId2", "footer", "/word/footer1.xml")
            ),
        )
    )
    assert lines(reading) == ["HARBOURLIGHT MUTUAL", "HL 4400 (01 24)", "EXCLUSIONS"]


def box(inner):
    content = f"<w:txbxContent>{inner}</w:txbxContent>"
    return (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp>'
        f"<wps:txbx>{content}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )


def test_T23_text_boxes_are_read_once():
    xml = paragraph("Look:", box(paragraph("We do not pay for flood.") + paragraph("Nor for frost.")))
    assert body(xml) == ["Look:", "We do not pay for flood.", "Nor for frost."]


def test_text_boxes_of_older_programs_are_read():
    content = f"<w:txbxContent>{paragraph('Old box.')}</w:txbxContent>"
    assert body(f"<w:p><w:r><w:pict><v:textbox>{content}</v:textbox></w:pict></w:r></w:p>") == ["", "Old box."]


def test_a_table_of_sums_is_read_by_rows():
    xml = table(("Cover", "Limit"), ("Dwelling", "250,000"), ("Water back-up", "5,000"))
    assert body(xml) == ["Cover\tLimit", "Dwelling\t250,000", "Water back-up\t5,000"]


def test_S33_a_table_of_covered_and_not_covered_is_read_by_columns():
    xml = table(
        ("What is covered", "What is not covered"),
        ("Fire", "Flood"),
        ("Theft", paragraph("Theft while the home is empty") + paragraph("Frost")),
    )
    assert body(xml) == [
        "What is covered",
        "Fire",
        "Theft",
        "What is not covered",
        "Flood",
        "Theft while the home is empty",
        "Frost",
    ]


def test_terms_in_a_narrow_column_stay_with_their_meaning():
    xml = table(("Home", "The building."), ("Accident", "A sudden event."), widths=(2000, 7000))
    assert body(xml) == ["Home\tThe building.", "Accident\tA sudden event."]


def test_tabs_breaks_hyphens_links_controls_and_fields():
    xml = (
        "<w:p><w:hyperlink r:id='rId9'>" + run("We pay") + "</w:hyperlink><w:r><w:tab/><w:t>up to</w:t><w:br/>"
        "<w:t>self</w:t><w:noBreakHyphen/><w:t>insured prod</w:t><w:softHyphen/><w:t>ucts</w:t></w:r>"
        "<w:sdt><w:sdtContent>" + run(" limit") + "</w:sdtContent></w:sdt>"
        "<w:fldSimple w:instr='PAGE'>" + run(" 4") + "</w:fldSimple>"
        "<w:r><w:instrText>HYPERLINK</w:instrText></w:r></w:p>"
    )
    assert body(xml) == ["We pay\tup to", "self\u2011insured prod\u00aducts limit 4"]


def test_T26_struck_words_are_read_and_named():
    reading = read(
        wording(paragraph("We pay ", run("for flood", "<w:strike/>"), run(" and frost", '<w:strike w:val="0"/>')))
    )
    assert lines(reading) == ["We pay for flood and frost"]
    [detail] = details(reading, NoteKind.STRUCK_TEXT)
    assert '"for flood"' in detail


@pytest.mark.parametrize("look", ["<w:vanish/>", '<w:color w:val="FFFFFF"/>', '<w:sz w:val="2"/>'])
def test_T18_hidden_words_are_named_and_not_read(look):
    reading = read(wording(paragraph("We pay for frost.", run(" We cover mould without limit.", look))))
    assert lines(reading) == ["We pay for frost."]
    assert reading.pages[0].hidden_text
    [detail] = details(reading, NoteKind.HIDDEN_TEXT)
    assert "We cover mould without limit." in detail


def test_white_letters_on_a_shaded_ground_are_read():
    shaded = '<w:shd w:val="clear" w:fill="000060"/>'
    xml = paragraph(run("What is not covered", '<w:color w:val="FFFFFF"/>'), properties=shaded)
    assert body(xml) == ["What is not covered"]


def test_what_was_not_read_is_named():
    picture = "<w:r><w:drawing><wp:inline><a:graphic><pic:pic/></a:graphic></wp:inline></w:drawing></w:r>"
    comments = part("comments", f"<w:comment>{paragraph('Why?')}</w:comment>")
    reading = read(wording(paragraph("See:", picture), word__comments_DOT_xml=comments))
    assert details(reading, NoteKind.NOT_READ) == [
        "The file holds comments: 1. They were not read.",
        "The file holds pictures: 1. They were not read.",
    ]


def test_a_file_of_pictures_is_no_text():
    picture = "<w:r><w:drawing><pic:pic/></w:drawing></w:r>"
    reading = read(wording(paragraph(picture), pad=False))
    assert reading.pages[0].state is PageState.PICTURE
    assert reading.unreadable is Unreadable.NO_TEXT and reading.pages_not_read == (1,)


def test_footnotes_are_read_at_the_end():
    notes = part(
        "footnotes", f'<w:footnote w:type="separator"/><w:footnote w:id="2">{paragraph("Except flood.")}</w:footnote>'
    )
    assert body(paragraph("We pay."), word__footnotes_DOT_xml=notes) == ["We pay.", "Except flood."]


def test_the_same_bytes_are_read_the_same():
    data = (FIXTURES / "d25_tracked_changes.docx").read_bytes()
    assert read(data) == read(data)
