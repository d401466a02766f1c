"""The contents policy, fact by fact: every figure and main condition, against the clauses as they are fetched."""

import re
from datetime import date

import pytest

from knowledge.answers import Audience, Fetched, OpenRelease, Scope
from knowledge.clause_text import ClauseText, Part, PolicyDocument, read_document
from knowledge.language import decision_problem
from knowledge.lookup import clause_directory, fetch_clauses, open_release
from knowledge.models import DirectoryEntry
from knowledge.seeding import CONTENT, seed_knowledge
from tests.builders_knowledge import make_user

SCOPE = Scope("northwind", "contents", Audience.CUSTOMER)
WRITTEN = read_document((CONTENT / "2026.2" / "contents.md").read_text(encoding="utf-8"))
WITHDRAWN = read_document((CONTENT / "MVP-2026.1" / "contents.md").read_text(encoding="utf-8"))
CLAUSES = {clause.clause_id: clause for clause in WRITTEN.clauses}

# Clause, part, pattern; the text of all the clause's lines with that part is searched in small letters.
FACTS: list[tuple[str, Part, str]] = [
    ("COV-01", Part.TRIGGER, r"theft .* or for sudden and accidental loss or damage"),
    ("COV-01", Part.PROVIDES, r"fire, flood, storm, a burst pipe, vandalism and burglary"),
    ("COV-01", Part.PROVIDES, r"mishaps, such as a spill, a burn.* a child did it"),
    ("COV-01", Part.PROVIDES, r"loose rugs"),
    ("COV-01", Part.NOT_INCLUDED, r"fixed parts of the home, fitted carpet among them, which are in cnt-exc-04"),
    ("COV-02", Part.PROVIDES, r"anywhere in new zealand"),
    ("COV-02", Part.SCHEDULE, r"outside new zealand .* only when the policy schedule lists portable items overseas"),
    ("COV-03", Part.LIMIT, r"one item, pair, set or collection is nzd 3,000, unless .* the schedule lists the item"),
    ("COV-03", Part.SCHEDULE, r"names among the specified items"),
    ("COV-03", Part.DUTY, r"tell northwind within 30 days"),
    ("COV-03", Part.LIMIT, r"instruments, cameras with their lenses, art, antiques, tvs, and collections"),
    ("COV-03", Part.NOT_INCLUDED, r"instrument .* while it is used for a paid performance"),
    ("COV-03", Part.OTHER, r"hold back new listings .* after a large earthquake"),
    ("COV-04", Part.LIMIT, r"nzd 2,500 for one piece"),
    ("COV-04", Part.LIMIT, r"together in one event is nzd 15,000"),
    ("COV-04", Part.NOT_INCLUDED, r"worn claws"),
    ("COV-04", Part.DUTY, r"photos alone are weak proof"),
    ("COV-05", Part.LIMIT, r"bike, e-bike or e-scooter is nzd 2,000, unless the schedule lists it"),
    ("COV-05", Part.NOT_INCLUDED, r"maximum output above 300 watts is a vehicle and not contents"),
    ("COV-05", Part.LIMIT, r"drone is nzd 1,500"),
    ("COV-05", Part.NOT_INCLUDED, r"drone while it takes off, flies or lands"),
    ("COV-06", Part.LIMIT, r"phone, accessories included, is nzd 1,500"),
    ("COV-06", Part.TRIGGER, r"accidentally damaged, lost or stolen"),
    ("COV-06", Part.NOT_INCLUDED, r"a battery that fades"),
    ("COV-07", Part.LIMIT, r"nzd 2,000,000 for property"),
    ("COV-07", Part.LIMIT, r"nzd 1,000,000 for injury"),
    ("COV-07", Part.OTHER, r"at most 4 weeks' rent or the landlord's insurance excess, whichever is lower"),
    ("COV-07", Part.OTHER, r"4 weeks' rent if the landlord has no insurance"),
    ("COV-07", Part.NOT_INCLUDED, r"on purpose, for which a tenant owes the whole cost"),
    ("COV-07", Part.PROVIDES, r"children, a dog, a bike or a hired scooter .* only if the hire terms were kept"),
    ("COV-07", Part.PROVIDES, r"home you rent, for what you legally owe and no more"),
    ("COV-07", Part.NOT_INCLUDED, r"a vehicle, boat"),
    ("COV-07", Part.NOT_INCLUDED, r"treatment of an injury, which is for acc"),
    ("COV-08", Part.OTHER, r"nhcover \(formerly eqc\) has not included contents since 1 july 2019"),
    ("COV-08", Part.EXCESS, r"the normal excess"),
    ("BEN-01", Part.LIMIT, r"nzd 500 for one event"),
    ("BEN-01", Part.TRIGGER, r"power went off or the appliance broke down"),
    ("BEN-01", Part.PROVIDES, r"damage that the spoiled food did"),
    ("BEN-01", Part.EXCESS, r"no excess"),
    ("BEN-01", Part.DUTY, r"list and take photos of the food before you throw it out"),
    ("BEN-02", Part.LIMIT, r"nzd 15,000 for one event, pets, moving and storage included"),
    ("BEN-02", Part.TRIGGER, r"owned or rented, cannot be lived in"),
    ("BEN-02", Part.PROVIDES, r"extra cost, over your normal rent"),
    ("BEN-03", Part.PROVIDES, r"named events are: fire .*crash .*storm or flood .*breaking into .*cross the sea"),
    ("BEN-03", Part.NOT_INCLUDED, r"dropping, scratching, denting or breaking"),
    ("BEN-03", Part.STARTS, r"carried out of the old home"),
    ("BEN-03", Part.ENDS, r"put down in the new home"),
    ("BEN-04", Part.TRIGGER, r"commercial storage unit"),
    ("BEN-04", Part.ENDS, r"after 6 months"),
    ("BEN-04", Part.NOT_INCLUDED, r"without signs of forced entry"),
    ("BEN-04", Part.SCHEDULE, r"only when the policy schedule lists storage cover"),
    ("BEN-05", Part.LIMIT, r"nzd 5,000 for one student"),
    ("BEN-05", Part.NOT_INCLUDED, r"flatting, .* is not included"),
    ("BEN-05", Part.NOT_INCLUDED, r"theft from the student's room is not included without signs of forced entry"),
    ("BEN-06", Part.LIMIT, r"nzd 1,000 for one event"),
    ("BEN-06", Part.EXCESS, r"no excess"),
    ("BEN-06", Part.NOT_INCLUDED, r"car keys .* belong to motor insurance"),
    ("BEN-07", Part.LIMIT, r"nzd 5,000 while the equipment is at home"),
    ("BEN-07", Part.LIMIT, r"nzd 1,000 while it is away"),
    ("BEN-07", Part.NOT_INCLUDED, r"tools of trade, stock and samples are not included"),
    ("BEN-07", Part.NOT_INCLUDED, r"belongs to your employer"),
    ("BEN-08", Part.LIMIT, r"nzd 2,500 for one item"),
    ("BEN-08", Part.EXCESS, r"no excess"),
    ("BEN-09", Part.LIMIT, r"nzd 500 for cash, vouchers"),
    ("BEN-09", Part.LIMIT, r"nzd 1,000 for card misuse"),
    ("BEN-09", Part.LIMIT, r"nzd 1,000 for documents"),
    ("BEN-09", Part.NOT_INCLUDED, r"identity theft and scams are not included"),
    ("EXC-01", Part.NOT_INCLUDED, r"chewing, clawing or soiling by pets that live with you"),
    ("EXC-01", Part.LIMIT, r"hidden leaks is nzd 2,500 in a year of insurance"),
    ("EXC-01", Part.OTHER, r"cause that must be sudden, not the discovery"),
    ("EXC-02", Part.TRIGGER, r"the vehicle was locked, and there are signs of forced entry"),
    ("EXC-02", Part.LIMIT, r"from a vehicle in one event is nzd 2,000"),
    ("EXC-02", Part.NOT_INCLUDED, r"without a break-in .* tenant, boarder, flatmate or guest"),
    ("EXC-02", Part.OTHER, r"unlocked door .* reasonable care under cnt-con-02"),
    ("EXC-03", Part.NOT_INCLUDED, r"flatmates boarders and tenants guests and visitors"),
    ("EXC-04", Part.NOT_INCLUDED, r"roof racks and roof boxes"),
    ("EXC-04", Part.NOT_INCLUDED, r"fitted carpet .* built-in ovens"),
    ("EXC-04", Part.OTHER, r"belong to home insurance, or if you rent, to the landlord's"),
    ("CON-01", Part.EXCESS, r"nzd 400 unless the schedule shows another amount"),
    ("CON-01", Part.LIMIT, r"one cause at one time and place"),
    ("CON-01", Part.LIMIT, r"several rooms is one event"),
    ("CON-01", Part.LIMIT, r"two northwind policies, .* only the higher excess"),
    ("CON-01", Part.TRIGGER, r"whoever was at fault"),
    ("CON-02", Part.NOT_INCLUDED, r"theft is not included .* more than 60 days in a row"),
    ("CON-02", Part.SCHEDULE, r"only when the schedule shows that northwind agreed"),
    ("CON-02", Part.OTHER, r"as at 1 january 2026; the contracts of insurance act 2024 .* by 15 november 2027"),
    ("CON-02", Part.OTHER, r"gross carelessness or recklessness"),
    ("CLM-01", Part.DUTY, r"receipts, bank records .* boxes, manuals"),
    ("CLM-01", Part.OTHER, r"without proof .* may decline that part or pay less"),
    ("CLM-01", Part.DUTY, r"report theft .* to the police"),
    ("CLM-02", Part.SCHEDULE, r"replacement value or present value"),
    ("CLM-02", Part.LIMIT, r"electronics that are 5 years old or older appliances that are 10 years old or older"),
    ("CLM-02", Part.PROVIDES, r"to repair, to replace through a supplier, to give a voucher or to pay cash"),
    ("CLM-02", Part.LIMIT, r"cash is what it would have cost northwind"),
    ("CLM-02", Part.NOT_INCLUDED, r"the undamaged part of a pair, set or suite"),
    ("CLM-03", Part.LIMIT, r"nzd 500,000 plus gst, and at up to nzd 10,000 plus gst"),
    ("CLM-03", Part.OTHER, r"disputes tribunal, up to nzd 60,000"),
    ("CLM-03", Part.STARTS, r"2 months without a resolution"),
    ("CLM-03", Part.OTHER, r"acknowledges a complaint within 5 business days"),
    ("CLM-03", Part.OTHER, r"within 20 working days"),
]

