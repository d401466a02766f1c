"""The addresses of the customer's pages."""

from django.urls import path

from portal.pages import conversation
from portal.pages.home import home

urlpatterns = [
    path("", home, name="home"),
    path("claims/<slug:reference>/", conversation.show, name="claim"),
    path("claims/<slug:reference>/messages/", conversation.send, name="claim-send"),
    path("claims/<slug:reference>/person/", conversation.person, name="claim-person"),
    path("claims/<slug:reference>/facts/", conversation.fact, name="claim-fact"),
    path("claims/<slug:reference>/forget/", conversation.forget, name="claim-forget"),
    path("claims/<slug:reference>/turns/<uuid:turn_id>/feedback/", conversation.feedback, name="claim-feedback"),
]
