"""Lists in pages that are walked by cursors: a cursor that the portal did not give is refused with a sentence."""

from typing import Any

from django.core.exceptions import ValidationError
from rest_framework import exceptions
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request


class Pages(CursorPagination):
    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        # DRF checks a cursor's shape; that its position is a number or a time only shows when the rows are asked for.
        except (exceptions.NotFound, ValidationError, ValueError) as error:
            refusal = "This is not a cursor that the portal gave. Leave it out to start at the first page."
            raise exceptions.ValidationError({"cursor": [refusal]}) from error
