"""True quotations from the two public forms, what may differ in them, and what may not. All from a seed."""

import random
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from claims.documents.pages import Reading
from claims.documents.quotes import MIN_CHARACTERS, Quotation, check_quote
from claims.documents.reading import read_file
from claims.documents.sections import Section, Structure
from claims.documents.structure import split

FORMS = Path(__file__).parent / "policies"
LONGEST = 40
"""Words of the longest quotation."""

HOMOGLYPHS = dict(zip("aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ", strict=True))
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ,;$"
INVISIBLE = ("\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u200e", "\u202a")
WHITE = ("  ", "\n", "\t", "\u00a0", "\r\n", "\u2009 ", " \n ")


@dataclass(frozen=True)
class Policy:
    structure: Structure
    reading: Reading
    sections: tuple[Section, ...]

    def check(self, section: Section, quotation: str):
        return check_quote(self.structure, self.reading, section_id=section.section_id, quotation=quotation)


@cache
def policies() -> tuple[Policy, ...]:
    made = []
    for path in sorted(FORMS.glob("*.txt")):
        reading = read_file(path.read_bytes(), path.name)
        assert isinstance(reading, Reading)
        structure = split(reading)
        made.append(
            Policy(structure, reading, tuple(s for s in structure.sections if len(source_of(s)) > 4 * MIN_CHARACTERS))
        )
    return tuple(made)


@cache
def source_of(section: Section) -> str:
    return "\n".join(unit.passage.text for unit in section.units)


def plain(text: str) -> str:
    """What counts of a text, put together in another way than the check does it."""
    text = "".join(each for each in unicodedata.normalize("NFC", text) if unicodedata.category(each) != "Cf")
    for marks, one in (("\u2018\u2019`\u00b4\u201b", "'"), ("\u201c\u201d\u201e\u00ab\u00bb", '"')):
        text = re.sub(f"[{marks}]", one, text)
    return " ".join(re.sub("[\u2010-\u2015\u2212]", "-", text).split())


@cache
def plain_source_of(section: Section) -> str:
    return plain(source_of(section))


def quotation(seed: int) -> tuple[Policy, Section, str]:
    """Whole words of a section that stand in it once."""
    chance = random.Random(seed)
    while True:
        policy = chance.choice(policies())
        section = chance.choice(policy.sections)
        source = source_of(section)
        words = list(re.finditer(r"\S+", source))
        first = chance.randrange(len(words))
        last = min(len(words) - 1, first + chance.randrange(LONGEST))
        text = source[words[first].start() : words[last].end()]
        if len(plain(text)) > MIN_CHARACTERS and plain_source_of(section).count(plain(text)) == 1:
            return policy, section, text


def variants(text: str, chance: random.Random) -> dict[str, str]:
    """The same quotation as another program or hand may write it."""
    curly = re.sub(r"(?<!\w)[\"\u201c\u201d]", "\u201c", text).replace('"', "\u201d").replace("'", "\u2019")
    straight = re.sub("[\u201c\u201d]", '"', re.sub("[\u2018\u2019]", "'", text))
    at = chance.randrange(len(text))
    return {
        "as it is": text,
        "white space": re.sub(r"\s+", lambda _: chance.choice(WHITE), text),
        "curly quotes": curly,
        "straight quotes": straight,
        "dashes": re.sub("[-\u2010-\u2015]", lambda _: chance.choice("-\u2010\u2011\u2013\u2014\u2212"), text),
        "invisible": text[:at] + chance.choice(INVISIBLE) + text[at:],
        "decomposed": unicodedata.normalize("NFD", text),
        "space around": f" \n{text} ",
    }


def one_change(text: str, chance: random.Random) -> str:
    """One character inside the quotation put in, left out or replaced."""
    at = chance.randrange(1, len(text) - 1)
    put = chance.choice(LETTERS)
    kind = chance.choice(("put in", "left out", "replaced", "homoglyph", "case"))
    if kind == "put in":
        return text[:at] + chance.choice((put, " ")) + text[at:]
    if kind == "left out":
        return text[:at] + text[at + 1 :]
    if kind == "homoglyph":
        put = HOMOGLYPHS.get(text[at], put)
    elif kind == "case":
        put = text[at].swapcase()
    return text[:at] + put + text[at + 1 :]


@dataclass
class Tally:
    quotations: int = 0
    variants: int = 0
    changes: int = 0
    still_true: int = 0


def prove(seed: int, tally: Tally) -> None:
    """Every variant of one true quotation is found where it stands, and a changed one is not. Raises AssertionError."""
    policy, section, text = quotation(seed)
    chance = random.Random(-seed - 1)
    wanted = policy.check(section, text)
    assert isinstance(wanted, Quotation), f"seed {seed}: {wanted} for {text!r}"
    assert plain(text) in plain(whole(wanted)), f"seed {seed}: {text!r} is not in what is shown"
    for name, variant in variants(text, chance).items():
        assert policy.check(section, variant) == wanted, f"seed {seed}: {name} of {text!r}"
        tally.variants += 1
    changed = one_change(text, chance)
    if plain(changed) in plain_source_of(section):
        tally.still_true += 1
    else:
        refused = not isinstance(policy.check(section, changed), Quotation)
        assert refused, f"seed {seed}: accepted {changed!r} for {text!r}"
        tally.changes += 1
    tally.quotations += 1


def whole(found: Quotation) -> str:
    return " ".join(part.source for part in found.parts)
