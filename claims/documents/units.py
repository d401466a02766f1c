"""Blocks become units: each with its lead-ins above it and what takes it back below it (D05, D06, S38, S39)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from claims.documents.blocks import RUN_IN
from claims.documents.nodes import Placed
from claims.documents.rows import Row
from claims.documents.sections import Passage, Unit
from claims.documents.stance import takes_back
from claims.documents.verdicts import Verdict

_NARROWS = re.compile(
    r"(?:however|but|nevertheless|nonetheless|this (?:exclusion|limitation) (?:does|shall|will) not)\b", re.IGNORECASE
)


@dataclass(slots=True)
class Draft:
    """A unit that is still being put together."""

    placed: Placed
    passage: Passage
    verdict: Verdict
    exceptions: list[Passage]
    below: Placed | None = None
    """What a carve-back stands below, where numbers do not put it there."""

    def unit(self, drafts: Mapping[int, "Draft"]) -> Unit:
        above = [each for each in self.placed.ancestors() if id(each) in drafts]
        if self.below is not None and not above:
            above = [*self.below.ancestors(), self.below]
        opened = self.placed.heading.open_lead_in
        leads = ([opened] if opened is not None and id(opened) in drafts else []) + above
        label = self.placed.block.label
        return Unit(
            passage=self.passage,
            label=label.text if label is not None and not label.is_bullet else None,
            lead_ins=tuple(drafts[id(each)].passage for each in leads),
            exceptions=tuple(self.exceptions),
            effect=self.verdict.effect,
        )


def passage_of(rows: Sequence[Row], printed: Mapping[int, str | None], *, skip: int = 0) -> Passage:
    """Whole lines as a passage. `skip` leaves out so many characters of the first line: a heading run into its text."""
    texts = [row.line.text.strip() for row in rows]
    texts[0] = texts[0][skip:].lstrip()
    first = rows[0].line
    return Passage(first.number, rows[-1].line.number, first.page, printed.get(first.page), " ".join(texts))


def drafts_of(
    placed: Sequence[Placed], verdicts: Mapping[int, Verdict], printed: Mapping[int, str | None]
) -> dict[int, Draft]:
    """A draft for every block, by its identity, with the carve-backs attached to what they take back."""
    drafts = {
        id(each): Draft(each, passage_of(each.block.rows, printed, skip=_run_in(each)), verdicts[id(each)], [])
        for each in placed
    }
    previous: Placed | None = None
    backs: list[tuple[Placed, list[Placed]]] = []
    for each in placed:
        if previous is not None and previous.heading is each.heading:
            touched = _taken_back(each, previous)
            if touched:
                backs.append((each, touched))
                drafts[id(each)].below = touched[0] if each.block.label is None else None
        previous = each
    for back, touched in backs:
        passages = [drafts[id(each)].passage for each in _whole(back)]
        for each in touched:
            drafts[id(each)].exceptions += passages
    return drafts


def _run_in(placed: Placed) -> int:
    """How many characters of the first line are a heading that the text follows on the same line."""
    if not placed.block.run_in:
        return 0
    found = RUN_IN.search(placed.block.first.line.text.strip()[: placed.block.run_in + 40])
    return found.end() if found else 0


def _taken_back(placed: Placed, previous: Placed) -> list[Placed]:
    """What a block restores or narrows; nothing when it does neither."""
    words = placed.block.title
    back = takes_back(words)
    if placed.block.label is not None:
        return (
            _sibling_before(placed, previous)
            if back and (_NARROWS.match(words) or "exclusion" in words[:60].lower())
            else []
        )
    closes = words[:1].islower() and previous.parent is not None and placed.parent is not previous.parent
    if not (back or closes):
        return []
    if previous.block.label is None and previous.parent is None:
        return [previous]
    top = _list_of(placed, previous, inner=words[:1].islower() or "exclusion" in words[:60].lower())
    below = _whole(placed)
    return [each for each in _whole(top) if each not in below]


def _sibling_before(placed: Placed, previous: Placed) -> list[Placed]:
    """`b. However, ...` narrows the item before it, with what stands under that."""
    chain = [*previous.ancestors(), previous]
    before = [each for each in chain if each.parent is placed.parent and each.block.label is not None]
    return [found for each in before for found in _whole(each)]


def _list_of(placed: Placed, previous: Placed, *, inner: bool) -> Placed:
    """The lead-in of the list that a paragraph below it closes.

    The innermost for a sentence that goes on and for `this exclusion`; else the whole list below the item that the
    paragraph stands under: an exception shown once too often is better than one that is not shown.
    """
    chain = [*previous.ancestors(), previous]
    if placed.parent is not None and placed.parent in chain:
        inside = chain[chain.index(placed.parent) :]
        return inside[0] if len(inside) < 3 or not inner else inside[-2]
    if inner:
        return chain[-2] if len(chain) > 1 else chain[0]
    return chain[0]


def _whole(top: Placed) -> list[Placed]:
    """An item with everything below it."""
    found = [top]
    for child in top.children:
        found += _whole(child)
    return found
