"""Tokens for staff's programs: made with a login, stored hashed, expiring, revoked by their holder."""

from typing import Any

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.db import transaction
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from drf_spectacular.utils import extend_schema
from knox.models import AuthToken
from rest_framework import exceptions, serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from knowledge import audit
from portal.access import StaffToken


class StaffTokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]
    """How the schema names a staff token."""

    target_class = "portal.access.StaffToken"


class LoginInput(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, trim_whitespace=False)


class TokenOutput(serializers.Serializer[Any]):
    token = serializers.CharField(help_text="shown once; send it as `Authorization: Token ...`")
    expires_at = serializers.DateTimeField()


class Tokens(APIView):
    """POST a login for a token; DELETE with the token to revoke it."""

    authentication_classes = [StaffToken]

    def get_permissions(self) -> list[Any]:
        return [AllowAny()] if self.request.method == "POST" else [IsAuthenticated()]

    @extend_schema(request=LoginInput, responses={201: TokenOutput}, tags=["staff"])
    def post(self, request: Request) -> Response:
        body = LoginInput(data=request.data)
        body.is_valid(raise_exception=True)
        user = authenticate(request, **body.validated_data)
        if not isinstance(user, User):
            raise exceptions.AuthenticationFailed("This username and password do not belong together.")
        with transaction.atomic():
            row, token = AuthToken.objects.create(user=user)
            audit.record("token.create", by=user, subject=user.get_username(), detail={"key": row.token_key})
        shown = TokenOutput({"token": token, "expires_at": row.expiry}).data
        return Response(shown, status=status.HTTP_201_CREATED)

    @extend_schema(request=None, responses={204: None}, tags=["staff"])
    def delete(self, request: Request) -> Response:
        row: Any = request.auth
        with transaction.atomic():
            audit.record("token.revoke", by=row.user, subject=row.user.get_username(), detail={"key": row.token_key})
            row.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)
