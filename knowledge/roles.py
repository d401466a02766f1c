"""The role names: each is a group, and in the demo a login of that name."""

from enum import StrEnum


class Role(StrEnum):
    EDITOR = "editor"
    APPROVER = "approver"
    REVIEWER = "reviewer"
    MANAGER = "manager"
    ADJUSTER = "adjuster"
    OPERATOR = "operator"


ADMIN_LOGIN = "admin"
DEMO_LOGINS = frozenset({ADMIN_LOGIN, *(role.value for role in Role)})
