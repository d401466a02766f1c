"""`manage.py ask`: the answer for people, the API's turn for programs, and the exit codes."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from claims.models import Claim, Turn
from portal.management.commands import ask as command
from tests.builders_api import OTHER_PLAN, play
from tests.builders_pages import RENTAL_QUESTION

ROOT = Path(__file__).resolve().parents[2]
POLICY = "NW-MTR-204518"


def ask(*words: str, **options: Any) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("ask", *words, stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def refused(*words: str, **options: Any) -> CommandError:
    with pytest.raises(CommandError) as error:
        ask(*words, **options)
    assert "\n" not in str(error.value)
    return error.value


def test_people_read_the_answer_its_clause_who_answered_and_how_to_go_on(portal, answers_about_rental):
    answers_about_rental(wants_decision=True)
    out, err = ask(POLICY, RENTAL_QUESTION)
    turn = Turn.objects.get()
    assert "up to NZD 60 a day for up to 21 days" in out
    assert "Clause   MTR-BEN-03 Hire car, rental car, taxi" in out and "(wording 2026.2)" in out
    assert f"Waiting  {turn.waiting_item.reference}" in out
    assert "Model    offline chooser, not a language model" in out
    assert f"ask --claim {turn.claim.reference}" in out
    assert err == ""


def test_programs_read_the_turn_as_the_api_gives_it_and_nothing_else(portal, answers_about_rental):
    from tests.builders_api import address, holder, opened

    answers_about_rental()
    out, _ = ask(POLICY, RENTAL_QUESTION, json=True)
    turn = json.loads(out)
    assert out.count("\n") == 1
    assert (turn["outcome"], turn["citations"][0]["clause_id"]) == ("answered", "MTR-BEN-03")
    claim = opened(holder({"token": "x"}))
    posted = holder(claim).post(address(claim, "messages/"), {"text": RENTAL_QUESTION}).json()
    own = {"id", "claim", "at"}
    assert {k: v for k, v in turn.items() if k not in own} == {k: v for k, v in posted.items() if k not in own}


def test_a_claim_is_gone_on_with_by_its_reference(portal, monkeypatch):
    play(monkeypatch, plan=OTHER_PLAN)
    ask(POLICY, "Hello")
    reference = Claim.objects.get().reference
    ask("And again", claim=reference.lower())
    ask(POLICY.lower(), "Once more", claim=reference)
    assert list(Turn.objects.order_by("seq").values_list("text", flat=True)) == ["Hello", "And again", "Once more"]
    assert Claim.objects.count() == 1


def test_an_unknown_policy_is_an_answer(portal, monkeypatch):
    play(monkeypatch, plan={"kind": "question", "wants_decision": False, "facts": []})
    out, _ = ask("NW-NO-1", "Is hail included?")
    assert "I couldn't find a schedule for this policy number" in out


def test_bad_input_is_one_sentence_and_exit_code_2(portal):
    for words, options, sentence in (
        ((POLICY,), {}, "Give a policy number and a question"),
        ((), {}, "Give a policy number and a question"),
        ((POLICY, "two", "three"), {}, "Give a policy number and a question"),
        ((POLICY, "   "), {}, "The message is empty"),
        ((POLICY, "x" * 4001), {}, "4,000 are taken"),
        ((POLICY, "\udcff"), {}, "cannot be read as UTF-8"),
        (("", "Hello"), {}, "Type the policy number"),
        (("Hello",), {"claim": "CL-NOPE"}, "There is no claim CL-NOPE"),
    ):
        error = refused(*words, **options)
        assert sentence in str(error) and error.returncode == 2
    assert Claim.objects.count() == 0


def test_another_policy_does_not_go_on_with_a_claim(portal, monkeypatch):
    play(monkeypatch, plan=OTHER_PLAN)
    ask(POLICY, "Hello")
    error = refused("NW-MTR-204519", "Hello", claim=Claim.objects.get().reference)
    assert f"is about policy {POLICY}" in str(error) and error.returncode == 2


def test_without_debug_the_postcode_is_needed_for_the_schedule(portal, monkeypatch, settings, answers_about_rental):
    settings.DEBUG = False
    answers_about_rental()
    without, _ = ask(POLICY, RENTAL_QUESTION)
    having, _ = ask(POLICY, RENTAL_QUESTION, postcode="6011")
    assert "I couldn't find a schedule" in without
    assert "Your schedule lists alternative transport" in having


def test_a_database_that_is_not_there_is_exit_code_1_and_says_what_to_run(portal, monkeypatch):
    def fail(**given: object) -> None:
        raise OperationalError("no such table: claims_claim")

    monkeypatch.setattr(command, "open_claim", fail)
    error = refused(POLICY, "Hello")
    assert "Run manage.py start first" in str(error) and error.returncode == 1


def test_before_the_first_start_a_terminal_gets_one_sentence_and_no_traceback(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "manage.py", "ask", POLICY, "Hello"],
        env={"PORTAL_VAR_DIR": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("CommandError: The database cannot be used or has no tables yet.")
    assert len(done.stderr.splitlines()) == 1
