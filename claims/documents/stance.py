"""What a sentence does, by its main verb: grants, excludes, limits, asks for something, defines."""

import re
from enum import StrEnum

from claims.documents.sections import SectionKind


class Stance(StrEnum):
    GRANT = "grant"
    EXCLUDE = "exclude"
    LIMIT = "limit"
    DUTY = "duty"
    DEFINE = "define"
    NONE = "none"


KIND_OF = {
    Stance.GRANT: SectionKind.INSURING_AGREEMENT,
    Stance.EXCLUDE: SectionKind.EXCLUSIONS,
    Stance.DUTY: SectionKind.CONDITIONS,
    Stance.DEFINE: SectionKind.DEFINITIONS,
}
"""The kind that a sentence of its stance belongs to."""

_INSURER = r"(?:we|the (?:insurers?|company|underwriters?)|insurers?|underwriters?)"
_COVER = (
    r"(?:(?:this|the|your|our|such|any|all|no) )?(?:(?:\w+ ){0,2})?"
    r"(?:policy|policies|insurance|cover(?:age)?s?(?: [a-z0-9]\b(?:(?:,| and| or|, and) [a-z0-9]\b)*)?|"
    r"section(?: [a-z0-9]+\b)?|"
    r"extension|endorsement|benefit|perils?|part(?: [a-z0-9]+\b)?)"
)
_NOT = r"(?:not|never|n't)"
_AUX = r"(?:do|does|will|shall|can|would|are|is|did|may)"
_ADVERB = (
    r"(?:(?:also|only|then|however,?|additionally|in addition|under this \w+|ordinarily|further|furthermore|"
    r"at any time|provide any|be liable to|agree to|agrees to) )*"
)
_PAYS = (
    r"(?:pays?|covers?|insures?|indemnif(?:y|ies)|reimburses?|provides? (?:you )?(?:with )?(?:any )?(?:\w+ )?"
    r"(?:cover(?:age)?|insurance|indemnity|benefits?)|compensates?|provides? (?:up to|for)|replaces?|repairs?|meets?|"
    r"make good|include|extends? (?:to|cover|part|this|the|your)|respond|do (?:one|any|either) of)"
)
_EXCLUDE = re.compile(
    rf"\b{_INSURER} {_AUX}(?: |(?=n't)){_NOT} {_ADVERB}(?:{_PAYS}|(?:be )?(?:liable|responsible)|(?:be "
    rf")?(?:covering|insuring|paying))\b"
    rf"|\b{_INSURER} (?:won't|don't|can't|cannot|wont|dont) {_ADVERB}{_PAYS}\b"
    rf"|\b{_COVER} (?:{_AUX}(?: |(?=n't)){_NOT}|cannot) {_ADVERB}(?:{_PAYS}|appl(?:y|ies)|include|extend)\b"
    rf"|\b{_COVER} excludes?\b"
    rf"|\bthere (?:is|will be|shall be) no (?:\w+ )?(?:cover(?:age)?|insurance|benefit|indemnity)\b"
    rf"|\bno (?:cover(?:age)?|insurance|benefit|indemnity|payment) (?:is|will be|shall be|applies)\b"
    rf"|\byou(?:'re| are)(?: |(?=n't)){_NOT} (?:covered|insured)\b|\byou aren't (?:covered|insured)\b"
    r"|^(?:\W|[a-z]?[\d.]+)*not (?:covered|insured) (?:is|are)\b|\bexcluded (?:from \w+ \w+(?: \w+)? )?(?:is|are)\b"
    r"|\bno claims? shall be (?:allowed|paid) (?:in respect of|for|under)\b"
    r"|(?<!is and )(?<!is or )\b(?:is|are|will be|shall be) (?:not|never) (?:covered|insured|payable|"
    r"included in (?:this|the|your))\b"
    r"|\b(?:in no (?:case|event|circumstances?)|under no circumstances?|nor) (?:shall|will|does|do|is|"
    r"are)\b[^.;:]{0,40}?"
    r"\b(?:cover|pay|indemnify|insure|apply|be (?:liable|covered|insured))\b"
    r"|\b(?:isn't|aren't) (?:covered|insured|payable)\b|\b(?:is|are) (?:specifically |also |expressly )?excluded\b"
    r"|\b(?:does|do) not (?:cover|insure) (?:you|loss|damage|any|the)\b|\bexcluding(?: the following)?:$"
)
_LIMIT = re.compile(
    rf"\b{_INSURER} (?:will |shall |do |would )?(?:only (?:pay|cover|provide|be liable)|(?:not )?(?:pay|be "
    rf"liable for|reimburse|cover) "
    r"(?:you )?(?:only|no more than|not more than|more than|at most|the (?:least|lesser|smaller|smallest|lower) "
    r"of))\b"
    rf"|\b{_INSURER} (?:won't|will not|do not|don't|cannot) (?:pay|be liable for|cover|reimburse|provide) "
    rf"(?:you )?(?:\w+ ){{0,2}}?(?:more than|until|any more|over)\b"
    r"|\bthe (?:most|maximum)\b[^.;:]{0,40} (?:pay|paid|payable|collect)\b|\b(?:does|do|will) not increase\b"
    r"|\blimited to\b|\b(?:covered|insured) only (?:up to|to the extent)\b|\bsubject to (?:a|the) (?:limit|maximum)\b"
)
_GRANT = re.compile(
    rf"\b{_INSURER} (?:will |shall |do |agrees? to |undertakes? to |hereby |also |now |promises? to |have "
    rf"agreed to )*{_ADVERB}{_PAYS}\b"
    rf"|\b(?:we'll) {_ADVERB}{_PAYS}\b"
    rf"|\b(?:this|the|your|our) (?:\w+ ){{0,2}}?(?:policy|insurance|cover(?:age)?(?: [a-z0-9]\b)?|section(?: "
    rf"[a-z0-9]+\b)?|extension|endorsement|benefit|part(?: [a-z0-9]+\b)?) "
    rf"(?:will |shall |also |is extended to |is hereby extended to )*(?:{_PAYS}|extends? to|applies to)\b"
    r"|\byou(?:'re| are)(?: also)? (?:covered|insured)\b"
    r"|\b(?:is|are|will be|shall be) (?:also |automatically )?(?:covered|insured|indemnified)\b(?! (?:under|by) "
    r"(?:any |an)?other)"
    r"|\byour (?:\w+ ){0,3}(?:is|are) (?:covered|insured)\b"
    r"|\bcover(?:age)? is (?:also |hereby )?(?:granted|provided|extended to)\b|\bthe insurance comprises\b"
    r"|^(?:\W|[a-z]?[\d.]+)*(?:also |co-?)?(?:insured|covered) (?:is|are)\b"
    rf"|\b{_INSURER}(?:, the \w+,)? agree\b[^.;:]{{0,60}} to (?:insure|indemnify|cover|pay)\b"
)
_DUTY = re.compile(
    r"\b(?:you|the insured|an insured|the (?:policy ?holder|named insured)|each party|any person|a mortgagee|"
    r"the mortgagee|they)"
    r"(?: or \w+(?: \w+)?)? (?:must|shall|agrees? to|has to|have to|need to|are required|is required|may|should|"
    r"can)\b"
    r"|\byou(?:'ll)? (?:may )?not\b|\bit is a condition\b"
    r"|\b(?:policy|contract|insurance|cover(?:age)?) (?:is|will be|shall be|may be|becomes|cannot be) (?:void|"
    r"cancell?ed|"
    r"governed|changed|renewed|avoided|subject)\b"
    rf"|\b{_INSURER} (?:may|can|have the right|has the right|reserve|(?:will|shall) be entitled|are entitled|"
    rf"will not be "
    rf"bound|need not|must receive)\b"
    r"|\bif you (?:do not|don't|fail|cancel|make a false|give)\b|\beither (?:you|we|party)\b"
    r"|^(?:\W|\d)*(?:please |you |then |also |first,? )?(?:send|tell|give|notify|report|contact|call|"
    r"provide us|let us know|cooperate|co-operate|make sure|check|do not admit)\b"
    r"|^(?:\W|\d)*(?:you |then |also |first,? )?(?:keep|take)\b|^(?:\W|[\d.])*warranted\b"
    r"|\bnotice (?:shall|must|is to) be given\b"
)
_DEFINE = re.compile(
    r"\b(?:means?|shall mean|is defined as|are defined as|refers? to|has the (?:same )?meaning|have the (?:same "
    r")?meanings?|does not mean)\b"
)
_SUBORDINATE = re.compile(
    r"\b(?:if|when|where|unless|that|which|who|whose|whether|because|although|while|until|after|before|except|"
    r"whom|once|"
    r"whenever|provided|as|than|what|to the extent)\b"
)
_PERFORMS = re.compile(r"\b(?:agrees?|undertakes?) to\b")
"""`The insurer agrees to indemnify` grants wherever it stands, behind `witnesses that` too."""

