"""Staff's knowledge calls: what is written, what is in force, and a keyword search of it. They only read."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from knowledge import catalogue
from knowledge.api import serializers as shapes
from knowledge.api.pages import page_of
from knowledge.catalogue import Absent, NotWritten, Wording, WrittenClause
from knowledge.clause_text import ClauseText
from knowledge.keyword_ranker import Match, Run
from knowledge.roles import STAFF_ROLES, has_role
from knowledge.search import search_clauses


class IsStaff(BasePermission):
    message = "Your login does not have the role that this needs."

    def has_permission(self, request: Request, view: Any) -> bool:
        return has_role(request.user, *STAFF_ROLES)


class StaffView(APIView):
    """A call that members of staff may make. What is not written is 404."""

    permission_classes = [IsStaff]

    def handle_exception(self, exc: Exception) -> Response:
        return super().handle_exception(exceptions.NotFound() if isinstance(exc, NotWritten) else exc)


class Families(StaffView):
    @extend_schema(parameters=[shapes.PageInput], responses=shapes.FamilyPageSerializer, tags=["staff"])
    def get(self, request: Request) -> Response:
        _given(request, shapes.PageInput)
        families = catalogue.written_families(timezone.localdate())
        return Response(page_of(families, request, key=lambda family: family.document_id, shown=_family))


class Releases(StaffView):
    @extend_schema(parameters=[shapes.ReleasesInput], responses=shapes.ReleasePageSerializer, tags=["staff"])
    def get(self, request: Request) -> Response:
        family = _given(request, shapes.ReleasesInput).get("family") or None
        releases = catalogue.written_releases(timezone.localdate(), family)
        shown = shapes.ReleaseSerializer
        return Response(page_of(releases, request, key=lambda row: str(row.id), shown=lambda row: shown(row).data))


class Clauses(StaffView):
    @extend_schema(
        operation_id="knowledge_clauses_list",
        parameters=[shapes.ClausesInput],
        responses=shapes.ClausePageSerializer,
        tags=["staff"],
    )
    def get(self, request: Request) -> Response:
        given = _given(request, shapes.ClausesInput)
        wording = catalogue.open_wording(given["family"], timezone.localdate(), given.get("version") or None)
        clauses = () if isinstance(wording, Absent) else catalogue.clauses_of(wording)
        shown = shapes.ClauseLineSerializer
        page = page_of(clauses, request, key=lambda clause: clause.clause_id, shown=lambda clause: shown(clause).data)
        return Response({"family": given["family"], **_wording(wording), **page})


class OneClause(StaffView):
    @extend_schema(parameters=[shapes.VersionInput], responses=shapes.WholeClauseSerializer, tags=["staff"])
    def get(self, request: Request, clause_id: str) -> Response:
        version = _given(request, shapes.VersionInput).get("version") or None
        wording, clause = catalogue.find_clause(clause_id, timezone.localdate(), version)
        return Response(_whole(wording, clause))


class Search(StaffView):
    """A keyword search. It finds words and misses meaning; nothing in it says how well customers are answered."""

    @extend_schema(parameters=[shapes.SearchInput], responses=shapes.SearchPageSerializer, tags=["staff"])
    def get(self, request: Request) -> Response:
        given = _given(request, shapes.SearchInput)
        found = search_clauses(
            family=given["family"],
            query=given["q"],
            day=timezone.localdate(),
            version=given.get("version") or None,
        )
        page = page_of(found.matches, request, key=lambda match: match.clause_id, shown=_match)
        return Response({"family": given["family"], **_wording(found.wording), "words": found.words, **page})


def _given(request: Request, shape: type[Any]) -> dict[str, Any]:
    query = shape(data=request.query_params)
    query.is_valid(raise_exception=True)
    data: dict[str, Any] = query.validated_data
    return data


def _wording(wording: Wording | Absent) -> dict[str, Any]:
    if isinstance(wording, Absent):
        return {"wording": None, "absent": wording.value}
    return {"wording": shapes.WrittenWordingSerializer(wording).data, "absent": None}


def _family(family: catalogue.WrittenFamily) -> dict[str, Any]:
    return {
        "family": family.family,
        "name": family.name,
        "insurer": family.insurer,
        "document_id": family.document_id,
        "clause_prefix": family.clause_prefix,
        "clauses": family.clauses,
        **_wording(family.wording),
    }


def _whole(wording: Wording, clause: WrittenClause) -> dict[str, Any]:
    text = clause.text
    return {
        **shapes.ClauseLineSerializer(clause).data,
        "family": wording.family,
        "wording": shapes.WrittenWordingSerializer(wording).data,
        "text": None if text is None else text.text,
        "sentences": [] if text is None else _sentences(text),
        "plain": [] if text is None else list(text.plain),
        "sources": [] if text is None else list(text.sources),
        "versions": catalogue.versions_with(clause.clause_id),
    }


def _sentences(text: ClauseText) -> list[dict[str, Any]]:
    return [
        {
            "index": sentence.index,
            "part": sentence.part.value,
            "always": sentence.always,
            "lead_in": sentence.lead_in,
            "text": text.sentence_text(sentence.index),
        }
        for sentence in text.sentences
    ]


def _match(match: Match) -> dict[str, Any]:
    return {
        "clause_id": match.clause_id,
        "title": _text(match.title),
        "excerpt": _text(match.excerpt),
        "matched": match.matched,
    }


def _text(runs: tuple[Run, ...]) -> str:
    return "".join(run.text for run in runs)
