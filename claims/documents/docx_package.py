"""The parts of a DOCX file, after its table of contents was judged: nothing is unpacked before that (U1)."""

import stat
import zipfile
import zlib
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any

from lxml import etree

from claims.documents.pages import NotRead, Unreadable

MAX_ENTRIES = 2000
MAX_UNPACKED = 20 * 2**20
MAX_RATIO = 100

_SMALL = 100_000
_LOCAL_HEADER = 30
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ARCHIVES = frozenset({".zip", ".jar", ".gz", ".tgz", ".tar", ".7z", ".rar", ".bz2", ".xz"})
_DOCTYPES = tuple("<!DOCTYPE".encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))
_OTHERS = (
    ("xl/workbook.xml", "a spreadsheet"),
    ("ppt/presentation.xml", "a presentation"),
    ("mimetype", "an OpenDocument or e-book file"),
)
_UNPACKING = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)
DOCUMENT = "word/document.xml"


class Refused(Exception):
    """`answer` says why."""

    def __init__(self, answer: NotRead) -> None:
        super().__init__(answer.detail)
        self.answer = answer


@dataclass
class Package:
    """Parts by name; each is unpacked and parsed when it is asked for."""

    archive: zipfile.ZipFile
    names: frozenset[str]

    def xml(self, name: str) -> Any | None:
        """The root of a part, None when there is none. Raises `Refused` for one that is no safe XML."""
        if name not in self.names:
            return None
        try:
            data = self.archive.read(name)
        except _UNPACKING as error:
            raise _damaged(f"its part {name} cannot be unpacked") from error
        if any(mark in data for mark in _DOCTYPES):
            raise _refused(Unreadable.WRONG_TYPE, f"its part {name} declares a document type, which no DOCX file does")
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        try:
            root = etree.fromstring(data, parser)
        except etree.XMLSyntaxError as error:
            raise _damaged(f"its part {name} cannot be read") from error
        if root.getroottree().docinfo.doctype:
            raise _refused(Unreadable.WRONG_TYPE, f"its part {name} declares a document type, which no DOCX file does")
        return root


def open_package(data: bytes) -> Package:
    """Raises `Refused` with the reason, from the table of contents alone."""
    try:
        archive = zipfile.ZipFile(BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError, UnicodeDecodeError) as error:
        raise _damaged("its table of contents cannot be read") from error
    entries = archive.infolist()
    _check_size(entries)
    for entry in entries:
        _check_entry(entry)
    _check_names([entry.filename for entry in entries])
    _check_places(entries, archive.start_dir)
    names = frozenset(entry.filename for entry in entries)
    _check_type(names)
    return Package(archive, names)


def _check_size(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MAX_ENTRIES:
        raise _too_large(f"holds {len(entries)} parts; the limit is {MAX_ENTRIES}")
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > MAX_UNPACKED:
        raise _too_large("would unpack to more than 20 MiB")
    packed = sum(entry.compress_size for entry in entries)
    if unpacked > _SMALL and unpacked > MAX_RATIO * max(packed, 1):
        raise _too_large(f"would unpack to more than {MAX_RATIO} times its size")


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name = entry.filename
    if entry.file_size > _SMALL and entry.file_size > MAX_RATIO * max(entry.compress_size, 1):
        raise _too_large(f"holds a part that would unpack to more than {MAX_RATIO} times its size")
    if entry.flag_bits & 0x1:
        raise _refused(Unreadable.LOCKED, "a part of it needs a password")
    if entry.compress_type not in _METHODS:
        raise _refused(Unreadable.WRONG_TYPE, "it is packed in a way that no DOCX file is")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise _refused(Unreadable.WRONG_TYPE, "it holds a link to another place")
    if name.startswith("/") or "\\" in name or ":" in name or ".." in name.split("/"):
        raise _refused(Unreadable.WRONG_TYPE, "a part of it names a place outside of the file")
    if PurePosixPath(name).suffix.lower() in _ARCHIVES:
        raise _refused(Unreadable.WRONG_TYPE, "it holds another packed file")
    if name.lower().endswith("vbaproject.bin"):
        raise _refused(Unreadable.WRONG_TYPE, "it holds macros (a program); save it as a .docx without them")


def _check_names(names: list[str]) -> None:
    if len({name.lower() for name in names}) < len(names):
        raise _refused(Unreadable.WRONG_TYPE, "it holds two parts of one name")


def _check_places(entries: list[zipfile.ZipInfo], end: int) -> None:
    """Parts that share their bytes unpack to more than the file can hold."""
    ordered = sorted(entries, key=lambda entry: entry.header_offset)
    starts = [entry.header_offset for entry in ordered[1:]] + [end]
    for entry, following in zip(ordered, starts, strict=True):
        if entry.header_offset + _LOCAL_HEADER + entry.compress_size > following:
            raise _refused(Unreadable.WRONG_TYPE, "parts of it lie over each other")


def _check_type(names: frozenset[str]) -> None:
    if DOCUMENT in names:
        return
    what = next((what for name, what in _OTHERS if name in names), "a packed file")
    raise Refused(
        NotRead(
            Unreadable.WRONG_TYPE,
            f"The file is {what} and no DOCX file. PDF, DOCX, plain text and Markdown are read. Nothing of it was "
            "read: this is not silence.",
        )
    )


def _too_large(what: str) -> Refused:
    return Refused(
        NotRead(Unreadable.TOO_LARGE, f"The file {what}, so it was not unpacked. Nothing of it was read. Not silence.")
    )


def _damaged(what: str) -> Refused:
    return _refused(Unreadable.DAMAGED, what)


def _refused(reason: Unreadable, what: str) -> Refused:
    return Refused(NotRead(reason, f"The file was not read: {what}. Upload another version. This is not silence."))
