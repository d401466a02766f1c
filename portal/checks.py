"""Relations between settings, held at start-up by web and worker alike (`manage.py check`)."""

from itertools import pairwise
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

# Each must be shorter than the next: a call ends within its turn, a turn within its lease, a lease within the broker's.
CHAIN = ("PORTAL_MODEL_TIMEOUT", "PORTAL_TURN_DEADLINE", "PORTAL_TURN_LEASE", "PORTAL_TASK_VISIBILITY")


@register()
def times_form_a_chain(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """model < turn < lease < visibility; another order answers a turn twice or never."""
    return [
        Error(
            f"{shorter} is {getattr(settings, shorter):g} s and must be shorter than {longer}, "
            f"which is {getattr(settings, longer):g} s.",
            hint=f"Lower {shorter} or raise {longer}.",
            id=f"portal.E00{number}",
        )
        for number, (shorter, longer) in enumerate(pairwise(CHAIN), start=1)
        if getattr(settings, shorter) >= getattr(settings, longer)
    ]
