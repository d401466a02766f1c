"""The conversation's page and its form posts. Each post does one act and redirects; what is wrong is shown at once.

The page works without JavaScript. A turn is answered within the request.
"""

import hashlib
import re
import secrets
from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from claims.agent import wording
from claims.agent.facts import FAMILIES
from claims.claim_opening import InvalidValue, set_fact
from claims.conversation import (
    MAX_MESSAGE,
    InvalidMessage,
    TooManyMessages,
    ask_for_person,
    give_feedback,
    receive_message,
)
from claims.models import Claim
from claims.tasks import start_turn
from claims.turn_records import find_turn
from claims.turn_waiting import wait_until_done
from portal.pages import claim_cookie
from portal.pages.errors import claim_not_found
from portal.pages.home import FieldError
from portal.pages.shown import claim_page

MAX_REASON = 500
# Seconds for which a post waits for a worker; after that the page shows the turn as pending and looks again by itself.
PAGE_WAITS = 8
TOO_FAST = "That is more messages than one conversation may send in a minute. Wait a minute, then send it again."
Page = Callable[..., HttpResponse]


def of_claim(view: Page) -> Page:
    """Give the view the claim of its address, when this browser's cookie opens it."""

    @wraps(view)
    def opened(request: HttpRequest, reference: str, **kwargs: object) -> HttpResponse:
        claim = claim_cookie.claim_for(request, reference)
        return claim_not_found(request) if claim is None else view(request, claim, **kwargs)

    return opened


def of_post(view: Page) -> Page:
    """The same for an act. Somebody who only opens its address, say after an error, gets the conversation."""

    @of_claim
    @wraps(view)
    def posted(request: HttpRequest, claim: Claim, **kwargs: object) -> HttpResponse:
        return view(request, claim, **kwargs) if request.method == "POST" else _back(claim, "latest")

    return posted


@require_safe
@of_claim
def show(request: HttpRequest, claim: Claim) -> HttpResponse:
    return _page(request, claim)


@of_post
def send(request: HttpRequest, claim: Claim) -> HttpResponse:
    """Receive a message and answer it. The same form sent twice is one message (its key says so)."""
    text = request.POST.get("text", "").replace("\r\n", "\n")
    try:
        received = receive_message(
            claim_id=claim.pk,
            text=text,
            key=_key(request.POST.get("key", ""), text),
            now=timezone.now(),
            messages_a_minute=settings.PORTAL_MESSAGES_A_MINUTE,
        )
    except InvalidMessage as error:
        return _page(request, claim, errors=[FieldError("text", str(error))], text=text, status=400)
    except TooManyMessages:
        response = _page(request, claim, errors=[FieldError("text", TOO_FAST)], text=text, status=429)
        response.headers["Retry-After"] = "60"
        return response
    start_turn(received.turn_id)
    wait_until_done(received.turn_id, seconds=PAGE_WAITS)
    return _back(claim, f"message-{received.message_id}")


def _key(form_key: str, text: str) -> str:
    """One key for a rendered form and a text: going back and sending another text is another message."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{8,64}", form_key):
        form_key = secrets.token_urlsafe(16)
    return f"page:{form_key}:{hashlib.sha256(text.encode()).hexdigest()[:32]}"


@of_post
def person(request: HttpRequest, claim: Claim) -> HttpResponse:
    """Ask for a person. A request that is open already stays the one request."""
    item, is_new = ask_for_person(claim_id=claim.pk, now=timezone.now())
    if item is None:
        return _page(request, claim, errors=[FieldError("person", wording.TOO_MANY_WAITING)], status=429)
    return _back(claim, "latest" if is_new else "waiting")


@of_post
def fact(request: HttpRequest, claim: Claim) -> HttpResponse:
    """The customer sets or confirms a field."""
    field, value = request.POST.get("field", ""), request.POST.get("value", "")
    try:
        set_fact(claim_id=claim.pk, field=field, value=value, now=timezone.now())
    except InvalidValue as error:
        known = error.field == field
        problem = FieldError(f"fact-{field}" if known else "facts", str(error))
        return _page(request, claim, errors=[problem], wrong=field if known else "", value=value, status=400)
    return _back(claim, "text" if request.POST.get("from") == "answer" else "facts")


@of_post
def feedback(request: HttpRequest, claim: Claim, turn_id: UUID) -> HttpResponse:
    """Whether an answer was useful, and why not; a turn of another claim is not found."""
    turn = find_turn(turn_id, claim)
    if turn is None:
        return claim_not_found(request)
    reason = request.POST.get("reason", "").replace("\x00", "").strip()[:MAX_REASON]
    give_feedback(turn=turn, useful=request.POST.get("useful") == "true", reason=reason)
    return _back(claim, f"feedback-{turn.pk}")


@of_post
def forget(request: HttpRequest, claim: Claim) -> HttpResponse:
    """Take the claim out of this browser, for a shared computer."""
    response = redirect("home")
    claim_cookie.forget(response, request, claim.reference)
    return response


def _back(claim: Claim, anchor: str) -> HttpResponse:
    return redirect(f"{reverse('claim', kwargs={'reference': claim.reference})}#{anchor}")


def _page(
    request: HttpRequest,
    claim: Claim,
    *,
    errors: list[FieldError] | None = None,
    text: str = "",
    wrong: str = "",
    value: str = "",
    status: int = 200,
) -> HttpResponse:
    shown = claim_page(claim, now=timezone.now())
    context = {
        "claim": shown,
        "errors": errors or [],
        "error_of": {error.anchor: error.message for error in errors or []},
        "wrong": {
            "field": wrong,
            "message": errors[0].message if errors else "",
            "is_missing": any(row.field == wrong for row in shown.missing),
        },
        "text": text or shown.draft,
        "value": value,
        "key": secrets.token_urlsafe(16),
        "families": FAMILIES,
        "limit": f"{MAX_MESSAGE:,}",
        "needs_postcode": not settings.DEBUG,
    }
    return render(request, "portal/conversation.html", context, status=status)
