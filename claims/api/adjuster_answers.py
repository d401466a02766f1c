"""What an adjuster asks of a policy: where it speaks of something, and which days follow from its periods (M71)."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from claims.api import adjuster_shapes as shapes
from claims.api.adjuster import NOT_READ_YET, AdjusterView, document_or_404, opened
from claims.api.errors import Conflict
from claims.deadlines import Deadlines, InvalidTerm, Term, TimeUnit, Trigger, deadlines
from claims.deadlines_json import deadlines_json
from claims.documents.finding_json import finding_json
from claims.policy_files import StillReading, find_in


class Find(AdjusterView):
    @extend_schema(request=shapes.FindInput, responses=shapes.FindingSerializer, tags=["adjuster"])
    def post(self, request: Request, document_id: UUID) -> Response:
        """Exact places with what belongs to them. A file that was not read refuses; it is never silent."""
        document = document_or_404(request, document_id)
        body = shapes.FindInput(data=request.data)
        body.is_valid(raise_exception=True)
        asked = body.validated_data
        try:
            finding = find_in(opened(document), asked["query"], exact=asked["exact"])
        except StillReading as error:
            raise Conflict(NOT_READ_YET) from error
        return Response(finding_json(finding, document_id=str(document.pk)))


class ComputeDeadlines(AdjusterView):
    @extend_schema(request=shapes.DeadlinesInput, responses=shapes.DeadlinesSerializer, tags=["adjuster"])
    def post(self, request: Request) -> Response:
        """Days by the policy's own periods. A period or event that is not given is not known; none is assumed."""
        body = shapes.DeadlinesInput(data=request.data)
        body.is_valid(raise_exception=True)
        return Response(deadlines_json(_computed(body.validated_data)))


def _computed(asked: dict[str, Any]) -> Deadlines:
    policy = asked.get("policy_terms") or {}
    try:
        return deadlines(
            loss_date=asked["loss_date"],
            proof_of_loss_days=policy.get("proof_of_loss_days"),
            suit_limitation_months=policy.get("suit_limitation_months"),
            terms=[_term(each) for each in asked.get("terms") or ()],
        )
    except InvalidTerm as error:
        raise exceptions.ValidationError({error.field: [str(error)]}) from error


def _term(asked: dict[str, Any]) -> Term:
    return Term(
        asked["name"],
        asked["period"],
        TimeUnit(asked["unit"]),
        Trigger(asked["trigger"]),
        asked.get("trigger_date"),
        asked.get("quote"),
    )