_FINITE = re.compile(
    r"\b(?:we|you|it|they|is|are|was|were|has|have|had|can|cannot|becomes?|occurs?|happens?|suffers?|accepts?|"
    r"dies|causes?)\b"
)
"""A condition with its own verb is over where another subject begins: `if we accept a claim we will also pay`."""

_UNLESS = re.compile(r"\w[^\w.;:]+unless\b[^.;:]*$")
"""What is said behind an exception in mid sentence is part of it: `breakdown, unless it follows damage we cover`."""

_VERBLESS = re.compile(
    r"(?:while|when|if|once)(?: not)? (?:\w+(?:ed|en|ing)|set|kept|left|let|lent|laid|away|afloat|ashore|in|on|at|"
    r"under|outside)\b"
)
_AUXILIARY = re.compile(r"(?:is|are|will|shall)\b")
"""`Sails blown away while set are not covered`: the verb is the sentence's, the condition has none."""

_CLAUSE_START = re.compile(r"[.;:,()]")
_SENTENCE = re.compile(r"(?<=[.;?!])[\"')]* (?=[A-Z\"'(])")
_MEANS_THAT = re.compile(r"\bwhich means(?: that)?\b", re.IGNORECASE)
_PLAIN_DENIAL = re.compile(
    rf"\W*(?:but )?(?:under this \w+(?: [a-z])?,? )?(?:(?:{_INSURER}|you) |(?:this|the|your|our|coverages?) )"
    rf"[^.;:]{{0,40}}?"
    rf"(?:not|never|n't|cannot) {_ADVERB}(?:{_PAYS}|appl(?:y|ies)|(?:covered|insured)|(?:be )?(?:liable|"
    rf"responsible))\b"
)
_DENIED_BY_NAME = re.compile(
    r"\W*(?![^.;:]{0,60}\b(?:exclusions?|limits?|limitations?|restrictions?|conditions?|requirements?|provisions?|"
    r"paragraphs?|clauses?|items?|deductibles?|excess(?:es)?|periods?|warrant(?:y|ies)|coinsurance)\b[^.;:]{0,30} not )"
    r"(?:(?:\w+ ){1,5}?(?:does|do|will|shall) not (?:apply to|extend to|cover|pay for)|"
    r"(?:(?!\b(?:if|when|where|whether|unless)\b)[^.;:]){4,140}?(?<!that)(?<!which)(?<!who) "
    r"(?:is|are) not (?:covered|insured))\b"
)
_BACK = re.compile(
    r"\W*(?:unless|but|however|except|excepting|provided|nevertheless|nonetheless|notwithstanding|although|though|"
    r"save (?:for|that|where)|other than|and then only|"
    r"this (?:exclusion|limitation|condition|paragraph) (?:does|do|shall|will) not|"
    r"(?:sub-?)?(?:paragraphs?|items?|clauses?|limitations?|points?) [\w().,& ]{1,30}? (?:does|do|shall|will) "
    r"not apply)\b",
    re.IGNORECASE,
)
_BACK_INSIDE = re.compile(r"\W*(?:we|this|the|insurance|coverage|such)\b[^.]{0,40}\bhowever\b", re.IGNORECASE)
_EXCLUSION_OFF = re.compile(r".{0,60}?\bexclusions?\b.{0,60}?\b(?:does|do|shall|will) not apply\b", re.IGNORECASE)
_RESTORES = re.compile(
    r"(?=.{0,200}?\b(?:ensuing|resulting|results?|resultant)\b)"
    r"(?:under [\w.() ]{1,20} above, )?(?:direct|any|all|such|ensuing|resulting|resultant)\b[^.;:]{0,200}?"
    r"\b(?:is|are|will be) (?:covered|insured)\b"
)
_STILL = re.compile(r"\W*if\b[^.]{0,120}\bwe will (?:still|however|nevertheless)\b", re.IGNORECASE)
_WINDOW = 700


