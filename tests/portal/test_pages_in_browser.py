"""The product in a real browser, answered by the offline chooser: phone and desk, with JavaScript and without."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.bench.portal import ServedPortal, serving
from tests.builders_pages import RENTAL_QUESTION

pytestmark = pytest.mark.browser
SIZES = {"phone": (360, 740), "desk": (1280, 900), "narrow": (320, 640)}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPortal]:
    """The product with nothing set but the rate of new claims: these tests open more than one address may."""
    with serving(tmp_path_factory.mktemp("pages"), environment={"PORTAL_CLAIMS_AN_HOUR": "0"}) as portal:
        yield portal


class Visitor:
    """A page in a context of its own; `complaints` are the console's, `elsewhere` are requests to other origins."""

    def __init__(self, page: Any, url: str) -> None:
        self.page, self.url = page, url
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self._note(request.url))

    def _note(self, address: str) -> None:
        if not address.startswith((self.url, "data:")):
            self.elsewhere.append(address)

    def open(self, policy_number: str) -> None:
        self.page.goto(f"{self.url}/")
        self.page.get_by_label("Policy number").fill(policy_number)
        self.page.get_by_role("button", name="Start", exact=True).click()
        self.page.wait_for_url("**/claims/CL-*/")

    def ask(self, text: str) -> str:
        """Type a question, press Send, and read the answer that it got."""
        before = self.page.locator("article.answer").count()
        self.page.get_by_label("Your question").fill(text)
        self.page.get_by_role("button", name="Send").click(no_wait_after=True)
        # A turn may take its whole deadline, and the first one of a process loads what answers.
        self.page.locator("article.answer").nth(before).wait_for(timeout=45_000)
        return str(self.page.locator("article.answer").nth(before).inner_text())

    def fits(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.fixture(params=["phone", "desk", "phone without JavaScript", "dark desk"])
def visitor(request: Any, browser_page: Any, served: Any) -> Iterator[Visitor]:
    width, height = SIZES["phone" if "phone" in request.param else "desk"]
    context = browser_page.context.browser.new_context(
        viewport={"width": width, "height": height},
        java_script_enabled="without" not in request.param,
        color_scheme="dark" if "dark" in request.param else "light",
        locale="en-NZ",
        timezone_id="Pacific/Auckland",
    )
    context.set_default_timeout(15_000)
    someone = Visitor(context.new_page(), served.url)
    yield someone
    context.close()
    assert someone.complaints == []
    assert someone.elsewhere == []


def test_M1_M2_M3_a_customer_asks_the_three_questions_of_the_readme_and_opens_the_clause(visitor):
    visitor.open("NW-MTR-204518")
    included = visitor.ask(RENTAL_QUESTION)
    assert "MTR-BEN-03" in included and "subject to the claim being accepted" in included
    assert "MTR-BEN-03" in visitor.ask("Does that include fuel?")
    page = visitor.page
    clause = page.locator("article.answer").first.locator("details.clause").first
    text = clause.locator(".clause-text")
    assert not text.is_visible()
    clause.locator("summary").click()
    assert text.is_visible() and "fuel, tolls, parking and fines" in text.inner_text()
    assert text.locator("li").count() == 6
    visitor.open("NW-MTR-204519")
    not_listed = visitor.ask(RENTAL_QUESTION)
    assert "Your schedule does not list alternative transport" in not_listed and "MTR-BEN-03" in not_listed


def test_C2_a_person_is_asked_for_by_keyboard(visitor):
    visitor.open("NW-MTR-204518")
    visitor.page.get_by_role("button", name="Ask for a person").focus()
    visitor.page.keyboard.press("Enter")
    visitor.page.locator("article.portal").wait_for()
    assert "Reference WL-" in visitor.page.locator("article.portal").inner_text()


def test_C9_after_an_error_the_summary_has_the_focus_and_leads_to_the_field(visitor):
    visitor.open("NW-MTR-204518")
    visitor.page.get_by_role("button", name="Send").click()
    visitor.page.get_by_text("There is a problem").wait_for()
    visitor.page.locator(".problem:focus").wait_for()
    visitor.page.get_by_role("link", name="The message is empty").click()
    assert visitor.page.locator("textarea:focus").count() == 1
    # Chromium reports the status of a refused form in the console; that is no fault of the page.
    visitor.complaints = [text for text in visitor.complaints if "status of 400" not in text]


def test_C8_a_fact_is_added_and_the_kind_of_policy_chosen(visitor):
    visitor.open("NW-UNKNOWN-1")
    visitor.ask("Is hail included?")
    visitor.page.get_by_role("button", name="Home", exact=True).click()
    visitor.page.locator("dl.facts", has_text="Home").wait_for()
    visitor.page.locator("summary", has_text="Add Date of loss").click()
    visitor.page.get_by_label("Date of loss").fill("4 April 2026")
    visitor.page.get_by_role("button", name="Save Date of loss").click()
    visitor.page.locator("dl.facts dd", has_text="4 April 2026").wait_for()


def test_C5_nothing_runs_over_the_side_at_320_pixels_and_targets_are_large_enough(browser_page, served):
    browser_page.set_viewport_size({"width": 320, "height": 640})
    visitor = Visitor(browser_page, served.url)
    visitor.open("NW-MTR-204518")
    visitor.ask(f"{RENTAL_QUESTION} {'x' * 300}")
    for details in browser_page.locator("details").all():
        details.evaluate("d => { d.open = true }")
    assert visitor.fits()
    small = browser_page.evaluate(
        """() => [...document.querySelectorAll('button, summary, input, select, textarea, a')]
            .filter(e => !e.closest('p') || e.matches('button'))
            .filter(e => e.offsetParent && !e.matches('[type=hidden]') && !e.matches('.skip'))
            .filter(e => { const r = e.getBoundingClientRect(); return r.width < 24 || r.height < 24 })
            .map(e => e.outerHTML.slice(0, 80))"""
    )
    assert small == []
    for address in ("/", "/claims/CL-23456789ABCD/", "/no/such/page/", "/api/docs/"):
        browser_page.goto(f"{served.url}{address}")
        assert visitor.fits(), address


def test_C5_a_first_view_is_under_150_kilobytes(browser_page, served):
    sizes: list[int] = []
    browser_page.on("response", lambda response: sizes.append(len(response.body())))
    visitor = Visitor(browser_page, served.url)
    visitor.open("NW-MTR-204518")
    browser_page.wait_for_load_state("networkidle")
    assert 1_000 < sum(sizes) < 150_000


def test_C4_while_a_message_is_on_its_way_the_button_rests_and_the_page_says_what_happens(browser_page, served):
    visitor = Visitor(browser_page, served.url)
    visitor.open("NW-MTR-204518")
    # Kept from leaving, the page stays as it is while a message is on its way.
    browser_page.evaluate("document.querySelector('form.write').addEventListener('submit', e => e.preventDefault())")
    browser_page.get_by_label("Your question").fill("Hello")
    browser_page.get_by_role("button", name="Send").click()
    browser_page.get_by_text("Looking in your policy…").wait_for()
    assert browser_page.get_by_role("button", name="Send").is_disabled()
    assert browser_page.get_by_label("Your question").input_value() == "Hello"
