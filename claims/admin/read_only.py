"""Rows that only acts may write: who may look at them, and that nobody changes them here.

Roles decide, not Django's permissions: a new member of staff needs a group and nothing else.
"""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from knowledge.roles import Role, has_role

if TYPE_CHECKING:  # generic for the type checker only
    _ModelAdmin = admin.ModelAdmin[Any]
    _TabularInline = admin.TabularInline[Any, Any]
else:
    _ModelAdmin, _TabularInline = admin.ModelAdmin, admin.TabularInline

READERS = (Role.REVIEWER, Role.MANAGER, Role.OPERATOR)


class ReadOnlyAdmin(_ModelAdmin):
    """`readers` see the rows. There is no way to add, change or delete one."""

    readers: tuple[Role, ...] = READERS
    actions = None
    list_per_page = 50
    show_full_result_count = False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return has_role(request.user, *self.readers)

    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return has_role(request.user, *self.readers)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


class ReadOnlyInline(_TabularInline):
    """Rows of another table beside the one they belong to."""

    extra = 0
    can_delete = False
    show_change_link = True

    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return has_role(request.user, *READERS)

    def has_add_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False
