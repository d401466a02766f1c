"""The real command on a few rows: in this process and against a portal that is served."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from knox.models import AuthToken

from claims.models import Claim, Turn, WaitingItem
from claims.waiting_list import list_items
from evals.driver import over_http
from evals.models import Result, Run
from evals.recording import CannotRun
from evals.runs import token_of
from knowledge.audit import AuditEntry
from tests.bench.portal import ROOT, ServedPortal
from tests.fakellm import failure

LABEL = "offline chooser, not a language model"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    call_command("run_evals", "--json", *arguments)
    body: dict[str, Any] = json.loads(capsys.readouterr().out)
    return body


@pytest.mark.usefixtures("portal", "manager")
def test_M57_M58_M59_a_run_through_the_message_api_with_the_chooser(capsys: pytest.CaptureFixture[str]):
    body = run(capsys, "--only", "DM-01", "DM-03", "DN-01", "DD-01")

    assert (body["state"], body["model"], body["release"], body["unknown"]) == ("complete", LABEL, "2026.2", [])
    assert body["title"] == "Plumbing run, not a quality result"
    [family] = body["families"]
    assert [(family[name]["hits"], family[name]["n"]) for name in ("fetched", "cited", "shown")] == [(2, 2)] * 3
    assert [(family[name]["hits"], family[name]["n"]) for name in ("refused", "decisions")] == [(1, 1), (1, 1)]
    assert Claim.objects.count() == 4, "each question has a claim of its own"
    assert [
        turn.text[:9] for turn in Turn.objects.filter(claim__turns__text__startswith="sweet as").order_by("seq")
    ] == [
        "hi my car",
        "sweet as.",
    ], "the row that a row comes after is asked first, in the same claim"


@pytest.mark.usefixtures("portal", "manager")
def test_an_evaluation_leaves_staffs_lists_alone_and_its_token_is_gone(
    capsys: pytest.CaptureFixture[str], manager: Any
):
    from django.utils import timezone

    run(capsys, "--only", "DN-01")
    assert WaitingItem.objects.count() == 1
    assert not list_items(view="", user=manager, now=timezone.now()).exists()
    assert set(Claim.objects.values_list("purpose", flat=True)) == {"evaluation"}
    assert AuthToken.objects.count() == 0
    acts = AuditEntry.objects.filter(act__startswith="token.").order_by("id").values_list("act", flat=True)
    assert list(acts) == ["token.create", "token.revoke"]


@pytest.mark.usefixtures("portal", "manager")
def test_a_question_over_the_rates_is_asked_all_the_same(capsys: pytest.CaptureFixture[str], settings: Any):
    settings.PORTAL_CLAIMS_AN_HOUR = settings.PORTAL_MESSAGES_A_MINUTE = 1
    body = run(capsys, "--only", "DM-01", "DM-03")
    assert body["unknown"] == []


@pytest.mark.usefixtures("portal", "manager")
def test_a_provider_that_fails_is_unknown_and_no_miss(model: Any, capsys: pytest.CaptureFixture[str]):
    model([failure(503)] * 2)
    with pytest.raises(CommandError, match="1 of 1 questions could not be measured") as failed:
        run(capsys, "--only", "DM-01")
    assert failed.value.returncode == 1
    body = json.loads(capsys.readouterr().out)
    assert (body["state"], body["misses"], body["families"][0]["cited"]["n"]) == ("partial", [], 0)
    assert body["unknown"] == [
        {
            "name": "DM-01",
            "repetition": 1,
            "reason": "the model's provider failed: ModelUnavailable, ModelUnavailable",
        }
    ]


@pytest.mark.usefixtures("portal", "manager")
@pytest.mark.parametrize("gone", ["store", "policies"])
def test_what_is_not_there_is_unknown(gone: str, store: Any, capsys: pytest.CaptureFixture[str]):
    from claims.models import PolicySchedule

    if gone == "store":
        store.rename(store.parent / "elsewhere")
    else:
        PolicySchedule.objects.all().delete()
    with pytest.raises(CommandError):
        run(capsys, "--only", "DM-01")
    [unknown] = json.loads(capsys.readouterr().out)["unknown"]
    assert unknown["reason"] in {"the wording could not be looked up", "there is no schedule for NW-MTR-204518 here"}


@pytest.mark.usefixtures("portal", "manager")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "DM-99"], "no question DM-99"),
        (["--family", "motor", "--only", "DH-01"], "no motor question DH-01"),
        (["--family", "home", "--scenarios-only"], "about motor"),
        (["--repeat", "0"], "--repeat is a whole number from 1 to 20"),
        (["--concurrency", "65"], "from 1 to 64"),
        (["--stop-store", "true"], "both --stop-store and --start-store"),
        (["--resume", "5f5c1a58-0a3c-4b0c-8f0e-1c1d5a1f0f6e"], "no run 5f5c1a58"),
        (["--family", "pets"], "no questions about pets"),
        (["--by", "nobody"], "no active login nobody"),
        (["--address", "ftp://127.0.0.1"], "is not an address"),
        (["--address", "http://127.0.0.1:1"], "PORTAL_STAFF_TOKEN"),
    ],
)
def test_bad_input_ends_in_2_and_one_sentence(arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch):
    if "ftp" in str(arguments):
        monkeypatch.setenv("PORTAL_STAFF_TOKEN", "x")
    with pytest.raises(CommandError, match=message) as refused:
        call_command("run_evals", *arguments)
    assert refused.value.returncode == 2


@pytest.mark.django_db
def test_only_managers_and_operators_run_an_evaluation():
    from django.contrib.auth.models import Group, User

    editor = User.objects.create(username="somebody")
    editor.groups.add(Group.objects.get_or_create(name="editor")[0])
    with pytest.raises(CannotRun), token_of("somebody"):
        pass


def test_the_same_run_against_a_served_portal(served_portal: ServedPortal):
    logins = json.loads((served_portal.var_dir / "demo_logins.json").read_text())
    login = {"username": "manager", "password": logins["manager"]["password"]}
    token = over_http(served_portal.url)("POST", "/api/tokens/", "", login).body["token"]
    command = [sys.executable, ROOT / "manage.py", "run_evals", "--json", "--only", "DM-01", "DN-01", "DM-06", "DM-03"]
    environment = {"PATH": os.environ["PATH"], "PORTAL_STAFF_TOKEN": token}
    environment["PORTAL_VAR_DIR"] = str(served_portal.var_dir)
    options = ["--address", served_portal.url, "--concurrency", "3", "--seed", "4"]
    done = subprocess.run([*command, *options], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    body = json.loads(done.stdout)
    assert (body["state"], body["model"], body["unknown"]) == ("complete", LABEL, [])
    assert [(family["family"], family["n"], family["cited"]["n"]) for family in body["families"]] == [("motor", 4, 3)]
    made = body["provenance"]
    assert (made["address"], made["concurrency"], made["seed"]) == (served_portal.url, 3, 4)
    assert made["releases"][0]["document_sha256"] == "unknown", "another installation's rows are not read"
    assert body["statements"][6]["figure"].startswith("not measured")


def test_M57_the_runner_reaches_no_search_and_no_table():
    import ast

    for path in (ROOT / "evals").rglob("*.py"):
        names = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Import | ast.ImportFrom)]
        modules = {n.module or "" for n in names if isinstance(n, ast.ImportFrom)} | {
            alias.name for n in names if isinstance(n, ast.Import) for alias in n.names
        }
        assert not [m for m in modules if m.endswith(".models") and not m.startswith(("knox", "django", "evals"))], path
        assert not [m for m in modules if "search" in m or "lookup" in m], path


@pytest.mark.usefixtures("portal", "manager")
def test_a_run_is_a_row_with_what_it_was_made_with(capsys: pytest.CaptureFixture[str]):
    body = run(capsys, "--only", "DM-01", "DN-01", "--repeat", "2", "--seed", "11")
    stored = Run.objects.get(pk=body["id"])
    assert (stored.state, stored.planned, stored.finished, stored.unknown) == ("complete", 4, 4, 0)
    assert (stored.repeat, stored.seed, stored.by_name, stored.trigger) == (2, 11, "manager", "command")
    assert (stored.model_configured, stored.litellm_version) == (LABEL, "1.110.2")
    assert stored.started_at < stored.ended_at
    assert set(stored.provenance["hashes"]) == {
        *("suite", "prompt", "tool schema", "guard", "vocabulary", "language", "price table"),
    }
    [release] = stored.provenance["releases"]
    assert (release["family"], release["version"], len(release["document_sha256"])) == ("motor", "2026.2", 64)
    assert release["manifest"].startswith("manifests/2026.2/")
    results = Result.objects.filter(run=stored)
    assert {(r.name, r.repetition, r.verdict) for r in results} == {
        (name, n, "pass") for name in ("DM-01", "DN-01") for n in (1, 2)
    }
    assert {str(turn) for turn in Turn.objects.values_list("pk", flat=True)} == {r.turn for r in results}
    assert {r.claim for r in results} == set(Claim.objects.values_list("reference", flat=True))
    assert {r.claim_token for r in results} == {""}
    assert AuditEntry.objects.filter(act="evaluation.complete", subject=body["id"]).count() == 1


@pytest.mark.usefixtures("portal", "manager")
def test_the_order_is_the_seeds(capsys: pytest.CaptureFixture[str]):
    orders = []
    for seed in ("5", "5", "6"):
        run(capsys, "--only", "DN-01", "DN-02", "DN-04", "DN-05", "--seed", seed)
        orders.append([r.name for r in Result.objects.filter(run=Run.objects.first()).order_by("place")])
    assert orders[0] == orders[1] != orders[2]


@pytest.mark.usefixtures("portal", "manager")
def test_M63_the_four_scenarios_with_the_store_really_stopped(capsys: pytest.CaptureFixture[str], store: Any):
    call_command("run_evals", "--json", "--scenarios-only", "--repeat", "1")
    body = json.loads(capsys.readouterr().out)
    assert [(line["name"], line["passed"], line["of"]) for line in body["scenarios"]] == [
        (name, 1, 1) for name in ("included", "not_listed", "no_clause", "store_stopped")
    ]
    assert (body["families"], body["state"]) == ([], "complete")
    seen = Result.objects.get(name="store_stopped").seen
    assert (seen["record"]["outcome"], seen["again"]["cited"]) == ("unavailable", ["MTR-BEN-03"])
    assert store.is_dir() and not (store.parent / "store.stopped-by-evaluation").exists()
    figures = {line["number"]: line["figure"] for line in body["statements"]}
    assert figures[5].startswith("included 1 of 1, not listed 1 of 1;")
    assert figures[6].endswith("store stopped: store stopped 1 of 1")
    assert figures[7] == "2 taken; none refused on record here, not measured"


@pytest.mark.usefixtures("portal", "manager")
def test_M63_a_store_that_nobody_can_stop_leaves_the_scenario_unknown_with_the_reason(
    capsys: pytest.CaptureFixture[str],
):
    options = ["--stop-store", "false", "--start-store", "true"]
    with pytest.raises(CommandError, match="1 of 4"):
        call_command("run_evals", "--json", "--scenarios-only", "--repeat", "1", *options)
    body = json.loads(capsys.readouterr().out)
    line = body["scenarios"][3]
    assert (line["name"], line["passed"], line["of"], line["unknown"]) == ("store_stopped", 0, 0, 1)
    assert line["runs"][0]["reason"] == "false ended with 1: without a word"
    assert body["state"] == "partial"
    assert body["statements"][5]["figure"].endswith("store stopped not measured")


@pytest.mark.usefixtures("portal", "manager")
def test_M63_a_store_that_does_not_come_back_is_a_scenario_that_failed(
    capsys: pytest.CaptureFixture[str], store: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("evals.runs.RECOVERY_SECONDS", 0.0)
    options = ["--stop-store", f"mv {store} {store}.away", "--start-store", "true"]
    call_command("run_evals", "--json", "--scenarios-only", "--repeat", "1", *options)
    line = json.loads(capsys.readouterr().out)["scenarios"][3]
    assert (line["passed"], line["of"]) == (0, 1)
    assert line["runs"][0]["reason"] == "not met: after the start the next turn cites again"


@pytest.mark.usefixtures("portal", "manager")
def test_the_terminals_table_is_for_people(capsys: pytest.CaptureFixture[str]):
    call_command("run_evals", "--only", "DM-01", "DN-01")
    out, err = capsys.readouterr()
    assert out.startswith(f"Plumbing run, not a quality result: {LABEL}\n")
    for words in (
        "Must be zero",
        "What this run cannot tell you",
        "The seven statements of acceptance",
        "1 of 1, 100 %",
    ):
        assert words in out
    assert "DM-01 (1)  pass" in err and "order by seed" in err
