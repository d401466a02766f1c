"""The JSON shapes of the claims API (`api.md`), for output and for the schema."""

from typing import Any

from rest_framework import serializers

from claims.agent.vocabulary import Field, Guidance, Outcome, Reason, Stage
from claims.models import TURN_STATUSES, Claim, Message, WaitingItem
from knowledge.answers import MAX_CLAUSE_IDS


def _choice(values: Any, **options: Any) -> serializers.ChoiceField:
    return serializers.ChoiceField(choices=[value.value for value in values], **options)


class OpenClaimInput(serializers.Serializer[Any]):
    policy_number = serializers.CharField(max_length=200, allow_blank=True)
    postcode = serializers.CharField(required=False, allow_blank=True, max_length=20)
    family = serializers.CharField(required=False, allow_blank=True, max_length=20)
    loss_date = serializers.CharField(required=False, allow_blank=True, max_length=40)
    purpose = serializers.ChoiceField(required=False, choices=Claim.Purpose.choices)


class MessageInput(serializers.Serializer[Any]):
    text = serializers.CharField(trim_whitespace=False, allow_blank=True, help_text="1 to 4,000 characters")


class FactInput(serializers.Serializer[Any]):
    value = serializers.CharField(allow_blank=True, max_length=4000)


class FeedbackInput(serializers.Serializer[Any]):
    useful = serializers.BooleanField()
    reason = serializers.CharField(required=False, allow_blank=True, max_length=1000)


class AnswerInput(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=8000)
    clause_ids = serializers.ListField(
        child=serializers.CharField(max_length=20), required=False, max_length=MAX_CLAUSE_IDS
    )
    seen_seq = serializers.IntegerField(min_value=0)


class ReasonInput(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=1000)


class TextInput(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=8000)


class WordingSerializer(serializers.Serializer[Any]):
    version = serializers.CharField()
    effective_from = serializers.DateField()


class FactSerializer(serializers.Serializer[Any]):
    field = _choice(Field)
    label = serializers.CharField()  # type: ignore[assignment]
    value = serializers.CharField()
    confirmed = serializers.BooleanField()


class WaitingSerializer(serializers.Serializer[Any]):
    reference = serializers.CharField()
    reason = _choice(Reason)
    status = _choice(WaitingItem.Status)
    position = serializers.IntegerField(allow_null=True)
    due_at = serializers.DateTimeField()
    at = serializers.DateTimeField()


class DecisionSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    decided_at = serializers.DateTimeField()
    by = serializers.CharField()


class ClaimSerializer(serializers.Serializer[Any]):
    reference = serializers.CharField()
    family = serializers.CharField(allow_null=True)
    family_confirmed = serializers.BooleanField()
    schedule = serializers.ChoiceField(choices=["found", "no_evidence"])
    loss_date = serializers.CharField(allow_null=True)
    wording = WordingSerializer(allow_null=True)
    facts = FactSerializer(many=True)
    waiting = WaitingSerializer(many=True)
    decision = DecisionSerializer(allow_null=True)


class OpenedClaimSerializer(serializers.Serializer[Any]):
    reference = serializers.CharField()
    token = serializers.CharField()
    family = serializers.CharField(allow_null=True)
    family_confirmed = serializers.BooleanField()
    schedule = serializers.ChoiceField(choices=["found", "no_evidence"])
    loss_date = serializers.CharField(allow_null=True)
    wording = WordingSerializer(allow_null=True)


class CitationOfSerializer(serializers.Serializer[Any]):
    clause_id = serializers.CharField()
    version = serializers.CharField()
    sentences = serializers.ListField(child=serializers.IntegerField())
    line = serializers.IntegerField(allow_null=True)


class SegmentSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    text = serializers.CharField()
    citation = CitationOfSerializer(allow_null=True)


class ReplySerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    segments = SegmentSerializer(many=True)


class CitationSerializer(serializers.Serializer[Any]):
    clause_id = serializers.CharField()
    title = serializers.CharField()
    version = serializers.CharField()
    text = serializers.CharField()


class TurnSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    claim = serializers.CharField()
    seq = serializers.IntegerField()
    status = serializers.ChoiceField(choices=TURN_STATUSES)
    stage = _choice(Stage, allow_null=True)
    outcome = _choice(Outcome, allow_null=True)
    message = serializers.CharField()
    reply = ReplySerializer(allow_null=True)
    citations = CitationSerializer(many=True)
    waiting_item = WaitingSerializer(allow_null=True)
    model = serializers.CharField()
    at = serializers.DateTimeField()


class MessageSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    seq = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    at = serializers.DateTimeField()
    turn = serializers.UUIDField(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        # `from` is a word of the language and cannot be an attribute.
        fields = super().get_fields()
        return {**fields, "from": _choice(Message.Sender, source="sender")}


class ReleaseOfTurn(serializers.Serializer[Any]):
    version = serializers.CharField(source="release_version")
    effective_from = serializers.DateField(source="release_effective_from")


class RecordSerializer(serializers.Serializer[Any]):
    """How an answer came about; null where a step was not reached."""

    turn = TurnSerializer()
    plan = serializers.JSONField(allow_null=True)
    directory = serializers.JSONField(allow_null=True)
    requested = serializers.JSONField(allow_null=True)
    returned = serializers.JSONField(allow_null=True)
    not_found = serializers.JSONField(allow_null=True)
    guidance_status = _choice(Guidance, allow_null=True)
    schedule = serializers.SerializerMethodField()
    cited = serializers.JSONField()
    violations = serializers.JSONField()
    repaired = serializers.BooleanField()
    safe_reply = serializers.BooleanField()
    release = serializers.SerializerMethodField()
    model = serializers.SerializerMethodField()
    calls = serializers.SerializerMethodField()
    cost = serializers.FloatField(allow_null=True, help_text="US dollars; null: no price is known for the model")
    latency_ms = serializers.SerializerMethodField()

    def get_schedule(self, record: Any) -> dict[str, Any] | None:
        stored = record.schedule
        if stored is None:
            return None
        sections = [section["code"] for section in stored.get("sections", [])]
        return {"state": stored["state"], "sections": sections, "details": stored.get("details", [])}

    def get_release(self, record: Any) -> dict[str, Any] | None:
        return None if record.release_version is None else dict(ReleaseOfTurn(record).data)

    def get_model(self, record: Any) -> dict[str, Any]:
        return {"configured": record.model_configured, "returned": record.model_returned}

    def get_calls(self, record: Any) -> list[dict[str, Any]]:
        names = ("step", "ms", "tokens_in", "tokens_out", "cached", "error")
        return [{name: call[name] for name in names} for call in record.calls]

    def get_latency_ms(self, record: Any) -> dict[str, int | None]:
        known = record.total_ms is not None and record.model_ms is not None
        server = record.total_ms - record.model_ms if known else None
        return {"total": record.total_ms, "model": record.model_ms, "server": server}


class WaitingDetailSerializer(WaitingSerializer):
    """An item as staff see it in the list: the question and why it waits in words."""

    claim = serializers.CharField()
    question = serializers.CharField()
    why = serializers.CharField()
    owner = serializers.CharField(allow_null=True)
    note = serializers.CharField(allow_blank=True)
    closed_reason = serializers.CharField(allow_blank=True)
    last_seq = serializers.IntegerField()


class WaitingCaseSerializer(WaitingDetailSerializer):
    """One item with the whole conversation around it."""

    messages = MessageSerializer(many=True)


class AnsweredSerializer(WaitingCaseSerializer):
    """`warning`: what in a sent answer reads like a decision or a done act, where something does."""

    warning = serializers.CharField(allow_null=True)
