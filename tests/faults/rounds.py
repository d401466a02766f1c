"""Rounds of the same fault, for the tests (few) and for the benchmarks (many)."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.bench import ledger
from tests.bench.stack import Stack

PLAIN = "Does my policy include a rental car, asked as number {}?"
DECISION = "Will Northwind pay for my rental car, asked as number {}?"
# A lease that has to run out, the sweep that finds it, and the turn itself.
SETTLE_SECONDS = 20.0


@dataclass
class Killed:
    """What happened in the rounds; `faults` is empty when every promise held."""

    rounds: int = 0
    messages: int = 0
    hit_a_running_turn: int = 0
    attempts: dict[int, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def kill_at_random(stack: Stack, *, rounds: int, seed: int, say: Callable[[str], object] = lambda text: None) -> Killed:
    """SIGKILL a worker at a random moment of its work, `rounds` times; the next round's worker finds what it left."""
    dice = random.Random(seed)
    killed = Killed()
    posted = []
    for number in range(rounds):
        with stack.worker("victim") as worker:
            if number:
                ledger.settled(stack.database_url, seconds=SETTLE_SECONDS)
                # Looked at each time, so that a run which is cut short has told what it found.
                killed.faults = ledger.faults(stack.database_url, posted)
            if killed.faults:
                return killed
            talks = [stack.web.open_claim() for _ in range(3)]
            for place, talk in enumerate((*talks, talks[0])):
                posted.append(talk.say((DECISION if place % 2 else PLAIN).format(f"{number}-{place}")))
                talk.close()
            moment = dice.uniform(0, 1.6)
            time.sleep(moment)
            worker.kill()
        states = ledger.turns(stack.database_url, [talk.reference for talk in talks])
        killed.hit_a_running_turn += any(turn.status == "running" for turn in states)
        left = ", ".join(sorted(turn.status for turn in states))
        say(f"round {number + 1}: nothing wrong so far; killed after {moment:.2f} s, which left {left}")
    with stack.worker("healthy"):
        settled = ledger.settled(stack.database_url, seconds=SETTLE_SECONDS)
    mine = [turn for turn in settled if turn.reference in {post.reference for post in posted}]
    for turn in mine:
        killed.attempts[turn.attempts] = killed.attempts.get(turn.attempts, 0) + 1
    killed.rounds, killed.messages = rounds, len(posted)
    killed.faults = ledger.faults(stack.database_url, posted)
    return killed
