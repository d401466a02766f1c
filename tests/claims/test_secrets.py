"""G5 and A12 of the fault plan: what is secret, and what somebody else told us, stands in no reply, log or error page.

The whole log is kept, at the level of debugging, as it comes from the loggers that the settings configure.
"""

import logging

import pytest
from rest_framework.test import APIClient

from claims import conversation
from tests.builders_claims import RENTAL, lookup, open_claim, plain, plan
from tests.fakellm import Step, failure, prose

pytestmark = pytest.mark.usefixtures("portal")

MODEL_KEY = "sk-canary-model-key-4f1c"
DJANGO_KEY = "canary-django-key-" + "q" * 40
TOLD = ("canary-teapot-lane", "canary-red-scooter")
STAFF_PASSWORD = "canary-password-9"
ECHO = b'{"error": {"message": "Incorrect API key provided: %s", "code": "invalid_api_key"}}' % MODEL_KEY.encode()


@pytest.fixture
def secret(settings, monkeypatch, model):
    settings.SECRET_KEY = DJANGO_KEY
    settings.DEBUG = False

    def use(script):
        fake = model(script)
        monkeypatch.setenv("PORTAL_MODEL_API_KEY", MODEL_KEY)
        return fake

    return use


@pytest.fixture
def log(caplog):
    """Everything that any logger says, tracebacks with it, as text."""
    caplog.set_level(logging.DEBUG)
    formatter = logging.Formatter("%(name)s %(message)s")
    return lambda: "\n".join(formatter.format(record) for record in caplog.records)


def strangers_view(reference, turn):
    """What somebody without this claim's token gets for every address of it, and for addresses that are not there."""
    other = open_claim("NW-MTR-204519")
    paths = (f"claims/{reference}/", f"claims/{reference}/turns/{turn}/", f"turns/{turn}/record/", "claims/CL-NONE/")
    answers = [other.client.get(f"/api/{path}") for path in paths]
    answers += [APIClient().get(f"/api/{path}") for path in paths]
    answers.append(APIClient().post("/admin/login/", {"username": "aroha", "password": STAFF_PASSWORD}))
    answers.append(APIClient().get(f"/claims/{reference}/"))
    assert all(answer.status_code in {200, 302, 401, 403, 404} for answer in answers)
    assert {answer.status_code for answer in answers} & {401, 404} == {401, 404}
    return "\n".join(answer.content.decode() for answer in answers)


def test_G5_A12_no_canary_stands_in_a_log_or_in_what_another_gets(secret, log):
    refused = Step(status=401, raw=ECHO)
    script = [plan(place=TOLD[0]), *lookup(RENTAL, segments=[plain(1)])[1:], refused, failure(500), failure(500)]
    fake = secret([*script, prose(f"{TOLD[1]} {MODEL_KEY}"), prose("again"), plan("other")])
    talk = open_claim()
    turns = [talk.say(f"I was at {TOLD[0]}. Is a rental car included?")]
    turns += [talk.say(f"My {TOLD[1]} was hit, number {number}") for number in range(4)]
    assert [turn["outcome"] for turn in turns] == ["answered", "failed", "failed", "failed", "other"]
    assert f"Bearer {MODEL_KEY}" in fake.headers[0].values(), "the key is in use"
    seen = strangers_view(talk.reference, turns[0]["id"])

    for canary in (MODEL_KEY, DJANGO_KEY, talk.token, STAFF_PASSWORD, *TOLD):
        assert canary not in log()
        assert canary not in seen
    for turn in turns:
        assert MODEL_KEY not in str(turn)
        assert DJANGO_KEY not in str(turn)
        assert TOLD[1] not in turn["reply"]["text"], "nothing of a model's own words"


def test_A12_control_with_litellm_at_the_same_level_as_the_rest_the_log_tells_what_was_asked(secret, log, caplog):
    caplog.set_level(logging.DEBUG, logger="LiteLLM")
    secret([plan("other")])
    open_claim().say(f"I was at {TOLD[0]}.")
    assert TOLD[0] in log()


def test_A12_an_error_of_ours_tells_nothing_of_the_message_or_the_keys(secret, log, monkeypatch):
    secret([])
    talk = open_claim()

    def breaks(*args, **given):
        raise RuntimeError("something broke")

    monkeypatch.setattr(conversation, "receive_message", breaks)
    client = talk.client
    client.raise_request_exception = False
    response = client.post(f"/api/claims/{talk.reference}/messages/", {"text": f"At {TOLD[0]}"})
    assert response.status_code == 500
    assert response.json()["title"]
    for canary in (MODEL_KEY, DJANGO_KEY, talk.token, TOLD[0]):
        assert canary not in response.content.decode()
        assert canary not in log()
