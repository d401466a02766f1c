"""The second net: does a message ask for a decision on this claim, whatever the model's plan says?

It hits where somebody who decides (you, Northwind, or "my claim") meets a word of deciding, on "how much will I get",
and on a bare "am I covered". It lets a question about the policy pass: the policy, the cover, a clause, "it" or a thing
as subject, "do I get a rental", "am I covered for X" (`turn.md`, Decisions).
"""

import re

from claims.agent.facts import fold

_WE = r"(?:you|u|ya|you guys|you lot|northwind)"
_THIS = r"(?:it|this|that|me|us|mine|one|this one|my claim|the claim)"
_DECIDE = (
    r"(?:pay(?:ing)?(?: me| us| out| for)*|cover(?:ing)? (?:me|us|this|that|it)"
    r"|accept(?:ing)?|approv(?:e|ing)|declin(?:e|ing))"
)
_DECIDED = r"(?:pay|paid|cover(?:ed)?|accept(?:ed)?|approv(?:e|ed)|declin(?:e|ed))"
_ASK = r"(?:are|will|would|can|could|do|does|did|have|has|is)"
_MUST = r"(?:have to|must|will|should|would|could|can|need to|gotta)"
_SOON = r"(?:going to |gonna |please |just |now |legally )*"
_END = r"(?: or not)?(?: please)?(?:[?.!,]|$| or )"

_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        # "will you pay for my repairs", "are you covering this one": the future of this loss, whatever it is called
        rf"\b(?:are|will|would) {_WE} (?:not )?{_SOON}(?:pay|cover|accept|approv|declin)",
        # "do you accept it or not", "can Northwind pay me"
        rf"\b{_ASK} {_WE} {_SOON}{_DECIDE}(?: (?:for )?{_THIS})?{_END}",
        # "you have to pay me", "would you decline this one"
        rf"\b{_WE} {_MUST} {_SOON}{_DECIDE} ?{_THIS}\b",
        rf"\bmy claim (?:is |be |been |was |gets? |got |will be |{_SOON})*{_DECIDED}",
        r"\b(?:pay|cover|accept|approve|decline) my claim\b",
        r"\bapprove (?:it|this|me)\b",
        r"\bhow much (?:will|would|do|am|can) (?:i|we) (?:get|getting|gonna get|going to get|receive)\b",
        r"^(?:so |and |but |ok |just tell me |tell me )*(?:am i|are we|im|i'm) covered(?: or not| then| here)?[?.! ]*$",
        r"\b(?:is|was) my claim (?:ok|okay|valid|good)\b",
    )
)


def asks_for_decision(message: str) -> bool:
    """True when the message asks what happens to this claim; then it goes to the waiting list (M4, M5)."""
    text = fold(message).lower().replace("’", "'")
    return any(pattern.search(text) for pattern in _PATTERNS)
