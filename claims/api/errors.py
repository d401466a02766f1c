"""Refusals that DRF has no class for; `portal.problems` shapes them."""

from rest_framework import exceptions, status


class Conflict(exceptions.APIException):
    status_code = status.HTTP_409_CONFLICT
    default_detail = "Something changed meanwhile. Read it again, then repeat your request."
    default_code = "conflict"


class Unprocessable(exceptions.APIException):
    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_detail = "This cannot be processed."
    default_code = "unprocessable"
