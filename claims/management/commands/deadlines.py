"""`manage.py deadlines`: the days that follow from a policy's own periods, as the adjuster's API gives them."""

import re
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rest_framework.renderers import JSONRenderer

from claims.deadlines import Deadline, Deadlines, InvalidTerm, Known, Term, TimeUnit, Trigger, Unknown, deadlines
from claims.deadlines_json import deadlines_json
from claims.documents.pages import NotRead
from claims.documents.structure import split
from claims.documents.terms import StatedTerm, Whose, proof_of_loss_deadline, terms_stated
from claims.drafting_aid import DRAFTING_AID
from claims.management.commands._policy_file import policy_file, printable

USAGE = "Give the date of loss: deadlines --loss-date 2026-06-15 --proof-of-loss-days 60 --suit-limitation-months 24"
TERM = (
    "Give a term as NAME PERIOD UNIT EVENT and the event's day when it is known: "
    '--term "proof of loss" 45 days request 2026-12-20'
)
OPTIONS = {
    "proof_of_loss_days": "--proof-of-loss-days",
    "suit_limitation_months": "--suit-limitation-months",
    "request_date": "--request-date",
}
WHOSE = {
    Whose.INSURED: "the insured's duty",
    Whose.SOMEBODY_ELSE: "not the insured's duty: no day follows from it",
    Whose.UNCLEAR: "whose duty it is is for you to read: no day follows from it",
}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class Command(BaseCommand):
    help = "Compute deadlines from the periods that the policy itself states. No period is assumed and no day is moved."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        left_out = "as the policy states it; left out: not known"
        parser.add_argument("--loss-date", nargs="?", default="", const="", metavar="D", help="such as 2026-06-15")
        parser.add_argument("--proof-of-loss-days", nargs="?", const="", metavar="N", help=left_out)
        parser.add_argument("--suit-limitation-months", nargs="?", const="", metavar="N", help=left_out)
        parser.add_argument("--policy", metavar="FILE", help="take the proof of loss from the words of this file")
        parser.add_argument("--request-date", metavar="D", help="the day of the insurer's request, for --policy")
        parser.add_argument(
            "--term",
            nargs="+",
            action="append",
            default=[],
            metavar="PART",
            help=f"NAME PERIOD {'|'.join(TimeUnit)} {'|'.join(Trigger)} [DAY]; as often as there are terms",
        )
        parser.add_argument("--json", action="store_true", help="the API's answer, alone on standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["loss_date"]:
            raise CommandError(USAGE, returncode=2)
        stated: tuple[StatedTerm, ...] = ()
        try:
            computed = _computed(options)
            if options["policy"] is not None:
                computed, stated = _by_policy(computed, options)
        except InvalidTerm as error:
            raise CommandError(f"{OPTIONS.get(error.field, '--term')}: {error}", returncode=2) from error
        if options["json"]:
            self.stdout.write(JSONRenderer().render(deadlines_json(computed)).decode())
        else:
            self.stdout.write(printable("\n".join(for_people(computed, stated))))


def _computed(options: Mapping[str, Any]) -> Deadlines:
    return deadlines(
        loss_date=_day("--loss-date", options["loss_date"]),
        proof_of_loss_days=_number("--proof-of-loss-days", options["proof_of_loss_days"]),
        suit_limitation_months=_number("--suit-limitation-months", options["suit_limitation_months"]),
        terms=[_term(parts) for parts in options["term"] or ()],
    )


def _by_policy(computed: Deadlines, options: Mapping[str, Any]) -> tuple[Deadlines, tuple[StatedTerm, ...]]:
    """The proof of loss by the policy's own words, and every sentence that names a proof and a period."""
    if options["proof_of_loss_days"] is not None:
        raise CommandError("Give --policy or --proof-of-loss-days, not both.", returncode=2)
    day = options["request_date"]
    request = _day("--request-date", day) if day is not None else None
    read = policy_file(options["policy"]).read
    if isinstance(read, NotRead):
        return replace(computed, proof_of_loss=Unknown(read.detail)), ()
    structure = split(read)
    found = proof_of_loss_deadline(structure, read, loss_date=computed.loss_date, request_date=request)
    return replace(computed, proof_of_loss=found), terms_stated(structure)


def _term(parts: list[str]) -> Term:
    if len(parts) not in (4, 5) or parts[2] not in list(TimeUnit) or parts[3] not in list(Trigger):
        raise CommandError(TERM, returncode=2)
    period = _number("--term", parts[1])
    day = _day("--term", parts[4]) if len(parts) == 5 else None
    return Term(parts[0], period or 0, TimeUnit(parts[2]), Trigger(parts[3]), day)


def _number(option: str, text: str | int | None) -> int | None:
    """None when the option was left out: nothing stands in for it (M98)."""
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", str(text)):
        raise CommandError(f"{option} takes a whole number, as the policy states it, not {text!r}.", returncode=2)
    return int(text)


def _day(option: str, text: str) -> date:
    try:
        if not _DATE.fullmatch(text):
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"{option} takes a day such as 2026-06-15, not {text!r}.", returncode=2) from error


def for_people(computed: Deadlines, stated: Iterable[StatedTerm]) -> Iterator[str]:
    yield from (DRAFTING_AID, "", f"Date of loss: {computed.loss_date}")
    yield _line("Proof of loss", computed.proof_of_loss)
    yield _line("Suit limitation", computed.suit_limitation)
    yield from (_line(each.term.name, each.deadline) for each in computed.terms)
    for each in stated:
        yield f"Stated on page {each.passage.page}, line {each.passage.start_line} ({WHOSE[each.whose]}): {each.quote}"


def _line(name: str, deadline: Deadline) -> str:
    if isinstance(deadline, Known):
        return f"{name}: {deadline.day}, {deadline.weekday}. {deadline.basis}"
    return f"{name}: not known. {deadline.reason}"
