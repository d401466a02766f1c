"""One page of a policy: its lines as they were read, beside the original where that can be shown."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from claims.documents.pages import FileKind, Page
from claims.documents.query import read_query
from claims.documents.sections import Structure
from claims.models import PolicyDocument
from claims.policy_files import open_file
from portal.pages.adjuster_access import file_not_found, of_document
from portal.pages.adjuster_finding import Asked
from portal.pages.adjuster_lines import quoted_lines, window
from portal.pages.adjuster_policy import MAX_QUERY, whole_number
from portal.pages.adjuster_words import PAGE_STATES


@require_safe
@of_document
def page(request: HttpRequest, document: PolicyDocument, number: int) -> HttpResponse:
    """`lines` are marked as quoted, and in them the words of `q`."""
    file = open_file(document)
    if file.reading is None or not 1 <= number <= len(file.reading.pages):
        return file_not_found(request)
    shown = file.reading.pages[number - 1]
    structure = file.structure or Structure(())
    asked = Asked(document.pk, request.GET.get("q", "").strip()[:MAX_QUERY], bool(request.GET.get("exact")))
    lines = request.GET.get("lines", "")
    quoted = quoted_lines(lines)
    forms = [str(form) for term in read_query(asked.query, exact=asked.exact).terms for form in term.forms]
    first = whole_number(request.GET.get("from"), otherwise=0)
    context = {
        "document": document,
        "asked": asked,
        "lines": lines if quoted else "",
        "quoted": quoted,
        "page": shown,
        "total": len(file.reading.pages),
        "before": number - 1,
        "after": number + 1 if number < len(file.reading.pages) else 0,
        "state": PAGE_STATES[shown.state],
        "picture": picture_address(document.pk, number, lines if quoted else ""),
        "has_picture": file.reading.kind is FileKind.PDF,
        "mark_at": _height(shown, quoted),
        "window": window(shown.lines, structure, quoted=quoted, forms=forms, first=first),
    }
    return render(request, "portal/adjuster/page.html", context)


def picture_address(document_id: UUID, number: int, lines: str) -> str:
    address = reverse("policy-picture", kwargs={"document_id": document_id, "number": number})
    return f"{address}?lines={lines}" if lines else address


def _height(page: Page, quoted: range) -> int:
    """How far down the page the first quoted line stands, in percent, so that the picture can be shown there."""
    boxes = [(line.number, line.box) for line in page.lines if line.box is not None]
    top = next((box.top for number, box in boxes if number in quoted), 0.0)
    bottom = max((box.bottom for _, box in boxes), default=0.0)
    return round(min(max(top / bottom, 0.0), 1.0) * 95) if bottom > 0 else 0
