"""Staff's calls: the waiting list, a turn's record, and the tokens of staff."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from claims import waiting_list
from claims.agent import wording
from claims.api import serializers as shapes
from claims.api.claimant import turn_or_404
from claims.api.credentials import IsReviewer, IsStaff
from claims.api.errors import Conflict
from claims.api.pages import Pages
from claims.claim_state import waiting_view
from claims.models import WaitingItem
from claims.staff_answers import UnknownClauses, with_clauses
from claims.turn_records import messages_of, turn_record
from knowledge.language import decision_problem

VIEWS = ("mine", "unowned", "overdue", "done")


class TurnRecordView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=shapes.RecordSerializer, tags=["staff"])
    def get(self, request: Request, turn_id: UUID) -> Response:
        return Response(shapes.RecordSerializer(turn_record(turn_or_404(turn_id))).data)


class _Queue(Pages):
    ordering = ("due_at", "id")
    page_size = 25


def detail(item: WaitingItem) -> dict[str, Any]:
    """An item with what staff need to work on it."""
    view = waiting_view(item)
    return {
        **shapes.WaitingSerializer(view).data,
        "claim": item.claim.reference,
        "question": item.question,
        "why": wording.REASONS_IN_WORDS[item.reason],
        "owner": None if item.owner is None else waiting_list.staff_name(item.owner),
        "note": item.note,
        "closed_reason": item.closed_reason,
        "last_seq": item.claim.last_message_seq,
    }


def case(item: WaitingItem) -> dict[str, Any]:
    """An item and the conversation around it, so that a program can know what `seen_seq` stands for."""
    messages = shapes.MessageSerializer(messages_of(item.claim), many=True).data
    return {**detail(item), "messages": messages, "last_seq": messages[-1]["seq"] if messages else 0}


class ReviewerView(APIView):
    permission_classes = [IsReviewer]


class WaitingItems(ReviewerView):
    @extend_schema(
        responses=shapes.WaitingDetailSerializer(many=True),
        parameters=[OpenApiParameter("view", str, enum=VIEWS)],
        tags=["staff"],
    )
    def get(self, request: Request) -> Response:
        view = request.query_params.get("view", "")
        if view and view not in VIEWS:
            raise exceptions.ValidationError({"view": [f"Choose one of {', '.join(VIEWS)}, or leave it out for all."]})
        items = waiting_list.list_items(view=view, user=_user(request), now=timezone.now())
        pages = _Queue()
        page = pages.paginate_queryset(items, request, self) or []
        return pages.get_paginated_response([detail(item) for item in page])


class OneWaitingItem(ReviewerView):
    @extend_schema(responses=shapes.WaitingCaseSerializer, tags=["staff"])
    def get(self, request: Request, reference: str) -> Response:
        return Response(case(_item(reference)))


def _user(request: Request) -> User:
    if not isinstance(request.user, User):
        raise exceptions.NotAuthenticated
    return request.user


def _item(reference: str) -> WaitingItem:
    item = WaitingItem.objects.select_related("claim", "owner").filter(reference=reference).first()
    if item is None:
        raise exceptions.NotFound
    return item


def _given(request: Request, shape: type[Any]) -> dict[str, Any]:
    body = shape(data=request.data)
    body.is_valid(raise_exception=True)
    data: dict[str, Any] = body.validated_data
    return data


def _done(reference: str, act: Callable[[], WaitingItem]) -> Response:
    """Carry out one act on an item; 409 with the reason when it is not possible now."""
    _item(reference)
    try:
        act()
    except waiting_list.CannotDo as error:
        raise Conflict(str(error)) from error
    return Response(case(_item(reference)))


class Take(ReviewerView):
    @extend_schema(request=None, responses=shapes.WaitingCaseSerializer, tags=["staff"])
    def post(self, request: Request, reference: str) -> Response:
        return _done(reference, lambda: waiting_list.take(reference=reference, by=_user(request)))


class Release(ReviewerView):
    @extend_schema(request=None, responses=shapes.WaitingCaseSerializer, tags=["staff"])
    def post(self, request: Request, reference: str) -> Response:
        return _done(reference, lambda: waiting_list.release(reference=reference, by=_user(request)))


class Answer(ReviewerView):
    @extend_schema(request=shapes.AnswerInput, responses=shapes.AnsweredSerializer, tags=["staff"])
    def post(self, request: Request, reference: str) -> Response:
        given = _given(request, shapes.AnswerInput)
        now = timezone.now()
        try:
            text = with_clauses(_item(reference).claim, given["text"], given.get("clause_ids", []), now)
        except UnknownClauses as error:
            raise exceptions.ValidationError({"clause_ids": [str(error)]}) from error
        send = {"reference": reference, "by": _user(request), "text": text, "seen_seq": given["seen_seq"], "now": now}
        response = _done(reference, lambda: waiting_list.answer(**send))
        # Staff may decide where the portal may not: they are told of it, and nothing is held back.
        response.data["warning"] = decision_problem(given["text"])
        return response


class Close(ReviewerView):
    @extend_schema(request=shapes.ReasonInput, responses=shapes.WaitingCaseSerializer, tags=["staff"])
    def post(self, request: Request, reference: str) -> Response:
        reason, now = _given(request, shapes.ReasonInput)["reason"], timezone.now()
        by = _user(request)
        return _done(reference, lambda: waiting_list.close(reference=reference, by=by, reason=reason, now=now))


class Note(ReviewerView):
    @extend_schema(request=shapes.TextInput, responses=shapes.WaitingCaseSerializer, tags=["staff"])
    def post(self, request: Request, reference: str) -> Response:
        text, now = _given(request, shapes.TextInput)["text"], timezone.now()
        by = _user(request)
        return _done(reference, lambda: waiting_list.note(reference=reference, by=by, text=text, now=now))


class Decision(ReviewerView):
    @extend_schema(request=shapes.TextInput, responses=shapes.WaitingCaseSerializer, tags=["staff"])
    def post(self, request: Request, reference: str) -> Response:
        text, now = _given(request, shapes.TextInput)["text"], timezone.now()
        by = _user(request)
        return _done(reference, lambda: waiting_list.record_decision(reference=reference, by=by, text=text, now=now))
