"""An evaluation over the API where workers answer: one of them asks, and they answer it and everybody else."""

import json
import subprocess
import sys
import urllib.request
from typing import Any

import pytest

from tests.bench.stack import ROOT, Stack, wait_for

pytestmark = [pytest.mark.broker, pytest.mark.postgresql]

LOGIN = """
import django; django.setup()
from django.contrib.auth.models import Group, User
from knox.models import AuthToken
user, _ = User.objects.get_or_create(username="priya")
user.groups.add(Group.objects.get(name="manager"))
print(AuthToken.objects.create(user=user)[1])
"""


@pytest.fixture
def token(stack: Stack) -> str:
    environment = {**stack.environment, "DJANGO_SETTINGS_MODULE": "portal.settings"}
    done = subprocess.run([sys.executable, "-c", LOGIN], cwd=ROOT, env=environment, capture_output=True, check=True)
    return done.stdout.decode().strip()


def call(stack: Stack, token: str, path: str, body: Any = None) -> dict[str, Any]:
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{stack.web.url}/api/evals/runs/{path}", content, headers)
    with urllib.request.urlopen(request, timeout=40) as response:
        found: dict[str, Any] = json.load(response)
        return found


def test_a_worker_carries_the_run_out_and_the_others_are_served_meanwhile(stack: Stack, token: str):
    run_id = call(stack, token, "", {"scenarios_only": True, "repeat": 2})["id"]
    assert call(stack, token, f"{run_id}/")["progress"]["finished"] == 0, "nobody asks while there is no worker"
    with stack.worker(concurrency=8):
        ended = wait_for(
            lambda: (run := call(stack, token, f"{run_id}/"))["state"] != "running" and run, seconds=60, what="the run"
        )
    assert (ended["state"], ended["progress"]) == ("partial", {"planned": 8, "finished": 8, "unknown": 2})
    scenarios = {line["name"]: (line["passed"], line["of"]) for line in ended["scenarios"]}
    assert scenarios["included"] == (2, 2)
    assert scenarios["store_stopped"] == (0, 0), "nobody stops the store that others are served from"
    assert {line["reason"].split(":")[0] for line in ended["unknown"]} == {
        "a run begun over the API stops no store that others are served from"
    }
