"""The adjuster's pages through plain requests: files, what was read, places that were found, deadlines, limits."""

import re
import threading
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from claims import policy_store, tasks
from claims.drafting_aid import DRAFTING_AID
from claims.models import PolicyDocument, Relabel
from claims.uploads import receive_document
from knowledge.storage import StorageUnavailable
from portal.pages import adjuster_files, adjuster_finding, adjuster_picture
from tests.builders import admin_client, make_staff
from tests.builders_pages import Adjuster

pytestmark = pytest.mark.django_db

FIXTURES = Path(__file__).parents[1] / "claims" / "documents" / "fixtures"
POLICY = b"""HARBOURLIGHT MUTUAL HOME POLICY
INSURING AGREEMENT
We pay for direct physical loss to the home shown in the declarations.
EXCLUSIONS
We do not pay for loss caused by:
a. rust;
b. birds, <b>bats</b> & insects; or
c. the weight of snow.
7. We do not pay for water that backs up through a drain.
CONDITIONS
You must send us a signed proof of loss within 60 days after our request.
Loss is payable 30 days after we receive your proof of loss.
DEFINITIONS
"Sinkhole" means a hollow formed by dissolving limestone.
ENDORSEMENT HL 33 - BACK-UP
Exclusion 7 is deleted. The most we pay for back-up is 5,000.
"""


@pytest.fixture
def adjuster(settings):
    settings.DEBUG = True
    return Adjuster()


@pytest.fixture
def policy(adjuster):
    return adjuster.upload(POLICY, "home policy.txt")


def cards(page):
    return page.split('<article class="card"')[1:]


def test_M71_M114_every_page_says_what_it_is_under_its_title_and_leads_to_the_limits(adjuster, policy):
    document = PolicyDocument.objects.get()
    section = re.findall(r"/sections/([\w-]+)/", adjuster.page(policy))[0]
    addresses = ["/policies/", "/policies/deadlines/", "/policies/limits/", policy, f"{policy}?q=snow"]
    addresses += [f"{policy}pages/1/", f"{policy}sections/{section}/"]
    for address in addresses:
        page = adjuster.page(address)
        title = page[page.index("<h1>") :]
        assert title[title.index("</h1>") :].startswith(f'</h1>\n<p class="aid">{DRAFTING_AID}</p>'), address
        assert 'href="/policies/limits/"' in page and 'name="viewport"' in page
    assert document.status == "done"
    limits = adjuster.page("/policies/limits/")
    for words in ("not in the file is not seen", "no claim history", "no underwriting file", "bulletins", "Read every"):
        assert words in limits
    for words in ("stays\nunclassified, on purpose", "misses a policy that says the same in other", "form to form"):
        assert words in limits


def test_only_adjusters_enter_and_anothers_file_is_not_found(adjuster, policy):
    other = Adjuster("jill")
    section = re.findall(r"/sections/([\w-]+)/", adjuster.page(policy))[0]
    own = [policy, f"{policy}original/", f"{policy}pages/1/", f"{policy}sections/{section}/"]
    for address in ["/policies/", "/policies/deadlines/", "/policies/limits/", *own]:
        away = Client().get(address)
        assert (away.status_code, away.headers["Location"]) == (302, f"/admin/login/?next={address}")
        reviewer = admin_client(User.objects.filter(username="r").first() or make_staff("r", "reviewer")).get(address)
        assert reviewer.status_code == 403 and "These pages are for adjusters" in reviewer.content.decode()
    for address in own:
        assert "There is no such file of yours" in other.page(address, 404)
    assert "home policy" not in other.page("/policies/")
    assert other.client.post(own[-1], {"kind": "conditions", "reason": "x"}).status_code == 404
    assert Relabel.objects.count() == 0
    assert "Choose one of your files" in other.page(
        "/policies/deadlines/", 400, loss_date="2026-06-15", policy=policy.split("/")[2]
    )


def test_the_way_in_stands_on_the_first_pages(adjuster):
    assert 'href="/policies/"' in adjuster.page("/admin/") and 'href="/policies/"' in adjuster.page("/")
    assert "Your policy files" not in admin_client(make_staff("r", "reviewer")).get("/admin/").content.decode()


