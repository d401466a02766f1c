"""What a sentence of an endorsement does to other text, and which text it names (S29)."""

import re
from dataclasses import dataclass

from claims.documents.sections import Change

SENTENCE = re.compile(r"(?<=[.;:])[\"')]* (?=[A-Z\"'(\d])")
_NOUN = (
    r"(?:exclusions?|conditions?|paragraphs?|items?|clauses?|sections?|sub-?sections?|sub-?paragraphs?|"
    r"definitions?|parts?|"
    r"coverages?|provisions?|articles?|limitations?|exceptions?)"
)
_NUMBER = (
    r"\(?(?:\d{1,3}|[ivx]{1,5}|[a-z])\)?(?:\.\(?(?:\d{1,3}|[ivx]{1,5}|[a-z])\)?|\((?:\d{1,3}|[ivx]{1,5}|"
    r"[a-z])\)){0,5}"
)
_REFERENCE = re.compile(
    rf"\b(?P<noun>{_NOUN}) (?:numbers? |nos?\.? )?(?P<numbers>{_NUMBER}(?=[\s,.;:)]|$)\.?(?:(?:,? and |, ?| or |"
    rf" ?& ?){_NUMBER}(?=[\s,.;:)]|$)\.?){{0,12}})",
    re.IGNORECASE,
)
_ONE_NUMBER = re.compile(_NUMBER, re.IGNORECASE)
_PART = re.compile(r"\d{1,3}|[A-Za-z]+")
_NAMED = re.compile(
    r"\b(?:the|our|your|this policy's) (?P<name>(?:[\w'\-/&]+ ){1,7}?)(?P<noun>exclusions?|conditions?|"
    r"definitions?|clauses?|provisions?|sections?|benefits?|coverages?)\b",
    re.IGNORECASE,
)
_DEFINITION_OF = re.compile(
    r"\bdefinitions? of (?P<name>\"[^\"]{2,60}\"|'[^']{2,60}'|[\w\-]+(?: [\w\-]+)?)", re.IGNORECASE
)
_AFTER_NUMBER = re.compile(
    r"[\s.,:)-]*(?:[-\"']\s?)?(?P<name>[A-Z][\w'\-]*(?:[ /-](?:[A-Z][\w'\-]*|of|and|or|the|to|by|from|in)){0,6})"
)
_PLACE = re.compile(rf" (?:of|in|under|to|from) (?={_NOUN}\b)", re.IGNORECASE)
_QUALIFIES = re.compile(r"\b(?:of|in|under|to|from|within|at)(?: the)? (?:form )?$", re.IGNORECASE)
_ADDS = re.compile(
    r"\b(?:(?:is|are|shall be) (?:hereby )?added|we (?:have )?add(?:ed)?|add(?:s|ing)? (?:the following|to)|is "
    r"extended)\b",
    re.IGNORECASE,
)
_REPLACES = re.compile(
    r"\b(?:replac(?:ed|es?|ing)|substitut(?:ed|es?)|delet\w+ .{0,60}?(?:replac|substitut|following)\w*|in "
    r"(?:its|their) place|amended to read)\b",
    re.IGNORECASE,
)
_DELETES = re.compile(
    r"\b(?:delet(?:ed|es?|ing|ion)|removed?|removes|struck out|withdrawn|no longer appl(?:y|ies)|does not apply|"
    r"do not apply)\b",
    re.IGNORECASE,
)
_MODIFIES = re.compile(r"\b(?:amend(?:ed|s)?|modif(?:ied|ies|y)|changed?|varied|altered|revised)\b", re.IGNORECASE)
_PARTLY = re.compile(r"\b(?:does|do) not apply (?:to|if|when|where|in)\b", re.IGNORECASE)
_MAXSENTENCES = 40


@dataclass(frozen=True, slots=True)
class Reference:
    """A place that a sentence names: `numbers` are paths of labels (("V", "D", "5"),), `name` is a title."""

    noun: str
    numbers: tuple[tuple[str, ...], ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class Directive:
    change: Change
    targets: tuple[Reference, ...]
    within: tuple[Reference, ...]


def directives(text: str) -> tuple[Directive, ...]:
    """What a folded paragraph of an endorsement does to other text; nothing when it names no place."""
    found = []
    for sentence in SENTENCE.split(_protected(text[:4000]))[:_MAXSENTENCES]:
        change = _change(sentence)
        if change is None:
            continue
        targets, within = _references(sentence, change)
        if targets:
            found.append(Directive(change, tuple(targets), tuple(within)))
    return tuple(found)


def _protected(text: str) -> str:
    """`7. and 8.` is no end of a sentence."""
    return re.sub(r"(\b(?:\d{1,3}|[A-Za-z]|[IVX]{1,5}))\. (?=[A-Z(\d])", r"\1 ", text)


def _change(sentence: str) -> Change | None:
    if _ADDS.search(sentence):
        return Change.ADDS
    if _REPLACES.search(sentence):
        return Change.REPLACES
    if _PARTLY.search(sentence):
        return Change.MODIFIES
    if _DELETES.search(sentence):
        return Change.DELETES
    return Change.MODIFIES if _MODIFIES.search(sentence) else None


def _references(sentence: str, change: Change) -> tuple[list[Reference], list[Reference]]:
    """The places that are changed, and those that only say where they stand (`of Coverage A`)."""
    start = 0
    if change is Change.ADDS and (added := re.search(r"\badded to\b|\badd to\b|\bto\b", sentence, re.IGNORECASE)):
        start = added.start()
    targets: list[Reference] = []
    within: list[Reference] = []
    for match in _REFERENCE.finditer(sentence, start):
        name = _AFTER_NUMBER.match(sentence, match.end())
        reference = Reference(
            _singular(match["noun"]),
            tuple(tuple(_PART.findall(number[0])) for number in _ONE_NUMBER.finditer(match["numbers"])),
            _PLACE.split(name["name"])[0] if name else "",
        )
        qualifies = bool(targets) and bool(_QUALIFIES.search(sentence[max(0, match.start() - 14) : match.start()]))
        (within if qualifies else targets).append(reference)
    if not targets:
        named = _DEFINITION_OF.search(sentence, start)
        if named:
            return [Reference("definition", name=named["name"].strip("\"'"))], within
        targets += [Reference(_singular(m["noun"]), name=m["name"].strip()) for m in _NAMED.finditer(sentence, start)]
    if len(targets) > 1 and change is not Change.DELETES:
        within, targets = within + targets[1:], targets[:1]
    return targets, within


def _singular(noun: str) -> str:
    return noun.lower().rstrip("s").replace("sub-", "sub")
