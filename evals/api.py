"""The API of evaluation runs: managers and operators begin one, reviewers may read them, too."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, serializers, status
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from claims.api.errors import Conflict
from claims.api.pages import Pages
from evals import recording, tasks
from evals.models import Run
from evals.recording import CannotRun
from evals.report_json import as_json
from evals.run_reports import report_of
from evals.runs import MAX_REPEAT, Wanted, begin_run, make_plan
from knowledge.roles import Role, has_role

READERS = (Role.REVIEWER, Role.MANAGER, Role.OPERATOR)
RUNNERS = (Role.MANAGER, Role.OPERATOR)
WORKERS_AT_ONCE = 4


class Unavailable(exceptions.APIException):
    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "unavailable"


class MayRead(BasePermission):
    message = "Your login does not have the role that this needs."

    def has_permission(self, request: Request, view: Any) -> bool:
        return has_role(request.user, *READERS)


class MayBegin(MayRead):
    """Reading is for reviewers, too; beginning a run is not."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return has_role(request.user, *(RUNNERS if request.method == "POST" else READERS))


class RunInput(serializers.Serializer[Any]):
    family = serializers.CharField(required=False, max_length=20)
    repeat = serializers.IntegerField(required=False, min_value=1, max_value=MAX_REPEAT)
    scenarios_only = serializers.BooleanField(required=False, default=False)


class ProgressSerializer(serializers.Serializer[Any]):
    planned = serializers.IntegerField()
    finished = serializers.IntegerField()
    unknown = serializers.IntegerField()


class RunSerializer(serializers.Serializer[Any]):
    """A run and its report; docs/evaluation.md says how to read it. A rate of null is of nothing, which is not 0."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    state = serializers.ChoiceField(choices=Run.State.choices)
    progress = ProgressSerializer()
    model = serializers.CharField(allow_blank=True)
    release = serializers.CharField(allow_blank=True)
    verdict = serializers.ListField(child=serializers.CharField())
    safety = serializers.ListField(child=serializers.DictField())
    families = serializers.ListField(child=serializers.DictField())
    scenarios = serializers.ListField(child=serializers.DictField())
    misses = serializers.ListField(child=serializers.DictField())
    unknown = serializers.ListField(child=serializers.DictField())
    guard = serializers.DictField()
    cost = serializers.DictField()
    cannot_tell = serializers.ListField(child=serializers.CharField())
    statements = serializers.ListField(child=serializers.DictField())
    provenance = serializers.DictField()


class _Newest(Pages):
    ordering = ("-started_at", "id")
    page_size = 5


class Runs(APIView):
    permission_classes = [MayBegin]

    @extend_schema(responses=RunSerializer(many=True), tags=["staff"])
    def get(self, request: Request) -> Response:
        pages = _Newest()
        page = pages.paginate_queryset(Run.objects.all(), request, self) or []
        return pages.get_paginated_response([_body(run.pk) for run in page])

    @extend_schema(request=RunInput, responses={202: RunSerializer}, tags=["staff"])
    def post(self, request: Request) -> Response:
        given = RunInput(data=request.data)
        given.is_valid(raise_exception=True)
        if (other := recording.under_way(timezone.now())) is not None:
            raise Conflict(
                f"The run {other.pk} is under way: {other.finished} of {other.planned} asked. Wait for it, or run "
                "manage.py run_evals, which asks beside it."
            )
        at_once = WORKERS_AT_ONCE if settings.REDIS_URL else 1
        try:
            plan = make_plan(Wanted(**given.validated_data, concurrency=at_once))
        except CannotRun as error:
            raise exceptions.ValidationError({"family": [str(error)]}) from error
        by = request.user if isinstance(request.user, User) else None
        run_id = begin_run(plan, trigger=Run.Trigger.API, by=by)
        try:
            tasks.start_run(run_id)
        except tasks.CannotStart as error:
            recording.end(run_id, is_whole=False, now=timezone.now())
            raise Unavailable(
                f"The run {run_id} is planned, and no worker could be told of it. On the portal's own machine: "
                f"manage.py run_evals --resume {run_id}"
            ) from error
        headers = {"Location": f"/api/evals/runs/{run_id}/"}
        return Response(_body(run_id), status=status.HTTP_202_ACCEPTED, headers=headers)


class OneRun(APIView):
    permission_classes = [MayRead]

    @extend_schema(responses=RunSerializer, tags=["staff"])
    def get(self, request: Request, run_id: UUID) -> Response:
        return Response(_body(run_id))


def _body(run_id: UUID) -> dict[str, Any]:
    report = report_of(run_id)
    if report is None:
        raise exceptions.NotFound
    return as_json(report)
