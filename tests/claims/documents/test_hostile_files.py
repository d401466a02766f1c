"""U1 to U4: what was made to do harm is refused by name within its limits, and the next person's file is read."""

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from claims.documents import sandbox
from claims.documents.pages import NotRead, Reading, Unreadable
from claims.documents.reading import read_file
from claims.documents.reading_json import from_json, to_json
from claims.documents.reading_limits import BROKE_OFF, MAX_BYTES, TOO_LARGE, TOO_MUCH_MEMORY, TOO_SLOW
from claims.documents.sandbox import read_upload
from tests.claims.documents import hostile_pdfs
from tests.claims.documents.hostile_packages import bombs, tricks

FIXTURES = Path(__file__).parent / "fixtures"
GOOD = hostile_pdfs.good()


def words_of(answer):
    """All that the adjuster is told of a file."""
    return answer.detail if isinstance(answer, NotRead) else " ".join(note.detail for note in answer.notes)


@pytest.mark.parametrize(("data", "words"), bombs().values(), ids=bombs())
def test_U1_a_packed_bomb_is_refused_from_its_table_of_contents(data, words, monkeypatch):
    if words != "unpacked":  # the one whose table lies
        monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("a part was unpacked"))
    tracemalloc.start()
    started = time.process_time()
    answer = read_file(data, "policy.docx")
    took, (_, peak) = time.process_time() - started, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(answer, NotRead) and words in answer.detail
    assert "silence" in answer.detail
    assert took <= 1 and peak <= 100 * 2**20


PDF_BOMBS = {
    "flate": (NotRead, "512 MiB"),
    "lzw": (NotRead, "512 MiB"),
    "run_length": (Unreadable.DAMAGED, ""),
    "jbig2": (Unreadable.NO_TEXT, "cannot be seen"),
    "text_operators": (Unreadable.DAMAGED, ""),
    "form_calls_itself": (NotRead, "512 MiB"),
    "page_tree_cycle": (Unreadable.DAMAGED, ""),
    "deep_nesting": (Unreadable.NO_TEXT, ""),
    "many_pages": (NotRead, "100000 pages"),
    "huge_table": (NotRead, "damaged"),
    "locked": (NotRead, "needs a password"),
    "javascript": (None, "scripts. They were not run"),
    "embedded_file": (None, "attached files: 1"),
}


@pytest.mark.parametrize("name", PDF_BOMBS)
def test_U2_a_pdf_made_to_do_harm_is_named_within_the_limits(name):
    expected, words = PDF_BOMBS[name]
    started = time.monotonic()
    answer = read_upload(getattr(hostile_pdfs, name)(), "policy.pdf")
    assert time.monotonic() - started <= 30
    assert words in words_of(answer)
    if expected is NotRead:
        assert isinstance(answer, NotRead)
    else:
        assert isinstance(answer, Reading) and answer.unreadable is expected


def test_U2_the_next_persons_file_is_read_while_a_bomb_is():
    answers = []
    bomb = threading.Thread(target=lambda: answers.append(read_upload(hostile_pdfs.form_calls_itself(), "bomb.pdf")))
    bomb.start()
    started = time.monotonic()
    good = read_upload(GOOD, "policy.pdf")
    took = time.monotonic() - started
    bomb.join()
    assert isinstance(good, Reading) and good.unreadable is None and took <= 3
    assert isinstance(answers[0], NotRead)


