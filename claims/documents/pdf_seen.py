"""Which words of a PDF page can be seen on it. Text that nobody sees is no wording: it is named, not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pypdfium2

from claims.documents.pages import Note, NoteKind
from claims.documents.pdf_objects import share_covered

if TYPE_CHECKING:
    from claims.documents.pdf_frame import Frame
    from claims.documents.pdf_objects import Bounds, Drawn
    from claims.documents.pdf_words import Word

_SCALE = 1.5
_MAX_PIXELS = 1600
_CONTRAST = 24
_RECOGNISED = 0.5
_QUOTED = 80
_STRUCK = (0.28, 0.6)
"""Where a stroke through letters lies, as a share of their height from below: under it is an underline."""


def split_seen(page: Any, words: list[Word], drawn: Drawn, frame: Frame) -> tuple[list[Word], list[Word]]:
    """Words that can be seen and words that cannot: drawn invisibly, too small, off the page, or not to be told apart.

    Light words and words under a later shape are looked up in the picture of the page.
    """
    covers = sorted(drawn.covers, key=lambda cover: -cover[0])
    picture: _Picture | None = None
    seen: list[Word] = []
    unseen: list[Word] = []
    for word in words:
        hidden = word.style.unseen or not frame.holds(word)
        if not hidden and (word.style.faint or _is_under(word, covers)):
            picture = picture or _Picture(page, frame)
            hidden = not picture.shows(word)
        (unseen if hidden else seen).append(word)
    return seen, unseen


def _is_under(word: Word, covers: list[tuple[int, Bounds]]) -> bool:
    if word.style.order is None:
        return False
    x, y = (word.left + word.right) / 2, (word.bottom + word.top) / 2
    for order, (left, bottom, right, top) in covers:
        if order < word.style.order:
            return False
        if left <= x <= right and bottom <= y <= top:
            return True
    return False


class _Picture:
    """The page as it is shown, in grey."""

    def __init__(self, page: Any, frame: Frame) -> None:
        self._frame = frame.turned(page.get_rotation())
        longest = max(frame.right - frame.left, frame.top - frame.bottom, 1.0)
        self._scale = min(_SCALE, _MAX_PIXELS / longest)
        try:
            bitmap = page.render(scale=self._scale, grayscale=True, may_draw_forms=False)
        except pypdfium2.PdfiumError:
            self._pixels = b""
            return
        self._pixels, self._stride = bytes(bitmap.buffer), bitmap.stride
        self._width, self._height = bitmap.width, bitmap.height
        bitmap.close()

    def shows(self, word: Word) -> bool:
        """Whether anything stands out where the word stands. What could not be drawn is not shown."""
        if not self._pixels:
            return False
        box = self._frame.box(word.left, word.bottom, word.right, word.top)
        left, right = (min(max(round(x * self._scale), 0), self._width) for x in (box.left, box.right))
        top, bottom = (min(max(round(y * self._scale), 0), self._height) for y in (box.top, box.bottom))
        rows = [self._pixels[y * self._stride + left : y * self._stride + right] for y in range(top, bottom)]
        rows = [row for row in rows if row]
        if not rows:
            return False
        return max(max(row) for row in rows) - min(min(row) for row in rows) >= _CONTRAST


def is_recognised(unseen: list[Word], drawn: Drawn, frame: Frame) -> bool:
    """Text recognition leaves its words invisibly over the picture of a scanned page: those are the page's words."""
    share = share_covered(drawn.pictures, frame.bounds)
    return share >= _RECOGNISED and any(word.style.unseen for word in unseen)


def hidden_note(unseen: list[Word], number: int, *, recognised: bool) -> Note:
    words = quoted(unseen)
    if recognised:
        detail = (
            f"The words of page {number} lie invisibly over a picture, as text recognition leaves them. They may "
            f"differ from the picture: compare before you quote."
        )
    else:
        detail = f"Page {number} holds text that cannot be seen on it. It was not read as wording. It begins: {words}"
    return Note(NoteKind.HIDDEN_TEXT, detail, number)


def quoted(words: list[Word]) -> str:
    text = " ".join(word.text for word in words[:_QUOTED])
    return f'"{text[:_QUOTED]}"'


def struck_note(words: list[Word], strokes: list[Bounds], number: int) -> Note | None:
    """Words with a line drawn through them."""
    struck = [word for word in words if any(_goes_through(stroke, word) for stroke in strokes)] if strokes else []
    if not struck:
        return None
    detail = f"Words on page {number} are struck out. They were read with the rest. They begin: {quoted(struck)}"
    return Note(NoteKind.STRUCK_TEXT, detail, number)


def _goes_through(stroke: Bounds, word: Word) -> bool:
    left, bottom, right, top = stroke
    middle = (bottom + top) / 2
    low, high = (word.bottom + share * (word.top - word.bottom) for share in _STRUCK)
    inside = min(right, word.right) - max(left, word.left)
    return word.style.turn == 0 and low <= middle <= high and inside > 0.6 * (word.right - word.left)
