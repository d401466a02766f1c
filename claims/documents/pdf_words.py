"""The words of one PDF page with their boxes, from pdfium: a look at both ends of a word, not at each letter."""

import ctypes
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium

LINE_END_HYPHEN = "\ufffe"
"""pdfium gives this character for a hyphen with which a line ends, and no line end after it."""

TINY = 2.0
"""Points: nobody reads smaller letters."""

_LIGHT = 225
_WORD = re.compile(r"[^ \t\r\n\ufffe]+\ufffe?|\ufffe")
_BOLD_NAMES = ("bold", "black", "heavy", "demi")
_BOLD_WEIGHT = 600
_JOINED_BELOW = 0.12
_UNMAPPED = re.compile("[\x00-\x08\x0e-\x1f\ufffd\ue000-\uf8ff]")


def _plain(function: Any, *arguments: Any, result: Any = ctypes.c_int) -> Any:
    """The same function of pdfium with numbers for handles: it is asked twice for each word."""
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    return ctypes.CFUNCTYPE(result, ctypes.c_void_p, ctypes.c_int, *arguments)(address)


_run_at = _plain(pdfium.FPDFText_GetTextObject, result=ctypes.c_void_p)
_box_at = _plain(pdfium.FPDFText_GetLooseCharBox, ctypes.c_void_p)


@dataclass(frozen=True, slots=True)
class Style:
    """What a run of letters has in common. `turn` is the direction of reading in degrees, 0 to 359.

    `unseen`: drawn so that nobody sees it. `faint`: so light that only the picture of the page can tell. `order`: the
    place of the run in the order of drawing, None when it is not known.
    """

    size: float
    bold: bool
    turn: int
    unseen: bool
    faint: bool
    unmapped: bool
    order: int | None


