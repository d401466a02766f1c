"""Words of a text as a search compares them, with every reading that a hyphen leaves open.

Case, accents, ligatures, quotation marks and dashes compare alike (`folding.py`); nothing is stemmed. A hyphen stands
between two words that are also one: `self-insured` is `self`, `insured` and `selfinsured`. So is a hyphen that the end
of a line or the file left open, because the file does not say which was meant (D12, D13).
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from claims.documents.folding import SOFT, fold

_FRAGMENT = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:'[^\W_]+)*")
_BROKEN = frozenset({SOFT, f"{SOFT} "})
MOST_LINKED = 6
"""A longer chain is no word: paths, codes and rules of dashes are read fragment by fragment."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """The smallest piece: `hyphen` and `broken` say how it hangs on the one before it."""

    text: str
    start: int
    end: int
    hyphen: bool
    broken: bool

    @property
    def linked(self) -> bool:
        return self.hyphen or self.broken


@dataclass(frozen=True, slots=True)
class Word:
    """One reading of a word: the fragments `first` to `last`, and where they stand in the source text.

    `joins` says that a break in it is read as none. `unless` is the broken word as a whole, where this reading takes
    only a part of it; else empty.
    """

    text: str
    first: int
    last: int
    start: int
    end: int
    joins: bool = False
    unless: str = ""


def chains(text: str) -> Iterator[Sequence[Fragment]]:
    """The words in their order, each as the fragments that hyphens hold together."""
    folded = fold(text)
    chain: list[Fragment] = []
    previous = 0
    for found in _FRAGMENT.finditer(folded.text):
        between = folded.text[previous : found.start()]
        fragment = Fragment(
            _without_accents(found[0].casefold()),
            *folded.source_span(found.start(), found.end()),
            hyphen=bool(chain) and between == "-",
            broken=bool(chain) and between in _BROKEN,
        )
        if chain and not fragment.linked:
            yield chain
            chain = []
        chain.append(fragment)
        previous = found.end()
    if chain:
        yield chain


def words_of(text: str) -> Iterator[Word]:
    """Every reading of every word."""
    place = 0
    for chain in chains(text):
        yield from _readings(chain, place)
        place += len(chain)


def _readings(chain: Sequence[Fragment], place: int) -> Iterator[Word]:
    if len(chain) == 1 or len(chain) > MOST_LINKED:
        for number, fragment in enumerate(chain, start=place):
            yield Word(fragment.text, number, number, fragment.start, fragment.end)
        return
    for first in range(len(chain)):
        for last in range(first, len(chain)):
            yield Word(
                "".join(fragment.text for fragment in chain[first : last + 1]),
                place + first,
                place + last,
                chain[first].start,
                chain[last].end,
                any(fragment.broken for fragment in chain[first + 1 : last + 1]),
                _joined_instead(chain, first, last),
            )


def _joined_instead(chain: Sequence[Fragment], first: int, last: int) -> str:
    """The whole of a word that is broken right before `first` or right behind `last`."""
    start, end = first, last + 1
    while start > 0 and chain[start].broken:
        start -= 1
    while end < len(chain) and chain[end].broken:
        end += 1
    return "" if (start, end) == (first, last + 1) else "".join(fragment.text for fragment in chain[start:end])


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join(each for each in unicodedata.normalize("NFKD", word) if not unicodedata.combining(each))
