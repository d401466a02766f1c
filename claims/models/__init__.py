"""The tables of claims: conversations, and the policies that adjusters upload."""

from claims.models.conversations import (
    TURN_STATUSES,
    Citation,
    Claim,
    Fact,
    Message,
    PolicySchedule,
    Turn,
    WaitingItem,
    new_claim_reference,
    new_waiting_reference,
)
from claims.models.policies import PolicyDocument, Relabel

__all__ = [
    "TURN_STATUSES",
    "Citation",
    "Claim",
    "Fact",
    "Message",
    "PolicyDocument",
    "PolicySchedule",
    "Relabel",
    "Turn",
    "WaitingItem",
    "new_claim_reference",
    "new_waiting_reference",
]
