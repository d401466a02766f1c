"""The waiting list's acts: the transition table, one owner at a time, and what the customer gets to see of them."""

import threading
from datetime import timedelta

import pytest

from claims import conversation, waiting_list
from claims.agent.vocabulary import Reason
from claims.answering import answer_message
from claims.claim_state import claim_view
from claims.conversation import receive_message
from claims.models import Claim, Message, Turn, WaitingItem
from claims.turn_records import messages_of, turn_view
from claims.waiting_list import CannotDo, list_items, overdue_by, position_of
from knowledge.audit import AuditEntry
from tests.builders import NOW, customer_writes, item_in, later, make_claim, make_item, make_staff
from tests.builders_api import in_own_connection, play

pytestmark = pytest.mark.django_db

ACTS = {
    "take": lambda reference, by: waiting_list.take(reference=reference, by=by),
    "release": lambda reference, by: waiting_list.release(reference=reference, by=by),
    "answer": lambda reference, by: waiting_list.answer(
        reference=reference, by=by, text="Yes, see your schedule.", seen_seq=1, now=later(hours=1)
    ),
    "close": lambda reference, by: waiting_list.close(
        reference=reference, by=by, reason="Asked twice.", now=later(hours=1)
    ),
}
ENDS = {
    ("take", "open"): "taken",
    ("release", "taken"): "open",
    ("answer", "open"): "answered",
    ("answer", "taken"): "answered",
    ("close", "open"): "closed",
    ("close", "taken"): "closed",
}
STATES = ("open", "taken", "answered", "closed")


def row(item):
    return WaitingItem.objects.values("status", "owner_id", "closed_reason", "done_at", "note").get(pk=item.pk)


def acts_on(subject):
    return list(AuditEntry.objects.filter(subject=subject).order_by("id").values_list("act", "by_name"))


@pytest.fixture
def mere(db):
    return make_staff("mere", "reviewer")


@pytest.fixture
def tama(db):
    return make_staff("tama", "reviewer")


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("act", ACTS)
def test_each_act_starts_only_from_its_states_and_changes_nothing_from_the_others(act, state, mere):
    item = item_in(state, owner=mere)
    before, entries, said = row(item), AuditEntry.objects.count(), Message.objects.count()
    end = ENDS.get((act, state))
    if end is None:
        with pytest.raises(CannotDo):
            ACTS[act](item.reference, mere)
        assert (row(item), AuditEntry.objects.count(), Message.objects.count()) == (before, entries, said)
    else:
        assert ACTS[act](item.reference, mere).status == row(item)["status"] == end
        assert acts_on(item.reference)[-1] == (f"waiting_item.{act}", "mere")


@pytest.mark.parametrize("act", ["take", "release", "answer", "close"])
def test_nobody_acts_on_an_item_that_somebody_else_has_and_is_told_who(act, mere, tama):
    item = item_in("taken", owner=mere)
    before = row(item)
    with pytest.raises(CannotDo, match="Mere Tester has taken this item"):
        ACTS[act](item.reference, tama)
    assert row(item) == before
    assert len(messages_of(item.claim)) == 1


@pytest.mark.parametrize(
    ("state", "said"), [("answered", "Mere Tester has answered"), ("closed", "Mere Tester has cl")]
)
def test_the_second_person_is_told_who_ended_an_item(state, said, mere, tama):
    item = item_in(state, owner=mere)
    with pytest.raises(CannotDo, match=said):
        ACTS["answer"](item.reference, tama)
    with pytest.raises(CannotDo, match=f"You have {state}"):
        ACTS["close"](item.reference, mere)


