"""`find_clause` and `deadlines` from a terminal: answers end with 0, bad input with 2 and one sentence."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from claims.drafting_aid import DRAFTING_AID
from claims.management.commands import _policy_file
from tests.claims.documents.adjuster_cases import FIXTURES, NEUTRAL, TEXTS

ROOT = Path(__file__).resolve().parents[2]


def run(command, *words, **options):
    out, err = StringIO(), StringIO()
    call_command(command, *words, stdout=out, stderr=err, **options)
    assert err.getvalue() == ""
    return out.getvalue()


def refused(command, *words, **options):
    with pytest.raises(CommandError) as error:
        run(command, *words, **options)
    assert "\n" not in str(error.value)
    return error.value


@pytest.fixture
def policy(tmp_path):
    def written(text, name="policy.txt"):
        path = tmp_path / name
        path.write_text(text + NEUTRAL)
        return str(path)

    return written


def test_M71_people_read_the_drafting_aid_line_first_and_the_place_with_its_lines(policy):
    out = run("find_clause", policy(TEXTS["D18"]), "drain")
    assert out.splitlines()[0] == DRAFTING_AID
    assert "1. exclusions, section-1: EXCLUSIONS" in out
    assert "page 1, line 2; found by drain" in out
    assert "quote    [line 2] 7. We do not pay for water that backs up through a drain." in out
    assert "amended  deleted by HL 33, line 4" in out
    assert "shown because it changes the one above" in out


def test_people_read_lead_ins_exceptions_conditions_and_what_is_missing(policy):
    out = run("find_clause", policy(TEXTS["D06"]), "sump")
    assert "lead-in  [line 2] We do not pay for loss caused by water that:" in out
    assert "except   [line 5] unless a covered fire caused the back-up or overflow." in out
    assert "only if  [line 2] THIS FORM HAS EFFECT ONLY" in run("find_clause", policy(TEXTS["D19"]), "rental car")
    named = "EXCLUSIONS\nWe do not pay for mold except under the Extended Fungi Cover endorsement."
    assert "missing  Extended Fungi Cover endorsement" in run("find_clause", policy(named), "mold")


@pytest.mark.parametrize(
    ("query", "says"), [("hail", "no match for these words (that is not silence)"), ("the", "not searched")]
)
def test_an_empty_answer_is_an_answer(policy, query, says):
    assert says in run("find_clause", policy(TEXTS["D01"]), query)


def test_an_unread_file_is_an_answer_too():
    out = run("find_clause", str(FIXTURES / "d17b_user_password.pdf"), "mould")
    assert "refused: the file was not read" in out
    assert "needs a password" in out


def test_T35_exact_is_handed_on(policy):
    path = policy(TEXTS["D09"])
    assert json.loads(run("find_clause", path, "tree", json=True))["candidate_count"] == 1
    assert json.loads(run("find_clause", path, "tree", json=True, exact=True))["candidate_count"] == 0


def test_a_policy_cannot_steer_the_terminal(policy):
    out = run("find_clause", policy("EXCLUSIONS\nWe do not pay \u009b31mfor\u202e frost."), "frost")
    assert "frost" in out
    assert not set(out) & set("\u009b\u202e")


@pytest.mark.parametrize(
    "words",
    [(), ("policy.pdf",), ("policy.pdf", " "), ("a", "b", "c"), ("no/such/file", "x"), (".", "x"), ("a\0b", "x")],
)
def test_find_clause_refuses_bad_input_with_2(words):
    assert refused("find_clause", *words).returncode == 2


def test_find_clause_refuses_a_query_that_is_too_long_or_no_text(policy):
    path = policy(TEXTS["D01"])
    assert refused("find_clause", path, "x" * 501).returncode == 2
    assert refused("find_clause", path, "\udcff").returncode == 2


def test_find_clause_ends_with_1_when_it_ran_and_failed(policy, monkeypatch):
    def no_process(data, name):
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(_policy_file, "read_upload", no_process)
    assert refused("find_clause", policy(TEXTS["D01"]), "flood").returncode == 1


def test_the_process_itself_ends_so_and_prints_json_alone(policy):
    def started(*words):
        return subprocess.run(
            [sys.executable, "manage.py", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )

    found = started("find_clause", policy(TEXTS["D01"]), "locksmith", "--json")
    assert (found.returncode, found.stderr) == (0, "")
    assert json.loads(found.stdout)["outcome"] == "non_bearing_only"
    wrong = started("deadlines", "--loss-date", "15 June")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "CommandError: --loss-date takes a day such as 2026-06-15, not '15 June'.\n"


def computed(**options):
    return json.loads(run("deadlines", json=True, **options))


def test_M100_the_worked_examples_from_the_terminal():
    made = computed(loss_date="2026-06-15", proof_of_loss_days="60", suit_limitation_months="24")
    assert (made["proof_of_loss"]["date"], made["suit_limitation"]["date"]) == ("2026-08-14", "2028-06-15")


def test_M71_M98_people_read_that_it_is_a_drafting_aid_and_what_is_not_known():
    out = run("deadlines", loss_date="2026-06-15", proof_of_loss_days="60")
    assert out.splitlines()[0] == DRAFTING_AID
    assert "Proof of loss: 2026-08-14, Friday. 60 day(s) from the date of loss (2026-06-15)" in out
    assert "Suit limitation: not known." in out


def test_D21_D22_D23_terms_from_the_terminal():
    made = computed(
        loss_date="2026-11-30",
        term=[
            ["proof of loss", "45", "days", "request"],
            ["proof of loss", "45", "days", "request", "2026-12-20"],
            ["suit", "1", "years", "loss"],
        ],
    )
    assert [term["known"] for term in made["terms"]] == [False, True, True]
    assert "which was not given" in made["terms"][0]["reason"]
    assert (made["terms"][1]["date"], made["terms"][1]["weekday"]) == ("2027-02-03", "Wednesday")
    assert made["terms"][2]["date"] == "2027-11-30"
    assert not made["proof_of_loss"]["known"]


def test_D24_the_proof_of_loss_by_the_words_of_a_file(policy):
    made = computed(loss_date="2026-05-10", policy=policy(TEXTS["D24"]))
    assert made["proof_of_loss"] == {
        "known": False,
        "reason": "The policy states no period for the insured's proof of loss.",
    }
    out = run("deadlines", loss_date="2026-05-10", policy=policy(TEXTS["D24"]))
    assert out.count("not the insured's duty: no day follows from it") == 2


def test_D14_D21_the_proof_of_loss_of_a_file_counts_from_the_request():
    path = str(FIXTURES / "d14_mixed_scan.pdf")
    assert not computed(loss_date="2026-11-30", policy=path)["proof_of_loss"]["known"]
    made = computed(loss_date="2026-11-30", policy=path, request_date="2026-12-20")
    assert made["proof_of_loss"]["date"] == "2027-02-03"
    locked = computed(loss_date="2026-11-30", policy=str(FIXTURES / "d17b_user_password.pdf"))
    assert "needs a password" in locked["proof_of_loss"]["reason"]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"loss_date": ""},
        {"loss_date": "2026-6-15"},
        {"loss_date": "2026-02-30"},
        {"loss_date": "20260615"},
        {"loss_date": "2026-06-15", "proof_of_loss_days": ""},
        {"loss_date": "2026-06-15", "proof_of_loss_days": "sixty"},
        {"loss_date": "2026-06-15", "proof_of_loss_days": "-5"},
        {"loss_date": "2026-06-15", "proof_of_loss_days": "\u0666"},
        {"loss_date": "2026-06-15", "suit_limitation_months": "0"},
        {"loss_date": "2026-06-15", "suit_limitation_months": "999999999"},
        {"loss_date": "2026-06-15", "term": [["suit", "1", "weeks", "loss"]]},
        {"loss_date": "2026-06-15", "term": [["suit", "1", "years"]]},
        {"loss_date": "2026-06-15", "term": [["suit", "0", "years", "loss"]]},
        {"loss_date": "2026-06-15", "term": [["suit", "1", "years", "denial", "2026-06-14"]]},
        {"loss_date": "2026-06-15", "policy": "no/such/file"},
        {"loss_date": "2026-06-15", "policy": "x", "proof_of_loss_days": "60"},
    ],
)
def test_deadlines_refuse_bad_input_with_2(options):
    assert refused("deadlines", **options).returncode == 2
