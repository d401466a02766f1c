"""A DOCX file: paragraphs as lines, in the order of the page. One page unless hard page breaks stand in it."""

from __future__ import annotations

from typing import Any

from claims.documents.docx_notes import file_notes
from claims.documents.docx_numbers import Numbers
from claims.documents.docx_package import DOCUMENT, Package, Refused, open_package
from claims.documents.docx_styles import Styles, W, is_on, value
from claims.documents.docx_table import Cell, rows_or_columns
from claims.documents.docx_text import MC, PAGE, Found, Inline, Run
from claims.documents.drafts import MAX_CHARACTERS, MAX_PAGES, Draft, DraftLine, DraftPage
from claims.documents.pages import MIN_CHARACTERS, FileKind, NotRead, Unreadable

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_RELATIONS = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_NEXT_PAGE = (None, "nextPage", "oddPage", "evenPage")
_AROUND = ("headerReference", "footerReference")
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")


def read_docx(data: bytes) -> Draft | NotRead:
    try:
        package = open_package(data)
        return _Reader(package).read()
    except Refused as refused:
        return refused.answer


class _Reader:
    def __init__(self, package: Package) -> None:
        self._package = package
        self._found = Found()
        self._styles = Styles(package.xml("word/styles.xml"))
        self._numbers = Numbers(package.xml("word/numbering.xml"))
        self._inline = Inline(self._styles, self._found)
        self._pages = [DraftPage()]
        self._pictures = [0]
        self._held: list[Run] = []

    def read(self) -> Draft | NotRead:
        root = self._package.xml(DOCUMENT)
        body = None if root is None else root.find(f"{W}body")
        if body is None:
            return NotRead(Unreadable.DAMAGED, "The file holds no document. Nothing of it was read. Not silence.")
        sections = list(body.iter(f"{W}sectPr"))
        targets = self._targets()
        self._around(sections[:1], targets)
        self._blocks(body, shaded=False, sections=sections, targets=targets)
        for name in _NOTES:
            self._notes(self._package.xml(name))
        self._finish()
        if (
            len(self._pages) > MAX_PAGES
            or sum(len(line.text) for p in self._pages for line in p.lines) > MAX_CHARACTERS
        ):
            return NotRead(Unreadable.TOO_LARGE, "The file has too many pages or characters. Upload it in parts.")
        return Draft(FileKind.DOCX, self._pages, file_notes(self._found, self._numbers.unknown, self._package))

    def _targets(self) -> dict[str, str]:
        """Names of the parts that the document refers to inside the file. What lies outside is never followed."""
        relations = self._package.xml("word/_rels/document.xml.rels")
        if relations is None:
            return {}
        targets: dict[str, str] = {}
        for relation in relations.iter(_RELATIONS):
            if relation.get("TargetMode") == "External":
                self._found.others["references to other places (not followed)"] += "hyperlink" not in relation.get(
                    "Type", ""
                )
            else:
                target = relation.get("Target", "")
                targets[relation.get("Id", "")] = target.lstrip("/") if target.startswith("/") else f"word/{target}"
        return targets

    def _around(self, sections: list[Any], targets: dict[str, str]) -> None:
        """Headers and footers of a section, once, before its text: the form number and edition stand there."""
        for section in sections:
            for name in _AROUND:
                for reference in section.iterfind(f"{W}{name}"):
                    root = self._package.xml(targets.get(reference.get(f"{_R}id", ""), ""))
                    if root is not None:
                        self._blocks(root, shaded=False)

    def _notes(self, root: Any | None) -> None:
        for note in () if root is None else root.iterchildren(f"{W}footnote", f"{W}endnote"):
            if note.get(f"{W}type") in (None, "normal"):
                self._blocks(note, shaded=False)

    def _blocks(self, parent: Any, *, shaded: bool, sections: Any = (), targets: Any = None) -> None:
        for child in parent.iterchildren():
            if child.tag == f"{W}p":
                self._lines(self._paragraph(child, shaded=shaded))
                self._boxes(shaded=shaded)
                self._section_end(child, sections, targets or {})
            elif child.tag == f"{W}tbl":
                self._table(child)
            elif child.tag == f"{MC}AlternateContent":
                chosen = child.find(f"{MC}Choice")
                self._blocks(child if chosen is None else chosen, shaded=shaded)
            elif child.tag == f"{W}altChunk":
                self._found.others["documents that Word would insert"] += 1
            elif isinstance(child.tag, str) and child.tag not in (f"{W}sectPr", f"{W}sdtPr", f"{W}del", f"{W}moveFrom"):
                self._blocks(child, shaded=shaded, sections=sections, targets=targets)

    def _section_end(self, paragraph: Any, sections: list[Any], targets: dict[str, str]) -> None:
        section = paragraph.find(f"{W}pPr/{W}sectPr")
        if section is None or section not in sections:
            return
        following = sections[sections.index(section) + 1 :][:1]
        if following and value(following[0].find(f"{W}type")) in _NEXT_PAGE:
            self._new_page()
        self._around(following, targets)

    def _paragraph(self, paragraph: Any, *, shaded: bool) -> list[DraftLine | None]:
        """Its lines; None stands for a page break. A paragraph whose end was deleted goes on with the next one."""
        properties = paragraph.find(f"{W}pPr")
        style, numbering, own_shade = None, None, False
        if properties is not None:
            style = value(properties.find(f"{W}pStyle"))
            numbering = properties.find(f"{W}numPr")
            own_shade = properties.find(f"{W}shd") is not None
            if is_on(properties.find(f"{W}pageBreakBefore")):
                self._new_page()
        runs = self._held + self._inline.runs(paragraph, style, shaded=shaded or own_shade)
        if properties is not None and self._end_is_gone(properties):
            self._held = runs
            return []
        self._held = []
        label = self._numbers.label(self._styles.numbering(style) if numbering is None else numbering)
        return _lines_of(runs, label)

    def _end_is_gone(self, properties: Any) -> bool:
        marks = properties.find(f"{W}rPr")
        gone = None if marks is None else marks.find(f"{W}del")
        if gone is None and marks is not None:
            gone = marks.find(f"{W}moveFrom")
        if gone is None:
            return False
        self._found.change(gone, "deletion")
        return True

    def _boxes(self, *, shaded: bool) -> None:
        boxes, self._inline.boxes = self._inline.boxes, []
        for box in boxes:
            self._blocks(box, shaded=True)

    def _table(self, table: Any) -> None:
        widths = [_number(column.get(f"{W}w")) for column in table.iterfind(f"{W}tblGrid/{W}gridCol")]
        rows: list[list[Cell]] = []
        for row in table.iterchildren(f"{W}tr"):
            gone = row.find(f"{W}trPr/{W}del")
            if gone is not None:
                self._found.change(gone, "deletion")
                continue
            rows.append([self._cell(cell) for cell in row.iter(f"{W}tc") if _own_row(cell) is row])
        for lines in rows_or_columns(rows, widths):
            self._lines(lines)

    def _cell(self, cell: Any) -> Cell:
        """A cell is read like a page of its own; page breaks inside of it are none."""
        outer, outer_pictures = self._pages, self._pictures
        self._pages, self._pictures = [DraftPage()], [0]
        self._blocks(cell, shaded=True)
        lines = [line for page in self._pages for line in page.lines if line.text.strip()]
        inner = sum(self._pictures)
        self._pages, self._pictures = outer, outer_pictures
        self._pictures[-1] += inner
        span = _number(value(cell.find(f"{W}tcPr/{W}gridSpan"), "1"))
        return Cell(lines, max(int(span), 1))

    def _lines(self, lines: list[Any]) -> None:
        for line in lines:
            if line is None:
                self._new_page()
            else:
                self._pages[-1].lines.append(line)
        self._pictures[-1] += self._inline.pictures
        self._inline.pictures = 0

    def _new_page(self) -> None:
        self._pages.append(DraftPage())
        self._pictures.append(0)

    def _finish(self) -> None:
        """A page with little more than a picture is a picture: `page_states` judges by shares, so it covers all."""
        self._lines(_lines_of(self._held, "") if self._held else [])
        for page, pictures in zip(self._pages, self._pictures, strict=True):
            if pictures and sum(len(line.text) for line in page.lines) < MIN_CHARACTERS:
                page.pictures = 1.0
        if self._found.hidden:
            self._pages[0].hidden_text = True


