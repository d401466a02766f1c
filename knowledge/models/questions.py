"""The tables of the question inventory: what customers ask, and the clauses that an answer needs."""

from django.db import models
from django.db.models import F, Q

from knowledge.answers import MAX_CLAUSE_IDS
from knowledge.models.wording import Family
from knowledge.question_rules import QuestionClass, Voice


class Question(models.Model):
    """A question as a customer of a fixture asks it (M43). Odd numbers are for tuning, even ones are the holdout."""

    code = models.CharField(max_length=10, unique=True)
    position = models.PositiveSmallIntegerField(unique=True)
    family = models.ForeignKey(Family, on_delete=models.PROTECT, related_name="questions")
    fixture = models.CharField(max_length=20, help_text="the policy of the one who asks")
    after = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="asked in the same conversation, after this one",
    )
    text = models.TextField()
    language = models.CharField(max_length=8)
    voice = models.CharField(max_length=12, choices=[(v.value, v.value) for v in Voice])
    kind = models.CharField("class", max_length=20, choices=[(k.value, k.value) for k in QuestionClass])
    expects = models.TextField(help_text="what a good answer does")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=[k.value for k in QuestionClass]), name="question_class"),
            models.CheckConstraint(condition=Q(voice__in=[v.value for v in Voice]), name="question_voice"),
            models.CheckConstraint(condition=~Q(after=F("id")), name="question_not_after_itself"),
        ]

    def __str__(self) -> str:
        return self.code


class QuestionClause(models.Model):
    """A clause that may be cited in answer to a question.

    Those with a position are expected, in that order; one without is acceptable beside them. The clause is named by its
    number, because a question may wait for a clause that nobody has written yet.
    """

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="clauses")
    clause_id = models.CharField(max_length=10)
    position = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["question", "clause_id"], name="question_clause_once"),
            models.UniqueConstraint(fields=["question", "position"], name="question_clause_position"),
            models.CheckConstraint(
                condition=Q(position__isnull=True) | Q(position__gte=1, position__lte=MAX_CLAUSE_IDS),
                name="question_clause_position_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.clause_id} for {self.question_id}"
