"""The demo: groups for the roles, logins with passwords that are kept, the knowledge base and the policies to type.

Everything is made once and then left alone, so this may run at every start. The logins are for DEBUG only; with DEBUG
off `portal.access` refuses them, and none is made here.
"""

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth.models import Group, Permission, User
from django.db import transaction

from claims.agent.wording import code_label
from claims.demo_policies import demo_policies, seed_policies
from knowledge import audit
from knowledge.roles import ADMIN_LOGIN, Role
from knowledge.seeding import seed_knowledge

LOGINS_FILE = "demo_logins.json"
QUESTIONS = (
    ("NW-MTR-204518", "Will my policy pay for a rental car while mine is repaired?"),
    ("the same claim", "Does that include fuel?"),
    ("NW-MTR-204519", "Will my policy pay for a rental car while mine is repaired?"),
)
# What each role's group may look at in the administration; acts ask for the role itself.
VIEWS: dict[Role, tuple[str, ...]] = {
    Role.EDITOR: ("knowledge",),
    Role.APPROVER: ("knowledge",),
    Role.REVIEWER: ("claims",),
    Role.MANAGER: ("claims", "evals"),
    Role.ADJUSTER: (),
    Role.OPERATOR: ("claims", "knowledge"),
}
# Without the letters and digits that are taken for one another.
PEOPLE: dict[str, tuple[str, str]] = {
    Role.EDITOR: ("Mere", "Walker"),
    Role.APPROVER: ("Tom", "Petersen"),
    Role.REVIEWER: ("Aroha", "Ngata"),
    Role.MANAGER: ("Priya", "Sharma"),
    Role.ADJUSTER: ("Jack", "Thompson"),
    Role.OPERATOR: ("Lin", "Chen"),
}
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


@dataclass(frozen=True)
class DemoPolicy:
    """A policy to type; `lists` is what its schedule shows, in the customer's words."""

    number: str
    family: str
    postcode: str
    lists: str


@dataclass(frozen=True)
class Login:
    """`password` is None when somebody has changed it since."""

    name: str
    password: str | None


@dataclass(frozen=True)
class Seeded:
    """`made` has a line for each thing that was not there before."""

    made: tuple[str, ...]
    logins: tuple[Login, ...]


def shown_policies() -> tuple[DemoPolicy, ...]:
    return tuple(
        DemoPolicy(
            row["policy_number"],
            row["family"],
            row["postcode"],
            ", ".join(code_label(code) for code in row["coverage_sections"]),
        )
        for row in demo_policies()
    )


def seed_groups() -> tuple[str, ...]:
    """A group for each role; the names of those made. What an administrator changed about a group stays."""
    made = []
    for role in Role:
        with transaction.atomic():
            group, is_new = Group.objects.get_or_create(name=role.value)
            if is_new:
                views = Permission.objects.filter(codename__startswith="view_", content_type__app_label__in=VIEWS[role])
                group.permissions.set(views)
                audit.record("group.make", by=audit.PORTAL, subject=role.value)
                made.append(role.value)
    return tuple(made)


def seed_demo(*, with_logins: bool, kept_in: Path) -> Seeded:
    """Make what is missing of the demo. Raises ReleaseError when the content cannot be brought in.

    `kept_in` is the folder of the file with the logins' passwords, readable by its owner only. Without logins the
    content still needs its author and its approver: two names that nobody can log in with.
    """
    groups = seed_groups()
    made = [f"groups: {', '.join(groups)}"] if groups else []
    logins: tuple[Login, ...] = ()
    if with_logins:
        logins, new_logins = _seed_logins(kept_in / LOGINS_FILE)
        made += [f"logins: {', '.join(new_logins)}"] if new_logins else []
    editor, approver = (_named(role) for role in (Role.EDITOR, Role.APPROVER))
    made += [f"wording: {line}" for line in seed_knowledge(editor=editor, approver=approver)]
    policies = seed_policies()
    made += [f"policies: {policies}"] if policies else []
    return Seeded(tuple(made), logins)


def _named(role: Role) -> User:
    """The user that content is recorded under; made without a usable password when there is none."""
    user, is_new = User.objects.get_or_create(username=role.value)
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
        user.groups.add(Group.objects.get(name=role.value))
    return user


def _seed_logins(file: Path) -> tuple[tuple[Login, ...], list[str]]:
    kept: dict[str, dict[str, str]] = json.loads(file.read_text()) if file.exists() else {}
    logins, new = [], []
    for name in (ADMIN_LOGIN, *(role.value for role in Role)):
        user = User.objects.filter(username=name).first()
        known = kept.get(name)
        if user is None or not user.has_usable_password():
            password = known["password"] if known else _password()
            user = _make_login(name, password)
            kept[name] = {"password": password, "hash": user.password}
            new.append(name)
            _write(file, kept)
        # A login whose stored hash is another one has been given a password of its own.
        is_ours = name in kept and kept[name]["hash"] == user.password
        logins.append(Login(name, kept[name]["password"] if is_ours else None))
    return tuple(logins), new


@transaction.atomic
def _make_login(name: str, password: str) -> User:
    user, _ = User.objects.get_or_create(username=name)
    user.is_staff, user.is_superuser = True, name == ADMIN_LOGIN
    # Customers read who answered them: the demo's people have names of their own.
    user.first_name, user.last_name = PEOPLE.get(name, ("", ""))
    user.set_password(password)
    user.save()
    if name != ADMIN_LOGIN:
        user.groups.add(Group.objects.get(name=name))
    audit.record("login.make", by=audit.PORTAL, subject=name)
    return user


def _password() -> str:
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(4))


def _write(file: Path, kept: dict[str, dict[str, str]]) -> None:
    """Replace the file in one step; it is never there for others to read, and never half written."""
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as handle:
        json.dump(kept, handle, indent=1)
    new.replace(file)
