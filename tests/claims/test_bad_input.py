"""Whatever is sent, the answer is problem+json with a sentence that helps; nothing is stored, nothing of ours leaks."""

import json

import pytest
from django.db import InterfaceError, OperationalError
from rest_framework.test import APIClient

from claims.demo_policies import seed_policies
from claims.models import Claim, Fact, Message, Turn, WaitingItem
from knowledge.audit import AuditEntry
from tests.builders_api import LISTED, address, holder, opened, play, problem_of, staff

pytestmark = pytest.mark.django_db

JSON = "application/json"
LEAKS = (
    "Traceback",
    "site-packages",
    "/work",
    ".py",
    "ErrorDetail",
    "django",
    "Django",
    "rest_framework",
    "SELECT",
    "sys.",
)


@pytest.fixture(autouse=True)
def demo(settings, monkeypatch):
    settings.DEBUG = True
    seed_policies()
    play(monkeypatch)


@pytest.fixture
def claim():
    return opened(APIClient())


def rows():
    tables = (Claim, Fact, Message, Turn, WaitingItem, AuditEntry)
    return [table.objects.count() for table in tables]


def refused(response, status, before, *says):
    """The problem, which says these words, leaks nothing and stored nothing."""
    body = problem_of(response, status)
    text = response.content.decode()
    for word in says:
        assert word.lower() in body["detail"].lower(), body["detail"]
    assert not [leak for leak in LEAKS if leak in text], text
    assert rows() == before
    return body


def send(claim, raw, content_type=JSON, **headers):
    raw = raw if isinstance(raw, bytes) else raw.encode()
    return holder(claim).generic("POST", address(claim, "messages/"), raw, content_type, **headers)


TEXTS = {
    "empty": ('{"text": ""}', ["empty", "write"]),
    "blank": ('{"text": " \\n\\t\\u00a0 "}', ["empty", "write"]),
    "nothing that can be seen": ('{"text": "\\u200b\\u200d\\u2060 \\u202e"}', ["empty", "write"]),
    "4,001 characters": ('{"text": "' + "a" * 4001 + '"}', ["4,001", "4,000", "shorten"]),
    "a NUL": ('{"text": "Hello\\u0000there"}', ["null characters"]),
    "half a character": ('{"text": "Hello \\ud800 there"}', ["surrogate"]),
    "no text": ("{}", ["text", "required"]),
    "another field only": ('{"message": "Hello"}', ["text", "required"]),
    "null text": ('{"text": null}', ["text", "null"]),
    "a list": ('{"text": ["Hello"]}', ["text", "string"]),
    "an object": ('{"text": {"a": 1}}', ["text", "string"]),
    "a boolean": ('{"text": true}', ["text", "string"]),
}


@pytest.mark.parametrize(("raw", "says"), TEXTS.values(), ids=TEXTS)
def test_a_text_that_cannot_be_taken_is_400_and_says_what_to_do(claim, raw, says):
    before = rows()
    body = refused(send(claim, raw), 400, before, *says)
    assert list(body["errors"]) == ["text"]


@pytest.mark.parametrize("text", ["a", "a" * 4000, "ā" * 4000, "😀" * 4000, "  kia ora  \n"])
def test_a_text_of_1_to_4000_characters_is_taken_as_it_is(claim, text):
    response = holder(claim).post(address(claim, "messages/"), {"text": text})
    assert (response.status_code, response.json()["message"]) == (201, text)
    assert Turn.objects.get().text == text


BODIES = {
    "nothing": b"",
    "cut": b'{"text": "Hello',
    "not JSON": b"text=Hello",
    "bytes that are no text": b'{"text": "\xff\xfe"}',
    "NaN": b'{"text": NaN}',
    "Infinity": b'{"text": "Hello", "more": -Infinity}',
    "an endless number": b'{"text": ' + b"9" * 5000 + b"}",
    "a well": b"[" * 100_000,
    "a well of objects": b'{"a":' * 50_000,
    "an array": b'["Hello"]',
    "a number": b"7",
    "a string": b'"Hello"',
    "null": b"null",
    "true": b"true",
}


@pytest.mark.parametrize("raw", BODIES.values(), ids=BODIES)
def test_a_body_that_is_no_JSON_object_is_400_and_says_so(claim, raw):
    before = rows()
    body = refused(send(claim, raw), 400, before)
    assert "non_field_errors" not in str(body)


@pytest.mark.parametrize("raw", [b'["x"]', b"null", b"7"])
@pytest.mark.parametrize(
    ("method", "rest"), [("POST", "/api/claims/"), ("POST", "/api/tokens/"), ("PUT", "facts/place/")]
)
def test_every_call_with_a_body_wants_an_object(claim, method, rest, raw):
    before = rows()
    client, link = (holder(claim), address(claim, rest)) if "/api/" not in rest else (APIClient(), rest)
    refused(client.generic(method, link, raw, JSON), 400, before, "JSON object")