def test_A1_an_upload_is_listed_with_what_was_read_and_shows_its_stages(adjuster, policy, monkeypatch):
    page = adjuster.page("/policies/")
    assert "home policy.txt" in page and "1 page, read" in page and "wait.js" not in page
    monkeypatch.setattr(tasks, "read_document", lambda _: False)
    waiting = adjuster.upload(POLICY + b"\n", "second.txt")
    for address in ("/policies/", waiting):
        page = adjuster.page(address)
        assert "Waiting to be read" in page and "wait.js" in page
        assert '<noscript><meta http-equiv="refresh" content="4">' in page
    row = PolicyDocument.objects.filter(name="second.txt")
    row.update(status="running", stage="reading")
    assert "Being read now" in adjuster.page(waiting) and 'name="q"' not in adjuster.page(waiting)
    assert "Being read now" in adjuster.page(waiting, q="snow")
    row.update(at=timezone.now() - timedelta(minutes=7))
    assert "takes longer than it should" in adjuster.page(waiting) and 'content="60"' in adjuster.page("/policies/")


def test_A2_a_partly_read_file_names_its_pages_on_the_list_on_its_page_and_with_every_answer(adjuster):
    mixed = adjuster.upload((FIXTURES / "d14_mixed_scan.pdf").read_bytes(), "mixed.pdf")
    assert "2 of 3 pages read. Not read: page 2: a picture without text" in adjuster.page("/policies/")
    page = adjuster.page(mixed)
    assert "Page 2</a>: Not read: a picture without text." in page
    silent = adjuster.page(mixed, q="rats")
    assert "Not known: part of the file was not read" in silent and "Not read: page 2.</strong>" in silent
    bearing = adjuster.page(mixed, q="flood")
    assert "Found in text that can support a position" in bearing and "Not read: page 2.</strong>" in bearing
    assert "No text was read from this page. That is not silence" in adjuster.page(f"{mixed}pages/2/")


def test_A2_a_file_of_which_nothing_was_read_says_why_and_is_never_silent(adjuster):
    locked = adjuster.upload((FIXTURES / "d17b_user_password.pdf").read_bytes(), "locked.pdf")
    for page in (adjuster.page(locked), adjuster.page("/policies/")):
        assert "Not read" in page and "needs a password" in page
    assert 'name="q"' not in adjuster.page(locked)
    assert "Nothing was searched: the file was not read" in adjuster.page(locked, q="mould")


def test_A9_the_same_bytes_again_are_recognised_and_lead_to_the_file(adjuster, policy):
    response = adjuster.send(POLICY, "another name.txt")
    page = adjuster.page(response.headers["Location"])
    assert "You have uploaded this file already" in page and f'<a href="{policy}">Open it</a>' in page
    assert PolicyDocument.objects.count() == 1
    assert "already" not in adjuster.page("/policies/?known=nonsense")
    assert "already" not in Adjuster("jill").page(response.headers["Location"])


def test_an_upload_of_nothing_says_so(adjuster):
    for response, sentence in (
        (adjuster.client.post("/policies/", {}), "Choose the policy's file first, then upload it."),
        (adjuster.send(b""), "The file is empty. Choose the policy's file and upload it again."),
    ):
        assert response.status_code == 400
        assert f'<li><a href="#file">{sentence}</a></li>' in unescape(response.content.decode())


def test_a_file_too_large_is_refused_on_the_form_and_nothing_of_it_is_kept(adjuster, policy, monkeypatch):
    monkeypatch.setattr("portal.upload_bound.LARGEST_BODY", 1000)
    monkeypatch.setattr(adjuster_files, "LARGEST_BODY", 1000)
    response = adjuster.send(b"x" * 1001)
    page = response.content.decode()
    assert response.status_code == 413 and "The file is larger than 10 MB. Upload it in parts." in page
    assert "home policy.txt" in page and PolicyDocument.objects.count() == 1


def test_over_the_quota_and_with_the_store_away_the_form_says_so_and_the_list_stays(
    adjuster, policy, settings, monkeypatch
):
    settings.PORTAL_ADJUSTER_FILES = 1
    response = adjuster.send(b"another file")
    assert response.status_code == 409 and "which is the most one may have" in response.content.decode()
    settings.PORTAL_ADJUSTER_FILES = 10

    def away():
        raise StorageUnavailable("away")

    monkeypatch.setattr(policy_store, "open_store", away)
    response = adjuster.send(b"another file")
    page = response.content.decode()
    assert response.status_code == 503 and response.headers["Retry-After"]
    assert "this one was not kept" in page and "home policy.txt" in page
    assert PolicyDocument.objects.count() == 1


