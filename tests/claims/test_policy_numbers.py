"""A claim's policy number is the key to its schedule: M10, M54 to M56, and the postcode where the demo is over."""

import pytest
from rest_framework.test import APIClient

from claims.agent.evidence import NoEvidence
from claims.claim_state import schedule_of
from claims.demo_policies import demo_policies
from claims.models import Claim, Fact, PolicySchedule
from claims.schedules import find_schedule
from tests.builders_api import LISTED, QUESTION_PLAN, address, holder, opened, play, say, seed_wording

pytestmark = pytest.mark.django_db

NUMBERS = {row["policy_number"]: row for row in demo_policies()}
FIXTURES = {
    "NW-MTR-204518": ("motor", "6011"),
    "NW-MTR-204519": ("motor", "1010"),
    "NW-MTR-204520": ("motor", "8011"),
    "NW-MTR-204521": ("motor", "9016"),
    "NW-HOM-310201": ("home", "6012"),
    "NW-HOM-310202": ("home", "7010"),
    "NW-HOM-310203": ("home", "3204"),
    "NW-CNT-420301": ("contents", "1021"),
    "NW-CNT-420302": ("contents", "2013"),
    "NW-CNT-420303": ("contents", "4410"),
}
UNKNOWN = "NW-MTR-999999"


@pytest.fixture(autouse=True)
def demo(settings):
    settings.DEBUG = True
    seed_wording()


def same_but_for_ids(body):
    return {name: value for name, value in body.items() if name not in {"reference", "token"}}


def test_M55_the_demo_holds_the_ten_policies_of_the_contract():
    assert {number: (row["family"], row["postcode"]) for number, row in NUMBERS.items()} == FIXTURES


@pytest.mark.parametrize("number", FIXTURES)
def test_M55_every_number_resolves_to_its_family_and_schedule(number):
    body = opened(APIClient(), number)
    family = FIXTURES[number][0]
    assert (body["family"], body["family_confirmed"], body["schedule"]) == (family, True, "found")
    schedule = find_schedule(number)
    assert (schedule.policy_number, schedule.family) == (number, family)
    assert schedule.sections == tuple(NUMBERS[number]["coverage_sections"])
    assert [detail.code for detail in schedule.details] == [d["code"] for d in NUMBERS[number]["details"]]


@pytest.mark.parametrize(
    "typed", ["nw-mtr-204518", " NW-MTR-204518 ", "NW MTR 204518".replace(" ", "-"), "NW-MTR- 204518"]
)
def test_M55_spaces_and_case_do_not_matter(typed):
    assert opened(APIClient(), typed)["schedule"] == "found"


def test_M54_coverage_sections_stays_a_free_list_of_codes_without_a_field_of_its_own():
    fields = {field.name for field in PolicySchedule._meta.get_fields()}
    assert fields == {"id", "policy_number", "insurer", "family", "postcode", "coverage_sections", "details"}
    assert all(isinstance(row["coverage_sections"], list) for row in NUMBERS.values())
    PolicySchedule.objects.filter(policy_number=LISTED).update(coverage_sections=["never_heard_of"])
    assert find_schedule(LISTED).sections == ("never_heard_of",)


def test_M54_a_schedule_lists_the_benefit_by_its_code_and_nothing_else():
    listing = [number for number in NUMBERS if find_schedule(number).lists("alternative_transport")]
    assert listing == [LISTED]
    assert not find_schedule(LISTED).lists("alternative transport")


@pytest.mark.parametrize("typed", [UNKNOWN, "204518", "NW-MTR-20451", "NW-MTR-204518' OR schedule=all --", "%", "_"])
def test_M10_an_unknown_number_is_a_claim_without_evidence_and_without_a_guess(typed):
    body = opened(APIClient(), typed)
    assert same_but_for_ids(body) == {
        "family": None,
        "family_confirmed": False,
        "schedule": "no_evidence",
        "loss_date": None,
        "wording": None,
    }


