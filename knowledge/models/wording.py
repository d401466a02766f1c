"""The tables of the wording: insurers, families, clauses, releases and what ingestion made of them."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from knowledge.clause_text import ClauseText, Part, Visibility, read_body

_USER = settings.AUTH_USER_MODEL


class Insurer(models.Model):
    code = models.SlugField(unique=True)
    name = models.CharField(max_length=100)

    def __str__(self) -> str:
        return self.name


class Family(models.Model):
    """A kind of policy with one document. The document's id carries no version (M38)."""

    insurer = models.ForeignKey(Insurer, on_delete=models.PROTECT, related_name="families")
    code = models.SlugField()
    name = models.CharField(max_length=100)
    clause_prefix = models.CharField(max_length=3, unique=True)
    document_id = models.SlugField(max_length=100, unique=True)

    class Meta:
        verbose_name_plural = "families"
        constraints = [models.UniqueConstraint(fields=["insurer", "code"], name="family_code_of_insurer")]

    def __str__(self) -> str:
        return f"{self.insurer_id and self.insurer.code} {self.code}"


class Clause(models.Model):
    """A permanent clause number. Numbers only go forward, and a row is never changed or deleted (M46; triggers)."""

    family = models.ForeignKey(Family, on_delete=models.PROTECT, related_name="clauses")
    clause_id = models.CharField(max_length=10, unique=True)
    kind = models.CharField(max_length=3)
    number = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["family", "kind", "number"], name="clause_number_of_kind"),
            models.CheckConstraint(condition=Q(kind__in=["COV", "BEN", "EXC", "CON", "CLM"]), name="clause_kind"),
            models.CheckConstraint(condition=Q(number__gte=1, number__lte=99), name="clause_number_two_digits"),
        ]

    def __str__(self) -> str:
        return self.clause_id


class Revision(models.Model):
    """One wording of a clause by one author. A change is a new row."""

    clause = models.ForeignKey(Clause, on_delete=models.PROTECT, related_name="revisions")
    title = models.CharField(max_length=200)
    schedule_section = models.CharField(max_length=60, blank=True)
    sources = models.JSONField(default=list)
    plain = models.JSONField(default=list)
    body = models.TextField(help_text="One sentence or bullet a line, each with its part in brackets.")
    author = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.clause} revision {self.pk}"

    def as_clause(self) -> ClauseText:
        """The revision as a value. Raises DocumentError when the body cannot be read."""
        text, sentences = read_body(self.body)
        return ClauseText(
            clause_id=self.clause.clause_id,
            title=self.title,
            schedule_section=self.schedule_section or None,
            sources=tuple(self.sources),
            plain=tuple(self.plain),
            text=text,
            sentences=sentences,
        )


class ReleaseQuerySet(models.QuerySet["Release"]):
    def approved(self) -> Self:
        return self.filter(state=Release.State.APPROVED)

    def of_family(self, insurer: str, family: str) -> Self:
        return self.filter(family__insurer__code=insurer, family__code=family)

    def of_version(self, version: str, family: str | None) -> Self:
        """Every family's release of a version, or one family's, with what its name and its objects need."""
        found = self.filter(version=version).select_related("family__insurer").order_by("family_id")
        return found if family is None else found.filter(family__code=family)


