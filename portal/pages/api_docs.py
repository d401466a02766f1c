"""The API's calls as one readable page, made from the schema on the server: no script, nothing from elsewhere."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator

from portal.problems import reading_only

_METHODS = ("get", "post", "put", "patch", "delete")


@csrf_exempt
def api_docs(request: HttpRequest) -> HttpResponse:
    if request.method not in {"GET", "HEAD"}:
        return reading_only()
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    calls = [
        _call(address, method, operation)
        for address, operations in schema["paths"].items()
        for method, operation in operations.items()
        if method in _METHODS
    ]
    shapes = [
        {"name": name, "fields": _fields(shape)} for name, shape in sorted(schema["components"]["schemas"].items())
    ]
    return render(request, "portal/api_docs.html", {"calls": calls, "shapes": shapes})


def _call(address: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    body = operation.get("requestBody", {}).get("content", {})
    return {
        "method": method.upper(),
        "address": address,
        "for": ", ".join(operation.get("tags", [])),
        "takes": next((_name(content["schema"]) for content in body.values()), ""),
        "gives": [
            (code, next((_name(content["schema"]) for content in answer.get("content", {}).values()), ""))
            for code, answer in operation["responses"].items()
        ],
    }


def _fields(shape: dict[str, Any]) -> list[tuple[str, str]]:
    return [(name, _name(field)) for name, field in shape.get("properties", {}).items()]


def _name(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[-1])
    for several in ("allOf", "oneOf", "anyOf"):
        if several in schema:
            return " or ".join(_name(one) for one in schema[several])
    if schema.get("type") == "array":
        return f"list of {_name(schema.get('items', {}))}"
    return str(schema.get("format") or schema.get("type") or ("any" if "enum" not in schema else "one of"))
