"""`portal`: the motor wording and the demo's policies, written once a module that asks for it and rolled back after.

Home and contents stay families without a release here, whatever the content folder holds.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings

from tests.fakellm import FakeLLM, Script, nothing


@pytest.fixture(scope="module")
def seeded_store(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """The folder of the store that the seeded rows belong to. The rows stand in a transaction around the module."""
    from django.contrib.auth.models import User

    from claims.demo_policies import seed_policies
    from knowledge.seeding import CONTENT, seed_knowledge

    folder = tmp_path_factory.mktemp("seeded")
    for path in (*CONTENT.glob("families.yaml"), *CONTENT.glob("*/motor.md")):
        copy = folder / "content" / path.relative_to(CONTENT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    around = transaction.atomic()
    with django_db_blocker.unblock():
        around.__enter__()
        editor, approver = (User.objects.create(username=name) for name in ("editor", "approver"))
        with override_settings(VAR_DIR=folder):
            seed_knowledge(editor=editor, approver=approver, content=folder / "content")
        seed_policies()
    yield folder / "store"
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        around.__exit__(None, None, None)


@pytest.fixture
def store(seeded_store: Path, own_var_dir: Path) -> Path:
    """This test's own copy of the store's folder."""
    return Path(shutil.copytree(seeded_store, own_var_dir / "store"))


@pytest.fixture
def portal(store: Path, db: None, settings: Any) -> None:
    """The seeded portal, with the rates off. Not in debug mode, which logs every query at the price of a second one."""
    settings.PORTAL_CLAIMS_AN_HOUR = settings.PORTAL_MESSAGES_A_MINUTE = 0


@pytest.fixture(scope="session")
def warm_litellm() -> None:
    """The first call of a process loads for seconds; a test with a short time limit must not pay for it."""
    from claims.agent.model import ModelConfig, ask_model
    from claims.agent.tools import PLAN

    with pytest.MonkeyPatch.context() as patch, FakeLLM([nothing()]) as fake:
        patch.setenv("PORTAL_MODEL_API_KEY", "x")
        ask_model(ModelConfig("openai/scripted", fake.base_url, 60.0), [{"role": "user", "content": "x"}], PLAN, 60.0)


@pytest.fixture
def model(
    warm_litellm: None, fakellm: Callable[[Script], FakeLLM], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Script], FakeLLM]:
    """Make a scripted model and have the portal use it: LiteLLM and a real HTTP server on loopback."""

    def use(script: Script) -> FakeLLM:
        fake = fakellm(script)
        settings.PORTAL_MODEL = "openai/scripted"
        settings.PORTAL_MODEL_API_BASE = fake.base_url
        monkeypatch.setenv("PORTAL_MODEL_API_KEY", "x")
        return fake

    return use


@pytest.fixture
def staff(db: None) -> Any:
    """A reviewer with a token."""
    from django.contrib.auth.models import Group, User
    from knox.models import AuthToken
    from rest_framework.test import APIClient

    user = User.objects.create(username="aroha", first_name="Aroha", last_name="Ngata")
    user.groups.add(Group.objects.get_or_create(name="reviewer")[0])
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {AuthToken.objects.create(user=user)[1]}")
    return client


@pytest.fixture
def record(staff: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """How a turn came about, as staff read it."""

    def read(turn: dict[str, Any]) -> dict[str, Any]:
        response = staff.get(f"/api/turns/{turn['id']}/record/")
        assert response.status_code == 200, response.content
        found: dict[str, Any] = response.json()
        return found

    return read
