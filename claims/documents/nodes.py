"""Headings and blocks with their place in the outline."""

from __future__ import annotations

from dataclasses import dataclass, field

from claims.documents.blocks import Block
from claims.documents.sections import SectionKind


@dataclass(slots=True, eq=False)
class Heading:
    """`proven` says that numbers or Markdown levels put it under its parent; else only its looks do.

    `open_lead_in` is the text of the parent that ended with a colon right above it. `container` marks an endorsement,
    which ends with the next form and not with the next heading (D20, S25).
    """

    block: Block | None
    parent: Heading | None
    kind: SectionKind | None = None
    proven: bool = False
    container: bool = False
    form: str | None = None
    open_lead_in: Placed | None = None
    term: bool = False
    part: bool = False
    """`Part F`, `Section II`: it ends with the next part and with nothing else."""

    @property
    def title(self) -> str:
        return self.block.text if self.block else ""

    @property
    def endorsement(self) -> Heading | None:
        """The outermost endorsement that it stands in or is, None outside."""
        found: Heading | None = None
        node: Heading | None = self
        while node is not None:
            if node.container or node.kind is SectionKind.ENDORSEMENTS:
                found = node
            node = node.parent
        return found

    @property
    def in_endorsement(self) -> bool:
        return self.endorsement is not None

    def lineage(self) -> tuple[Heading, ...]:
        """From the outermost heading down to this one."""
        found: list[Heading] = []
        node: Heading | None = self
        while node is not None and node.block is not None:
            found.append(node)
            node = node.parent
        return tuple(reversed(found))


@dataclass(slots=True, eq=False)
class Placed:
    """A block with its heading, the item or lead-in that it stands under, and the items of its own list."""

    block: Block
    heading: Heading
    parent: Placed | None = None
    children: list[Placed] = field(default_factory=list)

    def ancestors(self) -> tuple[Placed, ...]:
        found, node = [], self.parent
        while node is not None:
            found.append(node)
            node = node.parent
        return tuple(reversed(found))


@dataclass(slots=True, eq=False)
class Series:
    """Blocks that are numbered one after the other."""

    blocks: list[Block] = field(default_factory=list)
