"""Who is shown the way to the adjuster's pages, on the first page of the administration."""

from typing import Any

from django import template

from knowledge.roles import Role, has_role

register = template.Library()


@register.filter
def is_adjuster(user: Any) -> bool:
    return has_role(user, Role.ADJUSTER)