@pytest.fixture
def nobody_asked():
    """An address on this machine that fails the test when somebody asks for it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield f"http://127.0.0.1:{server.getsockname()[1]}/x"
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize("name", tricks("http://127.0.0.1:9/x"))
def test_U3_nothing_outside_of_a_docx_file_is_fetched(name, nobody_asked):
    data, words = tricks(nobody_asked)[name]
    answer = read_upload(data, "policy.docx")
    assert words in words_of(answer)
    assert isinstance(answer, NotRead) == (words in ("document type", "macros", "cannot be read"))


def test_U3_no_file_of_this_machine_comes_into_the_text(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("a secret of this machine")
    for data, _ in tricks(secret.as_uri()).values():
        answer = read_upload(data, "policy.docx")
        assert "secret of this machine" not in to_json(answer)


SCRIPTED = b"<html><script>alert(1)</script></html>"
PICTURE = b"GIF89a/*\0\0\0\0*/=1;alert(1);"
WRONG = {
    "PDF inside HTML": (SCRIPTED + GOOD, "policy.pdf", "begins as something else"),
    "PDF inside GIF": (PICTURE + GOOD, "policy.pdf", "a picture"),
    "GIF that is a script": (PICTURE, "policy.pdf", "a picture"),
    "HTML called PDF": (SCRIPTED, "policy.pdf", "markup"),
    "HTML behind a comment": (b"\n <!-- policy --> <!DOCTYPE html><p>x", "policy.md", "markup"),
    "SVG": (b"<?xml version='1.0'?><svg onload='alert(1)'/>", "policy.txt", "markup"),
    "SVG without a head": (b"<svg onload=alert(1)>", "policy.docx", "markup"),
    "program called PDF": (b"MZ\x90\0\3\0\0\0" + b"\0" * 200, "policy.pdf", "a program"),
    "program of this system": (b"\x7fELF\2\1\1" + b"\0" * 200, "policy.pdf", "a program"),
    "PNG": (b"\x89PNG\r\n\x1a\n" + b"\0" * 90, "policy.pdf", "a picture"),
    "JPEG": (b"\xff\xd8\xff\xe0" + b"\0" * 90, "scan.pdf", "a picture"),
    "rich text": (b"{\\rtf1 {\\object DDE}}", "policy.docx", "rich text"),
    "older Word": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "policy.doc", "older Office"),
    "spreadsheet": ("xl/workbook.xml", "policy.docx", "a spreadsheet"),
    "packed file": ("policy.txt", "policy.docx", "no DOCX file"),
    "gzip": (b"\x1f\x8b\x08" + b"\0" * 90, "policy.txt", "a packed file"),
    "zeros": (b"\0" * 5000, "policy.txt", "not known here"),
    "noise": (bytes(range(256)) * 9, "policy.txt", "not known here"),
    "empty": (b"", "policy.pdf", "empty"),
    "PDF without pages": (
        hostile_pdfs.pdf_of({1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: b"<< /Type /Pages /Kids [] /Count 0 >>"}),
        "policy.pdf",
        "without pages",
    ),
    "a head and nothing else": (b"%PDF-1.7\n", "policy.pdf", "damaged"),
}


@pytest.mark.parametrize("name", WRONG)
def test_U4_a_file_is_what_its_bytes_are(name):
    data, called, words = WRONG[name]
    if isinstance(data, str):
        data = bombs_of(data)
    answer = read_file(data, called)
    assert isinstance(answer, NotRead) and words in answer.detail, answer
    assert "silence" in answer.detail


def bombs_of(only):
    from tests.claims.documents.wording import zipped

    return zipped({only: "x"})


def test_a_file_without_pages_is_not_taken_for_the_locked_one_before_it():
    assert read_file(hostile_pdfs.locked(), "").reason is Unreadable.LOCKED
    assert read_file(WRONG["PDF without pages"][0], "").reason is Unreadable.DAMAGED


@pytest.mark.parametrize(
    "name",
    [
        "a\0b.pdf",
        "\u202efdp.exe",
        "x" * 300 + ".pdf",
        "policy.pdf.exe",
        "../../etc/passwd",
        "-c",
        "--help",
        "",
        "\ud800.pdf",
        "$(id)",
    ],
)
def test_U4_a_name_does_no_harm(name):
    answer = read_upload(GOOD, name)
    assert answer == read_file(GOOD, "policy.pdf")


def test_a_file_over_10_MB_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(sandbox, "_run", lambda *_: pytest.fail("it was read"))
    assert read_upload(b"%PDF-" + b"0" * MAX_BYTES, "policy.pdf") == TOO_LARGE


@pytest.mark.parametrize("path", sorted(FIXTURES.iterdir()), ids=lambda path: path.name)
def test_the_child_reads_as_the_rules_do(path):
    data = path.read_bytes()
    assert read_upload(data, path.name) == read_file(data, path.name)


CHILD = "import os, socket, sys; from claims.documents.confinement import confine; confine(9)\n"


def in_child(code):
    return subprocess.run(
        [sys.executable, "-c", CHILD + code], cwd=sandbox._ROOT, capture_output=True, check=False, text=True
    )


@pytest.mark.parametrize(
    "code",
    ["socket.socket()", "open('/etc/passwd')", "os.pipe()", "import resource; resource.setrlimit(7, (9, 8))"],
)
def test_the_child_can_open_nothing(code):
    ended = in_child(code)
    assert ended.returncode == 1
    assert "Too many open files" in ended.stderr or "limit" in ended.stderr


def test_the_child_has_its_limits():
    out = in_child(
        "import resource as r; print([r.getrlimit(k)[1] for k in (r.RLIMIT_AS, r.RLIMIT_CPU, r.RLIMIT_CORE)])"
    )
    assert out.stdout.strip() == str([512 * 2**20, 20, 0])


def test_the_child_knows_no_variable_of_this_process(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "secret")
    seen = {}
    real = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *args, **given: seen.update(given) or real(*args, **given))
    read_upload(GOOD, "policy.pdf")
    assert set(seen["env"]) == {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "LANG"}


def test_a_child_that_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr(sandbox, "WALL_SECONDS", 0.01)
    children = []
    real = subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda *args, **given: children.append(real(*args, **given)) or children[0]
    )
    assert read_upload(GOOD, "policy.pdf") == TOO_SLOW
    assert children[0].returncode == -signal.SIGKILL
    with pytest.raises(ProcessLookupError):
        os.kill(children[0].pid, 0)


@pytest.mark.parametrize(
    ("ended", "text", "answer"),
    [
        (-signal.SIGXCPU, b"", TOO_SLOW),
        (-signal.SIGABRT, b"", TOO_MUCH_MEMORY),
        (-signal.SIGXFSZ, b"", TOO_MUCH_MEMORY),
        (-signal.SIGSEGV, b"", BROKE_OFF),
        (1, b"", BROKE_OFF),
        (0, b"", BROKE_OFF),
        (0, b'{"kind": "pdf"}', BROKE_OFF),
        (0, b'{"not_read": ["damaged", 7]}', BROKE_OFF),
        (0, b"[" * 100_000, BROKE_OFF),
        (
            0,
            b'{"kind": "pdf", "pages": [[1, "read", null, 1, false, [[1, ["x"], null, 9, true]]]], "notes": []}',
            BROKE_OFF,
        ),
    ],
)
def test_whatever_a_child_ends_with_is_an_answer(ended, text, answer):
    assert sandbox._answer(ended, text) == answer


def mutated(data, chance):
    """A few bytes changed, dropped, put in or moved."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 2, 5, 20))):
        kind, place = chance.randrange(4), chance.randrange(len(changed))
        if kind == 0:
            changed[place] = chance.randrange(256)
        elif kind == 1:
            del changed[place : place + chance.randrange(1, 40)]
        elif kind == 2:
            changed[place:place] = chance.randbytes(chance.randrange(1, 20))
        else:
            other = chance.randrange(len(changed))
            changed[place : place + 30] = changed[other : other + 30]
    return bytes(changed)


@pytest.mark.parametrize("seed", range(8))
def test_a_broken_docx_is_read_or_refused_by_name(seed):
    chance = random.Random(seed)
    data = (FIXTURES / "d25_tracked_changes.docx").read_bytes()
    for _ in range(20):
        answer = read_file(mutated(data, chance), "policy.docx")
        assert isinstance(answer, Reading) or answer.detail


@pytest.mark.parametrize("seed", range(8))
def test_a_broken_pdf_is_read_or_refused_by_name(seed):
    answer = read_upload(mutated(GOOD, random.Random(seed)), "policy.pdf")
    assert isinstance(answer, Reading) or answer.detail


@pytest.mark.parametrize("path", sorted(FIXTURES.iterdir()), ids=lambda path: path.name)
def test_an_answer_comes_back_as_it_was(path):
    answer = read_file(path.read_bytes(), path.name)
    assert from_json(to_json(answer)) == answer
