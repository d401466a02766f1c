"""Clauses that share words with a query, the best first: a keyword search for staff, and nothing else.

It finds words, not meaning. Nothing that it returns says how well customers are answered (M57, M65), and no turn and no
evaluation may import it (M24, M26): there a model reads the directory's titles. What the plain ranker of old got wrong
(M27) is kept beside it as a test.

It is BM25 over two fields, in plain Python. A family has some 25 clauses, so there is nothing to index: all of them
are counted anew in hundredths of a second, and the same rows always give the same order. Of the libraries at hand,
rank_bm25 is no longer maintained; bm25s, which the offline chooser uses, builds an index and does not tell which words
of a clause matched, and those are what the page marks. Word forms are snowball's: repaired, repairs and repair are one
word, and so are rental and rent. `SPOKEN` adds the words of the wording to what New Zealanders say; a word that was
typed counts for more than one that was added for it.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from threading import Lock

import snowballstemmer

# The stemmer keeps the word it works on, so one thread uses it at a time.
_snowball = snowballstemmer.stemmer("english")
_stemming = Lock()
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*")
_FUNCTION_WORDS = frozenset(
    """a about am an and are as at be been being but by can could did do does doing for from get gets got had has have
    he her him his how i if in into is it its just me mine my no not of on or our out own please she should so some than
    that the their them then there these they this those to too up us was we were what when where whether which while
    who whom whose why will with would you your yours i'm i've it's don't doesn't can't won't that's there's im ive dont
    cant""".split()
)
# How much a word of the title counts beside one of the text, and a word that was added beside one that was typed.
_TITLE, _ADDED = 3.0, 0.5
# BM25's own figures: how soon a repeated word stops to count, and how much a long clause is held back.
_K1, _B = 1.2, 0.4

# What people say: the words that a wording has for it. A phrase of several words, or of a script without spaces, is
# found as it stands.
SPOKEN = """
    rental, hire, courtesy car, loaner, loan car, replacement car, something to get around in, 租车, 代步车: hire rental
    car, ute, wagon, van, truck, motor, motorbike, motoka, waka, 车: vehicle car
    excess, first bit, deductible, 自付额: excess
    munted, pranged, prang, dinged, ding, dent, crunched, crashed, crash, smash, bingle, rear ended: damage accident
    totalled, written off, write off, cactus: total loss write
    stolen, steal, nicked, pinched, knocked off, done over, flogged, got done, burgled, robbed, 偷: theft stolen
    broke in, break in, burglars, burglary: theft forced entry
    panelbeater, panel beater, mechanic, garage bill: repairer repairs
    rego, registration: rego registration
    wof, warrant: warrant fitness
    towed, tow truck, tow, towie: towing
    windscreen, window, glass: glass windscreen window
    bonnet, boot, bumper: vehicle
    petrol, diesel, gas, wrong fuel: fuel
    ev, leaf, tesla, electric car: electric battery
    uber, rideshare, ride share, doordash, courier: rideshare delivery
    drunk, drink driving, booze, over the limit: alcohol
    flooded, flood, waipuke, under water: flood
    house, whare, home, bach, crib: home
    gib, weatherboard, ranch slider, sleepout: home
    couch, telly, tv, sunnies, chilly bin, gear, stuff, taonga, togs: belongings contents
    phone, mobile, macbook, laptop, ipad: phones laptops
    eqc, nhc, nhcover, earthquake commission, shake: earthquake natural hazard nhcover
    p test, p lab, meth, contaminated: methamphetamine contamination
    leak, leaking, leaked, mushy, drip: leak water
    mould, mold, mouldy, damp: mould gradual
    motel, hotel, somewhere to live, place to stay: accommodation temporary
    airbnb, bookabach: short stay guests
    tenants, renters, flatmates, flatmate, boarder: tenants flatmates boarders
    landlord, property manager: rented tenants
    mokopuna, kids, son, daughter: children
    tree, macrocarpa, willow, branch: trees branches
    bank, slump, slip, landslip: landslide retaining land
    fence, deck, driveway, shed: fences decks driveways sheds
    wallet, eftpos, debit card, credit card: cash cards
    e bike, ebike, scooter, pushbike: bikes scooters
    ring, watch, necklace: jewellery watches
    glasses, specs, spectacles, hearing aid, dentures: glasses
    tools, sparky, chippie: tools trade
    put it through, put a claim in, put thru, lodge: claim making
    complain, complaint, knocked back, not happy, second opinion: complaints disputes
    assessor, loss adjuster: claim assessor
    cancel, refund, switch: cancelling refund
    finance, loan, owe: finance owing
    inihua, insurance, insured: insurance policy
