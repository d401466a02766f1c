"""Evaluation runs for staff: the list, and one page for each with its whole report. Nothing is changed here."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from claims.admin.read_only import ReadOnlyAdmin
from evals.figures import in_words
from evals.measures import MEASURES
from evals.models import Run
from evals.report import PLUMBING, QUALITY, is_plumbing
from evals.report_text import MAIN, STAFF, cost_rows, counted, provenance_rows
from evals.report_values import FamilyFigures, Report
from evals.run_reports import report_of, state_now


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    """Managers and operators read it, and reviewers; begun by `manage.py run_evals` or over the API."""

    list_display = ("started_at", "what", "state_shown", "asked", "unknown", "model_configured", "by_name", "trigger")
    list_filter = ("state", "trigger", "model_configured", "started_at")
    ordering = ("-started_at",)
    change_list_template = "admin/evals/run/list.html"
    change_form_template = "admin/evals/run/report.html"

    @admin.display(description="what it is")
    def what(self, run: Run) -> str:
        return PLUMBING if is_plumbing(run.model_configured) else QUALITY

    @admin.display(description="state")
    def state_shown(self, run: Run) -> str:
        return state_now(run, timezone.now())

    @admin.display(description="asked")
    def asked(self, run: Run) -> str:
        return f"{run.finished} of {run.planned}"

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        report = report_of(row.pk) if row is not None else None
        if report is None:
            return super().change_view(request, object_id, form_url, extra_context)
        shown = {**page_of(report), "title": report.title, "subtitle": None}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **shown})


def page_of(report: Report) -> dict[str, Any]:
    """The report arranged in rows of words for the page; every figure is the report's own."""
    return {
        "report": report,
        "safety": [(counter, counted(counter)) for counter in report.safety],
        "families": [_family(figures) for figures in report.families],
        "measures": [(_words(name), what) for name, what in MEASURES.items()],
        "scenarios": [(line, in_words(line.share)) for line in report.scenarios],
        "misses": [
            {
                "card": card,
                "kinds": list(zip(card.kinds, card.words, strict=True)),
                "ids": [
                    (name, [(clause_id, card.title(clause_id)) for clause_id in ids])
                    for name, ids in (
                        ("Expected", card.question.case.expected),
                        ("Requested", card.requested),
                        ("Returned", card.returned),
                        ("Not found", card.not_found),
                        ("Cited", card.cited),
                    )
                ],
                "directory": [
                    (clause_id, title, clause_id in card.question.case.expected, clause_id in card.requested)
                    for clause_id, title in card.directory
                ],
            }
            for card in report.misses
        ],
        "cost": cost_rows(report),
        "provenance": provenance_rows(report),
    }


def _family(figures: FamilyFigures) -> dict[str, Any]:
    groups = [group for group in (*figures.groups, *figures.classes) if group.questions]
    tables = [
        ([_words(name) for name in names], [(g.name, [in_words(g.shares[name]) for name in names]) for g in groups])
        for names in (MAIN, STAFF)
    ]
    return {"figures": figures, "tables": tables}


def _words(name: str) -> str:
    return name.replace("_", " ")
