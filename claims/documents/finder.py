"""Where a policy speaks of something: exact places to read, never what they mean for a claim (M76 to M79, M92).

    find(structure, reading, "mold damage in the basement")  ->  Finding

Whole words over normalised text (`words.py`), any of the searched words (`query.py`). What a person must read together
comes together: an item with its lead-in, a list with its items, a clause with its exceptions, an amended clause with
the endorsement that amends it (D18), an endorsement with the condition on which it applies (D19). A file that was not
read, or a search without a word, gives no empty list of candidates but an answer of its own (M90, M91, R1).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from claims.documents import guidance
from claims.documents.findings import Candidate, Finding, Outcome, Words
from claims.documents.pages import NotRead, Reading, Unreadable
from claims.documents.query import Query, Term, read_query
from claims.documents.sections import SectionKind, Structure
from claims.documents.wording_index import WordingIndex, index_of

Hits = Mapping[str, Mapping[int, set[str]]]
"""For each searched word the numbers of the places that hold it, each with the forms that it holds."""


def find(structure: Structure, reading: Reading, query: str, *, exact: bool = False) -> Finding:
    """Where the policy holds a word of the query. `exact` tries no plural and no possessive.

    Candidates that hold more of the words come first, then the declarations, because a schedule prevails over the form
    (R8), then the order of the file. The first search of a structure builds its index.
    """
    refused = _refused(structure, reading)
    if refused is not None:
        return refused
    index = index_of(structure, reading)
    asked = read_query(query, exact=exact)
    words = _words(asked)
    not_read = index.reading.pages_not_read
    if not asked.terms:
        return Finding(
            Outcome.NOT_SEARCHED, guidance.not_searched(words), words, guidance.NO_WORD, pages_not_read=not_read
        )
    hits = {term.word: index.wording.found(term) for term in asked.terms}
    candidates = tuple(_candidates(index, hits))
    outcome = _outcome(candidates, not_read)
    unmatched = [word for word, found in hits.items() if not found]
    elsewhere = _elsewhere(index, [term for term in asked.terms if term.word in unmatched])
    search = guidance.Searched(outcome, candidates, words, unmatched, elsewhere)
    return Finding(
        outcome,
        guidance.searched(search, index.structure, index.reading),
        words,
        pages_not_read=not_read,
        candidates=candidates,
    )


def refuse(not_read: NotRead) -> Finding:
    """The answer for a file of which no page is known: refused, locked, damaged."""
    return refuse_for(not_read.detail)


def refuse_for(reason: str) -> Finding:
    """The same, for the reason that was kept of it."""
    return Finding(Outcome.UNREADABLE, guidance.UNREADABLE, reason=reason)


def _refused(structure: Structure, reading: Reading) -> Finding | None:
    unreadable = reading.unreadable
    if unreadable is None and not any(section.units for section in structure.sections):
        unreadable = Unreadable.NO_SECTIONS
    if unreadable is None:
        return None
    return Finding(
        Outcome.UNREADABLE,
        guidance.UNREADABLE,
        reason=guidance.NOT_READ[unreadable],
        pages_not_read=reading.pages_not_read,
    )


def _words(asked: Query) -> Words:
    return Words(
        tuple(term.word for term in asked.terms),
        asked.dropped,
        {term.word: tuple(str(form) for form in term.forms) for term in asked.terms},
    )


def _outcome(candidates: Sequence[Candidate], not_read: tuple[int, ...]) -> Outcome:
    """An endorsement that only came along with what it amends settles nothing: no word found it."""
    found = [candidate for candidate in candidates if candidate.matched]
    if any(candidate.is_bearing for candidate in found):
        return Outcome.BEARING
    if not_read:
        return Outcome.PARTLY_READ
    return Outcome.NON_BEARING_ONLY if found else Outcome.NO_MATCH


def _candidates(index: WordingIndex, hits: Hits) -> Iterator[Candidate]:
    """Each place once; an endorsement that no word found stands behind the first place that it amends."""
    forms: dict[int, set[str]] = {}
    score: Counter[int] = Counter()
    for found in hits.values():
        score.update(found.keys())
        for number, spellings in found.items():
            forms.setdefault(number, set()).update(spellings)
    shown = set(forms)
    for number in sorted(forms, key=lambda each: (-score[each], _is_form(index.candidates[each]), each)):
        candidate = replace(index.candidates[number], matched=tuple(sorted(forms[number])))
        yield candidate
        for amendment in candidate.amended_by:
            amending = index.at.get(amendment.passage)
            if amending is not None and amending not in shown:
                shown.add(amending)
                yield index.candidates[amending]


def _is_form(candidate: Candidate) -> bool:
    return candidate.section_kind is not SectionKind.DECLARATIONS


def _elsewhere(index: WordingIndex, terms: Sequence[Term]) -> tuple[str, ...]:
    """Where words that no paragraph holds stand outside the wording: a heading alone is not silence."""
    numbers = {number for term in terms for number in index.outside_words.found(term)}
    lines = {(index.outside[number].number, index.outside[number].page) for number in numbers}
    return tuple(f"line {line} (page {page})" for line, page in sorted(lines))
