"""Relations between settings, held at start-up by web and worker alike (`manage.py check`)."""

from itertools import pairwise
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured

# Each must be shorter than the next: a call ends within its turn, a turn within its lease, a lease within the broker's.
CHAIN = ("PORTAL_MODEL_TIMEOUT", "PORTAL_TURN_DEADLINE", "PORTAL_TURN_LEASE", "PORTAL_TASK_VISIBILITY")


def refuse_wrong_times() -> None:
    """For the start of a process that no `check` goes before (web, worker). Raises ImproperlyConfigured."""
    problems = times_form_a_chain(None)
    if problems:
        raise ImproperlyConfigured(" ".join(f"{problem.msg} {problem.hint}" for problem in problems))


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