def test_with_the_store_away_a_page_says_that_nothing_is_lost(adjuster, policy, own_var_dir):
    (own_var_dir / "store").rename(own_var_dir / "elsewhere")
    page = adjuster.page(f"{policy}original/", 503)
    assert "Nothing is lost" in page and DRAFTING_AID in page


def test_a_form_from_elsewhere_is_refused(adjuster, policy):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(adjuster.user)
    section = re.findall(r"/sections/([\w-]+)/", adjuster.page(policy))[0]
    for address in ("/policies/", f"{policy}sections/{section}/"):
        assert strict.post(address, {"kind": "conditions", "reason": "x"}).status_code == 403


def test_A3_a_place_is_shown_with_its_words_marked_its_lead_in_and_the_way_to_its_page(adjuster, policy):
    (card,) = cards(adjuster.page(policy, q="bats"))
    assert "1. Exclusions" in card and "We do not pay for loss caused by:" in card
    assert "b. birds, <b><mark>bats</mark></b> & insects; or" in card, "unescaped here; see below"
    assert "Page 1, line 7" in card
    document_id = policy.split("/")[2]
    assert f'href="/policies/{document_id}/pages/1/?lines=7-7&q=bats#line-7"' in card
    page = adjuster.page(f"{policy}pages/1/", lines="7-7", q="bats")
    assert page.count('class="line quoted"') == 1
    line = page[page.index('id="line-7"') :][:300]
    assert "quoted" in line and "<mark>bats</mark>" in line
    assert f'href="{policy}?q=bats#found"' in page


def test_what_a_file_says_and_is_called_stays_text(adjuster):
    evil = b"EXCLUSIONS\n<script>alert(1)</script> and <img src=x onerror=alert(2)> mould {{ row }}.\n" + POLICY
    address = adjuster.upload(evil, '<script>alert("name")</script>.txt')
    section = re.findall(r"/sections/([\w-]+)/", adjuster.page(address))[0]
    adjuster.client.post(f"{address}sections/{section}/", {"kind": "conditions", "reason": "<script>why</script>"})
    for path in ("", "?q=script+alert", "pages/1/?lines=2-2&q=alert", f"sections/{section}/", "?q=<script>x</script>"):
        response = adjuster.client.get(f"{address}{path}")
        page = response.content.decode()
        assert response.status_code == 200 and "script-src 'self'" in response.headers["Content-Security-Policy"]
        assert "<script>" not in page and "<img" not in page.replace('<img class="sheet"', "")
        assert "{{ row }}" in page or "mould" not in page
    assert "<script>" not in adjuster.client.get("/policies/").content.decode()
    saved = adjuster.client.get(f"{address}original/")
    assert saved.content == evil and saved.headers["Content-Type"] == "application/octet-stream"
    assert saved.headers["Content-Disposition"].startswith("attachment; ")
    assert "sandbox" in saved.headers["Content-Security-Policy"]


def test_a_text_is_shown_in_the_order_in_which_it_is_searched(adjuster):
    turned = "EXCLUSIONS \u202edetsil\u202c\n1. We do not pay for \u202edlom\u2066 and rust.\n".encode() + POLICY
    address = adjuster.upload(turned)
    section = re.findall(r"/sections/([\w-]+)/", adjuster.page(address))[0]
    for path in ("", "?q=dlom", "pages/1/", f"sections/{section}/"):
        page = adjuster.page(f"{address}{path}")
        assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") & set(page), path
    assert "<mark>dlom</mark> and rust" in adjuster.page(address, q="dlom")


def test_A4_an_amended_clause_stands_beside_its_endorsement(adjuster, policy):
    page = adjuster.page(policy, q="drain")
    base, endorsement = cards(page)
    assert "Deleted by HL 33" in base and "Exclusion 7 is deleted." in base and "no longer as printed" in base
    assert "No word of the question is in it" in endorsement


def test_M77_M78_each_outcome_has_its_words_and_context_is_called_context(adjuster, policy):
    page = adjuster.page(policy, q="sinkhole")
    assert "Found only in declarations, definitions or unclassified text" in page
    assert "Context only: no position can rest on definitions" in page
    assert "No match for these words. That is not silence" in adjuster.page(policy, q="xylophone")
    assert "there is no word to search for" in adjuster.page(policy, q="the of")
    assert "Type a word that the policy itself would use" in adjuster.page(policy, 400, q=" ")
    assert "at most 500 characters" in adjuster.page(policy, 400, q="x" * 501)


