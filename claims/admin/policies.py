"""Adjusters' uploads, for operators who look after them: how far each is, never what it is called or holds."""

from django.contrib import admin

from claims.admin.read_only import ReadOnlyAdmin
from claims.models import PolicyDocument, Relabel
from knowledge.roles import Role


@admin.register(PolicyDocument)
class PolicyDocumentAdmin(ReadOnlyAdmin):
    """A file is its adjuster's own (A11); its name can name a customer, and a reason can quote a name."""

    readers = (Role.OPERATOR,)
    list_display = ("id", "owner", "status", "stage", "unreadable", "attempts", "size", "at", "done_at")
    list_filter = ("status", "unreadable", "at")
    list_select_related = ("owner",)
    search_fields = ("id", "owner__username", "sha256")
    ordering = ("-at",)
    fields = (*list_display, "sha256", "reading_sha256", "lease_until")


@admin.register(Relabel)
class RelabelAdmin(ReadOnlyAdmin):
    """That a section was given another kind and by whom; the reason is the adjuster's own."""

    readers = (Role.OPERATOR,)
    list_display = ("document_id", "section_id", "kind", "by", "at")
    list_filter = ("kind", "at")
    list_select_related = ("by",)
    search_fields = ("document__id", "by__username")
    ordering = ("-at",)
    fields = ("section_id", "kind", "by", "at")
