"""What the adjuster's aid cannot do, in plain words, one click from each of its pages (M114)."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from portal.pages.adjuster_access import for_adjusters


@require_safe
@for_adjusters
def limits(request: HttpRequest) -> HttpResponse:
    return render(request, "portal/adjuster/limits.html")
