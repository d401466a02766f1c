"""The first page and the error pages: opening a claim, its cookie, what is refused and what is kept."""

from datetime import date

import pytest
from django.test import Client

from claims.models import Claim
from tests.builders_pages import Customer


def test_the_first_page_is_small_and_names_nothing_from_elsewhere(portal):
    response = Client().get("/")
    page = response.content.decode()
    assert response.status_code == 200
    assert '<html lang="en-NZ">' in page and 'href="#main"' in page
    assert "Northwind is fictional, and all policies here are synthetic." in page
    assert "Answers come from the offline chooser, not a language model." in page
    assert "http://" not in page.replace("http-equiv", "") and "https://" not in page
    assert "style=" not in page and "<style" not in page and "onclick" not in page
    assert "script-src 'self'" in response.headers["Content-Security-Policy"]


def test_M55_the_demo_lists_the_ten_policies_and_puts_one_into_the_form(portal):
    page = Client().get("/").content.decode()
    assert page.count("?policy=NW-") == 10
    assert 'value="NW-HOM-310201"' in Client().get("/?policy=NW-HOM-310201").content.decode()


def test_opening_keeps_the_token_in_a_cookie_that_no_script_reads_and_in_no_address(portal, settings):
    customer = Customer()
    response = customer.open()
    cookie = response.cookies["claims"]
    assert response.status_code == 302
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and not cookie["secure"]
    reference, token = cookie.value.split(":")
    assert customer.address == f"/claims/{reference}/"
    assert token not in customer.page()
    settings.DEBUG = False
    assert Customer().open(postcode="6011").cookies["claims"]["secure"]


def test_C7_the_first_page_offers_to_go_on_with_the_claims_of_this_browser(customer):
    first = customer.address
    customer.open("NW-MTR-204519")
    page = customer.client.get("/").content.decode()
    assert page.index(customer.address) < page.index(first)
    assert "Go on with claim" not in Client().get("/").content.decode()


def test_only_the_newest_five_claims_are_kept(customer):
    opened = [customer.address]
    for _ in range(5):
        customer.open()
        opened.append(customer.address)
    page = customer.client.get("/").content.decode()
    assert [address in page for address in opened] == [False, True, True, True, True, True]


@pytest.mark.parametrize("cookie", ["", "x", "CL-1:", ":|:", "CL-\x00:y", "|||", "CL-ÿ:z", "a:b:c"])
def test_a_damaged_cookie_is_no_cookie(portal, cookie):
    client = Client()
    client.cookies["claims"] = cookie
    assert client.get("/").status_code == 200
    assert client.get("/claims/CL-23456789ABCD/").status_code == 404


def test_C9_what_is_wrong_with_the_form_is_said_above_it_and_beside_the_field_and_the_rest_is_kept(portal):
    response = Client().post("/", {"policy_number": "", "family": "motor", "loss_date": "31/31/2020"})
    page = response.content.decode()
    assert response.status_code == 400
    assert "<title>Error: " in page and "There is a problem" in page
    assert '<a href="#policy_number">Type the policy number' in page
    assert 'aria-invalid="true"' in page and 'value="31/31/2020"' in page
    assert Claim.objects.count() == 0


def test_a_wrong_day_of_loss_is_said_beside_its_field_in_the_opened_part(portal):
    response = Client().post("/", {"policy_number": "NW-MTR-204518", "loss_date": "31/31/2020"})
    page = response.content.decode()
    assert response.status_code == 400
    assert '<a href="#loss_date">' in page and '<details class="more" open>' in page


def test_a_kind_of_policy_and_a_day_given_at_the_start_are_confirmed(portal):
    customer = Customer()
    customer.open("no such number", family="home", loss_date="4/4/2026")
    claim = Claim.objects.get()
    assert {f.field: (f.value, f.confirmed) for f in claim.facts.all()} == {
        "family": ("home", True),
        "loss_date": (date(2026, 4, 4).isoformat(), True),
    }
    assert "4 April 2026" in customer.page()


def test_without_debug_the_postcode_is_needed_and_a_wrong_one_is_like_an_unknown_number(portal, settings):
    settings.DEBUG = False
    refused = Customer().open()
    assert refused.status_code == 400 and '<a href="#postcode">' in refused.content.decode()
    pages = []
    for number, postcode in (("NW-MTR-204518", "9999"), ("NW-MTR-000000", "6011")):
        customer = Customer()
        customer.open(number, postcode=postcode)
        pages.append(customer.page())
    assert all("could not find a schedule for this policy number and postcode" in page for page in pages)
    page = Client().get("/?policy=NW-MTR-204518").content.decode()
    assert "ten policies" not in page and 'value="NW-MTR-204518"' not in page and "Demo." not in page


def test_over_the_rate_the_form_is_kept_and_says_when_to_try_again(portal, settings):
    settings.PORTAL_CLAIMS_AN_HOUR = 1
    assert Customer().open().status_code == 302
    response = Customer().open("NW-MTR-204519")
    assert (response.status_code, response.headers["Retry-After"]) == (429, "3600")
    assert 'value="NW-MTR-204519"' in response.content.decode()


@pytest.mark.parametrize("debug", [True, False])
def test_an_address_without_a_page_says_so_kindly(portal, settings, debug):
    settings.DEBUG = debug
    response = Client().get("/no/such/page/")
    assert response.status_code == 404
    assert "There is no page at this address" in response.content.decode()
    api = Client().get("/api/no/such/call/")
    assert (api.status_code, api.headers["Content-Type"]) == (404, "application/problem+json")


@pytest.mark.parametrize("debug", [True, False])
def test_a_form_from_elsewhere_is_refused_in_plain_words(portal, settings, debug):
    settings.DEBUG = debug
    response = Client(enforce_csrf_checks=True).post("/", {"policy_number": "NW-MTR-204518"})
    assert response.status_code == 403
    assert "Please send it again" in response.content.decode()


@pytest.mark.parametrize("debug", [True, False])
def test_a_body_that_is_too_large_is_refused_in_plain_words(portal, settings, debug):
    settings.DEBUG = debug
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.get("/")
    response = client.post("/", {"policy_number": "x" * 300_000})
    assert response.status_code == 400
    assert "We could not read what was sent" in response.content.decode()
