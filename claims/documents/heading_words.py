"""What the words of a heading say about its kind. Few words of the trade, no form's own titles (M80, M82)."""

import re

from claims.documents.sections import SectionKind

_NEGATED = (
    r"(?:not|never|no longer|isn't|aren't|don't|doesn't|won't|cannot|can't|wont|dont|isnt|arent) "
    r"(?:be |been |being )?(?:\w+ ){0,2}?(?:insured?|insuring|cover(?:ed|s|ing)?|pay(?:ing|able)?|paid|"
    r"includ(?:ed?|ing)|provided?)"
)
_EXCLUSIONS = re.compile(
    rf"\b(?:exclusions?|excluded|exclud(?:es?|ing)|general exceptions?|exceptions|uninsur(?:ed|able)|(?:no|"
    rf"without) cover(?:age)?)\b|\b{_NEGATED}\b"
)
_UNDER_NOT = re.compile(rf"\b{_NEGATED}\b")
_CONDITIONS = re.compile(
    r"\b(?:conditions?|dut(?:y|ies)|obligations?|responsibilit(?:y|ies)|requirements?|provisions?|(?:general|"
    r"other|policy) terms|you must|must do|"
    r"how to (?:make|claim|report)|making (?:a|your) claims?|mak(?:e|ing) a claim|to claim|claims? "
    r"(?:procedures?|process|"
    r"settlement|handling|notification|conditions)|cancel(?:l?ation|l?ing),? (?:of|by|and (?:non-?)?renewal|"
    r"rights?|your|the|this)|right to cancel|non-?renewal|renewal|loss "
    r"(?:settlement|payment)|"
    r"settl(?:e|ing|ement)|basis of (?:claims?|settlement)|subrogation|appraisal|arbitration|(?:suits?|legal "
    r"action) against|"
    r"other insurances?|warrant(?:y|ies)|notice of (?:loss|claim|accident|occurrence|an? \w+)|"
    r"(?:deal|handl|assess)\w* (?:with )?(?:your |a |the )?claims?|fraud|misrepresentation|assignment|"
    r"governing law|jurisdiction|(?:applicable|choice of|"
    r"what|which) laws?|laws? (?:that )?(?:appl|govern)\w+|premiums?|precautions?|"
    r"reasonable care|(?:duty of|non-?) ?disclosure|disclosure of|complaints?|limitations? (?:period|of actions?)|"
    r"cover(?:age)? (?:starts?|begins?|ends?|stops?|commences?))\b|^claims?$|"
    r"^(?:after|in the event of|in case of) (?:an?|the|any) (?:insured event|loss|accident|claim|incident|event)\b"
)
_SOFT = re.compile(
    r"\b(?:deductibles?|excess(?:es)?|co-?insurance|limits? of (?:liability|insurance|indemnity|cover)|"
    r"^limits?$|sums? insured|"
    r"most we (?:will )?pay|how much we (?:will )?pay|what we (?:will )?pay(?: you)? for (?:a|your) claim|"
    r"underinsurance)\b"
)
_DEFINITIONS = re.compile(
    r"\b(?:definitions?|defined (?:terms?|words?)|meanings?|glossary|interpretation|words with special|"
    r"what (?:the|our|these) (?:words|terms) mean|special words|key (?:words|terms)|(?:words|"
    r"terms) (?:we use|used)\b|words (?:and|or) (?:phrases|"
    r"expressions))\b"
)
_DECLARATIONS = re.compile(
    r"\b(?:declarations?(?: page)?|(?:policy|your|the|insurance) schedule|certificate of insurance|policy "
    r"(?:details|particulars)|"
    r"schedule of (?:insurance|cover|benefits)|table of (?:benefits|limits)|insurance particulars)\b|^schedule$"
)
_ENDORSEMENTS = re.compile(r"\b(?:endorsements?|amendatory|riders?|policy changes?)\b")
_AGREEMENT = re.compile(
    r"\b(?:insuring (?:agreements?|clauses?)|operative clauses?|insurance agreements?|insurance provided|"
    r"(?:what|when|who|how|where|which \w+) (?:\w+ ){0,3}?(?:is|are|'s|'re|we|you|your \w+|the \w+) ?(?:\w+ ){0,2}?"
    r"(?:insured?|cover(?:ed|s)?|pay)(?: for| against)?|(?:what|when) you're (?:covered|insured)(?: for)?|"
    r"what's (?:covered|insured)|"
    r"coverages? ?(?:provided|[a-z]\b|\d|part)?|(?:your|the|our|standard|basic|main) cover|cover provided|scope "
    r"of cover|"
    r"(?:property|perils?|events?|loss(?:es)?|causes|risks?|articles|persons?|people) (?:insured|covered)|"
    r"(?:insured|covered) (?:property|perils?|events?|loss(?:es)?|causes|risks?)|we (?:will )?(?:cover|insure|"
    r"pay)|perils|"
    r"covers? included|cover for)\b|\b(?:covers?|(?<!no )benefits)$|^(?:the |our )?agreement$|"
    r"^you(?:'re| are)(?: also)? (?:covered|insured)(?: for| against)?$"
)
_EXTENDS = re.compile(
    r"\b(?:additional|extra|extended?|extensions?|optional|supplement(?:al|ary)?|special|other|further|"
    r"automatic|added)\b"
)
_ASKED = re.compile(
    r"what(?:'s| is| are| we| you| you're| isn't| aren't| we'll)\b(?: \w+(?:'t)?){0,3}? (?:insured?|cover(?:ed)?)\b"
)
"""`What is not covered under cancellation` asks for cover, whatever it is about."""

