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


class TooLarge(exceptions.APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = "This is too large. Send less at a time."
    default_code = "too_large"


class StoreAway(exceptions.APIException):
    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_detail = "Files cannot be kept or read just now. Nothing is lost; please try again in a few seconds."
    default_code = "store_away"
    wait = 5
