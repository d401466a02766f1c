"""The home wording, fact by fact: figures, main conditions, what is out of date, and what a schedule decides."""

import re
from datetime import date

import pytest

from knowledge.answers import Audience, OpenRelease, Scope
from knowledge.clause_text import ClauseText, Part, PolicyDocument, read_document
from knowledge.lookup import clause_directory, open_release
from knowledge.models import DirectoryEntry
from knowledge.seeding import CONTENT, seed_knowledge
from tests.builders_knowledge import make_user

SCOPE = Scope("northwind", "home", Audience.CUSTOMER)


def document(version: str) -> PolicyDocument:
    return read_document((CONTENT / version / "home.md").read_text(encoding="utf-8"))


HOME = document("2026.2")
CLAUSES = {clause.clause_id: clause for clause in HOME.clauses}


def part(clause: ClauseText, *parts: Part) -> str:
    return " ".join(clause.sentence_text(s.index) for s in clause.sentences if s.part in parts).casefold()


TRIGGER, PROVIDES, LIMIT, STARTS, ENDS = Part.TRIGGER, Part.PROVIDES, Part.LIMIT, Part.STARTS, Part.ENDS
NOT, EXCESS, SCHEDULE, DUTY, OTHER = Part.NOT_INCLUDED, Part.EXCESS, Part.SCHEDULE, Part.DUTY, Part.OTHER

