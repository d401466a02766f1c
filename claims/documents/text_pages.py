"""Plain text and Markdown: lines as they are, a form feed begins a page."""

import codecs
import re

from claims.documents.drafts import Draft, DraftLine, DraftPage
from claims.documents.pages import FileKind, Note, NoteKind

_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_HEADING_MARK = re.compile(r"^#{1,6} \S", re.MULTILINE)
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_SAMPLE = 65_536
_SHARE_OF_CONTROLS = 0.001

_BY_MARK = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(data: bytes) -> tuple[str, Note | None] | None:
    """The text and a note where its encoding was guessed; None when the bytes are no text.

    By byte order mark, then UTF-16 by its zero bytes, then UTF-8, last Windows-1252, which never says no.
    """
    for mark, encoding in _BY_MARK:
        if data.startswith(mark):
            return _checked(_strict(data[len(mark) :], encoding))
    zeros = _zero_encoding(data)
    if zeros:
        return _checked(_strict(data, zeros))
    text = _strict(data, "utf-8")
    if text is not None:
        return _checked(text)
    return _checked(data.decode("windows-1252", errors="replace"), guessed=True)


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _zero_encoding(data: bytes) -> str | None:
    """UTF-16 without a mark shows as zero bytes at every second place."""
    sample = data[:2000]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > len(sample) // 4 and not even:
        return "utf-16-le"
    if even > len(sample) // 4 and not odd:
        return "utf-16-be"
    return None


def _checked(text: str | None, *, guessed: bool = False) -> tuple[str, Note | None] | None:
    """Zero bytes and many control characters are no text, whatever the encoding."""
    if text is None or "\0" in text:
        return None
    sample = text[:_SAMPLE]
    if len(_CONTROLS.findall(sample)) > len(sample) * _SHARE_OF_CONTROLS:
        return None
    if not guessed:
        return text, None
    lost = text.count("\N{REPLACEMENT CHARACTER}")
    also = f" {lost} characters could not be made out." if lost else ""
    return text, Note(
        NoteKind.ENCODING,
        f"The file does not say how its letters are stored. It was read as Windows-1252: accented letters, "
        f"quotation marks and currency signs may be wrong.{also}",
    )


def read_text(text: str, note: Note | None, *, markdown_name: bool) -> Draft:
    """Empty lines are lines: numbers are those of the file in any editor.

    Markdown by its name or by two heading marks: no byte of it says so.
    """
    markdown = markdown_name or len(_HEADING_MARK.findall(text)) > 1
    pages = [DraftPage([DraftLine(line) for line in _lines(part)]) for part in text.split("\f")]
    return Draft(FileKind.MARKDOWN if markdown else FileKind.TEXT, pages, [note] if note else [])


def _lines(part: str) -> list[str]:
    lines = _LINE_ENDS.split(part)
    if lines and not lines[-1]:
        lines.pop()
    return lines
