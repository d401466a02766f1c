"""`manage.py run_evals`: the question inventory and the scenarios through the claim-message API, and the report."""

import json
import os
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from evals.asking import Task
from evals.driver import in_process, over_http
from evals.models import Run
from evals.outage import CannotStop, outage_for
from evals.recording import CannotRun
from evals.report_json import as_json
from evals.report_text import as_text
from evals.report_values import Report
from evals.run_reports import report_of
from evals.runs import MAX_CONCURRENCY, Means, Wanted, begin_run, carry_out, make_plan, runner, take_up_run, token_of
from knowledge.roles import Role

TOKEN_VARIABLE = "PORTAL_STAFF_TOKEN"  # noqa: S105 (a name, not a token)


class Command(BaseCommand):
    """Exit 0 when the questions were asked, 1 when too many could not be measured, 2 for bad input."""

    help = "Ask the inventory's questions through the claim-message API and report what was fetched, cited and shown."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--family", help="whose questions (default: every family's, and the scenarios)")
        parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="only these questions, no scenarios")
        parser.add_argument("--scenarios-only", action="store_true", help="only the four scenarios")
        parser.add_argument(
            "--repeat", type=int, metavar="N", help="how often each (default: questions once, scenarios five times)"
        )
        parser.add_argument(
            "--concurrency",
            type=int,
            default=1,
            metavar="N",
            help=f"how many at once, at most {MAX_CONCURRENCY} (default: %(default)s)",
        )
        parser.add_argument("--seed", type=int, metavar="N", help="of the order (default: a new one, which is printed)")
        parser.add_argument("--by", default=Role.MANAGER.value, help="the login that asks (default: %(default)s)")
        parser.add_argument(
            "--address",
            default="",
            help=f"a portal that is served, with a staff token in {TOKEN_VARIABLE}; default: in this process",
        )
        parser.add_argument("--stop-store", default="", metavar="CMD", help="a command that stops the object store")
        parser.add_argument("--start-store", default="", metavar="CMD", help="one that starts it, and then ends")
        parser.add_argument("--resume", type=UUID, metavar="RUN", help="go on with a run that died")
        parser.add_argument("--json", action="store_true", help="the report as JSON, alone on standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            Run.objects.exists()
        except DatabaseError as error:
            raise CommandError(
                "The database cannot be used or has no tables yet. Run manage.py start first: it sets it up."
            ) from error
        try:
            report = self._run(options)
        except (CannotRun, CannotStop, ValueError) as error:
            raise CommandError(str(error), returncode=2) from error
        if options["json"]:
            self.stdout.write(json.dumps(as_json(report), ensure_ascii=False, indent=2))
        else:
            self.stdout.write(as_text(report))
        if not report.is_usable:
            facts = report.facts
            raise CommandError(f"{facts.unknown} of {facts.planned} questions could not be measured.")

    def _run(self, options: dict[str, Any]) -> Report:
        if options["resume"] is not None:
            run = Run.objects.filter(pk=options["resume"]).first()
            if run is None:
                raise CannotRun(f"There is no run {options['resume']}.")
            with self._means(run.address, run.by_name, options) as means:
                take_up_run(run.pk)
                return self._carried_out(run.pk, means)
        names = ("family", "repeat", "scenarios_only", "concurrency", "seed", "address")
        plan = make_plan(Wanted(only=tuple(options["only"]), **{name: options[name] for name in names}))
        with self._means(plan.address, options["by"], options) as means:
            by = None if plan.address else runner(options["by"])
            run_id = begin_run(plan, trigger=Run.Trigger.COMMAND, by=by)
            self.stderr.write(f"Run {run_id}, order by seed {plan.seed}. If it dies: run_evals --resume {run_id}")
            return self._carried_out(run_id, means)

    def _carried_out(self, run_id: UUID, means: Means) -> Report:
        try:
            carry_out(run_id, means, self._progress)
        except KeyboardInterrupt:
            raise CommandError(f"Stopped. Go on with: run_evals --resume {run_id}") from None
        report = report_of(run_id)
        if report is None:
            raise CannotRun(f"The run {run_id} is gone.")
        return report

    @contextmanager
    def _means(self, address: str, login: str, options: dict[str, Any]) -> Iterator[Means]:
        """How the product is reached, with a token for the time of the run where it is in this process."""
        store = {"stop": options["stop_store"], "start": options["start_store"]}
        outage = outage_for(**store, in_process=not address)
        if not address:
            with token_of(login) as token:
                yield Means(in_process(), token, outage)
            return
        call = over_http(address)
        if not (token := os.environ.get(TOKEN_VARIABLE, "")):
            raise CannotRun(f"Set {TOKEN_VARIABLE} to a manager's or operator's token from {address}/api/tokens/.")
        yield Means(call, token, outage)

    def _progress(self, task: Task, verdict: str, reason: str) -> None:
        self.stderr.write(f"{task.name} ({task.repetition})  {verdict}  {reason}".rstrip())