def test_M10_the_reply_says_that_no_schedule_was_found_and_names_no_benefit(monkeypatch):
    play(
        monkeypatch,
        plan=QUESTION_PLAN,
        context_resolve={"clause_ids": ["MTR-BEN-01"]},
        answer={"segments": [{"kind": "plain", "clause_id": "MTR-BEN-01", "line": 1}]},
    )
    claim = opened(APIClient(), UNKNOWN, family="motor")
    reply = say(claim, "Do I get a rental?").json()["reply"]["text"]
    assert "I couldn't find a schedule for this policy number" in reply
    assert "Your schedule" not in reply
    assert "your policy includes" not in reply


def test_M56_another_family_than_the_policys_own_is_no_evidence():
    body = opened(APIClient(), LISTED, family="home")
    assert (body["family"], body["family_confirmed"], body["schedule"]) == ("home", True, "no_evidence")


def test_M56_setting_another_family_later_ends_the_evidence_and_setting_it_back_brings_it_again():
    claim = opened(APIClient())
    for family, schedule in (("contents", "no_evidence"), ("motor", "found")):
        holder(claim).put(address(claim, "facts/family/"), {"value": family})
        assert holder(claim).get(address(claim)).json()["schedule"] == schedule


def test_M56_a_number_in_a_message_never_changes_the_claims_policy(monkeypatch):
    text = "Actually my policy is NW-MTR-204519, look at that one. Ngā mihi"
    heard = [
        {"field": "what_happened", "value": "my policy is NW-MTR-204519"},
        {"field": "family", "value": "home"},
    ]
    play(monkeypatch, plan={"kind": "report", "wants_decision": False, "facts": heard})
    claim = opened(APIClient())
    say(claim, text)
    row = Claim.objects.get()
    assert row.policy_number == LISTED
    assert schedule_of(row, "motor") == find_schedule(LISTED)
    assert (Fact.objects.get(field="family").value, Fact.objects.get(field="family").confirmed) == ("motor", True)


def test_M56_no_field_of_a_claim_sets_its_policy_number():
    claim = opened(APIClient())
    response = holder(claim).put(address(claim, "facts/policy_number/"), {"value": "NW-MTR-204519"})
    assert response.status_code == 400
    assert Claim.objects.get().policy_number == LISTED


@pytest.fixture
def no_demo(settings, demo):
    """With DEBUG off the schedule is for who knows the postcode, and nobody learns which numbers exist."""
    settings.DEBUG = False


@pytest.mark.parametrize("postcode", ["6011", " 60 11 "])
def test_postcode_right_finds_the_schedule(no_demo, postcode):
    body = opened(APIClient(), LISTED, postcode=postcode)
    assert (body["family"], body["schedule"]) == ("motor", "found")


@pytest.mark.parametrize("given", [{}, {"postcode": ""}, {"postcode": "1010"}, {"postcode": "6011x"}])
def test_postcode_wrong_or_missing_cannot_be_told_from_an_unknown_number(no_demo, given):
    known = APIClient().post("/api/claims/", {"policy_number": LISTED, **given})
    unknown = APIClient().post("/api/claims/", {"policy_number": UNKNOWN, **given})
    assert known.status_code == unknown.status_code == 201
    assert same_but_for_ids(known.json()) == same_but_for_ids(unknown.json())
    assert set(known.headers) == set(unknown.headers)
    for claim in (known.json(), unknown.json()):
        seen = holder(claim).get(address(claim)).json()
        assert (seen["schedule"], seen["family"], seen["facts"]) == ("no_evidence", None, [])


def test_postcode_wrong_stays_wrong_when_the_customer_names_the_right_family(no_demo):
    claim = opened(APIClient(), LISTED, postcode="1010")
    holder(claim).put(address(claim, "facts/family/"), {"value": "motor"})
    assert holder(claim).get(address(claim)).json()["schedule"] == "no_evidence"
    row = Claim.objects.get()
    assert isinstance(schedule_of(row, "motor"), NoEvidence)


def test_postcode_is_in_no_answer(no_demo):
    claim = opened(APIClient(), LISTED, postcode="6011")
    assert "6011" not in str(holder(claim).get(address(claim)).json())
