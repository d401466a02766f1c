"""The question inventory: what customers ask, and how much of it the wording in force answers (M43, M44).

It reads the release that customers get and says which clauses are there. How a question is answered is measured
elsewhere, through the claim-message API; a status here is no result of that.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, Q

from knowledge.answers import Audience, Missing, OpenRelease, Scope, Unavailable
from knowledge.audit import record
from knowledge.clause_text import Part
from knowledge.lookup import open_release
from knowledge.models import DirectoryEntry, Family, Question, QuestionClause, Sentence
from knowledge.question_rules import Coverage, InventoryError, InventoryQuestion, QuestionClass, Voice, coverage_of

_SAYS_SO = "(not included)"


@dataclass(frozen=True)
class ExpectedClause:
    """`title` is None when the clause is not in force."""

    clause_id: str
    title: str | None


@dataclass(frozen=True)
class CoveredQuestion:
    """A question with its expected clauses in order, and whether the wording answers it."""

    question: InventoryQuestion
    clauses: tuple[ExpectedClause, ...]
    status: Coverage


@dataclass(frozen=True)
class FamilyCoverage:
    """A family's questions on a day. `missing` says why there is no release; then every expected clause is missing."""

    family: str
    name: str
    release: OpenRelease | None
    missing: Missing | None
    questions: tuple[CoveredQuestion, ...]

    @property
    def counts(self) -> Mapping[Coverage, int]:
        """How many questions have each status, those with none of it too."""
        found = Counter(question.status for question in self.questions)
        return {status: found[status] for status in Coverage}


@transaction.atomic
def add_questions(questions: Iterable[InventoryQuestion], *, by: User) -> int:
    """Fill an empty inventory; returns how many rows were added, 0 when there is any row already: rows are the truth.

    Raises InventoryError for a family that is not there and for a clause of another family.
    """
    if Question.objects.exists():
        return 0
    families = {family.code: family for family in Family.objects.all()}
    rows: dict[str, Question] = {}
    for position, question in enumerate(questions, start=1):
        family = families.get(question.family)
        if family is None:
            raise InventoryError(f"{question.id}: there is no family {question.family}.")
        strange = [i for i in question.acceptable if not i.startswith(f"{family.clause_prefix}-")]
        if strange:
            raise InventoryError(f"{question.id}: {', '.join(strange)} is a clause of another family.")
        rows[question.id] = _add(question, family, rows.get(question.after or ""), position)
    record("inventory.fill", by=by, subject="question inventory", detail={"questions": len(rows)})
    return len(rows)


def inventory_questions() -> tuple[InventoryQuestion, ...]:
    """Every question of the inventory, in its order."""
    clauses = Prefetch("clauses", QuestionClause.objects.order_by("id"))
    rows = Question.objects.select_related("family", "after").prefetch_related(clauses).order_by("position")
    return tuple(_question(row) for row in rows)


def inventory_coverage(day: date) -> tuple[FamilyCoverage, ...]:
    """Every family with its questions, held against the release that customers get on `day` (R4)."""
    questions = inventory_questions()
    found = []
    for family in Family.objects.select_related("insurer").order_by("id"):
        release = open_release(Scope(family.insurer.code, family.code, Audience.CUSTOMER), day)
        in_force = _in_force(release)
        own = (question for question in questions if question.family == family.code)
        found.append(
            FamilyCoverage(
                family=family.code,
                name=family.name,
                release=None if isinstance(release, Unavailable) else release,
                missing=release.reason if isinstance(release, Unavailable) else None,
                questions=tuple(_covered(question, in_force) for question in own),
            )
        )
    return tuple(found)


@dataclass(frozen=True)
class _Entry:
    title: str
    says_not_included: bool


def _in_force(release: OpenRelease | Unavailable) -> dict[str, _Entry]:
    if isinstance(release, Unavailable):
        return {}
    says_so = Exists(Sentence.objects.filter(entry=OuterRef("pk"), part=Part.NOT_INCLUDED))
    entries = DirectoryEntry.objects.filter(release=release.id).annotate(says_so=Q(title__contains=_SAYS_SO) | says_so)
    rows = entries.values_list("clause__clause_id", "title", "says_so")
    return {clause_id: _Entry(title, says_so) for clause_id, title, says_so in rows}


def _covered(question: InventoryQuestion, in_force: Mapping[str, _Entry]) -> CoveredQuestion:
    says = {clause_id: entry.says_not_included for clause_id, entry in in_force.items()}
    clauses = tuple(ExpectedClause(i, in_force[i].title if i in in_force else None) for i in question.expected)
    return CoveredQuestion(question, clauses, coverage_of(question.kind, question.expected, says))


def _add(question: InventoryQuestion, family: Family, after: Question | None, position: int) -> Question:
    row = Question.objects.create(
        code=question.id,
        position=position,
        family=family,
        fixture=question.fixture,
        after=after,
        text=question.text,
        language=question.language,
        voice=question.voice,
        kind=question.kind,
        expects=question.expects,
    )
    places = {clause_id: place for place, clause_id in enumerate(question.expected, start=1)}
    QuestionClause.objects.bulk_create(
        QuestionClause(question=row, clause_id=clause_id, position=places.get(clause_id))
        for clause_id in question.acceptable
    )
    return row


def _question(row: Question) -> InventoryQuestion:
    clauses = tuple(row.clauses.all())
    expected = sorted((c for c in clauses if c.position is not None), key=lambda clause: clause.position or 0)
    others = tuple(clause.clause_id for clause in clauses if clause.position is None)
    return InventoryQuestion(
        id=row.code,
        family=row.family.code,
        fixture=row.fixture,
        after=None if row.after is None else row.after.code,
        text=row.text,
        language=row.language,
        voice=Voice(row.voice),
        kind=QuestionClass(row.kind),
        expects=row.expects,
        expected=tuple(clause.clause_id for clause in expected),
        acceptable=(*(clause.clause_id for clause in expected), *others),
    )