def test_a_superuser_gives_back_the_item_of_somebody_who_is_away_but_does_not_answer_over_them(mere):
    boss = make_staff("boss", superuser=True)
    item = item_in("taken", owner=mere)
    with pytest.raises(CannotDo, match="Mere Tester"):
        ACTS["answer"](item.reference, boss)
    assert waiting_list.release(reference=item.reference, by=boss).owner is None


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_eight_people_take_one_item_at_the_same_moment_and_one_has_it():
    item = make_item()
    people = [make_staff(f"person{n}", "reviewer") for n in range(8)]
    start, got, told = threading.Barrier(8), [], []

    def take(person):
        start.wait()
        try:
            waiting_list.take(reference=item.reference, by=person)
            got.append(person)
        except CannotDo as refusal:
            told.append(str(refusal))

    threads = [threading.Thread(target=in_own_connection, args=(lambda p=person: take(p),)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    item.refresh_from_db()
    assert got == [item.owner]
    assert told == [f"{waiting_list.staff_name(item.owner)} has taken this item. Ask them to release it first."] * 7
    assert [act for act, _ in acts_on(item.reference)].count("waiting_item.take") == 1


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_an_answer_and_a_new_message_at_the_same_moment_never_pass_each_other():
    """Either the answer stands before the message in the conversation, or it was stopped: no third way."""
    mere = make_staff("mere", "reviewer")
    for _ in range(5):
        item = make_item(make_claim())
        start, stopped = threading.Barrier(2), []

        def send(item=item, start=start, stopped=stopped):
            start.wait()
            try:
                ACTS["answer"](item.reference, mere)
            except CannotDo:
                stopped.append(True)

        def write(item=item, start=start):
            start.wait()
            customer_writes(item.claim, "One thing more.", now=later(hours=1))

        threads = [threading.Thread(target=in_own_connection, args=(act,)) for act in (send, write)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        senders = [message.sender for message in messages_of(item.claim)]
        assert senders == (["customer"] * 2 if stopped else ["customer", "staff", "customer"])


def test_an_answer_stops_when_the_customer_wrote_after_what_was_read(mere):
    item = make_item()
    seen = item.claim.messages.count()
    customer_writes(item.claim, "Wait, I meant the other car.")
    before = row(item)
    with pytest.raises(CannotDo, match="wrote again"):
        waiting_list.answer(reference=item.reference, by=mere, text="Yes.", seen_seq=seen, now=later())
    assert row(item) == before
    assert [message.sender for message in messages_of(item.claim)] == ["customer", "customer"]
    # The control: who has read the new message may send.
    waiting_list.answer(reference=item.reference, by=mere, text="Yes.", seen_seq=seen + 1, now=later())
    assert row(item)["status"] == "answered"


def test_nobody_can_have_read_messages_that_are_not_there_yet(mere):
    item = make_item()
    with pytest.raises(CannotDo, match="no message 99"):
        waiting_list.answer(reference=item.reference, by=mere, text="Yes.", seen_seq=99, now=later())
    assert row(item)["status"] == "open"


def test_a_message_of_staff_since_then_does_not_stop_an_answer(mere):
    claim = make_claim()
    first, second = make_item(claim), make_item(claim)
    waiting_list.answer(reference=first.reference, by=mere, text="To the first.", seen_seq=2, now=later())
    waiting_list.answer(reference=second.reference, by=mere, text="To the second.", seen_seq=2, now=later())
    assert [m.text for m in messages_of(claim) if m.sender == "staff"] == ["To the first.", "To the second."]


def test_M5_the_answer_stands_in_the_conversation_under_a_persons_name(mere):
    item = make_item()
    waiting_list.answer(
        reference=item.reference, by=mere, text="We pay for towing.\nSee page 3.", seen_seq=1, now=later()
    )
    last = messages_of(item.claim)[-1]
    assert (last.sender, last.name, last.text) == ("staff", "Mere Tester", "We pay for towing.\nSee page 3.")
    assert (last.seq, last.at, last.turn) == (2, later(), None)
    assert row(item)["done_at"] == later()


def test_closing_keeps_the_reason_and_who_did_it_and_sends_nothing(mere):
    item = make_item()
    waiting_list.close(reference=item.reference, by=mere, reason="The customer rang us.", now=later())
    assert row(item) == {
        "status": "closed",
        "owner_id": mere.pk,
        "closed_reason": "The customer rang us.",
        "done_at": later(),
        "note": "",
    }
    assert len(messages_of(item.claim)) == 1


def test_notes_add_up_with_their_author_and_new_zealands_time(mere, tama):
    item = item_in("taken", owner=mere)
    waiting_list.note(reference=item.reference, by=mere, text="Called the garage.", now=NOW)
    waiting_list.note(reference=item.reference, by=tama, text="They will call back.", now=later())
    assert row(item)["note"] == (
        "Mere Tester, 3 June 2026, 13:00: Called the garage.\nTama Tester, 3 June 2026, 13:10: They will call back."
    )
    assert acts_on(item.reference)[-2:] == [("waiting_item.note", "mere"), ("waiting_item.note", "tama")]


def test_M4_a_recorded_decision_is_shown_with_its_day_and_name_and_told_on_a_status_question(mere, monkeypatch):
    item = make_item(reason=Reason.NEEDS_DECISION)
    waiting_list.record_decision(reference=item.reference, by=mere, text="Accepted, less the excess.", now=NOW)
    decision = claim_view(Claim.objects.get(pk=item.claim_id), NOW.date()).decision
    assert decision is not None
    assert (decision.text, decision.by, decision.decided_at) == ("Accepted, less the excess.", "Mere Tester", NOW)

    play(monkeypatch, plan={"kind": "status", "wants_decision": False, "facts": []})
    received = receive_message(claim_id=item.claim_id, text="How does my claim stand?", key=None, now=later())
    answer_message(received.turn_id)
    turn = turn_view(Turn.objects.get(pk=received.turn_id))
    assert turn.outcome == "told"
    assert turn.reply is not None
    assert "Mere Tester recorded this on 3 June 2026: “Accepted, less the excess.”" in turn.reply.text
    assert turn.waiting_item is None


def test_a_status_question_without_a_decision_makes_up_none_and_waits_for_staff(monkeypatch):
    claim = make_claim()
    play(monkeypatch, plan={"kind": "status", "wants_decision": False, "facts": []})
    received = receive_message(claim_id=claim.pk, text="How does my claim stand?", key=None, now=NOW)
    answer_message(received.turn_id)
    turn = turn_view(Turn.objects.get(pk=received.turn_id))
    assert turn.outcome == "not_found"
    assert turn.waiting_item is not None


def test_a_later_decision_takes_the_place_of_an_earlier_one_whose_words_the_audit_keeps(mere, tama):
    item = make_item()
    waiting_list.record_decision(reference=item.reference, by=mere, text="Accepted.", now=NOW)
    waiting_list.record_decision(reference=item.reference, by=tama, text="Accepted in part.", now=later())
    item.claim.refresh_from_db()
    assert (item.claim.decision_text, item.claim.decided_by) == ("Accepted in part.", "Tama Tester")
    kept = AuditEntry.objects.filter(act="claim.record_decision").order_by("id")
    assert [(entry.by_name, entry.detail["text"]) for entry in kept] == [
        ("mere", "Accepted."),
        ("tama", "Accepted in part."),
    ]


def test_recording_a_decision_ends_no_item_and_a_model_can_record_none(mere):
    item = make_item()
    waiting_list.record_decision(reference=item.reference, by=mere, text="Accepted.", now=NOW)
    assert row(item)["status"] == "open"
    assert not hasattr(conversation, "record_decision")


def test_the_views_hold_what_their_names_say(mere, tama):
    opened, mine, theirs = make_item(), item_in("taken", owner=mere), item_in("taken", owner=tama)
    late = make_item(now=NOW - timedelta(days=30))
    answered, closed = item_in("answered", owner=mere), item_in("closed", owner=tama)
    expected = {
        "": {opened, mine, theirs, late},
        "mine": {mine},
        "unowned": {opened, late},
        "overdue": {late},
        "done": {answered, closed},
    }
    for view, items in expected.items():
        assert set(list_items(view=view, user=mere, now=NOW)) == items, view
    assert list_items(view="", user=mere, now=NOW)[0] == late
    assert overdue_by(late, NOW) is not None
    assert overdue_by(opened, NOW) is None
    late.status = "closed"
    assert overdue_by(late, NOW) is None


def test_evaluation_runs_stand_in_no_list_and_in_nobodys_way(mere):
    practice = make_item(make_claim(purpose=Claim.Purpose.EVALUATION), now=NOW - timedelta(days=30))
    real = make_item(now=NOW)
    for view in ("", "mine", "unowned", "overdue", "done"):
        assert practice not in list_items(view=view, user=mere, now=NOW)
    assert position_of(real) == 1
    assert position_of(practice) == 1


def test_positions_count_from_one_in_the_order_of_asking_and_move_up(mere):
    items = [make_item(now=later(minutes=n)) for n in range(3)]
    assert [position_of(item) for item in items] == [1, 2, 3]
    waiting_list.close(reference=items[0].reference, by=mere, reason="Done.", now=later(hours=1))
    assert [position_of(item) for item in items[1:]] == [1, 2]


def test_an_item_that_waits_is_audited_from_its_first_moment(mere):
    item = make_item()
    ACTS["take"](item.reference, mere)
    ACTS["release"](item.reference, mere)
    ACTS["take"](item.reference, mere)
    ACTS["answer"](item.reference, mere)
    assert acts_on(item.reference) == [
        ("waiting_item.open", "(portal)"),
        ("waiting_item.take", "mere"),
        ("waiting_item.release", "mere"),
        ("waiting_item.take", "mere"),
        ("waiting_item.answer", "mere"),
    ]
