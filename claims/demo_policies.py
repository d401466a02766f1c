"""The demo's policies, from `content/schedules.yaml`; they seed an empty table, then the rows are the truth."""

from pathlib import Path
from typing import Any

import yaml
from django.db import transaction

from claims.claim_opening import INSURER
from claims.models import PolicySchedule

SCHEDULES = Path(__file__).parent / "content" / "schedules.yaml"


def demo_policies() -> list[dict[str, Any]]:
    """The rows of the file: policy_number, family, postcode, coverage_sections, details."""
    rows: list[dict[str, Any]] = yaml.safe_load(SCHEDULES.read_text(encoding="utf-8"))
    return rows


def seed_policies() -> int:
    """Add the demo's policies to an empty table; the number of rows added, 0 when there are policies already."""
    with transaction.atomic():
        if PolicySchedule.objects.exists():
            return 0
        rows = [PolicySchedule(insurer=INSURER, **row) for row in demo_policies()]
        PolicySchedule.objects.bulk_create(rows)
        return len(rows)
