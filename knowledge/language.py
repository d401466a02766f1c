"""Does a sentence decide a claim, or say that something was done? The lint for every line of ours that a person wrote.

It runs over plain lines at ingestion and over wordings. It is a net for writers, not the guard of the conversation:
there the server words every sentence. English only, and it judges one sentence at a time.

A sentence may say what a clause says (clause as subject, condition kept), what a schedule lists "subject to the claim
being accepted", who decides, and what it cannot say. It may not tell a person the outcome of a loss: cover, payment,
amount, excess, timing; either way, hedged, presupposed or by an instruction to act; nor claim an act of ours.
"""

import re

_CONTRACTIONS = (
    ("won't", "will not"),
    ("can't", "cannot"),
    ("n't", " not"),
    ("'ll", " will"),
    ("'ve", " have"),
    ("'re", " are"),
    ("i'm", "i am"),
    ("i'd", "i would"),
)
_IS = re.compile(r"\b(that|there|it|this|what|everything|here)'s\b")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n|;\s+|:\s+")

# What a sentence may mention without stating it: a question that is left open, and the condition of acceptance.
_OPEN_QUESTION = re.compile(r"\bwhether\b(?! or not\b)[^,.;]*")
_ACCEPTANCE = re.compile(
    r"\b(?:once|when|if|after|until|unless|where|before|subject to|as soon as)\b"
    r"[^,.;]{0,60}\b(?:accepts?|accepted)\b(?: (?:a|the|your|that|this) (?:claim|loss))?"
    r"(?: (?:for|of|under)\b(?:(?! (?:you|your|we|northwind)\b)[^,.;]){0,40})?"
)
_CONDITION = re.compile(r"\b(?:once|when|if|after|until|unless|before)\b[^,.;]*")

_ADVERBS = r"(?: \w+ly| not| never| now| just| also| still| already| all| then)*"
_SETTLE = (
    "(?:pay|cover|reimburse|refund|replace|repair|fix|settle|accept|approve|decline|reject|refuse|waive|compensate"
    "|authori[sz]e|honou?r|sort|take care|deal with|cash)"
)
_SETTLED = (
    "(?:covered|accepted|approved|declined|rejected|refused|denied|paid|reimbursed|valid|invalid|successful|settled"
    "|authori[sz]ed|sorted|payable|good|fine|ok|okay|strong|weak|excluded)"
)
_BE = "(?:is|are|was|were|be|(?:has|have)(?: not| now)? been|gets?|looks?|seems?)"
_MODAL = "(?:will|would|should|could|can|cannot|may|might|shall)"
_LOSS = (
    r"(?:this|(?<!\w )that|it|everything|yours|the (?:claim|loss|damage)"
    r"|your (?!policy|schedule|excess|premium)[\w' -]{1,40}?)"
)
_US = "(?:we|northwind|the insurer|our (?:team|claims team|assessors?))"
_SOMEONE = r"(?:i|we|they|someone|somebody|northwind|an? (?:colleague|assessor|agent|manager|person)|our \w+(?: team)?)"
_DONE = (
    "(?:escalated|passed|forwarded|notified|logged|booked|arranged|emailed|sent|raised|flagged|contacted|alerted|put"
    "|informed|told|submitted|lodged|scheduled|organi[sz]ed|referred|handed|confirmed|checked|approved|accepted)"
)
_DOING = "(?:escalat|pass|forward|notify|book|arrang|email|flag|contact|alert|inform|submit|schedul|refer)(?:e|ing)?"


