"""A file from outside is read in a process of its own, with limits: whatever it is, the answer is data and is soon."""

import logging
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from claims.documents.pages import Box, NotRead, Reading
from claims.documents.reading_json import from_json
from claims.documents.reading_limits import (
    ANSWER_BYTES,
    BROKE_OFF,
    MAX_BYTES,
    PICTURE_BYTES,
    PICTURE_SECONDS,
    TOO_LARGE,
    TOO_MUCH_MEMORY,
    TOO_SLOW,
    WALL_SECONDS,
)

logger = logging.getLogger(__name__)

_ROOT = Path(__file__).resolve().parents[2]
_READER = "claims.documents.reading_child"
_PAINTER = "claims.documents.picture_child"
_SHORT_NAME = 200
_PNG = b"\x89PNG\r\n\x1a\n"
_MOST_MARKS = 500


def read_upload(data: bytes, name: str) -> Reading | NotRead:
    """`read_file` in a child process: 512 MiB, 20 s of CPU, 30 s in all, no file, no network (U1 to U4).

    Raises nothing for a hostile file; OSError when no process or temporary file can be had at all.
    """
    if len(data) > MAX_BYTES:
        return TOO_LARGE
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as answer:
        source.write(data)
        source.seek(0)
        ended = _run(source.fileno(), answer.fileno(), [_READER, _plain(name)], WALL_SECONDS)
        if ended is None:
            return TOO_SLOW
        answer.seek(0)
        return _answer(ended, answer.read(ANSWER_BYTES + 1))


def draw_upload(data: bytes, page: int, marks: Sequence[Box] = ()) -> bytes | None:
    """A page of a PDF as a PNG, in a child process with the same limits and PICTURE_SECONDS; None where it cannot be.

    `marks` are boxes of lines as they were read. Raises OSError when no process or temporary file can be had at all.
    """
    boxes = [f"{box.left:.1f},{box.top:.1f},{box.right:.1f},{box.bottom:.1f}" for box in marks[:_MOST_MARKS]]
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as answer:
        source.write(data)
        source.seek(0)
        ended = _run(source.fileno(), answer.fileno(), [_PAINTER, str(page), *boxes], PICTURE_SECONDS)
        answer.seek(0)
        picture = answer.read(PICTURE_BYTES + 1)
    if ended == 0 and len(picture) <= PICTURE_BYTES and picture.startswith(_PNG):
        return picture
    logger.warning("document.no_picture", extra={"code": ended})
    return None


def _run(source: int, answer: int, child_arguments: Sequence[str], seconds: float) -> int | None:
    """The child's return code; None when it was stopped for its time.

    It gets no variable of this process but where the packages lie: no key, no address.
    """
    child = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", *child_arguments],
        stdin=source,
        stdout=answer,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={"PYTHONPATH": str(_ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "LANG": "C.UTF-8"},
        start_new_session=True,
    )
    try:
        return child.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end(child)


def _end(child: "subprocess.Popen[bytes]") -> None:
    """However the wait ended: no child outlives it, not even when this process is told to stop."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _plain(name: str) -> str:
    """As an argument: no zero character, no lone surrogate, not too long. Its end tells Markdown from text."""
    return name.replace("\0", "").encode("utf-8", errors="replace").decode()[-_SHORT_NAME:]


def _answer(ended: int, text: bytes) -> Reading | NotRead:
    if ended == 0 and len(text) <= ANSWER_BYTES:
        try:
            return from_json(text)
        except ValueError:
            logger.warning("document.reading_garbled")
            return BROKE_OFF
    logger.warning("document.reading_ended", extra={"code": ended})
    if ended in (-signal.SIGXFSZ, -signal.SIGABRT):  # pdfium gives up so when it gets no more memory
        return TOO_MUCH_MEMORY
    return TOO_SLOW if ended in (-signal.SIGXCPU, -signal.SIGKILL) else BROKE_OFF
