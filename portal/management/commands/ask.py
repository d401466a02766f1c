"""`manage.py ask`: one question from a terminal, through the acts that the pages and the API use."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone
from rest_framework.renderers import JSONRenderer

from claims.agent.facts import FAMILIES
from claims.answering import answer_message
from claims.api.serializers import TurnSerializer
from claims.claim_opening import INSURER, InvalidValue, find_claim, open_claim
from claims.conversation import InvalidMessage, checked_text, receive_message
from claims.due_times import NEW_ZEALAND
from claims.schedules import normal_number
from claims.turn_records import TurnView, find_turn, turn_view
from knowledge.answers import OpenRelease
from knowledge.releases import release_in_force

USAGE = 'Give a policy number and a question: ask NW-MTR-204518 "Does my policy include a rental car?"'


class Command(BaseCommand):
    help = "Ask one question about a policy and print the answer; --claim goes on with a conversation."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("words", nargs="*", metavar="POLICY QUESTION", help="with --claim the question is enough")
        parser.add_argument("--claim", metavar="REF", help="go on with this claim")
        parser.add_argument("--postcode", default="", help="the policyholder's; needed when DEBUG is off")
        parser.add_argument("--json", action="store_true", help="the API's turn, alone on standard output")

    def handle(self, *args: Any, words: list[str], claim: str | None, postcode: str, **options: Any) -> None:
        policy, question = _words(words, needs_policy=claim is None)
        try:
            checked_text(question)
            turn = _ask(_opened(policy, postcode) if claim is None else _known(claim, policy), question)
            is_empty = _nothing_in_force()
        except (InvalidMessage, InvalidValue) as error:
            raise CommandError(str(error), returncode=2) from error
        except DatabaseError as error:
            raise CommandError(
                "The database cannot be used or has no tables yet. Run manage.py start first: it sets it up."
            ) from error
        if options["json"]:
            self.stdout.write(JSONRenderer().render(TurnSerializer(turn).data).decode())
        else:
            self.stdout.write(for_people(turn))
        if is_empty:
            self.stderr.write("No policy wording is in force here. Run manage.py start once: it brings in the demo's.")


def _words(words: list[str], *, needs_policy: bool) -> tuple[str, str]:
    if len(words) not in ({2} if needs_policy else {1, 2}):
        raise CommandError(USAGE, returncode=2)
    if any("\ud800" <= character <= "\udfff" for word in words for character in word):
        raise CommandError("The question cannot be read as UTF-8. Check the terminal's encoding.", returncode=2)
    return ("" if len(words) == 1 else words[0]), words[-1]


def _opened(policy: str, postcode: str) -> UUID:
    opened = open_claim(policy_number=policy, postcode=postcode, now=timezone.now(), needs_postcode=not settings.DEBUG)
    return _known(opened.reference, "")


def _known(reference: str, policy: str) -> UUID:
    claim = find_claim(reference.strip().upper())
    if claim is None:
        raise CommandError(f"There is no claim {reference}. Check the reference, or leave --claim out.", returncode=2)
    if policy and normal_number(policy) != claim.policy_number:
        raise CommandError(
            f"Claim {claim.reference} is about policy {claim.policy_number}. Leave --claim out for another policy.",
            returncode=2,
        )
    return claim.pk


def _ask(claim_id: UUID, question: str) -> TurnView:
    received = receive_message(claim_id=claim_id, text=question, key=None, now=timezone.now())
    answer_message(received.turn_id)
    turn = find_turn(received.turn_id)
    if turn is None:
        raise CommandError("The turn was stored and cannot be found again. Check the database.")
    return turn_view(turn)


def _nothing_in_force() -> bool:
    today = timezone.now().astimezone(NEW_ZEALAND).date()
    return not any(isinstance(release_in_force(INSURER, family, today), OpenRelease) for family in FAMILIES)


def for_people(turn: TurnView) -> str:
    """The answer, the clauses it cites, the waiting reference, who answered, and how to go on."""
    lines = [turn.reply.text if turn.reply is not None else "The answer is still being worked on.", ""]
    lines += [f"Clause   {c.clause_id} {c.title} (wording {c.version})" for c in turn.citations]
    if turn.waiting_item is not None:
        lines.append(f"Waiting  {turn.waiting_item.reference}")
    lines += [f"Model    {turn.model}", f"Claim    {turn.claim}", ""]
    return "\n".join([*lines, f'Go on with: manage.py ask --claim {turn.claim} "..."'])
