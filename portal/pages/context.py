"""What every page shows of the installation: who answers, and whether this is the demo."""

from django.conf import settings
from django.http import HttpRequest

from claims.drafting_aid import DRAFTING_AID


def answering_model(request: HttpRequest) -> dict[str, object]:
    """`offline_chooser` is true when no model is configured; pages then say that no language model answers.

    `drafting_aid` is the line under every title of the adjuster's pages (M71).
    """
    return {"offline_chooser": not settings.PORTAL_MODEL, "demo": settings.DEBUG, "drafting_aid": DRAFTING_AID}
