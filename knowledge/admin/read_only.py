"""Rows that only acts may write."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from knowledge.roles import STAFF_ROLES, has_role

if TYPE_CHECKING:  # generic for the type checker only
    _ModelAdmin = admin.ModelAdmin[Any]
    _TabularInline = admin.TabularInline[Any, Any]
else:
    _ModelAdmin, _TabularInline = admin.ModelAdmin, admin.TabularInline


class ReadOnlyAdmin(_ModelAdmin):
    """There is no way to add, change or delete a row; who sees them is a matter of Django's permissions."""

    show_full_result_count = False

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

    def has_add_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


class ForStaff:
    """Rows that every member of staff may see: the role decides, not Django's permissions, so a group is enough."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return has_role(request.user, *STAFF_ROLES)

    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return has_role(request.user, *STAFF_ROLES)
