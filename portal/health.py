"""/livez says that the process answers; /readyz that it can serve: database, migrations, what is in force."""

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.utils import timezone

from claims.agent.facts import FAMILIES
from claims.claim_opening import INSURER
from knowledge.answers import OpenRelease
from knowledge.releases import release_in_force


def livez(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """200 when requests can be served, else 503 and the part that cannot. No release in force is not a failure."""
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if waiting:
            return _not_ready("migrations", "Run manage.py migrate.")
        in_force = {family: _in_force(family) for family in FAMILIES}
    except DatabaseError:
        return _not_ready("database", "The database cannot be reached.")
    return JsonResponse({"status": "ok", "database": "ok", "migrations": "ok", "in_force": in_force})


def _in_force(family: str) -> str:
    release = release_in_force(INSURER, family, timezone.localdate())
    return release.version if isinstance(release, OpenRelease) else release.reason.value


def _not_ready(part: str, fix: str) -> JsonResponse:
    return JsonResponse({"status": "not ready", "part": part, "fix": fix}, status=503)
