"""The claimant's calls: open a claim, ask, read, set a fact, ask for a person."""

import re
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, status
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from claims import conversation, tasks, turn_waiting
from claims.agent.vocabulary import Field, Status
from claims.api import serializers as shapes
from claims.api.credentials import ClaimToken, claim_for
from claims.api.errors import Unprocessable
from claims.api.pages import Pages
from claims.claim_opening import InvalidValue, TooManyClaims, open_claim, set_fact
from claims.claim_state import claim_view, fact_view, facts_of, waiting_view
from claims.due_times import NEW_ZEALAND
from claims.models import Claim, Message, Turn
from claims.turn_records import find_turn, message_view, turn_view
from knowledge.roles import Role, has_role

MAX_KEY = 255
MAX_WAIT = 30
ASK_AGAIN_SECONDS = 3600
_PREFER_WAIT = re.compile(r"(?:^|[,;\s])wait=(\d{1,4})(?:[,;\s]|$)")


def _valid(serializer: Any) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    data: dict[str, Any] = serializer.validated_data
    return data


class Claims(APIView):
    """Anybody may open a claim; staff's tokens are read for evaluation runs."""

    permission_classes = [AllowAny]

    @extend_schema(request=shapes.OpenClaimInput, responses={201: shapes.OpenedClaimSerializer}, tags=["claimant"])
    def post(self, request: Request) -> Response:
        given = _valid(shapes.OpenClaimInput(data=request.data))
        is_evaluation = given.get("purpose") == Claim.Purpose.EVALUATION
        if is_evaluation and not has_role(request.user, Role.MANAGER, Role.OPERATOR):
            self.permission_denied(request, "Only managers and operators open claims for evaluation.")
        now = timezone.now()
        try:
            opened = open_claim(
                **given,
                address=request.META.get("REMOTE_ADDR", ""),
                now=now,
                needs_postcode=not settings.DEBUG,
                claims_an_hour=0 if is_evaluation else settings.PORTAL_CLAIMS_AN_HOUR,
            )
        except InvalidValue as error:
            raise exceptions.ValidationError({error.field: [str(error)]}) from error
        except TooManyClaims as error:
            raise exceptions.Throttled(
                3600, "Too many claims were opened from this address. Try again later."
            ) from error
        claim = Claim.objects.get(reference=opened.reference)
        view = claim_view(claim, now.astimezone(NEW_ZEALAND).date())
        body = {**shapes.ClaimSerializer(view).data, "token": opened.token}
        fields = shapes.OpenedClaimSerializer().fields
        return Response({name: body[name] for name in fields}, status=status.HTTP_201_CREATED)


class ClaimantView(APIView):
    """A call on one claim with that claim's token."""

    authentication_classes = [ClaimToken]


class OneClaim(ClaimantView):
    @extend_schema(responses=shapes.ClaimSerializer, tags=["claimant"])
    def get(self, request: Request, reference: str) -> Response:
        claim = claim_for(request, reference)
        today = timezone.now().astimezone(NEW_ZEALAND).date()
        return Response(shapes.ClaimSerializer(claim_view(claim, today)).data)


class OneFact(ClaimantView):
    @extend_schema(request=shapes.FactInput, responses=shapes.FactSerializer, tags=["claimant"])
    def put(self, request: Request, reference: str, field: str) -> Response:
        claim = claim_for(request, reference)
        value = _valid(shapes.FactInput(data=request.data))["value"]
        if field not in set(Field):
            raise exceptions.ValidationError({"field": [f"There is no field {field!r}. Fields: {', '.join(Field)}."]})
        try:
            set_fact(claim_id=claim.pk, field=field, value=value, now=timezone.now())
        except InvalidValue as error:
            raise exceptions.ValidationError({"value": [str(error)]}) from error
        return Response(shapes.FactSerializer(fact_view(facts_of(claim)[Field(field)])).data)


class _Conversation(Pages):
    ordering = "seq"
    page_size = 50


