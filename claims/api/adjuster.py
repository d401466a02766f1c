"""The adjuster's calls: own policies, read and searched. A drafting aid: it locates, the adjuster decides (M71)."""

from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from claims import tasks, uploads
from claims.api import adjuster_shapes as shapes
from claims.api.credentials import IsAdjuster
from claims.api.errors import Conflict, StoreAway, TooLarge
from claims.api.pages import Pages
from claims.documents.reading_limits import MAX_BYTES
from claims.documents.sections import Section, SectionKind, Structure
from claims.models import PolicyDocument
from claims.policy_files import PolicyFile, documents_of, find_document, open_file, original_of
from claims.policy_store import LOST, FileLost, FilesAway

# A part's header and the boundary around a file of the largest size.
_AROUND_A_FILE = 10_000
NOT_READ_YET = "The file is still being read. Ask again in a few seconds."


class _Newest(Pages):
    ordering = ("-at", "id")
    page_size = 50


class AdjusterView(APIView):
    permission_classes = [IsAdjuster]


def user_of(request: Request) -> User:
    if not isinstance(request.user, User):
        raise exceptions.NotAuthenticated
    return request.user


def document_or_404(request: Request, document_id: UUID) -> PolicyDocument:
    document = find_document(user_of(request), document_id)
    if document is None:
        raise exceptions.NotFound
    return document


def opened(document: PolicyDocument) -> PolicyFile:
    try:
        return open_file(document)
    except FileLost as error:
        raise Conflict(LOST) from error
    except FilesAway as error:
        raise StoreAway from error


def listed(document: PolicyDocument) -> dict[str, Any]:
    """`readable` is null while it is not known; a file that was not read is never silent, so its reason is told."""
    return {
        "id": str(document.pk),
        "name": document.name,
        "status": document.status,
        "stage": document.stage,
        "readable": (not document.unreadable) if document.done_at else None,
        "reason": document.reason or None,
        "at": document.at,
    }


def detail(file: PolicyFile) -> dict[str, Any]:
    reading, structure = file.reading, file.structure
    return {
        **listed(file.document),
        "unreadable": file.document.unreadable or None,
        "pages": [] if reading is None else reading.pages,
        "pages_not_read": [] if reading is None else list(reading.pages_not_read),
        "notes": [] if reading is None else reading.notes,
        "forms": [] if structure is None else structure.forms,
        "sha256": file.document.sha256,
        "size": file.document.size,
    }


def section_view(section: Section) -> dict[str, Any]:
    names = ("section_id", "heading", "path", "start_line", "end_line", "page", "printed_page", "form")
    amendments = {a.passage.start_line: a for unit in section.units for a in unit.amended_by}
    return {
        **{name: getattr(section, name) for name in names},
        "kind": section.kind.value,
        "amended_by": [
            {
                "form": a.form,
                "change": a.change.value,
                "start_line": a.passage.start_line,
                "end_line": a.passage.end_line,
            }
            for a in amendments.values()
        ],
    }


class Documents(AdjusterView):
    parser_classes = [MultiPartParser]

    @extend_schema(responses=shapes.ListedDocumentSerializer(many=True), tags=["adjuster"])
    def get(self, request: Request) -> Response:
        pages = _Newest()
        page = pages.paginate_queryset(documents_of(user_of(request)), request, self) or []
        return pages.get_paginated_response([shapes.ListedDocumentSerializer(listed(row)).data for row in page])

    @extend_schema(
        request={"multipart/form-data": shapes.UploadInput},
        responses={200: shapes.UploadedSerializer, 202: shapes.UploadedSerializer},
        tags=["adjuster"],
    )
    def post(self, request: Request) -> Response:
        """202 with the new document; 200 with the one that holds these bytes already."""
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or int(length) > MAX_BYTES + _AROUND_A_FILE:
            raise TooLarge(f"The file is larger than {MAX_BYTES // 1_000_000} MB. Upload it in parts.")
        body = shapes.UploadInput(data=request.data)
        body.is_valid(raise_exception=True)
        file = body.validated_data["file"]
        received = receive(user_of(request), file.name or "", file.read())
        code = status.HTTP_202_ACCEPTED if received.is_new else status.HTTP_200_OK
        view = shapes.UploadedSerializer(listed(received.document)).data
        return Response(view, status=code, headers={"Location": f"/api/documents/{received.document.pk}/"})


def receive(owner: User, name: str, data: bytes) -> uploads.Received:
    """Keep a file and have it read. Raises the API's refusals."""
    try:
        received = uploads.receive_document(owner=owner, name=name, data=data, now=timezone.now())
        if received.is_new:
            tasks.start_reading(received.document.pk)
            received.document.refresh_from_db()
    except uploads.TooLarge as error:
        raise TooLarge(str(error)) from error
    except uploads.QuotaReached as error:
        raise Conflict(str(error)) from error
    except uploads.CannotUpload as error:
        raise exceptions.ValidationError({"file": [str(error)]}) from error
    except FilesAway as error:
        raise StoreAway from error
    return received


class OneDocument(AdjusterView):
    @extend_schema(responses=shapes.DocumentSerializer, tags=["adjuster"])
    def get(self, request: Request, document_id: UUID) -> Response:
        return Response(shapes.DocumentSerializer(detail(opened(document_or_404(request, document_id)))).data)


class Original(AdjusterView):
    @extend_schema(responses={(200, "application/octet-stream"): bytes}, tags=["adjuster"])
    def get(self, request: Request, document_id: UUID) -> HttpResponse:
        """The file as it was uploaded; always to be saved, never shown, for it may hold anything."""
        document = document_or_404(request, document_id)
        try:
            data = original_of(document)
        except FileLost as error:
            raise Conflict(LOST) from error
        except FilesAway as error:
            raise StoreAway from error
        response = HttpResponse(data, content_type="application/octet-stream")
        response.headers["Content-Disposition"] = f'attachment; filename="policy-{document.pk}"'
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
        return response


class Sections(AdjusterView):
    @extend_schema(responses=shapes.SectionSerializer(many=True), tags=["adjuster"])
    def get(self, request: Request, document_id: UUID) -> Response:
        structure = structure_of(document_or_404(request, document_id))
        return Response([section_view(section) for section in structure.sections])


def structure_of(document: PolicyDocument) -> Structure:
    """Raises Conflict while the file is being read and where nothing of it was: no list of sections could say so."""
    structure = opened(document).structure
    if structure is None or document.unreadable:
        raise Conflict(document.reason or NOT_READ_YET)
    return structure


class Label(AdjusterView):
    @extend_schema(request=shapes.RelabelInput, responses=shapes.SectionSerializer, tags=["adjuster"])
    def put(self, request: Request, document_id: UUID, section_id: str) -> Response:
        """The adjuster's own word on a section's kind: it wins, and is kept with its reason."""
        document = document_or_404(request, document_id)
        if section_id not in {section.section_id for section in structure_of(document).sections}:
            raise exceptions.NotFound
        body = shapes.RelabelInput(data=request.data)
        body.is_valid(raise_exception=True)
        uploads.relabel(
            document=document,
            section_id=section_id,
            kind=SectionKind(body.validated_data["kind"]),
            reason=body.validated_data["reason"],
            by=user_of(request),
            now=timezone.now(),
        )
        [section] = [s for s in structure_of(document).sections if s.section_id == section_id]
        return Response(section_view(section))
