"""Which heading stands under which, and which list item under which (S22 to S27, S38)."""

from collections.abc import Mapping, Sequence

from claims.documents.blocks import Block
from claims.documents.form_numbers import form_numbers
from claims.documents.heading_roles import (
    changes_the_policy,
    holds_for_all,
    is_above,
    is_coverage,
    is_endorsement,
    is_set_below,
    is_term,
    leaves_column,
    only_names_coverages,
)
from claims.documents.heading_words import kind_of
from claims.documents.nodes import Heading, Placed, Series
from claims.documents.number_stack import Entry, NumberStack, numbers_ahead
from claims.documents.numbering import OUTER_WORDS, Label, word_label
from claims.documents.sections import SectionKind
from claims.documents.shapes import ends_sentence, heading_shape
from claims.documents.stance import Stance, stance_of, takes_back

_MAX_LAST_FRAGMENT = 30
_FIRST_BLOCKS = 6
_LONGEST_LIST = 40


class Outline:
    """Built in one pass over the blocks. `forms` names the form that begins at a line.

    `order` holds headings and blocks as they stand in the file, `placed` the blocks alone, `series` the numbered ones.
    """

    def __init__(self, blocks: Sequence[Block], forms: Mapping[int, str]) -> None:
        self.headings: list[Heading] = []
        self.placed: list[Placed] = []
        self.order: list[Heading | Placed] = []
        self.series: dict[int, Series] = {}
        self._forms = dict(forms)
        self._starts = sorted(forms)
        self._begun = 0
        self._blocks = blocks
        self._ahead = numbers_ahead(blocks)
        self._root = Heading(None, None)
        self._stack = NumberStack()
        self._term = ""
        self._opened: dict[int, list[Entry]] = {}
        for index, block in enumerate(blocks):
            self._place(index, block)

    def _place(self, index: int, block: Block) -> None:
        if leaves_column(block, self._blocks[index - 1] if index else None, self._stack.heading):
            self._leave_column(block)
        if self._begin_form(index) and self._is_form_title(index, block):
            self._root.block = block
            self.headings.append(self._root)
            self.order.append(self._root)
        elif block.run_in:
            self._place_heading(index, block.run_in_heading())
            self._place_paragraph(index, block)
        elif block.heading and not self._is_listed_part(block):
            self._place_heading(index, block)
        elif block.label is not None:
            self._place_item(block)
        else:
            self._place_paragraph(index, block)

    def _leave_column(self, block: Block) -> None:
        """Text below two columns belongs to neither: to the heading right above it, or to what is above both."""
        right = self._stack.heading
        for heading in reversed(self.headings):
            if heading.block is None or heading.block.first.line.page != block.first.line.page:
                break
            if right is not None and right.block is not None and is_above(heading.block, block, right.block):
                self._stack.entries[:] = self._opened[id(heading)]
                return
        self._stack.close_heading()

    def _begin_form(self, index: int) -> bool:
        """Whether a form begins with or before this block. It is an endorsement when its first lines say so."""
        line = self._blocks[index].first.line.number
        begun = False
        while self._begun < len(self._starts) and self._starts[self._begun] <= line:
            changes = self._begins_endorsement(index)
            self._root = Heading(None, None, form=self._forms[self._starts[self._begun]], container=changes)
            self._begun += 1
            self._stack.clear()
            begun = True
        return begun

    def _begins_endorsement(self, index: int) -> bool:
        """Whether the first sentence of a form says that it changes another."""
        for block in self._blocks[index : index + _FIRST_BLOCKS]:
            numbers = form_numbers(block.first.text)
            if changes_the_policy(block.text[numbers[0].end if numbers else 0 :].strip()):
                return True
            if not block.heading and ends_sentence(block.text):
                return False
        return False

    def _is_listed_part(self, block: Block) -> bool:
        """`This endorsement modifies insurance provided under the following:` lists forms, not headings (S17)."""
        top = self._stack.top
        return (
            top is not None
            and block.label is None
            and top.block.text.endswith(":")
            and changes_the_policy(top.block.text)
        )

    def _is_form_title(self, index: int, block: Block) -> bool:
        if block.first.line.number not in self._forms or len(block.rows) > 1 or block.run_in:
            return False
        return bool(form_numbers(block.text)) and not is_endorsement(block, self._following(index))

    def _following(self, index: int) -> Block | None:
        return self._blocks[index + 1] if index + 1 < len(self._blocks) else None

    @property
    def _scope(self) -> Heading:
        return self._stack.heading or self._root

    def _place_heading(self, index: int, block: Block) -> None:
        kind = kind_of(block.title)
        if kind is None and is_coverage(block):
            kind = SectionKind.INSURING_AGREEMENT
        above = self._stack.top
        shared: Placed | None = None
        label = word_label(block.text) or block.label
        definitions = self._stack.definitions()
        container = is_endorsement(block, self._following(index))
        term = definitions is not None and is_term(block, kind, self._following(index), self._term)
        if container:
            self._stack.clear()
        elif term and definitions is not None:
            self._stack.cut(definitions)
        elif label is None and kind is not None and holds_for_all(block.title):
            self._stack.cut(self._stack.floor())
        elif label is not None:
            label, shared = self._make_room(block, label)
        else:
            self._stack.close_for_looks(block, self._ahead[index])
        parent = self._scope
        heading = Heading(block, parent, None if term else kind, container=container, form=parent.form, term=term)
        heading.part = label is not None and label.is_word and label.style in OUTER_WORDS
        heading.proven = _is_proven(block, label, parent)
        if heading.proven and parent.kind is SectionKind.EXCLUSIONS and only_names_coverages(block.title):
            heading.kind = None
        heading.open_lead_in = shared or _lead_in_of(block, above, parent)
        self._term = block.title.casefold() if term else ""
        self.headings.append(heading)
        self.order.append(heading)
        self._stack.push(heading, label, block)
        if block.first.line.box is not None:
            self._opened[id(heading)] = list(self._stack.entries)

    def _make_room(self, block: Block, label: Label) -> tuple[Label, Placed | None]:
        """The reading of a heading's number that fits what stands above it, and the lead-in of its series."""
        if label.is_word and label.style in OUTER_WORDS:
            self._stack.close_for_part(label)
            return label, None
        readings = (label,) if label.is_word else block.readings
        at = self._stack.match(readings, headings_first=True)
        if at is not None:
            entry = self._stack.entries[at]
            self._join_series(block, entry.block)
            self._stack.cut(at)
            fitting = next((each for each in readings if entry.goes_on_with(each)), label)
            return fitting, entry.node.open_lead_in if isinstance(entry.node, Heading) else entry.node.parent
        if label.is_word:
            self._stack.drop_items()
            self._stack.close_for_looks(block, ())
        else:
            self._stack.close_for_number(label)
        return label, None

    def _place_item(self, block: Block) -> None:
        at = self._stack.match(block.readings, headings_first=False)
        if at is not None and self._stack.may_return_to(at, block.readings):
            entry = self._stack.entries[at]
            label = next((each for each in block.readings if entry.goes_on_with(each)), block.readings[0])
            self._join_series(block, entry.block)
            self._stack.cut(at)
        else:
            label = next((each for each in block.readings if each.opens), block.readings[0])
            self._stack.close_style(label.style)
        block.label = label
        self._stack.push(self._add(block, self._stack.top), label, block)

    def _place_paragraph(self, index: int, block: Block) -> None:
        """Under the item whose number goes on next; it closes every list further in. A lead-in opens a list."""
        top = self._stack.top
        if top is not None and _is_fragment(block, top):
            self._add(block, top)
            return
        if top is not None and self.placed and self.placed[-1] is top and _is_title(top.block):
            self._add(block, top)
            return
        back = takes_back(block.text)
        if back and top is not None and top.block.leads_in and any(each.opens for each in self._ahead[index]):
            self._add(block, top)
            return
        at = self._stack.item_that_goes_on(self._ahead[index])
        if at is None and block.leads_in:
            at = self._item_behind_list(index)
        keep = self._stack.last_heading() + 1 if at is None else at + 1
        back = back and bool(self.placed) and self.placed[-1].heading is self._scope
        entry = self._stack.entries[at] if at is not None else None
        placed = self._add(block, entry.node if entry is not None and isinstance(entry.node, Placed) else None)
        leads = block.text.endswith(":") if back else block.leads_in or self._opens_list(index, block)
        if leads or at is None:
            self._stack.cut(keep)
        if leads:
            self._stack.push(placed, None, block)

    def _item_behind_list(self, index: int) -> int | None:
        """The open item that goes on behind the list of its lead-in: `7.`, `This does not include:`, `(a)`, `8.`."""
        inner = {each.style for each in self._ahead[index] if each.opens}
        for block in self._blocks[index + 1 : index + 1 + _LONGEST_LIST]:
            if block.heading and not block.readings:
                return None
            if inner.isdisjoint(each.style for each in block.readings):
                at = self._stack.item_that_goes_on(block.readings)
                if at is not None:
                    return at
        return None

    def _opens_list(self, index: int, block: Block) -> bool:
        """A sentence that is left open right above the first item of a list leads into it without a colon."""
        following = self._following(index)
        if following is None or following.heading or ends_sentence(block.text):
            return False
        return any(each.opens for each in following.readings)

    def _add(self, block: Block, parent: Placed | None) -> Placed:
        placed = Placed(block, self._scope, parent)
        if parent is not None:
            parent.children.append(placed)
        self.placed.append(placed)
        self.order.append(placed)
        return placed

    def _join_series(self, block: Block, other: Block) -> None:
        series = self.series.setdefault(id(other), Series([other]))
        series.blocks.append(block)
        self.series[id(block)] = series


