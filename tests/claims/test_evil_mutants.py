"""Each guard of `guards.md` 2.8 switched off in turn: the run of `test_evil_provider.py` must fail, by its property.

A mutant that survives means that an oracle is missing.
"""

import json
from dataclasses import replace

import pytest
from django.utils import timezone

from claims import answering, turn_commit
from claims.agent import checks, reply, runtime
from claims.agent.evidence import HistoryTurn, Schedule
from claims.agent.tools import Refused, name_of
from claims.models import Turn
from knowledge.answers import Audience, Fetched, Scope
from knowledge.lookup import fetch_clauses
from knowledge.models import Release
from knowledge.releases import opened
from tests.claims.evil_run import EvilRun, asked_instead
from tests.claims.oracle import Broken
from tests.evil import MOODS, EvilProvider

pytestmark = [pytest.mark.usefixtures("portal"), pytest.mark.thorough]

SEED = 20_261_130
WITHIN, FEW = 1000, 300


def _smuggle(clause_id, evidence):
    """A real clause that this turn did not fetch becomes citable."""
    if not isinstance(clause_id, str) or clause_id in evidence.by_id:
        return
    release = opened(Release.objects.approved().get())
    found = fetch_clauses(release, Scope("northwind", "motor", Audience.CUSTOMER), [clause_id])
    if isinstance(found, Fetched) and found.clauses:
        evidence.by_id[clause_id] = found.clauses[0]


def cite_unfetched(patch):
    real = checks._fetched

    def fetched(segment, ground):
        _smuggle(segment["clause_id"], ground.evidence)
        return real(segment, ground)

    patch.setattr(checks, "_fetched", fetched)


def smooth_the_text(patch):
    real = reply.stored_text
    patch.setattr(reply, "stored_text", lambda *given: real(*given).replace(" accepts ", " will accept "))


def skip_always_shown(patch):
    patch.setattr(reply, "_always_shown", lambda *given: None)


def flip_the_schedule(patch):
    patch.setattr(Schedule, "lists", lambda self, code: code not in self.sections)


def announce_before_commit(patch):
    """The sentence is worded when the row is written, and said even where its transaction came to nothing."""
    real, last = turn_commit._queued, {}

    def queued(link):
        last["said"] = real(link) if link is not None else last.get("said")
        return last["said"]

    patch.setattr(turn_commit, "_queued", queued)


def announce_with_no_row(patch):
    invented = reply.Queued("WL-23456789", 1, timezone.now(), False)
    real = turn_commit._queued
    patch.setattr(turn_commit, "_queued", lambda link: real(link) or invented)


def make_a_row_and_say_nothing(patch):
    patch.setattr(turn_commit, "_queued", lambda link: None)


def drop_cannot_decide(patch):
    real = reply._Reply.form
    patch.setattr(reply._Reply, "form", lambda self, form: None if form == "cannot_decide" else real(self, form))


def skip_the_vocabulary(patch):
    patch.setattr(checks, "is_clarifying_question", lambda text: text.isascii() and text.endswith("?"))


def check_only_the_last_segment(patch):
    real = checks.check

    def check(raw, ground):
        segments = []
        for segment in raw[:-1]:
            _smuggle(segment.get("clause_id"), ground.evidence)
            try:
                segments.append(_unchecked(segment))
            except (KeyError, TypeError, ValueError):
                segments.append(checks.Formed(checks.Form.THANKS))
        return (*segments, *real(raw[-1:], ground))

    patch.setattr(runtime, "check", check)


def _unchecked(segment):
    """A segment taken at its word."""
    made = {
        "quote": lambda: checks.Quote(segment["clause_id"], tuple(segment["sentences"])),
        "plain": lambda: checks.Plain(segment["clause_id"], segment["line"]),
        "clarify": lambda: checks.Clarified(segment["text"]),
        "form": lambda: checks.Formed(checks.Form(segment["name"])),
    }
    return made[segment["kind"]]()


def trim_instead_of_reject(patch):
    real = checks.check

    def check(raw, ground):
        good = []
        for segment in raw:
            try:
                good += real((segment,), ground)
            except Refused:
                continue
        return tuple(good)

    patch.setattr(runtime, "check", check)


def trust_finish_reason(patch):
    """Whatever ended with `stop` or `tool_calls` is whole, and one call of it is the call."""

    def only_call(found, tool):
        if not found.calls or found.finish_reason not in {"stop", "tool_calls", None}:
            raise Refused(runtime.Violation(runtime.Code.NO_TOOL_CALL, "nothing was called"))
        return found.calls[0]

    patch.setattr(runtime, "_only_call", only_call)


