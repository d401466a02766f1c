"""Which lines are headings: their shape, and the lines around them (S1 to S3, S9, S15, S16)."""

import re
from collections.abc import Sequence

from claims.documents.blocks import Block
from claims.documents.heading_words import is_strict, kind_of
from claims.documents.numbering import Label, labels, word_label
from claims.documents.page_habits import Habits, is_full
from claims.documents.rows import Row, fold
from claims.documents.shapes import ends_item, ends_nothing, ends_sentence, heading_shape, is_capitals

MAX_HEADING_LINES = 3
_CAPITAL_PARAGRAPH = 4
_TITLED = 0.8
_MAX_LONE_WORDS = 8
_SAME_SIZE = 0.5
_GAP = re.compile(r"\S(?: {3,}|\t)\S")
_NUMBER_WIDTH = 5
_BARE_STANCE = re.compile(
    r"(?:we(?: will|'ll| do)?|you(?:'re| are))(?:(?: |(?=n't))(?:not|n't)| won't| don't)? "
    r"(?:cover(?:ed)?|insured?|pay)(?: for)?",
    re.IGNORECASE,
)
"""`We will not cover` on a line of its own, with its text below it: a list would be led in by it."""


def is_heading(rows: Sequence[Row], index: int, block: Block, previous: Block | None, habits: Habits) -> bool:
    """Whether the block that begins at `index` is a heading, by its shape and by what stands around it."""
    row = rows[index]
    title = row.text[block.label.end :] if block.label else row.text
    following = rows[index + 1] if index + 1 < len(rows) else None
    if row.marks or (row.emphasis and heading_shape(title.rstrip(":"), strong=True)):
        return True
    if (block.label is not None and block.label.is_bullet) or _is_table_row(row):
        return False
    if _BARE_STANCE.fullmatch(title) and following is not None and following.text[:1].isupper():
        return not labels(following.text)
    if _stands_between_gaps(row, following, title, habits):
        return True
    if not heading_shape(title, strong=row.strong):
        return False
    if _sentence_goes_on(row, following) and not _is_named_above_terms(rows, index, title, block.label, habits):
        return False
    if not (row.strong or title.isupper() or is_strict(title)) and _is_wrapped(rows, index, following, habits):
        return False
    return row.strong or _fits(rows, index, block, previous, habits)


def _fits(rows: Sequence[Row], index: int, block: Block, previous: Block | None, habits: Habits) -> bool:
    """Whether a line of a heading's shape stands where headings stand."""
    row, title = rows[index], rows[index].text[block.label.end :] if block.label else rows[index].text
    following = rows[index + 1] if index + 1 < len(rows) else None
    if title.isupper():
        return _capital_heading(rows, index, previous, habits)
    if block.label is not None:
        return _numbered_heading(block.label, previous, following)
    if kind_of(title) is not None or word_label(title) is not None:
        return previous is None or is_strict(title) or row.blank or _is_closed(rows, index, habits)
    return _stands_alone(rows, index, previous, following, habits)


def is_long_heading(block: Block, following: Block | None) -> bool:
    """A title in small letters over two or three lines: it ends no sentence and most of its words are capitalised."""
    if not 1 < len(block.rows) <= MAX_HEADING_LINES or following is None or (block.label and block.label.is_bullet):
        return False
    title = block.title
    if not heading_shape(title, strong=True) or title.endswith(":"):
        return False
    words = [word for word in title.split() if len(word) > 3 and word[0].isalpha()]
    capitals = sum(word[0].isupper() for word in words)
    return capitals >= _TITLED * len(words) and (following.first.blank or following.label is not None)


def is_title_line(rows: Sequence[Row], index: int, habits: Habits) -> bool:
    """A short line of a heading's shape that another sentence follows: a paragraph has none in its middle."""
    row = rows[index]
    following = rows[index + 1] if index + 1 < len(rows) else None
    if following is None or following.text[:1].islower() or not heading_shape(row.text):
        return False
    return not _is_wrapped(rows, index, following, habits)


