"""Who is shown the way to staff's pages of the knowledge base, on the first page of the administration."""

from typing import Any

from django import template

from knowledge.roles import STAFF_ROLES, has_role

register = template.Library()


@register.filter
def may_read_wording(user: Any) -> bool:
    return has_role(user, *STAFF_ROLES)