class Release(models.Model):
    """A version of one family's document, from draft to withdrawn. `releases` holds the moves between states."""

    class State(models.TextChoices):
        DRAFT = "draft"
        IN_REVIEW = "in_review"
        PUBLISHED = "published"
        INGESTED = "ingested"
        APPROVED = "approved"
        WITHDRAWN = "withdrawn"

    family = models.ForeignKey(Family, on_delete=models.PROTECT, related_name="releases")
    version = models.CharField(max_length=40)
    effective_from = models.DateField()
    withdraws = models.JSONField(default=list, blank=True)
    visibility = models.CharField(max_length=10, choices=[(v.value, v.value) for v in Visibility])
    preamble = models.TextField()
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    document_key = models.CharField(max_length=255, blank=True)
    document_sha256 = models.CharField(max_length=64, blank=True)
    manifest_key = models.CharField(max_length=255, blank=True)
    codes = models.JSONField(default=list, blank=True, help_text="the schedule codes of its clauses, from ingestion")

    assembled_by = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+")
    submitted_by = models.ForeignKey(_USER, null=True, on_delete=models.PROTECT, related_name="+")
    published_by = models.ForeignKey(_USER, null=True, on_delete=models.PROTECT, related_name="+")
    ingested_by = models.ForeignKey(_USER, null=True, on_delete=models.PROTECT, related_name="+")
    approved_by = models.ForeignKey(_USER, null=True, on_delete=models.PROTECT, related_name="+")
    withdrawn_by = models.ForeignKey(_USER, null=True, on_delete=models.PROTECT, related_name="+")
    assembled_at = models.DateTimeField(auto_now_add=True)
    submitted_at = models.DateTimeField(null=True)
    published_at = models.DateTimeField(null=True)
    ingested_at = models.DateTimeField(null=True)
    approved_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["family", "version"], name="release_version_of_family"),
            models.UniqueConstraint(
                fields=["family", "effective_from"],
                condition=Q(state="approved"),
                name="release_one_approved_a_day",
                violation_error_message="Another approved release of this family starts on this day.",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "in_review", "withdrawn"])
                | (~Q(document_key="") & ~Q(document_sha256="") & ~Q(manifest_key="")),
                name="release_published_has_objects",
            ),
            models.CheckConstraint(
                condition=~Q(state="approved") | Q(approved_at__isnull=False, ingested_at__isnull=False),
                name="release_approved_was_ingested",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.family.code} {self.version}"


class ReleaseItem(models.Model):
    """Which revision of which clause a release holds, and where."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="items")
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="items")
    position = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["release", "position"], name="item_position"),
            models.UniqueConstraint(fields=["release", "revision"], name="item_revision"),
        ]

    def __str__(self) -> str:
        return f"{self.position} of release {self.release_id}"


class DirectoryEntry(models.Model):
    """A clause of an ingested release: where it stands in the stored document, and the hash of its text.

    `start` and `end` are code points of the document; the text itself is only in the object store.
    """

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="entries")
    clause = models.ForeignKey(Clause, on_delete=models.PROTECT, related_name="entries")
    position = models.PositiveSmallIntegerField()
    title = models.CharField(max_length=200)
    schedule_section = models.CharField(max_length=60, blank=True)
    sha256 = models.CharField(max_length=64)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "directory entries"
        constraints = [
            models.UniqueConstraint(fields=["release", "clause"], name="entry_clause"),
            models.UniqueConstraint(fields=["release", "position"], name="entry_position"),
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="entry_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.clause} in release {self.release_id}"


class Sentence(models.Model):
    """A sentence of an ingested clause: code points of the clause's text, and the hash of those characters."""

    entry = models.ForeignKey(DirectoryEntry, on_delete=models.PROTECT, related_name="sentences")
    index = models.PositiveSmallIntegerField()
    start = models.PositiveSmallIntegerField()
    end = models.PositiveSmallIntegerField()
    sha256 = models.CharField(max_length=64)
    part = models.CharField(max_length=20, choices=[(p.value, p.value) for p in Part])
    always = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entry", "index"], name="sentence_index"),
            models.CheckConstraint(condition=Q(end__gt=F("start")), name="sentence_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.index} of entry {self.entry_id}"


class IngestionRun(models.Model):
    """One attempt to ingest a release, with what was wrong. A refused attempt leaves this row and no other."""

    class State(models.TextChoices):
        INGESTED = "ingested"
        REFUSED = "refused"
        UNAVAILABLE = "unavailable"

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="runs")
    state = models.CharField(max_length=12, choices=State)
    problems = models.JSONField(default=list)
    by = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.state}: release {self.release_id}"
