"""Runs of the evaluation and what each question gave. A finished run is never changed (triggers in the migration)."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Run(models.Model):
    """One evaluation, with what it was made with, so that its figures can be read years later (`evals.md` 3).

    `provenance` holds hashes, releases and versions; a value that was not to be had is the word unknown in it.
    """

    class State(models.TextChoices):
        RUNNING = "running"
        COMPLETE = "complete"
        PARTIAL = "partial"
        ABORTED = "aborted"

    class Trigger(models.TextChoices):
        COMMAND = "command"
        API = "api"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    trigger = models.CharField(max_length=10, choices=Trigger)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    by_name = models.CharField(max_length=150)
    families = models.JSONField(default=list)
    only = models.JSONField(default=list, blank=True)
    repeat = models.PositiveSmallIntegerField()
    concurrency = models.PositiveSmallIntegerField()
    seed = models.PositiveIntegerField()
    address = models.CharField(max_length=300, blank=True, help_text="empty: asked in the portal's own process")
    git_commit = models.CharField(max_length=64)
    git_dirty = models.BooleanField(null=True)
    model_configured = models.CharField(max_length=200)
    model_returned = models.CharField(max_length=400, blank=True)
    litellm_version = models.CharField(max_length=40)
    provenance = models.JSONField(default=dict)
    host = models.CharField(max_length=255)
    process = models.PositiveIntegerField(help_text="the process on that host")
    started_at = models.DateTimeField()
    beat_at = models.DateTimeField(help_text="the last sign of life")
    ended_at = models.DateTimeField(null=True, blank=True)
    planned = models.PositiveIntegerField()
    finished = models.PositiveIntegerField(default=0)
    unknown = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-started_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="running") | Q(ended_at__isnull=False), name="ended_runs_have_an_end"
            ),
            models.CheckConstraint(
                condition=~Q(state="complete") | Q(finished=F("planned"), unknown=0), name="complete_runs_know_all"
            ),
            models.CheckConstraint(
                condition=~Q(state="partial") | Q(finished=F("planned"), unknown__gt=0), name="partial_runs_lack_some"
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class Result(models.Model):
    """One repetition of one question or scenario. Planned with the run, measured once, then never changed.

    `case` is the question as it was on that day, `seen` what was observed. `claim_token` opens the evaluation's own
    claim; it is here while the question is being asked and no longer.
    """

    class Kind(models.TextChoices):
        QUESTION = "question"
        SCENARIO = "scenario"

    class Verdict(models.TextChoices):
        PASS = "pass"  # noqa: S105
        FAIL = "fail"
        UNKNOWN = "unknown"

    run = models.ForeignKey(Run, on_delete=models.PROTECT, related_name="results")
    place = models.PositiveIntegerField(help_text="its place in the shuffled order")
    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=40)
    family = models.CharField(max_length=20)
    repetition = models.PositiveSmallIntegerField()
    case = models.JSONField(default=dict)
    claim = models.CharField(max_length=20, blank=True)
    claim_token = models.CharField(max_length=100, blank=True)
    turn = models.CharField(max_length=36, blank=True)
    seen = models.JSONField(null=True, blank=True)
    verdict = models.CharField(max_length=10, choices=Verdict, blank=True)
    reason = models.TextField(blank=True)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["run", "place"]
        constraints = [
            models.UniqueConstraint(fields=["run", "kind", "name", "repetition"], name="one_result_a_repetition"),
            models.UniqueConstraint(fields=["run", "place"], name="one_result_a_place"),
            models.CheckConstraint(
                condition=Q(done_at__isnull=True, verdict="") | (Q(done_at__isnull=False) & ~Q(verdict="")),
                name="measured_results_have_a_verdict",
            ),
            models.CheckConstraint(
                condition=~Q(verdict="unknown") | ~Q(reason=""), name="unknown_results_have_a_reason"
            ),
            models.CheckConstraint(
                condition=Q(done_at__isnull=True) | Q(claim_token=""), name="measured_results_hold_no_token"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.repetition}"