"""


@dataclass(frozen=True)
class Searchable:
    """A clause as it is searched: its title, and its other lines one by one, each fit to be shown alone."""

    clause_id: str
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Run:
    """A piece of a line; `is_match` when it is a word that was searched for."""

    text: str
    is_match: bool


@dataclass(frozen=True)
class Match:
    """A clause that has a word of the query. `excerpt` is its best line, empty when only the title matches.

    `matched` are the clause's own words, each once, as they stand in it first.
    """

    clause_id: str
    title: tuple[Run, ...]
    excerpt: tuple[Run, ...]
    matched: tuple[str, ...]


@dataclass(frozen=True)
class _Concept:
    """One thing that is asked for: stems, what each counts, and how rare it is among the clauses."""

    weights: Mapping[str, float]
    rarity: float = 0.0

    def count(self, stems: Mapping[str, float]) -> float:
        return sum(weight * stems.get(stem, 0.0) for stem, weight in self.weights.items())


@dataclass(frozen=True)
class _Line:
    """A line with the stem, start and end of each of its words."""

    text: str
    words: tuple[tuple[str, int, int], ...]

    def runs(self, wanted: Set[str]) -> Iterator[Run]:
        shown = 0
        for stem, start, end in self.words:
            if stem in wanted:
                yield from (Run(self.text[shown:start], False),) if start > shown else ()
                yield Run(self.text[start:end], True)
                shown = end
        yield from (Run(self.text[shown:], False),) if shown < len(self.text) else ()


@dataclass(frozen=True)
class _Read:
    clause_id: str
    title: _Line
    lines: tuple[_Line, ...]

    def counts(self) -> dict[str, float]:
        counts: defaultdict[str, float] = defaultdict(float)
        for line, weight in ((self.title, _TITLE), *((line, 1.0) for line in self.lines)):
            for stem, _, _ in line.words:
                counts[stem] += weight
        return counts


def searched_words(query: str) -> tuple[str, ...]:
    """The words of a query that are searched for, folded, each once; all of them when none but function words is there.

    Short words count, and so do car, home, policy and claim: a word that stands everywhere weighs little by itself.
    """
    words = tuple(dict.fromkeys(_fold(match[0]) for match in _WORD.finditer(query)))
    return tuple(word for word in words if word not in _FUNCTION_WORDS) or words


def rank(clauses: Sequence[Searchable], query: str) -> tuple[Match, ...]:
    """The clauses that share a word with the query, best first; ties in the order given. Empty when none does."""
    read = [_Read(c.clause_id, _line(c.title), tuple(_line(line) for line in c.lines)) for c in clauses]
    counted = [clause.counts() for clause in read]
    concepts = [replace(concept, rarity=_rarity(concept, counted)) for concept in _concepts(query)]
    scores = _bm25(concepts, counted)
    best = sorted((index for index, score in enumerate(scores) if score > 0), key=lambda index: -scores[index])
    return tuple(_match(read[index], concepts) for index in best)


def _rarity(concept: _Concept, counted: Sequence[Mapping[str, float]]) -> float:
    having = sum(1 for counts in counted if concept.count(counts))
    return log(1 + (len(counted) - having + 0.5) / (having + 0.5))


def _bm25(concepts: Sequence[_Concept], counted: Sequence[Mapping[str, float]]) -> list[float]:
    lengths = [sum(counts.values()) for counts in counted]
    usual = sum(lengths) / len(lengths) if sum(lengths) else 1.0
    scores = []
    for counts, length in zip(counted, lengths, strict=True):
        held_back = _K1 * (1 - _B + _B * length / usual)
        found = ((concept.rarity, concept.count(counts)) for concept in concepts)
        scores.append(sum(rarity * count * (_K1 + 1) / (count + held_back) for rarity, count in found))
    return scores


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    with _stemming:
        return str(_snowball.stemWord(word))


def _fold(text: str) -> str:
    """Small letters without marks, so that whānau and whanau are one; apostrophes straight, numbers without commas."""
    folded = text.casefold()
    if not folded.isascii():
        decomposed = unicodedata.normalize("NFKD", folded)
        folded = "".join(c for c in decomposed if not unicodedata.combining(c)).replace("’", "'")
    return folded.replace(",", "") if folded[:1].isdigit() else folded


def _line(text: str) -> _Line:
    return _Line(text, tuple((_stem(_fold(m[0])), m.start(), m.end()) for m in _WORD.finditer(text)))


def _spoken() -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in SPOKEN.strip().splitlines():
        said, written = line.split(":")
        for phrase in said.split(","):
            yield _fold(phrase.strip()), tuple(written.split())


def _concepts(query: str) -> tuple[_Concept, ...]:
    words = searched_words(query)
    weights = {word: {_stem(word): 1.0} for word in words}
    folded = " ".join(_fold(match[0]) for match in _WORD.finditer(query))
    for phrase, written in _spoken():
        added = {_stem(word): _ADDED for word in written}
        if phrase in weights:
            weights[phrase] = {**added, **weights[phrase]}
        elif phrase in folded if not phrase.isascii() else " " in phrase and f" {phrase} " in f" {folded} ":
            weights[phrase] = added
    return tuple(_Concept(weight) for weight in weights.values())


def _match(clause: _Read, concepts: Sequence[_Concept]) -> Match:
    wanted = {stem for concept in concepts for stem in concept.weights}
    scored = [(_line_score(line, concepts), line) for line in clause.lines]
    score, best = max(scored, key=lambda found: found[0], default=(0.0, clause.title))
    matched: dict[str, str] = {}
    for line in (clause.title, *clause.lines):
        for run in line.runs(wanted):
            if run.is_match:
                matched.setdefault(_fold(run.text), run.text)
    excerpt = tuple(best.runs(wanted)) if score else ()
    return Match(clause.clause_id, tuple(clause.title.runs(wanted)), excerpt, tuple(matched.values()))


def _line_score(line: _Line, concepts: Sequence[_Concept]) -> float:
    """How much of what is asked for stands in the line, the rare more than the usual; of two alike the first is shown.

    0 only for a line without any of it.
    """
    stems = {stem: 1.0 for stem, _, _ in line.words}
    return sum(concept.rarity * min(1.0, concept.count(stems)) for concept in concepts)
