"""From the words of a page to its lines, upright and in the order of reading."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from claims.documents.drafts import DraftLine
from claims.documents.page_columns import Piece, rows_of
from claims.documents.page_layout import GAP, reading_order
from claims.documents.pages import Box
from claims.documents.pdf_frame import Frame

if TYPE_CHECKING:
    from claims.documents.pdf_words import Word

_MAX_PIECES = 1000
"""A page with more is no page of prose: it is read from top to bottom without a search for columns."""

_SLANT = 3
_SPACED = 5
_WORD_GAP = 1.6
_SPACED_GAP = 1.8


def upright(frame: Frame, words: list[Word]) -> Frame:
    """The frame in which most of the text stands upright: a page may be drawn lying and shown standing, or neither."""
    letters: Counter[int] = Counter()
    for word in words:
        letters[word.style.turn] += len(word.text)
    if not letters:
        return frame
    turn, _ = min(letters.items(), key=lambda item: (-item[1], item[0]))
    return frame.turned(turn) if _is_square(turn) else frame


def _is_square(turn: int) -> bool:
    return min(turn % 90, 90 - turn % 90) <= _SLANT


def lines_of(words: list[Word], frame: Frame) -> list[DraftLine]:
    """Upright text first, then what runs in other directions (marks in the margin, slanting marks across the page)."""
    groups: dict[int, list[Word]] = {}
    for word in words:
        turn = word.style.turn
        groups.setdefault(round(turn / 90) * 90 % 360 if _is_square(turn) else turn + 1000, []).append(word)
    main = frame.turns * 90
    lines: list[DraftLine] = []
    for turn in sorted(groups, key=lambda each: (each != main, each)):
        if turn >= 1000:
            lines += _slanting(groups[turn], frame)
        else:
            lines += _straight(groups[turn], frame.turned(turn), frame)
    return lines


def _straight(words: list[Word], own: Frame, page: Frame) -> list[DraftLine]:
    pieces = _joined(_pieces(words, own))
    rows = reading_order(pieces) if len(pieces) <= _MAX_PIECES else rows_of(pieces)
    return [_line([word for piece in row for word in piece.parts], own, page) for row in rows]


def _slanting(words: list[Word], page: Frame) -> list[DraftLine]:
    """One line for all words of one slant, as they were drawn: their boxes say nothing about their order."""
    return [_made(words, " ".join(word.text for word in words), page)]


def _pieces(words: list[Word], frame: Frame) -> list[Piece]:
    """Words as they were drawn, as long as each stands next to the one before."""
    pieces: list[Piece] = []
    last: Piece | None = None
    for word in words:
        left, top, right, bottom = frame.edges(word.left, word.bottom, word.right, word.top)
        style = word.style
        if last is not None and _is_next(last, left, top, bottom, style.size, word.text):
            last.text = f"{last.text} {word.text}"
            last.parts.append(word)
            last.bold = last.bold and style.bold
            last.left, last.right = min(last.left, left), max(last.right, right)
            last.top, last.bottom = min(last.top, top), max(last.bottom, bottom)
            last.size = max(last.size, style.size)
        else:
            last = Piece(left, top, right, bottom, style.size, word.text, style.bold, [word])
            pieces.append(last)
    return pieces


def _is_next(last: Piece, left: float, top: float, bottom: float, size: float, text: str) -> bool:
    """Whether a word stands in the same row, without the gap that lies between columns."""
    em = max(last.size, size)
    gap = left - last.right
    if not -0.5 * em < gap < _SPACED_GAP * em:
        return False
    overlap = min(last.bottom, bottom) - max(last.top, top)
    if overlap <= 0.5 * min(last.bottom - last.top, bottom - top):
        return False
    return gap < GAP * em or _is_spaced(last.text, text)


def _is_spaced(before: str, text: str) -> bool:
    """Single letters with air between them are one heading, not columns."""
    return len(text) == 1 and text.isalpha() and before[-2:-1] in ("", " ") and before[-1].isalpha()


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Pieces that stand next to each other but were not drawn one after the other."""
    joined: list[Piece] = []
    for row in rows_of(pieces):
        last: Piece | None = None
        for piece in row:
            if last is not None and _is_next(last, piece.left, piece.top, piece.bottom, piece.size, piece.text):
                _append(last, piece)
            else:
                joined.append(piece)
                last = piece
    return joined


def _append(last: Piece, piece: Piece) -> None:
    last.top, last.bottom = min(last.top, piece.top), max(last.bottom, piece.bottom)
    last.left, last.right = min(last.left, piece.left), max(last.right, piece.right)
    last.size = max(last.size, piece.size)
    last.text = f"{last.text} {piece.text}"
    last.bold = last.bold and piece.bold
    last.parts += piece.parts


def _line(words: list[Word], own: Frame, page: Frame) -> DraftLine:
    return _made(words, _text(words, own), page)


def _made(words: list[Word], text: str, page: Frame) -> DraftLine:
    box = page.box(
        min(word.left for word in words),
        min(word.bottom for word in words),
        max(word.right for word in words),
        max(word.top for word in words),
    )
    letters: Counter[float] = Counter()
    bold = 0
    for word in words:
        letters[word.style.size] += len(word.text)
        bold += len(word.text) if word.style.bold else 0
    size, _ = max(letters.items(), key=lambda item: (item[1], item[0]))
    rounded = Box(round(box.left, 1), round(box.top, 1), round(box.right, 1), round(box.bottom, 1))
    return DraftLine(text, rounded, round(size, 1), bold >= 0.9 * sum(letters.values()))


def _text(words: list[Word], frame: Frame) -> str:
    """Words with one space between them; letters that were spaced out are put together again."""
    singles = sum(1 for word in words if len(word.text) == 1 and word.text.isalpha())
    if singles < _SPACED or singles < 0.7 * len(words):
        return " ".join(word.text for word in words)
    boxes = [frame.box(word.left, word.bottom, word.right, word.top) for word in words]
    gaps = [after.left - before.right for before, after in pairwise(boxes)]
    usual = median(gaps)
    text = words[0].text
    for gap, word in zip(gaps, words[1:], strict=True):
        text += f" {word.text}" if gap > _WORD_GAP * max(usual, 0.1) else word.text
    return text
