"""No wording to be read: said as it is, the schedule still told, facts kept, the question queued, nothing cited."""

import contextlib
from dataclasses import replace
from datetime import date

import pytest
from django.db import connection

from claims.models import Citation
from knowledge.clause_text import read_document
from knowledge.models import DirectoryEntry, Release
from knowledge.releases import withdraw
from knowledge.seeding import CONTENT
from tests.bench import object_store
from tests.bench.processes import NotHere
from tests.builders_claims import (
    CONTENTS,
    HOME,
    RENTAL,
    cited,
    kinds,
    lookup,
    open_claim,
    plain,
    plan,
    resolve,
    shown,
    tool_of,
)
from tests.builders_knowledge import approved, make_user

pytestmark = pytest.mark.usefixtures("portal")

ASKED = "Will my policy pay for a rental car while mine is being repaired?"
DOWN = (
    "I can't look up the policy wording right now, so I won't guess what it says. What you have told us so far is kept."
)
NO_RELEASE = (
    "There is no approved policy wording that I can read for this kind of policy at the moment, so I won't guess what "
    "it says. What you have told us so far is kept."
)
BEFORE_FIRST = (
    "The date of loss is before the first policy wording that I can read, so I can't say what applied then. "
    "What you have told us so far is kept."
)
STILL_LISTED = (
    "Your schedule can still be read. It lists: comprehensive cover, agreed value, alternative transport, excess-free "
    "glass, roadside assistance."
)


def in_force() -> Release:
    return Release.objects.approved().get()


def assert_unavailable(turn, sentence):
    """M29: unavailable with its limits, the schedule, nothing cited, queued; and not a word of any clause."""
    assert turn["outcome"] == "unavailable"
    assert shown(turn)[0] == ("form", sentence)
    assert kinds(turn)[-1] == "escalate"
    assert turn["waiting_item"]["reason"] == "unavailable"
    assert cited(turn) == []
    assert {"quote", "plain"}.isdisjoint(kinds(turn))
    assert not Citation.objects.filter(turn=turn["id"]).exists()
    assert "MTR-" not in turn["reply"]["text"]


def goes_away_and_returns(model, record, stop, start):
    """One conversation: cited, the store gone, the store back, cited again."""
    told = [plan(place="Levin"), resolve(RENTAL)]
    answered = lookup(RENTAL, segments=[plain(1)])
    fake = model([*answered, *told, *answered])
    talk = open_claim(loss_date="2026-03-02")
    before = talk.say(ASKED)
    assert (before["outcome"], cited(before)) == ("answered", [RENTAL])

    stop()
    turn = talk.say("I was in Levin. Does it include fuel?")
    assert_unavailable(turn, DOWN)
    assert shown(turn)[1] == ("schedule", STILL_LISTED), "the schedule is still returned"
    assert talk.facts()["loss_date"] == ("2026-03-02", True), "confirmed facts are kept"
    assert talk.facts()["place"] == ("Levin", False), "and what this message told is noted"
    assert kinds(turn) == ["form", "schedule", "noted", "form", "escalate"]
    found = record(turn)
    assert (found["guidance_status"], found["returned"], found["cited"]) == ("unavailable", [], [])
    assert found["schedule"]["state"] == "found"
    assert [tool_of(body) for body in fake.requests[3:]] == ["plan", "context_resolve"], "there is no third step"

    start()
    after = talk.say("And now, does it include fuel?")
    assert (after["outcome"], cited(after)) == ("answered", [RENTAL])
    assert talk.get(f"turns/{before['id']}/") == before, "an old turn reads the same"


def test_M29_the_store_folder_goes_in_mid_conversation_and_returns(model, record, store):
    away = store.with_name("away")
    goes_away_and_returns(model, record, lambda: store.rename(away), lambda: away.rename(store))


