"""What the readers of the file types hand on: pages as they came, before they are numbered and judged."""

from dataclasses import dataclass, field

from claims.documents.pages import Box, FileKind, Note

MAX_PAGES = 2000
MAX_CHARACTERS = 5_000_000


@dataclass(frozen=True, slots=True)
class DraftLine:
    """As `pages.Line`, without its number and page."""

    text: str
    box: Box | None = None
    size: float | None = None
    bold: bool | None = None


@dataclass
class DraftPage:
    """`pictures` is the share of the page under pictures, 0 to 1; `marks` counts the strokes of lines and shapes.

    `height` is in points, None where pages have no size. `damaged`: part of what stands on it could not be made out.
    """

    lines: list[DraftLine] = field(default_factory=list)
    pictures: float = 0.0
    marks: int = 0
    height: float | None = None
    hidden_text: bool = False
    damaged: bool = False


@dataclass
class Draft:
    kind: FileKind
    pages: list[DraftPage]
    notes: list[Note] = field(default_factory=list)
