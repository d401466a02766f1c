"""The first page: what this is, and the form that opens a claim conversation."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from claims.agent.facts import FAMILIES
from claims.claim_opening import InvalidValue, OpenedClaim, TooManyClaims, open_claim
from portal.demo import shown_policies
from portal.pages import claim_cookie


@dataclass(frozen=True)
class FieldError:
    """`anchor` is the id of the field that the summary leads to."""

    anchor: str
    message: str


@dataclass(frozen=True)
class OpeningForm:
    """What was typed, kept when something about it is wrong."""

    policy_number: str = ""
    postcode: str = ""
    family: str = ""
    loss_date: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    """Show the form, or open the claim, put its token into the cookie and go to the conversation."""
    if request.method != "POST":
        number = request.GET.get("policy", "") if settings.DEBUG else ""
        return _page(request, OpeningForm(policy_number=number))
    form = OpeningForm(**{name: request.POST.get(name, "").strip() for name in OpeningForm.__dataclass_fields__})
    errors: list[FieldError] = []
    if not settings.DEBUG and not form.postcode:
        errors.append(FieldError("postcode", "Type the postcode of the policyholder's address, like 6011."))
    try:
        opened = None if errors else _open(request, form)
    except InvalidValue as error:
        errors.append(FieldError(error.field, str(error)))
    except TooManyClaims:
        sentence = "Too many conversations were started from your connection in the last hour. Please try again later."
        response = _page(request, form, [FieldError("policy_number", sentence)], status=429)
        response.headers["Retry-After"] = "3600"
        return response
    if errors or opened is None:
        return _page(request, form, errors, status=400)
    response = redirect("claim", reference=opened.reference)
    claim_cookie.keep(response, request, opened)
    return response


def _open(request: HttpRequest, form: OpeningForm) -> OpenedClaim:
    return open_claim(
        policy_number=form.policy_number,
        postcode=form.postcode,
        family=form.family,
        loss_date=form.loss_date,
        address=request.META.get("REMOTE_ADDR", ""),
        now=timezone.now(),
        needs_postcode=not settings.DEBUG,
        claims_an_hour=settings.PORTAL_CLAIMS_AN_HOUR,
    )


def _page(
    request: HttpRequest, form: OpeningForm, errors: list[FieldError] | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "errors": errors or [],
        "error_of": {error.anchor: error.message for error in errors or []},
        "families": FAMILIES,
        "needs_postcode": not settings.DEBUG,
        "policies": shown_policies() if settings.DEBUG else (),
        "known": claim_cookie.claims_of(request),
    }
    return render(request, "portal/home.html", context, status=status)
