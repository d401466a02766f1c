"""The checks of a reply, from outside: each finds its planted fault, and none where there is none."""

from copy import deepcopy
from hashlib import sha256

import pytest

from claims.agent import wording
from evals.clause_parts import index_clauses, parts_of_line, shown_parts
from evals.reply_checks import check_reply, shows_part
from knowledge.clause_text import write_document
from knowledge.seeding import CONTENT
from tests.builders_agent import HIRE_CAR
from tests.builders_evals import kept
from tests.builders_knowledge import make_document

INDEX = index_clauses([write_document(make_document("2030.1", clauses=[HIRE_CAR]))])
ID, VERSION = HIRE_CAR.clause_id, "2030.1"


def cite(text, sentences=(), line=None, version=VERSION):
    citation = {"clause_id": ID, "version": version, "sentences": list(sentences), "line": line}
    return {"kind": "quote" if line is None else "plain", "text": text, "citation": citation}


def say(kind, text):
    return {"kind": kind, "text": text, "citation": None}


SEGMENTS = [
    cite(HIRE_CAR.plain[1], line=2),
    cite("It does not include:\n- fuel", [4, 5]),
    cite(f"{HIRE_CAR.sentence_text(1)} {HIRE_CAR.sentence_text(7)}", [1, 7]),
    say("schedule", wording.listed("alternative_transport")),
    say("noted", "I've noted this from your message, for you to confirm. Place of loss: “Petone”."),
    say("escalate", "I've put your question on the waiting list for our staff. Reference WL-7, number 1 in line."),
]
LONG_TEXT = "x" * 601
TURN = kept(
    ID,
    returned=[{"clause_id": ID, "version": VERSION, "sha256": HIRE_CAR.sha256}],
    segments=SEGMENTS,
    citations=[{"clause_id": ID, "version": VERSION, "sha256": HIRE_CAR.sha256, "characters": len(LONG_TEXT)}],
    waiting_item={"reference": "WL-7"},
)
FACTS = [{"label": "Place of loss"}]


def counts(turn, facts=FACTS, index=INDEX):
    return {name: tuple(pair) for name, pair in check_reply(turn, facts, index)["counts"].items()}


def test_a_reply_that_is_right_has_been_looked_at_everywhere_and_nothing_is_wrong():
    assert counts(TURN) == {
        "citations": (4, 0),
        "quotes": (3, 0),
        "waiting": (1, 0),
        "noted": (1, 0),
        "schedule": (1, 0),
        "conditions": (1, 0),
        "whole": (1, 0),
    }


def changed(**more):
    return {**deepcopy(TURN), **more}


def with_segment(place, segment):
    segments = deepcopy(SEGMENTS)
    segments[place] = segment
    return changed(segments=segments)


OTHER_HASH = sha256(b"another").hexdigest()


@pytest.mark.parametrize(
    ("turn", "facts", "wrong"),
    [
        (with_segment(0, cite(HIRE_CAR.plain[1], line=2, version="2029.1")), FACTS, {"citations": 1}),
        (changed(returned=[]), FACTS, {"citations": 4, "whole": 1}),
        (with_segment(0, cite("It can pay up to NZD 600 a day.", line=2)), FACTS, {"quotes": 1}),
        (with_segment(0, cite(HIRE_CAR.plain[1], line=3)), FACTS, {"quotes": 1}),
        (with_segment(1, cite("It does not include:\n- fuel and tolls", [4, 5])), FACTS, {"quotes": 1}),
        (with_segment(1, cite("It does not include:\n- fuel", [4, 99])), FACTS, {"quotes": 1}),
        (changed(waiting_item=None), FACTS, {"waiting": 1}),
        (changed(waiting_item={"reference": "WL-8"}), FACTS, {"waiting": 1}),
        (TURN, [{"label": "Driver"}], {"noted": 1}),
        (changed(schedule={"state": "found", "sections": [], "details": []}), FACTS, {"schedule": 1}),
        (changed(schedule={"state": "no_evidence", "sections": [], "details": []}), FACTS, {"schedule": 1}),
        (with_segment(3, say("schedule", wording.not_listed("alternative_transport"))), FACTS, {"schedule": 1}),
        (with_segment(2, cite(HIRE_CAR.sentence_text(1), [1])), FACTS, {"conditions": 1}),
        (
            changed(citations=[{"clause_id": ID, "version": VERSION, "sha256": OTHER_HASH, "characters": 601}]),
            FACTS,
            {"whole": 1},
        ),
    ],
)
def test_each_check_finds_its_fault_and_no_other_does(turn, facts, wrong):
    assert {name: pair[1] for name, pair in counts(turn, facts).items() if pair[1]} == wrong


def test_a_benefit_that_the_schedule_does_not_list_and_a_detail_are_borne_out():
    schedule = {"state": "found", "sections": ["comprehensive"], "details": [{"label": "excess", "value": "NZD 500"}]}
    said = [
        say("schedule", wording.not_listed("alternative_transport")),
        say("schedule", wording.not_listed_option("agreed_value")),
        say("schedule", wording.listed_option("comprehensive")),
        say("schedule", wording.detail("excess", "NZD 500")),
        say("schedule", wording.schedule_list(["comprehensive cover"])),
        say("schedule", wording.detail("excess", "NZD 400")),
    ]
    assert counts(changed(schedule=schedule, segments=said))["schedule"] == (6, 1)


def test_a_clause_whose_text_is_not_known_is_not_looked_at():
    found = counts(TURN, index={})
    assert (found["quotes"], found["conditions"]) == ((0, 0), (0, 0))
    checks = check_reply(TURN, FACTS, {})
    assert shows_part(checks, ID, ["limit"]) is None


def test_G19_a_part_is_shown_by_its_sentence_or_by_a_plain_line_that_says_it():
    checks = check_reply(TURN, FACTS, INDEX)
    assert shows_part(checks, ID, ["limit"]) is True, "the second plain line has its figure"
    assert shows_part(checks, ID, ["starts"]) is None, "the clause has no such part"
    assert shows_part(checks, ID, ["provides"]) is False
    assert shows_part(checks, ID, ["provides", "not_included"]) is True
    assert shown_parts(HIRE_CAR, [cite("", [4])]) == frozenset(), "a lead-in line alone says nothing yet"
    assert shown_parts(HIRE_CAR, [cite("", [5])]) == {"not_included"}


def test_what_the_plain_lines_of_the_hire_car_clause_say():
    """The rule against a person's reading of four lines."""
    index = index_clauses((CONTENT / "2026.2" / "motor.md").read_text(encoding="utf-8") for _ in range(1))
    clause = next(clause for clause in index.values() if clause.clause_id == "MTR-BEN-03")
    said = [parts_of_line(clause, line) for line in clause.plain]
    assert {"limit", "excess"} <= said[0] and "not_included" not in said[0]
    assert "not_included" in said[1] and "limit" not in said[1]
    assert {"starts", "ends"} <= said[2] and "limit" not in said[2]
    assert "duty" in said[3] and "not_included" not in said[3]
