"""A PDF, page by page, by pdfium. Not for threads: pdfium is one per process (`sandbox.py` gives it one of its own)."""

from __future__ import annotations

from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from claims.documents.drafts import MAX_CHARACTERS, MAX_PAGES, Draft, DraftPage
from claims.documents.pages import FileKind, Note, NoteKind, NotRead, Unreadable
from claims.documents.pdf_fields import Fields
from claims.documents.pdf_frame import Frame
from claims.documents.pdf_lines import lines_of, upright
from claims.documents.pdf_objects import drawn_on, share_covered
from claims.documents.pdf_seen import hidden_note, is_recognised, split_seen, struck_note
from claims.documents.pdf_streams import content_is_sound, streams_are_sound
from claims.documents.pdf_words import unmapped_share, words_of

_UNMAPPED = 0.2
"""More letters than this without a meaning, and the text of a page is not what one sees on it."""

_NO_END = 2048


def read_pdf(data: bytes) -> Draft | NotRead:
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        return _not_opened(data, error)
    try:
        return _read(document, data)
    finally:
        document.close()


def _not_opened(data: bytes, error: pypdfium2.PdfiumError) -> NotRead:
    if _opens(data):  # then the error's code is that of an earlier file: this one only has no page
        return NotRead(
            Unreadable.DAMAGED,
            "The file is a PDF without pages, so nothing of it was read. Upload another copy. This is not silence.",
        )
    if error.err_code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
        return NotRead(
            Unreadable.LOCKED,
            "The file needs a password to be opened, so nothing of it was read. Save a copy without a password and "
            "upload that. This is not silence.",
        )
    return NotRead(
        Unreadable.DAMAGED,
        "The file is a damaged PDF and could not be opened, so nothing of it was read. Upload another copy. This is "
        "not silence.",
    )


def _opens(data: bytes) -> bool:
    handle = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    if handle:
        pdfium.FPDF_CloseDocument(handle)
    return bool(handle)


def _read(document: Any, data: bytes) -> Draft | NotRead:
    count = len(document)
    if count > MAX_PAGES:
        return _too_large(f"{count} pages; the limit is {MAX_PAGES}")
    draft = Draft(FileKind.PDF, [], _file_notes(document, data))
    form = _form_of(document)
    doubtful = not streams_are_sound(data)
    total = 0
    for index in range(count):
        page = _page(document, index, form, draft.notes)
        nothing = not (page.lines or page.pictures or page.marks)
        if (doubtful or nothing) and not content_is_sound(document, index, drew_nothing=nothing):
            page.damaged = True
        draft.pages.append(page)
        total += sum(len(line.text) for line in page.lines)
        if total > MAX_CHARACTERS:
            return _too_large(f"more than {MAX_CHARACTERS:,} characters of text")
    return draft


def _too_large(what: str) -> NotRead:
    return NotRead(Unreadable.TOO_LARGE, f"The file has {what}. Nothing of it was read. Upload it in parts.")


def _form_of(document: Any) -> Any:
    if document.get_formtype() == pdfium.FORMTYPE_NONE:
        return None
    document.init_forms()
    return document.formenv.raw


def _file_notes(document: Any, data: bytes) -> list[Note]:
    notes: list[Note] = []
    if document.get_formtype() in (pdfium.FORMTYPE_XFA_FULL, pdfium.FORMTYPE_XFA_FOREGROUND):
        detail = "The file holds a form of a kind (XFA) that is not read. Print it to PDF and upload that."
        notes.append(Note(NoteKind.NOT_READ, detail))
    attached = pdfium.FPDFDoc_GetAttachmentCount(document)
    if attached > 0:
        notes.append(Note(NoteKind.NOT_READ, f"The file carries attached files: {attached}. They were not read."))
    if pdfium.FPDFDoc_GetJavaScriptActionCount(document) > 0:
        notes.append(Note(NoteKind.NOT_READ, "The file carries scripts. They were not run and not read."))
    if b"%%EOF" not in data[-_NO_END:]:
        detail = "The file stops before its end: pages or parts of pages may be missing. Compare it with the original."
        notes.append(Note(NoteKind.NOT_READ, detail))
    return notes


def _page(document: Any, index: int, form: Any, notes: list[Note]) -> DraftPage:
    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        return DraftPage(damaged=True)
    try:
        return _read_page(page, form, index + 1, notes)
    except pypdfium2.PdfiumError:
        return DraftPage(damaged=True)
    finally:
        page.close()


def _read_page(page: Any, form: Any, number: int, notes: list[Note]) -> DraftPage:
    frame = _frame(page)
    drawn = drawn_on(page.raw)
    text_page = page.get_textpage()
    words = words_of(text_page.raw, drawn.orders)
    text_page.close()
    fields = Fields(page.raw, form, number)
    seen, unseen = split_seen(page, words, drawn, frame)
    recognised = bool(unseen) and is_recognised(unseen, drawn, frame)
    if unseen:
        notes.append(hidden_note(unseen, number, recognised=recognised))
    if recognised:
        seen = words
    struck = struck_note(seen, drawn.strokes + fields.strokes, number)
    notes.extend([struck] if struck else [])
    notes.extend(fields.notes())
    seen = seen + fields.values
    turned = upright(frame, seen)
    return DraftPage(
        lines=lines_of(seen, turned),
        pictures=0.0 if recognised else share_covered(drawn.pictures, frame.bounds),
        marks=drawn.marks,
        height=turned.height,
        hidden_text=bool(unseen),
        damaged=not drawn.whole or unmapped_share(seen) > _UNMAPPED,
    )


def frames_of(page: Any) -> tuple[Frame, Frame]:
    """How the page is shown, and how it is read: turned where most of its text would not stand upright."""
    frame = _frame(page)
    text_page = page.get_textpage()
    words = words_of(text_page.raw, drawn_on(page.raw).orders)
    text_page.close()
    return frame, upright(frame, words)


def _frame(page: Any) -> Frame:
    left, bottom, right, top = page.get_cropbox()
    media = page.get_mediabox()
    left, bottom = max(left, media[0]), max(bottom, media[1])
    right, top = min(right, media[2]), min(top, media[3])
    if right <= left or top <= bottom:
        left, bottom, right, top = media
    return Frame(left, bottom, right, top, page.get_rotation() // 90 % 4)
