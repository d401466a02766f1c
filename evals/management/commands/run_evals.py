"""`manage.py run_evals`: the question inventory through the claim-message API, and a report with intervals."""

import json
import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from evals.driver import Call, in_process, over_http
from evals.report import Report, as_json, as_text
from evals.runs import CannotRun, chosen, inventory, run_cases, token_of
from evals.scoring import Observation, Unknown
from knowledge.roles import Role

TOKEN_VARIABLE = "PORTAL_STAFF_TOKEN"  # noqa: S105 (a name, not a token)


class Command(BaseCommand):
    """Exit 0 when the questions were asked, 1 when too many could not be measured, 2 for bad input."""

    help = "Ask the inventory's questions through the claim-message API and report what was fetched and cited."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--family", default="motor", help="whose questions (default: %(default)s)")
        parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="only these questions")
        parser.add_argument("--by", default=Role.MANAGER.value, help="the login that asks (default: %(default)s)")
        parser.add_argument(
            "--address",
            help=f"a portal that is served, with a staff token in {TOKEN_VARIABLE}; default: in this process",
        )
        parser.add_argument("--json", action="store_true", help="the report as JSON, alone on standard output")

    def handle(self, *args: Any, family: str, only: list[str], by: str, address: str | None, **options: Any) -> None:
        try:
            report = self._run(family, tuple(only), by, address)
        except (CannotRun, ValueError) as error:
            raise CommandError(str(error), returncode=2) from error
        except DatabaseError as error:
            raise CommandError(
                "The database cannot be used or has no tables yet. Run manage.py start first: it sets it up."
            ) from error
        if options["json"]:
            self.stdout.write(json.dumps(as_json(report), ensure_ascii=False, indent=2))
        else:
            self.stdout.write(as_text(report))
        if not report.is_usable:
            raise CommandError(f"{len(report.unknown)} of {report.n} questions could not be measured.")

    def _run(self, family: str, only: tuple[str, ...], by: str, address: str | None) -> Report:
        every = inventory()
        cases = chosen(every, family, only)
        if not cases:
            raise CannotRun(f"The inventory has no questions about {family}.")

        def run(call: Call, token: str) -> Report:
            return run_cases(
                family=family, cases=cases, every=every, call=call, staff_token=token, on_result=self._progress
            )

        if address is None:
            with token_of(by) as token:
                return run(in_process(), token)
        if not (given := os.environ.get(TOKEN_VARIABLE, "")):
            raise CannotRun(f"Set {TOKEN_VARIABLE} to a manager's or operator's token from {address}/api/tokens/.")
        return run(over_http(address), given)

    def _progress(self, result: Observation | Unknown) -> None:
        said = result.reason if isinstance(result, Unknown) else f"{result.outcome} {' '.join(result.cited)}"
        self.stderr.write(f"{result.case_id}  {said}")
