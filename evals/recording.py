"""The rows of a run: planned, written down as it goes, ended, and taken up again when it died.

Every result is planned with its run and measured once. Whoever goes on with a run that died asks what has no verdict.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from evals import provenance
from evals.asking import Task
from evals.cases import Case, conversation
from evals.models import Result, Run
from evals.report import asked_of, case_of
from evals.run_reports import result_row, state_now
from evals.scenarios import FAMILY, SCENARIOS, scenario, unmet
from evals.scoring import MISSES, judge
from knowledge import audit

OURS = ("hashes", "releases")


class CannotRun(Exception):
    """The run cannot begin or go on; the message says what to do."""


@dataclass(frozen=True)
class Plan:
    """What is asked: `cases` of `every`, `repeat` times; the scenarios `scenarios` times. `model` is a label."""

    cases: tuple[Case, ...]
    every: tuple[Case, ...]
    repeat: int
    scenarios: int
    families: tuple[str, ...]
    only: tuple[str, ...]
    concurrency: int
    seed: int
    address: str
    model: str
    suite: tuple[str, ...]


@dataclass(frozen=True)
class Made:
    """What the run is made with, as it is stored."""

    hashes: dict[str, str]
    releases: list[dict[str, str]]
    ingestions: dict[str, int] | None


def made_with(plan: Plan) -> Made:
    is_here = not plan.address
    releases = provenance.releases(plan.families, is_seen=is_here)
    ingestions = provenance.ingestions() if is_here else None
    return Made(provenance.hashes(plan.suite), [asdict(release) for release in releases], ingestions)


def begin(*, plan: Plan, trigger: str, by: User | None, now: datetime) -> UUID:
    """Plan a run: its row, and a row for every repetition, in an order that the seed gives."""
    places = {case.id: place for place, case in enumerate(plan.every)}
    results = [
        Result(kind=Result.Kind.QUESTION, name=c.id, family=c.family, repetition=n, case=_stored(c, plan, places[c.id]))
        for c in plan.cases
        for n in range(1, plan.repeat + 1)
    ]
    results += [
        Result(kind=Result.Kind.SCENARIO, name=s.name, family=FAMILY, repetition=n)
        for s in SCENARIOS
        for n in range(1, plan.scenarios + 1)
    ]
    Random(plan.seed).shuffle(results)  # noqa: S311
    code, by_name = provenance.code(), "" if by is None else by.get_username()
    with transaction.atomic():
        run = Run.objects.create(
            trigger=trigger,
            by=by,
            by_name=by_name or "(token)",
            families=list(plan.families),
            only=list(plan.only),
            repeat=plan.repeat,
            concurrency=plan.concurrency,
            seed=plan.seed,
            address=plan.address,
            git_commit=code.commit,
            git_dirty=code.dirty,
            model_configured=plan.model,
            litellm_version=provenance.litellm_version(),
            provenance=asdict(made_with(plan)),
            host=provenance.host(),
            process=provenance.this_process(),
            started_at=now,
            beat_at=now,
            planned=len(results),
        )
        for place, result in enumerate(results):
            result.run, result.place = run, place
        Result.objects.bulk_create(results)
        audit.record("evaluation.begin", by=by, subject=str(run.pk), detail={"planned": len(results)})
    return run.pk


def _stored(case: Case, plan: Plan, place: int) -> dict[str, Any]:
    """The question as the report needs it later, whatever the inventory says then."""
    return {**asdict(case), "place": place, "texts": list(conversation(case, plan.every))}


def take_up(run_id: UUID, *, made: Callable[[Run], Made], model: str, now: datetime) -> Run:
    """Go on with a run that died, as this process. Raises CannotRun, also when it would not be the same run any more.

    Of two who try at once, the database lets one through.
    """
    run = Run.objects.filter(pk=run_id).first()
    if run is None:
        raise CannotRun(f"There is no run {run_id}.")
    state = state_now(run, now)
    if state == Run.State.RUNNING:
        raise CannotRun(f"The run {run_id} is still under way on {run.host}: wait for it, or end it there.")
    if state != Run.State.ABORTED:
        raise CannotRun(f"The run {run_id} has ended: it is {state}. Begin a new one.")
    current = asdict(made(run))
    changed = [part for part in OURS if run.provenance[part] != current[part]]
    if not run.address and run.model_configured != model:
        changed.append("model")
    if changed:
        raise CannotRun(f"The {' and '.join(changed)} changed since the run {run_id} began. Begin a new one.")
    mine = {"host": provenance.host(), "process": provenance.this_process(), "beat_at": now}
    same = Run.objects.filter(pk=run_id, beat_at=run.beat_at, process=run.process, host=run.host)
    with transaction.atomic():
        if not same.update(state=Run.State.RUNNING, ended_at=None, **mine):
            raise CannotRun(f"The run {run_id} was taken up by somebody else just now.")
        audit.record("evaluation.resume", by=run.by, subject=str(run_id))
    return Run.objects.get(pk=run_id)


def adopt(run_id: UUID, *, now: datetime) -> str:
    """A planned run of which nothing was asked becomes this process's; gives its login. Raises CannotRun."""
    mine = {"host": provenance.host(), "process": provenance.this_process(), "beat_at": now}
    planned = Run.objects.filter(pk=run_id, state=Run.State.RUNNING, finished=0, beat_at=F("started_at"))
    if not planned.update(**mine):
        raise CannotRun(f"The run {run_id} is not waiting to be begun.")
    return Run.objects.values_list("by_name", flat=True).get(pk=run_id)


