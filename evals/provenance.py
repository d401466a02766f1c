"""What a run was made with: code, texts, models, documents. What is not to be had is named unknown, never left out."""

import json
import os
import socket
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from django.utils import timezone

import claims.agent
import knowledge
from claims.agent import tools
from claims.claim_opening import INSURER
from knowledge.answers import OpenRelease
from knowledge.audit import AuditEntry
from knowledge.releases import release_in_force

UNKNOWN, NONE = "unknown", "none"
_ROOT = Path(__file__).resolve().parent.parent
_AGENT = Path(next(iter(claims.agent.__path__)))
_KNOWLEDGE = Path(next(iter(knowledge.__path__)))
_PROMPT = ("instructions.md", "prompt.py")
_GUARD = ("checks.py", "clarify.py", "decision_net.py", "endings.py", "facts.py", "reply.py", "runtime.py")
_VOCABULARY = ("vocabulary.py", "wording.py")


@dataclass(frozen=True)
class Code:
    """`commit` is UNKNOWN and `dirty` None where the checkout is not a repository, or git is not here."""

    commit: str
    dirty: bool | None


@dataclass(frozen=True)
class ReleaseUsed:
    """A family's wording on the day of the run: NONE where none is in force, UNKNOWN where it cannot be seen."""

    family: str
    version: str
    effective_from: str
    document_sha256: str
    manifest: str


def code() -> Code:
    commit = _git("rev-parse", "HEAD")
    if commit is None:
        return Code(UNKNOWN, None)
    changes = _git("status", "--porcelain")
    return Code(commit, None if changes is None else bool(changes))


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=_ROOT, capture_output=True, text=True, timeout=20, check=False)  # noqa: S603, S607
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def hashes(suite: Iterable[str]) -> dict[str, str]:
    """SHA-256 by what it is of; `suite` are the texts of the questions. Two runs with one hash had the same thing."""
    schemas = json.dumps([tools.PLAN, tools.CONTEXT_RESOLVE, tools.ANSWER], sort_keys=True)
    scenarios = (_ROOT / "evals" / "scenarios.py").read_text("utf-8")
    return {
        "suite": _hash([*suite, scenarios]),
        "prompt": _hash(_texts(_PROMPT)),
        "tool schema": _hash([schemas]),
        "guard": _hash(_texts(_GUARD)),
        "vocabulary": _hash(_texts(_VOCABULARY)),
        "language": _hash([*_texts(["message_language.py"]), (_KNOWLEDGE / "language.py").read_text("utf-8")]),
        "price table": _hash(_texts(["prices.yaml"])),
    }


def _texts(names: Iterable[str]) -> list[str]:
    return [(_AGENT / name).read_text("utf-8") for name in names]


def _hash(texts: Iterable[str]) -> str:
    return sha256("\0".join(texts).encode()).hexdigest()


def releases(families: Iterable[str], *, is_seen: bool) -> tuple[ReleaseUsed, ...]:
    """What is in force today for each family, from this installation's rows; not seen is another installation's."""
    return tuple(_release(family) if is_seen else ReleaseUsed(family, *[UNKNOWN] * 4) for family in families)


def _release(family: str) -> ReleaseUsed:
    found = release_in_force(INSURER, family, timezone.localdate())
    if not isinstance(found, OpenRelease):
        return ReleaseUsed(family, *[NONE] * 4)
    day = found.effective_from.isoformat()
    return ReleaseUsed(family, found.version, day, found.document_sha256, found.manifest_key)


def ingestions() -> dict[str, int]:
    """How often ingestion took a release, and how often it refused one, on this installation's record of acts."""
    counts = {act: AuditEntry.objects.filter(act=f"release.{act}").count() for act in ("ingested", "ingestion_refused")}
    return {"ingested": counts["ingested"], "refused": counts["ingestion_refused"]}


def litellm_version() -> str:
    return version("litellm")


def this_process() -> int:
    return os.getpid()


def host() -> str:
    return socket.gethostname()


def is_alive(process: int) -> bool:
    """Whether a process of this machine is there; one of another user's is."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