# A row is a clause, a part of it and what that part says: the figures and the main conditions.
FACTS = [
    ("HOM-COV-01", TRIGGER, r"sudden and accidental"),
    ("HOM-COV-01", PROVIDES, r"fire, storm, flood, .*burst pipes"),
    ("HOM-COV-01", PROVIDES, r"fitted carpets .* count as your home, and loose rugs are contents"),
    ("HOM-COV-01", OTHER, r"cause must be sudden, but the damage may be found later"),
    ("HOM-COV-01", OTHER, r"storm and flood damage to the building .* not to nhcover"),
    ("HOM-COV-01", LIMIT, r"sum insured"),
    (
        "HOM-COV-02",
        TRIGGER,
        r"earthquake, natural landslide, volcanic or hydrothermal activity, a tsunami, or a fire from",
    ),
    ("HOM-COV-02", LIMIT, r"nhcover bears the first nzd 300,000 plus gst .* in one event"),
    ("HOM-COV-02", PROVIDES, r"above the nhcover amount, up to the sum insured"),
    ("HOM-COV-02", OTHER, r"natural hazards insurance act 2023, and its levy is in your premium"),
    ("HOM-COV-02", OTHER, r"before 1 july 2024 follows the earlier law"),
    ("HOM-COV-02", OTHER, r"hazard note on the title"),
    ("HOM-COV-02", OTHER, r"bridges and culverts up to nzd 25,000 plus gst"),
    ("HOM-COV-02", OTHER, r"pipes and cables up to 60 metres"),
    ("HOM-COV-02", OTHER, r"slope slips in heavy rain, .* landslide and not as storm"),
    ("HOM-COV-02", NOT, r"storm and flood damage to the building is not in nhcover"),
    ("HOM-COV-02", NOT, r"drives, paving, fences, pools and tanks, .* jetties, trees, gardens, vehicles and contents"),
    ("HOM-COV-02", EXCESS, r"flat nzd 500 for each home, and the excess in hom-con-01 may apply as well"),
    ("HOM-COV-02", DUTY, r"one claim, to northwind, which assesses and settles the nhcover part too"),
    ("HOM-COV-02", DUTY, r"2 years after the event"),
    ("HOM-COV-03", LIMIT, r"part of the sum insured"),
    ("HOM-COV-03", LIMIT, r"shared fence northwind pays your own share only"),
    ("HOM-COV-03", SCHEDULE, r"nzd 25,000 for one event, .* unless the schedule lists a specified pool"),
    ("HOM-COV-04", LIMIT, r"nzd 25,000 .* unless the schedule lists specified retaining walls"),
    ("HOM-COV-04", OTHER, r"nhcover comes first, with up to nzd 50,000 plus gst in total"),
    ("HOM-COV-05", LIMIT, r"nzd 2,000,000"),
    ("HOM-COV-05", NOT, r"injury to people, .* acc"),
    ("HOM-COV-05", OTHER, r"falls in a storm, its owner is generally liable only when careless"),
    ("HOM-COV-05", OTHER, r"liable is for northwind's claims team to work out"),
    ("HOM-COV-05", DUTY, r"do not admit fault"),
    ("HOM-BEN-01", TRIGGER, r"unfit to live in"),
    ("HOM-BEN-01", TRIGGER, r"authority does not let you into your home"),
    ("HOM-BEN-01", PROVIDES, r"similar standard for you, your family and your pets"),
    ("HOM-BEN-01", LIMIT, r"for one event is nzd 25,000 or 12 months"),
    ("HOM-BEN-01", LIMIT, r"one limit for an event, even when you move more than once"),
    ("HOM-BEN-01", NOT, r"meals, travel, power"),
    ("HOM-BEN-01", DUTY, r"agree the place with northwind before"),
    ("HOM-BEN-02", TRIGGER, r"hidden from view"),
    ("HOM-BEN-02", PROVIDES, r"from a pipe, waste or tank that is fixed"),
    ("HOM-BEN-02", LIMIT, r"nzd 3,000 in any year of insurance"),
    ("HOM-BEN-02", EXCESS, r"comes out of that amount"),
    ("HOM-BEN-02", NOT, r"finding the leak, or repairing or replacing the pipe"),
    (
        "HOM-BEN-02",
        NOT,
        r"shower tray, tiles.*rain that leaks in round a window or through a roof.*appliance .*pot plant",
    ),
    ("HOM-BEN-03", EXCESS, r"nzd 250 instead of the standard excess, unless the schedule lists excess-free glass"),
    ("HOM-BEN-03", SCHEDULE, r"lists excess-free glass, no excess applies"),
    ("HOM-BEN-04", LIMIT, r"nzd 1,000"),
    ("HOM-BEN-04", EXCESS, r"no excess"),
    ("HOM-BEN-05", PROVIDES, r"the part of the tree that is in the way of that repair"),
    ("HOM-BEN-05", NOT, r"without damaging anything .*carting away.*stump.*trees are not insured"),
    ("HOM-BEN-06", PROVIDES, r"solar panels, inverters and home batteries .*charger for an electric vehicle"),
    ("HOM-BEN-06", PROVIDES, r"cylinder bursts, the water damage to the building is included"),
    ("HOM-BEN-06", NOT, r"rusted or worn cylinder itself"),
    ("HOM-BEN-06", NOT, r"an appliance or part that fails by itself"),
    ("HOM-BEN-06", LIMIT, r"motor .* under 10 years old"),
    ("HOM-BEN-06", DUTY, r"tell northwind when you add solar"),
    ("HOM-BEN-07", TRIGGER, r"done on purpose to your home by tenants"),
    ("HOM-BEN-07", LIMIT, r"nzd 25,000 for damage and theft, and nzd 20,000 for lost rent"),
    ("HOM-BEN-07", SCHEDULE, r"lists landlord cover, and lost rent only when it also lists loss of rent"),
    (
        "HOM-BEN-07",
        DUTY,
        r"over 90 days .* written agreement, references, an inspection about every 3 months, and records",
    ),
    ("HOM-BEN-07", OTHER, r"careless damage .* 4 weeks' rent or your excess, whichever is lower"),
    ("HOM-BEN-08", LIMIT, r"nzd 30,000"),
    ("HOM-BEN-08", LIMIT, r"above 15 micrograms .* 100 square centimetres, measured room by room under nzs 8510:2017"),
    ("HOM-BEN-08", EXCESS, r"nzd 2,500"),
    ("HOM-BEN-08", OTHER, r"from 16 april 2026, .* uninhabitable above 30 micrograms"),
    ("HOM-BEN-08", SCHEDULE, r"only when the schedule lists methamphetamine contamination"),
    ("HOM-EXC-01", NOT, r"wear, rot.*mould.*pests.*settling.*vibration.*water in the ground.*faulty design"),
    ("HOM-EXC-01", NOT, r"shower tray, tiles, grout or sealant that fails"),
    ("HOM-EXC-01", NOT, r"rain .* round a window or through a roof.*appliance or pot plant"),
    ("HOM-EXC-01", OTHER, r"looked at under hom-ben-02"),
    ("HOM-EXC-02", NOT, r"structural work, .* roof or cladding .* unless the schedule lists contract works"),
    ("HOM-EXC-02", NOT, r"building consent and had none"),
    ("HOM-EXC-02", OTHER, r"cosmetic work, .* leaves the policy as it is"),
    ("HOM-EXC-02", DUTY, r"before structural work starts"),
    ("HOM-EXC-03", NOT, r"over 60 days in a row, this policy includes only fire and natural hazard damage"),
    ("HOM-EXC-03", ENDS, r"again at zero, when you or somebody with your permission sleeps there"),
    ("HOM-EXC-03", SCHEDULE, r"northwind agreed to a longer absence"),
    ("HOM-EXC-04", NOT, r"lawns, gardens, trees and plants"),
    ("HOM-EXC-04", OTHER, r"within 8 metres of it, and the main access up to 60 metres"),
    ("HOM-EXC-04", OTHER, r"after a storm or flood as well"),
    ("HOM-EXC-04", OTHER, r"roughly from a depth of 15 mm"),
    ("HOM-EXC-04", OTHER, r"in cash, at the repair cost or the value of the land, whichever is lower"),
    ("HOM-EXC-04", OTHER, r"extra insurance for land cannot be bought"),
    ("HOM-EXC-05", NOT, r"unless the schedule lists short-stay guests"),
    ("HOM-EXC-06", NOT, r"furniture, belongings or other contents"),
    ("HOM-EXC-06", OTHER, r"fitted carpets .* count as your home"),
    ("HOM-EXC-06", OTHER, r"nothing for contents since 1 july 2019"),
    ("HOM-CON-01", EXCESS, r"standard excess is nzd 750 unless the schedule"),
    ("HOM-CON-01", EXCESS, r"nzd 250, or none .*nzd 2,500.*keys and locks, none"),
    (
        "HOM-CON-01",
        EXCESS,
        r"landslide damages the house, the standard excess and the nhcover excess of nzd 500 both apply",
    ),
    ("HOM-CON-01", LIMIT, r"one event, which is everything that happens from one cause at one time and place"),
    ("HOM-CON-01", LIMIT, r"several rooms from one cause at one time is one event"),
    ("HOM-CON-01", LIMIT, r"two northwind policies, only the higher excess applies"),
    ("HOM-CON-02", OTHER, r"as at 1 january 2026; the contracts of insurance act 2024 .* by 15 november 2027"),
    ("HOM-CON-02", DUTY, r"clean slate"),
    ("HOM-CON-02", NOT, r"gross carelessness or recklessness"),
    ("HOM-CON-02", LIMIT, r"first 30 days"),
    ("HOM-CON-02", ENDS, r"up to settlement day and then ends; a new address needs a new policy"),
    ("HOM-CLM-01", DUTY, r"photos .*do not strip out carpet.*sample.*receipts"),
    ("HOM-CLM-01", OTHER, r"no fixed number of days .* only so far as the delay"),
    (
        "HOM-CLM-02",
        LIMIT,
        r"most .* for the house, outdoor structures, demolition, fees and the cost of meeting building rules",
    ),
    ("HOM-CLM-02", PROVIDES, r"match only within the same room"),
    ("HOM-CLM-02", PROVIDES, r"rebuilding it here or somewhere else .*buying another home .*cash"),
    ("HOM-CLM-02", OTHER, r"claims team decides between repair and cash"),
    ("HOM-CLM-03", OTHER, r"complaint within 5 business days, .*within 10 business days .*every 20 business days"),
    ("HOM-CLM-03", STARTS, r"deadlock letter, or 2 months .* \(ifso scheme\), which is free and independent"),
    ("HOM-CLM-03", LIMIT, r"nzd 500,000 plus gst, .*nzd 10,000 plus gst"),
    ("HOM-CLM-03", OTHER, r"disputes tribunal, up to nzd 60,000"),
    ("HOM-CLM-03", OTHER, r"personal information, with no form or reason.*within 20 working days"),
    ("HOM-CLM-03", OTHER, r"new zealand claims resolution service"),
    ("HOM-CLM-03", OTHER, r"1 may 2026 .* ipp3a"),
]


