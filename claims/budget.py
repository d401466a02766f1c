"""The day's budget of model tokens: when it is spent, questions go to a person instead of a model."""

import logging
from datetime import datetime, time

from django.conf import settings
from django.db.models import Sum

from claims.due_times import NEW_ZEALAND
from claims.models import Turn

logger = logging.getLogger(__name__)


def budget_is_spent(*, now: datetime) -> bool:
    """Whether the turns since New Zealand's midnight used PORTAL_DAILY_TOKENS; 0 sets no budget."""
    if not settings.PORTAL_DAILY_TOKENS:
        return False
    midnight = datetime.combine(now.astimezone(NEW_ZEALAND).date(), time.min, NEW_ZEALAND)
    used = Turn.objects.filter(at__gte=midnight).aggregate(tokens=Sum("tokens"))["tokens"] or 0
    if used < settings.PORTAL_DAILY_TOKENS:
        return False
    # The alert: an error in the log for every turn that meets it, because each is a customer who waits for a person.
    logger.error("the day's budget of %s tokens is spent; turns go to the waiting list", settings.PORTAL_DAILY_TOKENS)
    return True
