"""The engine that Django loads by its name: PostgreSQL with the bounds of `bounds`."""

from types import SimpleNamespace
from typing import Any

import psycopg
from django.db.backends.postgresql import base

from portal.postgresql.bounds import HEALTH_SECONDS, bound, longest_wait


class _Connection(psycopg.Connection[Any]):
    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for an answer, and give the connection up when it does not come: it could answer the next question."""
        seconds = bound()
        if timeout is not None or seconds is None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, seconds)
        except psycopg.errors._WaitTimeout as error:
            self.pgconn.finish()
            raise psycopg.OperationalError(f"the database did not answer within {seconds:g} s") from error


class DatabaseWrapper(base.DatabaseWrapper):
    Database = SimpleNamespace(**{**vars(psycopg), "connect": _Connection.connect})  # type: ignore[assignment]

    def is_usable(self) -> bool:
        """A connection that was kept is asked briefly, so that a new one still fits into the time of a request."""
        token = longest_wait.set(None if bound() is None else HEALTH_SECONDS)
        try:
            return bool(super().is_usable())
        finally:
            longest_wait.reset(token)