def takes_back(text: str) -> bool:
    """Whether a paragraph begins as one that restores or narrows what stands above it (`unless`, `However`, D06)."""
    start = text[:240]
    if _BACK.match(start) or _BACK_INSIDE.match(start):
        return True
    lowered = start.lower()
    if _RESTORES.match(lowered):
        return True
    if "exclusion" in lowered and _EXCLUSION_OFF.match(start):
        return True
    return "we will" in lowered and bool(_STILL.match(start))


def stance_of(text: str, *, sentences: int = 4) -> Stance:
    """The stance of a folded paragraph: of its first sentence that has one; of a lead-in its last verb.

    A verb inside a condition or a relative clause (`if we do not pay`, `property that is not covered`) does not count,
    nor does a later sentence that takes something back (`However, we do cover ...`).
    """
    text = _MEANS_THAT.sub(".", text)
    if text.endswith(":") and len(text) <= _WINDOW:
        final = _SENTENCE.split(text)[-1]
        found = Stance.NONE if takes_back(final) and final != text else _last(final.lower())
        if found is not Stance.NONE:
            return found
    for place, sentence in enumerate(_SENTENCE.split(text[:_WINDOW])[:sentences]):
        found = Stance.NONE if place and takes_back(sentence) else _first(sentence.lower())
        if found is not Stance.NONE:
            return found
    return Stance.NONE


