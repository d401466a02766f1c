"""The waiting list as staff work it: five views of a list, and one page for each item with all that can be done."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import Truncator

from claims.admin.acts import ACTS, TYPED, Problem, carry_out
from claims.admin.case import case_of, find_item
from claims.admin.read_only import ReadOnlyAdmin
from claims.agent import wording
from claims.models import WaitingItem
from claims.waiting_list import list_items, overdue_by, staff_name
from knowledge.roles import Role

VIEWS = {"": "All that waits", "mine": "Mine", "unowned": "Unowned", "overdue": "Overdue", "done": "Done"}
EMPTY = {
    "": "Nothing waits for staff.",
    "mine": "You have taken nothing. Look at what is unowned.",
    "unowned": "Everything that waits has an owner.",
    "overdue": "Nothing is overdue.",
    "done": "Nothing has been answered or closed yet.",
}
_DRAFTS = "waiting_list_drafts"


class WaitingChangeList(ChangeList):
    """Its rows come from `list_items`; `view` in the address names which, and is no filter of the admin's."""

    def get_filters_params(self, params: dict[str, Any] | None = None) -> dict[str, Any]:
        given = super().get_filters_params(params)
        given.pop("view", None)
        return given


def _user(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def _view(request: HttpRequest) -> str:
    asked = request.GET.get("view", "")
    return asked if asked in VIEWS else ""


@admin.register(WaitingItem)
class WaitingItemAdmin(ReadOnlyAdmin):
    """Only reviewers see it and act on it: what stands here was written by customers in confidence."""

    readers = (Role.REVIEWER,)
    list_display = ("reference", "due", "question_shown", "why", "owner_name", "status", "asked_at")
    list_per_page = 25
    search_fields = ("reference", "question", "claim__reference", "claim__policy_number", "owner__username")
    search_help_text = "Words of the question, a reference, a policy number, a login"
    sortable_by = ()
    change_list_template = "admin/claims/waitingitem/list.html"

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return WaitingChangeList

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return list_items(view=_view(request), user=_user(request), now=timezone.now())

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return ("-done_at", "id") if _view(request) == "done" else ("due_at", "at", "id")

    @admin.display(description="question")
    def question_shown(self, item: WaitingItem) -> str:
        return Truncator(item.question).chars(120)

    @admin.display(description="why it waits")
    def why(self, item: WaitingItem) -> str:
        return wording.REASONS_IN_WORDS[item.reason]

    @admin.display(description="due (New Zealand time)")
    def due(self, item: WaitingItem) -> str:
        at = _when(item.due_at)
        if overdue_by(item, timezone.now()) is None:
            return at
        return format_html('{} <strong class="overdue">overdue</strong>', at)

    @admin.display(description="owner")
    def owner_name(self, item: WaitingItem) -> str:
        return "-" if item.owner is None else staff_name(item.owner)

    @admin.display(description="asked")
    def asked_at(self, item: WaitingItem) -> str:
        return _when(item.at)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        user, now, chosen = _user(request), timezone.now(), _view(request)
        views = [
            {
                "name": name,
                "label": label,
                "count": list_items(view=name, user=user, now=now).count(),
                "is_chosen": name == chosen,
            }
            for name, label in VIEWS.items()
        ]
        context = {
            "title": "Waiting list",
            "views": views,
            "view_name": chosen,
            "empty": EMPTY[chosen],
        }
        return super().changelist_view(request, {**(extra_context or {}), **context})

    def get_urls(self) -> list[URLPattern]:
        wrap, site = self.admin_site.admin_view, "claims_waitingitem"
        return [
            path("<uuid:item_id>/change/", wrap(self.case_view), name=f"{site}_change"),
            path("<uuid:item_id>/<slug:act>/", wrap(self.act_view), name=f"{site}_act"),
            path("", wrap(self.changelist_view), name=f"{site}_changelist"),
        ]

    def case_view(self, request: HttpRequest, item_id: UUID) -> HttpResponse:
        """The whole case. What was typed beside the act before is here again."""
        self._item(request, item_id)
        drafts = request.session.pop(_DRAFTS, {}).get(str(item_id), {})
        return self._page(request, item_id, drafts)

    def act_view(self, request: HttpRequest, item_id: UUID, act: str) -> HttpResponse:
        """Carry out one act; when it is not possible the page comes back with the reason and every word typed."""
        item = self._item(request, item_id)
        if act not in ACTS:
            raise Http404
        case = HttpResponseRedirect(reverse("admin:claims_waitingitem_change", args=[item_id]))
        if request.method != "POST":
            return case
        problem = carry_out(ACTS[act], item, by=_user(request), typed=request.POST, now=timezone.now())
        if problem is not None:
            return self._page(request, item_id, request.POST, problem)
        used = ACTS[act].form.base_fields
        left = {name: request.POST[name] for name in TYPED if name not in used and request.POST.get(name)}
        if left:
            request.session[_DRAFTS] = {str(item_id): left}
        self.message_user(request, ACTS[act].done.format(item.reference))
        return case

    def _item(self, request: HttpRequest, item_id: UUID) -> WaitingItem:
        if not self.has_view_permission(request):
            raise PermissionDenied
        item = find_item(item_id)
        if item is None:
            raise Http404
        return item

    def _page(
        self, request: HttpRequest, item_id: UUID, typed: Mapping[str, Any], problem: Problem | None = None
    ) -> HttpResponse:
        item = self._item(request, item_id)
        seen = str(typed.get("seen_seq", ""))
        seen_seq = int(seen) if problem is not None and seen.isdecimal() and len(seen) < 10 else None
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{item.reference} on the waiting list",
            "case": case_of(item, viewer=_user(request), now=timezone.now(), seen_seq=seen_seq),
            "typed": {name: typed.get(name, "") for name in (*TYPED, "send_anyway")},
            "problem": problem,
        }
        status = 200 if problem is None else 409 if problem.standing else 400
        return TemplateResponse(request, "admin/claims/waitingitem/case.html", context, status=status)


def _when(at: Any) -> str:
    local = timezone.localtime(at)
    return f"{local:%a} {local.day} {local:%b %Y, %H:%M}"
