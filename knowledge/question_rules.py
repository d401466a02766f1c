"""The rules of the question inventory: what a row says, what it may not say, and when the wording answers it.

Plain Python. It reads the inventory's text and judges one question against the clauses that are in force; which those
are is the business of `inventory`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

import yaml

from knowledge.answers import MAX_CLAUSE_IDS
from knowledge.clause_text import CLAUSE_ID

_FIELDS = {"id", "family", "fixture", "after", "text", "expected", "class", "expects", "language"}
_TEXTS = ("id", "family", "fixture", "text", "class", "expects", "language")
_MORE_FIELDS = {"voice", "acceptable"}

E = TypeVar("E", bound=StrEnum)


class InventoryError(Exception):
    """The inventory cannot be used; the message names the row and what is wrong with it."""


class QuestionClass(StrEnum):
    """How an answer has to behave."""

    COVERED = "covered"
    PROCESS = "process"
    NOT_COVERED = "not_covered"
    DEPENDS_ON_SCHEDULE = "depends_on_schedule"
    NEEDS_DECISION = "needs_decision"
    NO_CLAUSE = "no_clause"


class Voice(StrEnum):
    """How the customer speaks. It changes the tone that is due, never the facts."""

    EVERYDAY = "everyday"
    DISTRESSED = "distressed"
    FRUSTRATED = "frustrated"
    PRESSING = "pressing"


class Coverage(StrEnum):
    """Does the wording in force answer a question? (M43 to M45; the rule is `coverage_of`.)

    `covered`: every expected clause is in force. `partly`: the first one is, on which the choice of clauses is scored,
    and something of the answer is not: another clause, or the sentence that says "not included". `missing`: the first
    one is not in force. `says_not_included`: cover that is left out on purpose, by a clause that says so. None by
    design: a question that no clause should answer, or a bare demand for a decision.
    """

    COVERED = "covered"
    PARTLY = "partly"
    MISSING = "missing"
    SAYS_NOT_INCLUDED = "says_not_included"
    NONE_BY_DESIGN = "none_by_design"


@dataclass(frozen=True)
class InventoryQuestion:
    """One question. `expected` is in order, the clause that the choice is scored on first; `acceptable` holds them too.

    `after` is the id of the question before it in the same conversation.
    """

    id: str
    family: str
    fixture: str
    after: str | None
    text: str
    language: str
    voice: Voice
    kind: QuestionClass
    expects: str
    expected: tuple[str, ...]
    acceptable: tuple[str, ...]

    @property
    def is_holdout(self) -> bool:
        """Even rows are never looked at while a title, a threshold or a prompt is changed."""
        return int(self.id.rpartition("-")[2]) % 2 == 0


def coverage_of(kind: QuestionClass, expected: Sequence[str], in_force: Mapping[str, bool]) -> Coverage:
    """The status of a question (M43). `in_force`: clause id -> does the clause say what is not included?"""
    if not expected:
        return Coverage.NONE_BY_DESIGN
    if expected[0] not in in_force:
        return Coverage.MISSING
    if not set(expected) <= set(in_force):
        return Coverage.PARTLY
    if kind is QuestionClass.NOT_COVERED:
        return Coverage.SAYS_NOT_INCLUDED if in_force[expected[0]] else Coverage.PARTLY
    return Coverage.COVERED


def read_inventory(text: str, more: str = "") -> tuple[InventoryQuestion, ...]:
    """The inventory's rows in their order. Raises InventoryError.

    `more` maps ids to what only some rows say: a voice that is not everyday, and clauses that are acceptable beside the
    expected ones.
    """
    rows, extra = _yaml(text, list), _yaml(more, dict) if more.strip() else {}
    questions = tuple(_question(row, extra) for row in rows)
    ids = [question.id for question in questions]
    if len(set(ids)) != len(ids):
        raise InventoryError("Two rows of the inventory have the same id.")
    if strange := sorted(set(extra) - set(ids)):
        raise InventoryError(f"There is no row {', '.join(strange)} to say more about.")
    for index, question in enumerate(questions):
        if question.after is not None and question.after not in ids[:index]:
            raise InventoryError(f"{question.id}: after names {question.after}, which is no earlier row.")
    return questions


def _yaml(text: str, wanted: type) -> Any:
    try:
        read = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InventoryError(f"The inventory is not YAML: {error}") from error
    if not isinstance(read, wanted):
        raise InventoryError("The inventory is a list of rows, and what only some rows say is under their ids.")
    return read


def _question(row: Any, extra: Mapping[str, Any]) -> InventoryQuestion:
    if not isinstance(row, dict) or set(row) != _FIELDS:
        raise InventoryError(f"A row needs exactly these fields: {', '.join(sorted(_FIELDS))}. This one: {row!r:.80}")
    code = row["id"]
    if strange := [name for name in _TEXTS if not isinstance(row[name], str) or not row[name]]:
        raise InventoryError(f"{code}: {', '.join(strange)} is a text; put a number or a date in double quotes.")
    if not code.rpartition("-")[2].isdecimal():
        raise InventoryError(f"{code}: an id ends with a number.")
    more = extra.get(code, {})
    if not isinstance(more, dict) or not set(more) <= _MORE_FIELDS:
        raise InventoryError(f"{code}: only {' and '.join(sorted(_MORE_FIELDS))} can be said beside a row.")
    kind = _one_of(QuestionClass, row["class"], code)
    expected = _clauses(row["expected"], code)
    if len(expected) > MAX_CLAUSE_IDS:
        raise InventoryError(f"{code}: at most {MAX_CLAUSE_IDS} clauses are expected.")
    if expected and kind is QuestionClass.NO_CLAUSE:
        raise InventoryError(f"{code}: no clause can answer it, so none is expected.")
    if not expected and kind not in (QuestionClass.NO_CLAUSE, QuestionClass.NEEDS_DECISION):
        raise InventoryError(f"{code}: a question of the class {kind} expects a clause.")
    return InventoryQuestion(
        id=code,
        family=row["family"],
        fixture=row["fixture"],
        after=row["after"],
        text=row["text"],
        language=row["language"],
        voice=_one_of(Voice, more.get("voice", Voice.EVERYDAY.value), code),
        kind=kind,
        expects=row["expects"],
        expected=expected,
        acceptable=tuple(dict.fromkeys((*expected, *_clauses(more.get("acceptable", []), code)))),
    )


def _clauses(ids: Any, code: str) -> tuple[str, ...]:
    if not isinstance(ids, list) or not all(isinstance(i, str) and CLAUSE_ID.fullmatch(i) for i in ids):
        raise InventoryError(f"{code}: clauses are named by their ids, like MTR-COV-01; found {ids!r:.80}.")
    if len(set(ids)) < len(ids):
        raise InventoryError(f"{code}: a clause is named twice.")
    return tuple(ids)


def _one_of(words: type[E], given: Any, code: str) -> E:
    try:
        return words(given)
    except ValueError as error:
        raise InventoryError(f"{code}: {given!r} is none of {', '.join(words)}.") from error
