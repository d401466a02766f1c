"""The addresses of the claims API, under /api/."""

from django.urls import path

from claims.api import adjuster, adjuster_answers, claimant, staff

_CLAIM = "claims/<slug:reference>/"
_ITEM = "waiting-list/<slug:reference>/"
_DOCUMENT = "documents/<uuid:document_id>/"

urlpatterns = [
    path("claims/", claimant.Claims.as_view()),
    path(_CLAIM, claimant.OneClaim.as_view()),
    path(f"{_CLAIM}facts/<slug:field>/", claimant.OneFact.as_view()),
    path(f"{_CLAIM}messages/", claimant.Messages.as_view()),
    path(f"{_CLAIM}turns/<uuid:turn_id>/", claimant.OneTurn.as_view()),
    path(f"{_CLAIM}turns/<uuid:turn_id>/feedback/", claimant.Feedback.as_view()),
    path(f"{_CLAIM}person/", claimant.Person.as_view()),
    path("turns/<uuid:turn_id>/record/", staff.TurnRecordView.as_view()),
    path("waiting-list/", staff.WaitingItems.as_view()),
    path(_ITEM, staff.OneWaitingItem.as_view()),
    path(f"{_ITEM}take/", staff.Take.as_view()),
    path(f"{_ITEM}release/", staff.Release.as_view()),
    path(f"{_ITEM}answer/", staff.Answer.as_view()),
    path(f"{_ITEM}close/", staff.Close.as_view()),
    path(f"{_ITEM}note/", staff.Note.as_view()),
    path(f"{_ITEM}decision/", staff.Decision.as_view()),
    path("documents/", adjuster.Documents.as_view()),
    path(_DOCUMENT, adjuster.OneDocument.as_view()),
    path(f"{_DOCUMENT}original/", adjuster.Original.as_view()),
    path(f"{_DOCUMENT}sections/", adjuster.Sections.as_view()),
    path(f"{_DOCUMENT}sections/<slug:section_id>/label/", adjuster.Label.as_view()),
    path(f"{_DOCUMENT}find/", adjuster_answers.Find.as_view()),
    path("deadlines/", adjuster_answers.ComputeDeadlines.as_view()),
]
