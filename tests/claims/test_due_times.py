"""Five business days in New Zealand, whatever the clock and the calendar do."""

from datetime import UTC, date, datetime, time, timedelta

import holidays
import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims.due_times import NEW_ZEALAND, due_at, is_business_day


def nz(year, month, day, hour=12, minute=0):
    return datetime(year, month, day, hour, minute, tzinfo=NEW_ZEALAND)


CASES = {
    "a plain Monday": (nz(2026, 8, 3), date(2026, 8, 10)),
    "a plain Wednesday": (nz(2026, 8, 5), date(2026, 8, 12)),
    "Friday night": (nz(2026, 8, 7, 23, 59), date(2026, 8, 14)),
    "Saturday counts from Monday": (nz(2026, 8, 8), date(2026, 8, 14)),
    "Sunday counts from Monday": (nz(2026, 8, 9), date(2026, 8, 14)),
    "just after midnight": (nz(2026, 8, 4, 0, 0), date(2026, 8, 11)),
    "Boxing Day, kept on Monday": (nz(2026, 12, 28), date(2027, 1, 6)),
    "before Christmas, Boxing Day on a Saturday": (nz(2026, 12, 23), date(2027, 1, 5)),
    "the New Year stretch": (nz(2026, 12, 31), date(2027, 1, 11)),
    "Waitangi Day on a Friday": (nz(2026, 2, 3), date(2026, 2, 11)),
    "Waitangi Day on a Saturday, kept on Monday": (nz(2027, 2, 4), date(2027, 2, 12)),
    "ANZAC Day on a Saturday, kept on Monday": (nz(2026, 4, 23), date(2026, 5, 1)),
    "ANZAC Day on a Sunday, kept on Monday": (nz(2027, 4, 22), date(2027, 4, 30)),
    "Easter": (nz(2026, 4, 1), date(2026, 4, 10)),
    "the King's Birthday": (nz(2026, 5, 29), date(2026, 6, 8)),
    "Matariki": (nz(2026, 7, 8), date(2026, 7, 16)),
    "Labour Day": (nz(2026, 10, 23), date(2026, 11, 2)),
}


@pytest.mark.parametrize(("received", "due"), CASES.values(), ids=CASES)
def test_due_at_five_in_the_afternoon_of_the_fifth_business_day(received, due):
    assert due_at(received) == datetime.combine(due, time(17), NEW_ZEALAND)


@pytest.mark.parametrize(
    "day",
    [date(2026, 7, 10), date(2027, 6, 25), date(2026, 2, 6), date(2027, 2, 8), date(2026, 4, 27), date(2026, 12, 28)],
)
def test_a_national_holiday_is_no_business_day_on_the_day_on_which_it_is_kept(day):
    assert day.weekday() < 5
    assert not is_business_day(day)


@pytest.mark.parametrize("day", [date(2026, 1, 26), date(2026, 11, 13)])
def test_the_anniversary_of_one_region_is_a_business_day(day):
    """Auckland's and Canterbury's: staff are in more than one place."""
    assert is_business_day(day)


def test_the_day_is_new_zealands_not_utcs():
    evening_in_utc = datetime(2026, 8, 2, 13, 0, tzinfo=UTC)
    assert evening_in_utc.astimezone(NEW_ZEALAND).date() == date(2026, 8, 3)
    assert due_at(evening_in_utc) == due_at(nz(2026, 8, 3, 9))


@pytest.mark.parametrize(
    ("received", "offset"),
    [
        (nz(2026, 9, 25), timedelta(hours=13)),  # summer time begins on 27 September
        (nz(2026, 9, 27, 1, 59), timedelta(hours=13)),
        (nz(2026, 9, 27, 3, 0), timedelta(hours=13)),
        (nz(2026, 4, 1), timedelta(hours=12)),  # and ends on 5 April
        (datetime(2026, 4, 5, 2, 30, fold=1, tzinfo=NEW_ZEALAND), timedelta(hours=12)),
    ],
)
def test_five_in_the_afternoon_stays_five_when_the_clocks_change(received, offset):
    due = due_at(received)
    assert (due.hour, due.minute, due.utcoffset()) == (17, 0, offset)


START = datetime(2024, 1, 1, tzinfo=UTC)
MOMENTS = st.timedeltas(timedelta(0), timedelta(days=4000)).map(lambda passed: START + passed)


@given(MOMENTS)
def test_it_is_always_a_business_day_with_exactly_four_between(received):
    due = due_at(received)
    first, last = received.astimezone(NEW_ZEALAND).date(), due.date()
    assert (due.tzinfo, due.time()) == (NEW_ZEALAND, time(17))
    kept = holidays.country_holidays("NZ", years=[first.year, last.year])
    between = [first + timedelta(days=n) for n in range(1, (last - first).days + 1)]
    business = [day for day in between if day.weekday() < 5 and day not in kept]
    assert len(business) == 5
    assert business[-1] == last
    assert is_business_day(last)


@given(MOMENTS, st.timedeltas(timedelta(0), timedelta(days=30)))
def test_who_asks_later_is_never_due_earlier(received, later):
    assert due_at(received) <= due_at(received + later)
