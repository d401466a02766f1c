"""Stopping the store: by its folder, by the operator's commands, or not at all and then unknown."""

import sys
from pathlib import Path
from typing import Any

import pytest

from evals.outage import CannotStop, CommandOutage, FolderOutage, NoOutage, outage_for, stopped
from knowledge.storage import StorageUnavailable, open_store


@pytest.fixture
def stored(own_var_dir: Path) -> str:
    open_store().put_new("documents/one.md", b"text")
    return "documents/one.md"


def test_the_file_doors_store_is_really_away_and_back_again(stored: str):
    outage = outage_for(stop="", start="", in_process=True)
    with stopped(outage), pytest.raises(StorageUnavailable):
        open_store().get(stored)
    assert open_store().get(stored) == b"text"


def test_the_store_comes_back_whatever_happens_meanwhile(stored: str):
    with pytest.raises(RuntimeError), stopped(outage_for(stop="", start="", in_process=True)):
        raise RuntimeError
    assert open_store().get(stored) == b"text"


def test_a_store_that_a_dead_run_left_away_is_put_back(stored: str, own_var_dir: Path):
    FolderOutage(own_var_dir).stop()
    outage_for(stop="", start="", in_process=True)
    assert open_store().get(stored) == b"text"


def test_a_folder_that_is_not_there_cannot_be_stopped(own_var_dir: Path):
    with pytest.raises(CannotStop, match="could not be moved"):
        FolderOutage(own_var_dir).stop()


def test_the_operators_commands_stop_and_start(stored: str, own_var_dir: Path):
    here, away = own_var_dir / "store", own_var_dir / "away"
    outage = outage_for(stop=f"mv {here} {away}", start=f"mv {away} {here}", in_process=False)
    with stopped(outage), pytest.raises(StorageUnavailable):
        open_store().get(stored)
    assert open_store().get(stored) == b"text"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (f"{sys.executable} -c 'import sys; sys.exit(\"no such service\")'", "ended with 1: no such service"),
        (f"{sys.executable} -c 'import sys; sys.exit(3)'", "ended with 3: without a word"),
        ("no-such-program-here", "could not be run"),
    ],
)
def test_a_command_that_fails_says_so(command: str, words: str):
    with pytest.raises(CannotStop, match=words):
        CommandOutage(command, "true").stop()


def test_where_nobody_can_stop_it_there_is_a_reason(settings: Any):
    over_http = outage_for(stop="", start="", in_process=False)
    settings.S3_ENDPOINT_URL = "http://127.0.0.1:1"
    s3 = outage_for(stop="", start="", in_process=True)
    for outage in (over_http, s3):
        assert isinstance(outage, NoOutage)
        with pytest.raises(CannotStop, match="--stop-store and --start-store"):
            outage.stop()
    with pytest.raises(ValueError, match="both"):
        outage_for(stop="true", start="", in_process=True)
