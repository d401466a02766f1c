"""How many questions wait for staff, for the first page of the administration."""

from typing import Any

from django import template
from django.utils import timezone

from claims.waiting_list import list_items
from knowledge.roles import Role, has_role

register = template.Library()


@register.simple_tag
def waiting_counts(user: Any) -> dict[str, int] | None:
    """{waiting, unowned, overdue, mine}, the same counts as the list's own views; None for who may not see the list."""
    if not has_role(user, Role.REVIEWER):
        return None
    views = {"waiting": "", "unowned": "unowned", "overdue": "overdue", "mine": "mine"}
    now = timezone.now()
    return {name: list_items(view=view, user=user, now=now).count() for name, view in views.items()}
