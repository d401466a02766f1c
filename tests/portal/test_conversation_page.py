"""The conversation's page through plain form posts, as a browser without JavaScript sends them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from claims import waiting_list
from claims.agent import wording
from claims.models import Claim, Message, Turn, WaitingItem
from portal.pages import conversation
from portal.pages.shown import Block, blocks_of, when
from tests.builders_api import OTHER_PLAN, QUESTION_PLAN, play
from tests.builders_pages import RENTAL_QUESTION, Customer


def test_C1_an_answer_stands_first_and_its_clause_opens_in_place_whole(customer, answers_about_rental):
    answers_about_rental()
    page = customer.say(RENTAL_QUESTION)
    answer, clause = page.index("up to NZD 60 a day for up to 21 days, and no excess applies."), page.index("<summary>")
    assert page.index(RENTAL_QUESTION) < answer < clause
    assert '<span class="clause-id">MTR-BEN-03</span> Hire car, rental car, taxi' in page
    text = Turn.objects.get().citations.get().text
    opened = page[page.index('<div class="clause-text">') : page.index("The whole clause, wording")]
    for line in text.splitlines():
        shown = line.removeprefix("- ").replace("'", "&#x27;")
        assert (f"<li>{shown}</li>" if line.startswith("- ") else f"<p>{shown}</p>") in opened
    assert "wording 2026.2" in page


def test_M1_the_schedule_sentence_and_who_decides_are_shown(customer, answers_about_rental):
    answers_about_rental()
    page = customer.say(RENTAL_QUESTION)
    assert "so your policy includes this benefit, subject to the claim being accepted." in page
    assert '<p class="aside">I can explain the policy' in page
    assert 'role="log" aria-live="polite"' in page


def test_the_offline_chooser_is_named_at_each_answer_and_a_model_by_its_name(customer, monkeypatch, settings):
    play(monkeypatch, plan=OTHER_PLAN)
    assert "Answered by: offline chooser, not a language model" in customer.say("Hello")
    settings.PORTAL_MODEL = "openai/some-model"
    page = customer.say("Hello again")
    assert "Answered by: openai/some-model" in page
    assert "Answers come from the offline chooser" not in page


def test_M9_a_waiting_sentence_stands_in_a_box_with_its_reference_and_in_the_panel(customer, answers_about_rental):
    answers_about_rental(wants_decision=True)
    page = customer.say("Will you pay for my rental car?")
    item = WaitingItem.objects.get()
    assert f"<strong>{item.reference}</strong>, number 1 in line" in page
    assert f"Waiting, number 1 in line. Reply due by {when(item.due_at)}" in page


def test_what_people_write_is_text_and_never_markup(portal, monkeypatch):
    customer = Customer()
    customer.open("<b>NW</b>")
    play(monkeypatch, plan={"kind": "report", "wants_decision": False, "facts": [{"field": "place", "value": "<i>x"}]})
    page = customer.say('<script>alert(1)</script> at <i>x & "y" {{ claim }}')
    customer.post("facts", field="driver", value="</textarea><script>1</script>")
    page += customer.page()
    assert "&lt;script&gt;alert(1)&lt;/script&gt; at &lt;i&gt;x &amp; &quot;y&quot; {{ claim }}" in page
    assert "<script>" not in page and "<i>" not in page and "<b>" not in page.lower()


def test_an_empty_and_a_long_message_are_said_to_be_so_and_kept(customer):
    for text, sentence in (("  ", "The message is empty"), ("é" * 4001, "4,001 characters; 4,000 are taken")):
        response = customer.post("messages", text=text, key="k" * 16)
        page = response.content.decode()
        assert response.status_code == 400
        assert f'<a href="#text">{sentence}' in page.replace("The message has ", "")
        assert f">\n{text}</textarea>" in page and "autofocus" in page
    assert Message.objects.count() == 0


def test_line_ends_of_a_form_count_once(customer, monkeypatch):
    play(monkeypatch)
    customer.say("a\r\n" * 2000)
    assert Message.objects.get(sender="customer").text == "a\n" * 2000


def test_the_same_form_sent_twice_is_one_message_and_another_text_is_another(customer, monkeypatch):
    play(monkeypatch)
    key = customer.key()
    for text in ("Hello", "Hello", "Hello?"):
        assert customer.post("messages", text=text, key=key).status_code == 302
    assert list(Turn.objects.order_by("seq").values_list("text", flat=True)) == ["Hello", "Hello?"]
    assert customer.post("messages", text="Hello", key="\x00").status_code == 302
    assert Turn.objects.count() == 3


def test_over_the_rate_the_text_is_kept(customer, monkeypatch, settings):
    play(monkeypatch)
    settings.PORTAL_MESSAGES_A_MINUTE = 1
    customer.say("First")
    response = customer.post("messages", text="Second & last", key="k" * 16)
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")
    assert ">\nSecond &amp; last</textarea>" in response.content.decode()


def test_another_browser_finds_nothing_and_is_told_what_to_do(customer):
    other = Customer()
    other.open("NW-MTR-204519")
    pages = [
        Client().get(customer.address),
        other.client.get(customer.address),
        Client().get("/claims/CL-23456789ABCD/"),
        other.client.post(f"{customer.address}messages/", {"text": "Let me in"}),
        other.client.post(f"{customer.address}person/"),
        other.client.post(f"{customer.address}facts/", {"field": "place", "value": "here"}),
    ]
    for response in pages:
        assert response.status_code == 404
        assert "A conversation opens only in the browser that started it" in response.content.decode()
    assert "Let me in" in pages[3].content.decode()
    assert Message.objects.count() == WaitingItem.objects.count() == 0


def test_C8_a_heard_fact_is_shown_unconfirmed_confirmed_by_a_button_and_changed(customer, monkeypatch):
    facts = [{"field": "place", "value": "Tāmaki Drive"}, {"field": "loss_date", "value": "some day in May"}]
    play(monkeypatch, plan={"kind": "report", "wants_decision": False, "facts": facts})
    page = customer.say("I hit a bollard on Tāmaki Drive, some day in May")
    assert page.count("Not confirmed") == 2
    assert page.count("Confirm<span") == 1, "words that are no date cannot be confirmed"
    customer.post("facts", field="place", value="Tāmaki Drive")
    assert Claim.objects.get().facts.get(field="place").confirmed
    response = customer.post("facts", field="loss_date", value="31/2/2026")
    shown = response.content.decode()
    assert response.status_code == 400
    assert '<a href="#fact-loss_date">' in shown and '<details class="edit" open>' in shown and "31/2/2026" in shown
    customer.post("facts", field="loss_date", value="4 April 2026")
    assert "4 April 2026" in customer.page()
    assert customer.post("facts", field="no_field", value="x").status_code == 400


def test_M31_the_kind_of_policy_is_asked_by_buttons_and_the_question_is_ready_to_send_again(portal, monkeypatch):
    customer = Customer()
    customer.open("NW-NONE-1")
    play(monkeypatch, plan={"kind": "question", "wants_decision": False, "facts": []})
    page = customer.say("Is hail included?")
    assert "We could not find a schedule for this policy number" in page
    assert 'name="value" value="contents"' in page
    customer.post("facts", field="family", value="home", **{"from": "answer"})
    page = customer.page()
    assert ">\nIs hail included?</textarea>" in page and 'class="choices"' not in page


def test_C2_a_person_is_asked_for_once_and_the_page_says_so(customer):
    assert customer.post("person").headers["Location"].endswith("#latest")
    assert customer.post("person").headers["Location"].endswith("#waiting")
    item = WaitingItem.objects.get()
    assert customer.page().count(item.reference) == 2
    assert "You asked for a person" in customer.page()


def test_a_person_after_the_days_items_are_used_up_is_told_to_call(customer, monkeypatch):
    monkeypatch.setattr(waiting_list, "NEW_ITEMS_A_DAY", 0)
    response = customer.post("person")
    assert response.status_code == 429
    assert "please call us" in response.content.decode()


def test_staff_answer_under_their_name_and_a_decision_is_shown(customer, monkeypatch):
    customer.post("person")
    reference = WaitingItem.objects.get().reference
    staff = User.objects.create(username="mere", first_name="Mere", last_name="Kāhu")
    now = datetime(2026, 6, 1, 2, 30, tzinfo=UTC)
    waiting_list.record_decision(reference=reference, by=staff, text="Accepted.", now=now)
    waiting_list.answer(reference=reference, by=staff, text="Kia ora,\n\nhere we are.", seen_seq=1, now=now)
    page = customer.page()
    assert "Mere Kāhu, Northwind staff" in page and "Kia ora,\n\nhere we are." in page
    assert "Mere Kāhu recorded this on 1 June 2026: “Accepted.”" in page
    assert '<li class="done">' in page


def test_C12_feedback_is_one_press_with_an_optional_reason(customer, monkeypatch):
    play(monkeypatch)
    customer.say("Hello")
    turn = Turn.objects.get()
    customer.post(f"turns/{turn.pk}/feedback", useful="false")
    assert "What was missing or wrong?" in customer.page()
    customer.post(f"turns/{turn.pk}/feedback", useful="false", reason="It did not \x00answer me")
    assert "You said this was not useful." in customer.page()
    turn.refresh_from_db()
    assert (turn.useful, turn.useful_reason) == (False, "It did not answer me")
    other = Customer()
    other.open()
    assert other.post(f"turns/{turn.pk}/feedback", useful="true").status_code == 404


def test_an_act_that_is_only_looked_at_leads_to_the_conversation(customer):
    for act in ("messages", "person", "facts", "forget"):
        response = customer.client.get(f"{customer.address}{act}/")
        assert response.headers["Location"] == f"{customer.address}#latest"


def test_a_message_without_an_answer_yet_says_so_and_loads_again_while_it_may_come(customer, monkeypatch):
    monkeypatch.setattr(conversation, "start_turn", lambda turn_id: None)
    monkeypatch.setattr(conversation, "PAGE_WAITS", 0)
    page = customer.say("Hello")
    assert "Your message is in line…" in page and 'http-equiv="refresh"' in page and ">Send</button>" not in page
    for stage, words in wording.STAGES.items():
        Turn.objects.update(stage=stage)
        assert f"{words} This page loads again by itself." in customer.page()
    Turn.objects.update(at=datetime(2026, 1, 1, tzinfo=UTC))
    page = customer.page()
    assert "Your message is kept, and you need not send it again." in page
    assert "refresh" not in page and ">Send</button>" in page, "a page that loads again would eat what is being typed"


def test_with_workers_a_message_is_awaited_as_long_as_a_lost_one_takes_to_be_found(customer, monkeypatch, settings):
    monkeypatch.setattr(conversation, "start_turn", lambda turn_id: None)
    monkeypatch.setattr(conversation, "PAGE_WAITS", 0)
    customer.say("Hello")
    Turn.objects.update(at=timezone.now() - timedelta(seconds=45))
    assert "refresh" not in customer.page()
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    assert 'http-equiv="refresh"' in customer.page()


def test_a_question_that_is_asked_back_is_shown(customer, monkeypatch):
    question = {"kind": "clarify", "text": "Where did the water come in?"}
    play(monkeypatch, plan=QUESTION_PLAN, answer={"segments": [question]})
    assert '<p class="ask">Where did the water come in?</p>' in customer.say("What about the water?")


@pytest.mark.parametrize("debug", [True, False])
@pytest.mark.parametrize(("error", "status"), [(OperationalError("gone"), 503), (RuntimeError("a bug"), 500)])
def test_a_failure_of_ours_eats_no_text(customer, monkeypatch, settings, debug, error, status):
    settings.DEBUG = debug

    def fail(**given: object) -> None:
        raise error

    monkeypatch.setattr(conversation, "receive_message", fail)
    customer.client.raise_request_exception = False
    response = customer.post("messages", text="My <long> story", key="k" * 16)
    assert response.status_code == status
    assert "My &lt;long&gt; story" in response.content.decode()


def test_on_a_shared_computer_the_claim_can_be_forgotten(customer):
    address = customer.address
    assert customer.post("forget").headers["Location"] == "/"
    assert customer.client.get(address).status_code == 404
    assert Claim.objects.count() == 1


def test_moments_are_written_as_people_here_write_them():
    assert when(datetime(2027, 4, 4, 2, 30, tzinfo=UTC)) == "4 April 2027, 2:30 pm"
    assert when(datetime(2027, 1, 1, 11, 5, tzinfo=UTC)) == "2 January 2027, 12:05 am"


def test_bullets_become_lists_and_every_other_line_a_paragraph():
    assert blocks_of("One.\n- a\n- b\nTwo.\n- c") == (
        Block("One."),
        Block(bullets=("a", "b")),
        Block("Two."),
        Block(bullets=("c",)),
    )
