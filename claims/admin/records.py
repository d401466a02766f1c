"""Claims, their facts, messages, turns and citations, and the policies on file: to look at, never to change."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.text import Truncator

from claims.admin.read_only import ReadOnlyAdmin, ReadOnlyInline
from claims.admin.turn_page import turn_page
from claims.models import Citation, Claim, Fact, Message, PolicySchedule, Turn, WaitingItem
from claims.turn_records import find_turn

SHORT = 90


def _short(text: str) -> str:
    return Truncator(text).chars(SHORT)


@admin.register(PolicySchedule)
class PolicyScheduleAdmin(ReadOnlyAdmin):
    list_display = ("policy_number", "insurer", "family", "sections")
    list_filter = ("family",)
    search_fields = ("policy_number",)
    ordering = ("policy_number",)
    fields = ("policy_number", "insurer", "family", "postcode", "sections", "details_shown")

    @admin.display(description="coverage sections")
    def sections(self, schedule: PolicySchedule) -> str:
        return ", ".join(schedule.coverage_sections)

    @admin.display(description="details")
    def details_shown(self, schedule: PolicySchedule) -> str:
        return format_html_join("", "<div>{}: {}</div>", ((d["label"], d["value"]) for d in schedule.details)) or "-"


class FactInline(ReadOnlyInline):
    model = Fact
    fields = ("field", "value", "words", "confirmed", "at")
    ordering = ("at",)


class MessageInline(ReadOnlyInline):
    model = Message
    fields = ("seq", "sender", "name", "text", "at")
    ordering = ("seq",)


class TurnInline(ReadOnlyInline):
    model = Turn
    fields = ("seq", "text", "status", "outcome", "waiting_item", "at")
    ordering = ("seq",)


class WaitingInline(ReadOnlyInline):
    model = WaitingItem
    fields = readonly_fields = ("reference", "question", "reason", "status", "owner", "due_at", "done_at")
    ordering = ("at",)
    show_change_link = False


@admin.register(Claim)
class ClaimAdmin(ReadOnlyAdmin):
    list_display = ("reference", "policy_number", "policy_shown", "purpose", "last_turn_seq", "decided_at", "opened_at")
    list_filter = ("purpose", "policy_shown", "opened_at")
    search_fields = ("reference", "policy_number")
    ordering = ("-opened_at",)
    exclude = ("token_sha256", "address_sha256")
    inlines = (FactInline, MessageInline, TurnInline, WaitingInline)


@admin.register(Fact)
class FactAdmin(ReadOnlyAdmin):
    list_display = ("claim", "field", "short_value", "confirmed", "at")
    list_filter = ("field", "confirmed")
    list_select_related = ("claim",)
    search_fields = ("claim__reference", "value")
    ordering = ("-at",)

    @admin.display(description="value")
    def short_value(self, fact: Fact) -> str:
        return _short(fact.value)


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin):
    list_display = ("claim", "seq", "sender", "name", "short_text", "language", "at")
    list_filter = ("sender", "language", "at")
    list_select_related = ("claim",)
    search_fields = ("claim__reference", "text")
    ordering = ("-at", "claim", "-seq")
    exclude = ("body_sha256",)

    @admin.display(description="text")
    def short_text(self, message: Message) -> str:
        return _short(message.text)


@admin.register(Citation)
class CitationAdmin(ReadOnlyAdmin):
    list_display = ("clause_id", "version", "title", "turn_link")
    list_filter = ("version",)
    search_fields = ("clause_id", "title", "turn__claim__reference")
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("turn__claim")

    @admin.display(description="turn")
    def turn_link(self, citation: Citation) -> str:
        claim, seq = citation.turn.claim.reference, citation.turn.seq
        return format_html('<a href="../turn/{}/change/">{}, turn {}</a>', citation.turn_id, claim, seq)


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    """The list shows how turns ended; the page of one shows how its answer came about (M59)."""

    list_display = ("at", "claim", "seq", "short_text", "outcome", "status", "waiting_item", "safe_reply", "total_ms")
    list_display_links = ("at",)
    list_filter = ("outcome", "status", "safe_reply", "repaired", "useful", "release_version", "claim__purpose", "at")
    list_select_related = ("claim", "waiting_item")
    search_fields = ("claim__reference", "text", "citations__clause_id")
    ordering = ("-at",)
    change_form_template = "admin/claims/turn/record.html"

    @admin.display(description="message")
    def short_text(self, turn: Turn) -> str:
        return _short(turn.text)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        turn = find_turn(row.pk) if row is not None else None
        if turn is None:
            return super().change_view(request, object_id, form_url, extra_context)
        title = f"Turn {turn.seq} of {turn.claim.reference}"
        shown = {"turn": turn_page(turn), "title": title, "subtitle": None}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **shown})
