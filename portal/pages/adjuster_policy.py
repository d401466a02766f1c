"""One policy file: what was read of it, a question to it with the places that answer, and the file as it came.

Asking is a plain address with the words in it: it can be gone back to, and nothing is changed by it.
"""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from claims.documents.findings import Outcome
from claims.documents.pages import KNOWN_WHOLE, Reading
from claims.documents.sections import Form, Section, Structure
from claims.models import PolicyDocument
from claims.policy_files import PolicyFile, StillReading, find_in, open_file, original_of
from portal.pages.adjuster_access import of_document
from portal.pages.adjuster_files import row_of
from portal.pages.adjuster_finding import Asked, FindingPage, finding_page
from portal.pages.adjuster_words import KINDS, NOTES, PAGE_STATES, visible
from portal.pages.home import FieldError

MAX_QUERY = 500
# Up to so many rows a table is open; a longer one is opened by a click.
FEW = 12
FIRST_NOTES = 3
LISTED = {True: "listed in the declarations", False: "not listed in the declarations", None: "no declarations to check"}


@dataclass(frozen=True)
class PageRow:
    number: int
    printed: str
    state: str
    is_whole: bool
    hidden_text: bool


@dataclass(frozen=True)
class FormRow:
    number: str
    edition: str
    listed: str
    uploaded: bool


@dataclass(frozen=True)
class SectionRow:
    section_id: str
    kind: str
    path: tuple[str, ...]
    heading: str
    form: str
    start_line: int
    end_line: int
    page: int
    printed: str
    is_amended: bool


@require_safe
@of_document
def policy(request: HttpRequest, document: PolicyDocument) -> HttpResponse:
    """The file; with `q` where it speaks of that, `exact` without plurals and possessives."""
    file = open_file(document)
    query = request.GET.get("q")
    first = whole_number(request.GET.get("from"), otherwise=1)
    asked = Asked(document.pk, (query or "").strip(), bool(request.GET.get("exact")), first)
    if len(asked.query) > MAX_QUERY:
        return _page(request, file, asked, problem=f"Ask in at most {MAX_QUERY} characters.", status=400)
    if query is None:
        return _page(request, file, asked)
    try:
        finding = find_in(file, asked.query, exact=asked.exact)
    except StillReading:
        return _page(request, file, asked)
    if finding.outcome is Outcome.NOT_SEARCHED and not asked.query:
        return _page(request, file, asked, problem="Type a word that the policy itself would use.", status=400)
    return _page(request, file, asked, found=finding_page(finding, asked))


@require_safe
@of_document
def original(request: HttpRequest, document: PolicyDocument) -> HttpResponse:
    """The file as it was uploaded; always to be saved, never shown, for it may hold anything."""
    response = HttpResponse(original_of(document), content_type="application/octet-stream")
    response.headers["Content-Disposition"] = content_disposition_header(True, document.name) or "attachment"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


def whole_number(text: str | None, *, otherwise: int) -> int:
    """A number of an address; `otherwise` for what is none."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 8 else otherwise


def _page(
    request: HttpRequest,
    file: PolicyFile,
    asked: Asked,
    *,
    found: FindingPage | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    row = row_of(file.document, now=timezone.now())
    reading, structure = file.reading, file.structure
    pages = _pages(reading) if reading else ()
    notes = [(NOTES[note.kind], note.detail, note.page) for note in reading.notes] if reading else []
    sections = _sections(structure) if structure else ()
    context = {
        "row": row,
        "reading": [row] if row.is_reading else [],
        "is_late": row.is_late,
        "asked": asked,
        "found": found,
        "errors": [FieldError("q", problem)] if problem else [],
        "problem": problem,
        "can_ask": not row.is_reading and not file.document.unreadable,
        "pages": pages,
        "pages_open": len(pages) <= FEW and found is None,
        "not_whole": [page for page in pages if not page.is_whole],
        "hidden": [page for page in pages if page.hidden_text],
        "notes": notes,
        "first_notes": notes[:FIRST_NOTES],
        "more_notes": len(notes[FIRST_NOTES:]),
        "forms": [_form(form) for form in structure.forms] if structure else [],
        "sections": sections,
        "sections_open": len(sections) <= FEW and found is None,
    }
    return render(request, "portal/adjuster/policy.html", context, status=status)


def _pages(reading: Reading) -> tuple[PageRow, ...]:
    return tuple(
        PageRow(page.number, page.printed or "", PAGE_STATES[page.state], page.state in KNOWN_WHOLE, page.hidden_text)
        for page in reading.pages
    )


def _form(form: Form) -> FormRow:
    return FormRow(form.number, form.edition or "", LISTED[form.listed], form.uploaded)


def _sections(structure: Structure) -> tuple[SectionRow, ...]:
    return tuple(map(_section, structure.sections))


def _section(section: Section) -> SectionRow:
    path = tuple(map(visible, section.path))
    heading = visible(section.heading)
    return SectionRow(
        section.section_id,
        KINDS[section.kind],
        path[:-1] if path and path[-1] == heading else path,
        heading,
        section.form or "",
        section.start_line,
        section.end_line,
        section.page,
        section.printed_page or "",
        any(unit.amended_by for unit in section.units),
    )
