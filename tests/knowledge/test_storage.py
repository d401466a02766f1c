"""Both doors of the object store, by the same tests."""

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from knowledge.storage import AlreadyExists, FileStore, NotFound, S3Store, StorageUnavailable, Store, open_store

BOTH = ["files", pytest.param("s3", marks=pytest.mark.objects)]


@pytest.fixture(params=BOTH)
def store(request: pytest.FixtureRequest) -> Store:
    made: Store = open_store() if request.param == "files" else request.getfixturevalue("s3_store")
    made.put_new("first", b"x")
    return made


def test_what_was_put_is_what_is_got(store: Store) -> None:
    for key, data in {"a/b/c.md": "ngā mihi".encode(), "empty": b"", "big": os.urandom(300_000)}.items():
        store.put_new(key, data)
        assert store.get(key) == data


def test_a_missing_object_is_not_found(store: Store) -> None:
    for key in ("missing", "a/missing", "first-and-more"):
        with pytest.raises(NotFound):
            store.get(key)


def test_an_object_is_created_once_and_never_overwritten(store: Store) -> None:
    for data in (b"x", b"other"):
        with pytest.raises(AlreadyExists):
            store.put_new("first", data)
    assert store.get("first") == b"x"


def test_of_several_writers_one_wins(store: Store) -> None:
    outcomes: list[str] = []

    def write(data: bytes) -> None:
        try:
            store.put_new("raced", data)
            outcomes.append(data.decode())
        except (AlreadyExists, StorageUnavailable):
            pass

    writers = [threading.Thread(target=write, args=(str(n).encode(),)) for n in range(6)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(outcomes) == 1
    assert store.get("raced").decode() == outcomes[0]


@pytest.mark.parametrize(
    "key", ["", "/etc/passwd", "../secret", "a/../../secret", "a//b", ".hidden", "a/.b", "a\\b", "a b", "a\n"]
)
def test_a_key_is_a_plain_path_inside_the_store(store: Store, key: str) -> None:
    with pytest.raises(ValueError, match="plain relative path"):
        store.put_new(key, b"x")
    with pytest.raises(ValueError, match="plain relative path"):
        store.get(key)


def test_a_link_does_not_lead_out_of_the_store(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "store")
    store.put_new("first", b"x")
    (tmp_path / "store" / "out").symlink_to(tmp_path)
    (tmp_path / "secret").write_bytes(b"secret")
    with pytest.raises(ValueError, match="leaves the store"):
        store.get("out/secret")
    with pytest.raises(ValueError, match="leaves the store"):
        store.put_new("out/new", b"x")


def test_M29_a_store_whose_folder_is_gone_is_unavailable_not_empty(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailable):
        FileStore(tmp_path / "nowhere").get("first")


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    store = FileStore(tmp_path / "store")
    store.put_new("a/first", b"x")
    with pytest.raises(AlreadyExists):
        store.put_new("a/first", b"y")
    (tmp_path / "store" / "file").write_bytes(b"")
    with pytest.raises(StorageUnavailable):
        store.put_new("file/below", b"x")
    assert sorted(path.name for path in (tmp_path / "store").rglob("*")) == ["a", "file", "first"]


def test_the_settings_choose_the_door(settings: Any) -> None:
    files = open_store()
    assert isinstance(files, FileStore) and files.root == settings.VAR_DIR / "store"
    settings.S3_ENDPOINT_URL, settings.S3_BUCKET = "http://127.0.0.1:1", "bucket"
    assert isinstance(open_store(), S3Store)


def test_M29_an_endpoint_that_does_not_answer_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
    store = S3Store("http://127.0.0.1:9", "bucket")
    with pytest.raises(StorageUnavailable):
        store.get("first")
    with pytest.raises(StorageUnavailable):
        store.put_new("first", b"x")


@pytest.mark.objects
def test_M29_a_bucket_that_is_not_there_is_unavailable(s3_store: S3Store) -> None:
    with pytest.raises(StorageUnavailable):
        S3Store(s3_store.endpoint_url, "no-such-bucket").get("first")
