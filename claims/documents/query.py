"""What a question asks for: the words that are searched, their forms, and the words that are dropped.

Any of the searched words is enough: an adjuster who asks for `mold damage in the basement` wants the clause on mold,
whether or not it speaks of a basement (M95). So words that would be in every clause must not count:

- grammar (`the`, `of`, `is`, `my`) is never searched;
- words of every policy (`damage`, `loss`, `covered`, `policy`) and single letters are dropped as long as a more telling
  word remains, and searched when none does: `roof damage` asks for roofs (M93), `damage` asks for damage.

Beside the word itself only plain plurals and possessives are tried. No stems: they miss and they hit too much (T34).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from claims.documents.words import MOST_LINKED, chains

GRAMMAR = frozenset(
    """
    a about after again against all also am an and any are as at be because been before being between both but by can
    could did do does doing done during each either every few for from get gets give gives go goes had has have having
    he her here hers him his how i if in into is it its itself just let like many may me might mine more most much must
    my myself neither no nor not of off on once one only onto or other our ours out over own per please same say says
    shall she should show shows so some such tell tells than that the their them then there these they this those
    through to too toward towards under until up upon us very via was we were what what's whatever when where whether
    which while who whom whose why will with within without would yes you your yours yourself can't cannot don't
    doesn't didn't isn't aren't wasn't won't i'm it's we're they're you're that's
    """.split()
)
"""Words that only hold a sentence together."""

EVERYWHERE = frozenset(
    """
    applied applies apply benefit benefits claim claimed claiming claims clause clauses condition conditions cover
    coverage coverages covered covering covers damage damaged damages endorsement endorsements exclude excluded excludes
    excluding exclusion exclusions happen happened happening happens include included includes including insurance
    insure insured insureds insurer insurers insures insuring liability liable loss losses policies policy policyholder
    pay payable paid paying payment payments pays provide provided provides provision provisions section sections term
    terms wording wordings
    """.split()
)
"""Words that every policy is full of."""

_POSSESSIVE = re.compile(r"'s?$")
_HISSES = ("s", "x", "z", "ch", "sh")
_MAYBE_SINGULAR = ("ss", "us", "is", "as")
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a word: `parts` stand one behind the other, with or without a hyphen."""

    parts: tuple[str, ...]

    def __str__(self) -> str:
        return "-".join(self.parts)


@dataclass(frozen=True, slots=True)
class Term:
    """One word that is searched. `word` is as it was asked for; any of the forms finds it."""

    word: str
    forms: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Query:
    terms: tuple[Term, ...]
    dropped: tuple[str, ...]


def read_query(text: str, *, exact: bool) -> Query:
    """The terms in their order, each once. No terms: the text holds no word to search for.

    With `exact` a word is found only as it is written: no plural, no possessive (T35).
    """
    asked = dict.fromkeys(parts for chain in chains(text) for parts in _parts([fragment.text for fragment in chain]))
    grammar = [parts for parts in asked if GRAMMAR.issuperset(parts)]
    kept = [parts for parts in asked if parts not in grammar]
    telling = [parts for parts in kept if not _is_everywhere(parts)] or kept
    return Query(
        tuple(Term("-".join(parts), tuple(_forms(parts, exact=exact))) for parts in telling),
        tuple("-".join(parts) for parts in asked if parts not in telling),
    )


def _parts(chain: list[str]) -> list[tuple[str, ...]]:
    """A hyphenated word as one; a chain too long to be a word as its pieces."""
    return [tuple(chain)] if len(chain) <= MOST_LINKED else [(piece,) for piece in chain]


def _is_everywhere(parts: tuple[str, ...]) -> bool:
    word = _POSSESSIVE.sub("", parts[0])
    return len(parts) == 1 and (word in EVERYWHERE or (len(word) == 1 and word.isalpha()))


def _forms(parts: tuple[str, ...], *, exact: bool) -> Iterable[Form]:
    """The parts one behind the other and, for a hyphenated word, joined."""
    before, last = parts[:-1], parts[-1]
    written = [last] if exact else _written(last)
    made = [Form((*before, each)) for each in written]
    if before:
        made += [Form(("".join(before) + each,)) for each in written]
    return made


def _written(word: str) -> list[str]:
    """The word, its plain plurals and singulars, and their possessives. One in s' reads as the plural itself."""
    base = _POSSESSIVE.sub("", word)
    numbers = [base]
    if base.isalpha() and len(base) >= _SHORTEST:
        numbers += [*_singulars(base), *_plurals(base)]
    owners = [each for each in numbers if not each.endswith("s") or each.endswith("ss")]
    return list(dict.fromkeys([*numbers, *(f"{each}'s" for each in owners)]))


def _singulars(word: str) -> list[str]:
    if not word.endswith("s") or word.endswith("ss"):
        return []
    found = [word[:-1]]
    if word.endswith("ies"):
        found.insert(0, f"{word[:-3]}y")
    elif word.endswith("es") and (word[:-2].endswith(_HISSES) or word.endswith("oes")):
        found.insert(0, word[:-2])
    return [each for each in found if len(each) >= _SHORTEST]


def _plurals(word: str) -> list[str]:
    if word.endswith("s") and not word.endswith(_MAYBE_SINGULAR):
        return []
    if word.endswith("y") and word[-2] not in "aeiou":
        return [f"{word[:-1]}ies"]
    if word.endswith(_HISSES):
        return [f"{word}es"]
    return [f"{word}s", f"{word}es"] if word.endswith("o") else [f"{word}s"]
