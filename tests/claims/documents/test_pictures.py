"""A page of an upload as a picture: upright, the quoted lines marked where they stand, and no harm from any file."""

import signal
import struct
import subprocess
import zlib

import pytest

from claims.documents import sandbox
from claims.documents.pages import Box
from claims.documents.pdf_picture import MOST_HIGH, MOST_WIDE
from claims.documents.reading import read_file
from claims.documents.sandbox import draw_upload
from tests.claims.documents import hostile_pdfs
from tests.claims.documents.drawing import Sheet
from tests.claims.documents.hostile_pdfs import one_page, pdf_of, stream

WORDS = ("Exclusions", "We do not pay for frost.", "We do not pay for rust, or for what it does to a gate.")


def pixels_of(png):
    """Width, height and the rows of (red, green, blue)."""
    assert png is not None
    width, height = struct.unpack(">II", png[16:24])
    length = int.from_bytes(png[33:37], "big")
    raw = zlib.decompress(png[41 : 41 + length])
    rows = [raw[start + 1 : start + 1 + 3 * width] for start in range(0, len(raw), 3 * width + 1)]
    assert len(rows) == height and all(len(row) == 3 * width for row in rows)
    return width, height, [[tuple(row[at : at + 3]) for at in range(0, 3 * width, 3)] for row in rows]


def marked_box(png, wide, high):
    """The bounds of what is yellow, in points."""
    width, height, rows = pixels_of(png)
    yellow = [
        (x, y) for y, row in enumerate(rows) for x, (r, g, b) in enumerate(row) if r == 255 and g > 200 and b < 160
    ]
    assert yellow
    xs, ys = [x for x, _ in yellow], [y for _, y in yellow]
    across, down = wide / width, high / height
    return min(xs) * across, min(ys) * down, (max(xs) + 1) * across, (max(ys) + 1) * down


def drawn(lying=False, turn=0):
    """Three lines; lying ones run up the side of the page, and a quarter turn shows them upright."""
    sheet = Sheet(pagesize=(842, 595) if lying else (595, 842))
    if lying:
        # reportlab writes the size of a page that is turned the other way round.
        sheet.canvas.setPageSize((842, 595) if turn else (595, 842))
        sheet.canvas.setPageRotation(turn)
        sheet.canvas.translate(595, 0)
        sheet.canvas.rotate(90)
    for text in WORDS:
        sheet.paragraph(text)
    return sheet.data()


@pytest.mark.parametrize(("lying", "turn"), [(False, 0), (True, 90), (True, 0)])
def test_A3_the_mark_lies_on_the_line_also_on_a_turned_page(lying, turn):
    data = drawn(lying, turn)
    line = read_file(data, "x.pdf").pages[0].lines[1]
    assert line.text == WORDS[1]
    marked = marked_box(draw_upload(data, 1, [line.box]), *((842, 595) if lying else (595, 842)))
    for edge, expected in zip(marked, (line.box.left, line.box.top, line.box.right, line.box.bottom), strict=True):
        assert abs(edge - expected) < 3, (marked, line.box)


def test_without_marks_nothing_is_yellow_and_a_mark_outside_does_no_harm():
    plain = draw_upload(drawn(), 1)
    assert all(r == g == b for row in pixels_of(plain)[2] for r, g, b in row)
    outside = [Box(-900, -900, -800, -800), Box(9000, 9000, 9100, 9100), Box(50, 50, 10, 10)]
    assert draw_upload(drawn(), 1, outside) == plain
    assert draw_upload(drawn(), 2) is None and draw_upload(drawn(), 0) is None


@pytest.mark.parametrize("size", [(14_400, 14_400), (1, 1), (14_400, 3)])
def test_a_picture_is_never_larger_than_its_bounds(size):
    box = b"/MediaBox [0 0 %d %d]" % size
    page = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: b"<< /Type /Page /Parent 2 0 R %b /Contents 4 0 R >>" % box,
        4: stream(b"0 0 1 rg 0 0 1000 1000 re f"),
    }
    png = draw_upload(pdf_of(page), 1)
    width, height, _ = pixels_of(png)
    assert 0 < width <= MOST_WIDE + 1 and 0 < height <= MOST_HIGH + 1


@pytest.mark.parametrize(
    "data",
    [
        hostile_pdfs.flate,
        hostile_pdfs.page_tree_cycle,
        hostile_pdfs.form_calls_itself,
        hostile_pdfs.locked,
        lambda: b"%PDF-1.7 nothing",
        lambda: b"EXCLUSIONS",
        lambda: one_page(b"q " * 200_000),
    ],
    ids=["bomb", "cycle", "calls itself", "locked", "broken", "text", "deep"],
)
def test_U1_whatever_the_file_is_there_is_a_picture_or_none(data):
    png = draw_upload(data(), 1)
    assert png is None or pixels_of(png)


def test_a_script_in_a_file_is_not_run():
    assert pixels_of(draw_upload(hostile_pdfs.javascript(), 1))


def test_a_page_that_takes_too_long_is_given_up(monkeypatch):
    children = []
    real = subprocess.Popen
    monkeypatch.setattr(sandbox, "PICTURE_SECONDS", 0.01)
    monkeypatch.setattr(
        subprocess, "Popen", lambda *args, **given: children.append(real(*args, **given)) or children[0]
    )
    assert draw_upload(drawn(), 1) is None
    assert children[0].returncode == -signal.SIGKILL


def test_what_is_no_png_is_no_picture(monkeypatch):
    monkeypatch.setattr(sandbox, "_PAINTER", "this")
    assert draw_upload(drawn(), 1) is None
