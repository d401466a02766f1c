"""Lists in pages that are walked by cursors. A cursor names the entry that it starts after, or ends before."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

PAGE_SIZE = 50
_AFTER, _BEFORE = "after", "before"

Entry = TypeVar("Entry")


def page_of(
    entries: Sequence[Entry],
    request: Request,
    *,
    key: Callable[[Entry], str],
    shown: Callable[[Entry], Any],
) -> dict[str, Any]:
    """{next, previous, results}: the entries from the request's cursor on, at most PAGE_SIZE, as `shown` gives them.

    `key` tells an entry from every other one of the list. Raises ValidationError for a cursor that no page gave.
    """
    start, end = 0, min(PAGE_SIZE, len(entries))
    if cursor := request.query_params.get("cursor", ""):
        direction, place = _read(cursor, [key(entry) for entry in entries])
        start = place + 1 if direction == _AFTER else max(0, place - PAGE_SIZE)
        end = min(start + PAGE_SIZE, len(entries)) if direction == _AFTER else place
    shown_entries = entries[start:end]
    has_more, has_less = end < len(entries), start > 0
    return {
        "next": _link(request, _AFTER, key(shown_entries[-1])) if has_more and shown_entries else None,
        "previous": _link(request, _BEFORE, key(shown_entries[0])) if has_less and shown_entries else None,
        "results": [shown(entry) for entry in shown_entries],
    }


def _link(request: Request, direction: str, key: str) -> str:
    cursor = urlsafe_b64encode(f"{direction} {key}".encode()).decode()
    return str(replace_query_param(request.build_absolute_uri(), "cursor", cursor))


def _read(cursor: str, keys: Sequence[str]) -> tuple[str, int]:
    try:
        direction, key = urlsafe_b64decode(cursor.encode()).decode().split(" ", 1)
        if direction not in (_AFTER, _BEFORE):
            raise ValueError(direction)
        return direction, keys.index(key)
    # Not base64, not text, not two words, or an entry that is not in this list.
    except ValueError as error:
        refusal = "This is not a cursor that the portal gave. Leave it out to start at the first page."
        raise exceptions.ValidationError({"cursor": [refusal]}) from error