def tasks_of(run_id: UUID) -> tuple[tuple[Task, str], ...]:
    """What has no verdict yet, in the run's order, each with its kind."""
    rows = Result.objects.filter(run=run_id, done_at__isnull=True).order_by("place")
    return tuple((_task(row), row.kind) for row in rows)


def _task(row: Result) -> Task:
    if row.kind == Result.Kind.SCENARIO:
        played = scenario(row.name)
        policy, texts = (played.policy_number, played.postcode), (played.text,)
    else:
        policy, texts = (row.case["policy_number"], row.case["postcode"]), tuple(row.case["texts"])
    key = f"{row.run_id}-{row.pk}"
    return Task(row.pk, row.name, row.repetition, *policy, texts, key, row.claim, row.claim_token)


@dataclass(frozen=True)
class Recorder:
    """The journal of a run (`asking.Journal`) in its rows. Raises CannotRun once the run is somebody else's."""

    run_id: UUID
    on_result: Callable[[Task, str, str], None]

    def opened(self, task: Task, claim: str, token: str) -> None:
        self._beat()
        Result.objects.filter(pk=task.result_id, done_at__isnull=True).update(claim=claim, claim_token=token)

    def measured(self, task: Task, seen: Mapping[str, Any]) -> None:
        row = Result.objects.get(pk=task.result_id)
        verdict, reason = _verdict(row, seen)
        self._write(task, verdict, reason, seen=dict(seen), turn=seen["record"]["turn"])

    def unknown(self, task: Task, reason: str) -> None:
        self._write(task, Result.Verdict.UNKNOWN, reason)

    def _write(self, task: Task, verdict: str, reason: str, **columns: Any) -> None:
        is_unknown = int(verdict == Result.Verdict.UNKNOWN)
        with transaction.atomic():
            self._beat(finished=F("finished") + 1, unknown=F("unknown") + is_unknown)
            columns |= {"verdict": verdict, "reason": reason, "claim_token": "", "done_at": timezone.now()}
            if not Result.objects.filter(pk=task.result_id, done_at__isnull=True).update(**columns):
                raise CannotRun(f"{task.name} was measured by somebody else meanwhile.")
        self.on_result(task, verdict, reason)

    def _beat(self, **columns: Any) -> None:
        mine = Run.objects.filter(pk=self.run_id, state=Run.State.RUNNING, process=provenance.this_process())
        if not mine.filter(host=provenance.host()).update(beat_at=timezone.now(), **columns):
            raise CannotRun(f"The run {self.run_id} was taken up by somebody else.")


def _verdict(row: Result, seen: Mapping[str, Any]) -> tuple[str, str]:
    if row.kind == Result.Kind.SCENARIO:
        missing = unmet(scenario(row.name), seen)
        return (Result.Verdict.FAIL, "not met: " + "; ".join(missing)) if missing else (Result.Verdict.PASS, "")
    stored = replace(result_row(row), seen=seen)
    asked = asked_of(stored).seen
    if asked is None:
        raise ValueError("a measured question has an observation")
    verdict = judge(case_of(stored), asked)
    reason = "; ".join(f"{kind.value} {MISSES[kind]}" for kind in verdict.misses)
    return (Result.Verdict.PASS if verdict.passed else Result.Verdict.FAIL), reason


def end(run_id: UUID, *, is_whole: bool, now: datetime) -> None:
    """Complete when everything is known, partial when something is not; aborted when it broke off and can go on."""
    with transaction.atomic():
        run = Run.objects.select_for_update().get(pk=run_id)
        if run.state != Run.State.RUNNING or run.process != provenance.this_process():
            return
        seen = [seen["record"]["model"] for seen in _seen(run_id)]
        run.model_configured = _joined([model["configured"] for model in seen], 200) or run.model_configured
        run.model_returned = _joined([model["returned"] for model in seen if model["returned"]], 400)
        whole = Run.State.PARTIAL if run.unknown else Run.State.COMPLETE
        run.state = whole if is_whole and run.finished == run.planned else Run.State.ABORTED
        run.ended_at = run.beat_at = now
        run.save()
        audit.record(f"evaluation.{run.state}", by=run.by, subject=str(run_id), detail={"finished": run.finished})


def _seen(run_id: UUID) -> Sequence[Mapping[str, Any]]:
    rows = Result.objects.filter(run=run_id, seen__isnull=False).values_list("seen", flat=True)
    return [seen for seen in rows if seen is not None]


def _joined(names: Sequence[str], longest: int) -> str:
    return ", ".join(sorted(set(names)))[:longest]


def under_way(now: datetime) -> Run | None:
    """A run that is being asked now, by anybody; one without a sign of life is none."""
    recent = Run.objects.filter(state=Run.State.RUNNING, beat_at__gte=now - timedelta(days=1))
    return next((run for run in recent if state_now(run, now) == Run.State.RUNNING), None)
