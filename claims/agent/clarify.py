"""The one free-text channel: a question back to the customer, in a closed vocabulary (`guards.md` 2.5).

Whatever passes is a short English question about what happened. Words of paying, covering, approving and promising are
not in the vocabulary, so no decision and no escalation can be said with it.
"""

import re
from functools import cache
from pathlib import Path

from knowledge.language import decision_problem

MIN_WORDS, MAX_WORDS = 4, 25
_FORM = re.compile(r"[A-Za-z][A-Za-z ,]*[A-Za-z]\?")
_STARTS = frozenset("what when where which who whose how did do does is are was were has have would".split())


@cache
def vocabulary() -> frozenset[str]:
    """The words that a question may be made of, lower case."""
    return frozenset((Path(__file__).parent / "vocab" / "clarify.txt").read_text(encoding="utf-8").split())


def is_clarifying_question(text: str) -> bool:
    """ASCII letters, one question mark at the end, 4 to 25 known words, a question word first, the lint silent."""
    if not text.isascii() or not _FORM.fullmatch(text) or "  " in text:
        return False
    words = text.rstrip("?").replace(",", " ").lower().split()
    return (
        MIN_WORDS <= len(words) <= MAX_WORDS
        and words[0] in _STARTS
        and all(word in vocabulary() for word in words)
        and decision_problem(text) is None
    )
