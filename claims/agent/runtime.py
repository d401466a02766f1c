"""One turn with a model: plan, lookup, answer; at most four calls, one repair, one deadline.

It knows no database and no provider: the lookup and the model come in. Whatever the model does, the result is a
`TurnResult`; a reply that did not pass the checks is not in it. No transaction is open while this runs.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

from claims.agent import tools
from claims.agent.checks import Ground, Segment, check, legal_answer
from claims.agent.decision_net import asks_for_decision
from claims.agent.evidence import Context, Evidence
from claims.agent.facts import HeardFact, hear
from claims.agent.model import ModelFault, ModelReply, ModelUnavailable, ToolCall
from claims.agent.prompt import Messages, first_messages, repair_messages
from claims.agent.tools import Plan, Refused, Tool, Violation
from claims.agent.vocabulary import Code, Guidance, Kind, Stage
from knowledge.answers import MAX_CLAUSE_IDS, DirectoryLine, Fetched, OpenRelease, Unavailable

MAX_CALLS = 4
MAX_TOKENS = 12_000
RETRY_PAUSE_SECONDS = 0.5
KEPT_RAW_CHARACTERS = 20_000

T = TypeVar("T")


class Ask(Protocol):
    """One request to a model. Raises ModelFault; ends within `seconds`."""

    def __call__(self, messages: Messages, tool: Tool, seconds: float) -> ModelReply: ...


class Lookup(Protocol):
    """The knowledge base in this claim's scope and on its day; one release for the whole turn."""

    def open(self) -> tuple[OpenRelease, tuple[DirectoryLine, ...]] | Unavailable: ...

    def fetch(self, release: OpenRelease, clause_ids: tuple[str, ...]) -> Fetched | Unavailable: ...


@dataclass(frozen=True)
class CallRecord:
    step: str
    ms: int
    tokens_in: int | None
    tokens_out: int | None
    cached: int | None
    error: str | None
    model: str | None
    raw: dict[str, Any]


@dataclass(frozen=True)
class TurnResult:
    """What a turn gave. `evidence` is None when nothing was looked up; `segments` passed every check."""

    plan: Plan | None = None
    wants_decision: bool = False
    heard: tuple[HeardFact, ...] = ()
    release: OpenRelease | None = None
    directory: tuple[DirectoryLine, ...] | None = None
    requested: tuple[str, ...] | None = None
    evidence: Evidence | None = None
    segments: tuple[Segment, ...] = ()
    violations: tuple[Violation, ...] = ()
    repaired: bool = False
    failed: bool = False
    over_budget: bool = False
    calls: tuple[CallRecord, ...] = ()


class _GaveUp(Exception):
    """The turn ends in the safe reply: a second violation, a provider's fault, the deadline or the call limit."""


@dataclass
class _Turn:
    context: Context
    ask: Ask
    deadline: float
    clock: Callable[[], float]
    on_stage: Callable[[Stage], None]
    pause: Callable[[float], object]
    max_tokens: int
    result: TurnResult = field(default_factory=TurnResult)
    retried: bool = False

    def update(self, **values: Any) -> None:
        self.result = replace(self.result, **values)

    def note(self, *violations: Violation) -> None:
        self.update(violations=self.result.violations + violations)

    def step(self, tool: Tool, messages: Messages, read: Callable[[str], T], legal: str) -> T:
        """One request, and the turn's one repair when its answer is refused."""
        while True:
            reply = self._call(tool, messages)
            call: ToolCall | None = None
            try:
                call = _only_call(reply, tool)
                return read(call.arguments)
            except Refused as refused:
                self.note(*refused.violations)
                if self.result.repaired:
                    raise _GaveUp from refused
                self.update(repaired=True)
                messages = messages + repair_messages(
                    call.id if call else None,
                    tools.name_of(tool),
                    call.arguments if call else "",
                    refused.violations,
                    legal,
                )

    def _call(self, tool: Tool, messages: Messages) -> ModelReply:
        step = tools.name_of(tool)
        seconds = self.deadline - self.clock()
        spent = sum((call.tokens_in or 0) + (call.tokens_out or 0) for call in self.result.calls)
        if seconds <= 0 or len(self.result.calls) >= MAX_CALLS or spent >= self.max_tokens:
            self.note(Violation(Code.OVER_LIMIT, "the turn's time, calls or tokens were used up"))
            raise _GaveUp
        started = self.clock()
        try:
            reply = self.ask(messages, tool, seconds)
        except ModelFault as fault:
            self._record(CallRecord(step, self._ms(started), None, None, None, type(fault).__name__, None, {}))
            self.note(Violation(Code.PROVIDER, type(fault).__name__))
            if not self._may_retry(fault):
                raise _GaveUp from fault
            self.retried = True
            self.pause(RETRY_PAUSE_SECONDS)
            return self._call(tool, messages)
        raw = {
            "calls": [{"name": c.name, "arguments": c.arguments[:KEPT_RAW_CHARACTERS]} for c in reply.calls[:8]],
            "content": (reply.content or "")[:KEPT_RAW_CHARACTERS],
            "finish_reason": reply.finish_reason,
        }
        self._record(
            CallRecord(step, self._ms(started), reply.tokens_in, reply.tokens_out, reply.cached, None, reply.model, raw)
        )
        return reply

    def _may_retry(self, fault: ModelFault) -> bool:
        """Once a turn, for a fault that may pass, and only where the pause leaves some of the turn's time."""
        is_passing = isinstance(fault, ModelUnavailable) and fault.passing
        return is_passing and not self.retried and self.clock() + RETRY_PAUSE_SECONDS < self.deadline

    def _record(self, record: CallRecord) -> None:
        self.update(calls=(*self.result.calls, record))

    def _ms(self, started: float) -> int:
        return round((self.clock() - started) * 1000)


