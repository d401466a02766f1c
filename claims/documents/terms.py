"""Which periods a policy states for proofs of loss, and which of them is the insured's own duty (D24).

A form has many clocks that name a proof: what the insurer pays after it, what a mortgagee sends. A day is only ever
computed from a sentence that tells the insured to send theirs; the others are shown. In doubt a sentence is of the
others: the adjuster reads it and enters the term.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from claims.deadlines import PROOF_NOT_STATED, Deadline, InvalidTerm, Term, TimeUnit, Trigger, Unknown, deadline
from claims.documents.folding import fold, shown
from claims.documents.pages import Reading
from claims.documents.sections import Change, Passage, Section, SectionKind, Structure, Unit
from claims.documents.sentences import sentence_spans

_NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "five": 5,
    "six": 6,
    "seven": 7,
    "ten": 10,
    "twelve": 12,
    "fourteen": 14,
    "fifteen": 15,
    "twenty": 20,
    "twenty-one": 21,
    "thirty": 30,
    "forty-five": 45,
    "sixty": 60,
    "ninety": 90,
    "one hundred twenty": 120,
    "one hundred and twenty": 120,
    "one hundred eighty": 180,
    "one hundred and eighty": 180,
}
_SPELT = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_PERIOD = re.compile(
    rf"(?<![\w.,-])(?:(?P<word>{_SPELT})\s*(?:\((?P<both>\d{{1,4}})\))?|(?P<digits>\d{{1,4}}))[\s-]+"
    r"(?:(?:calendar|consecutive)\s+)?(?P<unit>day|month|year)s?\b(?P<after>.{0,90})",
    re.IGNORECASE,
)
_COUNTS_FROM = re.compile(r"[\s,]*(?:after|of|from|following)\b\s*(?P<event>.*)", re.IGNORECASE)
_EVENTS = (
    (
        Trigger.PROOF_REQUIRED,
        re.compile(r"(?:the |a |your |such )?(?:date )?.{0,20}proof of loss (?:is|was) (?:due|req)"),
    ),
    (
        Trigger.REQUEST,
        re.compile(
            r"(?:(?:the )?date of )?(?:our|the insurer's|the company's) (?:written )?request|we (?:request|ask)"
        ),
    ),
    (Trigger.DENIAL, re.compile(r"(?:(?:the )?date of )?(?:our|the) (?:written )?denial|we deny")),
    (Trigger.NOTICE, re.compile(r"(?:(?:the )?date of )?(?:the|your) notice of (?:the )?loss")),
    (
        Trigger.LOSS,
        re.compile(
            r"(?:the )?(?:date of )?(?:the |a |your |such |direct |physical )*loss\b"
            r"(?! (?:is|was|has|notice|report|pay))"
        ),
    ),
)
_PROOF = re.compile(r"\bproofs?\b(?: of loss| of claim)?", re.IGNORECASE)
_PARTIES = r"\b(?:mortgag\w*|lenders?|lienholders?|loss payees?|creditors?)\b"
_OTHER_PARTIES = re.compile(_PARTIES, re.IGNORECASE)
_OTHERS = re.compile(
    rf"{_PARTIES}|\b(?:payable|pays?|paid|payments?)\b"
    r"|\bwe (?:will|shall|must|may|agree|have)\b"
    r"|\b(?:after|of|from|following|upon|until|once) (?:(?:our|the) )?(?:receipt|receiv\w+|we (?:have )?receiv\w+)",
    re.IGNORECASE,
)
_ACT = r"(?:send|submit|give|file|furnish|provide|deliver|render|mail|return|complete)"
_YOU_MUST = re.compile(
    rf"\b(?:you|the (?:named )?insured) (?:must|shall|will|ha(?:ve|s) to|agree to|(?:are|is) (?:required|obliged) to)\b"
    rf".{{0,120}}\b{_ACT}\b",
    re.IGNORECASE | re.DOTALL,
)
_TELLS = re.compile(rf"\W*(?:\(?\w{{1,4}}[.)]\s*)*(?:within\b[^,]{{0,100}},\s*)?{_ACT}\b", re.IGNORECASE)
_LEADS = re.compile(
    r"\b(?:you|the (?:named )?insured) (?:must|shall|will|(?:are|is) required to)\b|\byour duties\b"
    r"|\bduties must be (?:performed|done|met) (?:either )?by you\b",
    re.IGNORECASE,
)
_NEVER = frozenset({SectionKind.DEFINITIONS, SectionKind.DECLARATIONS})


class Whose(StrEnum):
    """Whose duty a sentence is. UNCLEAR is neither: the adjuster reads it."""

    INSURED = "insured"
    SOMEBODY_ELSE = "somebody_else"
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class StatedTerm:
    """A sentence that names a proof and a period. `trigger` is None where the event is none that is known here.

    `changed` says that an endorsement deletes or replaces it. `quote` is the sentence in the source's own characters,
    `lead_ins` what it hangs on.
    """

    section_id: str
    passage: Passage
    lead_ins: tuple[Passage, ...]
    quote: str
    period: int
    unit: TimeUnit
    trigger: Trigger | None
    whose: Whose
    changed: bool

    def as_term(self, trigger_date: date | None = None) -> Term:
        """To count with, once its event's day is known. Raises ValueError when the event is none that is known here."""
        if self.trigger is None:
            raise ValueError("A period that counts from an unknown event cannot be counted.")
        return Term("proof of loss", self.period, self.unit, self.trigger, trigger_date, self.quote)


