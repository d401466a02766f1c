"""Forms and endorsements that a text names and that are not in the file: what is shown may not be all (M114)."""

import re
from collections.abc import Iterator

from claims.documents.folding import fold
from claims.documents.sections import SectionKind, Structure

_TITLE_WORD = r"[A-Z][\w'-]*"
_TITLED = re.compile(rf"\bthe ({_TITLE_WORD}(?:,? (?:(?:and|or|of|for|to) )?{_TITLE_WORD}){{0,8}}) [Ee]ndorsement\b")


class MissingForms:
    """What is missing of one file: numbers that it names as forms, and endorsements named by a title that none has."""

    def __init__(self, structure: Structure) -> None:
        self._numbers = [(form.number, _pattern(form.number)) for form in structure.forms if not form.uploaded]
        self._endorsements = " ".join(_endorsement_texts(structure)).casefold()

    def named_in(self, text: str) -> tuple[str, ...]:
        """The missing ones that the text names, each once."""
        found = [number for number, pattern in self._numbers if pattern.search(text)]
        if "ndorsement" in text:
            titles = (title[1] for title in _TITLED.finditer(fold(text).text))
            found += [f"{title} endorsement" for title in titles if title.casefold() not in self._endorsements]
        return tuple(dict.fromkeys(found))


def _pattern(number: str) -> re.Pattern[str]:
    parts = re.findall(r"[^\W\d_]+|\d+", number)
    return re.compile(r"\b" + r"[\s-]*".join(map(re.escape, parts)) + r"\b", re.IGNORECASE)


def _endorsement_texts(structure: Structure) -> Iterator[str]:
    for section in structure.sections:
        if section.kind is SectionKind.ENDORSEMENTS:
            yield from (fold(text).text for text in (*section.path, section.heading))
            yield from (fold(unit.passage.text).text for unit in section.units)
