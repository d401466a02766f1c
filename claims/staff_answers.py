"""What staff add to an answer: clauses of the wording that holds for the claim, fetched and named, never typed."""

from collections.abc import Sequence
from datetime import datetime

from claims.agent.vocabulary import Field
from claims.claim_state import confirmed, day_of, facts_of
from claims.due_times import NEW_ZEALAND
from claims.models import Claim
from knowledge.answers import Audience, Scope, Unavailable
from knowledge.lookup import fetch_clauses, open_release


class UnknownClauses(Exception):
    """Clauses that cannot be named in an answer; the message says which and why."""


def with_clauses(claim: Claim, text: str, clause_ids: Sequence[str], now: datetime) -> str:
    """The text, and under it each named clause by id, title and version.

    The same lookup as a customer's turn (M34). Raises UnknownClauses; then nothing is sent.
    """
    if not clause_ids:
        return text
    facts = facts_of(claim)
    family = confirmed(facts, Field.FAMILY)
    if family is None:
        raise UnknownClauses("The claim's kind of policy is not confirmed, so no clause can be named.")
    scope = Scope(claim.insurer, family, Audience.CUSTOMER)
    release = open_release(scope, day_of(facts, now.astimezone(NEW_ZEALAND).date()))
    fetched = release if isinstance(release, Unavailable) else fetch_clauses(release, scope, tuple(clause_ids))
    if isinstance(fetched, Unavailable):
        raise UnknownClauses("The policy wording cannot be read right now. Send the answer without clauses, or later.")
    if fetched.not_found:
        raise UnknownClauses(f"Not in the wording that holds for this claim: {', '.join(fetched.not_found)}.")
    lines = [f"{f.clause.clause_id} {f.clause.title} ({f.version})" for f in fetched.clauses]
    return "\n".join([text, "", *lines])
