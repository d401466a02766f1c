"""The deadline sheet: days from the policy's own periods, typed or as a file states them. None is assumed (M98).

A plain address with what was typed in it: it can be gone back to, and nothing is changed by it.
"""

import contextlib
import re
import uuid
from dataclasses import dataclass
from datetime import date, datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from claims.deadlines import Deadline, InvalidTerm, Known, Unknown, deadlines
from claims.documents.terms import StatedTerm, proof_of_loss_deadline, terms_stated
from claims.models import PolicyDocument
from claims.policy_files import PolicyFile, documents_of, find_document, open_file
from portal.pages.adjuster_access import for_adjusters, user_of
from portal.pages.adjuster_finding import page_address
from portal.pages.adjuster_words import WHOSE, lines_in_words, page_in_words, visible
from portal.pages.home import FieldError

MOST_FILES = 200
NOT_READ_YET = "The file is still being read: what it states is not known yet."
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
# A day in figures alone is read in two ways by people of two countries, so none is guessed.
_SPELT = ("%d %B %Y", "%d %b %Y", "%B %d, %Y")
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)


@dataclass(frozen=True)
class Form:
    """What was typed, kept whatever comes of it."""

    loss_date: str = ""
    proof_of_loss_days: str = ""
    suit_limitation_months: str = ""
    policy: str = ""
    request_date: str = ""


@dataclass(frozen=True)
class ClockRow:
    """`day` is empty where it is not known; then `basis` is the reason."""

    name: str
    day: str
    iso: str
    basis: str


@dataclass(frozen=True)
class StatedRow:
    quote: str
    place: str
    address: str
    whose: str
    changed: bool


class _Invalid(Exception):
    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.error = FieldError(field, message)


@require_safe
@for_adjusters
def deadline_sheet(request: HttpRequest) -> HttpResponse:
    """The empty form; with a date of loss each clock with its day, or why that is not known."""
    form = Form(**{name: request.GET.get(name, "").strip()[:60] for name in Form.__dataclass_fields__})
    if "loss_date" not in request.GET:
        return _page(request, form)
    try:
        document = _document(request, form.policy)
        file = open_file(document) if document else None
        clocks = _clocks(form, file)
    except _Invalid as invalid:
        return _page(request, form, errors=[invalid.error], status=400)
    except InvalidTerm as error:
        return _page(request, form, errors=[FieldError(error.field, str(error))], status=400)
    stated = (
        [_stated(each, file.document.pk) for each in terms_stated(file.structure)] if (file and file.structure) else []
    )
    return _page(request, form, clocks=clocks, stated=stated, file=file)


def _document(request: HttpRequest, given: str) -> PolicyDocument | None:
    if not given:
        return None
    try:
        document = find_document(user_of(request), uuid.UUID(given))
    except ValueError:
        document = None
    if document is None:
        raise _Invalid("policy", "Choose one of your files.")
    return document


def _clocks(form: Form, file: PolicyFile | None) -> list[ClockRow]:
    """A typed period and the file's own words give a row each, so that one never hides the other."""
    if not form.loss_date:
        raise _Invalid("loss_date", "Give the date of loss.")
    loss_date = _day("loss_date", form.loss_date)
    days = _number("proof_of_loss_days", form.proof_of_loss_days)
    request_date = _day("request_date", form.request_date) if form.request_date else None
    computed = deadlines(
        loss_date=loss_date,
        proof_of_loss_days=days,
        suit_limitation_months=_number("suit_limitation_months", form.suit_limitation_months),
    )
    clocks = []
    if days is not None or file is None:
        clocks.append(_clock("Proof of loss", computed.proof_of_loss))
    if file is not None:
        clocks.append(_clock("Proof of loss, as the file states it", _by_file(file, loss_date, request_date)))
    return [*clocks, _clock("Bringing suit", computed.suit_limitation)]


def _by_file(file: PolicyFile, loss_date: date, request_date: date | None) -> Deadline:
    if file.document.unreadable:
        return Unknown(file.document.reason)
    if file.structure is None or file.reading is None:
        return Unknown(NOT_READ_YET)
    return proof_of_loss_deadline(file.structure, file.reading, loss_date=loss_date, request_date=request_date)


def _clock(name: str, deadline: Deadline) -> ClockRow:
    if isinstance(deadline, Known):
        day = deadline.day
        return ClockRow(name, f"{deadline.weekday} {day.day} {day:%B %Y}", day.isoformat(), deadline.basis)
    return ClockRow(name, "", "", deadline.reason)


def _stated(each: StatedTerm, document_id: uuid.UUID) -> StatedRow:
    where = each.passage
    return StatedRow(
        visible(each.quote),
        f"{page_in_words(where.page, where.printed_page)}, {lines_in_words(where, where)}",
        page_address(document_id, where),
        WHOSE[each.whose],
        each.changed,
    )


def _day(field: str, text: str) -> date:
    with contextlib.suppress(ValueError):
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
    for spelt in _SPELT:
        with contextlib.suppress(ValueError):
            return datetime.strptime(text, spelt).date()  # noqa: DTZ007 (a day has no time zone)
    raise _Invalid(field, "Give a day like 15 June 2026 or 2026-06-15.")


def _number(field: str, text: str) -> int | None:
    """None when nothing was typed: nothing stands in for it."""
    if not text:
        return None
    if not _NUMBER.fullmatch(text):
        raise _Invalid(field, "Give the period as a whole number of 1 or more, as the policy states it.")
    return int(text)


def _page(
    request: HttpRequest,
    form: Form,
    *,
    clocks: list[ClockRow] | None = None,
    stated: list[StatedRow] | None = None,
    file: PolicyFile | None = None,
    errors: list[FieldError] | None = None,
    status: int = 200,
) -> HttpResponse:
    files = documents_of(user_of(request)).order_by("-at", "pk")[:MOST_FILES]
    context = {
        "form": form,
        "files": [(str(document.pk), document.name) for document in files],
        "clocks": clocks or [],
        "stated": stated or [],
        "file": file.document if file else None,
        "errors": errors or [],
        "error_of": {error.anchor: error.message for error in errors or []},
    }
    return render(request, "portal/adjuster/deadlines.html", context, status=status)
