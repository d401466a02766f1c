"""The policy schedule of a number, and the demo's ten policies."""

from dataclasses import dataclass

from claims.agent.evidence import Detail, NoEvidence, Schedule
from claims.models import PolicySchedule


@dataclass(frozen=True)
class FoundPolicy:
    """A policy as it is held on file: the postcode is compared and never shown."""

    schedule: Schedule
    postcode: str


def normal_number(policy_number: str) -> str:
    return "".join(policy_number.split()).upper()


def find_schedule(policy_number: str) -> Schedule | NoEvidence:
    """The schedule of exactly this number (spaces and case aside), else NoEvidence: never a guess (M10, M56)."""
    found = find_policy(policy_number)
    return found.schedule if found is not None else NoEvidence()


def find_policy(policy_number: str) -> FoundPolicy | None:
    row = PolicySchedule.objects.filter(policy_number=normal_number(policy_number)).first()
    if row is None:
        return None
    details = tuple(Detail(d["code"], d["label"], d["value"]) for d in row.details)
    return FoundPolicy(Schedule(row.policy_number, row.family, tuple(row.coverage_sections), details), row.postcode)