_LIST_OF_FORMS = re.compile(
    r"\bforms and endorsements\b|\bendorsements? .{0,40}\b(?:appl\w+|attach\w+|listed)\b|^list of\b"
)
_DOCUMENT = re.compile(r"\b(?:form|wording|booklet|document|part|package)$")
_MIXED = re.compile(
    r"\b(?:covered|insured|cover|insure|pay) (?:and|or|&|/) (?:what )?(?:is |are |we |you )?(?:not|don't)|and "
    r"exceptions|\b(?:is|are|isn't|aren't) (?:and|or|&|/) (?:is|are|isn't|aren't)\b"
)
_STRICT = re.compile(
    r"(?:(?:general|policy|specific|standard|common|special|additional|other|main|overall) )?"
    r"(?:exclusions|conditions|definitions|declarations|endorsements|provisions|exceptions)"
    r"|insuring (?:agreement|clause)s?|what (?:is|we|you are|you're|we'll|we will) (?:not |do not |don't |won't "
    r"|will not )?"
    r"(?:cover(?:ed)?|insured?|pay)(?: for)?|what is(?:n't| not) covered|what's (?:not )?(?:covered|insured)"
)
_LIST = re.compile(r"^(?:\(?(?:[a-z]|[ivx]{2,4})[.)] |\W|\d)+")
MAX_WORDS = 20


def kind_of(heading: str) -> SectionKind | None:
    """The kind that a heading's words name, None when they name none or two that disagree.

    `heading` is folded text. A negation comes before everything: `Property Not Insured` names exclusions (D02). What
    only adds to something (`Additional coverages`, `Optional benefits`) names nothing: where it stands decides (M85).
    """
    text = _plain(heading)
    if not text or len(text.split()) > MAX_WORDS or _MIXED.search(text):
        return None
    if _LIST_OF_FORMS.search(text):
        return None
    asked = _ASKED.match(text)
    if asked:
        return SectionKind.EXCLUSIONS if _UNDER_NOT.search(text) else SectionKind.INSURING_AGREEMENT
    excluded = bool(_EXCLUSIONS.search(text))
    rest = _UNDER_NOT.sub(" ", text)
    named = {
        SectionKind.DEFINITIONS: bool(_DEFINITIONS.search(rest)),
        SectionKind.DECLARATIONS: bool(_DECLARATIONS.search(rest)),
        SectionKind.CONDITIONS: bool(_CONDITIONS.search(rest)),
        SectionKind.ENDORSEMENTS: bool(_ENDORSEMENTS.search(rest)),
    }
    kinds = [kind for kind, found in named.items() if found]
    if excluded:
        return SectionKind.EXCLUSIONS if not kinds else None
    if len(kinds) == 1:
        return kinds[0]
    if kinds or _EXTENDS.search(text) or _DOCUMENT.search(text):
        return None
    return SectionKind.INSURING_AGREEMENT if _AGREEMENT.search(text) else None


def soft_kind_of(heading: str) -> SectionKind | None:
    """Conditions where a heading speaks of how much is paid: inside a grant it is part of the grant."""
    return SectionKind.CONDITIONS if _SOFT.search(_plain(heading)) else None


def extends(heading: str) -> bool:
    """Whether a heading only says that something is added: it never makes its text a grant by itself (M85)."""
    return bool(_EXTENDS.search(_plain(heading)))


def is_strict(heading: str) -> bool:
    """A whole line that can hardly be anything but a heading."""
    return bool(_STRICT.fullmatch(_plain(heading)))


def _plain(heading: str) -> str:
    return _LIST.sub("", heading[:200].casefold().replace("'ll ", " will ")).strip(" .:;-?!\"'")
