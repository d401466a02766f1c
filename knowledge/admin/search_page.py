"""The page where staff search the wording by words, beside the rows of the directory that it reads.

It shows what `search` finds and names each kind of nothing. It answers no customer and measures nothing (M57, M65).
"""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone

from knowledge.admin.read_only import ReadOnlyAdmin
from knowledge.catalogue import Absent, NotWritten, Wording, WrittenFamily, clauses_of, written_families
from knowledge.keyword_ranker import Match
from knowledge.models import DirectoryEntry
from knowledge.roles import STAFF_ROLES, has_role
from knowledge.search import MAX_QUERY, search_clauses

ABSENT = {
    Absent.NO_RELEASE: "No release of this family is in force, so there is nothing to search.",
    Absent.BEFORE_FIRST: "The first release of this family starts later, so there is nothing to search yet.",
    Absent.NOT_INGESTED: "This version is not ingested yet, so there is nothing to search.",
}


@dataclass(frozen=True)
class Hit:
    """A clause that was found; `text` is the whole of it, empty when the rows hold another text than was ingested."""

    match: Match
    text: str


@dataclass(frozen=True)
class Shown:
    """What came of a search. `problem` says what was wrong with what was typed; then nothing was searched."""

    status: int = 200
    problem: str = ""
    absent: str = ""
    version: str = ""
    state: str = ""
    effective_from: date | None = None
    words: tuple[str, ...] = ()
    hits: tuple[Hit, ...] = ()


class SearchForm(forms.Form):
    """`family` is one of those that are there; without a version what is in force today is searched."""

    q = forms.CharField(
        required=False,
        max_length=MAX_QUERY,
        error_messages={"max_length": f"Type at most {MAX_QUERY} characters."},
    )
    family = forms.ChoiceField(error_messages={"invalid_choice": "There is no such family. Choose one of the list."})
    version = forms.CharField(
        required=False, max_length=40, error_messages={"max_length": "No version has so long a name."}
    )

    def __init__(self, families: tuple[WrittenFamily, ...], data: dict[str, str]) -> None:
        super().__init__(data)
        self.fields["family"].choices = [(family.family, family.name) for family in families]  # type: ignore[attr-defined]


@admin.register(DirectoryEntry)
class DirectoryEntryAdmin(ReadOnlyAdmin):
    list_display = ("clause", "release", "position", "title", "schedule_section", "sha256")
    list_filter = ("release",)
    list_select_related = ("clause", "release__family__insurer")
    search_fields = ("clause__clause_id", "title")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.search_view)
        return [path("search/", view, name="knowledge_directoryentry_search"), *super().get_urls()]

    def search_view(self, request: HttpRequest) -> HttpResponse:
        """The form and what it found; every member of staff may search, whatever rows they may list."""
        if not has_role(request.user, *STAFF_ROLES):
            raise PermissionDenied
        today = timezone.localdate()
        families = written_families(today)
        typed = {name: request.GET.get(name, "") for name in SearchForm.base_fields}
        typed["family"] = typed["family"] or _usual_family(families)
        shown = _search(families, typed, today) if typed["q"].strip() and families else Shown()
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Search the wording",
            "families": families,
            "family_name": next((found.name for found in families if found.family == typed["family"]), ""),
            "typed": typed,
            "asked": bool(typed["q"].strip()),
            "longest": MAX_QUERY,
            "shown": shown,
        }
        return TemplateResponse(request, "admin/knowledge/search.html", context, status=shown.status)


def _usual_family(families: tuple[WrittenFamily, ...]) -> str:
    """The first family that has something to search; the first at all when none has."""
    searchable = [found.family for found in families if isinstance(found.wording, Wording)]
    return next(iter([*searchable, *(found.family for found in families)]), "")


def _search(families: tuple[WrittenFamily, ...], typed: dict[str, str], today: date) -> Shown:
    form = SearchForm(families, typed)
    if not form.is_valid():
        return Shown(status=400, problem=" ".join(str(errors[0]) for errors in form.errors.values()))
    given: dict[str, Any] = form.cleaned_data
    version = given["version"] or None
    try:
        found = search_clauses(family=given["family"], query=given["q"], day=today, version=version)
    except NotWritten:
        return Shown(status=404, problem=f"This family has no version {version}. Leave it empty for what is in force.")
    if isinstance(found.wording, Absent):
        return Shown(absent=ABSENT[found.wording], words=found.words)
    texts = {clause.clause_id: clause.text for clause in clauses_of(found.wording)} if found.matches else {}
    return Shown(
        version=found.wording.version,
        state=found.wording.state,
        effective_from=found.wording.effective_from,
        words=found.words,
        hits=tuple(Hit(match, getattr(texts.get(match.clause_id), "text", "")) for match in found.matches),
    )
