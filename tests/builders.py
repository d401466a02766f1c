"""Claims, staff and waiting items, made through the acts as the product makes them."""

import itertools
from datetime import UTC, datetime, timedelta

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.test import Client
from knox.models import AuthToken
from rest_framework.test import APIClient

from claims import waiting_list
from claims.agent.vocabulary import Outcome, Reason, Status
from claims.claim_opening import INSURER, open_claim
from claims.conversation import receive_message
from claims.models import Claim, Message, PolicySchedule, WaitingItem

NOW = datetime(2026, 6, 3, 1, 0, tzinfo=UTC)
_numbers = itertools.count(1)


def make_schedule(policy_number: str = "NW-MTR-100001", *, sections: tuple[str, ...] = ()) -> PolicySchedule:
    return PolicySchedule.objects.get_or_create(
        policy_number=policy_number,
        defaults={
            "insurer": INSURER,
            "family": "motor",
            "postcode": "6011",
            "coverage_sections": list(sections),
            "details": [{"code": "standard_excess", "label": "standard excess", "value": "NZD 500"}],
        },
    )[0]


def make_claim(*, purpose: str = Claim.Purpose.CUSTOMER, policy_number: str = "NW-MTR-100001") -> Claim:
    """A claim on a policy whose schedule is on file."""
    make_schedule(policy_number, sections=("alternative_transport",))
    opened = open_claim(policy_number=policy_number, purpose=purpose, now=NOW, needs_postcode=False)
    return Claim.objects.get(reference=opened.reference)


def make_staff(name: str, *roles: str, superuser: bool = False) -> User:
    """A member of staff who may enter the administration; Django's own permissions are never given."""
    user = User.objects.create_user(name, first_name=name.title(), last_name="Tester", is_staff=True)
    user.is_superuser = superuser
    user.save()
    for role in roles:
        user.groups.add(Group.objects.get_or_create(name=role)[0])
    return user


def customer_writes(claim: Claim, text: str, *, now: datetime = NOW) -> Message:
    """A message as the customer posts it; its turn is not answered."""
    received = receive_message(claim_id=claim.pk, text=text, key=None, now=now)
    return Message.objects.get(pk=received.message_id)


def make_item(
    claim: Claim | None = None, question: str | None = None, *, reason: Reason = Reason.NOT_FOUND, now: datetime = NOW
) -> WaitingItem:
    """A question that the customer wrote and that waits for staff, linked to its turn, which has ended."""
    claim = claim or make_claim()
    question = question or f"What about question {next(_numbers)}?"
    message = customer_writes(claim, question, now=now)
    with transaction.atomic():
        locked = Claim.objects.select_for_update().get(pk=claim.pk)
        item = waiting_list.enqueue(claim=locked, question=question, reason=reason, now=now).item
    assert item is not None and message.turn is not None
    turn = message.turn
    turn.waiting_item, turn.status, turn.outcome, turn.done_at = item, Status.DONE, Outcome.NOT_FOUND, now
    turn.save()
    return item


def item_in(state: str, *, owner: User) -> WaitingItem:
    """An item in one of the four states; whoever has it, or ended it, is `owner`."""
    reference = make_item().reference
    if state == "taken":
        waiting_list.take(reference=reference, by=owner)
    elif state == "answered":
        waiting_list.answer(reference=reference, by=owner, text="Here is the answer.", seen_seq=1, now=later())
    elif state == "closed":
        waiting_list.close(reference=reference, by=owner, reason="A duplicate.", now=later())
    return WaitingItem.objects.get(reference=reference)


def later(**passed: float) -> datetime:
    """A moment after NOW; ten minutes where nothing else is said."""
    return NOW + timedelta(**(passed or {"minutes": 10}))


def admin_client(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def api_client(user: User) -> APIClient:
    """A client that sends a token of this member of staff."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {AuthToken.objects.create(user=user)[1]}")
    return client
