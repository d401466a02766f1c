"""Deadlines: only from terms that were given, each from its own event, never later than the clause says."""

import calendar
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claims.deadlines import (
    PROOF_NOT_STATED,
    InvalidTerm,
    Known,
    Term,
    TimeUnit,
    Trigger,
    Unknown,
    deadline,
    deadlines,
    last_day,
)
from claims.deadlines_json import deadlines_json
from claims.documents.pages import Unreadable
from claims.documents.sections import Amendment, Change, Structure, Unit
from claims.documents.terms import Whose, proof_of_loss_stated, terms_stated
from tests.builders_documents import passage, reading_of_structure, section, structure

LOSS = date(2026, 6, 15)


def test_M100_the_worked_examples_to_the_letter():
    assert deadlines_json(deadlines(loss_date=LOSS, proof_of_loss_days=60, suit_limitation_months=24)) == {
        "loss_date": "2026-06-15",
        "proof_of_loss": {
            "known": True,
            "date": "2026-08-14",
            "basis": "60 day(s) from the date of loss (2026-06-15), as supplied from the policy.",
        },
        "suit_limitation": {
            "known": True,
            "date": "2028-06-15",
            "basis": "24 month(s) from the date of loss (2026-06-15), as supplied from the policy.",
        },
        "terms": [],
    }


def test_M98_a_period_that_was_not_supplied_is_not_known_and_says_where_to_look():
    computed = deadlines_json(deadlines(loss_date=LOSS))
    for name in ("proof_of_loss", "suit_limitation"):
        assert computed[name]["known"] is False
        assert "date" not in computed[name]
        assert "declarations or the conditions" in computed[name]["reason"]
    one = deadlines(loss_date=LOSS, proof_of_loss_days=60)
    assert isinstance(one.proof_of_loss, Known)
    assert isinstance(one.suit_limitation, Unknown)


REQUEST = {"name": "proof of loss", "period": 45, "unit": TimeUnit.DAYS, "trigger": Trigger.REQUEST}
D21_LOSS = date(2026, 11, 30)


def test_D21_the_clock_starts_at_the_request():
    unknown = deadline(Term(**REQUEST), loss_date=D21_LOSS)
    assert isinstance(unknown, Unknown)
    assert "counts from the insurer's request, which was not given" in unknown.reason
    known = deadline(Term(**REQUEST, trigger_date=date(2026, 12, 20)), loss_date=D21_LOSS)
    assert known == Known(date(2027, 2, 3), "45 day(s) from the date of our request (2026-12-20)")
    assert known.weekday == "Wednesday"


@pytest.mark.parametrize("trigger", [each for each in Trigger if each is not Trigger.LOSS])
def test_R2_every_other_event_is_unknown_until_its_day_is_given(trigger):
    term = Term("a clock", 1, TimeUnit.YEARS, trigger)
    assert isinstance(deadline(term, loss_date=LOSS), Unknown)
    dated = Term("a clock", 1, TimeUnit.YEARS, trigger, date(2026, 7, 1))
    assert deadline(dated, loss_date=LOSS).day == date(2027, 7, 1)


@pytest.mark.parametrize(
    ("start", "months", "right"),
    [
        (date(2026, 8, 31), 6, date(2027, 2, 28)),
        (date(2027, 8, 31), 6, date(2028, 2, 29)),
        (date(2028, 2, 29), 12, date(2029, 2, 28)),
        (date(2024, 2, 29), 48, date(2028, 2, 29)),
        (date(2026, 12, 31), 2, date(2027, 2, 28)),
        (date(2026, 1, 31), 1, date(2026, 2, 28)),
        (date(2028, 1, 31), 1, date(2028, 2, 29)),
        (date(2026, 8, 31), 1, date(2026, 9, 30)),
    ],
)
def test_D22_M101_M111_a_month_without_the_day_ends_on_its_last(start, months, right):
    assert last_day(start, months, TimeUnit.MONTHS) == right


def test_D22_years_clamp_too():
    assert last_day(date(2028, 2, 29), 1, TimeUnit.YEARS) == date(2029, 2, 28)
    assert last_day(date(2024, 2, 29), 4, TimeUnit.YEARS) == date(2028, 2, 29)


