"""Where in a text the words stand that found it, so that a page can mark them. The text itself is never changed.

marked("Loss by Mold, or by wet rot", ["mold"])  ->  "Loss by ", "Mold" (marked), ", or by wet rot"
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from claims.documents.words import Word, words_of


@dataclass(frozen=True)
class Piece:
    """A part of the text, in the source's own characters; `is_match` when it is a word that was searched."""

    text: str
    is_match: bool = False


def marked(text: str, forms: Iterable[str]) -> tuple[Piece, ...]:
    """The whole text in pieces. `forms` are spellings as a finding tells them in `matched`, such as `self-insured`."""
    wanted = [form.split("-") for form in forms]
    return tuple(_pieces(text, _merged(_spans(words_of(text), wanted)))) if wanted else (Piece(text),)


def _spans(words: Iterable[Word], wanted: Iterable[Sequence[str]]) -> list[tuple[int, int]]:
    """Readings of a broken word that take only a part of it count where nothing else does."""
    spelt: dict[str, list[Word]] = {}
    for word in words:
        spelt.setdefault(word.text, []).append(word)
    spans: list[tuple[int, int]] = []
    for form in wanted:
        found = _runs(spelt, form)
        whole = [(start, end) for _, start, end, is_part in found if not is_part]
        spans += whole or [(start, end) for _, start, end, _ in found]
    return sorted(spans)


def _runs(spelt: Mapping[str, Sequence[Word]], form: Sequence[str]) -> list[tuple[int, int, int, bool]]:
    """Each run of words that spells the form: its last fragment, start, end, and whether it takes a part of a word."""
    first, *following = form
    runs = [(word.last, word.start, word.end, bool(word.unless)) for word in spelt.get(first, ())]
    for part in following:
        next_to = {word.first: word for word in spelt.get(part, ())}
        runs = [
            (next_to[last + 1].last, start, next_to[last + 1].end, is_part or bool(next_to[last + 1].unless))
            for last, start, _, is_part in runs
            if last + 1 in next_to
        ]
    return runs


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _pieces(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[Piece]:
    at = 0
    for start, end in spans:
        if start > at:
            yield Piece(text[at:start])
        yield Piece(text[start:end], is_match=True)
        at = end
    if at < len(text) or not text:
        yield Piece(text[at:])