def _is_proven(block: Block, label: Label | None, parent: Heading) -> bool:
    """Whether numbers or Markdown levels put a heading under its parent."""
    if parent.block is None:
        return False
    if is_set_below(block, parent.block):
        return True
    marks, above = block.first.marks, parent.block.first.marks
    if marks and above and marks > above:
        return True
    return label is not None and (not label.is_word or label.style == "coverage")


def _lead_in_of(block: Block, above: Placed | None, parent: Heading) -> Placed | None:
    """The text above a heading that leads into it: it ends with a colon, or its number stands over the heading's."""
    if above is None or (above.heading is not parent and not parent.in_endorsement):
        return None
    if parent.block is None and not parent.container:
        return None
    numbered = above.block.label is not None and block.label is not None and block.label.opens
    return above if above.block.text.endswith(":") or numbered else None


def _is_fragment(block: Block, top: Placed) -> bool:
    """An item without a number below a lead-in: it begins small, or ends without a sentence's end."""
    if not top.block.text.endswith((":", " -")) or takes_back(block.text):
        return False
    if any(child.block.label is not None for child in top.children):
        return False
    text = block.text
    return text[:1].islower() or not ends_sentence(text) or text.endswith(";") or _closes_fragments(top, text)


def _is_title(block: Block) -> bool:
    """`2.2 Natural disaster`: a numbered item that is only a title; what follows is its text."""
    return block.label is not None and not block.label.is_bullet and heading_shape(block.title)


def _closes_fragments(top: Placed, text: str) -> bool:
    if not top.children or len(text.split()) > _MAX_LAST_FRAGMENT:
        return False
    last = top.children[-1].block.text
    return last.endswith((" or", " and", ",")) or (last.endswith(";") and stance_of(text) is Stance.NONE)
