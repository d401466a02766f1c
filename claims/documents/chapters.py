"""Plain titles below an exclusions heading that has no text of its own are what it names."""

import re
from collections.abc import Iterator, Sequence

from claims.documents.heading_roles import looks_of
from claims.documents.heading_words import extends
from claims.documents.nodes import Heading, Placed
from claims.documents.sections import SectionKind
from claims.documents.stance import Stance, stance_of

_FEWEST = 2
_ACTS = re.compile(r"(?:we|you|please|call|contact|write|visit|the (?:\w+ )?costs?)\b", re.IGNORECASE)
_GIVES = re.compile(r"\b(?:up to|maximum|limit|reasonable|necessary|benefits?|allowance)\b|[$£€]", re.IGNORECASE)


def settle_chapters(order: Sequence[Heading | Placed]) -> None:
    """`Things we don't cover` right above `Ride sharing`, `Wear and tear`: they stand below it, and that is proven.

    Looks alone are no reason to inherit (M83), but a heading with nothing below it heads the headings that follow. It
    ends with the first that names a kind, adds something, heads others itself, or whose text is no mere exclusion.
    """
    for place, node in enumerate(order):
        if not (isinstance(node, Heading) and node.kind is SectionKind.EXCLUSIONS) or node.in_endorsement:
            continue
        before = order[place - 1] if place else None
        if isinstance(before, Heading) and before.kind is SectionKind.INSURING_AGREEMENT:
            continue
        members = list(_members(node, order, _below(node, order, place)))
        if len(members) >= _FEWEST:
            for member in members:
                member.parent, member.proven = node, True


def _below(node: Heading, order: Sequence[Heading | Placed], place: int) -> int:
    """Where the first heading below is to stand: behind a sentence that leads into what follows, if there is one."""
    following = order[place + 1] if place + 1 < len(order) else None
    leads = isinstance(following, Placed) and following.heading is node and following.block.leads_in
    return place + 2 if leads else place + 1


def _members(node: Heading, order: Sequence[Heading | Placed], place: int) -> Iterator[Heading]:
    looks = None
    while place < len(order):
        heading = order[place]
        if not isinstance(heading, Heading) or heading.block is None or not _is_plain(heading):
            return
        looks = looks or looks_of(heading.block)
        blocks: list[Placed] = []
        for each in order[place + 1 :]:
            if not isinstance(each, Placed):
                break
            blocks.append(each)
        if looks_of(heading.block) != looks or not blocks or not all(_may_exclude(each) for each in blocks):
            return
        if heading.parent not in (node, node.parent):
            return
        yield heading
        place += 1 + len(blocks)


def _is_plain(heading: Heading) -> bool:
    named = heading.kind is not None or heading.term or heading.container or heading.part
    labelled = heading.block is not None and heading.block.label is not None
    return not (named or labelled or extends(heading.title))


def _may_exclude(placed: Placed) -> bool:
    if placed.parent is not None:
        return True
    words = placed.block.title
    stance = stance_of(words)
    return stance is Stance.EXCLUDE or (stance is Stance.NONE and not (_ACTS.match(words) or _GIVES.search(words)))
