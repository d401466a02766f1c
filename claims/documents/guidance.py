"""What an adjuster may and may not make of a finding, in the words that go with it. No sentence here is a conclusion.

Each of the six outcomes begins with a sentence of its own (M77, M91, R1); what else must be known follows.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from claims.documents.findings import Candidate, Outcome, Words
from claims.documents.pages import Note, Reading, Unreadable
from claims.documents.query import GRAMMAR
from claims.documents.sections import SectionKind, Structure

UNREADABLE = (
    "Nothing was searched, because this file was not read. Say nothing about what the policy holds: upload a version "
    "that can be read, or run text recognition (OCR) on it."
)
NO_WORD = "The question holds no word that can be searched for."

NOT_READ = {
    Unreadable.NO_TEXT: "No text could be read from this file, as with a scan or a photograph. That is not silence.",
    Unreadable.TOO_LITTLE_TEXT: "Too little text could be read from this file to search it. That is not silence.",
    Unreadable.LOCKED: "The file needs a password, so it was not read. That is not silence.",
    Unreadable.DAMAGED: "The file is damaged or its letters cannot be made out. That is not silence.",
    Unreadable.WRONG_TYPE: "The file is of a type that is not read here. That is not silence.",
    Unreadable.TOO_LARGE: "The file is too large to be read here. That is not silence.",
    Unreadable.TOO_SLOW: "The file took too long to read. That is not silence.",
    Unreadable.NO_SECTIONS: "The text of this file could not be divided into sections, so nothing of it can be cited. "
    "That is not silence.",
}
"""Why nothing of a file is searched, as the adjuster reads it (M87 to M90)."""

_MOST_NAMED = 5


def not_searched(words: Words) -> str:
    dropped = f" These were left out: {_listed(words.dropped)}." if words.dropped else ""
    return (
        f"Not checked yet: no search took place.{dropped} Ask with a word that the policy itself would use, such as "
        "the thing that was lost or what damaged it."
    )


@dataclass(frozen=True)
class Searched:
    """A search that took place. `unmatched` are the searched words that no paragraph holds, `elsewhere` the places
    outside the wording that hold one of them."""

    outcome: Outcome
    candidates: Sequence[Candidate]
    words: Words
    unmatched: Sequence[str]
    elsewhere: Sequence[str]


def searched(search: Searched, structure: Structure, reading: Reading) -> str:
    """What the outcome allows, then what was tried and what is not known."""
    sentences = [_first(search, reading)]
    if search.outcome is not Outcome.BEARING:
        sentences.append(_tried(search.words))
    elif search.unmatched:
        sentences.append(f"No paragraph holds {_listed(search.unmatched)}.")
    if search.elsewhere:
        sentences.append(
            "Outside the wording (headings, lines that repeat on pages, contents) there is a match on "
            f"{_listed(search.elsewhere)}: read on from there."
        )
    common = [word for word in search.words.dropped if word not in GRAMMAR]
    if common:
        sentences.append(f"Left out because any policy is full of it: {_listed(common)}.")
    if search.outcome is not Outcome.PARTLY_READ and reading.pages_not_read:
        sentences.append(f"{_pages(reading)} not read: what stands there is not known.")
    sentences += _about(search.candidates, structure)
    return " ".join([*sentences, *_notes(reading.notes)])


def _first(search: Searched, reading: Reading) -> str:
    places = _counted(len(search.candidates), "place")
    if search.outcome is Outcome.BEARING:
        bearing = sum(candidate.is_bearing for candidate in search.candidates)
        return (
            f"{places} found, {bearing} of them in text that can support a position (an insuring agreement, exclusion, "
            "condition or endorsement). Cite one of those with its document id, its section id and its exact words, or "
            "state no position. Declarations and definitions settle nothing, and what these words mean for the claim "
            "is for the adjuster to decide."
        )
    if search.outcome is Outcome.NON_BEARING_ONLY:
        return (
            f"{places} found, only in declarations, definitions or text of no known kind: no supporting language. They "
            "are context to read in the file itself, and no position can rest on them."
        )
    if search.outcome is Outcome.PARTLY_READ:
        context = f" {places} found are context only." if search.candidates else ""
        return (
            f"{_pages(reading)} not read, and the pages that were read hold no supporting language.{context} The "
            "answer may stand on what was not read: look at those pages, or upload a version that can be read."
        )
    return (
        "The whole file was read, and no paragraph holds a word that was searched. That is not silence: the policy may "
        "say it in other words. That it appears silent is for a person to say who has read it."
    )


def _tried(words: Words) -> str:
    return (
        f"Searched: {_listed(words.searched)}. Only exact words, plain plurals and possessives were tried, as listed "
        "with this answer."
    )


def _about(candidates: Sequence[Candidate], structure: Structure) -> Iterator[str]:
    amended = sum(1 for candidate in candidates if candidate.amended_by)
    if amended:
        yield (
            f"An endorsement changes {_counted(amended, 'place')} shown here: read what it says before relying on "
            "either."
        )
    missing = dict.fromkeys(form for candidate in candidates for form in candidate.named_not_uploaded)
    if missing:
        yield f"Named here and not in this file: {_listed(list(missing))}. What they change is not known."
    yield from _whether_it_applies(candidates, structure)


def _whether_it_applies(candidates: Sequence[Candidate], structure: Structure) -> Iterator[str]:
    """Endorsements that apply only when the declarations list them (D19)."""
    endorsed = [candidate for candidate in candidates if candidate.section_kind is SectionKind.ENDORSEMENTS]
    conditional = dict.fromkeys(_name(candidate) for candidate in endorsed if candidate.condition is not None)
    if conditional and not structure.has_declarations:
        yield (
            f"{_listed(list(conditional))} applies only on the condition shown with it, and this file holds no "
            "declarations page: whether it applies is unknown."
        )
    elif conditional:
        yield f"{_listed(list(conditional))} applies only on the condition shown with it: check the declarations page."
    unlisted = {form.number for form in structure.forms if form.listed is False}
    left_out = dict.fromkeys(candidate.form for candidate in endorsed if candidate.form in unlisted)
    if left_out:
        yield f"The declarations do not list {_listed([form for form in left_out if form])}."


def _name(candidate: Candidate) -> str:
    return f"Endorsement {candidate.form}" if candidate.form else f'"{candidate.path[0] if candidate.path else ""}"'


def _notes(notes: Sequence[Note]) -> Iterator[str]:
    for note in notes[:_MOST_NAMED]:
        yield note.detail if note.page is None else f"Page {note.page}: {note.detail}"
    if len(notes) > _MOST_NAMED:
        yield f"There are {len(notes) - _MOST_NAMED} more remarks on how this file was read."


def _pages(reading: Reading) -> str:
    numbers = reading.pages_not_read
    listed = _listed([str(number) for number in numbers], most=len(numbers))
    return f"Page {listed} was" if len(numbers) == 1 else f"Pages {listed} were"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _listed(words: Iterable[str], *, most: int = _MOST_NAMED) -> str:
    named = list(words)
    more = f" and {len(named) - most} more" if len(named) > most else ""
    return ", ".join(named[:most]) + more
