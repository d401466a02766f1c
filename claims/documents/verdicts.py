"""The kind of each block: what its headings say, checked against what its sentence does (M80, M83, D01, D02)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from claims.documents.directives import directives
from claims.documents.heading_words import extends, is_strict, soft_kind_of
from claims.documents.nodes import Heading, Placed
from claims.documents.numbering import NO, YES
from claims.documents.sections import SectionKind
from claims.documents.stance import KIND_OF, Stance, denies_by_name, denies_plainly, stance_of, stances_of, takes_back

_AGAINST = {
    SectionKind.INSURING_AGREEMENT: frozenset({Stance.EXCLUDE}),
    SectionKind.EXCLUSIONS: frozenset({Stance.GRANT}),
    SectionKind.DEFINITIONS: frozenset({Stance.GRANT, Stance.EXCLUDE}),
    SectionKind.DECLARATIONS: frozenset({Stance.GRANT, Stance.EXCLUDE}),
}
"""Sentences that a kind's heading cannot account for: the two disagree, and the text is unclassified."""

_HOLDING = frozenset({SectionKind.CONDITIONS, SectionKind.DEFINITIONS})
"""Kinds that a part named so holds to its end: `Part F General provisions` with `Bankruptcy` below it."""

_AMOUNTS = re.compile(r"\b(?:limits?|amounts?|premiums?|deductibles?|excess|sums? insured)\b", re.IGNORECASE)
_POSITIONS = frozenset({Stance.GRANT, Stance.EXCLUDE})
_DECIDING = frozenset({Stance.GRANT, Stance.EXCLUDE, Stance.DUTY, Stance.DEFINE})


@dataclass(frozen=True, slots=True)
class Verdict:
    """`effect` is what the text does where that is not what its kind says."""

    kind: SectionKind
    effect: SectionKind | None = None


@dataclass(frozen=True, slots=True)
class Claimed:
    """What the headings of a text say. `firm` is False where only its sentences can tell."""

    kind: SectionKind | None
    firm: bool


def claimed_by(heading: Heading) -> Claimed:
    """The kind of a text by its headings alone.

    Its own heading first. A heading that names no kind takes its parent's only where numbers, Markdown levels or an
    open lead-in put it there; looks alone are no reason to inherit (M83).
    """
    proven = True
    node: Heading | None = heading
    limits = inside = False
    while node is not None and node.block is not None:
        if node.kind is not None:
            firm = proven or node.kind is SectionKind.ENDORSEMENTS or (inside and node.kind in _HOLDING)
            sets_limits = limits and not firm and node.kind is not SectionKind.DECLARATIONS
            return Claimed(SectionKind.CONDITIONS, True) if sets_limits else Claimed(node.kind, firm)
        if node.term:
            return Claimed(SectionKind.DEFINITIONS, True)
        limits = limits or (proven and soft_kind_of(node.title) is not None)
        proven = proven and (node.proven or node.open_lead_in is not None)
        node = node.parent
        inside = node is not None and node.part
    return Claimed(SectionKind.CONDITIONS, True) if limits else Claimed(None, False)


def verdicts(placed: Sequence[Placed]) -> dict[int, Verdict]:
    """A verdict for every block, by its identity."""
    found: dict[int, Verdict] = {}
    for heading, blocks in _by_heading(placed):
        if heading.in_endorsement:
            _inside_endorsement(heading, blocks, found)
            continue
        claimed = claimed_by(heading)
        if _is_schedule(heading, blocks):
            _checked(SectionKind.DECLARATIONS, blocks, found)
        elif claimed.kind is not None and (claimed.firm or _states_facts(claimed.kind, blocks)):
            _checked(claimed.kind, blocks, found)
        else:
            _by_sentences(heading, claimed, blocks, found)
    return found


def _states_facts(kind: SectionKind, blocks: Sequence[Placed]) -> bool:
    """Under declarations a heading that only looks lower may hold more of them: names, limits, dates."""
    return kind is SectionKind.DECLARATIONS and all(stance_of(words_of(each)) is Stance.NONE for each in blocks)


def _is_schedule(heading: Heading, blocks: Sequence[Placed]) -> bool:
    """`Coverage and limits` below declarations names amounts, and grants nothing."""
    above = heading.parent.kind if heading.parent is not None else None
    if above is not SectionKind.DECLARATIONS or not _AMOUNTS.search(heading.title):
        return False
    return _states_facts(SectionKind.DECLARATIONS, blocks)


def _by_heading(placed: Iterable[Placed]) -> list[tuple[Heading, list[Placed]]]:
    groups: dict[int, tuple[Heading, list[Placed]]] = {}
    for each in placed:
        groups.setdefault(id(each.heading), (each.heading, []))[1].append(each)
    return list(groups.values())


def words_of(placed: Placed) -> str:
    return placed.block.title


