"""Reading the rows behind the product's back: each message answered once, and nothing said without its row."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg
from psycopg.rows import dict_row

from tests.bench.client import Posted
from tests.bench.stack import wait_for

WAITING = re.compile(
    r"(?:I've put your question on the waiting list for our staff|Your question is already on the waiting list)\. "
    r"Reference (WL-[2-9A-HJKMNP-Z]{8}), "
)
TURNS = """
SELECT t.id::text, t.claim_id::text AS claim, c.reference, t.seq, t.text, t.status, t.outcome, t.attempts, t.at,
       t.done_at, t.waiting_item_id::text AS item, w.reference AS waiting, w.claim_id::text AS waiting_claim,
       coalesce(array_agg(m.text ORDER BY m.seq) FILTER (WHERE m.sender = 'portal'), '{}') AS replies,
       coalesce(array_agg(m.text ORDER BY m.seq) FILTER (WHERE m.sender = 'customer'), '{}') AS messages,
       min(m.seq) FILTER (WHERE m.sender = 'customer') AS message_seq,
       (SELECT count(*) FROM knowledge_auditentry a WHERE a.act = 'turn.answer' AND a.subject = t.id::text) AS audited
FROM claims_turn t JOIN claims_claim c ON c.id = t.claim_id LEFT JOIN claims_message m ON m.turn_id = t.id
     LEFT JOIN claims_waitingitem w ON w.id = t.waiting_item_id
GROUP BY t.id, c.id, w.id ORDER BY t.claim_id, t.seq
"""
ALONE = """
SELECT reference FROM claims_waitingitem w
WHERE NOT EXISTS (SELECT 1 FROM claims_turn WHERE waiting_item_id = w.id)
"""
SEQUENCES = "SELECT claim_id::text, array_agg(seq ORDER BY seq) AS seqs FROM claims_message GROUP BY claim_id"


@dataclass(frozen=True)
class Turn:
    id: str
    claim: str
    reference: str
    seq: int
    text: str
    status: str
    outcome: str | None
    attempts: int
    at: datetime
    done_at: datetime | None
    item: str | None
    waiting: str | None
    waiting_claim: str | None
    replies: list[str]
    messages: list[str]
    message_seq: int
    audited: int

    @property
    def seconds(self) -> float:
        """From the message's acceptance to the end of its turn; infinite while there is none."""
        return (self.done_at - self.at).total_seconds() if self.done_at is not None else math.inf


def _rows(url: str, query: str) -> list[dict[str, Any]]:
    with psycopg.connect(url, connect_timeout=3, row_factory=dict_row) as connection:
        return connection.execute(query).fetchall()


def turns(url: str, references: Iterable[str] = ()) -> list[Turn]:
    """Every turn, or those of these claims, by claim and sequence."""
    wanted = set(references)
    found = [Turn(**row) for row in _rows(url, TURNS)]
    return [turn for turn in found if not wanted or turn.reference in wanted]


def settled(url: str, *, seconds: float) -> list[Turn]:
    """Every turn, as soon as none is unfinished. Raises NotInTime."""
    query = "SELECT EXISTS (SELECT 1 FROM claims_turn WHERE status IN ('received', 'running'))"
    with psycopg.connect(url, connect_timeout=3, autocommit=True) as connection:
        wait_for(lambda: connection.execute(query).fetchone() == (False,), seconds=seconds, what="every turn ended")
    return turns(url)


def faults(url: str, posted: Iterable[Posted]) -> list[str]:
    """What does not hold: each message one answer, a sentence about the waiting list iff its row, nothing lost."""
    found = turns(url)
    by_id = {turn.id: turn for turn in found}
    wrong = [text for turn in found for text in _turn_faults(turn)]
    for post in posted:
        if post.turn_id is not None and post.turn_id not in by_id:
            wrong.append(f"acknowledged but missing: {post.text!r} of {post.reference}")
        elif post.turn_id is not None and by_id[post.turn_id].text != post.text:
            wrong.append(f"acknowledged as another message: {post.text!r} of {post.reference}")
    wrong += [f"{row['reference']} waits and no turn says so" for row in _rows(url, ALONE)]
    wrong += [
        f"the messages of {row['claim_id']} have a gap or a double: {row['seqs']}"
        for row in _rows(url, SEQUENCES)
        if row["seqs"] != list(range(1, len(row["seqs"]) + 1))
    ]
    for claim in {turn.claim for turn in found}:
        wrong += _order_faults(claim, [turn for turn in found if turn.claim == claim])
    return wrong


def _turn_faults(turn: Turn) -> list[str]:
    wrong = []
    if turn.status not in {"done", "failed"} or turn.outcome is None:
        wrong.append(f"turn {turn.id} is {turn.status}, {turn.outcome}")
    if len(turn.replies) != 1 or turn.audited != 1:
        wrong.append(f"turn {turn.id} has {len(turn.replies)} answers, {turn.audited} in the audit")
    if turn.messages != [turn.text]:
        wrong.append(f"turn {turn.id} belongs to {turn.messages}, not to {turn.text!r}")
    said = WAITING.findall("\n".join(turn.replies))
    if said != ([turn.waiting] if turn.waiting else []):
        wrong.append(f"turn {turn.id} says {said} and its row is {turn.waiting}")
    if turn.waiting and turn.waiting_claim != turn.claim:
        wrong.append(f"turn {turn.id} waits with another claim's item")
    return wrong


def _order_faults(claim: str, its_turns: list[Turn]) -> list[str]:
    wrong = []
    if [turn.seq for turn in its_turns] != list(range(1, len(its_turns) + 1)):
        wrong.append(f"the turns of {claim} are {[turn.seq for turn in its_turns]}")
    for what in ("done_at", "message_seq"):
        values = [getattr(turn, what) for turn in its_turns if getattr(turn, what) is not None]
        if values != sorted(values):
            wrong.append(f"{what} of {claim} is not in the order of its turns")
    texts = [turn.text for turn in its_turns]
    if len(set(texts)) != len(texts):
        wrong.append(f"a message of {claim} is stored twice")
    return wrong
