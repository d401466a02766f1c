"""PDFs that were made to do harm, small enough for a suite: each names the harm it was made for (U2)."""

import zlib

from tests.claims.documents.drawing import policy_of


def pdf_of(objects, *, root=1, trailer=b"", version=b"1.7"):
    """A PDF of numbered objects, each as bytes, with a right table of where they lie."""
    out = bytearray(b"%PDF-" + version + b"\n")
    places = {}
    for number, content in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    start = len(out)
    size = max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 n \n" % places[number] if number in places else b"0000000000 00000 f \n"
    out += b"trailer\n<< /Size %d /Root %d 0 R %b >>\nstartxref\n%d\n%%%%EOF\n" % (size, root, trailer, start)
    return bytes(out)


def stream(data, entries=b""):
    return b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(data), entries, data)


def one_page(content, *, entries=b"", page=b"", resources=b"", extra=None):
    """A page with a content stream as it is stored."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    return pdf_of(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources "
            b"<< /Font << /F1 5 0 R >> %b >> %b >>" % (resources, page),
            4: stream(content, entries),
            5: font,
            **(extra or {}),
        }
    )


def zeros(megabytes):
    """Deflated zeros, put together from one block without ever holding them."""
    packer = zlib.compressobj(9)
    head = packer.compress(b"") + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(b"\0" * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)
    check = (megabytes * 2**20 % 65521) << 16 | 1
    return head + block * megabytes + b"\x03\0" + check.to_bytes(4, "big")


def flate():
    return one_page(zlib.compress(zeros(900)), entries=b"/Filter [/FlateDecode /FlateDecode]")


def lzw():
    """The clear code, then codes that each stand for one letter more than the one before."""
    codes, bits, width, following = [256, 0, *range(258, 4094)], [], 9, 258
    for code in codes:
        bits.append(format(code, f"0{width}b"))
        following += 1
        width = 9 if following < 513 else 10 if following < 1025 else 11 if following < 2049 else 12
    packed = "".join(bits)
    packed += "0" * (-len(packed) % 8)
    once = int(packed, 2).to_bytes(len(packed) // 8, "big")
    return one_page(zlib.compress(once * 200), entries=b"/Filter [/FlateDecode /LZWDecode]")


def run_length():
    return one_page(zlib.compress(b"\x81 " * 6_000_000), entries=b"/Filter [/FlateDecode /RunLengthDecode]")


def jbig2():
    """A picture of 100,000 by 100,000 dots in a few bytes."""
    page = b"\0\0\0\0\x30\0\x01\0\0\0\x13" + b"\0\x01\x86\xa0" * 2 + b"\0" * 8 + b"\0\0\0"
    image = stream(
        page,
        b"/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 1 /ColorSpace /DeviceGray "
        b"/Filter /JBIG2Decode",
    )
    words = b"BT /F1 10 Tf 1 1 1 rg 60 700 Td (white words over it) Tj ET q 595 0 0 842 0 0 cm /I1 Do Q"
    return one_page(words, resources=b"/XObject << /I1 6 0 R >>", extra={6: image})


def text_operators():
    shown = b"BT /F1 10 Tf 60 700 Td " + b"(We pay for everything) Tj 0 -1 Td " * 400_000 + b"ET"
    return one_page(zlib.compress(shown), entries=b"/Filter /FlateDecode")


def page_tree_cycle():
    return pdf_of(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 40 /Parent 3 0 R >>",
            3: b"<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 40 /Parent 2 0 R >>",
        }
    )


def deep_nesting():
    return one_page(b"[" * 2_000_000 + b"]" * 2_000_000)


def form_calls_itself():
    form = stream(
        b"/X1 Do " * 50, b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X1 6 0 R >> >>"
    )
    return one_page(b"/X1 Do", resources=b"/XObject << /X1 6 0 R >>", extra={6: form})


def many_pages():
    kids = b"3 0 R " * 100_000
    return pdf_of(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [%b] /Count 100000 >>" % kids,
            3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
        }
    )


def huge_table():
    """A table that says it has two thousand million entries."""
    data = pdf_of({1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: b"<< /Type /Pages /Kids [] /Count 2000000000 >>"})
    return data.replace(b"xref\n0 3", b"xref\n0 2147483647").replace(b"/Size 3", b"/Size 2147483647")


def locked():
    """Encrypted by a handler that nobody has."""
    unknown = b"<< /Filter /NoSuchHandler /V 99 /R 99 /O (x) /U (y) /P -1 >>"
    objects = {1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: b"<< /Type /Pages /Kids [] /Count 0 >>", 3: unknown}
    return pdf_of(objects, trailer=b"/Encrypt 3 0 R /ID [<00> <00>]")


def _with_catalog(entries, extra):
    """A policy that is all right but for what its catalog holds."""
    words = (
        b"BT /F1 10 Tf 60 700 Td 12 TL " + b"(We do not pay for loss caused by frost or by rust.) Tj T* " * 8 + b"ET"
    )
    return pdf_of(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R %b >>" % entries,
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>",
            4: stream(words),
            5: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            **extra,
        }
    )


def javascript():
    script = b"<< /S /JavaScript /JS (while (true) { app.alert('x'); }) >>"
    return _with_catalog(b"/OpenAction 6 0 R /Names << /JavaScript << /Names [(a) 6 0 R] >> >>", {6: script})


def embedded_file():
    return _with_catalog(
        b"/Names << /EmbeddedFiles << /Names [(run.exe) 6 0 R] >> >>",
        {6: b"<< /Type /Filespec /F (run.exe) /EF << /F 7 0 R >> >>", 7: stream(b"MZ")},
    )


def good():
    return policy_of(("heading", "Exclusions"), ("paragraph", "We do not pay for frost. " * 12))
