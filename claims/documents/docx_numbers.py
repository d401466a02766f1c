"""The numbers that Word writes before paragraphs and that stand in no paragraph's text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from claims.documents.docx_styles import W, is_on, value

_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"))
_ROMAN_UNITS = ((9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_BULLET = "\u2022"
_PLAIN = frozenset({"decimal", "decimalZero", "lowerLetter", "upperLetter", "lowerRoman", "upperRoman", "none"})


@dataclass(frozen=True)
class _Level:
    start: int
    style: str
    text: str
    legal: bool
    restarts_after: int | None

    @property
    def known(self) -> bool:
        return self.style in _PLAIN or self.style == "bullet"


class Numbers:
    """`numbering.xml` and the counts so far. `unknown` counts numbers of a kind that is not read."""

    def __init__(self, root: Any | None) -> None:
        self._root = root
        self._lists: dict[str, tuple[str, dict[int, _Level]]] = {}
        self._counts: dict[str, list[int | None]] = {}
        self._begun: set[str] = set()
        self.unknown = 0

    def label(self, properties: Any | None) -> str:
        """The label of the next paragraph with this `w:numPr`; "" when it has none."""
        if properties is None or self._root is None:
            return ""
        number = value(properties.find(f"{W}numId"), "0") or "0"
        place = _int(value(properties.find(f"{W}ilvl")), 0)
        abstract, levels = self._list(number)
        level = levels.get(place)
        if number == "0" or level is None:
            return ""
        counts = self._counts.setdefault(abstract, [None] * _LEVELS)
        if number not in self._begun:
            self._begun.add(number)
            self._restart(number, counts)
        self._count(counts, place, level, levels)
        if not level.known:
            self.unknown += 1
            return ""
        return _BULLET if level.style == "bullet" else _written(level, counts, levels)

    def _list(self, number: str) -> tuple[str, dict[int, _Level]]:
        if number not in self._lists:
            self._lists[number] = self._find(number)
        return self._lists[number]

    def _find(self, number: str) -> tuple[str, dict[int, _Level]]:
        assert self._root is not None  # noqa: S101
        found = next((each for each in self._root.iterfind(f"{W}num") if each.get(f"{W}numId") == number), None)
        if found is None:
            return "", {}
        abstract = value(found.find(f"{W}abstractNumId"), "") or ""
        described = (
            each for each in self._root.iterfind(f"{W}abstractNum") if each.get(f"{W}abstractNumId") == abstract
        )
        levels = _levels(next(described, None))
        for override in found.iterfind(f"{W}lvlOverride"):
            levels.update(_levels(override))
        return abstract, levels

    def _restart(self, number: str, counts: list[int | None]) -> None:
        """A list that says where it starts does not go on from another one of the same description."""
        assert self._root is not None  # noqa: S101
        for found in self._root.iterfind(f"{W}num"):
            if found.get(f"{W}numId") != number:
                continue
            for override in found.iterfind(f"{W}lvlOverride"):
                start, place = value(override.find(f"{W}startOverride")), _int(override.get(f"{W}ilvl"), 0)
                if start is not None and 0 <= place < _LEVELS:
                    counts[place] = _int(start, 1) - 1

    @staticmethod
    def _count(counts: list[int | None], place: int, level: _Level, levels: dict[int, _Level]) -> None:
        before = counts[place]
        counts[place] = level.start if before is None else before + 1
        for deeper in range(place + 1, _LEVELS):
            after = levels[deeper].restarts_after if deeper in levels else None
            if after is None or (after > 0 and place < after):
                counts[deeper] = None


def _levels(parent: Any | None) -> dict[int, _Level]:
    if parent is None:
        return {}
    levels: dict[int, _Level] = {}
    for level in parent.iterfind(f"{W}lvl"):
        place = _int(level.get(f"{W}ilvl"), 0)
        restart = value(level.find(f"{W}lvlRestart"))
        if 0 <= place < _LEVELS:
            levels[place] = _Level(
                start=_int(value(level.find(f"{W}start")), 1),
                style=value(level.find(f"{W}numFmt"), "decimal") or "decimal",
                text=value(level.find(f"{W}lvlText"), "") or "",
                legal=bool(is_on(level.find(f"{W}isLgl"))),
                restarts_after=None if restart is None else _int(restart, 0),
            )
    return levels


def _written(level: _Level, counts: list[int | None], levels: dict[int, _Level]) -> str:
    def one(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        other = levels.get(place, level)
        count = counts[place]
        style = "decimal" if level.legal else other.style
        return written(other.start if count is None else count, style)

    return _PLACE.sub(one, level.text).strip()


def written(count: int, style: str) -> str:
    """A count in the style of a list: 3, 03, c, C, iii, III."""
    if style.endswith("Letter"):
        text = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1) if 0 < count <= 26 * 10 else str(count)
    elif style.endswith("Roman"):
        text = _roman(count)
    elif style == "none":
        text = ""
    else:
        text = f"{count:02d}" if style == "decimalZero" else str(count)
    return text.upper() if style.startswith("upper") else text


def _roman(count: int) -> str:
    if not 0 < count < 4000:
        return str(count)
    text = ""
    for size, letters in (*_ROMAN, *_ROMAN_UNITS):
        text += letters * (count // size)
        count %= size
    return text


def _int(text: str | None, default: int) -> int:
    try:
        return default if text is None else int(text)
    except ValueError:
        return default
