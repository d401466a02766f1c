"""`manage.py find_clause`: where a policy file speaks of something, as the adjuster's API answers it."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rest_framework.renderers import JSONRenderer

from claims.documents.finder import find, refuse
from claims.documents.finding_json import finding_json
from claims.documents.findings import Candidate, Finding, Outcome
from claims.documents.folding import shown
from claims.documents.pages import NotRead, Reading
from claims.documents.sections import Amendment, Change, Passage
from claims.documents.structure import split
from claims.drafting_aid import DRAFTING_AID
from claims.management.commands._policy_file import policy_file, printable

USAGE = 'Give a policy file and what to look for: find_clause policy.pdf "theft of jewelry"'
MAX_QUERY = 500

OUTCOMES = {
    Outcome.BEARING: "found in text that can support a position",
    Outcome.NON_BEARING_ONLY: "found only in declarations, definitions or unclassified text",
    Outcome.NO_MATCH: "no match for these words (that is not silence)",
    Outcome.PARTLY_READ: "not known: parts of the file were not read",
    Outcome.UNREADABLE: "refused: the file was not read",
    Outcome.NOT_SEARCHED: "not searched: there is no word to search for",
}
CHANGES = {
    Change.DELETES: "deleted by",
    Change.REPLACES: "replaced by",
    Change.ADDS: "added to by",
    Change.MODIFIES: "modified by",
}


class Command(BaseCommand):
    help = "Find what a policy file says: exact words with their page, lines and what belongs to them. Decides nothing."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("words", nargs="*", metavar="FILE QUERY")
        parser.add_argument("--exact", action="store_true", help="no plurals and no possessives")
        parser.add_argument("--json", action="store_true", help="the API's answer, alone on standard output")

    def handle(self, *args: Any, words: list[str], exact: bool, **options: Any) -> None:
        name, query = _checked(words)
        file = policy_file(name)
        finding = _found(file.read, query, exact=exact)
        if options["json"]:
            made = finding_json(finding, document_id=file.document_id)
            self.stdout.write(JSONRenderer().render(made).decode())
        else:
            self.stdout.write(printable("\n".join(for_people(finding, name))))


def _checked(words: list[str]) -> tuple[str, str]:
    if len(words) != 2 or not words[1].strip():
        raise CommandError(USAGE, returncode=2)
    name, query = words
    if len(query) > MAX_QUERY:
        raise CommandError(f"Ask in at most {MAX_QUERY} characters.", returncode=2)
    if any("\ud800" <= character <= "\udfff" for character in query):
        raise CommandError("The query cannot be read as UTF-8. Check the terminal's encoding.", returncode=2)
    return name, query


def _found(read: Reading | NotRead, query: str, *, exact: bool) -> Finding:
    return refuse(read) if isinstance(read, NotRead) else find(split(read), read, query, exact=exact)


def for_people(finding: Finding, name: str) -> Iterator[str]:
    """The drafting-aid line, the outcome, why or what to make of it, and every place with what belongs to it."""
    yield from (DRAFTING_AID, "", f"{name}: {OUTCOMES[finding.outcome]}")
    if finding.reason is not None:
        yield finding.reason
    yield finding.guidance
    for number, candidate in enumerate(finding.candidates, start=1):
        yield from ("", *_place(number, candidate))


def _place(number: int, candidate: Candidate) -> Iterator[str]:
    first, last = candidate.passages[0], candidate.passages[-1]
    effect = f" ({candidate.effect})" if candidate.effect is not None else ""
    yield f"{number}. {candidate.section_kind}{effect}, {candidate.section_id}: {' > '.join(candidate.path)}"
    found = (
        f"found by {', '.join(candidate.matched)}" if candidate.matched else "shown because it changes the one above"
    )
    yield f"   {_page(first)}, {_lines(first, last)}; {found}"
    if candidate.condition is not None:
        yield f"   only if  {_quoted(candidate.condition)}"
    yield from (f"   lead-in  {_quoted(passage)}" for passage in candidate.lead_ins)
    yield from (f"   quote    {_quoted(passage)}" for passage in candidate.passages)
    yield from (f"   except   {_quoted(passage)}" for passage in candidate.exceptions)
    yield from (f"   amended  {_amendment(amendment)}" for amendment in candidate.amended_by)
    if candidate.named_not_uploaded:
        yield f"   missing  {', '.join(candidate.named_not_uploaded)}: named here and not in this file"


def _amendment(amendment: Amendment) -> str:
    return f"{CHANGES[amendment.change]} {amendment.form}, {_lines(amendment.passage, amendment.passage)}"


def _page(passage: Passage) -> str:
    printed = f" (printed {passage.printed_page})" if passage.printed_page is not None else ""
    return f"page {passage.page}{printed}"


def _lines(first: Passage, last: Passage) -> str:
    return (
        f"line {first.start_line}"
        if first.start_line == last.end_line
        else f"lines {first.start_line} to {last.end_line}"
    )


def _quoted(passage: Passage) -> str:
    return f"[{_lines(passage, passage)}] {shown(passage.text)}"
