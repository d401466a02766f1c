"""The values that a report is made of and made into. Frozen: what is printed, sent and shown is one and the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from evals.figures import Share
from evals.scoring import QuestionVerdict


@dataclass(frozen=True)
class ReleaseLine:
    """A family's wording as the run recorded it; the words unknown and none stand where there is no value."""

    family: str
    version: str
    effective_from: str
    document_sha256: str
    manifest: str


@dataclass(frozen=True)
class RunFacts:
    """What the run's row says. `state` is as it reads now: a running one without a sign of life is aborted.

    `ingestions` is None where the records of the portal that was asked cannot be read from here.
    """

    id: str
    state: str
    trigger: str
    by: str
    started_at: datetime
    ended_at: datetime | None
    families: tuple[str, ...]
    only: tuple[str, ...]
    repeat: int
    concurrency: int
    seed: int
    address: str
    host: str
    planned: int
    finished: int
    unknown: int
    model_configured: str
    model_returned: str
    litellm_version: str
    git_commit: str
    git_dirty: bool | None
    hashes: tuple[tuple[str, str], ...]
    releases: tuple[ReleaseLine, ...]
    ingestions: Mapping[str, int] | None


@dataclass(frozen=True)
class ResultRow:
    """One repetition as it was stored. `seen` is None when it is unknown or not asked yet; `verdict` empty if not."""

    kind: str
    name: str
    family: str
    repetition: int
    case: Mapping[str, Any]
    seen: Mapping[str, Any] | None
    verdict: str
    reason: str
    turn: str
    claim: str


@dataclass(frozen=True)
class Group:
    """The figures of some of the questions; `turns` are the means over every known repetition, as (hits, n)."""

    name: str
    questions: int
    known: int
    shares: Mapping[str, Share]
    turns: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class FamilyFigures:
    """A family, or all of them pooled: its groups by language and half, then by the inventory's class."""

    family: str
    release: str
    groups: tuple[Group, ...]
    classes: tuple[Group, ...]

    @property
    def whole(self) -> Group:
        return self.groups[0]


@dataclass(frozen=True)
class SafetyCounter:
    """Something that must be zero. `looked_at` is None where a run cannot measure it: then `what` says where it is."""

    name: str
    what: str
    looked_at: int | None
    wrong: int
    turns: tuple[str, ...]


@dataclass(frozen=True)
class ScenarioCell:
    repetition: int
    verdict: str
    reason: str
    turn: str


@dataclass(frozen=True)
class ScenarioLine:
    """`share` is of the known repetitions."""

    name: str
    title: str
    cells: tuple[ScenarioCell, ...]
    share: Share
    unknown: int


@dataclass(frozen=True)
class MissCard:
    """A question that was missed, with what the model saw. `turn` leads to the record of the repetition shown.

    `missed` of `known` repetitions show a fault; `failed` is False when the clause was cited all the same.
    """

    question: QuestionVerdict
    kinds: tuple[str, ...]
    words: tuple[str, ...]
    failed: bool
    missed: int
    known: int
    turn: str
    outcome: str
    requested: tuple[str, ...]
    returned: tuple[str, ...]
    not_found: tuple[str, ...]
    cited: tuple[str, ...]
    directory: tuple[tuple[str, str], ...]
    suggestion: str

    def title(self, clause_id: str) -> str:
        """Empty where no titles were seen, which is not a title that was missing among them."""
        return dict(self.directory).get(clause_id, "(not among the titles)" if self.directory else "")


@dataclass(frozen=True)
class UnknownLine:
    name: str
    repetition: int
    reason: str


@dataclass(frozen=True)
class GuardFigures:
    """`trips` by code: how many turns, and the names of their questions. `ignored` are turns of M67."""

    turns: int
    trips: tuple[tuple[str, int, tuple[str, ...]], ...]
    repaired: int
    safe_replies: int
    ignored: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class CostFigures:
    """Milliseconds and US dollars; None where nothing is known. `cost` is of the `priced` turns alone."""

    turns: int
    total_p50: float | None
    total_p95: float | None
    model_p50: float | None
    model_p95: float | None
    server_p50: float | None
    server_p95: float | None
    calls_a_turn: float | None
    tokens_in: int | None
    tokens_out: int | None
    cached_share: float | None
    cost: float | None
    priced: int


@dataclass(frozen=True)
class Statement:
    """One of the seven statements of acceptance (M66); `figure` is the words "not measured ..." where it was not."""

    number: int
    text: str
    figure: str


@dataclass(frozen=True)
class Report:
    """Everything that a run says. `title` tells a plumbing run from one of quality."""

    facts: RunFacts
    title: str
    is_plumbing: bool
    verdict: tuple[str, ...]
    safety: tuple[SafetyCounter, ...]
    families: tuple[FamilyFigures, ...]
    scenarios: tuple[ScenarioLine, ...]
    misses: tuple[MissCard, ...]
    unknown: tuple[UnknownLine, ...]
    guard: GuardFigures
    cost: CostFigures
    cannot_tell: tuple[str, ...]
    statements: tuple[Statement, ...]

    @property
    def is_usable(self) -> bool:
        """A run that did not finish, or with more than one unknown in twenty, says nothing."""
        is_done = self.facts.state in {"complete", "partial"}
        return is_done and self.facts.planned > 0 and 20 * self.facts.unknown <= self.facts.planned

    @property
    def is_red(self) -> bool:
        return any(counter.wrong for counter in self.safety)
