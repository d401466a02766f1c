"""The tables around a claim. Rows are written by the acts of this app only; what a turn showed is never changed."""

import secrets
import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from claims.agent.vocabulary import Field, Outcome, Reason, Stage, Status

# Without 0, O, 1, I and L: a reference is read out over the telephone.
_REFERENCE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


def _choices(values: type[Field] | type[Outcome] | type[Reason] | type[Stage] | type[Status]) -> list[tuple[str, str]]:
    return [(value.value, value.value.replace("_", " ")) for value in values]


TURN_STATUSES = _choices(Status)


def _reference(prefix: str, length: int) -> str:
    return f"{prefix}-{''.join(secrets.choice(_REFERENCE_ALPHABET) for _ in range(length))}"


def new_claim_reference() -> str:
    """Unguessable: about 59 bits."""
    return _reference("CL", 12)


def new_waiting_reference() -> str:
    """Short enough to say, unguessable enough that it opens nothing by itself: it always needs a token or a role."""
    return _reference("WL", 8)


class PolicySchedule(models.Model):
    """What the insurer's policy system says of one policy. `coverage_sections` is a free list of codes (M54)."""

    policy_number = models.CharField(max_length=40, unique=True)
    insurer = models.CharField(max_length=40)
    family = models.CharField(max_length=20)
    postcode = models.CharField(max_length=10)
    coverage_sections = models.JSONField(default=list, blank=True)
    details = models.JSONField(default=list, blank=True, help_text='[{"code", "label", "value"}], shown as stored')

    def __str__(self) -> str:
        return self.policy_number


class Claim(models.Model):
    """One claim conversation. Its policy number never changes; the token that opens it is stored hashed."""

    class Purpose(models.TextChoices):
        CUSTOMER = "customer"
        EVALUATION = "evaluation"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    reference = models.CharField(max_length=20, unique=True, default=new_claim_reference, editable=False)
    token_sha256 = models.CharField(max_length=64)
    insurer = models.CharField(max_length=40)
    policy_number = models.CharField(max_length=40, blank=True)
    # False where the number is known but the postcode did not match: then it is treated like an unknown number.
    policy_shown = models.BooleanField(default=True)
    purpose = models.CharField(max_length=20, choices=Purpose.choices, default=Purpose.CUSTOMER)
    address_sha256 = models.CharField(max_length=64, blank=True, db_index=True)
    opened_at = models.DateTimeField(db_index=True)
    last_message_seq = models.PositiveIntegerField(default=0)
    last_turn_seq = models.PositiveIntegerField(default=0)
    decision_text = models.TextField(blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=150, blank=True)

    def __str__(self) -> str:
        return self.reference


class Fact(models.Model):
    """The value of one field of a claim. `words` are the customer's own where a message gave the value."""

    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="facts")
    field = models.CharField(max_length=20, choices=_choices(Field))
    value = models.TextField()
    words = models.TextField(blank=True)
    confirmed = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["claim", "field"], name="one_value_a_field")]

    def __str__(self) -> str:
        return f"{self.field}: {self.value}"


class WaitingItem(models.Model):
    """A question that waits for staff. What it says to the customer is said only with this row committed (M9)."""

    class Status(models.TextChoices):
        OPEN = "open"
        TAKEN = "taken"
        ANSWERED = "answered"
        CLOSED = "closed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    reference = models.CharField(max_length=20, unique=True, default=new_waiting_reference, editable=False)
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="waiting_items")
    question = models.TextField()
    folded_sha256 = models.CharField(max_length=64)
    reason = models.CharField(max_length=20, choices=_choices(Reason))
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.OPEN)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True)
    note = models.TextField(blank=True)
    closed_reason = models.TextField(blank=True)
    at = models.DateTimeField()
    due_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["claim", "folded_sha256"],
                condition=Q(status__in=["open", "taken"]),
                name="one_open_item_a_question",
            ),
            models.CheckConstraint(
                condition=Q(status="taken", owner__isnull=False) | ~Q(status="taken"), name="taken_items_have_an_owner"
            ),
        ]
        indexes = [models.Index(fields=["status", "at"])]

    def __str__(self) -> str:
        return self.reference


