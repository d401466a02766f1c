"""MTR-BEN-03, fact by fact, and what the schedule decides: against the clause as it is stored and fetched."""

import re
from datetime import date

import pytest

from knowledge.answers import Audience, Fetched, OpenRelease, Scope
from knowledge.clause_text import ClauseText, Part
from knowledge.lookup import fetch_clauses, open_release
from knowledge.models import DirectoryEntry
from knowledge.seeding import seed_knowledge
from tests.builders_knowledge import make_user

pytestmark = pytest.mark.django_db
SCOPE = Scope("northwind", "motor", Audience.CUSTOMER)


@pytest.fixture
def release(db: None) -> OpenRelease:
    seed_knowledge(editor=make_user("editor"), approver=make_user("approver"))
    found = open_release(SCOPE, date(2026, 11, 30))
    assert isinstance(found, OpenRelease)
    return found


@pytest.fixture
def clause(release: OpenRelease) -> ClauseText:
    found = fetch_clauses(release, SCOPE, ["MTR-BEN-03"])
    assert isinstance(found, Fetched)
    return found.clauses[0].clause


def part(clause: ClauseText, *parts: Part) -> str:
    return " ".join(clause.sentence_text(s.index) for s in clause.sentences if s.part in parts).casefold()


FACTS = {
    "a claim accepted under MTR-COV-01": (Part.TRIGGER, r"accepts a claim under mtr-cov-01"),
    "theft included": (Part.TRIGGER, r"theft included|including theft"),
    "unsafe or illegal to drive": (Part.TRIGGER, r"unsafe or illegal to drive"),
    "in approved repair": (Part.TRIGGER, r"being repaired by a repairer that northwind approved"),
    "stolen and not recovered": (Part.TRIGGER, r"stolen and has not been recovered"),
    "same or smaller class": (Part.PROVIDES, r"hire car of the same or smaller class"),
    "or other transport": (Part.PROVIDES, r"taxi, ride-share or public transport"),
    "60 a day": (Part.LIMIT, r"nzd 60 a day"),
    "21 days an event": (Part.LIMIT, r"21 days for each event"),
    "starts at acceptance": (Part.STARTS, r"start when the claim is accepted"),
    "for theft at the reports": (Part.STARTS, r"for theft when it has been reported to both the police and northwind"),
    "the first of the ends": (Part.ENDS, r"first of these"),
    "ends at repair": (Part.ENDS, r"repairs are finished"),
    "ends at recovery, drivable": (Part.ENDS, r"recovered and is drivable"),
    "ends 7 days after an offer": (Part.ENDS, r"7 days .* offered a total-loss settlement"),
    "not fuel": (Part.NOT_INCLUDED, r"\bfuel\b"),
    "not tolls": (Part.NOT_INCLUDED, r"\btolls\b"),
    "not parking": (Part.NOT_INCLUDED, r"\bparking\b"),
    "not fines": (Part.NOT_INCLUDED, r"\bfines\b"),
    "not the hire firm's excess or damage": (Part.NOT_INCLUDED, r"hire company's excess or its charges for damage"),
    "not days still drivable": (Part.NOT_INCLUDED, r"days when your car is still safe and legal to drive"),
    "no excess": (Part.EXCESS, r"no excess"),
    "whoever was at fault": (Part.OTHER, r"no difference who was at fault"),
    "cost may be recovered": (Part.OTHER, r"may be recovered from"),
    "agree the hire first": (Part.DUTY, r"agree the hire with northwind before"),
    "own costs to the same limit": (Part.DUTY, r"paid for yourself .* same daily limit"),
    "only if scheduled": (Part.SCHEDULE, r"only when the policy schedule lists alternative transport"),
}


@pytest.mark.parametrize("fact", FACTS)
def test_M51_the_clause_states_the_fact_in_its_part(clause: ClauseText, fact: str) -> None:
    where, pattern = FACTS[fact]
    assert re.search(pattern, part(clause, where)), fact


def test_M48_every_part_is_present(clause: ClauseText) -> None:
    wanted = {"trigger", "provides", "limit", "starts", "ends", "not_included", "excess", "schedule"}
    assert wanted <= {sentence.part.value for sentence in clause.sentences}


def test_M28_its_exclusions_and_its_schedule_condition_stand_after_character_600(clause: ClauseText) -> None:
    late = {sentence.part for sentence in clause.sentences if sentence.start > 600}
    assert {Part.NOT_INCLUDED, Part.SCHEDULE} <= late


def test_M53_its_sources_say_that_the_figures_are_no_products(clause: ClauseText) -> None:
    assert re.search(r"not citable as a product", " ".join(clause.sources))


def test_M54_alternative_transport_is_this_clause_and_no_other(release: OpenRelease) -> None:
    entries = DirectoryEntry.objects.filter(release_id=release.id, schedule_section="alternative_transport")
    assert [entry.clause.clause_id for entry in entries] == ["MTR-BEN-03"]
    assert "alternative_transport" in release.codes


@pytest.mark.parametrize(
    ("clause_id", "words"),
    [
        *((f"MTR-BEN-0{number}", "part of comprehensive cover") for number in (2, 4, 6, 8, 9)),
        *((f"MTR-BEN-0{number}", "the cover type on the schedule decides") for number in (1, 5)),
        ("MTR-COV-01", "your cover type"),
    ],
)
def test_M3_what_the_cover_type_decides_is_always_shown(release: OpenRelease, clause_id: str, words: str) -> None:
    found = fetch_clauses(release, SCOPE, [clause_id])
    assert isinstance(found, Fetched)
    clause = found.clauses[0].clause
    always = [clause.sentence_text(s.index) for s in clause.sentences if s.part is Part.SCHEDULE and s.always]
    assert any(words in sentence for sentence in always)


def test_an_excess_that_is_always_shown_names_its_waiver(release: OpenRelease) -> None:
    found = fetch_clauses(release, SCOPE, ["MTR-CON-01"])
    assert isinstance(found, Fetched)
    assert "unless mtr-cov-03 waives it" in part(found.clauses[0].clause, Part.TRIGGER)
