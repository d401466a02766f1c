"""The JSON shapes of the adjuster's calls (`api.md`, Adjuster), for output and for the schema."""

from typing import Any

from rest_framework import serializers

from claims.deadlines import LONGEST_NAME, TimeUnit, Trigger
from claims.documents.findings import Outcome
from claims.documents.pages import NoteKind, PageState, Unreadable
from claims.documents.sections import SectionKind
from claims.models import PolicyDocument

# No policy counts in more; it keeps what is not a period out of the calendar's arithmetic.
LONGEST_PERIOD = 999_999_999


def _choice(values: Any, **options: Any) -> serializers.ChoiceField:
    return serializers.ChoiceField(choices=[value.value for value in values], **options)


class UploadInput(serializers.Serializer[Any]):
    file = serializers.FileField(allow_empty_file=True, max_length=5000)


class UploadedSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    status = serializers.ChoiceField(choices=PolicyDocument.Status.choices)
    stage = serializers.ChoiceField(choices=PolicyDocument.Stage.choices, allow_null=True)


class ListedDocumentSerializer(UploadedSerializer):
    readable = serializers.BooleanField(allow_null=True, help_text="null: not known yet")
    reason = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField()


class PageSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    printed = serializers.CharField(allow_null=True)
    state = _choice(PageState)
    characters = serializers.IntegerField()
    hidden_text = serializers.BooleanField()


class NoteSerializer(serializers.Serializer[Any]):
    kind = _choice(NoteKind)
    detail = serializers.CharField()
    page = serializers.IntegerField(allow_null=True)


class FormSerializer(serializers.Serializer[Any]):
    number = serializers.CharField()
    edition = serializers.CharField(allow_null=True)
    listed = serializers.BooleanField(allow_null=True, help_text="null: the file holds no declarations")
    uploaded = serializers.BooleanField()


class DocumentSerializer(ListedDocumentSerializer):
    unreadable = _choice(Unreadable, allow_null=True)
    pages = PageSerializer(many=True)
    pages_not_read = serializers.ListField(child=serializers.IntegerField())
    notes = NoteSerializer(many=True)
    forms = FormSerializer(many=True)
    sha256 = serializers.CharField()
    size = serializers.IntegerField(help_text="bytes")


class AmendmentSerializer(serializers.Serializer[Any]):
    form = serializers.CharField()
    change = serializers.CharField()
    start_line = serializers.IntegerField()
    end_line = serializers.IntegerField()


class SectionSerializer(serializers.Serializer[Any]):
    section_id = serializers.CharField()
    kind = _choice(SectionKind)
    heading = serializers.CharField()
    path = serializers.ListField(child=serializers.CharField())
    start_line = serializers.IntegerField()
    end_line = serializers.IntegerField()
    page = serializers.IntegerField()
    printed_page = serializers.CharField(allow_null=True)
    form = serializers.CharField(allow_null=True)
    amended_by = AmendmentSerializer(many=True)


class RelabelInput(serializers.Serializer[Any]):
    kind = _choice(SectionKind)
    reason = serializers.CharField(max_length=500)


class FindInput(serializers.Serializer[Any]):
    query = serializers.CharField(max_length=500, allow_blank=True)
    exact = serializers.BooleanField(required=False, default=False)


class PassageSerializer(serializers.Serializer[Any]):
    quote = serializers.CharField()
    page = serializers.IntegerField()
    printed_page = serializers.CharField(allow_null=True)
    start_line = serializers.IntegerField()
    end_line = serializers.IntegerField()


class FoundAmendmentSerializer(PassageSerializer):
    form = serializers.CharField()
    change = serializers.CharField()


class CandidateSerializer(PassageSerializer):
    document_id = serializers.UUIDField()
    section_id = serializers.CharField()
    section_kind = _choice(SectionKind)
    path = serializers.ListField(child=serializers.CharField())
    lead_in = serializers.CharField(help_text="empty where the words stand alone")
    lead_ins = PassageSerializer(many=True)
    exceptions = PassageSerializer(many=True)
    condition = PassageSerializer(allow_null=True)
    amended_by = FoundAmendmentSerializer(many=True)
    named_not_uploaded = serializers.ListField(child=serializers.CharField())
    effect = serializers.CharField(allow_null=True)
    matched = serializers.ListField(child=serializers.CharField())


class WordsSerializer(serializers.Serializer[Any]):
    searched = serializers.ListField(child=serializers.CharField())
    dropped = serializers.ListField(child=serializers.CharField())
    forms = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))


class FindingSerializer(serializers.Serializer[Any]):
    outcome = _choice(Outcome)
    refused = serializers.BooleanField()
    reason = serializers.CharField(allow_null=True)
    citation_required = serializers.BooleanField()
    guidance = serializers.CharField()
    candidate_count = serializers.IntegerField()
    words = WordsSerializer()
    pages_not_read = serializers.ListField(child=serializers.IntegerField())
    candidates = CandidateSerializer(many=True)


def _period(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=LONGEST_PERIOD, **options)


class PolicyTermsInput(serializers.Serializer[Any]):
    proof_of_loss_days = _period(required=False, allow_null=True)
    suit_limitation_months = _period(required=False, allow_null=True)


class TermInput(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=LONGEST_NAME)
    period = _period()
    unit = _choice(TimeUnit)
    trigger = _choice(Trigger)
    trigger_date = serializers.DateField(required=False, allow_null=True)
    quote = serializers.CharField(required=False, allow_null=True, max_length=5000)


class DeadlinesInput(serializers.Serializer[Any]):
    loss_date = serializers.DateField()
    policy_terms = PolicyTermsInput(required=False, allow_null=True)
    terms = serializers.ListField(child=TermInput(), required=False, max_length=50)


class DeadlineSerializer(serializers.Serializer[Any]):
    known = serializers.BooleanField()
    date = serializers.DateField(required=False)
    basis = serializers.CharField(required=False)
    reason = serializers.CharField(required=False)


class TermDeadlineSerializer(DeadlineSerializer):
    name = serializers.CharField()
    weekday = serializers.CharField(required=False)
    quote = serializers.CharField(required=False)


class DeadlinesSerializer(serializers.Serializer[Any]):
    loss_date = serializers.DateField()
    proof_of_loss = DeadlineSerializer()
    suit_limitation = DeadlineSerializer()
    terms = TermDeadlineSerializer(many=True)
