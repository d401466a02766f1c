"""Pages for what went wrong, in plain words and with what to do next; under /api/ the same as problem+json."""

import logging
import sys
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from portal import problems

logger = logging.getLogger(__name__)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """handler400: too large, or damaged."""
    if problems.is_api(request):
        return problems.api_bad_request()
    return render(request, "400.html", status=400)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """handler404."""
    if problems.is_api(request):
        return problems.no_such_call(request)
    return render(request, "404.html", status=404)


def claim_not_found(request: HttpRequest) -> HttpResponse:
    """No such claim, or one that this browser holds no token for: the page does not say which."""
    return render(request, "portal/claim_not_found.html", _kept(request), status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """handler500. A database that does not answer is 503, which passes; everything else is our fault, 500."""
    return _failed(request, sys.exc_info()[1])


def _failed(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    is_database = isinstance(error, OperationalError | InterfaceError)
    if problems.is_api(request):
        return problems.api_unavailable() if is_database else problems.api_server_error()
    context = {"is_database": is_database, **_kept(request)}
    response = render(request, "500.html", context, status=503 if is_database else 500)
    if is_database:
        response.headers["Retry-After"] = "5"
    return response


def _kept(request: HttpRequest) -> dict[str, str]:
    """What the customer had written, so that no failure eats it."""
    return {"kept_text": request.POST.get("text", "") if request.method == "POST" else ""}


class CustomerErrors:
    """In the demo too people see these pages; Django would show its page for developers while DEBUG is on.

    The traceback goes to the log. With DEBUG off Django calls the handlers itself.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if settings.DEBUG and response.status_code == 404 and request.resolver_match is None:
            return not_found(request)
        return response

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: object) -> HttpResponse | None:
        """Read the form before the check of its origin does, which would leave a form too large to Django's page."""
        if settings.DEBUG and not problems.is_api(request):
            try:
                _ = request.POST
            except (BadRequest, SuspiciousOperation) as error:
                return bad_request(request, error)
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not settings.DEBUG:
            return None
        if isinstance(error, Http404):
            return not_found(request, error)
        if isinstance(error, PermissionDenied | SuspiciousOperation | BadRequest):
            return None  # Django's own short pages of 400 and 403
        logger.error("%s %s failed", request.method, request.path, exc_info=error)
        return _failed(request, error)
