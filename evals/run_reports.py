"""Runs as they read now, from their rows: the report of one, and what a list says of each."""

from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from evals import provenance
from evals.models import Result, Run
from evals.report import make_report
from evals.report_values import ReleaseLine, Report, ResultRow, RunFacts

# Longer than the longest conversation of a question takes: its turns' time, and the tries of a store that is started.
LOST_AFTER = timedelta(minutes=10)


def state_now(run: Run, now: datetime) -> str:
    """`aborted` for a run that calls itself running and whose process is gone, or has not been heard of for long."""
    if run.state != Run.State.RUNNING:
        return run.state
    is_here = run.host == provenance.host()
    is_gone = is_here and not provenance.is_alive(run.process)
    return Run.State.ABORTED if is_gone or now - run.beat_at > LOST_AFTER else Run.State.RUNNING


def report_of(run_id: UUID | str) -> Report | None:
    """The report of a run from its rows; None when there is no such run."""
    run = Run.objects.filter(pk=run_id).first()
    if run is None:
        return None
    rows = [result_row(row) for row in Result.objects.filter(run=run).order_by("place")]
    return make_report(facts_of(run, timezone.now()), rows)


def facts_of(run: Run, now: datetime) -> RunFacts:
    stored = run.provenance
    return RunFacts(
        id=str(run.pk),
        state=state_now(run, now),
        trigger=run.trigger,
        by=run.by_name,
        started_at=run.started_at,
        ended_at=run.ended_at,
        families=tuple(run.families),
        only=tuple(run.only),
        repeat=run.repeat,
        concurrency=run.concurrency,
        seed=run.seed,
        address=run.address,
        host=run.host,
        planned=run.planned,
        finished=run.finished,
        unknown=run.unknown,
        model_configured=run.model_configured,
        model_returned=run.model_returned,
        litellm_version=run.litellm_version,
        git_commit=run.git_commit,
        git_dirty=run.git_dirty,
        hashes=tuple(stored["hashes"].items()),
        releases=tuple(ReleaseLine(**release) for release in stored["releases"]),
        ingestions=stored["ingestions"],
    )


def result_row(row: Result) -> ResultRow:
    return ResultRow(
        kind=row.kind,
        name=row.name,
        family=row.family,
        repetition=row.repetition,
        case=row.case,
        seen=row.seen,
        verdict=row.verdict,
        reason=row.reason,
        turn=row.turn,
        claim=row.claim,
    )