class Messages(ClaimantView):
    @extend_schema(responses=shapes.MessageSerializer(many=True), tags=["claimant"])
    def get(self, request: Request, reference: str) -> Response:
        claim = claim_for(request, reference)
        pages = _Conversation()
        page = pages.paginate_queryset(Message.objects.filter(claim=claim), request, self) or []
        views = [message_view(message) for message in page]
        return pages.get_paginated_response(shapes.MessageSerializer(views, many=True).data)

    @extend_schema(
        request=shapes.MessageInput,
        responses={201: shapes.TurnSerializer, 202: shapes.TurnSerializer},
        parameters=[
            OpenApiParameter("Idempotency-Key", str, OpenApiParameter.HEADER),
            OpenApiParameter("Prefer", str, OpenApiParameter.HEADER, description="wait=N, at most 30 seconds"),
        ],
        tags=["claimant"],
    )
    def post(self, request: Request, reference: str) -> HttpResponse:
        claim = claim_for(request, reference)
        text = _valid(shapes.MessageInput(data=request.data))["text"]
        key = _idempotency_key(request)
        received = self._receive(claim, text, key)
        if received.response is None:
            if received.is_new:
                tasks.start_turn(received.turn_id)
                if seconds := _seconds_to_wait(request):
                    turn_waiting.wait_until_done(received.turn_id, seconds=seconds)
            received = _respond(received, keep=key is not None)
        return _replay(received, reference)

    def _receive(self, claim: Claim, text: str, key: str | None) -> conversation.Received:
        is_evaluation = claim.purpose == Claim.Purpose.EVALUATION
        try:
            return conversation.receive_message(
                claim_id=claim.pk,
                text=text,
                key=key,
                now=timezone.now(),
                messages_a_minute=0 if is_evaluation else settings.PORTAL_MESSAGES_A_MINUTE,
            )
        except conversation.InvalidMessage as error:
            raise exceptions.ValidationError({"text": [str(error)]}) from error
        except conversation.KeyReused as error:
            raise Unprocessable(
                "This Idempotency-Key was used for another message. Use a new key for a new message."
            ) from error
        except conversation.TooManyMessages as error:
            raise exceptions.Throttled(60, "Too many messages in this minute. Nothing was stored.") from error


def _seconds_to_wait(request: Request) -> int:
    """`Prefer: wait=N`, at most 30; a preference that cannot be read is not an error (RFC 7240)."""
    match = _PREFER_WAIT.search(request.headers.get("Prefer", ""))
    return min(int(match[1]), MAX_WAIT) if match else 0


def _idempotency_key(request: Request) -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not (1 <= len(key) <= MAX_KEY and key.isprintable()):
        raise exceptions.ValidationError(
            {"Idempotency-Key": [f"Send 1 to {MAX_KEY} printable characters, or leave it out."]}
        )
    return key


def _respond(received: conversation.Received, *, keep: bool) -> conversation.Received:
    """The turn as it stands is the response to its post; it is kept where a key allows a replay."""
    turn = turn_or_404(received.turn_id)
    is_pending = turn.status in {Status.RECEIVED, Status.RUNNING}
    code = status.HTTP_202_ACCEPTED if is_pending else status.HTTP_201_CREATED
    body = JSONRenderer().render(shapes.TurnSerializer(turn_view(turn)).data).decode()
    if keep:
        conversation.keep_response(message_id=received.message_id, status=code, body=body)
    return replace(received, response=(code, body))


def _replay(received: conversation.Received, reference: str) -> HttpResponse:
    code, body = received.response or (status.HTTP_202_ACCEPTED, "")
    response = HttpResponse(body, status=code, content_type="application/json")
    if code == status.HTTP_202_ACCEPTED:
        response.headers["Location"] = f"/api/claims/{reference}/turns/{received.turn_id}/"
    return response


def turn_or_404(turn_id: UUID, claim: Claim | None = None) -> Turn:
    turn = find_turn(turn_id, claim)
    if turn is None:
        raise exceptions.NotFound
    return turn


class OneTurn(ClaimantView):
    @extend_schema(responses=shapes.TurnSerializer, tags=["claimant"])
    def get(self, request: Request, reference: str, turn_id: UUID) -> Response:
        turn = turn_or_404(turn_id, claim_for(request, reference))
        return Response(shapes.TurnSerializer(turn_view(turn)).data)


class Feedback(ClaimantView):
    @extend_schema(request=shapes.FeedbackInput, responses={204: None}, tags=["claimant"])
    def post(self, request: Request, reference: str, turn_id: UUID) -> Response:
        turn = turn_or_404(turn_id, claim_for(request, reference))
        given = _valid(shapes.FeedbackInput(data=request.data))
        conversation.give_feedback(turn=turn, useful=given["useful"], reason=given.get("reason", ""))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Person(ClaimantView):
    @extend_schema(
        request=None, responses={200: shapes.WaitingSerializer, 201: shapes.WaitingSerializer}, tags=["claimant"]
    )
    def post(self, request: Request, reference: str) -> Response:
        claim = claim_for(request, reference)
        item, is_new = conversation.ask_for_person(claim_id=claim.pk, now=timezone.now())
        if item is None:
            raise exceptions.Throttled(
                ASK_AGAIN_SECONDS, "Several of your questions wait for our staff already. Please call us."
            )
        body = shapes.WaitingSerializer(waiting_view(item)).data
        return Response(body, status=status.HTTP_201_CREATED if is_new else status.HTTP_200_OK)