def ignore_finish_reason(patch):
    """An output that was cut or filtered is taken when its call can be read."""
    real = runtime._only_call
    patch.setattr(runtime, "_only_call", lambda found, tool: real(replace(found, finish_reason="stop"), tool))


def show_content_beside_a_call(patch):
    real = turn_commit.compose

    def compose(situation, *rest, **named):
        spoken = [call.raw.get("content") for call in situation.result.calls if call.raw.get("content")]
        return (*(reply.ReplySentence("form", text) for text in spoken), *real(situation, *rest, **named))

    patch.setattr(turn_commit, "compose", compose)


def take_booleans_as_indexes(patch):
    patch.setattr(checks, "_is_index", lambda value, count: isinstance(value, int) and 1 <= value <= count)


def swap_not_found_and_unavailable(patch):
    """The form that the model sends decides, not what the lookup gave."""
    real = reply._not_found
    forms = dict(reply.wording.FORMS)
    forms[reply.Form.NOT_FOUND] = forms[reply.Form.UNAVAILABLE]

    def not_found(the_reply, kind):
        patch.setattr(reply.wording, "FORMS", forms)
        try:
            real(the_reply, kind)
        finally:
            patch.setattr(reply.wording, "FORMS", _FORMS)

    patch.setattr(reply, "_not_found", not_found)


_FORMS = reply.wording.FORMS


def reply_twice(patch):
    real = turn_commit.add_message

    def twice(**given):
        real(**given)
        return real(**given)

    patch.setattr(turn_commit, "add_message", twice)


def leave_the_turn_open_after_a_refusal(patch):
    """Where the database refuses the reply, no second one is written."""
    real = turn_commit._commit

    def commit(lease, finished, *, may_queue):
        return real(lease, finished, may_queue=True) if may_queue else False

    patch.setattr(turn_commit, "_commit", commit)


def read_everybodys_history(patch):
    def history(turn):
        before = Turn.objects.exclude(pk=turn.pk).filter(outcome__isnull=False)[:6]
        return tuple(HistoryTurn(t.text, str(t.outcome), (), t.asked) for t in before)

    patch.setattr(answering, "_history", history)


def put_this_turn_into_the_prefix(patch):
    real = runtime.first_messages

    def first_messages(tool, context, *rest):
        system, user = real(tool, context, *rest)
        content = f"{system['content']}\n{name_of(tool)} for {len(json.dumps(user))} characters"
        return [{**system, "content": content}, user]

    patch.setattr(runtime, "first_messages", first_messages)


MUTANTS = {
    cite_unfetched: "P1_",
    smooth_the_text: "P2_",
    skip_always_shown: "P3_",
    flip_the_schedule: "P5_",
    announce_before_commit: "P4_",
    announce_with_no_row: "P4_",
    make_a_row_and_say_nothing: "P4_",
    drop_cannot_decide: "P7_",
    skip_the_vocabulary: "P6_",
    check_only_the_last_segment: "P1_|P2_|P6_|R6_",
    trim_instead_of_reject: "R6_",
    trust_finish_reason: "R6_",
    ignore_finish_reason: "R6_",
    show_content_beside_a_call: "P4_|P6_",
    take_booleans_as_indexes: "R6_",
    swap_not_found_and_unavailable: "P6_",
    reply_twice: "P8_",
    leave_the_turn_open_after_a_refusal: "P8_",
    read_everybodys_history: "P9_",
    put_this_turn_into_the_prefix: "P10_",
}


# The mood that goes for a guard, where it needs many outputs of all four to meet it.
MOODS_FOR = {skip_the_vocabulary: ("obedient",), take_booleans_as_indexes: ("liar",)}


def _drive(store, outputs, moods=MOODS):
    evil = EvilProvider(SEED, moods=moods)
    with asked_instead(evil):
        return EvilRun(evil, store).drive(outputs)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_every_mutant_dies_by_its_property(store, monkeypatch, caplog, mutant):
    caplog.set_level("CRITICAL")
    mutant(monkeypatch)
    with pytest.raises(Broken, match=f"^(?:{MUTANTS[mutant]})"):
        _drive(store, WITHIN, MOODS_FOR.get(mutant, MOODS))


def test_the_same_run_without_a_mutant_holds(store, caplog):
    caplog.set_level("CRITICAL")
    assert _drive(store, FEW).outputs >= FEW
