"""The addresses of the knowledge API, under /api/."""

from django.urls import path

from knowledge.api import staff

urlpatterns = [
    path("knowledge/families/", staff.Families.as_view()),
    path("knowledge/releases/", staff.Releases.as_view()),
    path("knowledge/clauses/", staff.Clauses.as_view()),
    path("knowledge/clauses/<slug:clause_id>/", staff.OneClause.as_view()),
    path("knowledge/search/", staff.Search.as_view()),
]
