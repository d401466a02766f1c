"""What a heading is beside a heading: the title of an endorsement, a defined term, higher or lower than another."""

import re

from claims.documents.blocks import Block
from claims.documents.heading_words import extends, is_strict
from claims.documents.nodes import Heading
from claims.documents.numbering import word_label
from claims.documents.sections import SectionKind
from claims.documents.stance import Stance, stance_of

_CONTAINER = re.compile(
    r"(?:\w+ )?endorsement(?! section| schedule|s\b)\b.*[\w)]|.{3,}\bendorsement(?: (?:no\.?|number) ?\w+)?|"
    r".{0,60}\b(?:amendatory|rider)\b.{0,40}",
    re.IGNORECASE,
)
_ENDORSED = re.compile(r"\b(?:endorsement|amendatory|rider)\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"this (?:endorsement|form|rider|amendment) (?:changes|modifies|amends|alters|varies|forms? (?:a )?part of|"
    r"is (?:attached|added) to)\b",
    re.IGNORECASE,
)
_TERM_TEXT = re.compile(
    r"(?:means?|a|an|the|any|all|your|our|this|those|someone|each|loss|damage|where|every|one|either|both|"
    r"property|people|"
    r"persons?|physical|written|sudden)\b",
    re.IGNORECASE,
)
_ONLY_COVERAGES = re.compile(
    r"coverages? [a-z0-9]\b(?:(?:,|,? and|,? or| &)(?: coverage)? [a-z0-9]\b)*(?: only)?(?: ?[-:] .*)?", re.IGNORECASE
)
_MAX_TERM_WORDS = 6
_SMALLER = 0.7
_COLUMN = 100.0
Looks = tuple[int, float, bool]


def changes_the_policy(text: str) -> bool:
    """Whether a paragraph says that what follows is an endorsement."""
    return bool(_CHANGES.match(text))


def is_set_below(block: Block, above: Block) -> bool:
    """Whether a heading is set in smaller letters than the one above it, and does not say that it adds something."""
    size, larger = block.first.line.size, above.first.line.size
    return bool(size and larger and larger - size > _SMALLER and not extends(block.title))


def leaves_column(block: Block, before: Block | None, scope: Heading | None) -> bool:
    """Whether a block stands below a column on the right and not in it, while that column's heading is still open."""
    if before is None or scope is None or scope.block is None:
        return False
    row, last, top = block.first, before.rows[-1], scope.block.first
    if row.line.box is None or last.line.box is None or top.line.box is None:
        return False
    if not row.line.page == last.line.page == top.line.page:
        return False
    return row.line.box.top > last.line.box.top and min(last.left, top.left) - row.left > _COLUMN


def is_above(heading: Block, block: Block, right: Block) -> bool:
    """Whether a heading of the left side stands below the top of the right column and above the block."""
    one, other, column = heading.first.line.box, block.first.line.box, right.first.line.box
    if one is None or other is None or column is None:
        return False
    return abs(one.left - other.left) < _COLUMN / 2 and column.top < one.top < other.top


def is_endorsement(block: Block, following: Block | None) -> bool:
    """Whether an endorsement begins: by its title, or by the sentence that says what it changes."""
    title = block.title
    if following is not None and not following.heading and _CHANGES.match(following.text):
        return True
    if _CHANGES.match(title):
        return True
    return bool(_ENDORSED.search(title)) and bool(_CONTAINER.fullmatch(title))


def holds_for_all(title: str) -> bool:
    """`General exclusions` stand beside the parts of a policy and not in the last of them."""
    return title.lower().startswith(("general ", "common ", "policy "))


def is_coverage(block: Block) -> bool:
    label = word_label(block.text)
    return label is not None and label.style == "coverage"


def only_names_coverages(title: str) -> bool:
    """`Coverage L only`, `Coverages E and F`: below exclusions it says what they are about, and grants nothing."""
    return bool(_ONLY_COVERAGES.fullmatch(title))


def looks_of(block: Block) -> Looks:
    first = block.first
    return first.marks, round(first.line.size or 0.0), block.title.isupper()


def outranks(one: Looks, other: Looks) -> bool:
    if one[0] and other[0] and one[0] != other[0]:
        return one[0] < other[0]
    if one[1] and other[1] and one[1] != other[1]:
        return one[1] > other[1]
    return one[2] and not other[2]


def is_term(block: Block, kind: SectionKind | None, following: Block | None, before: str) -> bool:
    """A defined term on a line of its own among definitions (S20), whatever word of the trade it is.

    `before` is the term above it, empty when none is: a term that is a heading's word must stand in the alphabet.
    """
    if following is None or following.heading or block.label is not None or is_strict(block.title):
        return False
    if len(block.title.split()) > _MAX_TERM_WORDS or following.label is not None:
        return False
    if stance_of(following.text) not in (Stance.DEFINE, Stance.NONE):
        return False
    ordered = bool(before) and before <= block.title.casefold()
    if kind is None and ordered:
        return True
    return bool(_TERM_TEXT.match(following.text)) and (kind is None or ordered)