def run_turn(
    *,
    context: Context,
    family_confirmed: bool,
    lookup: Lookup,
    ask: Ask,
    seconds: float,
    on_stage: Callable[[Stage], None] = lambda stage: None,
    max_tokens: int = MAX_TOKENS,
    clock: Callable[[], float] = time.monotonic,
    pause: Callable[[float], object] = time.sleep,
) -> TurnResult:
    """Run one turn within `seconds`. Never raises for anything that a model or a provider does.

    A provider that is overloaded or failing (429, 5xx) is asked once more in a turn; that is one of its four calls.
    """
    turn = _Turn(context, ask, clock() + seconds, clock, on_stage, pause, max_tokens)
    try:
        _plan(turn)
        if _is_lookup(turn.result) and family_confirmed:
            _look_up_and_answer(turn, lookup)
    except _GaveUp:
        turn.update(failed=True, segments=())
    return turn.result


def _is_lookup(result: TurnResult) -> bool:
    return result.plan is not None and result.plan.kind is Kind.QUESTION


def _plan(turn: _Turn) -> None:
    turn.on_stage(Stage.PLANNING)
    context = turn.context
    # The server's own net does not depend on the plan: it holds when the model's answer is refused, too.
    turn.update(wants_decision=asks_for_decision(context.message))
    kinds = f"kind: {', '.join(Kind)}; wants_decision: true or false; facts: a list, empty when none"
    plan = turn.step(tools.PLAN, first_messages(tools.PLAN, context), tools.read_plan, kinds)
    heard, dropped = hear(context.message, plan.facts, context.facts, context.today)
    turn.note(*dropped)
    turn.update(plan=plan, heard=heard, wants_decision=turn.result.wants_decision or plan.wants_decision)


def _look_up_and_answer(turn: _Turn, lookup: Lookup) -> None:
    turn.on_stage(Stage.LOOKING_UP)
    context = turn.context
    opened = lookup.open()
    if isinstance(opened, Unavailable):
        turn.update(evidence=Evidence(context.schedule, Guidance.UNAVAILABLE, missing=opened.reason))
        return
    release, directory = opened
    turn.update(release=release, directory=directory)
    messages = first_messages(tools.CONTEXT_RESOLVE, context, directory)
    legal = f"clause_ids: none to {MAX_CLAUSE_IDS} ids of policy_clause_directory"
    requested = turn.step(tools.CONTEXT_RESOLVE, messages, tools.read_clause_ids, legal)
    turn.update(requested=requested)
    evidence = _evidence(context, release, lookup.fetch(release, requested) if requested else None)
    turn.update(evidence=evidence)
    if evidence.guidance is not Guidance.UNAVAILABLE:
        _answer(turn, directory, evidence)


def _evidence(context: Context, release: OpenRelease, fetched: Fetched | Unavailable | None) -> Evidence:
    if fetched is None:
        return Evidence(context.schedule, Guidance.NO_CLAUSE_SELECTED, release_codes=release.codes)
    if isinstance(fetched, Unavailable):
        return Evidence(context.schedule, Guidance.UNAVAILABLE, missing=fetched.reason)
    guidance = Guidance.OK if fetched.clauses else Guidance.NOT_FOUND
    return Evidence(context.schedule, guidance, fetched.clauses, fetched.not_found, release.codes)


def _answer(turn: _Turn, directory: tuple[DirectoryLine, ...], evidence: Evidence) -> None:
    turn.on_stage(Stage.ANSWERING)
    context = turn.context
    ground = Ground(
        evidence=evidence,
        written=frozenset(fact.field for fact in turn.result.heard),
        confirmed=frozenset(fact.field for fact in context.facts if fact.confirmed),
    )

    def read(arguments: str) -> tuple[Segment, ...]:
        turn.on_stage(Stage.CHECKING)
        return check(tools.read_segments(arguments), ground)

    messages = first_messages(tools.ANSWER, context, directory, evidence)
    turn.update(segments=turn.step(tools.ANSWER, messages, read, legal_answer(evidence)))


def _only_call(reply: ModelReply, tool: Tool) -> ToolCall:
    """The one call of the step's tool; text beside it is kept and never shown. Raises Refused (V1, V2, V9)."""
    if reply.finish_reason in {"length", "content_filter"}:
        raise Refused(Violation(Code.PROVIDER, "the output was cut or filtered"))
    if not reply.calls:
        raise Refused(Violation(Code.NO_TOOL_CALL, "the tool was not called"))
    if len(reply.calls) > 1:
        raise Refused(Violation(Code.MALFORMED, "exactly one tool call is taken"))
    call = reply.calls[0]
    if call.name != tools.name_of(tool):
        raise Refused(Violation(Code.MALFORMED, "this tool is not offered in this step"))
    return call