@pytest.mark.parametrize(("clause_id", "where", "pattern"), FACTS)
def test_M48_the_clause_states_the_fact_in_its_part(clause_id: str, where: Part, pattern: str) -> None:
    assert re.search(pattern, part(CLAUSES[clause_id], where))


# What was right once, and a model may remember: how it would be found, and a sentence in which it is.
OUT_OF_DATE = {
    "the first part of a house claim": (r"\b1[05]0,000\b", "It bears the first NZD 150,000 plus GST."),
    "EQC by itself": (r"\bEQC\b(?<!formerly EQC)", "EQC pays for the land."),
    "its excess": (r"\bNZD 200\b|\b1 ?%", "Its excess is 1% of the claim."),
    "its time limit": (r"within 3 months|3 months (?:of|after)", "Claim within 3 months."),
    "ring it yourself": (r"\b(?:call|ring|contact) NHC\b(?<!need not ring NHC)", "Then ring NHC."),
    "the old meth limit": (r"\b1\.5\b", "Contaminated means above 1.5 micrograms."),
    "the ombudsman's limits": (r"\b(?:200|350),000\b", "It looks at disputes up to NZD 350,000."),
    "the ombudsman's old name": (r"Savings Ombudsman", "The Insurance and Savings Ombudsman is free."),
    "the tribunal's limits": (r"Tribunal[^.]*\b(?:15|20|30),000\b", "The Disputes Tribunal, up to NZD 30,000."),
    "the Act is in force": (r"2024 (?:is|has been) in force", "The Contracts of Insurance Act 2024 is in force."),
}


