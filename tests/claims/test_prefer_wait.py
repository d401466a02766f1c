"""`Prefer: wait=N`: a caller who would rather wait for a worker than ask again (RFC 7240)."""

import threading
import time

import pytest
from django.test import RequestFactory
from rest_framework.request import Request
from rest_framework.test import APIClient

from claims import turn_waiting
from claims.answering import answer_message
from claims.api.claimant import MAX_WAIT, _seconds_to_wait
from claims.demo_policies import seed_policies
from claims.models import Turn
from claims.turn_waiting import wait_until_done
from tests.builders import customer_writes, make_claim
from tests.builders_api import address, holder, in_own_connection, opened, play

SAID = {
    "wait=5": 5,
    "wait=0": 0,
    "respond-async, wait=30": 30,
    "respond-async wait=30": 30,
    "respond-async;wait=7": 7,
    "wait=5, handling=lenient": 5,
    "handling=lenient,wait=5": 5,
    "wait=31": 30,
    "wait=9999": 30,
}
NOT_SAID = [
    "", "wait", "wait=", "wait=soon", "wait=-5", "wait=5.5", "wait=5s", "wait=99999", "await=5", "respond-async",
    "wait =5", "wait=5\x00", "wait=²", "x" * 5000,
]  # fmt: skip


def seconds(prefer):
    request = RequestFactory().post("/")
    if prefer is not None:
        request.META["HTTP_PREFER"] = prefer
    return _seconds_to_wait(Request(request))


@pytest.mark.parametrize(("prefer", "expected"), SAID.items())
def test_a_preference_is_read_and_capped_at_30_seconds(prefer, expected):
    assert MAX_WAIT == 30
    assert seconds(prefer) == expected


@pytest.mark.parametrize("prefer", [None, *NOT_SAID])
def test_what_is_no_preference_is_no_error_and_no_wait(prefer):
    assert seconds(prefer) == 0


@pytest.mark.django_db
@pytest.mark.parametrize("prefer", ["wait=1", "wait=soon", "wait=-1", None])
def test_a_post_waits_as_long_as_it_was_asked_to_and_then_says_that_the_turn_is_pending(monkeypatch, settings, prefer):
    settings.DEBUG = True
    seed_policies()
    monkeypatch.setattr("claims.tasks.answer_message", lambda turn_id: None)
    claim = opened(APIClient())
    headers = {} if prefer is None else {"Prefer": prefer}
    started = time.monotonic()
    response = holder(claim).post(address(claim, "messages/"), {"text": "Hello there"}, headers=headers)
    took = time.monotonic() - started
    assert response.status_code == 202
    assert 1 <= took < 3 if prefer == "wait=1" else took < 1


@pytest.mark.django_db
def test_a_turn_that_has_ended_is_not_waited_for(monkeypatch):
    play(monkeypatch)
    turn = customer_writes(make_claim(), "Hello there").turn
    answer_message(turn.pk)
    monkeypatch.setattr(turn_waiting, "POLL_SECONDS", 60)
    assert wait_until_done(turn.pk, seconds=60)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_wait_ends_soon_after_another_process_has_answered(monkeypatch):
    play(monkeypatch)
    turn = customer_writes(make_claim(), "Hello there").turn
    worker = threading.Timer(0.5, in_own_connection, [lambda: answer_message(turn.pk)])
    worker.start()
    started = time.monotonic()
    assert wait_until_done(turn.pk, seconds=20)
    assert time.monotonic() - started < 10
    worker.join()
    assert Turn.objects.get().status == "done"
