"""DOCX files that were made to do harm: bombs and tricks of the ZIP format (U1), and of what is inside (U3)."""

import stat
import struct
import zipfile
import zlib
from io import BytesIO

from tests.claims.documents.hostile_pdfs import zeros
from tests.claims.documents.wording import (
    PADDING,
    SPACES,
    TYPES,
    document,
    paragraph,
    part,
    relations,
    wording,
    zipped,
)

WORDS = document(paragraph(PADDING))
BASE = {"[Content_Types].xml": TYPES, "word/document.xml": WORDS}


def raw_zip(entries):
    """Entries as (name, packed bytes, size said, method, flags, checksum, outer attributes); no check is made."""
    out, directory = BytesIO(), b""
    for name, packed, size, method, flags, check, outer in entries:
        encoded, place = name.encode(), out.tell()
        common = struct.pack("<HHHHHIIIHH", 20, flags, method, 0, 0, check, len(packed), size, len(encoded), 0)
        out.write(b"PK\x03\x04" + common + encoded + packed)
        directory += b"PK\x01\x02" + struct.pack("<H", 3 << 8 | 20) + common
        directory += struct.pack("<HHHII", 0, 0, 0, outer, place) + encoded
    return _ended(out.getvalue(), directory, len(entries))


def _ended(files, directory, count):
    end = struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), len(files), 0)
    return files + directory + b"PK\x05\x06" + end


def entry(name, text, *, size=None, flags=0, outer=0):
    data = text if isinstance(text, bytes) else text.encode()
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(data) + packer.flush()
    return (name, packed, len(data) if size is None else size, 8, flags, zlib.crc32(data), outer)


def with_entries(*more):
    return raw_zip([*(entry(name, text) for name, text in BASE.items()), *more])


def overlapping(*, fully):
    """Two names for the bytes of one part, or a part that begins inside of another."""
    whole = with_entries(entry("word/a.xml", "<a/>" * 100), entry("word/b.xml", "<b/>" * 100))
    start = whole.index(b"PK\x01\x02")
    place = whole.index(b"PK\x03\x04", whole.index(b"word/document.xml")) if fully else whole.index(b"word/a.xml") - 10
    last = whole.rindex(b"PK\x01\x02")
    assert last > start
    return whole[: last + 42] + struct.pack("<I", place) + whole[last + 46 :]


def doubled(first, second):
    return raw_zip([entry("[Content_Types].xml", TYPES), entry(first, WORDS), entry(second, WORDS)])


def other_method():
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_BZIP2) as archive:
        for name, text in BASE.items():
            archive.writestr(name, text)
    return out.getvalue()


def bomb(megabytes):
    """Deflated zeros as they lie in a ZIP file."""
    return zeros(megabytes)[2:-4]


def bombs():
    """U1: name -> (file, words of its refusal)."""
    large = ("word/media/a.bin", bomb(30), 30 * 2**20, 8, 0, 0, 0)
    lying = ("word/media/a.bin", bomb(30), 90_000, 8, 0, 0, 0)
    inside = zipped(BASE)
    link = (stat.S_IFLNK | 0o777) << 16
    return {
        "unpacked size": (with_entries(large), "20 MiB"),
        "sizes that add up": (with_entries(*(entry(f"word/{n}.bin", b"x", size=2**20) for n in range(25))), "20 MiB"),
        "ratio of a part": (with_entries(entry("word/a.xml", b" " * 2_000_000)), "100 times its size"),
        "ratio of many small parts": (
            with_entries(*(entry(f"word/{n}.xml", b" " * 99_000) for n in range(150))),
            "100 times its size",
        ),
        "number of parts": (with_entries(*(entry(f"word/{n}.xml", b"") for n in range(2001))), "2003 parts"),
        "nested archive": (zipped({**BASE, "word/media/more.zip": inside}), "another packed file"),
        "nested archive of another kind": (zipped({**BASE, "word/inner.tar": b"x"}), "another packed file"),
        "parts over each other": (overlapping(fully=True), "over each other"),
        "a part inside a part": (overlapping(fully=False), "over each other"),
        "two parts of one name": (doubled("word/document.xml", "word/document.xml"), "two parts of one name"),
        "one name in two cases": (doubled("word/document.xml", "word/Document.xml"), "two parts of one name"),
        "encrypted part": (with_entries(entry("word/a.xml", "<a/>", flags=1)), "needs a password"),
        "symbolic link": (with_entries(entry("word/a.xml", "/etc/passwd", outer=link)), "link to another place"),
        "name that climbs": (with_entries(entry("word/../../a.xml", "<a/>")), "outside of the file"),
        "name from the root": (with_entries(entry("/etc/cron.d/a", "<a/>")), "outside of the file"),
        "name of another system": (with_entries(entry("C:\\a.xml", "<a/>")), "outside of the file"),
        "size that lies": (
            raw_zip([entry("[Content_Types].xml", TYPES), ("word/document.xml", *lying[1:])]),
            "unpacked",
        ),
        "other packing": (other_method(), "packed in a way"),
        "directory cut off": (zipped(BASE)[:-30], "table of contents"),
    }


LAUGHS = "<!DOCTYPE w [" + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "We pay. "}">' for n in range(9))


def with_declaration(declaration, words):
    body = f"<w:document {SPACES}><w:body><w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:body></w:document>"
    return f'<?xml version="1.0"?>{declaration}{body}'


def tricks(outside):
    """U3: name -> (file, refusal or note). `outside` is an address or file that nobody may ask for."""
    entity = f'<!DOCTYPE w [<!ENTITY x SYSTEM "{outside}">]>'
    parameter = f'<!DOCTYPE w [<!ENTITY % x SYSTEM "{outside}"> %x;]>'
    policy = paragraph("We do not pay for frost.")
    template = relations(("rId1", "attachedTemplate", outside, "External"))
    field = '<w:p><w:r><w:instrText>DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe "/k calc"</w:instrText></w:r></w:p>'
    picture = relations(("rId1", "image", outside, "External"), ("rId2", "subDocument", outside, "External"))
    return {
        "external entity": (zipped({**BASE, "word/document.xml": with_declaration(entity, "&x;")}), "document type"),
        "entity in another part": (zipped({**BASE, "word/styles.xml": entity + "<w:styles/>"}), "document type"),
        "entity in UTF-16": (
            zipped({**BASE, "word/document.xml": with_declaration(parameter, "").encode("utf-16")}),
            "document type",
        ),
        "billion laughs": (
            zipped({**BASE, "word/document.xml": with_declaration(LAUGHS + "]>", "&a8;")}),
            "document type",
        ),
        "remote template": (wording(policy, word___rels__document_DOT_xml_DOT_rels=template), "not followed"),
        "pictures and parts from elsewhere": (
            wording(policy, word___rels__document_DOT_xml_DOT_rels=picture),
            "not followed",
        ),
        "macros": (zipped({**BASE, "word/vbaProject.bin": b"\xd0\xcf\x11\xe0"}), "macros"),
        "a field that starts a program": (wording(policy + field), "not followed"),
        "embedded object": (wording(policy, word__embeddings__oleObject1_DOT_bin="x"), "embedded objects: 1"),
        "a document to insert": (wording(policy + '<w:altChunk r:id="rId1"/>'), "documents that Word would insert"),
        "deep elements": (wording("<w:p>" * 400 + "</w:p>" * 400), "cannot be read"),
        "not XML": (zipped({**BASE, "word/numbering.xml": part("numbering", "<w:num>")}), "cannot be read"),
    }