def denies_plainly(text: str) -> bool:
    """Whether a paragraph begins with the denial itself: `We do not cover`, `This insurance does not apply to`."""
    return bool(_PLAIN_DENIAL.match(text[:160].lower()))


def denies_by_name(text: str) -> bool:
    """Whether what a text is about is its subject: `Barns are not insured`. Not of what restricts."""
    return bool(_DENIED_BY_NAME.match(text[:180].lower()))


def stances_of(text: str) -> frozenset[Stance]:
    """Every stance of the sentences of a folded paragraph but those that take something back."""
    sentences = _SENTENCE.split(_MEANS_THAT.sub(".", text[:4000]))
    found = {
        _first(sentence.lower()) for place, sentence in enumerate(sentences) if not (place and takes_back(sentence))
    }
    return frozenset(found - {Stance.NONE})


def _hits(sentence: str) -> list[tuple[int, Stance]]:
    limits = [match.span() for match in _LIMIT.finditer(sentence) if not _subordinate(sentence, match.start())]
    hits = [(start, Stance.LIMIT) for start, _ in limits]
    denied: list[tuple[int, int]] = []
    for match in _EXCLUDE.finditer(sentence):
        denied.append(match.span())
        if not _overlaps(match.span(), limits) and not _subordinate(sentence, match.start()):
            hits.append((match.start(), Stance.EXCLUDE))
    for pattern, stance in ((_GRANT, Stance.GRANT), (_DUTY, Stance.DUTY), (_DEFINE, Stance.DEFINE)):
        for match in pattern.finditer(sentence):
            if _overlaps(match.span(), denied) or (stance is Stance.GRANT and _overlaps(match.span(), limits)):
                continue
            performs = _PERFORMS.search(match[0]) and not match[0].startswith("we ")
            if performs or not _subordinate(sentence, match.start()):
                hits.append((match.start(), stance))
    return sorted(hits)


def _first(sentence: str) -> Stance:
    hits = _hits(sentence)
    every = [stance for _, stance in hits]
    return next((stance for stance in every if stance is not Stance.DUTY), next(iter(every), Stance.NONE))


def _last(sentence: str) -> Stance:
    hits = _hits(sentence[-300:])
    return hits[-1][1] if hits else Stance.NONE


def _overlaps(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _subordinate(sentence: str, at: int) -> bool:
    """Whether a condition or relative clause is open where a verb stands."""
    before = sentence[max(0, at - 160) : at]
    if _UNLESS.search(before):
        return True
    cut = 0
    for mark in _CLAUSE_START.finditer(before):
        cut = mark.end()
    opened = _SUBORDINATE.search(before, cut)
    if opened is not None and _VERBLESS.match(before, opened.start()) and _AUXILIARY.match(sentence, at):
        return False
    return opened is not None and not _FINITE.search(before, opened.end())
