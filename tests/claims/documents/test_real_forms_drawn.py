"""The two real forms, drawn as insurers print them: every word is read, in order."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from reportlab.lib.enums import TA_JUSTIFY, TA_LEFT
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

from claims.documents.reading import read_file

POLICIES = Path(__file__).parent / "policies"
HEADER, FOOTER = "STANDARD FLOOD INSURANCE POLICY", "FEMA Form F-122 (10/2021)"
FURNITURE = re.compile(rf"{HEADER}|{re.escape(FOOTER)}|Page \d+ of 30")


def drawn(text, *, columns, align, size, font, page):
    """A paragraph of the source is one of the PDF; headings run in the flow. Header and footer stand on every page."""
    out = BytesIO()
    wide, high = page
    gutter = 18
    column = (wide - 100 - gutter * (columns - 1)) / columns
    frames = [Frame(50 + n * (column + gutter), 60, column, high - 120, 0, 0, 0, 0) for n in range(columns)]

    def around(canvas, document):
        canvas.setFont("Helvetica", 8)
        canvas.drawCentredString(wide / 2, high - 40, HEADER)
        canvas.drawString(50, 36, FOOTER)
        canvas.drawRightString(wide - 50, 36, f"Page {document.page} of 30")

    template = BaseDocTemplate(out, pagesize=page, invariant=1)
    template.addPageTemplates([PageTemplate(frames=frames, onPage=around)])
    look = ParagraphStyle(
        "text", fontName=font, fontSize=size, leading=size * 1.2, alignment=align, spaceAfter=size / 2
    )
    paragraphs = [part.strip() for part in text.split("\n\n") if part.strip()]
    template.build([Paragraph(part.replace("&", "&amp;").replace("<", "&lt;"), look) for part in paragraphs])
    return out.getvalue()


@pytest.mark.parametrize("path", sorted(POLICIES.glob("*.txt")), ids=lambda path: path.stem)
@pytest.mark.parametrize(
    ("columns", "align", "size", "font", "page"),
    [
        (1, TA_LEFT, 10, "Times-Roman", A4),
        (2, TA_JUSTIFY, 9, "Times-Roman", LETTER),
        (3, TA_LEFT, 7, "Helvetica", A4),
    ],
)
def test_T01_every_word_of_a_form_is_read_in_its_order(path, columns, align, size, font, page):
    text = path.read_text().replace("#", "")
    reading = read_file(drawn(text, columns=columns, align=align, size=size, font=font, page=page), "form.pdf")
    lines = " ".join(FURNITURE.sub("", line.text) for line in reading.lines)
    words = lines.replace("\ufffe ", "-").split()
    assert words == text.split()
    assert [page.printed for page in reading.pages] == [str(n + 1) for n in range(len(reading.pages))]
    assert reading.pages_not_read == () and reading.notes == ()
