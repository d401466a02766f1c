"""The original page beside its text: a picture made in a process of its own, with the quoted lines marked in it."""

import threading

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from claims.documents.pages import FileKind
from claims.documents.sandbox import draw_upload
from claims.models import PolicyDocument
from claims.policy_files import open_file, original_of
from portal.pages.adjuster_access import file_not_found, of_document, store_away
from portal.pages.adjuster_lines import quoted_lines

# So many pictures are made at once in a web process; who comes later waits, and after SECONDS is asked to come again.
AT_ONCE = 2
SECONDS = 15
_making = threading.BoundedSemaphore(AT_ONCE)


@require_safe
@of_document
def picture(request: HttpRequest, document: PolicyDocument, number: int) -> HttpResponse:
    """A PNG of a page of a PDF; not found for other files and for what cannot be drawn."""
    reading = open_file(document).reading
    if reading is None or reading.kind is not FileKind.PDF or not 1 <= number <= len(reading.pages):
        return file_not_found(request)
    quoted = quoted_lines(request.GET.get("lines", ""))
    marks = [line.box for line in reading.pages[number - 1].lines if line.box is not None and line.number in quoted]
    data = original_of(document)
    if not _making.acquire(timeout=SECONDS):
        return store_away(request)
    try:
        drawn = draw_upload(data, number, marks)
    finally:
        _making.release()
    if drawn is None:
        return file_not_found(request)
    response = HttpResponse(drawn, content_type="image/png")
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response
