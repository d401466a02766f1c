"""The writing rules: what a document must be before it may be ingested. It names problems and never mends them.

`clause_text` has read the document already, so its form is right; this is about what it says.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knowledge.answers import MAX_CLAUSE_CHARACTERS
from knowledge.clause_text import ClauseText, Part, PolicyDocument
from knowledge.language import decision_problem

MAX_PLAIN_LINES = 5
_CODE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_NUMBER = re.compile(r"\d+(?:[,.]\d+)*")
_ID_IN_TEXT = re.compile(r"\b[A-Z]{3}-[A-Z]{3}-\d{2}\b")
_TWO_SENTENCES = re.compile(r"[.!?] +[A-Z“\"']")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

# Words that insurers use for parts of a policy. A title made of nothing else tells a customer nothing (M47).
_LABEL_WORDS = frozenset(
    _WORD.findall(
        """a additional alternative and basis benefit benefits clause condition conditions cover coverage covers event
        exclusion exclusions extension extensions extra for general indemnity liability limit limits loss losses
        miscellaneous optional other our policy provision provisions section settlement special standard term terms the
        transport your"""
    )
)


@dataclass(frozen=True)
class Problem:
    """What is wrong, where, and how to put it right. `clause_id` is None when it is about the document itself."""

    clause_id: str | None
    field: str
    message: str
    fix: str

    def __str__(self) -> str:
        return f"{self.clause_id or 'the document'}, {self.field}: {self.message} {self.fix}"


def check_document(document: PolicyDocument) -> tuple[Problem, ...]:
    """Every problem of a document, in its order; empty when it may be ingested (M39, M47 to M50)."""
    return (*_document_problems(document), *(p for clause in document.clauses for p in check_clause(clause)))


def check_clause(clause: ClauseText) -> tuple[Problem, ...]:
    """Every problem of one clause on its own (M47 to M50)."""
    found = (*_title(clause), *_length(clause), *_parts(clause), *_lines(clause), *_plain(clause), *_sources(clause))
    return tuple(Problem(clause.clause_id, *problem) for problem in found)


_Found = Iterator[tuple[str, str, str]]


def _document_problems(document: PolicyDocument) -> Iterator[Problem]:
    preamble = document.preamble.casefold()
    if "synthetic" not in preamble or "not a real insurance contract" not in preamble:
        yield Problem(
            None, "preamble", "It does not say what this text is.", "Say: synthetic; not a real insurance contract."
        )
    if "mvp" in preamble:
        yield Problem(None, "preamble", "It speaks of an MVP.", "Leave the demo wording out.")
    if document.version in document.withdraws:
        yield Problem(None, "withdraws", "The document withdraws its own version.", "Name earlier versions only.")
    prefixes = {clause.clause_id[:3] for clause in document.clauses}
    if len(prefixes) > 1:
        yield Problem(
            None, "clauses", f"Ids start with {' and '.join(sorted(prefixes))}.", "One family has one prefix."
        )
    for clause_id in _repeated(clause.clause_id for clause in document.clauses):
        yield Problem(clause_id, "clause_id", "This id stands twice.", "Give the newer clause the next free number.")
    for title in _repeated(clause.title for clause in document.clauses):
        clause_id = next(clause.clause_id for clause in document.clauses if clause.title == title)
        yield Problem(clause_id, "title", "Two clauses have this title.", "Say in each title what only it covers.")


def _repeated(values: Iterable[str]) -> list[str]:
    return [value for value, times in Counter(values).items() if times > 1]


def _title(clause: ClauseText) -> _Found:
    words = [word.casefold() for word in _WORD.findall(clause.title)]
    if len(words) < 2 or set(words) <= _LABEL_WORDS:
        yield (
            "title",
            f"“{clause.title}” is a label.",
            "Name in customers' words the things and events the clause is about.",
        )


def _length(clause: ClauseText) -> _Found:
    if len(clause.text) > MAX_CLAUSE_CHARACTERS:
        yield (
            "text",
            f"It has {len(clause.text)} characters; {MAX_CLAUSE_CHARACTERS} is the most.",
            "Shorten it, or split it: one subject a clause.",
        )


def _parts(clause: ClauseText) -> _Found:
    triggers = [s for s in clause.sentences if s.part is Part.TRIGGER]
    if any(s.part is Part.PROVIDES for s in clause.sentences) and not triggers:
        yield "text", "It provides something and has no trigger.", "Add a [trigger]* line: when does it apply?"
    if not all(s.always for s in triggers):
        yield "text", "A trigger is not always shown.", "Mark every trigger: [trigger]*."
    if clause.schedule_section is None:
        return
    if not _CODE.fullmatch(clause.schedule_section):
        yield "schedule_section", f"“{clause.schedule_section}” is no code.", "Use small letters and underscores."
    if not any(s.part is Part.SCHEDULE and s.always for s in clause.sentences):
        yield "text", "It depends on the schedule and does not say so.", "Add a [schedule]* line that says so."


def _lines(clause: ClauseText) -> _Found:
    lead_ins = {s.lead_in for s in clause.sentences if s.bullet}
    for sentence in clause.sentences:
        text = clause.sentence_text(sentence.index)
        if _TWO_SENTENCES.search(text):
            yield "text", f"Line {sentence.index} holds more than one sentence.", "Write one sentence or bullet a line."
        if sentence.bullet:
            lead_in = clause.sentences[(sentence.lead_in or 1) - 1]
            if lead_in.always and not sentence.always:
                yield (
                    "text",
                    f"Bullet {sentence.index} may be left out after its lead-in.",
                    "Mark it * as its lead-in is.",
                )
        elif text.endswith(":") != (sentence.index in lead_ins):
            yield (
                "text",
                f"Line {sentence.index}: a colon and bullets go together.",
                "End a lead-in, and nothing else, with ':'.",
            )
        elif not text.endswith((".", "?", "!", ":")):
            yield "text", f"Line {sentence.index} does not end like a sentence.", "End it with a full stop."


def _plain(clause: ClauseText) -> _Found:
    if not 1 <= len(clause.plain) <= MAX_PLAIN_LINES:
        yield "plain", f"It has {len(clause.plain)} plain lines.", f"Write 1 to {MAX_PLAIN_LINES}."
    known = set(_NUMBER.findall(clause.text))
    for number, line in enumerate(clause.plain, start=1):
        strange = [n for n in _NUMBER.findall(_ID_IN_TEXT.sub("", line)) if n not in known]
        if strange:
            yield (
                "plain",
                f"Line {number} has {', '.join(strange)}, which the clause does not.",
                "Use the clause's numbers.",
            )
        if problem := decision_problem(line):
            yield "plain", f"Line {number}: {problem}.", "Make the clause the subject and keep its condition."
        if _ID_IN_TEXT.search(line):
            yield "plain", f"Line {number} names a clause.", "Say it in words; the citation stands beside it."


def _sources(clause: ClauseText) -> _Found:
    if not clause.sources:
        yield "sources", "No source is recorded.", "Name what the figures and the practice come from."
