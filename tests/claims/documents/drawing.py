"""Test PDFs, drawn with what stands where: each function draws and says what it drew.

    sheet = Sheet()
    sheet.heading("Exclusions")
    sheet.paragraph("We do not pay for frost.")
    data = sheet.data()                # the PDF's bytes
    sheet.drawn                        # every Drawn in the order in which a person reads the pages

Points, y downwards from the top of an A4 page. Everything flows downwards; `new_page` begins another.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO

from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

PLAIN, BOLD, ITALIC = "Helvetica", "Helvetica-Bold", "Helvetica-Oblique"
WIDTH, HEIGHT = A4
MARGIN = 60.0


@dataclass(frozen=True)
class Drawn:
    """`text` as it was given, drawn as `lines`; `kind` is whatever label the test gave it ("exclusions", "left")."""

    text: str
    lines: tuple[str, ...]
    page: int
    left: float
    top: float
    right: float
    bottom: float
    kind: str = ""


class Sheet:
    """A PDF that is drawn from top to bottom. `running` is called on every page, for headers and footers."""

    def __init__(
        self, *, size: float = 10, margin: float = MARGIN, pagesize: tuple[float, float] = A4, **options: object
    ) -> None:
        self._buffer = BytesIO()
        self.canvas = Canvas(self._buffer, pagesize=pagesize, invariant=1, **options)
        self.width, self.height = pagesize
        self.size, self.margin = size, margin
        self.page, self.y = 1, margin
        self.drawn: list[Drawn] = []
        self._running: Callable[[Sheet], None] | None = None

    def data(self) -> bytes:
        if self._running:
            self._running(self)
        self.canvas.showPage()
        self.canvas.save()
        return self._buffer.getvalue()

    def new_page(self) -> None:
        if self._running:
            self._running(self)
        self.canvas.showPage()
        self.page, self.y = self.page + 1, self.margin

    def running(self, header: str = "", footer: str = "", *, size: float = 8) -> None:
        """On every page: `{page}` in a text is the number of the page. `header | right` is set at both sides."""

        def draw(sheet: Sheet) -> None:
            for text, top in ((header, 30.0), (footer, sheet.height - 40)):
                left, _, right = (part.strip() for part in text.format(page=sheet.page).partition("|"))
                sheet.text_at(sheet.margin, top, left, size=size)
                if right:
                    wide = sheet.canvas.stringWidth(right, PLAIN, size)
                    sheet.text_at(sheet.width - sheet.margin - wide, top, right, size=size)

        self._running = draw

    def text_at(self, left: float, top: float, text: str, *, font: str = PLAIN, size: float | None = None) -> Drawn:
        """One line wherever it is wanted; it is not part of the flow."""
        size = size or self.size
        self.canvas.setFont(font, size)
        self.canvas.drawString(left, self.height - top - size, text)
        right = left + self.canvas.stringWidth(text, font, size)
        return Drawn(text, (text,), self.page, left, top, right, top + size)

    def heading(self, text: str, *, kind: str = "", size: float | None = None, bold: bool = True) -> Drawn:
        return self.block(text, kind=kind, font=BOLD if bold else PLAIN, size=size or self.size * 1.2, after=4)

    def paragraph(self, text: str, *, kind: str = "", indent: float = 0, after: float = 6, font: str = PLAIN) -> Drawn:
        return self.block(text, kind=kind, indent=indent, after=after, font=font)

    def items(self, texts: Sequence[str], *, kind: str = "", indent: float = 15, after: float = 2) -> list[Drawn]:
        """List items with their marks as part of the text ("a. rust;")."""
        return [self.paragraph(text, kind=kind, indent=indent, after=after) for text in texts]

    def block(
        self,
        text: str,
        *,
        kind: str = "",
        font: str = PLAIN,
        size: float | None = None,
        indent: float = 0,
        after: float = 6,
        left: float | None = None,
        width: float | None = None,
    ) -> Drawn:
        """A text broken into lines within `width`, with `indent`, from the present height downwards."""
        size = size or self.size
        left = (self.margin if left is None else left) + indent
        width = (self.width - 2 * self.margin if width is None else width) - indent
        lines = simpleSplit(text, font, size, width)
        top, wide = self.y, 0.0
        for line in lines:
            wide = max(wide, self.text_at(left, self.y, line, font=font, size=size).right - left)
            self.y += size * 1.25
        drawn = Drawn(text, tuple(lines), self.page, left, top, left + wide, self.y, kind)
        self.y += after
        self.drawn.append(drawn)
        return drawn

    def columns(
        self, *columns: Sequence[tuple[str, str]], gutter: float = 20, kinds: Sequence[str] = (), by_row: bool = False
    ) -> list[list[Drawn]]:
        """Columns of (style, text), style "heading", "paragraph" or "item", each read from top to bottom.

        Every column starts at the present height; the flow goes on under the longest. `by_row` writes the file's
        content across the columns, first blocks first, as some programs do: a reader must not see the difference.
        """
        width = (self.width - 2 * self.margin - gutter * (len(columns) - 1)) / len(columns)
        top, bottom = self.y, self.y
        heights = [top] * len(columns)
        made: list[list[Drawn]] = [[] for _ in columns]
        order = [(place, entry) for place, column in enumerate(columns) for entry in range(len(column))]
        if by_row:
            order.sort(key=lambda each: (each[1], each[0]))
        before = len(self.drawn)
        for place, entry in order:
            style, text = columns[place][entry]
            self.y = heights[place]
            drawn = self.block(
                text,
                kind=kinds[place] if kinds else "",
                font=BOLD if style == "heading" else PLAIN,
                indent=12 if style == "item" else 0,
                after=4,
                left=self.margin + place * (width + gutter),
                width=width,
            )
            made[place].append(drawn)
            heights[place] = self.y
            bottom = max(bottom, self.y)
        self.y = bottom + 6
        self.drawn[before:] = [drawn for column in made for drawn in column]
        return made

    def side_by_side(
        self,
        left: Sequence[str],
        right: Sequence[str],
        *,
        titles: tuple[str, str] = ("What is covered", "What is not covered"),
        kinds: tuple[str, str] = ("insuring_agreement", "exclusions"),
        frames: bool = True,
    ) -> tuple[list[Drawn], list[Drawn]]:
        """Two boxes next to each other, each with its title in bold and its items below."""
        top = self.y
        first = [("heading", titles[0]), *(("item", text) for text in left)]
        second = [("heading", titles[1]), *(("item", text) for text in right)]
        one, other = self.columns(first, second, kinds=kinds, by_row=True)
        if frames:
            half = (self.width - 2 * self.margin - 20) / 2
            for place in (0, 1):
                x = self.margin + place * (half + 20) - 5
                self.canvas.rect(x, self.height - self.y, half + 10, self.y - top)
        return one, other

    def table(self, rows: Sequence[Sequence[str]], *, widths: Sequence[float], kind: str = "") -> list[Drawn]:
        """Short cells, a row on one line: read row by row. Each row is one Drawn, its cells joined with spaces."""
        made = []
        for row in rows:
            left = self.margin
            for cell, width in zip(row, widths, strict=True):
                self.text_at(left, self.y, cell)
                left += width
            text = " ".join(row)
            made.append(Drawn(text, (text,), self.page, self.margin, self.y, left, self.y + self.size, kind))
            self.y += self.size * 1.4
        self.drawn += made
        return made

    def picture(self, left: float, top: float, width: float, height: float) -> None:
        """A grey picture, such as a scan leaves; it holds no text."""
        from PIL import Image
        from reportlab.lib.utils import ImageReader

        image = ImageReader(Image.new("L", (8, 8), 200))
        self.canvas.drawImage(image, left, self.height - top - height, width, height)

    def spaced(self, text: str, *, space: float, kind: str = "", font: str = BOLD) -> Drawn:
        """A line with its letters spaced out."""
        words = self.canvas.beginText(self.margin, self.height - self.y - self.size)
        words.setFont(font, self.size)
        words.setCharSpace(space)
        words.textOut(text)
        words.setCharSpace(0)
        self.canvas.drawText(words)
        right = self.margin + self.canvas.stringWidth(text, font, self.size) + space * len(text)
        drawn = Drawn(text, (text,), self.page, self.margin, self.y, right, self.y + self.size, kind)
        self.y += self.size * 1.6
        self.drawn.append(drawn)
        return drawn

    def hidden(self, text: str, *, how: str) -> None:
        """Text that nobody sees: how = "invisible", "white", "tiny", "off_page" or "covered"."""
        top = self.y
        words = self.canvas.beginText(self.margin, self.height - top - self.size)
        words.setFont(PLAIN, 1 if how == "tiny" else self.size)
        if how == "invisible":
            words.setTextRenderMode(3)
        if how == "white":
            words.setFillColorRGB(1, 1, 1)
        if how == "off_page":
            words.setTextOrigin(self.margin, -40)
        words.textOut(text)
        words.setTextRenderMode(0)
        words.setFillColorRGB(0, 0, 0)
        self.canvas.drawText(words)
        if how == "covered":
            wide = self.canvas.stringWidth(text, PLAIN, self.size)
            self.canvas.rect(self.margin - 2, self.height - top - self.size - 4, wide + 4, self.size + 8, fill=1)
        self.y += self.size * 1.6


def policy_of(*parts: tuple[str, str], size: float = 10) -> bytes:
    """A PDF from (style, text) parts: "heading", "paragraph", "item", "page" (a new one)."""
    sheet = Sheet(size=size)
    for style, text in parts:
        if style == "page":
            sheet.new_page()
        elif style == "heading":
            sheet.heading(text)
        else:
            sheet.paragraph(text, indent=12 if style == "item" else 0)
    return sheet.data()
