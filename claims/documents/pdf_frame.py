"""From the space of a PDF page (y upwards, as drawn) to the page as it is read (y downwards, upright)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from claims.documents.pages import Box

if TYPE_CHECKING:
    from claims.documents.pdf_words import Word


@dataclass(frozen=True)
class Frame:
    """What can be seen of a page, in its own space, and by how many quarter turns clockwise it is shown."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int

    @property
    def height(self) -> float:
        return self.right - self.left if self.turns % 2 else self.top - self.bottom

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        return self.left, self.bottom, self.right, self.top

    def turned(self, degrees: int) -> Frame:
        """Shown so that text that runs in this direction (of the space of the page) stands upright."""
        return Frame(self.left, self.bottom, self.right, self.top, round(degrees / 90) % 4)

    def holds(self, word: Word) -> bool:
        x, y = (word.left + word.right) / 2, (word.bottom + word.top) / 2
        return self.left <= x <= self.right and self.bottom <= y <= self.top

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        return Box(*self.edges(left, bottom, right, top))

    def edges(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        """Left, top, right, bottom as the page is read."""
        x0, x1 = left - self.left, right - self.left
        y0, y1 = bottom - self.bottom, top - self.bottom
        wide, high = self.right - self.left, self.top - self.bottom
        if self.turns == 0:
            return (x0, high - y1, x1, high - y0)
        if self.turns == 1:
            return (y0, x0, y1, x1)
        if self.turns == 2:
            return (wide - x1, y0, wide - x0, y1)
        return (high - y1, wide - x1, high - y0, wide - x0)