# Every amount in the policy, so that one that nobody checked cannot come in beside those of the facts.
AMOUNTS = {
    "COV-03": {"3,000"},
    "COV-04": {"2,500", "15,000"},
    "COV-05": {"2,000", "1,500"},
    "COV-06": {"1,500", "3,000"},
    "COV-07": {"2,000,000", "1,000,000"},
    "BEN-01": {"500"},
    "BEN-02": {"15,000"},
    "BEN-05": {"5,000"},
    "BEN-06": {"1,000"},
    "BEN-07": {"5,000", "1,000"},
    "BEN-08": {"2,500"},
    "BEN-09": {"500", "1,000"},
    "EXC-01": {"2,500"},
    "EXC-02": {"2,000"},
    "CON-01": {"400"},
    "CLM-03": {"500,000", "10,000", "60,000"},
}

OUTDATED = {
    "EQC's or NHCover's amounts, none of which is for contents": r"\b(20|100|150|300),000\b",
    "EQC's excess": r"\bnzd 200\b|\b1 ?%|1 per cent",
    "three months to claim from EQC": r"\b3 months\b|three months",
    "telling EQC": r"(ring|call|tell|contact|claim to|report to) (eqc|nhc)",
    "EQC under its old name alone": r"(?<!formerly )\beqc\b",
    "the older meth limit": r"\b1\.5\b|micrograms?",
    "the scheme's older limits": r"\b(200|350),000\b",
    "the scheme's older name": r"savings ombudsman",
    "the tribunal's older limits": r"tribunal[^.]*\b(15|20|30),000\b",
    "the 2024 Act as if in force": r"contracts of insurance act 2024 (?!is to change)",
    "a tenant who owes everything": r"tenants? (owes?|pays?) (for )?(all|any|every)\b",
}


