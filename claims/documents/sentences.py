"""Where sentences end in a paragraph of a policy. In doubt a sentence goes on: a quotation is rather too long (M72)."""

import re

_END = re.compile(r"[.!?][\"'\u2019\u201d)\]]*\s+(?=[\"'\u2018\u201c(\[]*[^\W_a-z])")
_ABBREVIATIONS = frozenset("mr mrs ms dr st inc ltd co corp etc eg ie e.g i.e u.s u.k vs cf approx".split())
_BEFORE_A_NUMBER = frozenset(
    "no nos art arts sec secs para paras cl vol pt p pp jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
_LOOK_BACK = 60
_LABEL = re.compile(r"\W*(?:\d{1,3}|[A-Za-z]|[ivxlIVXL]{1,6})(?:\.\w{1,4})*\W*")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every sentence, the white space behind it left out. They tile the text but for that.

    A number or letter that labels the paragraph (`7.`, `A.`, `(iv).`), an abbreviation and a single letter end none.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for found in _END.finditer(text):
        words = text[max(start, found.start() - _LOOK_BACK) : found.start()].split()
        if not words or _holds_on(words[-1], text[found.end()], is_first=len(words) == 1):
            continue
        end = found.end() - len(found[0]) + len(found[0].rstrip())
        spans.append((start, end))
        start = found.end()
    end = len(text.rstrip())
    if end > start:
        spans.append((start, end))
    return spans


def _holds_on(token: str, follows: str, *, is_first: bool) -> bool:
    """Whether a full stop behind the token, and before what follows, ends no sentence."""
    word = token.strip("\"'()[]\u2018\u2019\u201c\u201d").casefold()
    if word in _ABBREVIATIONS or (word in _BEFORE_A_NUMBER and follows.isdigit()):
        return True
    return (len(word) == 1 and word.isalpha()) or (is_first and bool(_LABEL.fullmatch(token)))
