"""One page of a PDF as a picture (PNG), upright as it was read, with the quoted lines marked in it.

Drawn by pdfium like the page in any viewer; scripts are not part of it. For the process of `picture_child.py` only.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from claims.documents.pages import Box
from claims.documents.pdf_pages import frames_of

MOST_WIDE, MOST_HIGH = 1200, 1800
"""Pixels: what it takes is bounded, whatever size a page claims to have."""

_SHARPEST = 3.0
_MARGIN = 1.0
# What the marker's yellow leaves of red, green and blue: black stays black, white turns yellow.
_LEFT_OF_GREEN = bytes(value * 226 // 255 for value in range(256))
_LEFT_OF_BLUE = bytes(value * 138 // 255 for value in range(256))
_CHANNELS = 3


def draw_page(data: bytes, number: int, marks: Sequence[Box]) -> bytes:
    """The PNG of page `number`, from 1. `marks` are boxes of lines as they were read (`pages.Line`).

    Raises ValueError where there is no such page or it has no size, pypdfium2.PdfiumError where it cannot be drawn.
    """
    document = pypdfium2.PdfDocument(data)
    if document.get_formtype() != pdfium.FORMTYPE_NONE:
        document.init_forms()
    if not 1 <= number <= len(document):
        raise ValueError(f"no page {number}")
    page = document[number - 1]
    shown, upright = frames_of(page)
    high = upright.height
    wide = shown.right - shown.left + shown.top - shown.bottom - high
    if not (math.isfinite(wide + high) and wide > 0 and high > 0):
        raise ValueError("the page has no size")
    bitmap = page.render(
        scale=min(MOST_WIDE / wide, MOST_HIGH / high, _SHARPEST),
        rotation=(upright.turns - shown.turns) % 4 * 90,
        rev_byteorder=True,
    )
    rows = _rows(bitmap)
    for box in marks:
        _mark(rows, box, bitmap.width / wide, bitmap.height / high)
    return _png(rows, bitmap.width)


def _rows(bitmap: Any) -> list[bytearray]:
    if bitmap.n_channels != _CHANNELS:
        raise ValueError(f"{bitmap.n_channels} channels")
    pixels, stride, length = memoryview(bitmap.buffer), bitmap.stride, bitmap.width * _CHANNELS
    return [bytearray(pixels[start : start + length]) for start in range(0, stride * bitmap.height, stride)]


def _mark(rows: list[bytearray], box: Box, across: float, down: float) -> None:
    left = max(math.floor((box.left - _MARGIN) * across), 0) * _CHANNELS
    right = max(math.ceil((box.right + _MARGIN) * across), 0) * _CHANNELS
    top, bottom = (box.top - _MARGIN) * down, (box.bottom + _MARGIN) * down
    for row in rows[max(math.floor(top), 0) : max(math.ceil(bottom), 0)]:
        for channel, table in ((1, _LEFT_OF_GREEN), (2, _LEFT_OF_BLUE)):
            where = slice(left + channel, min(right, len(row)), _CHANNELS)
            row[where] = row[where].translate(table)


def _png(rows: list[bytearray], width: int) -> bytes:
    """Eight bits of red, green and blue, no filter."""
    head = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)
    packed = zlib.compress(b"".join(b"\0" + row for row in rows), 6)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
