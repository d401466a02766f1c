"""What a customer's message states, as the model proposes it and the server accepts it.

A value must be a run of characters of the message itself, so no word of the model's is ever shown as the customer's.
Two readings are the server's own: the family is one of three words, and a date is read from the customer's words.
"""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta

from claims.agent.evidence import KnownFact
from claims.agent.tools import ProposedFact, Violation
from claims.agent.vocabulary import Code, Field

FAMILIES = ("motor", "home", "contents")

_MONTHS = "january february march april may june july august september october november december".split()
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")
_NAMED = re.compile(r"(\d{1,2})(?:st|nd|rd|th)? (?:of )?([a-z]+),? (\d{4})")
_DAYS_AGO = {"today": 0, "this morning": 0, "tonight": 0, "yesterday": 1, "last night": 1}


@dataclass(frozen=True)
class HeardFact:
    """`value` is stored; `words` are the customer's (empty where the value is one of the server's own words)."""

    field: Field
    value: str
    words: str


def fold(text: str) -> str:
    """NFC, without format characters (zero width, bidi), white space runs as one space."""
    # Composed last: a format character can stand between a letter and its accent.
    visible = "".join(character for character in text if unicodedata.category(character) != "Cf")
    return " ".join(unicodedata.normalize("NFC", visible).split())


def hear(
    message: str, proposals: tuple[ProposedFact, ...], known: tuple[KnownFact, ...], today: date
) -> tuple[tuple[HeardFact, ...], tuple[Violation, ...]]:
    """The facts to write, one a field, and the proposals that were dropped (V6).

    A confirmed value is never replaced, and a value that is already stored is not written again.
    """
    folded = fold(message)
    standing = {fact.field: fact for fact in known}
    heard: dict[Field, HeardFact] = {}
    dropped: list[Violation] = []
    for proposal in proposals:
        fact = _read(proposal, folded, today)
        if fact is None:
            dropped.append(Violation(Code.FREE_TEXT, f"{proposal.field.value} is not in the message"))
            continue
        before = standing.get(fact.field)
        if before is None or not (before.confirmed or before.value == fact.value):
            heard.setdefault(fact.field, fact)
    return tuple(heard.values()), tuple(dropped)


def _read(proposal: ProposedFact, message: str, today: date) -> HeardFact | None:
    words = fold(proposal.value)
    if proposal.field is Field.FAMILY:
        return HeardFact(Field.FAMILY, words.lower(), "") if words.lower() in FAMILIES else None
    if not words or words not in message:
        return None
    value = words
    if proposal.field is Field.LOSS_DATE:
        read = read_date(words, today)
        value = read.isoformat() if read is not None else words
    return HeardFact(proposal.field, value, words)


def read_date(words: str, today: date) -> date | None:
    """ISO, day/month/year, "4 April 2027", today, yesterday, last night; None for anything else.

    `today` is New Zealand's day. A day after it is not a date of loss and stays words.
    """
    text = fold(words).lower().rstrip(".")
    found = _written_date(text)
    if found is None and text in _DAYS_AGO:
        found = today - timedelta(days=_DAYS_AGO[text])
    return found if found is not None and found <= today else None


def _written_date(text: str) -> date | None:
    try:
        if match := _ISO.fullmatch(text):
            return date(int(match[1]), int(match[2]), int(match[3]))
        if match := _SLASHED.fullmatch(text):
            return date(int(match[3]), int(match[2]), int(match[1]))
        if (match := _NAMED.fullmatch(text)) and match[2] in _MONTHS:
            return date(int(match[3]), _MONTHS.index(match[2]) + 1, int(match[1]))
    except ValueError:
        return None
    return None
