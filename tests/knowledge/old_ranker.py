"""The plain ranker of old, kept as a fixture of what was wrong with it (M27) and with what it handed on (M28).

It is no part of the product. Its faults, each as it was: words of one or two letters, a list of stop words and the
names of the product are thrown away; of word forms only a last s is taken off; a word of the title counts four times
one of the body; at most three clauses come back, each cut to its share of 600 tokens.
"""

import re

from knowledge.keyword_ranker import Searchable

STOP_WORDS = frozenset(
    """a about am an and any are as at be been but by can claim claims cover did do does for from get had has have how i
    if in is it its me my much no not of on or our policy so that the their them then there these they this to us was we
    what when where which who why with you your""".split()
)
PRODUCT_NOUNS = frozenset(
    "car cars vehicle vehicles motor auto home homes house houses property contents insurance".split()
)
MAX_RESULTS, TOKEN_BUDGET = 3, 600


def words_of(text: str) -> list[str]:
    words = re.findall(r"[a-z]+", text.lower())
    kept = [word for word in words if len(word) > 2 and word not in STOP_WORDS and word not in PRODUCT_NOUNS]
    return [word.removesuffix("s") for word in kept]


def old_rank(clauses: list[Searchable], query: str) -> list[str]:
    """The ids of the clauses that the plain ranker finds, best first."""
    wanted = set(words_of(query))
    scores = {
        clause.clause_id: 4 * len(wanted & set(words_of(clause.title)))
        + len(wanted & set(words_of(" ".join(clause.lines))))
        for clause in clauses
    }
    found = [clause_id for clause_id, score in scores.items() if score]
    return sorted(found, key=lambda clause_id: -scores[clause_id])[:MAX_RESULTS]


def handed_on(text: str, results: int = MAX_RESULTS) -> str:
    """What was left of a clause's text when the model got it."""
    return text[: TOKEN_BUDGET * 3 // results]
