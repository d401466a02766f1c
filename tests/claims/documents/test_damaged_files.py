"""A damaged file is never a shorter policy: what is broken is named, page by page where it can be told."""

import zlib

import pytest

from claims.documents.pages import NoteKind, NotRead, PageState, Reading, Unreadable
from claims.documents.reading import read_file
from tests.claims.documents.drawing import policy_of
from tests.claims.documents.hostile_pdfs import one_page, pdf_of, stream

WORDS = b"BT /F1 10 Tf 60 700 Td 12 TL " + b"(We do not pay for loss caused by frost or by rust.) Tj T* " * 40 + b"ET"
FLATE = b"/Filter /FlateDecode"


def two_pages(second, entries=FLATE):
    fonts = b"/Resources << /Font << /F1 7 0 R >> >>"
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R " + fonts + b" >>"
    return pdf_of(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
            3: page % 5,
            4: page % 6,
            5: stream(zlib.compress(WORDS), FLATE),
            6: stream(second, entries),
            7: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        }
    )


def states(data):
    reading = read_file(data, "policy.pdf")
    assert isinstance(reading, Reading), reading
    return [page.state for page in reading.pages]


def broken(data, place, change):
    return data[:place] + change + data[place + len(change) :]


PACKED = zlib.compress(WORDS)


@pytest.mark.parametrize(
    "second",
    [
        PACKED[: len(PACKED) // 2],
        broken(PACKED, len(PACKED) // 2, b"\xff\xff\xff"),
        broken(PACKED, 2, b"\xff\xff\xff\xff"),
        broken(zlib.compress(WORDS, 0), 900, b"all"),
    ],
    ids=["cut", "broken in the middle", "broken at the start", "one word changed"],
)
def test_a_page_with_a_broken_stream_is_damaged_and_its_neighbour_is_read(second):
    assert states(two_pages(second)) == [PageState.READ, PageState.DAMAGED]


def test_a_whole_file_has_no_damaged_page():
    assert states(two_pages(PACKED)) == [PageState.READ, PageState.READ]


@pytest.mark.parametrize("content", [b"", b" \n", b"q Q", b"1 0 0 1 0 0 cm BT /F1 10 Tf ET"])
@pytest.mark.parametrize("packed", [True, False])
def test_a_page_that_draws_nothing_is_blank(content, packed):
    data = two_pages(zlib.compress(content)) if packed else two_pages(content, b"")
    assert states(data) == [PageState.READ, PageState.BLANK]


def test_an_empty_page_whose_stream_cannot_be_looked_into_is_not_blank():
    assert states(two_pages(b"\x80\x0b\x60\x50", b"/Filter /LZWDecode"))[1] is PageState.DAMAGED


def test_a_page_that_is_not_there_is_damaged():
    data = two_pages(PACKED).replace(b"/Kids [3 0 R 4 0 R]", b"/Kids [3 0 R 9 0 R]")
    assert states(data) == [PageState.READ, PageState.DAMAGED]


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75, 0.98])
def test_a_file_that_stops_early_is_refused_or_says_so(share):
    data = policy_of(
        *[part for _ in range(6) for part in (("paragraph", "We do not pay for frost. " * 30), ("page", ""))]
    )
    answer = read_file(data[: int(len(data) * share)], "policy.pdf")
    if isinstance(answer, NotRead):
        assert answer.reason is Unreadable.DAMAGED
    else:
        [note] = [note for note in answer.notes if note.kind is NoteKind.NOT_READ]
        assert "stops before its end" in note.detail


def test_letters_without_a_meaning_make_a_page_damaged():
    """T09: the page looks perfect on the screen, and its text is another one."""
    data = one_page(b"BT /F1 10 Tf 60 700 Td (" + b"We do not pay for frost. " * 20 + b") Tj ET")
    table = b"".join(b"<%02x> <%04x>\n" % (code, 0xE000 + code) for code in range(32, 127))
    unicode = stream(
        b"begincmap\n1 begincodespacerange <00> <ff> endcodespacerange\n95 beginbfchar\n"
        + table
        + b"endbfchar\nendcmap"
    )
    lost = one_page(
        b"BT /F1 10 Tf 60 700 Td (" + b"We do not pay for frost. " * 20 + b") Tj ET",
        extra={5: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>", 6: unicode},
    )
    assert states(data) == [PageState.READ]
    assert states(lost) == [PageState.DAMAGED]
    assert read_file(lost, "").unreadable is Unreadable.DAMAGED
