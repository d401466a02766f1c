"""Staff's tokens: made with a login, used, revoked; the demo's accounts end where DEBUG is off."""

import pytest
from django.test import Client
from knox.models import AuthToken
from rest_framework.test import APIClient

from knowledge.audit import AuditEntry
from knowledge.roles import DEMO_LOGINS
from tests.builders import api_client, make_staff
from tests.builders_api import problem_of

pytestmark = pytest.mark.django_db

TOKENS = "/api/tokens/"
LIST = "/api/waiting-list/"
PASSWORD = "a long enough phrase 7"


def make_login(name, *roles):
    user = make_staff(name, *roles)
    user.set_password(PASSWORD)
    user.save()
    return user


def with_token(token):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


def test_a_token_is_made_with_a_login_used_and_revoked():
    make_login("mere", "reviewer")
    response = APIClient().post(TOKENS, {"username": "mere", "password": PASSWORD})
    assert response.status_code == 201
    assert set(response.json()) == {"token", "expires_at"}
    token = response.json()["token"]
    client = with_token(token)
    assert client.get(LIST).status_code == 200
    assert not AuthToken.objects.filter(digest=token).exists(), "only a hash is stored"
    assert client.delete(TOKENS).status_code == 204
    problem_of(client.get(LIST), 401)
    problem_of(client.delete(TOKENS), 401)
    assert list(AuditEntry.objects.order_by("id").values_list("act", "by_name")) == [
        ("token.create", "mere"),
        ("token.revoke", "mere"),
    ]
    assert token not in str(list(AuditEntry.objects.values()))


def test_revoking_one_token_leaves_the_others():
    user = make_staff("mere", "reviewer")
    one, other = api_client(user), api_client(user)
    assert one.delete(TOKENS).status_code == 204
    assert other.get(LIST).status_code == 200


@pytest.mark.parametrize(
    "body", [{"username": "mere", "password": "wrong"}, {"username": "nobody", "password": PASSWORD}]
)
def test_a_wrong_login_is_401_and_does_not_say_which_part_is_wrong(body):
    make_login("mere", "reviewer")
    problem = problem_of(APIClient().post(TOKENS, body), 401)
    assert problem["detail"] == "This username and password do not belong together."
    assert not AuthToken.objects.exists()


def test_an_incomplete_login_is_400_and_a_wrong_token_401():
    assert set(problem_of(APIClient().post(TOKENS, {}), 400)["errors"]) == {"username", "password"}
    problem_of(with_token("0" * 64).get(LIST), 401)
    problem_of(APIClient().delete(TOKENS), 401)


def test_somebody_who_left_gets_no_token_and_has_none():
    user = make_login("mere", "reviewer")
    client = api_client(user)
    user.is_active = False
    user.save()
    problem_of(client.get(LIST), 401)
    problem_of(APIClient().post(TOKENS, {"username": "mere", "password": PASSWORD}), 401)


def test_the_demos_accounts_are_refused_with_debug_off_by_login_session_and_token(settings):
    for name in DEMO_LOGINS:
        make_login(name, "reviewer")
    settings.DEBUG = True
    login = {"username": "reviewer", "password": PASSWORD}
    token = with_token(APIClient().post(TOKENS, login).json()["token"])
    session = Client()
    assert session.login(**login)
    assert token.get(LIST).status_code == session.get("/admin/claims/waitingitem/").status_code == 200

    settings.DEBUG = False
    problem_of(token.get(LIST), 401)
    assert session.get("/admin/claims/waitingitem/", secure=True).status_code == 302
    for name in DEMO_LOGINS:
        problem_of(APIClient().post(TOKENS, {"username": name, "password": PASSWORD}), 401)
        assert not Client().login(username=name, password=PASSWORD)
    # The control: an account of the house's own goes on.
    make_login("mere", "reviewer")
    assert Client().login(username="mere", password=PASSWORD)
