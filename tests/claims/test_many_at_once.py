"""Many posts to one claim at the same moment, on PostgreSQL (C1), with the protection off as the negative control."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.db.models import QuerySet
from rest_framework.test import APIClient

from claims.demo_policies import seed_policies
from claims.models import Claim, Message, Turn
from tests.builders_api import address, holder, in_own_connection, opened, play, problem_of

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

POSTS = 30


@pytest.fixture(autouse=True)
def demo(settings, monkeypatch):
    settings.DEBUG = True
    settings.PORTAL_MESSAGES_A_MINUTE = 0
    seed_policies()
    play(monkeypatch)


def all_at_once(acts):
    """Run every act in a thread and a connection of its own, started together; their answers in order."""
    gate = threading.Barrier(len(acts))

    def run(act):
        gate.wait(timeout=20)
        return in_own_connection(act)

    with ThreadPoolExecutor(len(acts)) as pool:
        return [future.result() for future in [pool.submit(run, act) for act in acts]]


def poster(claim, number, key):
    client = holder(claim, raise_request_exception=False)

    def post():
        headers = {"Idempotency-Key": key}
        response = client.post(address(claim, "messages/"), {"text": f"Message {number}"}, headers=headers)
        if response.status_code == 503:
            # The lock was held for longer than its timeout: what a client does then is safe because of its key.
            response = client.post(address(claim, "messages/"), {"text": f"Message {number}"}, headers=headers)
        return response

    return post


def test_C1_posts_sent_twice_with_their_keys_are_stored_and_answered_once_without_a_gap():
    claim = opened(APIClient())
    acts = [poster(claim, n, f"key-{n}") for n in range(POSTS) for _ in range(2)]
    answers = all_at_once(acts)
    assert {response.status_code for response in answers} <= {201, 202}
    ids = [response.json()["id"] for response in answers]
    assert ids[0::2] == ids[1::2]
    assert len(set(ids)) == POSTS
    assert [response.json()["message"] for response in answers[0::2]] == [f"Message {n}" for n in range(POSTS)]
    turns = Turn.objects.order_by("seq")
    assert [turn.seq for turn in turns] == list(range(1, POSTS + 1))
    assert {turn.status for turn in turns} == {"done"}
    messages = Message.objects.order_by("seq")
    assert [message.seq for message in messages] == list(range(1, 2 * POSTS + 1))
    for sender in ("customer", "portal"):
        assert messages.filter(sender=sender).values("turn").distinct().count() == POSTS
    customers = list(messages.filter(sender="customer").values_list("turn__seq", flat=True))
    assert customers == sorted(customers)


def test_C1_negative_control_without_the_row_lock_posts_collide(monkeypatch):
    claim = opened(APIClient())
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, *args, **kwargs: self)
    answers = all_at_once([poster(claim, n, f"key-{n}") for n in range(POSTS)])
    seqs = sorted(Turn.objects.values_list("seq", flat=True))
    assert any(response.status_code == 500 for response in answers) or seqs != list(range(1, POSTS + 1))


def test_C11_the_limit_of_a_minute_holds_for_posts_at_the_same_moment(settings):
    settings.PORTAL_MESSAGES_A_MINUTE = 10
    claim = opened(APIClient())
    codes = [r.status_code for r in all_at_once([poster(claim, n, f"key-{n}") for n in range(POSTS)])]
    assert (codes.count(201) + codes.count(202), codes.count(429)) == (10, POSTS - 10)
    assert Turn.objects.count() == 10


def test_one_request_for_a_person_when_many_are_sent_at_once():
    claim = opened(APIClient())
    client = holder(claim)
    answers = all_at_once([lambda: client.post(address(claim, "person/"), {})] * 8)
    assert sorted(response.status_code for response in answers) == [200] * 7 + [201]
    assert len({response.json()["reference"] for response in answers}) == 1
    assert Message.objects.count() == 1


def test_a_database_connection_that_is_cut_is_503_and_the_next_request_is_served():
    claim = opened(APIClient())
    client = holder(claim)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone()

    def cut():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])

    with ThreadPoolExecutor(1) as pool:
        pool.submit(in_own_connection, cut).result()
    response = client.post(address(claim, "messages/"), {"text": "Hello there"})
    problem_of(response, 503)
    assert response.headers["Retry-After"]
    connection.close()
    assert client.post(address(claim, "messages/"), {"text": "Hello there"}).status_code == 201
    assert Claim.objects.get().last_turn_seq == 1
