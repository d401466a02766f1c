"""A run that died goes on without asking a question twice: broken off in this process, and killed with no word."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from claims.models import Claim, Message, Turn
from evals.driver import over_http
from evals.models import Result, Run
from evals.recording import Recorder
from tests.bench.portal import ROOT, ServedPortal

IDS = ["DM-01", "DM-03", "DM-06", "DM-12", "DN-01"]


@pytest.mark.usefixtures("portal", "manager")
@pytest.mark.parametrize("moment", ["opened", "measured"])
def test_a_question_that_was_in_the_air_is_not_asked_twice(
    moment: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """`opened`: the claim is there, nothing was said in it; `measured`: the turn is there and not yet written down."""
    real = getattr(Recorder, moment)
    seen: list[str] = []

    def break_off(self: Recorder, task: Any, *given: Any) -> None:
        seen.append(task.name)
        if len(seen) == 3:
            if moment == "opened":
                real(self, task, *given)
            raise KeyboardInterrupt
        real(self, task, *given)

    monkeypatch.setattr(Recorder, moment, break_off)
    with pytest.raises(CommandError, match="Go on with: run_evals --resume"):
        call_command("run_evals", "--json", "--only", *IDS, "--seed", "2")
    monkeypatch.undo()
    run = Run.objects.get()
    assert (run.state, run.finished) == ("aborted", 2)
    in_the_air = Result.objects.get(run=run, done_at__isnull=True, claim__gt="")
    assert (in_the_air.name, in_the_air.claim_token == "") == (seen[2], False)

    capsys.readouterr()
    call_command("run_evals", "--json", "--resume", str(run.pk))
    body = json.loads(capsys.readouterr().out)
    assert (body["state"], body["unknown"], body["id"]) == ("complete", [], str(run.pk))
    assert Claim.objects.count() == len(IDS)
    # DM-03 comes after DM-01 in its conversation, so it takes two messages.
    assert Turn.objects.count() == Message.objects.filter(sender="customer").count() == len(IDS) + 1
    assert Result.objects.filter(claim_token__gt="").count() == 0
    with pytest.raises(CommandError, match="it is complete"):
        call_command("run_evals", "--resume", str(run.pk))


def test_a_run_that_is_killed_goes_on_and_every_question_has_been_asked_once(served_portal: ServedPortal):
    logins = json.loads((served_portal.var_dir / "demo_logins.json").read_text())
    login = {"username": "manager", "password": logins["manager"]["password"]}
    token = over_http(served_portal.url)("POST", "/api/tokens/", "", login).body["token"]
    environment = {"PATH": os.environ["PATH"], "PORTAL_STAFF_TOKEN": token}
    environment["PORTAL_VAR_DIR"] = str(served_portal.var_dir)
    command = [sys.executable, str(ROOT / "manage.py"), "run_evals", "--json"]
    options = ["--address", served_portal.url, "--concurrency", "3", "--only", *IDS]
    first = subprocess.Popen([*command, *options], env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert first.stderr is not None
    run_id = first.stderr.readline().split()[1].rstrip(b",").decode()
    until = time.monotonic() + 60
    while not first.stderr.readline().strip() and time.monotonic() < until:
        pass
    first.send_signal(signal.SIGKILL)
    first.communicate(timeout=20)

    done = subprocess.run(
        [*command, "--resume", run_id], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    body = json.loads(done.stdout)
    assert (body["state"], body["unknown"], body["families"][0]["n"]) == ("complete", [], len(IDS))
    with sqlite3.connect(served_portal.var_dir / "portal.sqlite3") as database:
        asked = database.execute(
            "SELECT r.name, count(*) FROM evals_result r JOIN claims_claim c ON c.reference = r.claim "
            "JOIN claims_turn t ON t.claim_id = c.id WHERE r.run_id = ? GROUP BY r.name",
            [run_id.replace("-", "")],
        ).fetchall()
    assert dict(asked) == {**dict.fromkeys(IDS, 1), "DM-03": 2}