@pytest.fixture
def release(db: None) -> OpenRelease:
    seed_knowledge(editor=make_user("editor"), approver=make_user("approver"))
    found = open_release(SCOPE, date(2026, 11, 30))
    assert isinstance(found, OpenRelease)
    return found


def part(clause: ClauseText, where: Part) -> str:
    return " ".join(clause.sentence_text(s.index) for s in clause.sentences if s.part is where).casefold()


def shown(document: PolicyDocument) -> str:
    return "\n".join(f"{c.text}\n{chr(10).join(c.plain)}" for c in document.clauses).casefold()


@pytest.mark.parametrize(("number", "where", "pattern"), FACTS, ids=[f"{n}-{p}" for n, _, p in FACTS])
def test_M50_the_clause_states_the_fact_in_its_part(number: str, where: Part, pattern: str) -> None:
    assert re.search(pattern, part(CLAUSES[f"CNT-{number}"], where))


def test_M50_no_clause_has_an_amount_that_is_not_among_the_facts() -> None:
    found = {c.clause_id[4:]: set(re.findall(r"NZD ([\d,]*\d)", c.text)) for c in WRITTEN.clauses}
    assert {number: amounts for number, amounts in found.items() if amounts} == AMOUNTS


@pytest.mark.parametrize("what", OUTDATED)
def test_no_clause_states_what_is_out_of_date(what: str) -> None:
    for text in (shown(WRITTEN), shown(WITHDRAWN)):
        assert not re.search(OUTDATED[what], text)