def test_exact_words_only_are_kept_on_the_form_and_in_the_links(adjuster, policy):
    assert cards(adjuster.page(policy, q="drains"))
    page = adjuster.page(policy, q="drains", exact="1")
    assert cards(page) == [] and "checked" in page
    assert "&exact=1#line-" in adjuster.page(policy, q="drain", exact="1")


def test_many_places_come_in_parts_and_how_many_there_are_is_said(adjuster, policy, monkeypatch):
    monkeypatch.setattr(adjuster_finding, "A_PAGE", 1)
    first = adjuster.page(policy, q="pay")
    assert "1 to 1 of 4" in first and len(cards(first)) == 1
    second = adjuster.page(policy, q="pay", **{"from": "2"})
    assert "2 to 2 of 4" in second and "?q=pay&from=1#found" in second and "?q=pay&from=3#found" in second
    assert adjuster.page(policy, q="pay", **{"from": "99999"}) and adjuster.page(policy, q="pay", **{"from": "x"})


def test_A14_a_section_is_given_another_kind_with_a_reason_and_that_holds_in_the_search(adjuster, policy):
    section = re.findall(r"sections/([\w-]+)/", cards(adjuster.page(policy, q="sinkhole"))[0])[0]
    address = f"{policy}sections/{section}/"
    for data, sentence in (
        ({"kind": "conditions", "reason": " \x00"}, "Say why, for whoever reads the file after you."),
        ({"kind": "nonsense", "reason": "x"}, "Choose one of the kinds."),
        ({"kind": "conditions", "reason": "x" * 501}, "at most 500 characters"),
    ):
        response = adjuster.client.post(address, data)
        assert response.status_code == 400 and sentence in response.content.decode()
    assert Relabel.objects.count() == 0
    response = adjuster.client.post(address, {"kind": "exclusions", "reason": "It takes cover away."})
    assert response.headers["Location"] == address
    page = adjuster.page(address)
    assert "<dd>Exclusions" in page and "It takes cover away." in page
    assert "1. Exclusions" in cards(adjuster.page(policy, q="sinkhole"))[0]
    assert adjuster.page(f"{policy}sections/section-999/", 404)


def test_the_file_lists_its_sections_and_forms_with_where_they_stand(adjuster, policy):
    page = adjuster.page(policy)
    for words in ("Exclusions", "Definitions", "lines 4 to 9", "HL 33", "In this file", "no declarations to check"):
        assert words in page, words


def test_pages_and_lines_that_are_none_are_not_found_or_not_marked(adjuster, policy):
    for number in ("0", "2", "99999999999"):
        assert adjuster.page(f"{policy}pages/{number}/", 404)
    for lines in ("x", "9-1", "1-99999999", "-1", "٣"):
        assert 'class="line quoted"' not in adjuster.page(f"{policy}pages/1/", lines=lines)


def test_a_long_page_is_shown_in_parts_with_the_quoted_lines_in_view(adjuster, monkeypatch):
    monkeypatch.setattr("portal.pages.adjuster_lines.MOST_LINES", 10)
    long = adjuster.upload(POLICY + b"".join(b"%d. We do not pay for item %d.\n" % (n, n) for n in range(20, 60)))
    page = adjuster.page(f"{long}pages/1/", lines="40-40")
    assert re.findall(r'id="line-(\d+)"', page) == [str(number) for number in range(35, 45)]
    assert '?from=25"' in page and '?from=45"' in page
    assert 'id="line-25"' in adjuster.page(f"{long}pages/1/", **{"from": "25"})


def test_a_day_is_taken_as_people_write_it_and_never_guessed_from_figures(adjuster):
    for typed in ("2026-06-15", "15 June 2026", "15 jun 2026", "June 15, 2026"):
        assert "Friday 14 August 2026" in adjuster.page(
            "/policies/deadlines/", loss_date=typed, proof_of_loss_days="60"
        )


