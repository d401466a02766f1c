"""The cases of an evaluation: rows of the question inventory, read from its text, where its fields are explained."""

from dataclasses import dataclass
from typing import Any

import yaml

from knowledge.clause_text import Part

# The demo's policies that the inventory's fixtures name: number and postcode.
POLICIES = {
    "M-COMP+": ("NW-MTR-204518", "6011"),
    "M-COMP": ("NW-MTR-204519", "1010"),
    "M-TPFT": ("NW-MTR-204520", "8011"),
    "M-TPO": ("NW-MTR-204521", "9016"),
    "H-OWN": ("NW-HOM-310201", "6012"),
    "H-OWN+": ("NW-HOM-310202", "7010"),
    "H-LAND": ("NW-HOM-310203", "3204"),
    "C-NEW": ("NW-CNT-420301", "1021"),
    "C-NEW+": ("NW-CNT-420302", "2013"),
    "C-PV": ("NW-CNT-420303", "4410"),
}
NO_CLAUSE, NEEDS_DECISION, ON_SCHEDULE = "no_clause", "needs_decision", "depends_on_schedule"
# How a turn of each class should end.
OUTCOMES = {
    "covered": ("answered",),
    "process": ("answered",),
    "not_covered": ("answered",),
    ON_SCHEDULE: ("answered", "not_listed"),
    NEEDS_DECISION: ("needs_decision",),
    NO_CLAUSE: ("not_found",),
}
_FIELDS = {"id", "family", "fixture", "after", "text", "expected", "class", "expects", "language"}


class InventoryError(Exception):
    """The inventory cannot be used; the message names the row and what is wrong with it."""


@dataclass(frozen=True)
class Case:
    """One question. `expected` holds clause ids, the one that selection is scored on first; `after` is a row's id.

    `parts` are those of the first expected clause of which a helpful answer shows at least one; none is not asked.
    """

    id: str
    family: str
    policy_number: str
    postcode: str
    after: str | None
    text: str
    expected: tuple[str, ...]
    kind: str
    language: str
    parts: tuple[str, ...] = ()

    @property
    def is_holdout(self) -> bool:
        """Even rows are never looked at while a title, a threshold or a prompt is changed."""
        return int(self.id.rpartition("-")[2]) % 2 == 0

    @property
    def is_english(self) -> bool:
        return self.language == "en"

    @property
    def is_demand(self) -> bool:
        """The rows of the inventory's section of attempts to get a decision."""
        return self.id.startswith("DD-")

    @property
    def is_unanswerable(self) -> bool:
        return self.kind == NO_CLAUSE

    @property
    def is_for_staff(self) -> bool:
        """A member of staff has to decide something before it can be answered."""
        return self.kind == NEEDS_DECISION


def read_cases(text: str, parts: str = "") -> tuple[Case, ...]:
    """The inventory's rows in their order; `parts` is the text of `expected_parts.yaml`. Raises InventoryError."""
    rows, parts_of = _yaml(text), _yaml(parts) or {}
    if not isinstance(rows, list):
        raise InventoryError("The inventory is not a list of rows.")
    cases = tuple(_read_case(row, parts_of) for row in rows)
    ids = [case.id for case in cases]
    if len(set(ids)) != len(ids):
        raise InventoryError("Two rows of the inventory have the same id.")
    for case in cases:
        if case.after is not None and case.after not in ids:
            raise InventoryError(f"{case.id}: after names {case.after}, which is not a row.")
    return cases


def _yaml(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InventoryError(f"The inventory is not YAML: {error}") from error


def _read_case(row: Any, parts_of: dict[str, list[str]]) -> Case:
    if not isinstance(row, dict) or set(row) != _FIELDS:
        raise InventoryError(f"A row needs exactly these fields: {', '.join(sorted(_FIELDS))}. This one: {row!r:.80}")
    if row["fixture"] not in POLICIES:
        raise InventoryError(f"{row['id']}: there is no policy for the fixture {row['fixture']!r}.")
    if row["class"] not in OUTCOMES:
        raise InventoryError(f"{row['id']}: there is no class {row['class']!r}.")
    if not set(parts_of.get(row["id"], ())) <= set(Part):
        raise InventoryError(f"{row['id']}: a clause has no part of one of the names that are expected.")
    if not row["id"].rpartition("-")[2].isdecimal():
        raise InventoryError(f"{row['id']}: an id ends with a number.")
    number, postcode = POLICIES[row["fixture"]]
    return Case(
        id=row["id"],
        family=row["family"],
        policy_number=number,
        postcode=postcode,
        after=row["after"],
        text=row["text"],
        expected=tuple(row["expected"]),
        kind=row["class"],
        language=row["language"],
        parts=tuple(parts_of.get(row["id"], ())),
    )


def conversation(case: Case, cases: tuple[Case, ...]) -> tuple[str, ...]:
    """What the customer says in one claim: the rows that this one comes after, then this one.

    Raises InventoryError for rows that come after one another in a circle.
    """
    by_id = {c.id: c for c in cases}
    chain = [case]
    while (before := chain[0].after) is not None:
        if any(before == c.id for c in chain):
            raise InventoryError(f"{case.id}: the rows come after one another in a circle.")
        chain.insert(0, by_id[before])
    return tuple(c.text for c in chain)


def chosen(cases: tuple[Case, ...], family: str | None = None, only: tuple[str, ...] = ()) -> tuple[Case, ...]:
    """The cases of a family, or every family's; of those the ones that `only` names, if it names any.

    Raises InventoryError for a family without questions and for an id that is not among its questions.
    """
    of_family = tuple(case for case in cases if family in (None, case.family))
    if not of_family:
        raise InventoryError(f"The inventory has no questions about {family}.")
    strange = sorted(set(only) - {case.id for case in of_family})
    if strange:
        raise InventoryError(f"The inventory has no {family or ''} question {', '.join(strange)}.".replace("  ", " "))
    return tuple(case for case in of_family if not only or case.id in only)