@dataclass(slots=True)
class Word:
    """A box in the space of the page: points, y upwards, before any rotation."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    style: Style


def words_of(text_page: Any, orders: dict[int, int]) -> list[Word]:
    """The words in the order of drawing. `orders` maps the address of a page object to its place in that order."""
    source = _Source(text_page, orders)
    words: list[Word] = []
    for word, start in source.words():
        last = words[-1] if words else None
        if last is not None and source.is_torn(last, word, start):
            _join(last, word)
        else:
            words.append(word)
    return words


def _join(last: Word, word: Word) -> None:
    last.text += word.text
    last.left, last.right = min(last.left, word.left), max(last.right, word.right)
    last.bottom, last.top = min(last.bottom, word.bottom), max(last.top, word.top)


class _Source:
    """The characters of a page, and what was already asked about the runs that they belong to."""

    def __init__(self, text_page: Any, orders: dict[int, int]) -> None:
        self._page = text_page
        self._orders = orders
        self._styles: dict[int, Style] = {}
        self._bold: dict[int, bool] = {}
        self._handle = ctypes.cast(text_page, ctypes.c_void_p).value
        self._rect = pdfium.FS_RECTF()
        self._rect_address = ctypes.addressof(self._rect)
        self._matrix = pdfium.FS_MATRIX()
        self.text = self._characters()

    def _characters(self) -> str:
        count = pdfium.FPDFText_CountChars(self._page)
        if count <= 0:
            return ""
        buffer = (ctypes.c_ushort * (count * 2 + 2))()
        written = pdfium.FPDFText_GetText(self._page, 0, count, buffer)
        text = bytes(buffer)[: max(written - 1, 0) * 2].decode("utf-16-le", errors="replace")
        if len(text) == count:
            return text
        return "".join(self._character(index) for index in range(count))

    def _character(self, index: int) -> str:
        """One by one where the text as a whole does not count as the characters do."""
        if pdfium.FPDFText_IsHyphen(self._page, index) == 1:
            return LINE_END_HYPHEN
        code = pdfium.FPDFText_GetUnicode(self._page, index)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\N{REPLACEMENT CHARACTER}"

    def words(self) -> Iterator[tuple[Word, int]]:
        """Each word with its place. It is cut where one end can be seen and the other cannot."""
        spans = [match.span() for match in _WORD.finditer(self.text)]
        runs = [_run_at(self._handle, start) or 0 for start, _ in spans]
        for place, (start, end) in enumerate(spans):
            style = self._style_of(runs[place], start)
            following = runs[place + 1] if place + 1 < len(runs) else None
            if following == runs[place] or end - start == 1 or style.unseen == self.style(end - 1).unseen:
                yield self._word(start, end, style), start
            else:
                yield from self._cut(start, end)

    def _cut(self, start: int, end: int) -> Iterator[tuple[Word, int]]:
        cuts = [index for index in range(start + 1, end) if self.style(index).unseen != self.style(index - 1).unseen]
        for begin, stop in pairwise([start, *cuts, end]):
            yield self._word(begin, stop, self.style(begin)), begin

    def _word(self, start: int, end: int, style: Style) -> Word:
        rect, handle, place = self._rect, self._handle, self._rect_address
        _box_at(handle, start, place)
        left, bottom, right, top = rect.left, rect.bottom, rect.right, rect.top
        if end - start > 1:
            _box_at(handle, end - 1, place)
            left, bottom = min(left, rect.left), min(bottom, rect.bottom)
            right, top = max(right, rect.right), max(top, rect.top)
        return Word(self.text[start:end], left, bottom, right, top, style)

    def is_torn(self, last: Word, word: Word, start: int) -> bool:
        """A space that pdfium put between two halves of a word which stand closer than any space (`T ower`)."""
        if word.style.turn != 0 or start == 0 or self.text[start - 1] != " ":
            return False
        gap = word.left - last.right
        if not -0.5 * word.style.size < gap < _JOINED_BELOW * word.style.size or last.bottom > word.top:
            return False
        return pdfium.FPDFText_IsGenerated(self._page, start - 1) == 1 and last.style.unseen == word.style.unseen

    def style(self, index: int) -> Style:
        return self._style_of(_run_at(self._handle, index) or 0, index)

    def _style_of(self, address: int, index: int) -> Style:
        known = self._styles.get(address)
        if known is None:
            known = self._styles[address] = self._ask(address, index)
        return known

    def _ask(self, address: int, index: int) -> Style:
        matrix = self._matrix
        pdfium.FPDFText_GetMatrix(self._page, index, matrix)
        size = pdfium.FPDFText_GetFontSize(self._page, index) * math.hypot(matrix.c, matrix.d)
        turn = round(math.degrees(math.atan2(matrix.b, matrix.a))) % 360
        unmapped = pdfium.FPDFText_HasUnicodeMapError(self._page, index) == 1
        if not address:
            return Style(round(size, 2), False, turn, False, False, unmapped, None)
        run = pdfium.FPDFText_GetTextObject(self._page, index)
        mode = pdfium.FPDFTextObj_GetTextRenderMode(run)
        red, green, blue, alpha = (ctypes.c_uint(0) for _ in range(4))
        coloured = bool(pdfium.FPDFPageObj_GetFillColor(run, red, green, blue, alpha))
        stroked = mode in (pdfium.FPDF_TEXTRENDERMODE_STROKE, pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE)
        invisible = mode in (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)
        return Style(
            size=round(size, 2),
            bold=self._is_bold(run) or mode == pdfium.FPDF_TEXTRENDERMODE_FILL_STROKE,
            turn=turn,
            unseen=invisible or size < TINY or (coloured and alpha.value == 0 and not stroked),
            faint=coloured and min(red.value, green.value, blue.value) >= _LIGHT,
            unmapped=unmapped,
            order=self._orders.get(address),
        )

    def _is_bold(self, run: Any) -> bool:
        font = pdfium.FPDFTextObj_GetFont(run)
        address = ctypes.cast(font, ctypes.c_void_p).value or 0
        if address not in self._bold:
            self._bold[address] = bool(address) and self._asks_bold(font)
        return self._bold[address]

    @staticmethod
    def _asks_bold(font: Any) -> bool:
        length = pdfium.FPDFFont_GetBaseFontName(font, None, 0)
        name = ctypes.create_string_buffer(max(length, 1))
        pdfium.FPDFFont_GetBaseFontName(font, name, length)
        lowered = name.value.decode("utf-8", errors="replace").lower()
        return any(part in lowered for part in _BOLD_NAMES) or pdfium.FPDFFont_GetWeight(font) >= _BOLD_WEIGHT


def unmapped_share(words: list[Word]) -> float:
    """The share of letters for which the file does not say what they mean (the page looks perfect all the same)."""
    total = sum(len(word.text) for word in words)
    lost = sum(len(word.text) if word.style.unmapped else len(_UNMAPPED.findall(word.text)) for word in words)
    return lost / total if total else 0.0