def _checked(kind: SectionKind, blocks: Sequence[Placed], found: dict[int, Verdict]) -> None:
    """Under a heading that names its kind. A list that disagrees takes its items with it."""
    against = _AGAINST.get(kind, frozenset())
    before: Placed | None = None
    for each in blocks:
        words = words_of(each)
        back = takes_back(words)
        stance = stance_of(words, sentences=1 if each.parent is not None else 4)
        if kind is SectionKind.INSURING_AGREEMENT and stance not in _POSITIONS and denies_by_name(words):
            stance = Stance.EXCLUDE
        above = found.get(id(each.parent or (before if back else None)))
        before = each
        if stance in against and back and above is not None and above.kind is not kind:
            found[id(each)] = above
        elif stance in against and not (kind is SectionKind.EXCLUSIONS and back):
            found[id(each)] = _disagreement(kind, words, stance)
        elif above is not None and above.kind is not kind and (back or stance not in _POSITIONS):
            found[id(each)] = above
        else:
            found[id(each)] = Verdict(kind)


def _disagreement(kind: SectionKind, words: str, stance: Stance) -> Verdict:
    """A heading and a sentence that say opposite things leave the text unclassified.

    But for a sentence that begins `We do not cover`: below a grant that is how its exclusions are written (S22).
    """
    if kind is SectionKind.INSURING_AGREEMENT and (denies_plainly(words) or denies_by_name(words)):
        return Verdict(SectionKind.EXCLUSIONS)
    return Verdict(SectionKind.UNCLASSIFIED, KIND_OF[stance])


def _by_sentences(heading: Heading, claimed: Claimed, blocks: Sequence[Placed], found: dict[int, Verdict]) -> None:
    """Under a heading that names no kind: only sentences tell, and only where they are plain.

    A heading that merely adds to something stays unclassified whatever its sentences say (M85), unless its number
    says to what; so does text without any heading.
    """
    adds = extends(heading.title) and not heading.proven and claimed.kind is not SectionKind.INSURING_AGREEMENT
    silent = heading.block is None or adds
    stances = {id(each): _plain_stance(each) for each in blocks}
    decided = {stance for stance in stances.values() if stance in _DECIDING}
    agreed = next(iter(decided)) if len(decided) == 1 else None
    before: Placed | None = None
    granted = denied = False
    for each in blocks:
        stance = stances[id(each)]
        granted = granted or stance is Stance.GRANT
        denied = denied or stance is Stance.EXCLUDE
        back = takes_back(words_of(each))
        above = found.get(id(each.parent or (before if back else None)))
        before = each
        if silent:
            effect = KIND_OF.get(stance) if stance in _POSITIONS else None
            found[id(each)] = Verdict(SectionKind.UNCLASSIFIED, effect)
        elif stance in _DECIDING and not (back and above is not None):
            found[id(each)] = Verdict(KIND_OF[stance])
        elif above is not None:
            found[id(each)] = above
        elif stance is Stance.LIMIT and granted:
            found[id(each)] = Verdict(SectionKind.INSURING_AGREEMENT)
        else:
            # What stands above the first denial, or sets a limit, is no exclusion for its sake.
            open_ = agreed is Stance.EXCLUDE and (not denied or stance is Stance.LIMIT)
            found[id(each)] = Verdict(KIND_OF[agreed] if agreed and not open_ else SectionKind.UNCLASSIFIED)


def _plain_stance(placed: Placed) -> Stance:
    """NONE where a paragraph denies first and grants then, other than by way of an exception.

    A grant that ends with what it leaves out is a grant: its one quotation holds both.
    """
    words = words_of(placed)
    label = placed.block.label
    stance = stance_of(words)
    if stance is Stance.NONE and label is not None and label.text in YES + NO:
        return Stance.GRANT if label.text in YES else Stance.EXCLUDE
    if stance is Stance.EXCLUDE and Stance.GRANT in stances_of(words):
        return Stance.NONE
    return stance


def _inside_endorsement(heading: Heading, blocks: Sequence[Placed], found: dict[int, Verdict]) -> None:
    """The kind is the endorsement's; the effect is what its headings and sentences say inside it.

    What only deletes or adds by name has no effect of its own.
    """
    named = _named_inside(heading)
    for each in blocks:
        stance = stance_of(words_of(each))
        above = found.get(id(each.parent)) if each.parent else None
        if directives(each.block.text):
            effect = None
        elif stance not in _DECIDING:
            effect = named or (above.effect if above is not None else None)
        else:
            effect = None if named is not None and stance in _AGAINST.get(named, ()) else KIND_OF[stance]
        found[id(each)] = Verdict(SectionKind.ENDORSEMENTS, effect)


def _named_inside(heading: Heading) -> SectionKind | None:
    """The kind of a heading inside an endorsement, where it is plainly one of the form (`2. Exclusions`)."""
    node: Heading | None = heading
    while node is not None and node.block is not None and not node.container:
        if node.kind is not None and is_strict(node.block.title):
            return node.kind
        node = node.parent
    return None
