"""A file is read: by what it is and not by what it is called, page by page, with every page that was not read."""

import re

from claims.documents.docx_pages import read_docx
from claims.documents.drafts import Draft, DraftPage
from claims.documents.page_states import characters_in, page_states
from claims.documents.pages import (
    MIN_CHARACTERS,
    Line,
    Note,
    NoteKind,
    NotRead,
    Page,
    PageState,
    Reading,
    Unreadable,
)
from claims.documents.pdf_pages import read_pdf
from claims.documents.printed_numbers import printed_numbers
from claims.documents.text_pages import decode, read_text

_SCAN = (
    "That is typical of a scanned or image-only file. Run text recognition (OCR) on it or upload another "
    "version. This "
    "is not silence: nothing was searched."
)

WORDS = {
    Unreadable.NO_TEXT: f"No text could be read from this file. {_SCAN}",
    Unreadable.TOO_LITTLE_TEXT: f"Fewer than {MIN_CHARACTERS} characters could be read from this file. {_SCAN}",
    Unreadable.DAMAGED: "No page of this file could be made out: it is damaged, or its letters have no meaning stored "
    "with them. Print it to PDF again or upload another version. This is not silence: nothing was searched.",
}
"""Why a file with pages counts as unread, as the adjuster reads it (M87, M88)."""

_PDF = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,64}%PDF-")
_OTHERS = (
    (b"GIF8", "a picture (GIF)"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"II*\0", "a picture (TIFF)"),
    (b"MM\0*", "a picture (TIFF)"),
    (b"BM", "a picture (BMP)"),
    (b"RIFF", "a picture, sound or film"),
    (b"MZ", "a program"),
    (b"\x7fELF", "a program"),
    (b"{\\rtf", "a rich text file (RTF)"),
    (b"\x1f\x8b", "a packed file (gzip)"),
    (b"Rar!", "a packed file (RAR)"),
    (b"7z\xbc\xaf", "a packed file (7z)"),
)
_BINARY_MARKS = frozenset({b"BM", b"MZ", b"RIFF"})
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MARKUP = re.compile(
    r"\s*(?:<!--.*?-->\s*)*<(?:!doctype|html|head|body|script|svg|math|\?xml|\?php|iframe|img|meta)\b",
    re.IGNORECASE | re.DOTALL,
)
_MARKDOWN_NAME = re.compile(r"\.(?:md|markdown)$", re.IGNORECASE)


def read_file(data: bytes, name: str) -> Reading | NotRead:
    """The file's pages and lines, or why none of it was read. The same bytes give the same answer.

    In the process of the caller: an upload goes through `sandbox.read_upload`. `name` tells Markdown from plain text
    and nothing else.
    """
    draft = _draft(data, name)
    return draft if isinstance(draft, NotRead) else finished(draft)


def _draft(data: bytes, name: str) -> Draft | NotRead:
    if not data:
        return NotRead(Unreadable.NO_TEXT, f"The file is empty. {WORDS[Unreadable.NO_TEXT]}")
    if _PDF.match(data):
        return read_pdf(data)
    if data.startswith(_ZIP):
        return read_docx(data)
    known = _known_type(data)
    if known is not None:
        return known
    decoded = decode(data)
    if decoded is None:
        return _wrong_type("a kind of file that is not known here")
    text, note = decoded
    if _MARKUP.match(text):
        return _wrong_type("a web page, drawing or other markup (HTML, SVG, XML)")
    return read_text(text, note, markdown_name=_MARKDOWN_NAME.search(name) is not None)


def _known_type(data: bytes) -> NotRead | None:
    """Why bytes that begin so are not read; None for what may be text."""
    if data.startswith(_OLD_OFFICE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            return NotRead(
                Unreadable.LOCKED,
                "The file needs a password to be opened, so nothing of it was read. Save a copy without a "
                "password and "
                "upload that. This is not silence.",
            )
        return _wrong_type("an older Office file (.doc, .xls); save it as .docx or PDF")
    for mark, what in _OTHERS:
        if data.startswith(mark) and (mark not in _BINARY_MARKS or b"\0" in data[:512]):
            return _wrong_type(what)
    if b"%PDF-" in data[:1024]:
        return _wrong_type("a file that begins as something else and holds a PDF")
    return None


def _wrong_type(what: str) -> NotRead:
    return NotRead(
        Unreadable.WRONG_TYPE,
        f"The file is {what}. PDF, DOCX, plain text and Markdown are read, whatever a file is called. Nothing of it "
        "was read: this is not silence.",
    )


def finished(draft: Draft) -> Reading:
    """Pages and lines numbered, every page with its state, and the gates for the whole file (M87, M88)."""
    states = page_states(draft.pages)
    printed = printed_numbers(draft.pages)
    pages: list[Page] = []
    lines = 0
    for index, page in enumerate(draft.pages):
        pages.append(_page(page, index + 1, states[index], printed[index], lines))
        lines += len(page.lines)
    notes = [*draft.notes, *_picture_notes(draft.pages, states)]
    notes.sort(key=lambda note: note.page or 0)
    return Reading(draft.kind, tuple(pages), tuple(notes), _gate(pages))


def _page(draft: DraftPage, number: int, state: PageState, printed: str | None, lines_before: int) -> Page:
    lines = tuple(
        Line(lines_before + place, line.text, number, line.box, line.size, line.bold)
        for place, line in enumerate(draft.lines, start=1)
    )
    return Page(number, state, lines, printed, characters_in(draft), draft.hidden_text)


def _gate(pages: list[Page]) -> Unreadable | None:
    """Only pages that were read count: a mark on every page of a scan is no text of the policy.

    A run of white space, line ends included, counts as one character and none at either end.
    """
    read = (word for page in pages if page.state is PageState.READ for line in page.lines for word in line.text.split())
    characters = max(sum(len(word) + 1 for word in read) - 1, 0)
    if characters >= MIN_CHARACTERS:
        return None
    if pages and all(page.state is PageState.DAMAGED for page in pages):
        return Unreadable.DAMAGED
    return Unreadable.TOO_LITTLE_TEXT if characters else Unreadable.NO_TEXT


_PICTURE = 0.1


def _picture_notes(pages: list[DraftPage], states: list[PageState]) -> list[Note]:
    """Pictures on pages that were read: words in them were not. The same background on most pages is left out."""
    shares = [round(page.pictures, 2) for page in pages]
    return [
        Note(
            NoteKind.NOT_READ,
            f"Page {index + 1} holds pictures ({shares[index]:.0%} of the page). Words in them were not read.",
            index + 1,
        )
        for index, state in enumerate(states)
        if state is PageState.READ
        and shares[index] >= _PICTURE
        and not (len(pages) > 2 and shares.count(shares[index]) > len(pages) / 2)
    ]
