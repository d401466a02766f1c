"""Where the bytes of adjusters' files are kept: in the house's object store, each object written once."""

import contextlib
import hashlib

from knowledge.storage import AlreadyExists, NotFound, StorageUnavailable, open_store

LOST = (
    "What was kept of this file is gone or was changed, so nothing of it is shown. This is not silence. Upload the "
    "file again, or tell the operator."
)


class FilesAway(Exception):
    """Files cannot be kept or read just now."""


class FileLost(FilesAway):
    """The store is there, but it does not hold what was kept: waiting does not bring it back."""


def keep(key: str, data: bytes) -> None:
    """Write an object that is never written again; a second time is the same. Raises FilesAway; nothing was kept."""
    try:
        with contextlib.suppress(AlreadyExists):
            open_store().put_new(key, data)
    except StorageUnavailable as error:
        raise FilesAway(str(error)) from error


def kept(key: str, sha256: str) -> bytes:
    """The bytes that were kept. Raises FilesAway, and FileLost where they are gone or are not what was kept."""
    try:
        data = open_store().get(key)
    except NotFound as error:
        raise FileLost(f"{key} is gone from the store") from error
    except StorageUnavailable as error:
        raise FilesAway(str(error)) from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise FileLost(f"{key} is not what was kept")
    return data


def is_lost(key: str, sha256: str) -> bool:
    """Whether the store does not hold what was kept. Raises FilesAway where that cannot be known just now."""
    try:
        kept(key, sha256)
    except FileLost:
        return True
    return False