def terms_stated(structure: Structure) -> tuple[StatedTerm, ...]:
    """In the order of the file. No day follows from one that is not the insured's own."""
    return tuple(
        stated for section in structure.sections for unit in section.units for stated in _in_unit(section, unit)
    )


def proof_of_loss_stated(structure: Structure, reading: Reading) -> StatedTerm | Unknown:
    """The one period that the policy states for the insured's proof of loss, or why there is none to count with."""
    stated = terms_stated(structure)
    own = [each for each in stated if each.whose is Whose.INSURED]
    unclear = [each for each in stated if each.whose is Whose.UNCLEAR]
    if reading.unreadable is not None or not structure.sections:
        return Unknown("The file was not read, so what it states for the proof of loss is not known.")
    if not own and unclear:
        return Unknown(f"Whether this is the insured's own duty is for you to read: {unclear[0].quote}")
    if not own and reading.pages_not_read:
        pages = ", ".join(str(number) for number in reading.pages_not_read)
        return Unknown(f"No period for the insured's proof of loss was found, and these pages were not read: {pages}.")
    if not own:
        return Unknown(PROOF_NOT_STATED)
    if any(each.changed for each in own):
        return Unknown("An endorsement changes what the policy states for the insured's proof of loss: read both.")
    if len({(each.period, each.unit, each.trigger) for each in own}) > 1:
        return Unknown(
            "The policy states more than one period for the insured's proof of loss: read each in its place."
        )
    if own[0].trigger is None:
        return Unknown(f"The policy does not say in words known here from what day this counts: {own[0].quote}")
    return own[0]


def proof_of_loss_deadline(
    structure: Structure, reading: Reading, *, loss_date: date, request_date: date | None = None
) -> Deadline:
    """The insured's last day for the proof of loss by the policy's own words, or why it is not known.

    `request_date` is used where the clause counts from the insurer's request. Raises InvalidTerm, its field
    `request_date`, for a request before the loss.
    """
    stated = proof_of_loss_stated(structure, reading)
    if isinstance(stated, Unknown):
        return stated
    term = stated.as_term(request_date if stated.trigger is Trigger.REQUEST else None)
    try:
        return deadline(term, loss_date=loss_date)
    except InvalidTerm as error:
        raise InvalidTerm("request_date", str(error)) from error


def _in_unit(section: Section, unit: Unit) -> Iterator[StatedTerm]:
    text = unit.passage.text
    if not _PROOF.search(text):
        return
    for start, end in sentence_spans(text):
        plain = fold(text[start:end]).text
        period = _PERIOD.search(plain)
        if period is None or not _PROOF.search(plain):
            continue
        yield StatedTerm(
            section.section_id,
            unit.passage,
            unit.lead_ins,
            shown(text[start:end]),
            _number(period),
            TimeUnit(f"{period['unit'].lower()}s"),
            _trigger(period["after"]),
            _whose(section, plain, unit),
            any(each.change in (Change.DELETES, Change.REPLACES) for each in unit.amended_by),
        )


def _number(period: re.Match[str]) -> int:
    """The figure in brackets where both are written."""
    figure = period["both"] or period["digits"]
    return int(figure) if figure else _NUMBERS[period["word"].lower()]


def _trigger(after: str) -> Trigger | None:
    counts = _COUNTS_FROM.match(after)
    if counts is None:
        return None
    return next((trigger for trigger, event in _EVENTS if event.match(counts["event"])), None)


def _whose(section: Section, sentence: str, unit: Unit) -> Whose:
    """The insured's is an order to them: `you must send`, or `send` by itself or below `you must:`."""
    lead = fold(" ".join(passage.text for passage in unit.lead_ins)).text
    if _OTHERS.search(sentence) or _OTHER_PARTIES.search(lead):
        return Whose.SOMEBODY_ELSE
    if section.kind in _NEVER:
        return Whose.UNCLEAR
    tells = _TELLS.match(sentence) and (not lead or _LEADS.search(lead))
    return Whose.INSURED if tells or _YOU_MUST.search(sentence) else Whose.UNCLEAR
