"""Faults that are planted under a turn: a table that refuses, a commit that fails, a store that is away or lies.

They are real ones: statements that the database refuses, a folder that is not there, a file with other bytes. Each is
armed when the model is first asked, so that the message itself was taken, and is gone when the turn has ended.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from django.db import DatabaseError, connection
from django.test import override_settings

WAITING, WRITE, STORE_AWAY, TEXT_DIFFERS, NO_TIME, NO_BUDGET = (
    "waiting insert", "one write", "store away", "text differs", "no time", "no budget",
)  # fmt: skip
DATABASE = (WAITING, WRITE)
STORE = (STORE_AWAY, TEXT_DIFFERS)
KINDS = (WAITING, WAITING, WRITE, STORE_AWAY, TEXT_DIFFERS, NO_TIME, NO_BUDGET)
# The tables that a turn's commit writes; which one refuses is drawn for each fault.
WRITES = (
    "claims_fact",
    "claims_waitingitem",
    "claims_citation",
    "claims_message",
    "knowledge_auditentry",
    "claims_turn",
)


class Fault:
    """One turn's fault. `hit` says whether it was met: a fault in a table that the turn never wrote is none."""

    def __init__(self, kind: str, random: Random, document: Path) -> None:
        self.kind, self.document = kind, document
        self.table = "claims_waitingitem" if kind == WAITING else random.choice(WRITES)
        self.armed, self.hit, self.outside = False, False, 0

    def arm(self) -> None:
        self.armed = True

    @contextlib.contextmanager
    def planted(self) -> Iterator[None]:
        self.outside = _depth()
        if self.kind in DATABASE:
            with connection.execute_wrapper(self._refuse):
                yield
        elif self.kind == STORE_AWAY:
            store = self.document.parents[len(self.document.parts) - self.document.parts.index("store") - 2]
            away = store.with_name("store.away")
            store.rename(away)
            try:
                yield
            finally:
                away.rename(store)
        elif self.kind == TEXT_DIFFERS:
            text = self.document.read_bytes()
            self.document.write_bytes(text.replace(b"NZD 60 a day", b"NZD 600 a day"))
            try:
                yield
            finally:
                self.document.write_bytes(text)
        elif self.kind == NO_TIME:
            with override_settings(PORTAL_TURN_DEADLINE=1e-9):
                yield
        else:
            with override_settings(PORTAL_DAILY_TOKENS=1):
                yield

    def _refuse(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """In the turn's commit, every row of the waiting list, or the first write to one table, is refused."""
        is_write = sql.startswith(("INSERT", "UPDATE")) and f'"{self.table}"' in sql[:60]
        is_due = self.armed and is_write and _depth() > self.outside and (self.kind == WAITING or not self.hit)
        if is_due:
            self.hit = True
            raise DatabaseError("planted")
        return execute(sql, params, many, context)


def _depth() -> int:
    """How many transactions, one in the other, the connection stands in."""
    return len(connection.savepoint_ids) + connection.in_atomic_block
