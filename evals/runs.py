"""A run: begun or taken up, carried out, ended; and its report.

Questions and the scenarios with a store come first, `concurrency` at a time. The store is stopped when nothing else is
being asked, for as many repetitions at once as there may be.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from secrets import randbelow
from threading import BoundedSemaphore
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from knox.models import AuthToken

from claims.answering import configured_model
from evals import recording
from evals.asking import Asker, Seen, Task
from evals.cases import InventoryError, chosen, read_cases
from evals.clause_parts import ClauseIndex, index_clauses
from evals.crew import Crew
from evals.driver import Call
from evals.models import Result, Run
from evals.outage import CannotStop, Outage, stopped
from evals.recording import CannotRun, Plan, Recorder
from evals.scenarios import FAMILY, STORE_STOPPED, scenario
from evals.talk import CannotMeasure, Talk
from knowledge import audit
from knowledge.clause_text import DocumentError
from knowledge.roles import Role, has_role
from knowledge.seeding import CONTENT

TOKEN_LIFE = timedelta(hours=12)
SCENARIO_REPEAT = 5
RECOVERY_SECONDS = 2.0
MAX_REPEAT, MAX_CONCURRENCY, MAX_SEED = 20, 64, 2**31 - 1
PARTS = Path(__file__).parent / "expected_parts.yaml"


@dataclass(frozen=True)
class Wanted:
    """What a caller asks for. `repeat` None: questions once, scenarios five times. `seed` None: a new one."""

    family: str | None = None
    only: tuple[str, ...] = ()
    repeat: int | None = None
    scenarios_only: bool = False
    concurrency: int = 1
    seed: int | None = None
    address: str = ""


@dataclass(frozen=True)
class Means:
    """How the product is reached and how its store is stopped; `staff_token` is a manager's or an operator's."""

    call: Call
    staff_token: str
    outage: Outage


def make_plan(wanted: Wanted) -> Plan:
    """Raises CannotRun for what cannot be asked."""
    _check_numbers(wanted)
    texts = _suite()
    try:
        every = read_cases(*texts)
        cases = chosen(every, wanted.family, wanted.only)
    except InventoryError as error:
        raise CannotRun(str(error)) from error
    with_scenarios = wanted.family in (None, FAMILY) and not wanted.only
    if wanted.scenarios_only and not with_scenarios:
        raise CannotRun(f"The scenarios are about {FAMILY} and are played whole: leave out --family and --only.")
    scenarios = (wanted.repeat or SCENARIO_REPEAT) if with_scenarios else 0
    asked = () if wanted.scenarios_only else cases
    families = (FAMILY,) if wanted.scenarios_only else tuple(dict.fromkeys(case.family for case in cases))
    return Plan(
        cases=asked,
        every=every,
        repeat=wanted.repeat or 1,
        scenarios=scenarios,
        families=families,
        only=wanted.only,
        concurrency=wanted.concurrency,
        seed=randbelow(MAX_SEED) if wanted.seed is None else wanted.seed,
        address=wanted.address,
        model="" if wanted.address else configured_model().label,
        suite=texts,
    )


def _check_numbers(wanted: Wanted) -> None:
    bounds = (
        ("repeat", 1 if wanted.repeat is None else wanted.repeat, 1, MAX_REPEAT),
        ("concurrency", wanted.concurrency, 1, MAX_CONCURRENCY),
        ("seed", wanted.seed or 0, 0, MAX_SEED),
    )
    for name, value, least, most in bounds:
        if not least <= value <= most:
            raise CannotRun(f"--{name} is a whole number from {least} to {most}, not {value}.")


def _suite() -> tuple[str, str]:
    """The question inventory that comes with the product, and the parts that its answers should show."""
    try:
        return (CONTENT / "inventory.yaml").read_text(encoding="utf-8"), PARTS.read_text(encoding="utf-8")
    except OSError as error:
        raise CannotRun(f"The question inventory cannot be read: {error}") from error


def clause_index() -> ClauseIndex:
    """The clauses of the documents that come with the product, by hash. One that was edited since is not among them."""
    try:
        return index_clauses(path.read_text(encoding="utf-8") for path in sorted(CONTENT.glob("*/*.md")))
    except (OSError, DocumentError) as error:
        raise CannotRun(f"The policy documents cannot be read: {error}") from error


def begin_run(plan: Plan, *, trigger: str, by: User | None) -> UUID:
    return recording.begin(plan=plan, trigger=trigger, by=by, now=timezone.now())


def take_up_run(run_id: UUID) -> Run:
    """Go on with a run that died. Raises CannotRun."""

    def made(run: Run) -> recording.Made:
        plan = make_plan(Wanted(address=run.address))
        return recording.made_with(replace(plan, families=tuple(run.families)))

    return recording.take_up(run_id, made=made, model=configured_model().label, now=timezone.now())


def adopt_run(run_id: UUID) -> str:
    """Make a planned run this process's, and give the login that began it. Raises CannotRun when it is another's."""
    return recording.adopt(run_id, now=timezone.now())


def carry_out(
    run_id: UUID, means: Means, on_result: Callable[[Task, str, str], None] = lambda task, verdict, reason: None
) -> None:
    """Ask what the run has not asked yet, and end it; what breaks it off leaves it aborted, to be taken up again."""
    is_whole = False
    try:
        run = Run.objects.get(pk=run_id)
        recorder = Recorder(run_id, on_result)
        crew = Crew(recorder, _threads(run.concurrency))
        slots = BoundedSemaphore(run.concurrency)
        asker = Asker(means.call, means.staff_token, clause_index(), crew.journal, slots)
        waiting = recording.tasks_of(run_id)
        without = [task for task, kind in waiting if kind == Result.Kind.SCENARIO and task.name == STORE_STOPPED]
        with_store = [task for task, _ in waiting if task not in without]
        # The longest conversations first, so that none is left alone at the end; the order is the seed's otherwise.
        crew.each([_asking(asker, task) for task in sorted(with_store, key=lambda task: -len(task.texts))])
        for first in range(0, len(without), run.concurrency):
            _play_without_store(crew, recorder, asker, means.outage, without[first : first + run.concurrency])
        is_whole = True
    finally:
        recording.end(run_id, is_whole=is_whole, now=timezone.now())


def _threads(concurrency: int) -> int:
    """A quarter more than turns may be answered at once: they open claims and read records meanwhile."""
    return 1 if concurrency == 1 else concurrency + math.ceil(concurrency / 4)


def _asking(asker: Asker, task: Task) -> Callable[[], None]:
    return lambda: asker.ask(task)


def _play_without_store(crew: Crew, recorder: Recorder, asker: Asker, outage: Outage, tasks: Sequence[Task]) -> None:
    """One outage for these repetitions: claims opened before it, a question in it, and one after it."""
    play = _StoreStopped(asker, {}, {})
    crew.each([play.guarded(task, play.prepare) for task in tasks])
    try:
        with stopped(outage):
            crew.each([play.guarded(task, play.ask) for task in play.going])
    except CannotStop as reason:
        for task in play.going:
            recorder.unknown(task, str(reason))
        return
    crew.each([play.guarded(task, play.ask_again) for task in play.going])


@dataclass(frozen=True)
class _StoreStopped:
    """The scenario's steps for several repetitions; one that became unknown has no talk any more."""

    asker: Asker
    talks: dict[Task, Talk]
    seen: dict[Task, Seen]

    @property
    def going(self) -> tuple[Task, ...]:
        return tuple(self.talks)

    def prepare(self, task: Task) -> None:
        self.talks[task] = self.asker.prepare(task)

    def ask(self, task: Task) -> None:
        self.seen[task] = self.asker.ask_without_store(scenario(task.name), self.talks[task])

    def ask_again(self, task: Task) -> None:
        again = self.asker.ask_again(scenario(task.name), self.talks[task], RECOVERY_SECONDS)
        self.asker.journal.measured(task, {**self.seen[task], "again": again})

    def guarded(self, task: Task, step: Callable[[Task], None]) -> Callable[[], None]:
        """A step after which the repetition goes on, or is unknown whatever broke it."""

        def act() -> None:
            try:
                step(task)
            except Exception as error:
                self.talks.pop(task, None)
                reason = str(error) if isinstance(error, CannotMeasure) else f"{type(error).__name__}: {error}"
                self.asker.journal.unknown(task, reason)

        return act


@contextmanager
def token_of(login: str) -> Iterator[str]:
    """A staff token of this login for the time of a run, revoked after it. Raises CannotRun."""
    user = runner(login)
    with transaction.atomic():
        row, token = AuthToken.objects.create(user=user, expiry=TOKEN_LIFE)
        audit.record("token.create", by=user, subject=login, detail={"key": row.token_key, "for": "evaluation"})
    try:
        yield token
    finally:
        with transaction.atomic():
            audit.record("token.revoke", by=user, subject=login, detail={"key": row.token_key, "for": "evaluation"})
            row.delete()


def runner(login: str) -> User:
    """The login that a run is asked by. Raises CannotRun when it is no manager's or operator's."""
    user = User.objects.filter(username=login, is_active=True).first()
    if user is None or not has_role(user, Role.MANAGER, Role.OPERATOR):
        raise CannotRun(f"There is no active login {login} that is a manager or an operator. Name one with --by.")
    return user
