"""A named place ends the process at once, and only the one that PORTAL_FAULT_POINT names."""

import os

import pytest

from claims import fault_points
from claims.fault_points import KILLED, NAMES, reached


@pytest.fixture
def ended(monkeypatch):
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    return codes


def test_nothing_happens_where_nothing_is_named(ended, settings):
    assert settings.PORTAL_FAULT_POINT == ""
    for name in NAMES:
        reached(name)
    assert ended == []


@pytest.mark.parametrize("name", NAMES)
def test_only_the_named_place_ends_the_process(ended, settings, name):
    settings.PORTAL_FAULT_POINT = name
    for other in NAMES:
        reached(other)
    assert ended == [KILLED] == [137]


def test_every_place_is_in_the_list():
    places = {value for key, value in vars(fault_points).items() if key.isupper() and isinstance(value, str)}
    assert places == set(NAMES)
