"""Whether what a PDF draws on its pages is whole. pdfium stops without a word where a packed stream is broken."""

import base64
import re
import zlib
from io import BytesIO
from typing import Any

import pypdfium2

MOST = 200 * 2**20
"""Bytes that are unpacked to look for damage in a whole file; beyond, each page is looked at."""

_PAGE_MOST = 50 * 2**20
_STEP = 2**20
_HEAD = 600
_STREAM = re.compile(rb"stream\r?\n")
_FLATE = re.compile(rb"/Filter\s*\[?\s*/(?:FlateDecode|Fl)\b")
_CONTENTS = re.compile(rb"/Contents\s*(\d+ \d+ R|\[[^\]]*\])")
_NUMBER = re.compile(rb"(\d+) \d+ R")
_FILTERS = re.compile(rb"/(FlateDecode|Fl|ASCII85Decode|A85|\w+Decode)\b")
_DRAWS = re.compile(rb"(?:^|[\s\])>])(?:Tj|TJ|'|\"|Do|BI|sh|f\*?|F|S|s|B\*?|b\*?)(?=\s|$)")
_LENGTH = re.compile(rb"/Length (\d+)")


def streams_are_sound(data: bytes) -> bool:
    """False when a packed stream of the file is broken, or when it cannot be said (encrypted, too much, other ways)."""
    if b"/Encrypt" in data:
        return False
    left = MOST
    for match in _STREAM.finditer(data):
        head = data[max(match.start() - _HEAD, 0) : match.start()]
        head = head[head.rfind(b" obj") + 1 :]
        if b"/Image" in head or b"/Filter" not in head:
            continue
        if not _FLATE.search(head):
            return False
        used = _unpacks(data, match.end(), left)
        if used is None:
            return False
        left -= used
        if left <= 0:
            return False
    return True


def _unpacks(data: bytes, start: int, most: int) -> int | None:
    """How many bytes came out, at most about `most`; None when the stream is broken."""
    unpacker = zlib.decompressobj()
    place, out, pending = start, 0, b""
    try:
        while not unpacker.eof and out < most:
            if not pending:
                pending = data[place : place + _STEP]
                place += len(pending)
            before = len(pending)
            made = len(unpacker.decompress(pending, _STEP))
            pending = unpacker.unconsumed_tail
            out += made
            if not made and not unpacker.eof and (not before or place >= len(data)) and not pending:
                return None
    except zlib.error:
        return None
    return out


def content_is_sound(document: Any, index: int, *, drew_nothing: bool) -> bool:
    """Whether the drawing of one page can be unpacked to its end, and draws nothing if nothing was found on the page.

    The page is written out alone: there its parts can be told from each other.
    """
    alone = pypdfium2.PdfDocument.new()
    out = BytesIO()
    try:
        alone.import_pages(document, [index])
        alone.save(out)
    except pypdfium2.PdfiumError:
        return False
    finally:
        alone.close()
    data = out.getvalue()
    contents = _CONTENTS.search(data)
    if contents is None:
        return True
    for number in _NUMBER.findall(contents[1]):
        try:
            drawing = _drawing(data, number)
        except (zlib.error, ValueError):
            return False
        if drew_nothing and (drawing is None or _DRAWS.search(drawing)):
            return False
    return True


def _drawing(data: bytes, number: bytes) -> bytes | None:
    """The unpacked stream of an object, None when it is packed in a way that is not looked into.

    Raises zlib.error or ValueError when it is broken.
    """
    start = re.search(rb"(?:^|[\r\n])" + number + rb" \d+ obj\b", data)
    stream = _STREAM.search(data, start.end()) if start else None
    if start is None or stream is None:
        return b""
    head = data[start.end() : stream.start()]
    length = _LENGTH.search(head)
    packed = data[stream.end() : stream.end() + int(length[1])] if length else data[stream.end() :]
    for name in _FILTERS.findall(head):
        unpacked = _one_step(packed, name)
        if unpacked is None:
            return None
        packed = unpacked
    return packed


def _one_step(packed: bytes, name: bytes) -> bytes | None:
    if name in (b"FlateDecode", b"Fl"):
        unpacker = zlib.decompressobj()
        unpacked = unpacker.decompress(packed, _PAGE_MOST)
        if not unpacker.eof and len(unpacked) < _PAGE_MOST:
            raise ValueError("the stream stops before its end")
        return unpacked
    if name in (b"ASCII85Decode", b"A85"):
        return base64.a85decode(packed.strip().removesuffix(b"~>").strip())
    return None
