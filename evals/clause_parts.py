"""Which parts of a clause a reply shows: by the clause's own sentences, and by its plain lines.

A turn's record names a fetched clause by the hash of its text; the document that holds a clause with that hash says
which sentence is which part. A clause whose hash is in none of them is not known, and nothing is guessed about it.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from knowledge.clause_text import ClauseText, read_document

_FIGURE = re.compile(r"\d+(?:,\d{3})*")
_WORD = re.compile(r"[a-z0-9]+")
# Words that stand in most lines of most clauses tell nothing about what a line says.
_COMMON = frozenset(
    """a an and any are as at be by can do does for from has have if in is it its may must no not of on once or our
    over she that the their them then there these they this to under up us was we were when where which while who will
    with within you your northwind nzd claim accepted accepts clause benefit policy policyholder pay pays paid include
    includes included apply applies""".split()
)

ClauseIndex = Mapping[str, ClauseText]


def index_clauses(documents: Iterable[str]) -> dict[str, ClauseText]:
    """Every clause of the documents (their text), by the hash of its text. Raises DocumentError."""
    return {clause.sha256: clause for text in documents for clause in read_document(text).clauses}


def parts_of_line(clause: ClauseText, line: str) -> frozenset[str]:
    """The parts that an approved plain line says.

    A plain line sums up sentences. It says a sentence's part when it shares a figure with it, or half of the telling
    words of either.
    """
    figures, words = set(_FIGURE.findall(line)), _words(line)
    said = set()
    for sentence in clause.sentences:
        text = clause.sentence_text(sentence.index)
        theirs = _words(text)
        common = 2 * len(words & theirs)
        is_close = common > 0 and (common >= len(theirs) or common >= len(words))
        if is_close or figures & set(_FIGURE.findall(text)):
            said.add(sentence.part.value)
    return frozenset(said)


def shown_parts(clause: ClauseText, segments: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """The parts of a clause that the segments of a reply show; segments about other clauses show none of it.

    A lead-in line alone says nothing yet, so it counts only with one of its bullets.
    """
    shown: set[str] = set()
    leads = {sentence.lead_in for sentence in clause.sentences if sentence.lead_in is not None}
    for segment in segments:
        citation = segment["citation"]
        if citation is None or citation["clause_id"] != clause.clause_id:
            continue
        indexes = [index for index in citation["sentences"] if 1 <= index <= len(clause.sentences)]
        shown.update(clause.sentences[index - 1].part.value for index in indexes if index not in leads)
        line = citation["line"]
        if line is not None and 1 <= line <= len(clause.plain):
            shown |= parts_of_line(clause, clause.plain[line - 1])
    return frozenset(shown)


def _words(text: str) -> set[str]:
    words = _WORD.findall(text.lower().replace(",", ""))
    return {word.removesuffix("s") for word in words if word not in _COMMON}
