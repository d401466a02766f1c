"""What happens when a part of the portal is away: the table that the test runs and that docs/operation.md shows."""

from dataclasses import dataclass

STOPPED, FROZEN, SLOW = "stopped", "frozen", "slow"


@dataclass(frozen=True)
class Outage:
    """`post` is the status of a message posted meanwhile, within `post_seconds`; `outcome` what its turn comes to.

    With the database away there is no turn; then `outcome` is of the turn that was at work when it went.
    """

    part: str
    how: str
    post: int
    post_seconds: float
    outcome: str

    @property
    def name(self) -> str:
        return f"{self.part} {self.how}"

    @property
    def row(self) -> str:
        """As docs/operation.md shows it."""
        return f"| {self.part} | {self.how} | {self.post} | `{self.outcome}` |"


OUTAGES = (
    Outage("store", STOPPED, 202, 2.0, "unavailable"),
    Outage("store", FROZEN, 202, 2.0, "unavailable"),
    Outage("store", SLOW, 202, 2.0, "unavailable"),
    Outage("broker", STOPPED, 202, 2.0, "answered"),
    Outage("broker", FROZEN, 202, 2.0, "answered"),
    Outage("broker", SLOW, 202, 2.0, "answered"),
    Outage("database", STOPPED, 503, 5.0, "answered"),
    Outage("database", FROZEN, 503, 5.0, "answered"),
    Outage("database", SLOW, 202, 2.0, "answered"),
    Outage("model", STOPPED, 202, 2.0, "failed"),
    Outage("model", FROZEN, 202, 2.0, "failed"),
    Outage("model", SLOW, 202, 2.0, "failed"),
)
