"""When a person must have replied: the Fair Insurance Code's five business days, in New Zealand's calendar."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import holidays

NEW_ZEALAND = ZoneInfo("Pacific/Auckland")
BUSINESS_DAYS = 5
CLOSE_OF_BUSINESS = time(17, 0)


def is_business_day(day: date) -> bool:
    """Monday to Friday, and none of New Zealand's national holidays (regional anniversary days count as working)."""
    return day.weekday() < 5 and day not in holidays.country_holidays("NZ", years=day.year)


def due_at(received: datetime) -> datetime:
    """5 pm in New Zealand on the fifth business day after the day on which `received` (aware) falls there.

    Fair Insurance Code 2020: a claim is acknowledged within five business days.
    """
    day = received.astimezone(NEW_ZEALAND).date()
    left = BUSINESS_DAYS
    while left:
        day += timedelta(days=1)
        left -= is_business_day(day)
    return datetime.combine(day, CLOSE_OF_BUSINESS, NEW_ZEALAND)