def _any(*patterns: str) -> re.Pattern[str]:
    """One pattern from several; a space stands for a space, ADV for adverbs that change nothing."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns).replace(" ADV", _ADVERBS))


_DECISIONS = {
    "an outcome for the person": _any(
        rf"\byou (?:are|were|{_MODAL} be) ADV (?:covered|insured|entitled|eligible|protected|reimbursed|paid)\b",
        rf"\byou (?:are|were|{_MODAL} be) ADV (?:compensated|out of pocket|fine|okay|ok|good|safe|set)\b",
        r"\byou(?: do)? ADV (?:qualify|get|receive)\b",
        rf"\byou {_MODAL} ADV (?:have to |need to )?(?:get|receive|owe|be charged|pay(?! (?:the|an?) excess))\b",
        r"\byou (?:cannot claim|can claim (?:for|it|this|that)|can expect (?:the|a|to|payment))\b",
        r"\byou (?:do|will) not (?:need|have) to (?:worry|pay)\b",
        r"\byou (?:would )?have a (?:\w+ )?(?:claim|case)\b",
        r"^(?:yes|no|yep|yeah|nope|absolutely|certainly|definitely|of course|sure)\s*(?:[,.!:-]|$)",
    ),
    "an outcome for the loss": _any(
        rf"\b{_LOSS}(?: {_MODAL})? ADV {_BE} ADV {_SETTLED}\b",
        rf"\b{_BE} ADV covered\b",
        r"\b(?:is|looks like|as) an? (?:accepted|covered|declined|valid|approved) (?:loss|claim|event)\b",
        r"\bnothing (?:to pay|will be paid|is payable)\b",
        r"\bwill ADV be paid\b",
        r"\b(?:falls?|comes?|is|are) (?:within|inside|outside)(?: of)? your (?:policy|cover)\b",
        r"\byour policy(?: will| does)? ADV (?:covers?|pays?|protects?|insures?)\b",
        r"\bcover is in place\b|\bin order\b|\bturned down\b|\bknocked back\b",
        r"\bsign \w+ off\b|\b(?:go|get)(?:es|s)? through\b",
    ),
    "money or an excess for this loss": _any(
        r"\byour (?:pay-?out|settlement|reimbursement|payment)\b|\bbank account\b|\bthe money\b|\bout of pocket\b",
        r"\bexcess (?:will|would|does|is) ADV (?:apply|charged|waived|due)\b.*\b(?:you|here|this|your)\b",
        r"\byour excess (?:is|will be|has been) ADV (?:waived|refunded|nil|zero)\b",
    ),
    "an assurance": _any(
        r"\bgo ahead\b|\bfeel free to\b|\bcan (?:start|begin)\b|\bconsider it\b|\bno need to worry\b|\brest assured\b",
        r"\b(?:good|great|bad) news\b|\b(?:i|we) can (?:confirm|assure|promise|guarantee)\b",
        r"\b(?:i|we) (?:promise|guarantee|would expect)\b|\bin (?:my|our) (?:view|opinion)\b",
    ),
    "a promise of the insurer": _any(
        rf"\b{_US} (?:will|would|shall|(?:are|is) going to|agrees? to) ADV (?:be paying|be covering|{_SETTLE})\b",
        r"\b(?:we|northwind) (?:have|has) ADV (?:accepted|approved|declined|rejected|agreed)\b",
        r"\bnorthwind (?:does|will) not (?:pay|cover)(?: for)? (?:this|that|it|you|your)\b",
    ),
}
_WITHOUT_CONDITION = {
    "a promise without its condition, that a claim is accepted": _any(
        rf"\bwe(?: do)? ADV {_SETTLE}\b", rf"\bnorthwind ADV {_SETTLE}s\b"
    )
}
_FALSE_ACTIONS = {
    "an act that only the record can tell": _any(
        rf"\b{_SOMEONE} (?:have|has) ADV {_DONE}\b",
        rf"\b(?:i|we) (?:am|are|will) ADV (?:be )?{_DOING}\b",
        rf"\b(?:has|have) ADV been {_DONE}\b",
        rf"\b{_SOMEONE} will (?:\w+ )?(?:call|ring|phone|contact|email|write to|get back|be in touch|come back)\b",
    )
}


def decision_problem(text: str) -> str | None:
    """Why `text` must not be shown as ours, naming the words that decide a claim or claim an act; None when none does.

    The rule is section 2.6 of the guards, the examples that it must keep apart are those of 2.9.
    """
    for sentence in _SENTENCE_END.split(_plain(text)):
        stripped = _OPEN_QUESTION.sub(" ", sentence)
        with_condition = bool(_ACCEPTANCE.search(stripped))
        stripped = _ACCEPTANCE.sub(" ", stripped).strip()
        rules = _DECISIONS if with_condition else _DECISIONS | _WITHOUT_CONDITION
        hits = [(name, pattern.search(stripped)) for name, pattern in rules.items()]
        hits += [(name, pattern.search(_CONDITION.sub(" ", stripped))) for name, pattern in _FALSE_ACTIONS.items()]
        for name, found in hits:
            if found:
                return f"“{found[0].strip()}” reads as {name}; say what the clause says, and keep its condition"
    return None


def _plain(text: str) -> str:
    folded = re.sub(r"[ \t]+", " ", text.casefold().replace("\u2019", "'").replace("\u2018", "'").strip())
    for short, long in _CONTRACTIONS:
        folded = folded.replace(short, long)
    return _IS.sub(r"\1 is", folded)
