"""The one door to the object store: create an object, read an object. Nothing is ever overwritten or deleted.

Files under `var/` unless an S3 endpoint is set. Both doors raise the same errors, and neither waits long: a turn
hangs on it. There is no cache and no listing; rows know the keys.
"""

import os
import queue
import re
import tempfile
import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeVar, cast

from django.conf import settings

_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)*")
_CONNECT_SECONDS = 1
_READ_SECONDS = 2
_WHOLE_SECONDS = 3

T = TypeVar("T")


class NotFound(Exception):
    """The store works and holds no object under this key."""


class AlreadyExists(Exception):
    """An object is there under this key; it was left as it is."""


class StorageUnavailable(Exception):
    """The store cannot be asked now: down, slow, refused or gone. Not the same as an object that is missing."""


class Store(Protocol):
    def put_new(self, key: str, data: bytes) -> None:
        """Create an object. Raises AlreadyExists, StorageUnavailable; ValueError for a key that is no plain path."""

    def get(self, key: str) -> bytes:
        """The object's bytes. Raises NotFound, StorageUnavailable; ValueError for a key that is no plain path."""


def open_store() -> Store:
    """The store that the settings name."""
    if settings.S3_ENDPOINT_URL and settings.S3_BUCKET:
        return S3Store(settings.S3_ENDPOINT_URL, settings.S3_BUCKET)
    return FileStore(Path(settings.VAR_DIR) / "store")


class FileStore:
    """Objects as files. A new one is written beside its place and linked into it: it is there whole or not at all."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put_new(self, key: str, data: bytes) -> None:
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            target = self._path(key)
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".new-") as new:
                new.write(data)
                new.flush()
                os.fsync(new.fileno())
                try:
                    os.link(new.name, target)
                except FileExistsError as error:
                    raise AlreadyExists(key) from error
        except OSError as error:
            raise StorageUnavailable(f"cannot write {key}: {error.strerror}") from error

    def get(self, key: str) -> bytes:
        target = self._path(key)
        try:
            return target.read_bytes()
        except FileNotFoundError as error:
            if not self.root.is_dir():
                raise StorageUnavailable("the store's folder is gone") from error
            raise NotFound(key) from error
        except OSError as error:
            raise StorageUnavailable(f"cannot read {key}: {error.strerror}") from error

    def _path(self, key: str) -> Path:
        _check_key(key)
        path = (self.root / key).resolve()
        if not path.is_relative_to(self.root.resolve()):
            raise ValueError(f"the key {key!r} leaves the store")
        return path


class S3Store:
    """Objects in a bucket. `If-None-Match: *` makes the write a creation; the server decides a race."""

    def __init__(self, endpoint_url: str, bucket: str) -> None:
        self.endpoint_url = endpoint_url
        self.bucket = bucket

    def put_new(self, key: str, data: bytes) -> None:
        _check_key(key)
        client, errors = _s3(self.endpoint_url)
        try:
            _in_time(key, lambda: client.put_object(Bucket=self.bucket, Key=key, Body=data, IfNoneMatch="*"))
        except (errors.ClientError, errors.BotoCoreError) as error:
            _raise_ours(key, error)

    def get(self, key: str) -> bytes:
        _check_key(key)
        client, errors = _s3(self.endpoint_url)
        try:
            return _in_time(key, lambda: bytes(client.get_object(Bucket=self.bucket, Key=key)["Body"].read()))
        except (errors.ClientError, errors.BotoCoreError) as error:
            _raise_ours(key, error)


def _in_time(key: str, act: Callable[[], T]) -> T:
    """What `act` gives or raises. Raises StorageUnavailable after _WHOLE_SECONDS, however the time was spent.

    A socket's timeout starts again with every byte, so a server that drips could hold a turn for minutes.
    """
    done: queue.SimpleQueue[tuple[T | None, Exception | None]] = queue.SimpleQueue()

    def work() -> None:
        try:
            done.put((act(), None))
        # It belongs to whoever waits, whatever it is.
        except Exception as error:
            done.put((None, error))

    threading.Thread(target=work, name="object-store", daemon=True).start()
    try:
        result, error = done.get(timeout=_WHOLE_SECONDS)
    except queue.Empty:
        raise StorageUnavailable(f"the object store did not do it for {key} within {_WHOLE_SECONDS} s") from None
    if error is not None:
        raise error
    return cast(T, result)


@lru_cache(maxsize=4)
def _s3(endpoint_url: str) -> tuple[Any, Any]:
    """A client, which may be shared by threads, and botocore's exceptions. boto3 is slow to import, so only here."""
    import boto3  # noqa: PLC0415
    from botocore import config, exceptions  # noqa: PLC0415

    client = boto3.session.Session().client(
        "s3",
        endpoint_url=endpoint_url,
        region_name=os.environ.get("AWS_DEFAULT_REGION", "us-east-1"),
        config=config.Config(
            connect_timeout=_CONNECT_SECONDS,
            read_timeout=_READ_SECONDS,
            retries={"total_max_attempts": 1},
            s3={"addressing_style": "path"},
            # Other servers than Amazon's do not all know its newer checksums; every document is checked by our own.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        ),
    )
    return client, exceptions


def _raise_ours(key: str, error: Exception) -> NoReturn:
    # botocore's own errors of a connection have a `response`, too, and it is None.
    code = (getattr(error, "response", None) or {}).get("Error", {}).get("Code", "")
    if code in {"NoSuchKey", "404"}:
        raise NotFound(key) from error
    if code in {"PreconditionFailed", "412"}:
        raise AlreadyExists(key) from error
    raise StorageUnavailable(f"the object store did not do it for {key}: {code or type(error).__name__}") from error


def _check_key(key: str) -> None:
    if not _KEY.fullmatch(key):
        raise ValueError(f"the key {key!r} is not a plain relative path")