def test_M98_deadlines_are_known_with_weekday_and_basis_or_not_known_with_the_reason(adjuster):
    assert "The days" not in adjuster.page("/policies/deadlines/")
    page = adjuster.page("/policies/deadlines/", loss_date="2026-06-15", proof_of_loss_days="60")
    assert "Friday 14 August 2026" in page and "60 day(s) from the date of loss (2026-06-15)" in page
    assert "Not known" in page and "period for bringing suit was not supplied" in page


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("loss_date", "", "Give the date of loss."),
        ("loss_date", "15/6/2026", "Give a day like 15 June 2026 or 2026-06-15."),
        ("proof_of_loss_days", "0", "whole number of 1 or more"),
        ("proof_of_loss_days", "60 days", "whole number of 1 or more"),
        ("suit_limitation_months", "999999999", "beyond the calendar"),
        ("request_date", "2026-13-01", "Give a day like 15 June 2026 or 2026-06-15."),
    ],
)
def test_what_cannot_be_counted_says_why_at_its_field_and_keeps_what_was_typed(adjuster, field, typed, sentence):
    page = adjuster.page("/policies/deadlines/", 400, **{"loss_date": "2026-06-15", field: typed})
    assert sentence in page and f'<a href="#{field}">' in page
    assert f'value="{typed}"' in page


def test_D21_D24_a_file_states_whose_duty_a_period_is_and_only_the_insureds_gives_a_day(adjuster, policy):
    query = {"loss_date": "2026-11-30", "policy": policy.split("/")[2]}
    page = adjuster.page("/policies/deadlines/", **query)
    assert "counts from the insurer's request, which was not given" in page
    assert "The insured's duty" in page and "Not the insured's duty: no day follows from it" in page
    assert "Page 1, line 11" in page and "?lines=11-11#line-11" in page
    assert "Thursday 18 February 2027" in adjuster.page("/policies/deadlines/", **query, request_date="2026-12-20")
    both = adjuster.page("/policies/deadlines/", **query, proof_of_loss_days="60")
    assert "Friday 29 January 2027" in both and "which was not given" in both
    before = adjuster.page("/policies/deadlines/", 400, **query, request_date="2026-01-01")
    assert '<a href="#request_date">' in before


def test_deadlines_of_a_file_that_is_not_read_are_not_known(adjuster):
    document = receive_document(owner=adjuster.user, name="x.txt", data=POLICY, now=timezone.now()).document
    query = {"loss_date": "2026-11-30", "policy": str(document.pk)}
    assert "still being read" in adjuster.page("/policies/deadlines/", **query)


def test_A3_the_original_page_stands_beside_its_text_as_a_picture_with_the_lines_marked(adjuster, policy):
    other = Adjuster("jill")
    mixed = adjuster.upload((FIXTURES / "d14_mixed_scan.pdf").read_bytes(), "mixed.pdf")
    page = adjuster.page(f"{mixed}pages/1/", lines="3-3")
    assert f'<img src="{mixed}pages/1/picture/?lines=3-3" alt="Page 1 of the original, the quoted lines marked.' in page
    plain, marked = (adjuster.client.get(f"{mixed}pages/1/picture/{query}") for query in ("", "?lines=3-3"))
    for response in (plain, marked):
        assert response.headers["Content-Type"] == "image/png" and response.content.startswith(b"\x89PNG")
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert "sandbox" in response.headers["Content-Security-Policy"]
    assert plain.content != marked.content
    assert adjuster.page(f"{mixed}pages/4/picture/", 404) and other.page(f"{mixed}pages/1/picture/", 404)
    assert adjuster.page(f"{policy}pages/1/picture/", 404) and "<img" not in adjuster.page(f"{policy}pages/1/")


def test_a_page_that_cannot_be_drawn_has_its_text_all_the_same_and_too_many_wait(adjuster, monkeypatch):
    mixed = adjuster.upload((FIXTURES / "d14_mixed_scan.pdf").read_bytes(), "mixed.pdf")
    monkeypatch.setattr(adjuster_picture, "draw_upload", lambda *_: None)
    assert adjuster.page(f"{mixed}pages/1/picture/", 404) and "save the original" in adjuster.page(f"{mixed}pages/1/")
    monkeypatch.setattr(adjuster_picture, "SECONDS", 0.01)
    monkeypatch.setattr(adjuster_picture, "_making", threading.BoundedSemaphore(1))
    assert adjuster_picture._making.acquire()
    assert "Nothing is lost" in adjuster.page(f"{mixed}pages/1/picture/", 503)
