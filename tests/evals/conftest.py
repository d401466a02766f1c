"""The evaluation runs on the portal that the claims' tests lay."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from tests.claims.conftest import model, portal, seeded_store, store, warm_litellm  # noqa: F401 (fixtures)


@pytest.fixture(autouse=True)
def the_tests_own_connection() -> Iterator[None]:
    """A request closes a connection whose autocommit is off, and here that is the one whose rows are rolled back.

    Django's test client stays off these signals, too; the run under test calls the handler as a web server does.
    """
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def manager(db: None, settings: Any) -> Any:
    """The demo's manager, whose login and tokens are good in the demo only."""
    settings.DEBUG = True
    from django.contrib.auth.models import Group, User

    user = User.objects.create(username="manager")
    user.groups.add(Group.objects.get_or_create(name="manager")[0])
    return user


@pytest.fixture(autouse=True)
def inventory(request: pytest.FixtureRequest) -> None:
    """What an evaluation asks is rows; each test with a database has the product's questions in it."""
    if request.node.get_closest_marker("django_db") or "db" in request.fixturenames:
        from tests.builders_evals import fill_inventory

        request.getfixturevalue("db")
        fill_inventory()
