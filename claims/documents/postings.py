"""Where words stand in a row of texts, by any form of them."""

from collections.abc import Iterable, Iterator, Sequence

from claims.documents.query import Form, Term
from claims.documents.words import words_of

_Hit = tuple[int, int, int]
"""Which text, and the first and the last fragment in it."""


class Postings:
    """Texts are numbered from 0. Nothing changes after it is built."""

    def __init__(self, texts: Iterable[str]) -> None:
        found = [tuple(words_of(text)) for text in texts]
        whole = {word.text for words in found for word in words if not (word.joins or word.unless)}
        self._hits: dict[str, list[_Hit]] = {}
        for number, words in enumerate(found):
            for word in words:
                # What stands unbroken elsewhere is one word here too: "car-pet" holds no pet where carpets are named.
                if word.unless not in whole:
                    self._hits.setdefault(word.text, []).append((number, word.first, word.last))

    def found(self, term: Term) -> dict[int, set[str]]:
        """The texts that hold a form of the term, each with the forms that it holds.

        A text where a hyphenated word was found as such is not said to hold the joined one, too.
        """
        texts: dict[int, set[str]] = {}
        for form in term.forms:
            joined = len(form.parts) < len(term.forms[0].parts)
            for number in list(self._of(form)):
                if not (joined and number in texts):
                    texts.setdefault(number, set()).add(str(form))
        return texts

    def _of(self, form: Form) -> Iterator[int]:
        first, *following = form.parts
        ends = {(number, last) for number, _, last in self._at(first)}
        for part in following:
            ends = {(number, last) for number, start, last in self._at(part) if (number, start - 1) in ends}
        return (number for number, _ in ends)

    def _at(self, word: str) -> Sequence[_Hit]:
        return self._hits.get(word, ())
