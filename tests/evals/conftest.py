"""The evaluation runs on the portal that the claims' tests lay."""

from typing import Any

import pytest

from tests.claims.conftest import model, portal, seeded_store, store, warm_litellm  # noqa: F401 (fixtures)


@pytest.fixture
def manager(db: None, settings: Any) -> Any:
    """The demo's manager, whose login and tokens are good in the demo only."""
    settings.DEBUG = True
    from django.contrib.auth.models import Group, User

    user = User.objects.create(username="manager")
    user.groups.add(Group.objects.get_or_create(name="manager")[0])
    return user
