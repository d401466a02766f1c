"""Every error of the API as problem+json (RFC 9457): what happened and what to do, in one sentence."""

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

MEDIA_TYPE = "application/problem+json"
DATABASE_GONE = "The portal cannot reach its database just now. Please try again in a few seconds."
NO_CREDENTIALS = (
    "This call needs credentials. Send `Authorization: Bearer` with the claim's token, "
    "or for staff's calls `Authorization: Token` with a token from /api/tokens/."
)
TITLES = {
    400: "Invalid input",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    406: "Not acceptable",
    409: "Conflict",
    413: "Too large",
    415: "Unsupported media type",
    422: "Key used for another request",
    429: "Too many requests",
    500: "Something went wrong",
    503: "Temporarily unavailable",
}


def problem(status_code: int, detail: str, errors: dict[str, list[str]] | None = None) -> dict[str, Any]:
    """The body: {type, title, status, detail} and `errors` by field where fields are at fault."""
    body: dict[str, Any] = {
        "type": f"/api/problems/{status_code}/",
        "title": TITLES.get(status_code, "Error"),
        "status": status_code,
        "detail": detail,
    }
    if errors:
        body["errors"] = errors
    return body


def as_problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler. An error that DRF does not know is left to the 500 page of `server_error`."""
    response = exception_handler(error, context)
    if response is None and isinstance(error, OperationalError | InterfaceError):
        return Response(problem(503, DATABASE_GONE), status=503, content_type=MEDIA_TYPE, headers={"Retry-After": "5"})
    if response is None and isinstance(error, RequestDataTooBig):
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024
        too_large = f"The body is larger than {limit} KB. Send less at a time."
        return Response(problem(413, too_large), status=413, content_type=MEDIA_TYPE)
    if response is None:
        return None
    detail, errors = _sentence(error, response.data)
    if isinstance(error, exceptions.UnsupportedMediaType):
        taken = " or ".join(parser.media_type for parser in context["view"].parser_classes)
        detail = f"This address takes {taken} only. Send the body with Content-Type: {taken}."
    response.data = problem(response.status_code, detail, errors)
    response.content_type = MEDIA_TYPE
    return response


def _sentence(error: Exception, data: Any) -> tuple[str, dict[str, list[str]] | None]:
    if isinstance(error, exceptions.ValidationError):
        errors = _by_field(data)
        named = "; ".join(f"{field}: {texts[0]}" for field, texts in errors.items())
        return f"Please correct the request. {named}", errors
    if isinstance(error, Http404 | exceptions.NotFound):
        return "There is nothing here that you may see. Check the address and the credentials.", None
    if isinstance(error, exceptions.MethodNotAllowed):
        return f"{error.detail} See /api/docs/ for what this address takes.", None
    if isinstance(error, exceptions.NotAuthenticated):
        return NO_CREDENTIALS, None
    if isinstance(error, exceptions.NotAcceptable):
        return "The API answers in JSON only. Ask for application/json in the Accept header.", None
    return str(data.get("detail", data) if isinstance(data, dict) else data), None


def _by_field(data: Any) -> dict[str, list[str]]:
    if not isinstance(data, dict):
        return {"body": _texts(data)}
    return {str(field): _texts(texts) for field, texts in data.items()}


def _texts(errors: Any) -> list[str]:
    """The sentences of a field, however deep its values are nested; half characters of the sender's are replaced."""
    if isinstance(errors, dict):
        errors = list(errors.values())
    if isinstance(errors, list):
        return [text for error in errors for text in _texts(error)]
    return [str(errors).encode("utf-8", "replace").decode()]


def _plain_problem(status_code: int, detail: str) -> JsonResponse:
    return JsonResponse(problem(status_code, detail), status=status_code, content_type=MEDIA_TYPE)


def is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


@csrf_exempt
def no_such_call(request: HttpRequest) -> JsonResponse:
    return _plain_problem(404, "There is nothing at this address. See /api/docs/ for the calls.")


def reading_only() -> JsonResponse:
    """For an address that is only read, with GET."""
    response = _plain_problem(405, "This address is only read. Use GET; see /api/docs/ for the calls.")
    response.headers["Allow"] = "GET, HEAD"
    return response


def api_bad_request() -> JsonResponse:
    return _plain_problem(400, "The request cannot be served. Check the address and the host name that it is sent to.")


def api_server_error() -> JsonResponse:
    return _plain_problem(
        500, "This is our fault, not yours. Nothing of your request is lost; please try again shortly."
    )


def api_unavailable() -> JsonResponse:
    response = _plain_problem(503, DATABASE_GONE)
    response.headers["Retry-After"] = "5"
    return response
