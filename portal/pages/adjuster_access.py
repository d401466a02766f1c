"""Who opens the adjuster's pages: a login with that role, and of the files only one's own (another's is not found)."""

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from claims.policy_files import find_document
from claims.policy_store import LOST, FileLost, FilesAway
from knowledge.roles import Role, has_role

Page = Callable[..., HttpResponse]
SECONDS_TO_WAIT = "5"


def for_adjusters(view: Page) -> Page:
    """Without a login the visitor logs in first; without the role the page says so. Files that are away are said so."""

    @wraps(view)
    def checked(request: HttpRequest, **kwargs: object) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not has_role(request.user, Role.ADJUSTER):
            return render(request, "portal/adjuster/not_allowed.html", status=403)
        try:
            return view(request, **kwargs)
        except FileLost:
            return render(request, "portal/adjuster/file_lost.html", {"lost": LOST}, status=409)
        except FilesAway:
            return store_away(request)

    return checked


def of_document(view: Page) -> Page:
    """Give the view the document of its address, when it is the adjuster's own."""

    @for_adjusters
    @wraps(view)
    def found(request: HttpRequest, document_id: UUID, **kwargs: object) -> HttpResponse:
        document = find_document(user_of(request), document_id)
        return file_not_found(request) if document is None else view(request, document=document, **kwargs)

    return found


def user_of(request: HttpRequest) -> User:
    """The user behind `for_adjusters`."""
    assert isinstance(request.user, User)  # noqa: S101 (nobody else passes has_role)
    return request.user


def file_not_found(request: HttpRequest) -> HttpResponse:
    """No such file, page or section, or another's: the page does not say which."""
    return render(request, "portal/adjuster/not_found.html", status=404)


def store_away(request: HttpRequest) -> HttpResponse:
    """What is kept cannot be opened just now; it passes."""
    response = render(request, "portal/adjuster/store_away.html", status=503)
    response.headers["Retry-After"] = SECONDS_TO_WAIT
    return response
