"""The tables of the knowledge base. Other apps never see them: they get the values of `answers`.

What must always hold is a constraint or a trigger here (see the first migration), not a habit of the acts.
"""

from knowledge.audit import AuditEntry
from knowledge.models.questions import Question, QuestionClause
from knowledge.models.wording import (
    Clause,
    DirectoryEntry,
    Family,
    IngestionRun,
    Insurer,
    Release,
    ReleaseItem,
    Revision,
    Sentence,
)

__all__ = [
    "AuditEntry",
    "Clause",
    "DirectoryEntry",
    "Family",
    "IngestionRun",
    "Insurer",
    "Question",
    "QuestionClause",
    "Release",
    "ReleaseItem",
    "Revision",
    "Sentence",
]
