"""Who may enter: staff by session or token; the demo's accounts only while DEBUG is on."""

from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest

from knowledge.roles import DEMO_LOGINS


class NoDemoAccounts(ModelBackend):
    """Django's own check, but the demo's logins (printed by `start`) are refused when DEBUG is off."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        if not settings.DEBUG and username in DEMO_LOGINS:
            return None
        return super().authenticate(request, username=username, password=password, **kwargs)

    def user_can_authenticate(self, user: User | AnonymousUser | None) -> bool:
        if user is not None and not settings.DEBUG and user.get_username() in DEMO_LOGINS:
            return False
        return super().user_can_authenticate(user)
