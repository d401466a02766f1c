"""A run: the cases of a family, one after another, each in a claim of its own, and the report of what was seen."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from knox.models import AuthToken

from evals.cases import Case, InventoryError, conversation, read_cases
from evals.driver import Call, observe
from evals.report import Report, make_report
from evals.scoring import Observation, Unknown
from knowledge import audit
from knowledge.roles import Role, has_role
from knowledge.seeding import CONTENT

TOKEN_LIFE = timedelta(hours=12)


class CannotRun(Exception):
    """The run cannot begin; the message says what to do."""


def inventory() -> tuple[Case, ...]:
    """The question inventory that comes with the product. Raises CannotRun."""
    try:
        return read_cases((CONTENT / "inventory.yaml").read_text(encoding="utf-8"))
    except (OSError, InventoryError) as error:
        raise CannotRun(f"The question inventory cannot be read: {error}") from error


def chosen(cases: tuple[Case, ...], family: str, only: tuple[str, ...] = ()) -> tuple[Case, ...]:
    """The cases of a family, or those that `only` names of it. Raises CannotRun for an id that is not there."""
    of_family = tuple(case for case in cases if case.family == family)
    strange = sorted(set(only) - {case.id for case in of_family})
    if strange:
        raise CannotRun(f"The inventory has no {family} question {', '.join(strange)}.")
    return tuple(case for case in of_family if not only or case.id in only)


@contextmanager
def token_of(login: str) -> Iterator[str]:
    """A staff token of this login for the time of a run, revoked after it. Raises CannotRun."""
    user = User.objects.filter(username=login, is_active=True).first()
    if user is None or not has_role(user, Role.MANAGER, Role.OPERATOR):
        raise CannotRun(f"There is no active login {login} that is a manager or an operator. Name one with --by.")
    with transaction.atomic():
        row, token = AuthToken.objects.create(user=user, expiry=TOKEN_LIFE)
        audit.record("token.create", by=user, subject=login, detail={"key": row.token_key, "for": "evaluation"})
    try:
        yield token
    finally:
        with transaction.atomic():
            audit.record("token.revoke", by=user, subject=login, detail={"key": row.token_key, "for": "evaluation"})
            row.delete()


def run_cases(
    *,
    family: str,
    cases: tuple[Case, ...],
    every: tuple[Case, ...],
    call: Call,
    staff_token: str,
    on_result: Callable[[Observation | Unknown], None] = lambda result: None,
) -> Report:
    """Ask every case and report. `every` holds the rows that a case may come after."""
    results = []
    for case in cases:
        results.append(observe(case, conversation(case, every), call, staff_token))
        on_result(results[-1])
    return make_report(family, cases, tuple(results))
