"""Lines put together to paragraphs, list items and headings, with and without empty lines between them (S36, S37)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from claims.documents.blocks import RUN_IN, Block
from claims.documents.heading_lines import MAX_HEADING_LINES, is_heading, is_long_heading, is_title_line
from claims.documents.heading_words import is_strict
from claims.documents.numbering import Label, labels, word_label
from claims.documents.page_habits import Habits, habits_of, is_full
from claims.documents.rows import Row
from claims.documents.shapes import ends_item, ends_sentence, joins
from claims.documents.stance import takes_back

_REFERENCE = re.compile(
    r"\b(?:paragraphs?|sections?|items?|clauses?|exclusions?|conditions?|parts?|coverages?|articles?|no|"
    r"numbers?|pages?|"
    r"sub-?sections?|paras?|schedule|endorsements?|of|under|see|and|to)\.?$",
    re.IGNORECASE,
)
_AND = re.compile(r"(?:^|\W)(?:and|to)$", re.IGNORECASE)
_MAX_NUMBER = 199
_INDENT = 4.0
_AHEAD = 10
_SAME_SIZE = 0.5


@dataclass(slots=True)
class _State:
    series: dict[str, Label] = field(default_factory=dict)
    bare: frozenset[int] = frozenset()


def blocks_of(rows: Sequence[Row]) -> list[Block]:
    """Blocks in the order of the rows; every row is in exactly one."""
    habits = habits_of(rows)
    state = _State(bare=_bare_numbers(rows))
    blocks: list[Block] = []
    for index, row in enumerate(rows):
        previous = blocks[-1] if blocks else None
        found = _accepted(rows, index, previous, state, habits)
        if previous is not None and not found and _continues(rows, index, previous, habits):
            if len(previous.rows) == 1 or row.broken:
                previous.edge = row.left
            previous.rows.append(row)
            continue
        block = Block([row], found[0] if found else None, found, edge=row.left)
        blocks.append(block)
        block.heading = is_heading(rows, index, block, previous, habits)
        _remember(block, state)
    for block in blocks:
        block.text = " ".join(row.text for row in block.rows)
    for block, following in zip_longest(blocks, blocks[1:]):
        block.heading = block.heading or is_long_heading(block, following)
        if not block.heading:
            run_in = RUN_IN.match(block.text, block.label.end if block.label else 0)
            block.run_in = run_in.end() if run_in else 0
    return _joined_headings(blocks)


def _bare_numbers(rows: Sequence[Row]) -> frozenset[int]:
    """Rows that begin with a bare number (`1 Theft`), in a chain of at least three from 1 on."""
    chains: set[int] = set()
    chain: list[int] = []
    for index, row in enumerate(rows):
        found = labels(row.text)
        if not found or found[0].style != "1":
            continue
        if found[0].value == len(chain) + 1:
            chain.append(index)
        else:
            chain = [index] if found[0].value == 1 else []
        if len(chain) >= 3:
            chains.update(chain)
    return frozenset(chains)


def _accepted(
    rows: Sequence[Row], index: int, previous: Block | None, state: _State, habits: Habits
) -> tuple[Label, ...]:
    """The readings of a number at the beginning of a row, none when it belongs to a sentence that goes on."""
    row = rows[index]
    found = labels(row.text)
    if not found:
        return ()
    if found[0].style == "1" and index not in state.bare:
        return ()
    found = tuple(label for label in found if label.value <= _MAX_NUMBER)
    if previous is None or previous.heading or (found and found[0].is_bullet):
        return found
    if _is_chained(rows, index, found):
        return found
    last = previous.rows[-1].text
    if _REFERENCE.search(last[-20:]) and not ends_sentence(last) and not row.blank:
        # A line that was not full ended there: "the defective part", then the next item.
        is_over = _AND.search(last) or not is_full(rows, index, habits)
        return found if _follows_any(found, state) and is_over else ()
    if _follows_any(found, state):
        return found
    closed = ends_item(last) or (row.blank and not habits.double_spaced) or not is_full(rows, index, habits)
    dotted = found[:1] and found[0].style.startswith("1.") and found[0].parents
    if dotted and not ends_item(last) and not row.text[found[0].end : found[0].end + 1].isupper():
        return ()
    return found if closed else ()


def _is_chained(rows: Sequence[Row], index: int, found: tuple[Label, ...]) -> bool:
    """Whether a first number has its second a few lines on: a list, though its lead-in ends without a colon."""
    opening = [label for label in found if label.opens]
    if not opening:
        return False
    ahead = (label for row in rows[index + 1 : index + 1 + _AHEAD] for label in labels(row.text))
    return any(label.follows(first) for label in ahead for first in opening)


def _follows_any(found: tuple[Label, ...], state: _State) -> bool:
    return any(label.style in state.series and label.follows(state.series[label.style]) for label in found)


def _remember(block: Block, state: _State) -> None:
    if block.heading and not block.readings:
        state.series.clear()
    for label in block.readings:
        state.series[label.style] = label


def _continues(rows: Sequence[Row], index: int, previous: Block, habits: Habits) -> bool:
    """Whether a row without a number goes on with the sentence or paragraph before it."""
    before, row = rows[index - 1], rows[index]
    if previous.heading:
        return _heading_goes_on(rows, index, previous, habits)
    if row.marks or row.emphasis or (before.strong != row.strong and not row.text[:1].islower()):
        return False
    if previous.label is not None and len(previous.rows) == 1 and len(before.text) <= previous.label.end:
        return True
    if before.last == "-" and row.text[:1].islower() and not (row.blank and not habits.double_spaced):
        return True
    if _set_apart(row, before, previous):
        return False
    if ends_sentence(before.text):
        return _paragraph_goes_on(rows, index, habits)
    return _sentence_goes_on(rows, index, habits)


def _paragraph_goes_on(rows: Sequence[Row], index: int, habits: Habits) -> bool:
    """After a line that ends a sentence."""
    before, row = rows[index - 1], rows[index]
    lower = row.text[:1].islower()
    if (row.blank and not habits.double_spaced) or before.last == ":" or (row.broken and not lower):
        return False
    if not lower and is_title_line(rows, index, habits):
        return False
    if habits.spaced and not row.broken:
        return True
    if takes_back(row.text):
        return False
    return is_full(rows, index, habits) or (lower and before.last == ".")


def _sentence_goes_on(rows: Sequence[Row], index: int, habits: Habits) -> bool:
    """After a line that ends no sentence."""
    before, row = rows[index - 1], rows[index]
    lower = row.text[:1].islower()
    full = is_full(rows, index, habits, open_sentence=True)
    if is_strict(row.text) and not lower:
        return False
    if ends_item(before.text) and not full and not lower:
        return False
    if row.blank and not habits.double_spaced and not row.broken:
        return lower and habits.wrapped and full
    if lower:
        return not (takes_back(row.text) and ends_item(before.text) and not full)
    return full or (not habits.wrapped and before.last in ",-(")


def _set_apart(row: Row, before: Row, previous: Block) -> bool:
    """Geometry: a line further out than the paragraph it would continue, or further in than its second line."""
    if row.line.box is None or before.line.box is None or row.broken:
        return False
    if row.left < previous.edge - _INDENT:
        return True
    if len(previous.rows) > 1:
        return row.left > previous.edge + _INDENT
    return previous.label is None and row.left > previous.edge + _INDENT and ends_sentence(before.text)


def _heading_goes_on(rows: Sequence[Row], index: int, previous: Block, habits: Habits) -> bool:
    """A heading that stands out by its size or weight goes on over lines that do so too (S5)."""
    before, row = rows[index - 1], rows[index]
    if not (before.strong and row.strong) or row.blank or row.broken or len(previous.rows) >= MAX_HEADING_LINES:
        return False
    if before.line.size and row.line.size and abs(before.line.size - row.line.size) > _SAME_SIZE:
        return False
    return row.text[:1].islower() or (is_full(rows, index, habits) and not ends_sentence(before.text))


def _joined_headings(blocks: list[Block]) -> list[Block]:
    joined: list[Block] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if last is not None and _is_one_heading(last, block):
            last.rows += block.rows
            last.text = f"{last.text} {block.text}"
            continue
        joined.append(block)
    return joined


def _is_one_heading(last: Block, block: Block) -> bool:
    if not (last.heading and block.heading) or block.label is not None or len(last.rows) > 2:
        return False
    one, other = last.rows[-1], block.first
    if one.marks or other.marks or other.broken or other.blank or one.strong != other.strong:
        return False
    if one.line.size and other.line.size and abs(one.line.size - other.line.size) > _SAME_SIZE:
        return False
    if word_label(block.text) is not None:
        return False
    number = word_label(last.text)
    return number.end >= len(last.text) if number is not None and last.text.isupper() else joins(last.text, block.text)