@pytest.mark.parametrize(
    ("start", "right"),
    [
        (date(2027, 3, 1), (date(2028, 3, 1), date(2028, 3, 1), date(2028, 2, 29))),
        (date(2028, 3, 1), (date(2029, 3, 1), date(2029, 3, 1), date(2029, 3, 1))),
    ],
)
def test_D23_a_year_twelve_months_and_365_days_are_three_things(start, right):
    terms = [
        Term(name, period, unit, Trigger.LOSS)
        for name, period, unit in (("a", 1, TimeUnit.YEARS), ("b", 12, TimeUnit.MONTHS), ("c", 365, TimeUnit.DAYS))
    ]
    computed = deadlines(loss_date=start, terms=terms)
    assert tuple(each.deadline.day for each in computed.terms) == right
    assert [each.term.unit.value for each in computed.terms] == ["years", "months", "days"]
    assert deadlines_json(computed)["terms"][2]["basis"] == f"365 day(s) from the date of loss ({start})"


DAYS = st.dates(date(1990, 1, 1), date(2150, 12, 31))


@settings(max_examples=1000, deadline=None)
@given(start=DAYS, period=st.integers(1, 600), unit=st.sampled_from([TimeUnit.MONTHS, TimeUnit.YEARS]))
def test_M102_never_later_than_the_clause_says(start, period, unit):
    """Put together from the calendar alone: the month that is so many on, and in it the same day or its last."""
    day = last_day(start, period, unit)
    months = start.month - 1 + period * (12 if unit is TimeUnit.YEARS else 1)
    year, month = start.year + months // 12, months % 12 + 1
    longest = calendar.monthrange(year, month)[1]
    assert day == date(year, month, min(start.day, longest))
    assert day <= date(year, month, 1) + timedelta(days=start.day - 1)


@settings(max_examples=500, deadline=None)
@given(start=DAYS, period=st.integers(1, 20_000))
def test_M102_days_are_counted_and_nothing_else(start, period):
    assert (last_day(start, period, TimeUnit.DAYS) - start).days == period


@pytest.mark.parametrize("day", [date(2026, 8, 15), date(2026, 8, 16), date(2026, 12, 25)])
def test_no_day_is_moved_off_a_weekend_or_a_holiday(day):
    assert last_day(day - timedelta(days=30), 30, TimeUnit.DAYS) == day


@pytest.mark.parametrize("period", [0, -1, True, 1.5, "60", None])
def test_a_period_is_a_whole_number_of_one_or_more(period):
    with pytest.raises(InvalidTerm) as caught:
        Term("a clock", period, TimeUnit.DAYS, Trigger.LOSS)
    assert caught.value.field == "period"
    if period is not None:
        with pytest.raises(InvalidTerm) as caught:
            deadlines(loss_date=LOSS, suit_limitation_months=period)
        assert caught.value.field == "suit_limitation_months"


@pytest.mark.parametrize("unit", list(TimeUnit))
@pytest.mark.parametrize("period", [100_000_000, 10**30])
def test_beyond_the_calendar_is_refused_and_not_guessed(period, unit):
    with pytest.raises(InvalidTerm, match="beyond the calendar") as caught:
        deadline(Term("a clock", period, unit, Trigger.LOSS), loss_date=LOSS)
    assert caught.value.field == "period"
    with pytest.raises(InvalidTerm) as caught:
        deadlines(loss_date=LOSS, proof_of_loss_days=period)
    assert caught.value.field == "proof_of_loss_days"


@pytest.mark.parametrize(
    ("trigger", "day"), [(Trigger.REQUEST, LOSS - timedelta(days=1)), (Trigger.LOSS, LOSS + timedelta(days=1))]
)
def test_an_event_that_contradicts_the_loss_is_refused(trigger, day):
    with pytest.raises(InvalidTerm) as caught:
        deadline(Term("a clock", 60, TimeUnit.DAYS, trigger, day), loss_date=LOSS)
    assert caught.value.field == "trigger_date"


