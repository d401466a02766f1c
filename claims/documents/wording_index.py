"""The index of one policy: what can be shown of it, where each word stands. Built once, then asked many times.

Every line is in one of two places: in a unit, or outside the wording (headings, page furniture, contents), which is
never quoted (M94) and is only named when a word stands nowhere else.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from claims.documents.findings import Candidate
from claims.documents.pages import Line, Reading
from claims.documents.places_to_read import candidates_of
from claims.documents.postings import Postings
from claims.documents.sections import Passage, Structure

_KEPT = "_wording_index"


@dataclass(frozen=True)
class WordingIndex:
    """`candidates` are all that can be found, in the order of the file and matched by nothing yet; `wording` numbers
    its texts alike. `at` is the number of the candidate whose own a passage is."""

    structure: Structure
    reading: Reading
    candidates: tuple[Candidate, ...]
    wording: Postings
    at: Mapping[Passage, int]
    outside: tuple[Line, ...]
    outside_words: Postings


def index_of(structure: Structure, reading: Reading) -> WordingIndex:
    """The structure's index: built when it is first asked for, about a second for 300 pages, and kept as long as the
    structure is."""
    kept: WordingIndex | None = vars(structure).get(_KEPT)
    if kept is None or kept.reading is not reading:
        # Beside the fields of a frozen value, where functools.cached_property keeps what it computed, too.
        kept = vars(structure)[_KEPT] = _built(structure, reading)
    return kept


def _built(structure: Structure, reading: Reading) -> WordingIndex:
    passages = [unit.passage for section in structure.sections for unit in section.units]
    covered = {line for passage in passages for line in range(passage.start_line, passage.end_line + 1)}
    # A heading may share its line with the text that follows it.
    headings = [Line(each.start_line, each.heading, each.page) for each in structure.sections if each.heading]
    others = [line for line in reading.lines if line.number not in covered and line.text.strip()]
    return WordingIndex(
        structure,
        reading,
        candidates_of(structure),
        Postings(passage.text for passage in passages),
        {passage: number for number, passage in enumerate(passages)},
        (*headings, *others),
        Postings(line.text for line in (*headings, *others)),
    )
