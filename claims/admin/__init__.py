"""Staff's view of claims: the waiting list to work on, and every other row to look at."""

from claims.admin import policies, records, waiting_list

__all__ = ["policies", "records", "waiting_list"]
