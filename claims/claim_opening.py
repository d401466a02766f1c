"""Opening a claim conversation, the token that opens it again, and what the customer sets about it."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db import transaction

from claims.agent.facts import FAMILIES, fold, read_date
from claims.agent.vocabulary import Field
from claims.due_times import NEW_ZEALAND
from claims.models import Claim, Fact
from claims.schedules import FoundPolicy, find_policy, normal_number
from knowledge import audit

INSURER = "northwind"
MAX_POLICY_NUMBER = 40
MAX_VALUE = 500


class InvalidValue(Exception):
    """A value that cannot be taken; `field` names it and the message says what to do."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class TooManyClaims(Exception):
    """This address opened as many claims as one address may in an hour."""


@dataclass(frozen=True)
class OpenedClaim:
    """`token` is shown once and stored hashed; whoever holds it opens this claim and no other."""

    reference: str
    token: str


def open_claim(
    *,
    policy_number: str,
    postcode: str = "",
    family: str = "",
    loss_date: str = "",
    purpose: str = Claim.Purpose.CUSTOMER,
    address: str = "",
    now: datetime,
    needs_postcode: bool,
    claims_an_hour: int = 0,
) -> OpenedClaim:
    """Open a claim. Raises InvalidValue, TooManyClaims.

    An unknown policy number opens a claim all the same, and so does a postcode that does not match: both are a claim
    without a schedule, and the two cannot be told apart (M10). `claims_an_hour` of 0 sets no limit.
    """
    number = normal_number(fold(policy_number))
    if not 1 <= len(number) <= MAX_POLICY_NUMBER or "\x00" in number:
        raise InvalidValue("policy_number", "Type the policy number as it stands on your schedule, like NW-MTR-204518.")
    given = {
        field: checked_value(field, value, today=now.astimezone(NEW_ZEALAND).date())
        for field, value in ((Field.FAMILY, family), (Field.LOSS_DATE, loss_date))
        if value
    }
    found = find_policy(number)
    shown = found is not None and (not needs_postcode or "".join(postcode.split()) == found.postcode)
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        address_sha256 = _hashed(address) if address else ""
        if claims_an_hour and _opened_since(address_sha256, now - timedelta(hours=1)) >= claims_an_hour:
            raise TooManyClaims
        claim = Claim.objects.create(
            token_sha256=_hashed(token),
            insurer=INSURER,
            policy_number=number,
            policy_shown=shown or found is None,
            purpose=purpose,
            address_sha256=address_sha256,
            opened_at=now,
        )
        _write_first_facts(claim, given, found if shown else None, now)
        audit.record("claim.open", by=audit.CUSTOMER, subject=claim.reference, detail={"purpose": purpose})
    return OpenedClaim(claim.reference, token)


def _write_first_facts(claim: Claim, given: dict[Field, str], found: FoundPolicy | None, now: datetime) -> None:
    if found is not None:
        given.setdefault(Field.FAMILY, found.schedule.family)
    for field, value in given.items():
        Fact.objects.create(claim=claim, field=field, value=value, confirmed=True, at=now)


def _opened_since(address_sha256: str, since: datetime) -> int:
    opened = Claim.objects.filter(address_sha256=address_sha256, opened_at__gt=since)
    return opened.filter(purpose=Claim.Purpose.CUSTOMER).count()


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def claim_of_token(reference: str, token: str) -> Claim | None:
    """The claim that this token opens; None for a wrong reference, a wrong token, and another claim's token alike."""
    claim = Claim.objects.filter(reference=reference).first()
    expected = claim.token_sha256 if claim is not None else _hashed("no such claim")
    matches = secrets.compare_digest(expected, _hashed(token))
    return claim if matches else None


def find_claim(reference: str) -> Claim | None:
    """A claim without its token: for commands that staff run, never for a request."""
    return Claim.objects.filter(reference=reference).first()


def set_fact(*, claim_id: UUID, field: str, value: str, now: datetime) -> None:
    """The customer sets a field and so confirms it; their value replaces any other. Raises InvalidValue."""
    if field not in set(Field):
        raise InvalidValue("field", f"There is no field {field!r}. Fields are: {', '.join(Field)}.")
    checked = checked_value(Field(field), value, today=now.astimezone(NEW_ZEALAND).date())
    with transaction.atomic():
        claim = Claim.objects.select_for_update().get(pk=claim_id)
        Fact.objects.update_or_create(
            claim=claim, field=field, defaults={"value": checked, "words": "", "confirmed": True, "at": now}
        )
        audit.record("claim.set_fact", by=audit.CUSTOMER, subject=claim.reference, detail={"field": field})


def checked_value(field: Field, value: str, *, today: date) -> str:
    """The value to store. Raises InvalidValue with a sentence that says what is taken."""
    text = fold(value)
    if "\x00" in text or not text or len(text) > MAX_VALUE:
        raise InvalidValue(field, f"Write 1 to {MAX_VALUE} characters.")
    if field is Field.FAMILY:
        if text.lower() not in FAMILIES:
            raise InvalidValue(field, "Choose motor, home or contents.")
        return text.lower()
    if field is Field.LOSS_DATE:
        day = read_date(text, today)
        if day is None:
            raise InvalidValue(
                field, f"Write a date up to today, like {today.isoformat()} or {today.day}/{today:%m/%Y}."
            )
        return day.isoformat()
    return text
