"""Which numbered titles are headings after all: the rest of their series says so."""

from collections.abc import Sequence

from claims.documents.blocks import Block
from claims.documents.outline import Outline
from claims.documents.shapes import heading_shape


def settle_headings(outline: Outline) -> bool:
    """Numbered titles are headings when most of their series are; `6. Building` among definitions leads into a list.

    A numbered title with nothing below it is an item. True when a block changed: the outline is to be built anew.
    """
    changed = False
    for series in {id(each): each for each in outline.series.values()}.values():
        titled = sum(block.heading for block in series.blocks)
        if titled * 2 > len(series.blocks):
            changed |= _promote(series.blocks)
        else:
            changed |= _demote(series.blocks)
    used = {id(each.heading) for each in outline.placed} | {id(node.parent) for node in outline.headings if node.parent}
    empty = [node.block for node in outline.headings if id(node) not in used and node.block is not None]
    return _demote([block for block in empty if block.label is not None]) or changed


def _demote(blocks: Sequence[Block]) -> bool:
    changed = False
    for block in blocks:
        if block.heading and not (block.first.marks or block.first.strong or block.title.isupper()):
            block.heading, block.settled, changed = False, True, True
    return changed


def _promote(blocks: Sequence[Block]) -> bool:
    """A title among titles."""
    promoted = False
    for block in blocks:
        if not (block.heading or block.settled) and heading_shape(block.title):
            block.heading = promoted = True
    return promoted
