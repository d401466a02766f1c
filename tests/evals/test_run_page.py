"""The run's page for staff: the report's own figures, in its order; who may read it; nothing to change."""

import json
import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils.html import escape

from evals.admin import page_of
from evals.models import Result, Run
from evals.report import make_report
from evals.runs import Wanted, begin_run, make_plan
from tests.builders import admin_client, make_staff
from tests.builders_evals import COUNTS, case, facts, kept, row

pytestmark = pytest.mark.django_db
HEADINGS = (
    "In one line",
    "Must be zero",
    "Motor",
    "Scenarios",
    "Misses",
    "Unknown",
    "Guard",
    "Cost and time",
    "What this run cannot tell you",
    "The seven statements of acceptance",
    "What it was made with",
)


def planned() -> Run:
    plan = make_plan(Wanted(only=("DM-01", "DN-01"), seed=1))
    return Run.objects.get(pk=begin_run(plan, trigger=Run.Trigger.COMMAND, by=None))


def address(run: Run) -> str:
    return f"/admin/evals/run/{run.pk}/change/"


@pytest.mark.usefixtures("portal", "manager")
def test_the_page_shows_the_reports_figures_in_its_order(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(CommandError):
        call_command("run_evals", "--json", "--only", "DM-06", "DM-19", "DH-01", "DN-01")
    body = json.loads(capsys.readouterr().out)
    client = admin_client(make_staff("priya", "reviewer"))
    html = client.get(address(Run.objects.get())).content.decode()
    places = [html.index(f"<h2>{heading}") for heading in HEADINGS]
    assert places == sorted(places)
    assert "<h1>Plumbing run, not a quality result</h1>" in html
    for line in (*body["verdict"], *body["cannot_tell"]):
        assert escape(line) in html
    for statement in body["statements"]:
        assert escape(statement["figure"]) in html
    [card] = [miss for miss in body["misses"] if miss["id"] == "DM-19"]
    assert f"/admin/claims/turn/{card['turn']}/change/" in html
    assert escape(body["unknown"][0]["reason"]) in html
    assert client.get(f"/admin/claims/turn/{card['turn']}/change/").status_code == 200


def test_every_rate_on_the_page_stands_with_its_n():
    rows = [
        row(case("DM-01", "MTR-BEN-03"), kept("MTR-BEN-03")),
        row(case("DM-03", "MTR-BEN-03"), kept("MTR-BEN-02")),
    ]
    [family] = page_of(make_report(facts(), rows))["families"]
    cells = [cell for _, table in family["tables"] for _, cells in table for cell in cells]
    assert "1 of 2, 50 % (9 to 91 %)" in cells
    rate = re.compile(r"\d+ of \d+, (\d+ % \(\d+ to \d+ %\)|at most [\d.]+ %)|not measured")
    assert [cell for cell in cells if not rate.fullmatch(cell)] == []


@pytest.mark.parametrize(
    ("role", "status"),
    [("manager", 200), ("operator", 200), ("reviewer", 200), ("editor", 403), ("approver", 403), ("adjuster", 403)],
)
def test_managers_operators_and_reviewers_read_it_and_nobody_changes_it(role: str, status: int):
    run = planned()
    client = admin_client(make_staff(f"some-{role}", role))
    assert client.get(address(run)).status_code == status
    assert client.get("/admin/evals/run/").status_code == status
    assert client.post(address(run), {"state": "complete"}).status_code == 403
    assert client.post(f"/admin/evals/run/{run.pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.get("/admin/evals/run/add/").status_code == 403
    assert Run.objects.get().state == "running"


def test_the_list_says_what_each_is_and_an_empty_one_says_so():
    client = admin_client(make_staff("priya", "manager"))
    assert "No evaluation was run yet." in client.get("/admin/evals/run/").content.decode()
    run = planned()
    Run.objects.filter(pk=run.pk).update(process=2**22 + 7)
    html = client.get("/admin/evals/run/").content.decode()
    for words in ("Plumbing run, not a quality result", "aborted", "0 of 2"):
        assert words in html
    page = client.get(address(run)).content.decode()
    assert "This run did not finish: 0 of 2 asked." in page
    assert client.get("/admin/evals/run/5f5c1a58-0a3c-4b0c-8f0e-1c1d5a1f0f6e/change/").status_code == 302


def test_what_a_customer_or_a_model_wrote_is_shown_as_text(monkeypatch: pytest.MonkeyPatch):
    run = planned()
    result = Result.objects.filter(run=run, name="DM-01").get()
    nasty: dict[str, Any] = {**result.case, "text": "<script>alert(1)</script>"}
    seen = {"record": kept(not_found=["<b>x</b>"], turn=str(run.pk)), "claim": {}}
    seen["checks"] = {"counts": COUNTS, "shown": {}, "has": {}}
    Result.objects.filter(pk=result.pk).update(
        case=nasty, seen=seen, verdict="fail", turn=str(run.pk), done_at=run.started_at
    )
    html = admin_client(make_staff("priya", "manager")).get(address(run)).content.decode()
    assert "&lt;script&gt;alert(1)" in html and "&lt;b&gt;x" in html
    assert "<script>alert(1)" not in html and "<b>x" not in html


def test_a_claims_token_is_on_no_page_and_in_no_report():
    run = planned()
    Result.objects.filter(run=run).update(claim_token="secret-token", claim="CL-1")
    client = admin_client(make_staff("priya", "manager"))
    for place in (address(run), "/admin/evals/run/", f"/api/evals/runs/{run.pk}/"):
        response = client.get(place)
        assert response.status_code == 200 and b"secret-token" not in response.content