def _lines_of(runs: list[Run], label: str) -> list[DraftLine | None]:
    lines: list[DraftLine | None] = []
    current: list[Run] = [Run(f"{label} ", runs[0].look)] if label and runs else []
    for run in runs:
        parts = run.text.replace(PAGE, f"\n{PAGE}\n").split("\n")
        for place, part in enumerate(parts):
            if place and not (part == PAGE and not _text(current)):
                lines.append(_line(current))
                current = []
            if part == PAGE:
                lines.append(None)
            elif part:
                current.append(Run(part, run.look))
    if current or not lines or lines[-1] is not None:
        lines.append(_line(current))
    return lines


def _text(runs: list[Run]) -> str:
    return "".join(run.text for run in runs).strip(" ")


def _line(runs: list[Run]) -> DraftLine:
    told = [run for run in runs if run.text.strip()]
    sizes = [run.look.size for run in told if run.look.size is not None]
    bold = bool(told) and all(run.look.bold for run in told)
    return DraftLine(_text(runs), None, max(sizes, default=None), bold)


def _own_row(cell: Any) -> Any:
    """The row that a cell belongs to, past content controls around it."""
    above = cell.getparent()
    while above is not None and above.tag != f"{W}tr":
        above = above.getparent()
    return above


def _number(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0