def test_M42_the_policy_has_its_26_clauses_and_they_are_read_as_they_are_written(release: OpenRelease) -> None:
    directory = clause_directory(release, SCOPE)
    assert isinstance(directory, tuple) and len(directory) == 26
    assert {line.clause_id: line.title for line in directory} == {c.clause_id: c.title for c in WRITTEN.clauses}
    for clause_id, clause in CLAUSES.items():
        found = fetch_clauses(release, SCOPE, [clause_id])
        assert isinstance(found, Fetched) and [f.clause for f in found.clauses] == [clause]


def test_M54_storage_cover_is_what_one_clause_depends_on_and_the_only_such_code(release: OpenRelease) -> None:
    entries = DirectoryEntry.objects.filter(release_id=release.id).exclude(schedule_section="")
    assert [(e.clause.clause_id, e.schedule_section) for e in entries] == [("CNT-BEN-04", "storage_cover")]
    assert release.codes == ("storage_cover",)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("COV-02", "portable items overseas"),
        ("COV-03", "specified items"),
        ("COV-04", "specified items"),
        ("COV-04", "portable items overseas"),
        ("COV-05", "specified items"),
        ("COV-06", "portable items overseas"),
        ("BEN-08", "portable items overseas"),
        ("CLM-02", "replacement value or present value"),
        ("CON-02", "northwind agreed"),
        ("EXC-03", "names that person"),
    ],
)
def test_M3_what_the_schedule_decides_for_a_part_of_a_clause_is_always_shown(number: str, words: str) -> None:
    clause = CLAUSES[f"CNT-{number}"]
    always = [clause.sentence_text(s.index) for s in clause.sentences if s.part is Part.SCHEDULE and s.always]
    assert any(words in sentence.casefold() for sentence in always)


@pytest.mark.parametrize("number", ["BEN-01", "BEN-06", "BEN-08"])
def test_a_benefit_without_an_excess_is_named_in_the_excess_clause_and_no_other_is(number: str) -> None:
    named = set(re.findall(r"CNT-BEN-\d\d", CLAUSES["CNT-CON-01"].text))
    assert named == {"CNT-BEN-01", "CNT-BEN-06", "CNT-BEN-08"}
    assert "no excess applies" in " ".join(CLAUSES[f"CNT-{number}"].plain)


def test_a_clause_refers_only_to_clauses_that_this_policy_has() -> None:
    for document in (WRITTEN, WITHDRAWN):
        own = {clause.clause_id for clause in document.clauses}
        named = {i for clause in document.clauses for i in re.findall(r"\b[A-Z]{3}-[A-Z]{3}-\d\d\b", clause.text)}
        assert named <= own


def test_M4_a_plain_line_that_speaks_of_payment_keeps_the_condition_that_a_claim_is_accepted() -> None:
    for clause in (*WRITTEN.clauses, *WITHDRAWN.clauses):
        for line in clause.plain:
            assert decision_problem(line) is None
            of_payment = re.search(r"\bpays?\b|\bgives\b|are settled", line)
            assert line.startswith("Once a claim is accepted, ") or not of_payment


def test_M36_the_first_version_is_withdrawn_and_no_text_of_it_is_read(release: OpenRelease) -> None:
    assert WRITTEN.withdraws == (WITHDRAWN.version,) and release.version == WRITTEN.version
    assert "nzd 2,000, unless the schedule lists it for more" in part(WITHDRAWN.clauses[2], Part.LIMIT)
    assert "2,000" not in CLAUSES["CNT-COV-03"].text
