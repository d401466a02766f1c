"""One section of a policy: its text, its kind, and the adjuster's own word on that kind, which wins over the aid's."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from claims.documents.sections import BEARING, Passage, Section, SectionKind
from claims.models import PolicyDocument, Relabel
from claims.policy_files import PolicyFile, open_file
from claims.uploads import relabel
from portal.pages.adjuster_access import file_not_found, of_document, user_of
from portal.pages.adjuster_finding import page_address
from portal.pages.adjuster_lines import window
from portal.pages.adjuster_words import CHANGES, KINDS, lines_in_words, page_in_words, visible
from portal.pages.home import FieldError
from portal.pages.shown import when

MAX_REASON = 500


@dataclass(frozen=True)
class Typed:
    """What was typed into the form, kept when something about it is wrong."""

    kind: str
    reason: str


@require_http_methods(["GET", "HEAD", "POST"])
@of_document
def section(request: HttpRequest, document: PolicyDocument, section_id: str) -> HttpResponse:
    """Show it, or give it another kind with a reason."""
    file = open_file(document)
    sections = file.structure.sections if file.structure else ()
    found = next((each for each in sections if each.section_id == section_id), None)
    if found is None:
        return file_not_found(request)
    if request.method != "POST":
        return _page(request, file, found, Typed(found.kind.value, ""))
    typed = Typed(request.POST.get("kind", ""), request.POST.get("reason", "").replace("\x00", "").strip())
    errors = _errors(typed)
    if errors:
        return _page(request, file, found, typed, errors, status=400)
    relabel(
        document=document,
        section_id=section_id,
        kind=SectionKind(typed.kind),
        reason=typed.reason,
        by=user_of(request),
        now=timezone.now(),
    )
    return redirect("policy-section", document_id=document.pk, section_id=section_id)


def _errors(typed: Typed) -> list[FieldError]:
    errors = []
    if typed.kind not in set(SectionKind):
        errors.append(FieldError("kind", "Choose one of the kinds."))
    if not typed.reason:
        errors.append(FieldError("reason", "Say why, for whoever reads the file after you."))
    elif len(typed.reason) > MAX_REASON:
        errors.append(FieldError("reason", f"Say why in at most {MAX_REASON} characters."))
    return errors


def _page(
    request: HttpRequest,
    file: PolicyFile,
    shown: Section,
    typed: Typed,
    errors: list[FieldError] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    assert file.reading is not None and file.structure is not None  # noqa: S101 (there is a section)
    lines = [line for line in file.reading.lines if shown.start_line <= line.number <= shown.end_line]
    labels = Relabel.objects.filter(document=file.document, section_id=shown.section_id).order_by("-pk")
    amendments = dict.fromkeys(amendment for unit in shown.units for amendment in unit.amended_by)
    context = {
        "document": file.document,
        "section": shown,
        "heading": visible(shown.heading),
        "path": tuple(map(visible, shown.path)),
        "kind": KINDS[shown.kind],
        "supports": shown.kind in BEARING,
        "place": f"{page_in_words(shown.page, shown.printed_page)}, lines {shown.start_line} to {shown.end_line}",
        "opens": page_address(
            file.document.pk, Passage(shown.start_line, shown.end_line, shown.page, shown.printed_page, "")
        ),
        "window": window(lines, file.structure, quoted=range(0), forms=(), first=0),
        "changes": [
            (
                f"{CHANGES[each.change]} {each.form}",
                f"{page_in_words(each.passage.page, each.passage.printed_page)}, "
                f"{lines_in_words(each.passage, each.passage)}",
                page_address(file.document.pk, each.passage),
            )
            for each in amendments
        ],
        "labels": [(KINDS[SectionKind(row.kind)], row.reason, when(row.at)) for row in labels],
        "kinds": [(kind.value, name) for kind, name in KINDS.items()],
        "typed": typed,
        "errors": errors or [],
        "error_of": {error.anchor: error.message for error in errors or []},
    }
    return render(request, "portal/adjuster/section.html", context, status=status)