class Message(models.Model):
    """One message of a conversation, whoever sent it. The first response to a post is kept for its replay."""

    class Sender(models.TextChoices):
        CUSTOMER = "customer"
        PORTAL = "portal"
        STAFF = "staff"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="messages")
    seq = models.PositiveIntegerField()
    sender = models.CharField(max_length=20, choices=Sender.choices)
    name = models.CharField(max_length=150, blank=True)
    text = models.TextField()
    language = models.CharField(max_length=10, blank=True)
    at = models.DateTimeField(db_index=True)
    turn = models.ForeignKey("Turn", on_delete=models.PROTECT, null=True, blank=True, related_name="messages")
    idempotency_key = models.CharField(max_length=255, null=True, blank=True)
    body_sha256 = models.CharField(max_length=64, blank=True)
    response_status = models.PositiveSmallIntegerField(null=True, blank=True)
    # Text, not JSON: a replay is the same bytes.
    response_body = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["claim", "seq"], name="one_place_in_the_conversation"),
            models.UniqueConstraint(fields=["claim", "idempotency_key"], name="one_message_a_key"),
        ]

    def __str__(self) -> str:
        return f"{self.sender} {self.seq}"


class Turn(models.Model):
    """One answered (or waiting) message of the customer, with the record of how its answer came about (M59)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    claim = models.ForeignKey(Claim, on_delete=models.PROTECT, related_name="turns")
    seq = models.PositiveIntegerField()
    text = models.TextField()
    status = models.CharField(max_length=20, choices=TURN_STATUSES, default=Status.RECEIVED)
    stage = models.CharField(max_length=20, choices=_choices(Stage), null=True, blank=True)
    outcome = models.CharField(max_length=20, choices=_choices(Outcome), null=True, blank=True)
    segments = models.JSONField(null=True, blank=True)
    asked = models.CharField(max_length=20, choices=_choices(Field), null=True, blank=True)
    waiting_item = models.ForeignKey(WaitingItem, on_delete=models.PROTECT, null=True, blank=True, related_name="turns")
    at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    useful = models.BooleanField(null=True, blank=True)
    useful_reason = models.TextField(blank=True)

    plan = models.JSONField(null=True, blank=True)
    directory = models.JSONField(null=True, blank=True)
    requested = models.JSONField(null=True, blank=True)
    returned = models.JSONField(null=True, blank=True)
    not_found = models.JSONField(null=True, blank=True)
    cited = models.JSONField(null=True, blank=True)
    guidance_status = models.CharField(max_length=30, null=True, blank=True)
    schedule = models.JSONField(null=True, blank=True)
    violations = models.JSONField(default=list, blank=True)
    repaired = models.BooleanField(default=False)
    safe_reply = models.BooleanField(default=False)
    release_version = models.CharField(max_length=40, null=True, blank=True)
    release_effective_from = models.DateField(null=True, blank=True)
    model_configured = models.CharField(max_length=200, blank=True)
    model_returned = models.CharField(max_length=200, null=True, blank=True)
    calls = models.JSONField(default=list, blank=True)
    tokens = models.PositiveIntegerField(default=0)
    cost = models.FloatField(null=True, blank=True, help_text="US dollars; empty: not known")
    total_ms = models.PositiveIntegerField(null=True, blank=True)
    model_ms = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["claim", "seq"], name="one_turn_a_place"),
            models.CheckConstraint(
                condition=Q(outcome__isnull=False) | Q(status__in=["received", "running"]),
                name="finished_turns_have_an_outcome",
            ),
            models.CheckConstraint(
                condition=Q(done_at__isnull=True) | Q(done_at__gte=F("at")), name="turns_end_after_they_begin"
            ),
        ]
        # The sweep looks for unfinished turns only, however many have ended.
        indexes = [
            models.Index(fields=["at"], condition=Q(status__in=["received", "running"]), name="unfinished_turns")
        ]

    def __str__(self) -> str:
        return f"{self.claim_id} {self.seq}"


class Citation(models.Model):
    """A clause as it was shown: a copy, so that an old turn reads the same whatever happens to the wording."""

    turn = models.ForeignKey(Turn, on_delete=models.PROTECT, related_name="citations")
    position = models.PositiveSmallIntegerField()
    clause_id = models.CharField(max_length=20)
    title = models.CharField(max_length=300)
    document_id = models.CharField(max_length=100)
    version = models.CharField(max_length=40)
    text = models.TextField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["turn", "clause_id"], name="one_citation_a_clause")]

    def __str__(self) -> str:
        return f"{self.clause_id} ({self.version})"
