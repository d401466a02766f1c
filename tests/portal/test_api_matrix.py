"""Every address of the API with every method, for every kind of caller: never a 5xx, every refusal problem+json."""

import itertools
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from rest_framework.test import APIClient

from claims.uploads import read_document, receive_document
from evals.models import Run
from evals.runs import Wanted, begin_run, make_plan
from tests.builders_api import PROBLEM, address, holder, opened, play, problem_of, say, seed_wording, staff

pytestmark = pytest.mark.django_db

METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"]
BODIES = [b"", b"{}", b"[1]", b"{", b'{"text": "\\ud800", "value": 5, "useful": null}']

# What each address takes beside OPTIONS. A new address needs a row here: the moment to ask who may call it.
TAKES = {
    "api/schema/": "GET HEAD",
    "api/docs/": "GET HEAD",
    "api/claims/": "POST",
    "api/claims/<slug:reference>/": "GET HEAD",
    "api/claims/<slug:reference>/facts/<slug:field>/": "PUT",
    "api/claims/<slug:reference>/messages/": "GET HEAD POST",
    "api/claims/<slug:reference>/turns/<uuid:turn_id>/": "GET HEAD",
    "api/claims/<slug:reference>/turns/<uuid:turn_id>/feedback/": "POST",
    "api/claims/<slug:reference>/person/": "POST",
    "api/turns/<uuid:turn_id>/record/": "GET HEAD",
    "api/waiting-list/": "GET HEAD",
    "api/waiting-list/<slug:reference>/": "GET HEAD",
    "api/waiting-list/<slug:reference>/take/": "POST",
    "api/waiting-list/<slug:reference>/release/": "POST",
    "api/waiting-list/<slug:reference>/answer/": "POST",
    "api/waiting-list/<slug:reference>/close/": "POST",
    "api/waiting-list/<slug:reference>/note/": "POST",
    "api/waiting-list/<slug:reference>/decision/": "POST",
    "api/knowledge/families/": "GET HEAD",
    "api/knowledge/releases/": "GET HEAD",
    "api/knowledge/clauses/": "GET HEAD",
    "api/knowledge/clauses/<slug:clause_id>/": "GET HEAD",
    "api/knowledge/search/": "GET HEAD",
    "api/evals/runs/": "GET HEAD POST",
    "api/evals/runs/<uuid:run_id>/": "GET HEAD",
    "api/documents/": "GET HEAD POST",
    "api/documents/<uuid:document_id>/": "GET HEAD",
    "api/documents/<uuid:document_id>/original/": "GET HEAD",
    "api/documents/<uuid:document_id>/sections/": "GET HEAD",
    "api/documents/<uuid:document_id>/sections/<slug:section_id>/label/": "PUT",
    "api/documents/<uuid:document_id>/find/": "POST",
    "api/deadlines/": "POST",
    "api/tokens/": "POST DELETE",  # last: it ends the caller's token
}
CALLERS = ["nobody", "claimant", "another claimant", "reviewer", "adjuster"]
LEAKS = ("Traceback", "site-packages", ".py", "ErrorDetail", "ango", "SELECT", "5.2", "/work")
POLICY = b"""EXCLUSIONS
1. We do not pay for rust, birds, bats or insects, or for wear and tear.
2. We do not pay for the weight of snow and ice on a roof, nor for what it does to a fence, a gate or a garden shed.
3. We do not pay for loss by settling, cracking, bulging or expansion of pavements, patios, walls, floors or ceilings.
"""
# Open to everybody, by design.
OPEN = {"api/schema/", "api/docs/", "api/tokens/", "api/claims/"}
ADJUSTERS = ("api/documents/", "api/deadlines/")


def routes(patterns=None, prefix=""):
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and route.startswith("api/"):
            yield route


def test_A1_every_address_of_the_api_is_in_the_table():
    assert set(routes()) == set(TAKES)