def test_a_body_that_is_too_large_is_413_before_it_is_read(claim):
    before = rows()
    raw = b'{"text": "Hello", "more": "' + b"x" * 300_000 + b'"}'
    refused(send(claim, raw), 413, before, "256")


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x"]
)
def test_another_media_type_is_415_and_names_the_one_that_is_taken(claim, content_type):
    before = rows()
    refused(send(claim, '{"text": "Hello"}', content_type), 415, before, "application/json")


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/png"])
def test_another_accept_is_406_and_names_what_is_sent(claim, accept):
    before = rows()
    refused(send(claim, '{"text": "Hello"}', HTTP_ACCEPT=accept), 406, before, "application/json")


@pytest.mark.parametrize("accept", [JSON, "*/*", "application/*", f"{JSON}, application/problem+json"])
def test_the_usual_accepts_are_taken(claim, accept):
    assert send(claim, '{"text": "Hello"}', HTTP_ACCEPT=accept).status_code == 201


OPENINGS = {
    "no number": ({}, "policy_number", "required"),
    "null": ({"policy_number": None}, "policy_number", "null"),
    "empty": ({"policy_number": ""}, "policy_number", "like NW-MTR-204518"),
    "blank": ({"policy_number": " \u200b "}, "policy_number", "like NW-MTR-204518"),
    "a list": ({"policy_number": [LISTED]}, "policy_number", "string"),
    "too long": ({"policy_number": "9" * 41}, "policy_number", "like NW-MTR-204518"),
    "far too long": ({"policy_number": "9" * 5000}, "policy_number", "200"),
    "longer in capitals": ({"policy_number": "ß" * 40}, "policy_number", "like NW-MTR-204518"),
    "a NUL": ({"policy_number": "NW\x00"}, "policy_number", "null characters"),
    "half a character": ({"policy_number": "NW\ud800"}, "policy_number", "surrogate"),
    "another family": ({"policy_number": LISTED, "family": "boat"}, "family", "motor, home or contents"),
    "a family that is no text": ({"policy_number": LISTED, "family": {}}, "family", "string"),
    "no such day": ({"policy_number": LISTED, "loss_date": "2024-02-30"}, "loss_date", "date up to today"),
    "no date": ({"policy_number": LISTED, "loss_date": "last Tuesday-ish"}, "loss_date", "date up to today"),
    "tomorrow's": ({"policy_number": LISTED, "loss_date": "2999-01-01"}, "loss_date", "date up to today"),
    "a number": ({"policy_number": LISTED, "loss_date": 20240101}, "loss_date", "date up to today"),
    "a long postcode": ({"policy_number": LISTED, "postcode": "6" * 21}, "postcode", "20"),
    "another purpose": ({"policy_number": LISTED, "purpose": "fun"}, "purpose", "choice"),
    "half a purpose": ({"policy_number": LISTED, "purpose": "\ud800"}, "purpose", "choice"),
    "a purpose that is no text": ({"policy_number": LISTED, "purpose": {"a": [1]}}, "purpose", "choice"),
}


@pytest.mark.parametrize(("given", "field", "says"), OPENINGS.values(), ids=OPENINGS)
def test_a_claim_is_opened_with_good_values_or_not_at_all(given, field, says):
    before = rows()
    raw = json.dumps(given).encode()
    body = refused(APIClient().generic("POST", "/api/claims/", raw, JSON), 400, before, field, says)
    assert list(body["errors"]) == [field]


FACTS = {
    "no such field": ("colour", {"value": "blue"}, "family, loss_date, place"),
    "empty": ("place", {"value": ""}, "1 to 500"),
    "blank": ("place", {"value": " \u200b"}, "1 to 500"),
    "too long": ("place", {"value": "x" * 501}, "1 to 500"),
    "far too long": ("place", {"value": "x" * 4001}, "4000"),
    "a NUL": ("place", {"value": "\x00"}, "null characters"),
    "no value": ("place", {}, "required"),
    "a list": ("place", {"value": ["Ōtara"]}, "string"),
    "another family": ("family", {"value": "boat"}, "motor, home or contents"),
    "a coming day": ("loss_date", {"value": "2999-12-31"}, "date up to today"),
}


@pytest.mark.parametrize(("field", "given", "says"), FACTS.values(), ids=FACTS)
def test_a_fact_is_set_to_a_good_value_or_stays_as_it_was(claim, field, given, says):
    before = rows()
    refused(holder(claim).put(address(claim, f"facts/{field}/"), given), 400, before, says)


@pytest.mark.parametrize(
    "given", [{}, {"useful": None}, {"useful": "perhaps"}, {"useful": [1]}, {"useful": True, "reason": {}}]
)
def test_feedback_says_useful_or_not(claim, given):
    turn = send(claim, '{"text": "Hello"}').json()
    before = rows()
    refused(holder(claim).post(address(claim, f"turns/{turn['id']}/feedback/"), given), 400, before)
    assert Turn.objects.get().useful is None


@pytest.mark.parametrize(
    "turn", ["1", "x" * 36, "00000000-0000-4000-8000-00000000000G", "%00", "..%2f", "{}", "٣" * 32]
)
def test_an_id_that_is_none_is_not_found(claim, turn):
    before = rows()
    refused(holder(claim).get(address(claim, f"turns/{turn}/")), 404, before)


