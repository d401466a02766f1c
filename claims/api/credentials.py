"""Who calls: the holder of a claim's token, or a member of staff with a role."""

from dataclasses import dataclass
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from claims.claim_opening import claim_of_token
from claims.models import Claim
from knowledge.roles import STAFF_ROLES, Role, has_role


@dataclass(frozen=True)
class TokenHolder:
    """Somebody with a claim's token; which claim it opens is decided by the address."""

    token: str
    is_authenticated: bool = True
    is_active: bool = True
    is_superuser: bool = False
    pk: None = None

    @property
    def groups(self) -> Any:
        raise exceptions.PermissionDenied("A claim's token does not open staff's calls.")


class ClaimToken(BaseAuthentication):
    """`Authorization: Bearer <claim token>`."""

    def authenticate(self, request: Request) -> tuple[Any, str] | None:
        parts = get_authorization_header(request).split()
        if not parts or parts[0].lower() != b"bearer":
            return None
        if len(parts) != 2:
            raise exceptions.AuthenticationFailed("Send the claim's token as `Authorization: Bearer TOKEN`.")
        try:
            token = parts[1].decode("ascii")
        except UnicodeError as error:
            raise exceptions.AuthenticationFailed("The claim's token holds characters that no token has.") from error
        return TokenHolder(token), token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class _ClaimTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the schema names the claim's token."""

    target_class = ClaimToken
    name = "claimToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


def claim_for(request: Request, reference: str) -> Claim:
    """The claim of the address if the token opens it. Raises NotFound for another's claim as for none."""
    holder = request.user
    claim = claim_of_token(reference, holder.token) if isinstance(holder, TokenHolder) else None
    if claim is None:
        raise exceptions.NotFound
    return claim


class _RolePermission(BasePermission):
    roles: tuple[Role, ...] = ()
    message = "Your login does not have the role that this needs."

    def has_permission(self, request: Request, view: Any) -> bool:
        return has_role(request.user, *self.roles)


class IsReviewer(_RolePermission):
    roles = (Role.REVIEWER,)


class IsAdjuster(_RolePermission):
    roles = (Role.ADJUSTER,)


class IsStaff(_RolePermission):
    roles = STAFF_ROLES
