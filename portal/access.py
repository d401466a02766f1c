"""Who may enter: staff by session or token; the demo's accounts only while DEBUG is on."""

from typing import Any, NoReturn

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest
from knox.auth import TokenAuthentication
from rest_framework import exceptions

from knowledge.roles import DEMO_LOGINS


def is_shut_out(username: str | None) -> bool:
    """The demo's accounts, whose passwords are printed, have no business where DEBUG is off."""
    return not settings.DEBUG and username in DEMO_LOGINS


class NoDemoAccounts(ModelBackend):
    """Django's own check, but the demo's logins (printed by `start`) are refused when DEBUG is off."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        if is_shut_out(username):
            return None
        return super().authenticate(request, username=username, password=password, **kwargs)

    def user_can_authenticate(self, user: User | AnonymousUser | None) -> bool:
        if user is not None and is_shut_out(user.get_username()):
            return False
        return super().user_can_authenticate(user)


class StaffToken(TokenAuthentication):  # type: ignore[misc]
    """`Authorization: Token ...`; a token that no token can be is refused like any wrong one, and so is the demo's."""

    def authenticate_credentials(self, token: bytes) -> Any:
        try:
            # Knox reads the token as UTF-8 and asks the database for it; neither takes every byte.
            user, row = super().authenticate_credentials(token) if token.isalnum() else self._refuse()
        except exceptions.AuthenticationFailed:
            self._refuse()
        if is_shut_out(user.get_username()):
            self._refuse()
        return user, row

    def _refuse(self) -> NoReturn:
        raise exceptions.AuthenticationFailed("This token is not valid. Get a new one from /api/tokens/.")
