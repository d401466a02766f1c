"""What was seen of one turn: the parts of its record that are kept with a result, and read back from it.

The record is the API's, as staff read it. The customer's reply is kept with its citations; clause texts are not, only
their hashes. Nothing here judges.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

_KEPT = (
    "requested",
    "returned",
    "not_found",
    "guidance_status",
    "schedule",
    "cited",
    "violations",
    "repaired",
    "safe_reply",
    "release",
    "model",
    "calls",
    "cost",
    "latency_ms",
    "directory",
)


@dataclass(frozen=True)
class Observation:
    """One turn as it was recorded. `directory` is what the model saw, as (id, title); ids are in their order.

    `looked_up` is False where no lookup was begun, which naming no clause is not. `shown` is whether a part that was
    asked for is among what the reply shows of the expected clause, None where that cannot be known or nobody asked.
    """

    outcome: str
    directory: tuple[tuple[str, str], ...]
    looked_up: bool
    requested: tuple[str, ...]
    returned: tuple[str, ...]
    not_found: tuple[str, ...]
    cited: tuple[str, ...]
    waits: bool
    safe_reply: bool
    shown: bool | None
    model: str
    release: str | None


def kept_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """A turn's record as a result keeps it: without the model's own output and without the clauses' text."""
    turn = record["turn"]
    citations = [
        {
            "clause_id": citation["clause_id"],
            "version": citation["version"],
            "sha256": sha256(citation["text"].encode()).hexdigest(),
            "characters": len(citation["text"]),
        }
        for citation in turn["citations"]
    ]
    kept = {name: record[name] for name in _KEPT}
    return kept | {
        "turn": turn["id"],
        "outcome": turn["outcome"],
        "segments": turn["reply"]["segments"],
        "citations": citations,
        "waiting_item": turn["waiting_item"],
    }


def observation_of(kept: Mapping[str, Any], shown: bool | None = None) -> Observation:
    return Observation(
        outcome=kept["outcome"],
        directory=tuple((line["clause_id"], line["title"]) for line in kept["directory"] or ()),
        looked_up=kept["requested"] is not None,
        requested=tuple(kept["requested"] or ()),
        returned=tuple(clause["clause_id"] for clause in kept["returned"] or ()),
        not_found=tuple(kept["not_found"] or ()),
        cited=tuple(kept["cited"]),
        waits=kept["waiting_item"] is not None,
        safe_reply=kept["safe_reply"],
        shown=shown,
        model=kept["model"]["configured"],
        release=None if kept["release"] is None else kept["release"]["version"],
    )