def _is_wrapped(rows: Sequence[Row], index: int, following: Row | None, habits: Habits) -> bool:
    """Whether a line is as long as it is because the next word had no room: then it is no heading."""
    if following is None or following.blank or following.marks or labels(following.text):
        return False
    return is_full(rows, index + 1, habits)


def _stands_between_gaps(row: Row, following: Row | None, title: str, habits: Habits) -> bool:
    """`If your car is damaged` between two gaps: a few words that end no sentence."""
    if following is None or not (row.blank and following.blank) or habits.double_spaced or labels(row.text):
        return False
    return ends_nothing(title) and len(title.split()) <= _MAX_LONE_WORDS and following.text[:1].isupper()


def _sentence_goes_on(row: Row, following: Row | None) -> bool:
    if following is None or following.blank or following.marks:
        return False
    if row.strong and (following.strong or _is_larger(row, following)):
        return False
    return following.text[:1].islower() and not labels(following.text)


def _is_named_above_terms(rows: Sequence[Row], index: int, title: str, label: Label | None, habits: Habits) -> bool:
    """`10 What the words mean`, and room for the next word on its line: what begins small below it is another line."""
    return label is not None and kind_of(title) is not None and not is_full(rows, index + 1, habits)


def _is_table_row(row: Row) -> bool:
    """Words with wide gaps between them are cells; the gap behind a number is none, nor are spaced letters."""
    raw = row.line.text.strip()
    number = word_label(row.text)
    gap = _GAP.search(raw, min(len(raw), number.end if number is not None else _NUMBER_WIDTH))
    return gap is not None and fold(raw) == row.text


def _is_larger(row: Row, following: Row) -> bool:
    return bool(row.line.size and following.line.size and row.line.size - following.line.size > _SAME_SIZE)


def _capital_heading(rows: Sequence[Row], index: int, previous: Block | None, habits: Habits) -> bool:
    """Capitals inside a sentence, or a whole paragraph in capitals, are no heading (S15, S21)."""
    row = rows[index]
    inside = previous is not None and not previous.heading and not row.blank and not is_strict(row.text)
    if inside and not ends_item(rows[index - 1].text) and is_full(rows, index, habits):
        return False
    run = 1
    for ahead in rows[index + 1 : index + 1 + _CAPITAL_PARAGRAPH]:
        if not is_capitals(ahead.text) or ahead.blank or labels(ahead.text) or kind_of(ahead.text):
            break
        run += 1
        if ahead.last in ".;":
            return False
    return run < _CAPITAL_PARAGRAPH


def _numbered_heading(label: Label, previous: Block | None, following: Row | None) -> bool:
    """A number and a title, with something other than the next number below it. Its series has the last word."""
    if following is None:
        return False
    if previous is not None and not previous.heading and label.opens and previous.rows[-1].last == ":":
        return False
    return not any(after.follows(label) for after in labels(following.text)) or following.marks > 0


def _is_closed(rows: Sequence[Row], index: int, habits: Habits) -> bool:
    return ends_item(rows[index - 1].text) or not is_full(rows, index, habits)


def _stands_alone(
    rows: Sequence[Row], index: int, previous: Block | None, following: Row | None, habits: Habits
) -> bool:
    """A short line in small letters that no word tells to be a heading: it needs text below it and an end above it."""
    row = rows[index]
    if following is None:
        return False
    if previous is not None and not previous.heading:
        before = rows[index - 1]
        if before.last == ":" and not row.blank:
            return False
        if not ends_item(before.text) and is_full(rows, index, habits):
            return False
        if not ends_sentence(before.text) and heading_shape(before.text) and not row.blank:
            return False
    longer = len(following.text) > len(row.text) or ends_sentence(following.text)
    return longer or bool(labels(following.text)) or following.marks > 0 or heading_shape(following.text)