def test_a_term_keeps_its_name_and_its_quotation():
    term = Term("suit", 2, TimeUnit.YEARS, Trigger.DENIAL, date(2026, 9, 1), "within two years of the denial")
    (made,) = deadlines_json(deadlines(loss_date=LOSS, terms=[term]))["terms"]
    assert made == {
        "name": "suit",
        "known": True,
        "date": "2028-09-01",
        "weekday": "Friday",
        "basis": "2 year(s) from the date of the denial (2026-09-01)",
        "quote": "within two years of the denial",
    }
    for name in ("", "  ", "x" * 201):
        with pytest.raises(InvalidTerm):
            Term(name, 1, TimeUnit.DAYS, Trigger.LOSS)


# What a policy states (D24)


def stated_in(*texts, kind="conditions", **reading):
    made = structure(section(1, kind, *texts))
    return proof_of_loss_stated(made, reading_of_structure(made, **reading))


D24 = (
    "Loss is payable 60 days after we receive your proof of loss.",
    "A mortgagee must send its own proof within 60 days after our notice.",
    "You must send us a proof of loss.",
)


def test_D24_the_nearest_60_days_is_not_the_insureds():
    assert stated_in(*D24) == Unknown(PROOF_NOT_STATED)
    shown = terms_stated(structure(section(1, "conditions", *D24)))
    assert [(each.passage.start_line, each.whose) for each in shown] == [
        (11, Whose.SOMEBODY_ELSE),
        (12, Whose.SOMEBODY_ELSE),
    ]


@pytest.mark.parametrize(
    ("text", "period", "trigger"),
    [
        ("Send us a signed proof of loss within 45 days after our request.", 45, Trigger.REQUEST),
        ("4. Within 60 days after the loss, send us a proof of loss.", 60, Trigger.LOSS),
        ("You must send us a proof of loss within sixty (60) days after we request it.", 60, Trigger.REQUEST),
        ("The insured shall within ninety days after the date of loss furnish a sworn proof.", 90, Trigger.LOSS),
    ],
)
def test_D21_the_insureds_own_period_and_what_it_counts_from(text, period, trigger):
    stated = stated_in(*D24, text)
    assert (stated.period, stated.unit, stated.trigger) == (period, TimeUnit.DAYS, trigger)
    assert stated.quote == text
    assert stated.as_term().trigger is trigger


@pytest.mark.parametrize(
    ("lead", "whose"),
    [
        ("In case of a loss you must:", Whose.INSURED),
        ("The mortgagee must:", Whose.SOMEBODY_ELSE),
        ("You may:", Whose.UNCLEAR),
    ],
)
def test_D24_an_item_is_whose_its_lead_in_says(lead, whose):
    above = passage(11, lead)
    item = Unit(passage(12, "a. submit a proof of loss within 60 days after the loss;"), "a", (above,))
    (stated,) = terms_stated(structure(section(1, "conditions", Unit(above), item)))
    assert stated.whose is whose


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (("Proof of loss must be filed within 60 days after the loss.",), "is for you to read"),
        (("Send us a proof of loss within 60 days.",), "from what day this counts"),
        (("Send us a proof of loss within 60 days after the loss is discovered.",), "from what day this counts"),
        (
            ("Send us proof within 60 days after the loss.", "You must send proof within 90 days after our request."),
            "more than one period",
        ),
        (("Send us a proof of loss within 10 business days after the loss.",), "states no period"),
    ],
)
def test_D24_in_doubt_no_period_is_taken(texts, reason):
    stated = stated_in(*texts)
    assert isinstance(stated, Unknown)
    assert reason in stated.reason


def test_D24_what_was_not_read_states_nothing():
    assert "these pages were not read: 2" in stated_in(*D24, pages_not_read=(2,)).reason
    assert "was not read" in stated_in(*D24, unreadable=Unreadable.NO_TEXT).reason
    assert isinstance(proof_of_loss_stated(Structure(()), reading_of_structure(structure())), Unknown)


def test_D24_a_definition_or_a_changed_clause_gives_no_period():
    text = "Send us a proof of loss within 60 days after the loss."
    assert isinstance(stated_in(text, kind="definitions"), Unknown)
    unit = Unit(
        passage(11, text), amended_by=(Amendment("HL 3", Change.REPLACES, passage(21, "Condition 1 is replaced.")),)
    )
    made = structure(section(1, "conditions", unit))
    stated = proof_of_loss_stated(made, reading_of_structure(made))
    assert isinstance(stated, Unknown)
    assert "An endorsement changes" in stated.reason
