"""The waiting list in the administration: who gets in, what a case shows, and that nothing typed is ever lost."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from claims import waiting_list
from claims.agent import wording
from claims.agent.vocabulary import Reason
from claims.claim_opening import set_fact
from claims.models import Claim, Message, Turn, WaitingItem
from knowledge.audit import AuditEntry
from tests.builders import admin_client, customer_writes, item_in, make_claim, make_item, make_staff
from tests.builders_api import seed_wording

pytestmark = pytest.mark.django_db

LIST = "/admin/claims/waitingitem/"
HOSTILE = '<script>alert("x")</script>'
CANARY = "canary-8f3a"
ACTS = ("take", "release", "answer", "close", "note", "decision")


def page_of(item):
    return f"{LIST}{item.pk}/change/"


def post(client, item, act, **typed):
    """Press the button of one act; `seen_seq` is what the page held when it was opened."""
    typed.setdefault("seen_seq", Message.objects.filter(claim=item.claim).count())
    return client.post(f"{LIST}{item.pk}/{act}/", typed)


def words(response):
    return re.sub(r"\s+", " ", unescape(response.content.decode()))


def state(item):
    return WaitingItem.objects.values_list("status", "owner__username").get(pk=item.pk)


@pytest.fixture
def mere():
    return make_staff("mere", "reviewer")


@pytest.fixture
def client(mere):
    return admin_client(mere)


@pytest.fixture
def item():
    return make_item(now=timezone.now())


ROLES = {
    "reviewer": 200,
    "superuser": 200,
    "editor": 403,
    "approver": 403,
    "manager": 403,
    "adjuster": 403,
    "operator": 403,
}


@pytest.mark.parametrize("role", [*ROLES, "nobody"])
def test_only_reviewers_see_the_list_and_its_cases_and_act_on_them(role, item):
    status = ROLES.get(role, 403)
    roles = () if role in {"superuser", "nobody"} else (role,)
    client = admin_client(make_staff(f"some-{role}", *roles, superuser=role == "superuser"))
    assert client.get(LIST).status_code == status
    assert client.get(page_of(item)).status_code == status
    for act in ACTS:
        if status == 403:
            assert post(client, item, act, answer="x", reason="x", note="x", decision="x").status_code == 403
    assert post(client, item, "take").status_code == (302 if status == 200 else 403)
    assert state(item)[0] == ("taken" if status == 200 else "open")


def test_nobody_gets_in_without_a_login_or_with_a_login_that_is_not_staffs(item, mere):
    mere.is_staff = False
    mere.save()
    for client in (Client(), admin_client(mere)):
        for response in (client.get(LIST), client.get(page_of(item)), post(client, item, "take")):
            assert response.status_code == 302
            assert response["Location"].startswith("/admin/login/")
    assert state(item) == ("open", None)


def test_every_act_needs_the_pages_own_form(mere, item):
    client = Client(enforce_csrf_checks=True)
    client.force_login(mere)
    assert post(client, item, "take").status_code == 403
    assert state(item) == ("open", None)


def test_acts_are_posts_and_there_are_no_others(client, item):
    for act in ACTS:
        assert client.get(f"{LIST}{item.pk}/{act}/")["Location"] == page_of(item)
    assert state(item) == ("open", None)
    assert post(client, item, "delete").status_code == 404
    assert client.get(f"{LIST}add/").status_code == 404
    assert client.get(f"{LIST}00000000-0000-0000-0000-000000000000/change/").status_code == 404


def test_the_list_shows_what_waits_with_the_most_urgent_first_and_the_counts_of_every_view(client, mere):
    now = timezone.now()
    late = make_item(question="The late one", now=now - timedelta(days=40))
    taken = make_item(question="Mine to answer", now=now)
    waiting_list.take(reference=taken.reference, by=mere)
    closed = item_in("closed", owner=mere)
    make_item(make_claim(purpose=Claim.Purpose.EVALUATION), "An evaluation run", now=now)

    shown = words(client.get(LIST))
    assert shown.index(late.reference) < shown.index(taken.reference)
    assert closed.reference not in shown
    assert "An evaluation run" not in shown
    assert shown.count(">overdue</strong>") == 1
    assert "<title>(2) " in shown
    counts = dict(re.findall(r'>([A-Z][a-z ]+) <span class="count">(\d+)</span>', shown))
    assert counts == {"All that waits": "2", "Mine": "1", "Unowned": "1", "Overdue": "1", "Done": "1"}

    expected = {"mine": {taken}, "unowned": {late}, "overdue": {late}, "done": {closed}, "unknown": {late, taken}}
    for view, items in expected.items():
        response = client.get(LIST, {"view": view})
        assert response.status_code == 200
        assert set(re.findall(r"WL-\w{8}", words(response))) == {item.reference for item in items}, view
    assert set(re.findall(r"WL-\w{8}", words(client.get(LIST, {"q": "late one"})))) == {late.reference}


def test_an_empty_view_says_why_it_is_empty(client):
    assert "Nothing waits for staff." in words(client.get(LIST))
    assert "Nothing is overdue." in words(client.get(LIST, {"view": "overdue"}))
    assert "Nothing in this view matches." in words(client.get(LIST, {"q": "zebra"}))


def test_the_first_page_of_the_administration_counts_what_waits_for_reviewers_only(client, item):
    assert 'Waiting list <span class="count">1</span>' in words(client.get("/admin/"))
    assert "Waiting list <span" not in words(admin_client(make_staff("ed", "editor")).get("/admin/"))


def test_a_case_shows_everything_on_one_screen(client, mere):
    claim = make_claim()
    set_fact(claim_id=claim.pk, field="place", value="Karori Road", now=timezone.now())
    late = make_item(claim, "Is glass included?", reason=Reason.NEEDS_DECISION, now=timezone.now() - timedelta(days=40))
    waiting_list.note(reference=late.reference, by=mere, text="Rang the garage.", now=timezone.now())
    shown = words(client.get(page_of(late)))
    for part in (
        "Is glass included?",
        wording.REASONS_IN_WORDS["needs_decision"],
        "Open, number 1 in line",
        "New Zealand time",
        "overdue by",
        "Karori Road",
        "NW-MTR-100001",
        "alternative transport",
        "standard excess",
        "NZD 500",
        "Rang the garage.",
        "put on the list by (portal)",
        "Only a person decides a claim.",
    ):
        assert part in shown, part


def test_a_case_leads_to_the_other_items_of_its_claim(client, item):
    other = make_item(item.claim, "And the trailer?", now=timezone.now())
    assert f'href="{page_of(other)}">{other.reference}</a>, open: And the trailer?' in words(client.get(page_of(item)))


def test_the_case_of_an_evaluation_run_is_not_here(client):
    practice = make_item(make_claim(purpose=Claim.Purpose.EVALUATION))
    assert client.get(page_of(practice)).status_code == 404
    assert post(client, practice, "take").status_code == 404


def test_M5_take_and_answer_end_in_the_customers_conversation_under_the_reviewers_name(client, item):
    assert post(client, item, "take").status_code == 302
    response = client.post(
        f"{LIST}{item.pk}/answer/", {"answer": "The clause says\r\nwhat it says.", "seen_seq": 1}, follow=True
    )
    assert "is in the customer's conversation" in words(response)
    assert state(item) == ("answered", "mere")
    last = Message.objects.get(claim=item.claim, sender="staff")
    assert (last.name, last.text) == ("Mere Tester", "The clause says\nwhat it says.")


def test_each_act_on_the_page_does_its_act_and_is_audited(client, mere):
    now = timezone.now()
    one, two = make_item(now=now), make_item(now=now)
    for act, typed in (
        ("take", {}),
        ("release", {}),
        ("note", {"note": "Seen."}),
        ("decision", {"decision": "Declined, see the letter."}),
        ("close", {"reason": "Settled by telephone."}),
    ):
        assert post(client, one, act, **typed).status_code == 302, act
    assert post(client, two, "answer", answer="See your schedule.").status_code == 302
    one.refresh_from_db()
    assert (one.status, one.closed_reason, one.claim.decision_text) == (
        "closed",
        "Settled by telephone.",
        "Declined, see the letter.",
    )
    assert one.note.endswith(": Seen.")
    acts = set(AuditEntry.objects.filter(by=mere).values_list("act", flat=True))
    assert acts == {f"waiting_item.{act}" for act in ("take", "release", "note", "close", "answer")} | {
        "claim.record_decision"
    }


@pytest.mark.parametrize(
    ("act", "field"), [("answer", "answer"), ("close", "reason"), ("note", "note"), ("decision", "decision")]
)
def test_an_empty_act_is_refused_with_a_sentence_and_keeps_what_else_was_typed(act, field, client, item):
    kept = {name: f"{name} {CANARY}" for name in ("answer", "reason", "note", "decision") if name != field}
    response = post(client, item, act, **kept, **{field: "  "})
    assert response.status_code == 400
    shown = words(response)
    assert "Nothing was changed. What you typed is still here." in shown
    assert all(text in shown for text in kept.values())
    assert state(item) == ("open", None)
    assert AuditEntry.objects.filter(subject=item.reference).count() == 1


def test_an_answer_stops_for_a_message_that_came_after_the_page_and_keeps_the_draft(client, item):
    customer_writes(item.claim, "No, the blue car!", now=timezone.now())
    response = post(client, item, "answer", answer=f"About the red car {CANARY}", seen_seq=1)
    shown = words(response)
    assert response.status_code == 409
    assert "The customer wrote again after what you have read." in shown
    assert f"About the red car {CANARY}</textarea>" in shown
    assert re.search(r"New since you opened this page.{0,80}No, the blue car!", shown)
    assert 'name="seen_seq" value="2"' in shown
    assert state(item) == ("open", None)
    assert not Message.objects.filter(sender="staff").exists()
    # The control: sent again from the page that shows the new message, it goes.
    assert post(client, item, "answer", answer="About the blue car", seen_seq=2).status_code == 302


@pytest.mark.parametrize("seen", ["", "x", "-1", "99", "9" * 5000])
def test_a_broken_page_sends_nothing(seen, client, item):
    response = post(client, item, "answer", answer=f"Words {CANARY}", seen_seq=seen)
    assert response.status_code in {400, 409}
    assert f"Words {CANARY}</textarea>" in words(response)
    assert state(item) == ("open", None)


def test_the_second_person_is_told_who_has_the_item_and_keeps_their_draft(client, item):
    waiting_list.take(reference=item.reference, by=make_staff("tama", "reviewer"))
    response = post(client, item, "answer", answer=f"My answer {CANARY}")
    shown = words(response)
    assert response.status_code == 409
    assert "Tama Tester has taken this item." in shown
    assert f"My answer {CANARY}</textarea>" in shown
    assert post(client, item, "take").status_code == 409
    assert state(item) == ("taken", "tama")


def test_a_draft_survives_somebody_elses_end_of_the_item(client, item):
    waiting_list.close(reference=item.reference, by=make_staff("tama", "reviewer"), reason="x", now=timezone.now())
    shown = words(post(client, item, "answer", answer=f"My answer {CANARY}"))
    assert "Tama Tester has closed this item already." in shown
    assert f"My answer {CANARY}</textarea>" in shown


def test_what_is_typed_beside_another_act_is_there_after_it_and_only_once(client, item):
    response = client.post(f"{LIST}{item.pk}/take/", {"answer": f"A draft {CANARY}", "seen_seq": 1}, follow=True)
    assert f"A draft {CANARY}</textarea>" in words(response)
    assert CANARY not in words(client.get(page_of(item)))
    other = make_item(now=timezone.now())
    client.post(f"{LIST}{item.pk}/release/", {"answer": f"A draft {CANARY}", "seen_seq": 1})
    assert CANARY not in words(client.get(page_of(other)))


def test_words_that_read_as_a_decision_are_held_until_the_reviewer_sends_them_anyway(client, item):
    promise = "Good news, we will pay your claim."
    response = post(client, item, "answer", answer=promise)
    assert response.status_code == 400
    assert 'name="send_anyway"' in words(response)
    assert f"{promise}</textarea>" in words(response)
    assert 'name="send_anyway"' not in words(client.get(page_of(item)))
    assert post(client, item, "answer", answer=promise, send_anyway="on").status_code == 302
    assert state(item)[0] == "answered"


def test_clauses_are_looked_up_and_named_with_their_version_never_typed(client, item):
    seed_wording()
    wrong = post(client, item, "answer", answer="See there.", clause_ids="MTR-COV-01, MTR-COV-77")
    assert wrong.status_code == 400
    assert "Not in the wording that holds for this claim: MTR-COV-77." in words(wrong)
    assert "at most 3" in words(post(client, item, "answer", answer="x", clause_ids="A, B, C, D"))
    assert post(client, item, "answer", answer="See there.", clause_ids="mtr-cov-02").status_code == 302
    sent = Message.objects.get(sender="staff").text
    assert sent == "See there.\n\nMTR-COV-02 Damage that you cause to the property of others (2020.1)"


def test_everything_that_people_typed_is_escaped(client, mere):
    claim = make_claim()
    set_fact(claim_id=claim.pk, field="what_happened", value=HOSTILE, now=timezone.now())
    item = make_item(claim, f"Question {HOSTILE}", now=timezone.now())
    waiting_list.note(reference=item.reference, by=mere, text=HOSTILE, now=timezone.now())
    waiting_list.record_decision(reference=item.reference, by=mere, text=HOSTILE, now=timezone.now())
    Turn.objects.filter(waiting_item=item).update(
        safe_reply=True,
        violations=[{"code": "V6", "segment": 0, "detail": HOSTILE}],
        calls=[
            {
                "step": "plan", "ms": 1, "tokens_in": 1, "tokens_out": 1, "cached": 0, "error": None, "model": "m",
                "raw": {"calls": [{"name": "plan", "arguments": HOSTILE}], "content": HOSTILE, "finish_reason": "stop"},
            }
        ],
    )  # fmt: skip
    failed = post(
        client, item, "answer", answer=HOSTILE, clause_ids=HOSTILE, reason=HOSTILE, note=HOSTILE, decision=HOSTILE
    )
    turn = Turn.objects.get(waiting_item=item)
    for response in (
        failed,
        client.get(page_of(item)),
        client.get(LIST),
        client.get(f"/admin/claims/turn/{turn.pk}/change/"),
        client.get(f"/admin/claims/claim/{claim.pk}/change/"),
    ):
        page = response.content.decode()
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page
    waiting_list.answer(reference=item.reference, by=mere, text=HOSTILE, seen_seq=1, now=timezone.now())
    assert "<script>alert" not in client.get(page_of(item)).content.decode()


def test_the_models_rejected_words_are_shown_to_staff_only_under_their_label(client, item):
    Turn.objects.filter(waiting_item=item).update(
        safe_reply=True,
        calls=[
            {"step": "answer", "raw": {"calls": [], "content": f"You are covered {CANARY}", "finish_reason": "stop"}}
        ],
    )
    page = words(client.get(page_of(item)))
    assert page.index("Unverified model output") < page.index(CANARY)
    assert page.count(CANARY) == 1


def test_the_pages_carry_no_inline_script_or_style(client, item):
    for address in ("/admin/", LIST, page_of(item), f"/admin/claims/turn/{Turn.objects.get().pk}/change/"):
        page = client.get(address).content.decode()
        assert not re.findall(r"<script(?![^>]*\bsrc=)[^>]*>|<style|\son\w+=|\sstyle=", page), address