@pytest.mark.parametrize("reference", ["CL-", "%00", "CL-%00", "%F0%9F%98%80", "x" * 3000, "' OR 1=1 --", "%ED%A0%80"])
def test_a_reference_that_is_none_is_not_found(claim, reference):
    before = rows()
    refused(holder(claim).get(f"/api/claims/{reference}/"), 404, before)
    refused(staff("reviewer").get(f"/api/waiting-list/{reference}/"), 404, before)


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer a b", "Bearer \xe9\xff", "Basic eDp5", "Token \xe9\xff", "Token a b", "\xff", " "]
)
def test_credentials_that_are_none_are_401(claim, header):
    before = rows()
    for link in (address(claim), "/api/waiting-list/"):
        response = APIClient().get(link, HTTP_AUTHORIZATION=header)
        refused(response, 401, before)
        assert response.headers["WWW-Authenticate"]


@pytest.mark.parametrize("header", ["Token", "Token a b", "Token \xe9\xff", "Token \x00", "Token " + "x" * 5000])
def test_a_bad_staff_token_is_401_where_none_is_needed_too(header):
    before = rows()
    refused(APIClient().post("/api/claims/", {"policy_number": LISTED}, HTTP_AUTHORIZATION=header), 401, before)
    refused(APIClient().delete("/api/tokens/", HTTP_AUTHORIZATION=header), 401, before)


@pytest.mark.parametrize("key", ["", "k" * 256, "k\x00", "\t"])
def test_a_key_that_cannot_be_kept_is_400_and_says_what_a_key_is(claim, key):
    before = rows()
    body = refused(send(claim, '{"text": "Hello"}', HTTP_IDEMPOTENCY_KEY=key), 400, before, "1 to 255")
    assert list(body["errors"]) == ["Idempotency-Key"]


def test_a_key_of_255_characters_is_taken(claim):
    assert send(claim, '{"text": "Hello"}', HTTP_IDEMPOTENCY_KEY="k" * 255).status_code == 201


CURSORS = ["x", "\xe9", "cD1hYmM=", "cD0lMDA=", "bz0tMQ==", "cD05OTk5OTk5OTk5OTk5OTk5OTk5OTk5OQ==", "%00", ""]


@pytest.mark.parametrize("cursor", CURSORS)
def test_a_cursor_that_is_none_is_refused_or_the_first_page(claim, cursor):
    for client, link in ((holder(claim), address(claim, "messages/")), (staff("reviewer"), "/api/waiting-list/")):
        response = client.get(link, {"cursor": cursor})
        if response.status_code != 200:
            refused(response, 400, rows(), "cursor")


def test_a_list_inside_a_list_of_errors_is_told_in_plain_words(claim):
    item = holder(claim).post(address(claim, "person/"), {}).json()
    given = {"text": "Hello", "clause_ids": [{"a": 1}, "MTR-COV-01"], "seen_seq": 99}
    before = rows()
    body = refused(staff("reviewer").post(f"/api/waiting-list/{item['reference']}/answer/", given), 400, before)
    assert body["errors"] == {"clause_ids": ["Not a valid string."]}


@pytest.mark.parametrize(
    "link", ["/api/", "/api/nonsense/", "/api/claims", "/api/claims/x/y/", "/api/%00", "/api/%ff/"]
)
@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete", "options"])
def test_an_unknown_address_is_404_whatever_the_method(link, method):
    client = APIClient(enforce_csrf_checks=True)
    refused(getattr(client, method)(link), 404, rows(), "/api/docs/")


@pytest.mark.parametrize("fault", [OperationalError, InterfaceError])
@pytest.mark.parametrize("debug", [True, False])
def test_a_database_that_is_gone_is_503_with_a_time_to_come_back(settings, monkeypatch, claim, fault, debug):
    settings.DEBUG = debug

    def gone(*args, **kwargs):
        raise fault('connection to server at "10.1.2.3", port 5432 failed: FATAL')

    client, login = holder(claim), staff("reviewer")
    before = rows()
    with monkeypatch.context() as patch:
        patch.setattr("django.db.models.sql.compiler.SQLCompiler.execute_sql", gone)
        answers = [
            client.get(address(claim)),
            client.post(address(claim, "messages/"), {"text": "Hello"}),
            client.post(address(claim, "person/"), {}),
            APIClient().post("/api/claims/", {"policy_number": LISTED}),
            login.get("/api/waiting-list/"),
            APIClient().post("/api/tokens/", {"username": "a", "password": "b"}),
        ]
    for response in answers:
        refused(response, 503, before, "try again")
        assert response.headers["Retry-After"] == "5"
        assert "10.1.2.3" not in response.content.decode()


@pytest.mark.parametrize("debug", [True, False])
def test_a_fault_of_ours_is_500_without_a_trace_of_it(settings, monkeypatch, claim, debug):
    settings.DEBUG = debug
    monkeypatch.setattr("claims.api.claimant.claim_view", lambda *args: 1 / 0)
    client = holder(claim, raise_request_exception=False)
    refused(client.get(address(claim)), 500, rows(), "our fault")
