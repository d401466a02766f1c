"""The JSON shapes of the adjuster's calls (`api.md`, Adjuster), for output and for the schema."""

from typing import Any

from rest_framework import serializers

from claims.documents.pages import NoteKind, PageState, Unreadable
from claims.documents.sections import SectionKind
from claims.models import PolicyDocument

AID = "drafting aid, no coverage determination, not legal advice"


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
