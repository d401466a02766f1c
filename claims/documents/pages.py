"""What was read of an uploaded file: pages and lines as they stand in it, and every page that was not read."""

from dataclasses import dataclass
from enum import StrEnum

MIN_CHARACTERS = 200
"""Below this a document counts as unread, whatever its words are (M88)."""


class FileKind(StrEnum):
    PDF = "pdf"
    DOCX = "docx"
    TEXT = "text"
    MARKDOWN = "markdown"


class PageState(StrEnum):
    """`api.md`, Adjuster. READ and BLANK are known whole; of the others something is not known."""

    READ = "read"
    BLANK = "blank"
    PICTURE = "picture"
    REPEATED_ONLY = "repeated_only"
    DAMAGED = "damaged"
    LOCKED = "locked"


KNOWN_WHOLE = frozenset({PageState.READ, PageState.BLANK})


class Unreadable(StrEnum):
    """Why nothing of a file counts as read. Never the same as a policy that says nothing (M87, M91)."""

    NO_TEXT = "no_text"
    TOO_LITTLE_TEXT = "too_little_text"
    LOCKED = "needs_password"
    DAMAGED = "damaged"
    WRONG_TYPE = "wrong_type"
    TOO_LARGE = "too_large"
    TOO_SLOW = "too_slow"
    NO_SECTIONS = "no_sections"


class NoteKind(StrEnum):
    """What the reader of a file must know beside its words."""

    TRACKED_CHANGES = "tracked_changes"
    HIDDEN_TEXT = "hidden_text"
    STRUCK_TEXT = "struck_text"
    NOT_READ = "not_read"
    FORM_FIELDS = "form_fields"
    ENCODING = "encoding"


@dataclass(frozen=True)
class Note:
    """`detail` is one plain sentence for the adjuster; `page` is None for the whole file."""

    kind: NoteKind
    detail: str
    page: int | None = None


@dataclass(frozen=True)
class Box:
    """Points from the page's top left corner, as the page is read (rotation undone)."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Line:
    """One line as extracted: `text` keeps every character of the source, `number` counts from 1 over the document.

    `box`, `size` (points) and `bold` are None where the file has no geometry or styles (plain text).
    """

    number: int
    text: str
    page: int
    box: Box | None = None
    size: float | None = None
    bold: bool | None = None


@dataclass(frozen=True)
class Page:
    """`number` counts from 1; `printed` is the page number printed on it, None when none was found.

    `characters` counts those that are no white space. Files without pages are one page.
    """

    number: int
    state: PageState
    lines: tuple[Line, ...] = ()
    printed: str | None = None
    characters: int = 0
    hidden_text: bool = False


@dataclass(frozen=True)
class Reading:
    """A file as it was read. `unreadable` is None when it may be searched; its pages may still be missing in part."""

    kind: FileKind
    pages: tuple[Page, ...]
    notes: tuple[Note, ...] = ()
    unreadable: Unreadable | None = None

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(line for page in self.pages for line in page.lines)

    @property
    def pages_not_read(self) -> tuple[int, ...]:
        """Numbers of the pages of which something is not known, to be named in every answer (R3)."""
        return tuple(page.number for page in self.pages if page.state not in KNOWN_WHOLE)


@dataclass(frozen=True)
class NotRead:
    """A file of which no page is known: refused, locked, damaged, of a type that is not read."""

    reason: Unreadable
    detail: str
