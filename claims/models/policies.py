"""Policies that adjusters upload. What was read of a file is an object beside it; rows say how far it is."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from claims.documents.pages import Unreadable
from claims.documents.sections import SectionKind


class PolicyDocument(models.Model):
    """One uploaded file of one adjuster. The same bytes are one document, however often they are uploaded.

    `unreadable` and `reason` say why nothing of it counts as read; both are empty while that is not known, and for a
    file that can be searched.
    """

    class Status(models.TextChoices):
        RECEIVED = "received"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    class Stage(models.TextChoices):
        READING = "reading"
        KEEPING = "keeping"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="policy_documents")
    name = models.CharField(max_length=200)
    size = models.PositiveIntegerField(help_text="bytes")
    sha256 = models.CharField(max_length=64)
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.RECEIVED)
    stage = models.CharField(max_length=20, choices=Stage.choices, null=True, blank=True)
    unreadable = models.CharField(
        max_length=30, choices=[(reason.value, reason.value) for reason in Unreadable], blank=True
    )
    reason = models.TextField(blank=True)
    reading_sha256 = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "sha256"], name="one_document_of_the_same_bytes"),
            models.CheckConstraint(
                condition=~Q(status="done") | ~Q(reading_sha256="") | ~Q(unreadable=""),
                name="done_documents_were_read_or_say_why_not",
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "at"], name="documents_of_an_adjuster"),
            models.Index(fields=["at"], condition=Q(status__in=["received", "running"]), name="unfinished_documents"),
        ]

    def __str__(self) -> str:
        """Not its name, which can name a customer: operators see this."""
        return str(self.pk)

    @property
    def original_key(self) -> str:
        """Where the file's own bytes are kept."""
        return f"uploads/{self.pk}/original"

    @property
    def reading_key(self) -> str:
        """Where what was read of it is kept; the key holds its hash, so a second reading never meets the first."""
        return f"uploads/{self.pk}/reading-{self.reading_sha256}.json"


class Relabel(models.Model):
    """An adjuster's word on a section's kind, with the reason. The latest one of a section wins; none is removed."""

    document = models.ForeignKey(PolicyDocument, on_delete=models.PROTECT, related_name="relabels")
    section_id = models.CharField(max_length=80)
    kind = models.CharField(max_length=30, choices=[(kind.value, kind.value.replace("_", " ")) for kind in SectionKind])
    reason = models.CharField(max_length=500)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["document", "section_id", "id"], name="relabels_of_a_section")]

    def __str__(self) -> str:
        return f"{self.section_id}: {self.kind}"
