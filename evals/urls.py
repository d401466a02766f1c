"""The addresses of the evaluation's API, under /api/."""

from django.urls import path

from evals import api

urlpatterns = [
    path("evals/runs/", api.Runs.as_view()),
    path("evals/runs/<uuid:run_id>/", api.OneRun.as_view()),
]
