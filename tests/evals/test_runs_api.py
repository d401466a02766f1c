"""Runs over the API: who may begin and read one, what is refused and how, and a run in the served demo."""

import json
import time
from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone

from evals import recording, tasks
from evals.driver import over_http
from evals.models import Run
from evals.runs import Wanted, begin_run, make_plan
from tests.bench.portal import ServedPortal
from tests.builders_api import problem_of, staff

RUNS = "/api/evals/runs/"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Runs that would be carried out in the background; here nobody does."""
    told: list[Any] = []
    monkeypatch.setattr(tasks, "start_run", told.append)
    return told


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["manager", "operator"])
def test_a_manager_or_an_operator_begins_a_run(role: str, started: list[Any]):
    response = staff(role).post(RUNS, {"family": "home", "repeat": 2})
    body = response.json()
    assert (response.status_code, response.headers["Location"]) == (202, f"{RUNS}{body['id']}/")
    assert (body["state"], body["progress"]) == ("running", {"planned": 2 * 36, "finished": 0, "unknown": 0})
    run = Run.objects.get()
    assert (started, run.by_name, run.trigger, run.repeat) == ([run.pk], f"some-{role}", "api", 2)
    assert run.results.filter(kind="scenario").count() == 0


@pytest.mark.django_db
def test_who_may_read_and_who_may_not(started: list[Any]):
    begun = staff("manager").post(RUNS, {"scenarios_only": True, "repeat": 1}).json()
    for role in ("reviewer", "operator", "manager"):
        client = staff(role, f"reads-{role}")
        assert client.get(f"{RUNS}{begun['id']}/").status_code == 200
        assert [run["id"] for run in client.get(RUNS).json()["results"]] == [begun["id"]]
    problem_of(staff("reviewer").post(RUNS, {}), 403)
    for role in ("editor", "approver", "adjuster"):
        client = staff(role)
        problem_of(client.get(RUNS), 403)
        problem_of(client.get(f"{RUNS}{begun['id']}/"), 403)
        problem_of(client.post(RUNS, {}), 403)
    problem_of(staff("reviewer", "other").get(f"{RUNS}5f5c1a58-0a3c-4b0c-8f0e-1c1d5a1f0f6e/"), 404)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body",
    [{"family": "pets"}, {"family": "home", "scenarios_only": True}, {"repeat": 0}, {"repeat": 21}, {"repeat": "x"}],
)
def test_what_cannot_be_asked_is_a_400_that_says_why(body: dict[str, Any], started: list[Any]):
    problem = problem_of(staff("manager").post(RUNS, body), 400)
    assert set(problem["errors"]) & {"family", "repeat"}
    assert (started, Run.objects.count()) == ([], 0)


@pytest.mark.django_db
def test_one_run_at_a_time_and_the_refusal_names_the_command(started: list[Any]):
    client = staff("manager")
    first = client.post(RUNS, {"scenarios_only": True}).json()
    problem = problem_of(client.post(RUNS, {}), 409)
    assert first["id"] in problem["detail"] and "manage.py run_evals" in problem["detail"]
    recording.end(Run.objects.get().pk, is_whole=False, now=timezone.now())
    assert client.post(RUNS, {"scenarios_only": True}).status_code == 202, "one that broke off is in nobody's way"


@pytest.mark.django_db
def test_a_broker_that_is_away_leaves_a_planned_run_and_names_the_command(monkeypatch: pytest.MonkeyPatch):
    def refuse(**given: Any) -> None:
        raise ConnectionError("nobody there")

    monkeypatch.setattr(tasks.carry_out_run, "apply_async", refuse)
    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        problem = problem_of(staff("manager").post(RUNS, {"scenarios_only": True}), 503)
    run = Run.objects.get()
    assert f"manage.py run_evals --resume {run.pk}" in problem["detail"]
    assert (run.state, run.finished, run.concurrency) == ("aborted", 0, 4)


@pytest.mark.django_db
def test_the_list_is_in_pages_the_newest_first():
    plan = make_plan(Wanted(scenarios_only=True, repeat=1))
    ids = [str(begin_run(plan, trigger=Run.Trigger.API, by=None)) for _ in range(6)]
    client = staff("reviewer")
    page = client.get(RUNS).json()
    assert [run["id"] for run in page["results"]] == ids[:0:-1]
    rest = client.get(page["next"]).json()
    assert ([run["id"] for run in rest["results"]], rest["next"]) == (ids[:1], None)


@pytest.mark.usefixtures("portal", "manager")
def test_a_run_in_the_background_is_carried_out_as_its_login_and_only_once(monkeypatch: pytest.MonkeyPatch):
    # A task closes its thread's connection, and here that is the one whose rows are rolled back.
    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)
    from django.contrib.auth.models import User
    from knox.models import AuthToken

    by = User.objects.get(username="manager")
    run_id = begin_run(make_plan(Wanted(scenarios_only=True, repeat=1)), trigger=Run.Trigger.API, by=by)
    tasks.carry_out_run(str(run_id))
    run = Run.objects.get()
    assert (run.state, run.finished, AuthToken.objects.count()) == ("complete", 4, 0)
    tasks.carry_out_run(str(run_id))
    assert Run.objects.get().ended_at == run.ended_at, "a task that comes again finds nothing to do"


def test_a_run_over_the_api_of_the_served_demo(served_portal: ServedPortal):
    """In the demo a thread of the web process asks; whoever looks sees how far it is, and then its report."""
    logins = json.loads((served_portal.var_dir / "demo_logins.json").read_text())
    call = over_http(served_portal.url)
    login = {"username": "operator", "password": logins["operator"]["password"]}
    token = f"Token {call('POST', '/api/tokens/', '', login).body['token']}"
    begun = call("POST", RUNS, token, {"scenarios_only": True, "repeat": 1})
    assert (begun.status, begun.body["progress"]["planned"]) == (202, 4)
    until = time.monotonic() + 90
    run = begun.body
    while run["state"] == "running" and time.monotonic() < until:
        time.sleep(0.2)
        run = call("GET", f"{RUNS}{run['id']}/", token).body
    assert run["state"] == "complete", run
    assert [(line["name"], line["passed"], line["of"]) for line in run["scenarios"]] == [
        (name, 1, 1) for name in ("included", "not_listed", "no_clause", "store_stopped")
    ]
    assert set(run) >= {
        *("id", "state", "progress", "model", "release", "families", "scenarios", "safety", "misses", "cannot_tell"),
    }
