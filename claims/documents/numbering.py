"""Numbers, letters and bullets at the beginning of a line, and which of them follows which."""

import re
from dataclasses import dataclass

BULLETS = "•●▪■◦‣∙·▸►➢➤❖✓✔✗✘×*-o§\u25a1\u25cb\uf0b7\uf0a7\uf0d8"
YES, NO = "✓✔", "✗✘×"
"""Marks of a list of what is and what is not covered: one list, whichever mark an item has."""

SECTION_WORDS = "section|part|article|chapter|division|module|coverage|cover|schedule|clause|appendix|item|option"
OUTER_WORDS = frozenset({"section", "part", "article", "chapter", "division", "module", "appendix"})

_MARKED = re.compile(r"([(\[]?)(\d{1,3}|[A-Za-z]|[ivxlc]{2,7}|[IVXLC]{2,7})(\.\)|[.)\]])(?=\s|$)")
_DOTTED = re.compile(r"(\d{1,3}(?:\.\d{1,3}){1,4})\.?(?=\s|$)")
_DASHED = re.compile(r"([A-Z]\d{1,2})-(\d{1,3}(?:\.\d{1,3}){0,3})(?= [A-Z])")
_BARE = re.compile(r"(\d{1,2})(?= [A-Z])")
_BULLET = re.compile(rf"([{re.escape(BULLETS)}])(?= \S|$)")
_WORD = re.compile(
    rf"(?:policy )?({SECTION_WORDS}) (\d{{1,3}}|[IVXLC]{{1,7}}|[A-Z])(?= ?[-:.,)]| [A-Z(]|$)", re.IGNORECASE
)
_PUNCTUATION = re.compile(r"[\s\-:.,)]*")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_ROMAN_FORM = re.compile(r"c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")


@dataclass(frozen=True, slots=True)
class Label:
    """`style` is the shape of the number ("1.", "(a)", "I.", "section", "bullet:-"), `value` its place in the series.

    `text` is the number alone ("7", "a"); the words begin at `end`.
    """

    style: str
    value: int
    text: str
    end: int
    parents: tuple[int, ...] = ()

    @property
    def is_bullet(self) -> bool:
        return self.style.startswith("bullet")

    @property
    def is_word(self) -> bool:
        return self.style.isalpha()

    @property
    def opens(self) -> bool:
        """The first of a series."""
        return self.value == 1 or self.is_bullet

    def follows(self, other: "Label", *, gap: int = 1) -> bool:
        if self.style != other.style or self.parents != other.parents:
            return False
        return self.is_bullet or 0 < self.value - other.value <= gap


def roman(text: str) -> int | None:
    """The value of a Roman number, None when the letters are none."""
    letters = text.lower()
    if not letters or not _ROMAN_FORM.fullmatch(letters):
        return None
    total = 0
    for index, letter in enumerate(letters):
        value = _ROMAN[letter]
        following = _ROMAN.get(letters[index + 1 : index + 2], 0)
        total += -value if value < following else value
    return total


def labels(text: str) -> tuple[Label, ...]:
    """Every reading of what a folded line begins with, the likeliest first: `i.` may be a letter or a Roman number."""
    marked = _MARKED.match(text)
    if marked and (not marked[1] or marked[3] != "."):
        return _readings(marked)
    dotted = _DOTTED.match(text)
    if dotted:
        numbers = tuple(int(part) for part in dotted[1].split("."))
        return (Label(f"1.{len(numbers)}", numbers[-1], dotted[1], _after(text, dotted.end()), numbers[:-1]),)
    dashed = _DASHED.match(text)
    if dashed:
        numbers = tuple(int(part) for part in dashed[2].split("."))
        style = f"{dashed[1]}-{len(numbers)}"
        return (Label(style, numbers[-1], dashed[0], _after(text, dashed.end()), numbers[:-1]),)
    bullet = _BULLET.match(text)
    if bullet:
        mark = "mark" if bullet[1] in YES + NO else bullet[1]
        return (Label(f"bullet:{mark}", 1, bullet[1], _after(text, bullet.end())),)
    bare = _BARE.match(text)
    if bare:
        return (Label("1", int(bare[1]), bare[1], _after(text, bare.end())),)
    return ()


def word_label(text: str) -> Label | None:
    """`Section II - ...`, `PART 3: ...`: a heading's number, never an item's."""
    found = _WORD.match(text)
    if not found:
        return None
    number = found[2]
    value = int(number) if number.isdigit() else roman(number) if len(number) > 1 or number in "IVX" else None
    if value is None:
        value = ord(number[0].upper()) - 64
    return Label(found[1].lower(), value, number, _PUNCTUATION.match(text, found.end()).end())  # type: ignore[union-attr]


def _after(text: str, end: int) -> int:
    return end + 1 if text[end : end + 1] == " " else end


def _readings(marked: "re.Match[str]") -> tuple[Label, ...]:
    opening, core, closing = marked.groups()
    end = _after(marked.string, marked.end())
    shape = f"{opening}%s{closing}"
    if core.isdigit():
        return (Label(shape % "1", int(core), core, end),)
    letter = (
        Label(shape % ("a" if core.islower() else "A"), ord(core.lower()) - 96, core, end) if len(core) == 1 else None
    )
    number = roman(core)
    numeral = Label(shape % ("i" if core.islower() else "I"), number, core, end) if number else None
    found = (numeral, letter) if core in "iI" else (letter, numeral)
    return tuple(each for each in found if each is not None)
