"""The JSON shapes of the knowledge calls (`api.md`): what they take in the address, and what they give."""

from typing import Any

from rest_framework import serializers

from knowledge.catalogue import Absent
from knowledge.clause_text import CLAUSE_ID, Part
from knowledge.models import Release
from knowledge.search import MAX_QUERY

_ABSENT_HELP = "why there is no wording: no release is in force, the first one starts later, or it is not ingested"


class PageInput(serializers.Serializer[Any]):
    cursor = serializers.CharField(required=False, allow_blank=True, max_length=300)


class ReleasesInput(PageInput):
    family = serializers.CharField(required=False, allow_blank=True, max_length=50)


class VersionInput(serializers.Serializer[Any]):
    version = serializers.CharField(
        required=False, allow_blank=True, max_length=40, help_text="the one in force today when it is left out"
    )


class ClausesInput(VersionInput, PageInput):
    family = serializers.CharField(max_length=50)


class SearchInput(ClausesInput):
    q = serializers.CharField(max_length=MAX_QUERY, help_text="words to look for")


class WrittenWordingSerializer(serializers.Serializer[Any]):
    version = serializers.CharField()
    effective_from = serializers.DateField()
    state = serializers.ChoiceField(choices=Release.State.choices)


class _WithWording(serializers.Serializer[Any]):
    wording = WrittenWordingSerializer(allow_null=True)
    absent = serializers.ChoiceField(
        choices=[reason.value for reason in Absent], allow_null=True, help_text=_ABSENT_HELP
    )


class FamilySerializer(_WithWording):
    family = serializers.CharField()
    name = serializers.CharField()
    insurer = serializers.CharField()
    document_id = serializers.CharField()
    clause_prefix = serializers.CharField()
    clauses = serializers.IntegerField(help_text="how many are in force today")


class ReleaseSerializer(serializers.Serializer[Any]):
    family = serializers.CharField()
    version = serializers.CharField()
    document_id = serializers.CharField()
    state = serializers.ChoiceField(choices=Release.State.choices)
    effective_from = serializers.DateField()
    visibility = serializers.CharField()
    withdraws = serializers.ListField(child=serializers.CharField())
    clauses = serializers.IntegerField(help_text="how many were ingested")
    is_in_force = serializers.BooleanField(help_text="today")
    approved_by = serializers.CharField(allow_null=True)
    approved_at = serializers.DateTimeField(allow_null=True)


class ClauseLineSerializer(serializers.Serializer[Any]):
    clause_id = serializers.RegexField(CLAUSE_ID)
    title = serializers.CharField()
    schedule_section = serializers.CharField(allow_null=True)
    sha256 = serializers.CharField()


class SentenceSerializer(serializers.Serializer[Any]):
    index = serializers.IntegerField()
    part = serializers.ChoiceField(choices=[part.value for part in Part])
    always = serializers.BooleanField(help_text="shown whenever the clause is")
    lead_in = serializers.IntegerField(allow_null=True, help_text="the sentence that a bullet hangs on")
    text = serializers.CharField()


class WholeClauseSerializer(ClauseLineSerializer):
    family = serializers.CharField()
    wording = WrittenWordingSerializer()
    text = serializers.CharField(
        allow_null=True, help_text="null, and so no sentences, where the rows hold another text than was ingested"
    )
    sentences = SentenceSerializer(many=True)
    plain = serializers.ListField(child=serializers.CharField())
    sources = serializers.ListField(child=serializers.CharField())
    versions = serializers.ListField(child=serializers.CharField(), help_text="in which it stands, the latest first")


class MatchSerializer(serializers.Serializer[Any]):
    clause_id = serializers.RegexField(CLAUSE_ID)
    title = serializers.CharField()
    excerpt = serializers.CharField(help_text="its best line; empty when only the title matches")
    matched = serializers.ListField(child=serializers.CharField(), help_text="the clause's own words that matched")


class _Page(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class FamilyPageSerializer(_Page):
    results = FamilySerializer(many=True)


class ReleasePageSerializer(_Page):
    results = ReleaseSerializer(many=True)


class ClausePageSerializer(_WithWording, _Page):
    family = serializers.CharField()
    results = ClauseLineSerializer(many=True)


class SearchPageSerializer(_WithWording, _Page):
    family = serializers.CharField()
    words = serializers.ListField(
        child=serializers.CharField(), help_text="those that were searched for; empty when the query has none"
    )
    results = MatchSerializer(many=True)
