"""A run's rows: planned whole, measured once, never changed after the end, taken up when it died, by one only."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from evals import provenance, recording
from evals.asking import Task
from evals.models import Result, Run
from evals.recording import CannotRun, Recorder
from evals.run_reports import LOST_AFTER, report_of, state_now
from evals.runs import Wanted, begin_run, make_plan, take_up_run

pytestmark = pytest.mark.django_db


def begun(**wanted: Any) -> Run:
    wanted = {"only": ("DM-01", "DN-01"), "seed": 3, **wanted}
    return Run.objects.get(pk=begin_run(make_plan(Wanted(**wanted)), trigger=Run.Trigger.COMMAND, by=None))


def finish(run: Run, *, unknown: int = 0) -> None:
    recorder = Recorder(run.pk, lambda task, verdict, reason: None)
    for task, _ in recording.tasks_of(run.pk):
        recorder.unknown(task, "not measured in this test")
    Run.objects.filter(pk=run.pk).update(unknown=unknown)
    recording.end(run.pk, is_whole=True, now=timezone.now())


def test_M63_a_run_plans_each_question_once_and_each_scenario_five_times():
    plan = make_plan(Wanted())
    run = Run.objects.get(pk=begin_run(plan, trigger=Run.Trigger.API, by=None))
    assert (run.planned, run.state, run.families) == (128, "running", ["motor", "home", "contents"])
    scenarios = Result.objects.filter(run=run, kind="scenario")
    assert {(r.name, r.repetition) for r in scenarios} == {
        (name, n) for name in ("included", "not_listed", "no_clause", "store_stopped") for n in range(1, 6)
    }
    only = begun(only=(), scenarios_only=True, repeat=2)
    assert (only.planned, only.results.filter(kind="question").count()) == (8, 0)
    assert begun(only=(), family="home").results.filter(kind="scenario").count() == 0
    assert begun(repeat=3).planned == 6


@pytest.mark.parametrize(("unknown", "state"), [(0, "complete"), (2, "partial")])
def test_an_ended_run_and_its_results_are_never_changed_or_deleted(unknown: int, state: str):
    run = begun()
    finish(run, unknown=unknown)
    run.refresh_from_db()
    assert (run.state, run.finished, run.ended_at is None) == (state, 2, False)
    result = run.results.first()
    for change in (
        lambda: Run.objects.filter(pk=run.pk).update(unknown=1),
        lambda: Run.objects.filter(pk=run.pk).update(state="running"),
        lambda: Run.objects.filter(pk=run.pk)._raw_delete("default"),
        lambda: Result.objects.filter(pk=result.pk).update(verdict="pass"),
        lambda: Result.objects.filter(pk=result.pk)._raw_delete("default"),
        lambda: Result.objects.create(run=run, place=99, kind="question", name="DM-77", family="motor", repetition=1),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    run.refresh_from_db()
    assert (run.state, run.results.count()) == (state, 2)


def test_a_measured_result_of_a_running_run_is_never_changed_either():
    run = begun()
    [(task, _), _] = recording.tasks_of(run.pk)
    recorder = Recorder(run.pk, lambda task, verdict, reason: None)
    recorder.opened(task, "CL-1", "token")
    assert Result.objects.get(pk=task.result_id).claim_token == "token"
    recorder.unknown(task, "late")
    assert Result.objects.get(pk=task.result_id).claim_token == ""
    with pytest.raises(CannotRun, match="by somebody else"):
        recorder.unknown(task, "again")
    with pytest.raises(DatabaseError), transaction.atomic():
        Result.objects.filter(pk=task.result_id).update(reason="other")
    run.refresh_from_db()
    assert (run.finished, run.unknown) == (1, 1)


def test_a_run_that_broke_off_is_aborted_and_goes_on_with_what_it_has_not_asked():
    run = begun()
    [(first, _), (second, _)] = recording.tasks_of(run.pk)
    recorder = Recorder(run.pk, lambda task, verdict, reason: None)
    recorder.opened(first, "CL-1", "t1")
    recorder.unknown(first, "late")
    recorder.opened(second, "CL-2", "t2")
    recording.end(run.pk, is_whole=False, now=timezone.now())
    run.refresh_from_db()
    assert (run.state, report_of(run.pk).is_usable) == ("aborted", False)
    taken = take_up_run(run.pk)
    assert (taken.state, taken.ended_at) == ("running", None)
    [(left, kind)] = recording.tasks_of(run.pk)
    assert (left.name, kind, left.claim, left.token, left.key) == (second.name, "question", "CL-2", "t2", second.key)


def test_a_run_whose_process_is_gone_or_silent_reads_as_aborted():
    run = begun()
    now = timezone.now()
    assert state_now(run, now) == "running"
    assert state_now(run, now + LOST_AFTER + timedelta(seconds=1)) == "aborted"
    run.process = 2**22 + 7  # above the highest number that a process can have
    assert state_now(run, now) == "aborted"
    run.host = "elsewhere"
    assert state_now(run, now) == "running", "of another machine's processes nothing is known"


def test_what_is_under_way_or_ended_is_not_taken_up():
    run = begun()
    with pytest.raises(CannotRun, match="still under way"):
        take_up_run(run.pk)
    finish(run, unknown=2)
    with pytest.raises(CannotRun, match="it is partial"):
        take_up_run(run.pk)


def died(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(process=2**22 + 7)


def test_a_run_that_would_be_another_one_is_not_taken_up(monkeypatch: pytest.MonkeyPatch, settings: Any):
    run = begun()
    died(run)
    settings.PORTAL_MODEL = "openai/another"
    with pytest.raises(CannotRun, match="The model changed since"):
        take_up_run(run.pk)
    settings.PORTAL_MODEL = ""
    monkeypatch.setattr(provenance, "hashes", lambda suite: {"suite": "other"})
    with pytest.raises(CannotRun, match="The hashes changed since"):
        take_up_run(run.pk)
    monkeypatch.undo()
    assert take_up_run(run.pk).process == provenance.this_process()


def test_a_run_that_somebody_else_took_up_is_left_to_them():
    run = begun()
    [(task, _), _] = recording.tasks_of(run.pk)
    recorder = Recorder(run.pk, lambda task, verdict, reason: None)
    Run.objects.filter(pk=run.pk).update(host="elsewhere")
    for write in (lambda: recorder.opened(task, "CL-1", "t"), lambda: recorder.unknown(task, "late")):
        with pytest.raises(CannotRun, match="taken up by somebody else"), transaction.atomic():
            write()
    assert Result.objects.get(pk=task.result_id).done_at is None


def test_a_planned_run_is_adopted_once():
    run = begun()
    assert recording.adopt(run.pk, now=timezone.now()) == "(token)"
    with pytest.raises(CannotRun, match="not waiting"):
        recording.adopt(run.pk, now=timezone.now())


def test_the_keys_of_a_runs_messages_are_its_own():
    keys = [task.key for run in (begun(), begun()) for task, _ in recording.tasks_of(run.pk)]
    assert len(set(keys)) == 4
    assert all(isinstance(task, Task) for task, _ in recording.tasks_of(Run.objects.first().pk))


def test_git_that_is_not_there_is_named_unknown(monkeypatch: pytest.MonkeyPatch, tmp_path: Any):
    monkeypatch.setattr(provenance, "_ROOT", tmp_path)
    assert provenance.code() == provenance.Code("unknown", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert provenance.code() == provenance.Code("unknown", None)
    [release] = provenance.releases(["home"], is_seen=False)
    assert (release.version, release.manifest) == ("unknown", "unknown")
    [release] = provenance.releases(["home"], is_seen=True)
    assert release.version == "none", "none in force is not the same as one that cannot be seen"
