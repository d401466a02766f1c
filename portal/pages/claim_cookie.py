"""The customer's key to their conversations: an HttpOnly cookie with the tokens, newest first, never an address.

`reference:token|reference:token`. The tokens are opaque and checked against their stored hashes on every request.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from claims.claim_opening import OpenedClaim, claim_of_token
from claims.models import Claim

COOKIE = "claims"
KEPT = 5
SECONDS = 90 * 24 * 3600


def _tokens(request: HttpRequest) -> dict[str, str]:
    pairs = (pair.split(":", 1) for pair in request.COOKIES.get(COOKIE, "").split("|") if ":" in pair)
    return {reference: token for reference, token in pairs if reference.isascii() and reference.isprintable()}


def claim_for(request: HttpRequest, reference: str) -> Claim | None:
    """The claim with this reference when this browser opened it; None for anything else, without saying which."""
    token = _tokens(request).get(reference)
    return None if token is None else claim_of_token(reference, token)


def claims_of(request: HttpRequest) -> tuple[Claim, ...]:
    """The claims that this browser can go on with, newest first."""
    found = (claim_of_token(reference, token) for reference, token in list(_tokens(request).items())[:KEPT])
    return tuple(claim for claim in found if claim is not None)


def keep(response: HttpResponse, request: HttpRequest, opened: OpenedClaim) -> None:
    """Add a claim that was just opened; the oldest goes when there are more than KEPT."""
    kept = {opened.reference: opened.token, **_tokens(request)}
    _write(response, dict(list(kept.items())[:KEPT]))


def forget(response: HttpResponse, request: HttpRequest, reference: str) -> None:
    """Take one claim out of this browser; the claim itself stays with Northwind."""
    _write(response, {known: token for known, token in _tokens(request).items() if known != reference})


def _write(response: HttpResponse, tokens: dict[str, str]) -> None:
    if not tokens:
        response.delete_cookie(COOKIE, samesite="Lax")
        return
    response.set_cookie(
        COOKIE,
        "|".join(f"{reference}:{token}" for reference, token in tokens.items()),
        max_age=SECONDS,
        httponly=True,
        samesite="Lax",
        secure=not settings.DEBUG,
    )
