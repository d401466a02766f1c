"""What the adjuster's commands share: a policy file from the disk, and text that is safe to print on a terminal."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from django.core.management.base import CommandError

from claims.documents.pages import NotRead, Reading
from claims.documents.reading_limits import MAX_BYTES
from claims.documents.sandbox import read_upload

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class PolicyFile:
    """`document_id` is the SHA-256 of the bytes: the same file has the same one."""

    document_id: str
    read: Reading | NotRead


def policy_file(name: str) -> PolicyFile:
    """Reads the file in a process of its own. Raises CommandError: 2 for a path that gives no file, else 1."""
    try:
        with Path(name).open("rb") as file:
            # One byte more than a file may have: the reader names what is too large.
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "no such path"
        raise CommandError(f"The file {printable(name)} cannot be opened: {why}.", returncode=2) from error
    try:
        read = read_upload(data, Path(name).name)
    except OSError as error:
        raise CommandError(f"The file could not be read here: {error.strerror}.") from error
    return PolicyFile(hashlib.sha256(data).hexdigest(), read)


def printable(text: str) -> str:
    """Without what would steer a terminal or turn the direction of writing: a policy's text comes from outside."""
    return _CONTROL.sub(" ", text).encode("utf-8", "replace").decode()
