"""Whether a line has the shape of a heading, seen alone: capitals, few words, no sentence (M82, M83)."""

import re

from claims.documents.heading_words import is_strict, kind_of
from claims.documents.numbering import word_label

_MOST, _MOST_OF_STRONG = (110, 14), (150, 20)
"""Characters and words."""
MAX_MIXED_WORDS = 9
MAX_MIXED_CHARACTERS = 70

_END = re.compile(r"[.;:!?][\"')\]]*$")
_ITEM_END = re.compile(r"(?:[;,.:!?][\"')\]]*|[;,]? ?\b(?:and|or|and/or))$")
_AMOUNT = re.compile(r"[$£€%]|\d{5}|\d[\d,.]{2,}$|\b\d+$|\b[A-Z]{3} \d")
_ENTRY = re.compile(r":.*\d")
_LEADER = re.compile(r"\.{4,} ?\S*$")
"""A row of a schedule: `FORMS ATTACHED: END. 14`, `DEDUCTIBLE ..... $500`."""

_PLACE = re.compile(
    r" (?:section|part|coverage|cover|clause|schedule|article) (?:\d{1,3}|[IVX]{1,5}|[A-Z])$", re.IGNORECASE
)
_SENTENCE_VERB = re.compile(
    r"\b(?:will|must|shall|may|is|are|was|were|has|have|means?|comprises|does|do|can|cannot|should|would|applies)\b"
    r"|n't\b|'ll\b",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:what|when|how|where|who|why|which|if|things|your|our|words|cover|losses|property)\b", re.IGNORECASE
)
_QUESTION = re.compile(r"(?:what|when|how|where|who|why|which)\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"(?:we|you|this|these|the (?:insurer|insured|company|most)|it|in|if|for|there|any|all|each|no|under|"
    r"subject|as|at|"
    r"insurers?|underwriters?|coverage [a-z] )\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"(?<=[a-z] )(?:we|you|that|which|who)\b.*")
_BEGINS = re.compile(r"[\d\"'(]|[^\W\d_a-z]")
_LISTED = re.compile(r"[;,] (?:and|or|and/or)$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,}")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_CONNECTIVE = re.compile(
    r"(?:\b(?:of|and|or|to|the|for|not|in|by|under|with|a|an|your|our|is|are)|[-,&/])$", re.IGNORECASE
)
_JOINS = re.compile(r"(?:of|and|or|to|the|for|not|in|by|under|with|against|after|insured|&|\()\b", re.IGNORECASE)


def ends_sentence(text: str) -> bool:
    return bool(_END.search(text[-12:]))


def ends_item(text: str) -> bool:
    """Whether a line could be the last of a list item: `; or` and a comma too."""
    return bool(_ITEM_END.search(text[-12:]))


def ends_nothing(text: str) -> bool:
    """Words of a title's kind that end neither a sentence nor an item, and name no amount."""
    if ":" in text or not text[:1].isupper():
        return False
    return not ends_item(text) and not _AMOUNT.search(text) and bool(_LONG_WORD.search(text))


def is_capitals(text: str) -> bool:
    return text.isupper() and bool(_LONG_WORD.search(text) or (_WORD.search(text) and kind_of(text)))


def is_sentence(text: str) -> bool:
    """A clause with a subject and a verb. `What we do not cover` and `Extra benefits we include` are none."""
    if _ASKING.match(text) and not text.lower().startswith(("if ", "your ", "our ", "when ")):
        return False
    return bool(_SENTENCE_VERB.search(_RELATIVE.sub("", text))) and not is_strict(text)


def heading_shape(title: str, *, strong: bool = False) -> bool:
    """Whether words without their number could be a heading. `strong` says that they stand out by size or weight."""
    words = title.split()
    most = _MOST_OF_STRONG if strong else _MOST
    if not words or len(title) > most[0] or len(words) > most[1] or not _WORD.search(title):
        return False
    if title[-1] in ".;,!" or _LISTED.search(title) or not _BEGINS.match(title):
        return False
    if title[-1] == ":":
        return _colon_heading(title)
    if _LEADER.search(title) or (_ENTRY.search(title) and word_label(title) is None):
        return False
    if title.isupper():
        return is_capitals(title) and (not _names_amount(title) or bool(kind_of(title)))
    if strong or is_strict(title):
        return not (is_sentence(title) and _SUBJECT.match(title)) or is_strict(title)
    if kind_of(title) and len(words) <= MAX_MIXED_WORDS + 2 and not _SUBJECT.match(title):
        return not _names_amount(title)
    return _mixed_heading(title, words)


def _names_amount(title: str) -> bool:
    """A table's cell, not a heading; the number of a section is no amount."""
    return word_label(title) is None and bool(_AMOUNT.search(_PLACE.sub("", title)))


def _colon_heading(title: str) -> bool:
    """`What is not covered:` is a heading, `We do not cover:` and `You must:` lead into a list (S2)."""
    words = title[:-1]
    asks = bool(_QUESTION.match(words)) or is_strict(words)
    if not asks and (_SUBJECT.match(words) or _SENTENCE_VERB.search(words)):
        return False
    return kind_of(words) is not None and len(words.split()) <= MAX_MIXED_WORDS


def _mixed_heading(title: str, words: list[str]) -> bool:
    if len(words) > MAX_MIXED_WORDS or len(title) > MAX_MIXED_CHARACTERS or title[0].isdigit():
        return False
    if word_label(title) is not None:
        return not is_sentence(title)
    if _names_amount(title) or ":" in title or "@" in title or "://" in title:
        return False
    return not is_sentence(title) or (title[-1] == "?" and bool(_ASKING.match(title)))


def joins(first: str, second: str) -> bool:
    """Whether two lines of a heading's shape are one heading over two lines (S5)."""
    if first.isupper() != second.isupper():
        return False
    if _CONNECTIVE.search(first):
        return True
    return bool(_JOINS.match(second)) and kind_of(second) is None and not first.endswith(":")