@pytest.mark.parametrize("what", OUT_OF_DATE)
def test_what_is_out_of_date_stands_in_no_clause(what: str) -> None:
    pattern, wrong = OUT_OF_DATE[what]
    said = [*(c.text for c in HOME.clauses), *(line for c in HOME.clauses for line in c.plain)]
    assert [text for text in (*said, wrong) if re.search(pattern, text)] == [wrong]


# Without these sentences a part of the clause would promise more, or less, than the policy has.
ALWAYS = [
    ("HOM-COV-02", r"first nzd 300,000 plus gst"),
    ("HOM-COV-03", r"unless the schedule lists a specified pool"),
    ("HOM-COV-04", r"unless the schedule lists specified retaining walls"),
    ("HOM-COV-05", r"for northwind's claims team to work out"),
    ("HOM-BEN-01", r"before you book"),
    ("HOM-BEN-02", r"nzd 3,000"),
    ("HOM-BEN-02", r"comes out of that amount"),
    ("HOM-BEN-03", r"no excess applies"),
    ("HOM-BEN-05", r"only what is needed to do the repair"),
    ("HOM-BEN-06", r"fails by itself"),
    ("HOM-BEN-07", r"loss of rent"),
    ("HOM-BEN-07", r"the benefit does not apply without them"),
    ("HOM-BEN-08", r"nzd 2,500"),
    ("HOM-BEN-08", r"the landlord's duties in hom-ben-07"),
    ("HOM-EXC-02", r"unless the schedule lists contract works"),
    ("HOM-EXC-03", r"storm and flood do not count as natural hazard"),
    ("HOM-EXC-03", r"60 days do not apply when the schedule shows"),
    ("HOM-EXC-05", r"unless the schedule lists short-stay guests"),
    ("HOM-CON-01", r"the schedule shows your own excess"),
    ("HOM-CLM-02", r"sum insured on the schedule is the most"),
]


@pytest.mark.parametrize(("clause_id", "pattern"), ALWAYS)
def test_the_sentence_is_shown_with_every_part_of_its_clause(clause_id: str, pattern: str) -> None:
    clause = CLAUSES[clause_id]
    shown = [clause.sentence_text(s.index).casefold() for s in clause.sentences if s.always]
    assert [text for text in shown if re.search(pattern, text)]


def test_M4_a_plain_line_that_speaks_of_paying_keeps_the_condition() -> None:
    lines = [line for clause in HOME.clauses for line in clause.plain if re.search(r"\bcan pay\b", line)]
    assert len(lines) > 10
    assert [line for line in lines if not re.search(r"once a claim (?:[\w ]+ )?is accepted", line.casefold())] == []


def test_M45_what_is_not_included_says_where_it_belongs() -> None:
    for clause_id, place in {
        "HOM-EXC-01": "hom-ben-02",
        "HOM-EXC-02": "contract works",
        "HOM-EXC-04": "nhcover",
        "HOM-EXC-05": "contents insurance",
        "HOM-EXC-06": "contents insurance",
    }.items():
        assert "not pay" in part(CLAUSES[clause_id], NOT)
        assert place in CLAUSES[clause_id].text.casefold()


def test_M46_the_first_version_has_no_number_that_the_next_one_gives_to_another_clause() -> None:
    first = document("MVP-2026.1")
    assert HOME.withdraws == (first.version,) and first.document_id == HOME.document_id
    assert 5 <= len(first.clauses) <= 8
    assert {clause.clause_id for clause in first.clauses} < set(CLAUSES)


@pytest.fixture
def release(db: None) -> OpenRelease:
    seed_knowledge(editor=make_user("editor"), approver=make_user("approver"))
    found = open_release(SCOPE, date(2026, 11, 30))
    assert isinstance(found, OpenRelease)
    return found


def test_M37_M42_what_is_read_is_2026_2_with_its_24_clauses_in_their_order(release: OpenRelease) -> None:
    directory = clause_directory(release, SCOPE)
    assert release.version == "2026.2" and isinstance(directory, tuple)
    assert [line.clause_id for line in directory] == list(CLAUSES)
    kinds = {"COV": 5, "BEN": 8, "EXC": 6, "CON": 2, "CLM": 3}
    assert list(CLAUSES) == [f"HOM-{kind}-{n:02}" for kind, last in kinds.items() for n in range(1, last + 1)]


def test_M54_a_code_belongs_to_the_clause_that_applies_only_when_it_is_listed(release: OpenRelease) -> None:
    """The other options of a home change a limit or an excess: those clauses apply without them too."""
    entries = DirectoryEntry.objects.filter(release_id=release.id).exclude(schedule_section="")
    assert {entry.schedule_section: entry.clause.clause_id for entry in entries} == {
        "landlord_cover": "HOM-BEN-07",
        "meth_contamination": "HOM-BEN-08",
    }
    assert sorted(release.codes) == ["landlord_cover", "meth_contamination"]
