"""The values that the rest of the portal gets from the knowledge base: never a row, never a loose dict.

Every kind of nothing has its own name here. How an answer is found is the business of `releases` and `lookup`.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from knowledge.clause_text import ClauseText

MAX_CLAUSE_IDS = 3
"""How many clauses one lookup may name (M14, M19); the only place where this number stands (M23)."""

MAX_CLAUSE_CHARACTERS = 1500
"""How long a clause's text may be, in code points (M49). A longer one is refused when written, never cut when read."""


class Audience(StrEnum):
    """Who is asking. Staff see what customers see, and documents for staff."""

    CUSTOMER = "customer"
    STAFF = "staff"


class Missing(StrEnum):
    """Why there is no clause text to be had."""

    NO_RELEASE = "no_release"
    BEFORE_FIRST = "before_first"
    STORE = "store"
    MISMATCH = "mismatch"


@dataclass(frozen=True)
class Scope:
    """What may be seen in one turn (M17): one insurer, one family, one audience. Codes, not names."""

    insurer: str
    family: str
    audience: Audience


@dataclass(frozen=True)
class OpenRelease:
    """The release that is in force on a day. `codes` are the schedule codes that its clauses depend on.

    The last two name the objects it was published as; the manifest's key holds the manifest's own hash.
    """

    id: int
    family: str
    version: str
    effective_from: date
    document_id: str
    codes: tuple[str, ...]
    document_sha256: str = ""
    manifest_key: str = ""


@dataclass(frozen=True)
class Unavailable:
    """The knowledge base cannot answer now; not the same as an answer without clauses."""

    reason: Missing


@dataclass(frozen=True)
class DirectoryLine:
    """A clause that can be fetched, by its title."""

    clause_id: str
    title: str


@dataclass(frozen=True)
class IngestedClause:
    """What the rows of a release keep of a clause: the SHA-256 of its text, and its plain lines."""

    sha256: str
    plain: tuple[str, ...]


@dataclass(frozen=True)
class FetchedClause:
    """A clause, whole (M15). `sha256` is of its text and was checked against the text that is here."""

    version: str
    document_id: str
    sha256: str
    clause: ClauseText


@dataclass(frozen=True)
class Fetched:
    """The clauses in the order asked for, each once; and the ids that are unknown or out of scope (M18)."""

    clauses: tuple[FetchedClause, ...]
    not_found: tuple[str, ...]
