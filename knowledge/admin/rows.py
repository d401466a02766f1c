"""The rows of the wording, to look at. Rows change through the acts; approving and withdrawing are actions."""

from collections.abc import Callable

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest

from knowledge.admin.read_only import ReadOnlyAdmin, ReadOnlyInline
from knowledge.audit import AuditEntry
from knowledge.models import (
    Clause,
    Family,
    IngestionRun,
    Insurer,
    Release,
    ReleaseItem,
    Revision,
    Sentence,
)
from knowledge.releases import ReleaseError, approve, withdraw
from knowledge.roles import Role


class ReleaseItemInline(ReadOnlyInline):
    model = ReleaseItem
    fields = readonly_fields = ("position", "revision")
    ordering = ("position",)


@admin.register(Insurer)
class InsurerAdmin(ReadOnlyAdmin):
    list_display = ("code", "name")


@admin.register(Family)
class FamilyAdmin(ReadOnlyAdmin):
    list_display = ("code", "insurer", "name", "clause_prefix", "document_id")
    list_select_related = ("insurer",)


@admin.register(Clause)
class ClauseAdmin(ReadOnlyAdmin):
    list_display = ("clause_id", "family", "created_at")
    list_filter = ("family", "kind")
    list_select_related = ("family__insurer",)
    search_fields = ("clause_id",)


@admin.register(Revision)
class RevisionAdmin(ReadOnlyAdmin):
    list_display = ("clause", "title", "schedule_section", "author", "created_at")
    list_filter = ("clause__family",)
    list_select_related = ("clause", "author")
    search_fields = ("clause__clause_id", "title")


@admin.register(Release)
class ReleaseAdmin(ReadOnlyAdmin):
    list_display = ("version", "family", "state", "effective_from", "visibility", "approved_by", "approved_at")
    list_filter = ("state", "family")
    list_select_related = ("family__insurer", "approved_by")
    ordering = ("family", "-effective_from")
    inlines = (ReleaseItemInline,)
    actions = ("approve_releases", "withdraw_releases")

    def has_approve_permission(self, request: HttpRequest) -> bool:
        user = request.user
        return user.is_superuser or user.groups.filter(name=Role.APPROVER).exists()

    @admin.action(description="Approve: in force from its day on", permissions=["approve"])
    def approve_releases(self, request: HttpRequest, releases: QuerySet[Release]) -> None:
        self._each(request, releases, "approved", lambda release, by: approve(release.pk, by=by))

    @admin.action(description="Withdraw: never used again", permissions=["approve"])
    def withdraw_releases(self, request: HttpRequest, releases: QuerySet[Release]) -> None:
        reason = "withdrawn in the administration"
        self._each(request, releases, "withdrawn", lambda release, by: withdraw(release.pk, by=by, reason=reason))

    def _each(
        self, request: HttpRequest, releases: QuerySet[Release], done: str, act: Callable[[Release, User], None]
    ) -> None:
        if not isinstance(request.user, User):
            return
        for release in releases.select_related("family").order_by("effective_from"):
            try:
                act(release, request.user)
                self.message_user(request, f"{release} is {done}.")
            except ReleaseError as error:
                self.message_user(request, str(error), messages.ERROR)


@admin.register(Sentence)
class SentenceAdmin(ReadOnlyAdmin):
    list_display = ("entry", "index", "part", "always", "start", "end", "sha256")
    list_filter = ("part", "always")
    list_select_related = ("entry__clause",)
    search_fields = ("entry__clause__clause_id",)


@admin.register(IngestionRun)
class IngestionRunAdmin(ReadOnlyAdmin):
    list_display = ("release", "state", "problems", "by", "at")
    list_filter = ("state",)
    list_select_related = ("release__family__insurer", "by")
    ordering = ("-at",)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("at", "act", "by_name", "subject", "detail")
    list_filter = ("act",)
    search_fields = ("subject", "by_name")
    ordering = ("-id",)
