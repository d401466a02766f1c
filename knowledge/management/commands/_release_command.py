"""What the commands about one version have in common: who does it, what is printed, and the exit code."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from knowledge.assembly import NoSuchRelease, ReleaseError
from knowledge.roles import Role
from knowledge.storage import StorageUnavailable


class ReleaseCommand(BaseCommand):
    """Exit 0 when it was done, 1 when it ran and failed, 2 for a version or a login that is not there."""

    done: ClassVar[str]
    act: ClassVar[Callable[..., tuple[str, ...]]]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("version", help="the version, as its documents name it")
        parser.add_argument(
            "--by", default=Role.OPERATOR.value, help="the login that is recorded (default: %(default)s)"
        )

    def handle(self, *args: Any, version: str, by: str, **options: Any) -> None:
        user = User.objects.filter(username=by, is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active login {by}. Name who does this with --by.", returncode=2)
        try:
            releases = type(self).act(version, by=user)
        except NoSuchRelease as error:
            raise CommandError(str(error), returncode=2) from error
        except ReleaseError as error:
            raise CommandError(str(error)) from error
        except StorageUnavailable as error:
            raise CommandError(
                f"The object store is not available: {error}. Nothing was changed; try again."
            ) from error
        for release in releases:
            self.stdout.write(f"{release}: {self.done}")