@pytest.mark.objects
def test_M29_a_real_object_store_stops_in_mid_conversation_and_returns(
    model, record, missing, store, settings, monkeypatch, tmp_path
):
    ports = object_store.ports_needed()
    (tmp_path / "weed").mkdir()
    with contextlib.ExitStack() as run:

        def start(holds: tuple[str, str] | None = None) -> object_store.S3Server:
            return run.enter_context(object_store.running(tmp_path / "weed", ports, holds=holds))

        try:
            server = start()
        except NotHere as reason:
            missing(reason)
        for name, value in server.credentials.items():
            monkeypatch.setenv(name, value)
        client = server.client()
        client.create_bucket(Bucket="wording")
        document = in_force().document_key
        client.put_object(Bucket="wording", Key=document, Body=(store / document).read_bytes())
        client.close()
        settings.S3_ENDPOINT_URL, settings.S3_BUCKET = server.endpoint, "wording"
        goes_away_and_returns(model, record, stop=run.close, start=lambda: start(("wording", document)))


def test_M29_the_store_is_up_and_the_object_is_not_there(model, store):
    (store / in_force().document_key).unlink()
    model([plan(), resolve(RENTAL)])
    assert_unavailable(open_claim().say(ASKED), DOWN)


@pytest.mark.parametrize("at", ["first", "last", "in the clause"])
def test_a_text_that_does_not_match_is_not_shown(model, store, at):
    """One byte of the stored document changed."""
    path = store / in_force().document_key
    data = bytearray(path.read_bytes())
    place = {"first": 0, "last": len(data) - 2, "in the clause": data.index(b"NZD 60 a day") + 4}[at]
    data[place] ^= 1
    path.chmod(0o644)
    path.write_bytes(bytes(data))
    model([plan(), resolve(RENTAL)])
    assert_unavailable(open_claim().say(ASKED), DOWN)


@pytest.mark.parametrize("column", ["sha256", "start", "end", "document_sha256"])
def test_rows_that_do_not_match_the_text_show_nothing(model, column):
    entry = DirectoryEntry.objects.get(release=in_force(), clause__clause_id=RENTAL)
    if column == "document_sha256":
        Release.objects.filter(pk=entry.release_id).update(document_sha256="0" * 64)
    elif column == "sha256":
        DirectoryEntry.objects.filter(pk=entry.pk).update(sha256="0" * 64)
    else:
        DirectoryEntry.objects.filter(pk=entry.pk).update(**{column: getattr(entry, column) + 3})
    model([plan(), resolve(RENTAL)])
    assert_unavailable(open_claim().say(ASKED), DOWN)


@pytest.mark.parametrize("policy_number", [HOME, CONTENTS])
def test_M30_a_family_without_an_approved_release(model, record, policy_number):
    fake = model([plan()])
    turn = open_claim(policy_number).say("Does my policy include a burst pipe?")
    assert_unavailable(turn, NO_RELEASE)
    assert kinds(turn)[1] == "schedule"
    assert [tool_of(body) for body in fake.requests] == ["plan"], "without a release there is nothing to choose from"
    found = record(turn)
    assert (found["directory"], found["requested"], found["release"]) == (None, None, None)


def test_M30_a_release_withdrawn_in_mid_conversation_is_not_read_any_more(model):
    model([*lookup(RENTAL, segments=[plain(1)]), plan()])
    talk = open_claim()
    assert cited(talk.say(ASKED)) == [RENTAL]
    withdraw(in_force().pk, by=make_user("approver"), reason="a test")
    assert_unavailable(talk.say(f"Once more: {ASKED}"), NO_RELEASE)


def test_R4_a_day_of_loss_before_the_first_release(model):
    model([plan()])
    talk = open_claim(loss_date="2020-01-01")
    assert talk.opened["wording"] is None
    assert_unavailable(talk.say(ASKED), BEFORE_FIRST)


def test_R4_a_day_of_loss_in_the_time_of_a_withdrawn_release(model):
    """Withdrawn is never used again for any day, so for its days there is no wording."""
    old = Release.objects.get(state=Release.State.WITHDRAWN)
    assert old.effective_from < in_force().effective_from
    model([plan()])
    talk = open_claim(loss_date=old.effective_from.replace(day=28).isoformat())
    turn = talk.say(ASKED)
    assert_unavailable(turn, BEFORE_FIRST)
    assert old.version not in str(turn)


