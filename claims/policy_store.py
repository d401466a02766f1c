"""Where the bytes of adjusters' files are kept: in the house's object store, each object written once."""

import contextlib
import hashlib

from knowledge.storage import AlreadyExists, NotFound, StorageUnavailable, open_store


class FilesAway(Exception):
    """Files cannot be kept or read just now."""


def keep(key: str, data: bytes) -> None:
    """Write an object that is never written again; a second time is the same. Raises FilesAway; nothing was kept."""
    try:
        with contextlib.suppress(AlreadyExists):
            open_store().put_new(key, data)
    except StorageUnavailable as error:
        raise FilesAway(str(error)) from error


def kept(key: str, sha256: str) -> bytes:
    """The bytes that were kept. Raises FilesAway, also where they are gone or are not what was kept."""
    try:
        data = open_store().get(key)
    except NotFound as error:
        raise FilesAway(f"{key} is gone from the store") from error
    except StorageUnavailable as error:
        raise FilesAway(str(error)) from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise FilesAway(f"{key} is not what was kept")
    return data
