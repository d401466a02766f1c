"""The question inventory for staff: its rows, and which of them the wording in force answers (E8)."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone

from knowledge.admin.read_only import ForStaff, ReadOnlyAdmin, ReadOnlyInline
from knowledge.answers import Missing
from knowledge.inventory import CoveredQuestion, FamilyCoverage, inventory_coverage
from knowledge.models import Question, QuestionClause
from knowledge.question_rules import Coverage

STATUSES = {
    Coverage.COVERED: "covered",
    Coverage.PARTLY: "partly",
    Coverage.MISSING: "missing",
    Coverage.SAYS_NOT_INCLUDED: "says not included",
    Coverage.NONE_BY_DESIGN: "none by design",
}
ABSENT = {
    Missing.NO_RELEASE: "No release of this family is in force, so nothing of it can be answered.",
    Missing.BEFORE_FIRST: "The first release of this family starts after this day.",
}


@dataclass(frozen=True)
class Row:
    """A question as the table shows it: its class and its status in words too."""

    covered: CoveredQuestion
    kind: str
    status: str


@dataclass(frozen=True)
class FamilyTable:
    """A family with the counts of all its questions, and those of them that are shown."""

    coverage: FamilyCoverage
    absent: str
    counts: tuple[int, ...]
    shown: tuple[Row, ...]

    @property
    def total(self) -> int:
        return sum(self.counts)


class QuestionClauseInline(ForStaff, ReadOnlyInline):
    model = QuestionClause
    fields = readonly_fields = ("position", "clause_id")
    ordering = ("id",)
    verbose_name_plural = "clauses: expected in this order; without a position acceptable beside them"


@admin.register(Question)
class QuestionAdmin(ForStaff, ReadOnlyAdmin):
    list_display = ("code", "family", "text", "kind", "voice", "language", "fixture", "clause_ids")
    list_filter = ("family", "kind", "voice", "language", "fixture")
    list_select_related = ("family__insurer",)
    list_per_page = 120
    search_fields = ("code", "text", "clauses__clause_id")
    search_help_text = "Words of the question, its id, or the number of a clause"
    ordering = ("position",)
    inlines = (QuestionClauseInline,)
    change_list_template = "admin/knowledge/question/list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("clauses")

    @admin.display(description="clauses")
    def clause_ids(self, question: Question) -> str:
        expected = [(clause.position, clause.clause_id) for clause in question.clauses.all() if clause.position]
        return ", ".join(clause_id for _, clause_id in sorted(expected)) or "none"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.coverage_view)
        return [path("coverage/", view, name="knowledge_question_coverage"), *super().get_urls()]

    def coverage_view(self, request: HttpRequest) -> HttpResponse:
        """Every family with its questions and their status on a day; `family` and `status` in the address narrow it."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        day, problem = _day(request.GET.get("day", ""))
        families = inventory_coverage(day)
        family, status = request.GET.get("family", ""), request.GET.get("status", "")
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "What the wording answers",
            "day": day.isoformat(),
            "typed_day": request.GET.get("day", day.isoformat()),
            "problem": problem,
            "statuses": STATUSES,
            "tables": tuple(_table(found, status) for found in families),
            "family": family if family in {found.family for found in families} else "",
            "status": status if status in STATUSES else "",
        }
        page = "admin/knowledge/question/coverage.html"
        return TemplateResponse(request, page, context, status=400 if problem else 200)


def _day(typed: str) -> tuple[date, str]:
    """The day that was typed, today when none was; and what is wrong with it."""
    if not typed:
        return timezone.localdate(), ""
    try:
        return date.fromisoformat(typed), ""
    except ValueError:
        return timezone.localdate(), "Write the day like 2027-04-30. The table is of today."


def _table(found: FamilyCoverage, status: str) -> FamilyTable:
    chosen = (covered for covered in found.questions if status not in STATUSES or covered.status == status)
    return FamilyTable(
        coverage=found,
        absent=ABSENT[found.missing] if found.missing else "",
        counts=tuple(found.counts[each] for each in STATUSES),
        shown=tuple(
            Row(covered, covered.question.kind.replace("_", " "), STATUSES[covered.status]) for covered in chosen
        ),
    )
