"""`manage.py check_citations`: hash every stored citation again and name what differs. Exit 1 when something does."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from claims.citation_check import check_citations


class Command(BaseCommand):
    help = "Hash every stored citation again and name each that differs from what was shown or ingested."

    def handle(self, *args: Any, **options: Any) -> None:
        checked = check_citations()
        for difference in checked.differences:
            where = f"turn {difference.turn_id}, {difference.clause_id} ({difference.version})"
            self.stdout.write(f"{where}: {difference.what}")
        self.stdout.write(
            f"{checked.citations} citations and {checked.sentences} shown sentences checked, "
            f"{len(checked.differences)} differ."
        )
        if checked.differences:
            sys.exit(1)
