"""How a turn's answer is started: in this process without a broker; with one by a nudge that costs the post nothing."""

import logging
import queue
import threading
import time
import uuid

import pytest
from rest_framework.test import APIClient

from claims import tasks
from claims.demo_policies import seed_policies
from claims.models import Message, Turn
from claims.sweeping import sweep
from claims.tasks import answer_turn
from portal.celery import app
from tests.bench.processes import free_port
from tests.builders import customer_writes, later, make_claim
from tests.builders_api import opened, play, say

pytestmark = pytest.mark.django_db

SECRET = "hunter2-canary"


@pytest.fixture(autouse=True)
def demo(settings):
    settings.DEBUG = True
    seed_policies()


@pytest.fixture
def asked(monkeypatch):
    return play(monkeypatch)


@pytest.fixture
def kept_connection(monkeypatch):
    """A task lets go of a connection that is in no order for a worker; a test's own is in the test's transaction."""
    monkeypatch.setattr(tasks, "close_old_connections", lambda: None)


@pytest.fixture
def dead_broker(settings, monkeypatch):
    """REDIS_URL names a port where nobody listens; each nudge that was tried is seen."""
    url = f"redis://:{SECRET}@127.0.0.1:{free_port()}/0"
    settings.REDIS_URL = url
    monkeypatch.setattr(app.conf, "broker_url", url)
    monkeypatch.setattr(app.conf, "broker_write_url", url)
    monkeypatch.setattr(tasks, "_unpublished", queue.Queue(maxsize=tasks.MAX_UNPUBLISHED))
    monkeypatch.setattr(tasks, "_publisher", None)
    tried = threading.Event()
    publish = answer_turn.apply_async

    def apply_async(*args, **kwargs):
        try:
            return publish(*args, **kwargs)
        finally:
            tried.set()

    monkeypatch.setattr(answer_turn, "apply_async", apply_async)
    yield tried
    app.pool.force_close_all()


def test_without_a_broker_a_turn_is_answered_in_the_request(asked, settings):
    assert settings.REDIS_URL == ""
    response = say(opened(APIClient()))
    assert (response.status_code, response.json()["status"], asked) == (201, "done", ["plan"])
    assert tasks._publisher is None, "no thread is started for a broker that is not there"


def test_F7_a_post_to_a_dead_broker_is_accepted_at_once_and_the_row_is_there(asked, dead_broker):
    claim = opened(APIClient())
    started = time.monotonic()
    response = say(claim, "Is a rental car included?")
    assert time.monotonic() - started < 1.0
    assert (response.status_code, response.json()["status"], asked) == (202, "received", [])
    assert response.headers["Location"].endswith(f"/turns/{response.json()['id']}/")
    turn = Turn.objects.get()
    assert (turn.text, turn.attempts) == ("Is a rental car included?", 0)
    assert dead_broker.wait(20), "the nudge was tried"
    assert sweep(now=later(days=10_000)).retried == 1
    assert Turn.objects.get().status == "done"
    assert Message.objects.filter(sender="portal").count() == 1


def test_a_failed_nudge_is_logged_with_its_turn_and_without_the_brokers_password(dead_broker, caplog):
    caplog.set_level(logging.DEBUG)
    turn_id = uuid.uuid4()
    tasks.nudge(answer_turn, turn_id)
    assert dead_broker.wait(20)
    found = []
    end = time.monotonic() + 5
    while not found and time.monotonic() < end:
        found = [record for record in caplog.records if record.name == "claims.tasks"]
        threading.Event().wait(0.01)
    assert str(turn_id) in found[0].getMessage() and "left to the sweep" in found[0].getMessage()
    assert found[0].levelno == logging.WARNING
    assert SECRET not in caplog.text


def test_F9_a_full_queue_drops_the_nudge_and_never_the_message(asked, settings, monkeypatch, caplog):
    full = queue.Queue(maxsize=1)
    full.put(uuid.uuid4())
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(tasks, "_unpublished", full)
    monkeypatch.setattr(tasks, "_publisher", threading.current_thread())
    response = say(opened(APIClient()))
    assert response.status_code == 202
    assert Turn.objects.get().status == "received"
    [record] = [record for record in caplog.records if record.name == "claims.tasks"]
    assert response.json()["id"] in record.getMessage()
    assert full.qsize() == 1


def test_F15_a_task_takes_what_a_newer_web_process_may_add_to_its_message(asked, kept_connection):
    turn = customer_writes(make_claim(), "Hello there").turn
    answer_turn(str(turn.pk), priority="high", added="later")
    assert Turn.objects.get(pk=turn.pk).status == "done"


def test_a_task_for_a_turn_that_is_not_there_or_done_does_nothing(asked, kept_connection):
    turn = customer_writes(make_claim(), "Hello there").turn
    for turn_id in (uuid.uuid4(), turn.pk, turn.pk):
        answer_turn(str(turn_id))
    assert asked == ["plan"]


def test_a_task_is_acknowledged_after_its_work_and_given_back_when_its_worker_is_lost():
    assert (answer_turn.acks_late, answer_turn.reject_on_worker_lost, answer_turn.ignore_result) == (True, True, True)
    assert answer_turn.name == "claims.answer_turn", "older workers know it by this name"
