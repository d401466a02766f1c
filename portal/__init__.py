"""The wiring. Celery's app is loaded with Django, so that tasks find it."""

from portal.celery import app as celery_app

__all__ = ["celery_app"]
