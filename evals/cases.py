"""The cases of an evaluation: rows of the question inventory, with the policy that each is asked about."""

from collections.abc import Iterable
from dataclasses import dataclass

import yaml

from knowledge.clause_text import Part
from knowledge.question_rules import InventoryError, InventoryQuestion, QuestionClass

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
# How a turn of each class should end.
OUTCOMES = {
    QuestionClass.COVERED: ("answered",),
    QuestionClass.PROCESS: ("answered",),
    QuestionClass.NOT_COVERED: ("answered",),
    QuestionClass.DEPENDS_ON_SCHEDULE: ("answered", "not_listed"),
    QuestionClass.NEEDS_DECISION: ("needs_decision",),
    QuestionClass.NO_CLAUSE: ("not_found",),
}


@dataclass(frozen=True)
class Case:
    """One question. `expected` holds clause ids, the one that selection is scored on first; `after` is a row's id.
    `acceptable` holds those and the others that may be cited.

    `parts` are those of the first expected clause of which a helpful answer shows at least one; none is not asked.
    """

    id: str
    family: str
    policy_number: str
    postcode: str
    after: str | None
    text: str
    expected: tuple[str, ...]
    acceptable: tuple[str, ...]
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
        return self.kind == QuestionClass.NO_CLAUSE

    @property
    def is_for_staff(self) -> bool:
        """A member of staff has to decide something before it can be answered."""
        return self.kind == QuestionClass.NEEDS_DECISION


def cases_of(questions: Iterable[InventoryQuestion], parts: str = "") -> tuple[Case, ...]:
    """A case for each question, in their order; `parts` is the text of `expected_parts.yaml`. Raises InventoryError."""
    parts_of = _parts(parts)
    return tuple(_case(question, parts_of.get(question.id, ())) for question in questions)


def _parts(text: str) -> dict[str, list[str]]:
    try:
        parts_of = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise InventoryError(f"The expected parts are not YAML: {error}") from error
    if not isinstance(parts_of, dict) or not all(isinstance(parts, list) for parts in parts_of.values()):
        raise InventoryError("The expected parts are lists under the ids of questions.")
    return parts_of


def _case(question: InventoryQuestion, parts: Iterable[str]) -> Case:
    if question.fixture not in POLICIES:
        raise InventoryError(f"{question.id}: there is no policy for the fixture {question.fixture!r}.")
    if not set(parts) <= set(Part):
        raise InventoryError(f"{question.id}: a clause has no part of one of the names that are expected.")
    number, postcode = POLICIES[question.fixture]
    return Case(
        id=question.id,
        family=question.family,
        policy_number=number,
        postcode=postcode,
        after=question.after,
        text=question.text,
        expected=question.expected,
        acceptable=question.acceptable,
        kind=question.kind.value,
        language=question.language,
        parts=tuple(parts),
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
    if not cases:
        raise InventoryError("The inventory has no questions. Set up the portal: manage.py start.")
    if not of_family:
        raise InventoryError(f"The inventory has no questions about {family}.")
    strange = sorted(set(only) - {case.id for case in of_family})
    if strange:
        raise InventoryError(f"The inventory has no {family or ''} question {', '.join(strange)}.".replace("  ", " "))
    return tuple(case for case in of_family if not only or case.id in only)
