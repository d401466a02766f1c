"""The open headings, items and lead-ins at a place of the file, outermost first (A. > 1. > a. > (1))."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claims.documents.blocks import Block
from claims.documents.heading_roles import looks_of, outranks
from claims.documents.heading_words import kind_of
from claims.documents.nodes import Heading, Placed
from claims.documents.numbering import OUTER_WORDS, Label
from claims.documents.sections import SectionKind

_GAP = 4
"""A deleted number or two does not end a series."""


@dataclass(slots=True)
class Entry:
    node: Heading | Placed
    label: Label | None
    block: Block

    @property
    def is_heading(self) -> bool:
        return isinstance(self.node, Heading)

    @property
    def style(self) -> str:
        return self.label.style if self.label else ""

    def goes_on_with(self, label: Label, *, gap: int = _GAP) -> bool:
        return self.label is not None and label.follows(self.label, gap=gap)


class NumberStack:
    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def clear(self) -> None:
        self.entries.clear()

    def push(self, node: Heading | Placed, label: Label | None, block: Block) -> None:
        self.entries.append(Entry(node, label, block))

    def cut(self, size: int) -> None:
        del self.entries[size:]

    @property
    def top(self) -> Placed | None:
        """The innermost item or lead-in, None right below a heading."""
        node = self.entries[-1].node if self.entries else None
        return node if isinstance(node, Placed) else None

    @property
    def heading(self) -> Heading | None:
        for entry in reversed(self.entries):
            if isinstance(entry.node, Heading):
                return entry.node
        return None

    def last_heading(self) -> int:
        for index in range(len(self.entries) - 1, -1, -1):
            if self.entries[index].is_heading:
                return index
        return -1

    def floor(self) -> int:
        """Nothing below it is ever closed by a heading: an endorsement ends with the next form (D20)."""
        for index in range(len(self.entries) - 1, -1, -1):
            node = self.entries[index].node
            if isinstance(node, Heading) and node.container:
                return index + 1
        return 0

    def definitions(self) -> int | None:
        """The size of the stack up to an open definitions heading, None when another kind or none is open."""
        for index in range(len(self.entries) - 1, -1, -1):
            node = self.entries[index].node
            if isinstance(node, Heading) and node.kind is not None:
                return index + 1 if node.kind is SectionKind.DEFINITIONS else None
        return None

    def match(self, readings: Sequence[Label], *, headings_first: bool) -> int | None:
        """Where a series goes on with one of the readings: the next number before a later one, innermost first."""
        floor = self.floor()
        for gap in (1, _GAP):
            for wanted in (headings_first, not headings_first):
                for index in range(len(self.entries) - 1, floor - 1, -1):
                    entry = self.entries[index]
                    if entry.is_heading is wanted and any(entry.goes_on_with(each, gap=gap) for each in readings):
                        return index
        return None

    def item_that_goes_on(self, readings: Sequence[Label]) -> int | None:
        """The innermost open item below the last heading whose series one of the readings continues."""
        for index in range(len(self.entries) - 1, self.last_heading(), -1):
            entry = self.entries[index]
            if entry.label is None or entry.label.is_bullet:
                continue
            if any(entry.goes_on_with(each, gap=2) for each in readings):
                return index
        return None

    def may_return_to(self, at: int, readings: Sequence[Label]) -> bool:
        """A number may go on past a heading that has no number and no kind (an example between two paragraphs).

        The very next number of an item goes on past numbered headings too: `B.` behind `A.` with its `1.` and `2.`
        """
        entry = self.entries[at]
        exact = not entry.is_heading and any(entry.goes_on_with(each, gap=1) for each in readings)
        return all(
            (each.label is not None and exact) or (each.node.kind is None and each.label is None)
            for each in self.entries[at + 1 :]
            if isinstance(each.node, Heading)
        )

    def close_style(self, style: str) -> None:
        """A series that begins again below the same heading closes the one before it."""
        for index in range(len(self.entries) - 1, self.last_heading(), -1):
            if self.entries[index].style == style:
                self.cut(index)
                return

    def close_heading(self) -> None:
        """The innermost heading ends with all that stands under it."""
        self.cut(max(self.floor(), self.last_heading()))

    def drop_items(self) -> None:
        self.cut(max(self.floor(), self.last_heading() + 1))

    def close_for_number(self, label: Label) -> None:
        """Room for a numbered heading that goes on with no series."""
        floor = self.floor()
        if label.opens:
            same = [index for index in range(floor, len(self.entries)) if self.entries[index].style == label.style]
            if same:
                self.cut(same[0])
            while self.top is not None and self.entries[-1].label is None:
                self.entries.pop()
            return
        if label.style == "I.":
            self.cut(floor)

    def close_for_part(self, label: Label) -> None:
        """Room for `Part B` or `Section II`: beside the last of its word, else outermost."""
        floor = self.floor()
        for index in range(floor, len(self.entries)):
            if self.entries[index].style == label.style:
                self.cut(index)
                return
        outer = [index for index in range(floor, len(self.entries)) if self.entries[index].style in OUTER_WORDS]
        self.cut(outer[-1] + 1 if outer and label.opens else floor)

    def close_for_looks(self, block: Block, following: Sequence[Label]) -> None:
        """Room for a heading without a number: beside the last of its looks, else above all that it outranks.

        It stays inside a list whose numbers go on after it (`following`).
        """
        floor = self.floor()
        looks = looks_of(block)
        open_until = self._numbers_go_on(following)
        for index in range(len(self.entries) - 1, max(floor, open_until) - 1, -1):
            entry = self.entries[index]
            if entry.is_heading and entry.label is None and looks_of(entry.block) == looks:
                self.cut(index)
                return
        for index in range(max(floor, open_until), len(self.entries)):
            entry = self.entries[index]
            if entry.is_heading and outranks(looks, looks_of(entry.block)):
                self.cut(index)
                return

    def _numbers_go_on(self, following: Sequence[Label]) -> int:
        ahead = [each for each in following if not each.opens]
        for index in range(len(self.entries) - 1, -1, -1):
            entry = self.entries[index]
            if not entry.is_heading and any(entry.goes_on_with(each, gap=1) for each in ahead):
                return index + 1
        return 0


def numbers_ahead(blocks: Sequence[Block]) -> list[tuple[Label, ...]]:
    """For each block the number of the next numbered block before the next heading without one.

    A number that opens no series may stand behind a heading that names no kind: it goes on past it.
    """
    found: list[tuple[Label, ...]] = [()] * len(blocks)
    ahead: tuple[Label, ...] = ()
    for index in range(len(blocks) - 1, -1, -1):
        found[index] = ahead
        block = blocks[index]
        if block.readings:
            ahead = block.readings
        elif block.heading and (kind_of(block.title) is not None or any(each.opens for each in ahead)):
            ahead = ()
    return found
