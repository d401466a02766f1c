"""The record of acts: who did what to which thing, and when. Rows are added, never changed, never deleted.

The database itself refuses UPDATE and DELETE (triggers in the first migration). An act writes its entry in the
transaction of the rows it changes, so neither is ever there without the other.
"""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models


class AuditEntry(models.Model):
    """One act. `by` is empty for a customer and for the portal itself; `by_name` is the login as it was on that day."""

    act = models.CharField(max_length=60)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    by_name = models.CharField(max_length=150)
    subject = models.CharField(max_length=200)
    detail = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "audit entries"
        indexes = [models.Index(fields=["subject", "id"], name="audit_subject")]

    def __str__(self) -> str:
        return f"{self.act} {self.subject}"


CUSTOMER = "(customer)"
PORTAL = "(portal)"


def record(act: str, *, by: User | str | None, subject: str, detail: Mapping[str, Any] | None = None) -> AuditEntry:
    """Add an entry: an act such as `release.approved`, its subject such as a family and version, JSON values as detail.

    `by` is a member of staff, or CUSTOMER (the holder of a claim's token), or None or PORTAL when the portal acted by
    itself; no login can have the names in brackets. Call it inside the transaction of the change.
    """
    user = by if isinstance(by, User) else None
    by_name = by.get_username() if isinstance(by, User) else by or PORTAL
    return AuditEntry.objects.create(act=act, by=user, by_name=by_name, subject=subject, detail=dict(detail or {}))
