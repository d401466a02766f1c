"""The role names: each is a group, and in the demo a login of that name."""

from enum import StrEnum
from typing import Any


class Role(StrEnum):
    EDITOR = "editor"
    APPROVER = "approver"
    REVIEWER = "reviewer"
    MANAGER = "manager"
    ADJUSTER = "adjuster"
    OPERATOR = "operator"


# Who may read what the insurer has written and what became of a turn. Adjusters work on files of their own.
STAFF_ROLES = (Role.REVIEWER, Role.MANAGER, Role.EDITOR, Role.APPROVER, Role.OPERATOR)

ADMIN_LOGIN = "admin"
DEMO_LOGINS = frozenset({ADMIN_LOGIN, *(role.value for role in Role)})


def has_role(user: Any, *roles: Role) -> bool:
    """Does this user, a row of Django's user table or nobody, have one of the roles? A superuser has every role."""
    if not user.is_authenticated or not user.is_active:
        return False
    return bool(user.is_superuser or user.groups.filter(name__in=[role.value for role in roles]).exists())
