"""What lies on a PDF page and is no part of it: form fields, typed notes, stamps, strokes through words."""

from __future__ import annotations

import ctypes
from collections import Counter
from typing import TYPE_CHECKING, Any

import pypdfium2.raw as pdfium

from claims.documents.pages import Note, NoteKind
from claims.documents.pdf_words import Style, Word

if TYPE_CHECKING:
    from claims.documents.pdf_objects import Bounds

_MAX_ANNOTATIONS = 5000
_MAX_VALUE = 20_000
_WITH_TEXT = (pdfium.FPDF_FORMFIELD_TEXTFIELD, pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX)
_TICKED = (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON)
_REMARKS = (pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP, pdfium.FPDF_ANNOT_TEXT, pdfium.FPDF_ANNOT_REDACT)
_SIZE = 10.0


class Fields:
    """The fields and remarks of one page. `values` are the filled-in texts, where they stand."""

    def __init__(self, page: Any, form: Any, number: int) -> None:
        self.values: list[Word] = []
        self.strokes: list[Bounds] = []
        self._form = form
        self._number = number
        self._seen: Counter[str] = Counter()
        for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)):
            annotation = pdfium.FPDFPage_GetAnnot(page, index)
            if annotation:
                self._take(annotation)
                pdfium.FPDFPage_CloseAnnot(annotation)

    def _take(self, annotation: Any) -> None:
        if pdfium.FPDFAnnot_GetFlags(annotation) & (pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW):
            return
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        if kind == pdfium.FPDF_ANNOT_STRIKEOUT:
            left, bottom, right, top = _rect(annotation)
            middle = (bottom + top) / 2
            self.strokes.append((left, middle, right, middle))
        elif kind in _REMARKS:
            self._seen["remark"] += 1
        elif kind == pdfium.FPDF_ANNOT_WIDGET and self._form:
            self._take_field(annotation)

    def _take_field(self, annotation: Any) -> None:
        kind = pdfium.FPDFAnnot_GetFormFieldType(self._form, annotation)
        if kind in _WITH_TEXT:
            value = _value(self._form, annotation)
            if value.strip():
                self._seen["filled"] += 1
                self.values += _words(value, _rect(annotation))
        elif kind in _TICKED:
            self._seen["box"] += 1
            self._seen["ticked"] += bool(pdfium.FPDFAnnot_IsChecked(self._form, annotation))

    def notes(self) -> list[Note]:
        found: list[Note] = []
        if self._seen["filled"]:
            found.append(
                self._note(NoteKind.FORM_FIELDS, f"{self._seen['filled']} filled-in form fields, read as text")
            )
        if self._seen["box"]:
            boxes, ticked = self._seen["box"], self._seen["ticked"]
            detail = f"{boxes} tick boxes or buttons, {ticked} of them ticked: which ones was not read"
            found.append(self._note(NoteKind.FORM_FIELDS, detail))
        if self._seen["remark"]:
            detail = f"{self._seen['remark']} typed notes, stamps or comments that were not read"
            found.append(self._note(NoteKind.NOT_READ, detail))
        return found

    def _note(self, kind: NoteKind, what: str) -> Note:
        return Note(kind, f"Page {self._number} holds {what}.", self._number)


def _rect(annotation: Any) -> Bounds:
    rect = pdfium.FS_RECTF()
    pdfium.FPDFAnnot_GetRect(annotation, rect)
    return rect.left, min(rect.bottom, rect.top), rect.right, max(rect.bottom, rect.top)


def _value(form: Any, annotation: Any) -> str:
    length = pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, None, 0)
    if length <= 2:
        return ""
    buffer = (ctypes.c_ushort * (length // 2 + 1))()
    pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, length)
    return bytes(buffer)[: length - 2].decode("utf-16-le", errors="replace")[:_MAX_VALUE]


def _words(value: str, rect: Bounds) -> list[Word]:
    """One word for each line of the value: it has no geometry but its field's."""
    left, bottom, right, top = rect
    lines = [line.strip() for line in value.splitlines() if line.strip()]
    step = (top - bottom) / max(len(lines), 1)
    size = round(min(_SIZE, max(step, 1.0)), 1)
    style = Style(size, bold=False, turn=0, unseen=False, faint=False, unmapped=False, order=None)
    wide = [min(right, left + len(line) * size * 0.5) for line in lines]
    return [
        Word(line, left, top - (place + 1) * step, wide[place], top - place * step, style)
        for place, line in enumerate(lines)
    ]
