"""Every address of the portal."""

from django.contrib import admin
from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularJSONAPIView

from portal import health, tokens
from portal.pages.api_docs import api_docs
from portal.problems import no_such_call

admin.site.site_header = admin.site.site_title = "Northwind staff"
admin.site.index_title = "Policies, claims and the waiting list"

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/schema/", SpectacularJSONAPIView.as_view(), name="schema"),
    path("api/docs/", api_docs, name="docs"),
    path("api/tokens/", tokens.Tokens.as_view()),
    path("api/", include("claims.urls")),
    path("api/", include("knowledge.urls")),
    path("api/", include("evals.urls")),
    re_path(r"^api/", no_such_call),
    path("livez", health.livez),
    path("readyz", health.readyz),
    path("", include("portal.pages.urls")),
]

handler400 = "portal.pages.errors.bad_request"
handler404 = "portal.pages.errors.not_found"
handler500 = "portal.pages.errors.server_error"
