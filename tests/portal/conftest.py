"""The seeded portal of the claims' tests, a customer with an open claim, and a model with a fixed part."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.claims.conftest import seeded_store, store  # noqa: F401  (fixtures)


@pytest.fixture
def portal(store: Path, db: None, settings: Any) -> None:  # noqa: F811
    """The seeded portal as the demo runs it, which asks for no postcode, with the rates off."""
    settings.DEBUG = True
    settings.PORTAL_CLAIMS_AN_HOUR = settings.PORTAL_MESSAGES_A_MINUTE = 0


@pytest.fixture
def customer(portal: None) -> Any:
    from tests.builders_pages import Customer

    someone = Customer()
    assert someone.open().status_code == 302
    return someone


@pytest.fixture
def answers_about_rental(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """The model names the hire car clause; with `wants_decision` it says that a decision is asked for."""

    from tests.builders_api import QUESTION_PLAN, play

    def use(**plan: Any) -> None:
        play(
            monkeypatch,
            plan={**QUESTION_PLAN, **plan},
            context_resolve={"clause_ids": ["MTR-BEN-03"]},
            answer={"segments": [{"kind": "plain", "clause_id": "MTR-BEN-03", "line": 1}]},
        )

    return use
