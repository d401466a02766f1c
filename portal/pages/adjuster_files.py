"""An adjuster's files: the list with what was read of each, and the upload. Nothing that was kept is ever lost here."""

import logging
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from claims.documents.reading_limits import MAX_BYTES
from claims.models import PolicyDocument
from claims.policy_files import documents_of, find_document, page_count
from claims.policy_store import LOST, FileLost, FilesAway
from claims.tasks import start_reading
from claims.uploads import CannotUpload, QuotaReached, Received, TooLarge, receive_document
from portal.pages.adjuster_access import SECONDS_TO_WAIT, for_adjusters, user_of
from portal.pages.adjuster_words import pages_in_words, size_in_words
from portal.pages.home import FieldError
from portal.pages.shown import when
from portal.upload_bound import LARGEST_BODY

A_PAGE = 25
# Three attempts with their leases, and the sweep between them, take less.
LATE = timedelta(minutes=6)
NOT_KEPT = (
    "Files cannot be kept just now, so this one was not kept. Nothing else is lost: choose the file again in a few "
    "seconds."
)
LEFT_OUT = "What was read of this file cannot be opened just now. Nothing is lost: look again in a few seconds."
STAGES = {
    None: "Waiting to be read",
    PolicyDocument.Stage.READING: "Being read now",
    PolicyDocument.Stage.KEEPING: "Read; what was read is being kept",
}

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class FileRow:
    """`stands` is how far it is in a word, `detail` how much was read or why nothing was. `is_partly`: see to it."""

    id: uuid.UUID
    name: str
    at: str
    size: str
    stands: str
    detail: str
    is_reading: bool
    is_late: bool
    is_partly: bool


@require_http_methods(["GET", "HEAD", "POST"])
@for_adjusters
def files(request: HttpRequest) -> HttpResponse:
    """Show the list, or take a file: a new one opens, one that is there already is named."""
    if request.method != "POST":
        return _page(request)
    try:
        received = _receive(request)
    except TooLarge as error:
        return _page(request, str(error), status=413)
    except QuotaReached as error:
        return _page(request, str(error), status=409)
    except CannotUpload as error:
        return _page(request, str(error), status=400)
    except FilesAway:
        response = _page(request, NOT_KEPT, status=503)
        response.headers["Retry-After"] = SECONDS_TO_WAIT
        return response
    if not received.is_new:
        return redirect(f"{reverse('policies')}?known={received.document.pk}")
    _start(received.document)
    return redirect("policy", document_id=received.document.pk)


def _receive(request: HttpRequest) -> Received:
    """Raises CannotUpload and its kinds, and FilesAway."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal() or int(length) > LARGEST_BODY:
        raise TooLarge(f"The file is larger than {MAX_BYTES // 1_000_000} MB. Upload it in parts.")
    file = request.FILES.get("file")
    if file is None:
        raise CannotUpload("Choose the policy's file first, then upload it.")
    return receive_document(owner=user_of(request), name=file.name or "", data=file.read(), now=timezone.now())


def _start(document: PolicyDocument) -> None:
    """The file is kept: whatever happens to its reading now, the sweep finds it and the page shows how far it is."""
    try:
        start_reading(document.pk)
    except (FilesAway, OSError) as error:
        logger.warning("document.reading_postponed", extra={"kind": type(error).__name__})


def row_of(document: PolicyDocument, *, now: datetime) -> FileRow:
    """A document as the list and its own page head it."""
    stands, detail, is_partly = _standing(document)
    is_reading = document.done_at is None
    return FileRow(
        document.pk,
        document.name,
        when(document.at),
        size_in_words(document.size),
        stands,
        detail,
        is_reading=is_reading,
        is_late=is_reading and now - document.at > LATE,
        is_partly=is_partly,
    )


def _standing(document: PolicyDocument) -> tuple[str, str, bool]:
    if document.done_at is None:
        return STAGES[PolicyDocument.Stage(document.stage) if document.stage else None], "", False
    if document.unreadable:
        return "Not read", document.reason, True
    try:
        count = page_count(document)
    except FileLost:
        return "Not kept", LOST, True
    except FilesAway:
        return "Read", LEFT_OUT, True
    if count is None:
        return "Read", "", False
    detail = pages_in_words(count.total, count.not_read)
    return ("Partly read", detail, True) if count.not_read else ("Read", detail, False)


def _page(request: HttpRequest, problem: str = "", *, status: int = 200) -> HttpResponse:
    now = timezone.now()
    page = Paginator(documents_of(user_of(request)).order_by("-at", "pk"), A_PAGE).get_page(request.GET.get("page"))
    rows = [row_of(document, now=now) for document in page]
    context = {
        "errors": [FieldError("file", problem)] if problem else [],
        "problem": problem,
        "known": _known(request),
        "rows": rows,
        "page": page,
        "reading": [row for row in rows if row.is_reading],
        "is_late": any(row.is_late for row in rows),
        "largest": MAX_BYTES // 1_000_000,
    }
    return render(request, "portal/adjuster/files.html", context, status=status)


def _known(request: HttpRequest) -> FileRow | None:
    """The file that was uploaded a second time."""
    try:
        document = find_document(user_of(request), uuid.UUID(request.GET.get("known", "")))
    except ValueError:
        return None
    return None if document is None else row_of(document, now=timezone.now())