@pytest.fixture
def callers(settings, monkeypatch):
    """Clients by caller, and what to put into an address."""
    settings.DEBUG = False
    seed_wording()
    play(monkeypatch)
    claim = opened(APIClient())
    turn = say(claim).json()["id"]
    item = holder(claim).post(address(claim, "person/"), {}).json()["reference"]
    plan = make_plan(Wanted(scenarios_only=True, repeat=1))
    run = begin_run(plan, trigger=Run.Trigger.API, by=None)
    clients = {
        "nobody": APIClient(enforce_csrf_checks=True),
        "claimant": holder(claim, enforce_csrf_checks=True),
        "another claimant": holder(opened(APIClient()), enforce_csrf_checks=True),
        "reviewer": staff("reviewer"),
        "adjuster": staff("adjuster"),
    }
    adjuster = User.objects.get(username="some-adjuster")
    document = receive_document(owner=adjuster, name="p.txt", data=POLICY, now=timezone.now()).document.pk
    read_document(document)
    section = clients["adjuster"].get(f"/api/documents/{document}/sections/").json()[0]

    def fill(route):
        reference = item if "waiting-list" in route else claim["reference"]
        parts = {"reference": reference, "turn_id": turn, "field": "place"}
        parts |= {"clause_id": "MTR-BEN-01", "run_id": str(run)}
        parts |= {"document_id": str(document), "section_id": section["section_id"]}
        return "/" + re.sub(r"<\w+:(\w+)>", lambda found: parts[found[1]], route)

    return clients, fill


@pytest.mark.parametrize("caller", CALLERS)
def test_A6_no_call_is_a_5xx_and_every_refusal_is_problem_json(callers, caller):
    clients, fill = callers
    for route, method in itertools.product(TAKES, METHODS):
        for body in BODIES if method in {"POST", "PUT", "PATCH"} else [b""]:
            response = clients[caller].generic(method, fill(route), body, "application/json")
            assert response.status_code < 500, (route, method, body)
            if response.status_code >= 400:
                assert response.headers["Content-Type"].split(";")[0] == PROBLEM, (route, method, body)
                assert not [leak for leak in LEAKS if leak in response.content.decode()], (route, method, body)
                if method != "HEAD":
                    problem_of(response, response.status_code)


def test_A1_an_address_takes_its_methods_and_no_other(callers):
    clients, fill = callers
    for route, methods in TAKES.items():
        taken = set(methods.split())
        claimants = route.startswith("api/claims/<")
        caller = "claimant" if claimants else "adjuster" if route.startswith(ADJUSTERS) else "reviewer"
        for method in sorted(set(METHODS) - taken - {"OPTIONS"}) + sorted(taken):
            response = clients[caller].generic(method, fill(route), b"{}", "application/json")
            assert (response.status_code != 405) == (method in taken), (route, method, response.status_code)
            if response.status_code == 405:
                assert set(response.headers["Allow"].replace(" ", "").split(",")) >= taken - {"HEAD"}


@pytest.mark.parametrize("caller", ["nobody", "another claimant", "adjuster"])
def test_A1_a_call_is_for_its_callers_only(callers, caller):
    clients, fill = callers
    for route in set(TAKES) - OPEN:
        if caller == "adjuster" and route.startswith(ADJUSTERS):
            continue
        is_claimants = route.startswith("api/claims/")
        expected = {
            "nobody": 401,
            "another claimant": 404 if is_claimants else 401,
            "adjuster": 401 if is_claimants else 403,
        }[caller]
        for method in set(TAKES[route].split()) - {"HEAD"}:
            body = b'{"text": "x", "value": "x", "useful": true}'
            response = clients[caller].generic(method, fill(route), body, "application/json")
            problem_of(response, expected)


def test_A1_a_policy_file_is_for_its_adjuster_only(callers):
    clients, fill = callers
    clients["another adjuster"] = staff("adjuster", "another-adjuster")
    routes_of_adjusters = [route for route in TAKES if route.startswith(ADJUSTERS)]
    for route, caller in itertools.product(routes_of_adjusters, ["reviewer", "another adjuster"]):
        for method in set(TAKES[route].split()) - {"HEAD"}:
            response = clients[caller].generic(method, fill(route), b'{"query": "theft"}', "application/json")
            if caller == "reviewer":
                problem_of(response, 403)
            elif "<uuid:document_id>" in route:
                problem_of(response, 404)
            elif method == "GET":
                assert response.json()["results"] == []


def test_a_session_of_staff_needs_the_csrf_token_for_acts_and_says_so(callers, django_user_model):
    fill = callers[1]
    user = django_user_model.objects.get(username="some-reviewer")
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(user, backend="portal.access.NoDemoAccounts")
    assert browser.get("/api/waiting-list/").status_code == 200
    problem_of(browser.post(fill("api/waiting-list/<slug:reference>/take/")), 403)


def test_a_wrong_host_is_a_problem_under_the_api():
    problem_of(APIClient().get("/api/claims/x/", HTTP_HOST="evil.example"), 400)
