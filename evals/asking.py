"""Asking one question or playing one scenario, and what is kept of it.

What is written down on the way (the claim, before anything is said in it) is the journal's: an attempt that broke off
goes on in the same claim with the same keys, so nothing is asked twice.
"""

import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol

from evals.clause_parts import ClauseIndex
from evals.driver import Call
from evals.observation import kept_of
from evals.reply_checks import check_reply
from evals.scenarios import FACT, FACT_VALUE, Scenario
from evals.talk import CannotMeasure, Talk, check_came_about, open_talk

RECOVERY_TURNS = 15
Seen = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """One repetition of one question or scenario. `claim` and `token` are of an attempt that broke off, else empty."""

    result_id: int
    name: str
    repetition: int
    policy_number: str
    postcode: str
    texts: tuple[str, ...]
    key: str
    claim: str = ""
    token: str = ""


class Journal(Protocol):
    """Where a run writes down what it does, before and after."""

    def opened(self, task: Task, claim: str, token: str) -> None: ...

    def measured(self, task: Task, seen: Mapping[str, Any]) -> None: ...

    def unknown(self, task: Task, reason: str) -> None: ...


@dataclass(frozen=True)
class Asker:
    """What asking needs: the way to the product, staff's token, the documents' clauses, the journal.

    `slot` bounds how many turns are being answered at once.
    """

    call: Call
    staff_token: str
    index: ClauseIndex
    journal: Journal
    slot: AbstractContextManager[Any] = field(default_factory=nullcontext)

    def ask(self, task: Task) -> None:
        """Say the task's texts in one claim and keep the record of the last turn.

        Unknown, with the reason, when the claim cannot be opened, its schedule is not there, or a turn did not come
        about: not answered in time, the model's provider failed, the wording could not be looked up.
        """
        try:
            talk = self._talk(task)
            for number, text in enumerate(task.texts):
                record = talk.say(text, number)
                check_came_about(record)
            seen = self._seen(talk, record)
        except CannotMeasure as reason:
            self.journal.unknown(task, str(reason))
        # Whatever else breaks on the way is no finding about the answer; its kind is kept, and the run goes on.
        except Exception as error:
            self.journal.unknown(task, f"{type(error).__name__}: {error}")
        else:
            self.journal.measured(task, seen)

    def prepare(self, task: Task) -> Talk:
        """A claim with a fact that the customer confirmed, for the scenario without a store. Raises CannotMeasure."""
        if task.claim:
            raise CannotMeasure("the run broke off while the store was stopped")
        talk = self._talk(task)
        talk.set_fact(FACT, FACT_VALUE)
        return talk

    def ask_without_store(self, scenario: Scenario, talk: Talk) -> Seen:
        """Raises CannotMeasure."""
        record = talk.say(scenario.text, 0)
        check_came_about(record, may_be_unavailable=True)
        return self._seen(talk, record)

    def ask_again(self, scenario: Scenario, talk: Talk, pause: float) -> Seen:
        """The first turn that is not `unavailable` any more, or the last of those that still were.

        A store that was started may take some seconds to serve. Raises CannotMeasure.
        """
        for number in range(1, RECOVERY_TURNS + 1):
            record = talk.say(scenario.text, number)
            check_came_about(record, may_be_unavailable=True)
            if record["turn"]["outcome"] != "unavailable":
                break
            time.sleep(pause)
        return kept_of(record)

    def _talk(self, task: Task) -> Talk:
        if task.claim:
            return Talk(self.call, self.staff_token, task.claim, task.token, task.key, self.slot)
        policy = {"policy_number": task.policy_number, "postcode": task.postcode}
        talk = open_talk(self.call, self.staff_token, **policy, key=task.key, slot=self.slot)
        self.journal.opened(task, talk.reference, talk.token)
        return talk

    def _seen(self, talk: Talk, record: Mapping[str, Any]) -> Seen:
        kept, claim = kept_of(record), talk.claim()
        shown = {name: claim[name] for name in ("schedule", "facts", "waiting")}
        return {"record": kept, "claim": shown, "checks": check_reply(kept, claim["facts"], self.index)}