def test_R4_the_first_day_of_a_release_is_its_own(model, record):
    model(lookup(RENTAL, segments=[plain(1)]))
    release = in_force()
    talk = open_claim(loss_date=release.effective_from.isoformat())
    assert talk.opened["wording"]["version"] == release.version
    assert record(talk.say(ASKED))["release"]["version"] == release.version


def test_R4_an_unconfirmed_day_of_loss_does_not_choose_the_wording(model):
    model([plan("report", loss_date="1/1/2020"), *lookup(RENTAL, segments=[plain(1)]), plan()])
    talk = open_claim()
    talk.say("It was on 1/1/2020")
    assert talk.say(ASKED)["outcome"] == "answered"
    talk.set("loss_date", "1/1/2020")
    assert_unavailable(talk.say(f"Again: {ASKED}"), BEFORE_FIRST)


def two_approved_on_one_day() -> None:
    """What the database refuses, laid all the same: as after a repair by hand that went wrong."""
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX release_one_approved_a_day")
    old = Release.objects.get(state=Release.State.WITHDRAWN)
    Release.objects.filter(pk=old.pk).update(state=Release.State.APPROVED, effective_from=in_force().effective_from)


def test_M32_two_approved_releases_of_one_day_by_corrupted_rows(model, record):
    model([plan()])
    talk = open_claim()
    two_approved_on_one_day()
    assert talk.get()["wording"] is None
    turn = talk.say(ASKED)
    assert_unavailable(turn, NO_RELEASE)
    assert record(turn)["release"] is None, "never the newest"


def test_M34_customers_and_staff_read_by_the_same_function(model, staff, monkeypatch):
    """Both change together: with the release gone neither can name a clause, and both asked one function."""
    from knowledge import lookup as knowledge_lookup

    asked = []
    real = knowledge_lookup.in_force

    def spy(*arguments):
        asked.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(knowledge_lookup, "in_force", spy)
    model([*lookup(RENTAL, segments=[plain(1)]), plan("person"), plan()])
    talk = open_claim()
    version = talk.say(ASKED)["citations"][0]["version"]
    item = talk.say("A person please")["waiting_item"]["reference"]
    asked.clear()

    def answer_with_clause():
        seen = staff.get(f"/api/waiting-list/{item}/").json()["last_seq"]
        body = {"text": "Please see this clause.", "clause_ids": [RENTAL], "seen_seq": seen}
        return staff.post(f"/api/waiting-list/{item}/answer/", body)

    withdraw(in_force().pk, by=make_user("approver"), reason="a test")
    assert_unavailable(talk.say(f"Once more: {ASKED}"), NO_RELEASE)
    refused = answer_with_clause()
    assert refused.status_code == 400, refused.content
    assert len(asked) == 2
    assert asked[0] == asked[1]

    Release.objects.filter(version=version).update(state=Release.State.APPROVED)
    assert answer_with_clause().status_code == 200
    assert f"({version})" in talk.messages()[-1]["text"]


def test_M36_a_new_release_is_read_from_the_next_turn_on(model, store):
    """The newer of two approved releases that have begun is read, for its own days only."""
    model(
        [
            *lookup(RENTAL, segments=[plain(1)]),
            *lookup(RENTAL, segments=[plain(1)]),
            *lookup(RENTAL, segments=[plain(1)]),
        ]
    )
    talk = open_claim()
    before = talk.say(ASKED)["citations"][0]["version"]
    document = read_document((CONTENT / before / "motor.md").read_text(encoding="utf-8"))
    approved(replace(document, version="2026.9", effective_from=date(2026, 3, 1), withdraws=()))
    assert talk.say(f"Now: {ASKED}")["citations"][0]["version"] == "2026.9"
    talk.set("loss_date", "2026-02-28")
    assert talk.say(f"Then: {ASKED}")["citations"][0]["version"] == before
