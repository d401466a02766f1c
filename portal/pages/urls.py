"""The addresses of the pages: the customer's, and below `/policies/` the adjuster's."""

from django.urls import include, path

from portal.pages import conversation
from portal.pages.home import home

urlpatterns = [
    path("", home, name="home"),
    path("policies/", include("portal.pages.adjuster_urls")),
    path("claims/<slug:reference>/", conversation.show, name="claim"),
    path("claims/<slug:reference>/messages/", conversation.send, name="claim-send"),
    path("claims/<slug:reference>/person/", conversation.person, name="claim-person"),
    path("claims/<slug:reference>/facts/", conversation.fact, name="claim-fact"),
    path("claims/<slug:reference>/forget/", conversation.forget, name="claim-forget"),
    path("claims/<slug:reference>/turns/<uuid:turn_id>/feedback/", conversation.feedback, name="claim-feedback"),
]
