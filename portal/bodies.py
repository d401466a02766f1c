"""The body of a request to the API: one JSON object, whatever the sender does. Its size is bounded by Django."""

from collections.abc import Mapping
from typing import Any

from rest_framework import exceptions
from rest_framework.parsers import JSONParser


class JSONObject(JSONParser):
    """Raises ParseError for anything but an object."""

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        try:
            body = super().parse(stream, media_type, parser_context)
        # A RecursionError for brackets nested without end; the parser's own words say more of Python than of the body.
        except (exceptions.ParseError, RecursionError) as error:
            raise exceptions.ParseError("The body could not be read as JSON. Send one JSON object in UTF-8.") from error
        if not isinstance(body, dict):
            raise exceptions.ParseError("The body is not a JSON object. Send one JSON object, in curly brackets.")
        return body
