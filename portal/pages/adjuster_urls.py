"""The addresses of the adjuster's pages, below `/policies/`."""

from django.urls import path

from portal.pages.adjuster_deadlines import deadline_sheet
from portal.pages.adjuster_files import files
from portal.pages.adjuster_limits import limits
from portal.pages.adjuster_page import page
from portal.pages.adjuster_picture import picture
from portal.pages.adjuster_policy import original, policy
from portal.pages.adjuster_section import section

urlpatterns = [
    path("", files, name="policies"),
    path("deadlines/", deadline_sheet, name="policy-deadlines"),
    path("limits/", limits, name="policy-limits"),
    path("<uuid:document_id>/", policy, name="policy"),
    path("<uuid:document_id>/original/", original, name="policy-original"),
    path("<uuid:document_id>/pages/<int:number>/", page, name="policy-page"),
    path("<uuid:document_id>/pages/<int:number>/picture/", picture, name="policy-picture"),
    path("<uuid:document_id>/sections/<slug:section_id>/", section, name="policy-section"),
]
