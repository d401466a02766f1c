"""The adjuster's pages in a real browser: good files and bad ones, asked, opened at the page; axe finds nothing."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.bench.browser import barriers
from tests.bench.portal import ServedPortal, serving
from tests.bench.processes import NotHere
from tests.claims.documents import drawn_policies, hostile_pdfs

pytestmark = pytest.mark.browser
FIXTURES = Path(__file__).parents[1] / "claims" / "documents" / "fixtures"
MIXED = (FIXTURES / "d14_mixed_scan.pdf").read_bytes()
SIZES = {"phone": (375, 740), "desk": (1280, 900)}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPortal]:
    with serving(tmp_path_factory.mktemp("adjuster")) as portal:
        yield portal


class Desk:
    """An adjuster at work; `complaints` are the console's, `elsewhere` are requests to other origins."""

    def __init__(self, page: Any, served: ServedPortal) -> None:
        self.page, self.url = page, served.url
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        password = re.findall(r"adjuster +(\w{4}-\w{4}-\w{4}-\w{4})", served.output())[0]
        page.goto(f"{self.url}/policies/")
        page.get_by_label("Username").fill("adjuster")
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Log in").click()
        page.wait_for_url("**/policies/")
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self._note(request.url))

    def _note(self, address: str) -> None:
        if not address.startswith((self.url, "data:")):
            self.elsewhere.append(address)

    def choose(self, name: str, data: bytes) -> None:
        """Upload a file, and wait for the page that comes."""
        self.page.goto(f"{self.url}/policies/")
        kind = "application/octet-stream"
        self.page.get_by_label("Upload a policy").set_input_files({"name": name, "mimeType": kind, "buffer": data})
        with self.page.expect_navigation(timeout=60_000):
            self.page.get_by_role("button", name="Upload", exact=True).click(no_wait_after=True)

    def ask(self, words: str) -> Any:
        """The places that were found."""
        self.page.get_by_label("Where does this policy speak of").fill(words)
        with self.page.expect_navigation():
            self.page.get_by_role("button", name="Find").click()
        return self.page.locator("article.card")

    def text(self) -> str:
        return str(self.page.locator("main").inner_text())

    def fits(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

    def is_in_view(self, locator: Any) -> bool:
        box, size = locator.bounding_box(), self.page.viewport_size
        return bool(box and box["y"] >= 0 and box["y"] + box["height"] <= size["height"])


@pytest.fixture(params=["desk", "phone", "phone without JavaScript", "dark desk"])
def desk(request: Any, browser_page: Any, served: ServedPortal) -> Iterator[Desk]:
    width, height = SIZES["phone" if "phone" in request.param else "desk"]
    context = browser_page.context.browser.new_context(
        viewport={"width": width, "height": height},
        java_script_enabled="without" not in request.param,
        color_scheme="dark" if "dark" in request.param else "light",
    )
    context.set_default_timeout(15_000)
    someone = Desk(context.new_page(), served)
    yield someone
    context.close()
    assert someone.complaints == []
    assert someone.elsewhere == []


@pytest.fixture
def plain_desk(browser_page: Any, served: ServedPortal) -> Desk:
    browser_page.set_viewport_size({"width": 1280, "height": 900})
    return Desk(browser_page, served)


def a_good_file(mark: str) -> bytes:
    """A booklet in two columns; `mark` makes its bytes a file of its own."""
    return drawn_policies.two_columns().data() + f"\n% {mark}\n%%EOF\n".encode()


def a_scan() -> bytes:
    """A page with nothing on it but a picture."""
    from PIL import Image

    made = BytesIO()
    canvas = Canvas(made, invariant=1)
    canvas.drawInlineImage(Image.new("RGB", (60, 80), "#dddddd"), 40, 40, 500, 700)
    canvas.showPage()
    canvas.save()
    return made.getvalue()


def test_A3_a_good_file_is_asked_and_the_quotation_opens_at_its_page(desk, request):
    desk.choose("booklet.pdf", a_good_file(request.node.name))
    assert "2 pages, all read" in desk.text() and desk.fits()
    places = desk.ask("frost")
    assert places.count() == 2 and "Found in text that can support a position" in desk.text()
    assert places.first.locator("mark").first.inner_text() == "frost" and desk.fits()
    with desk.page.expect_navigation():
        places.first.get_by_role("link", name="Open at its page").click()
    desk.page.wait_for_load_state("networkidle")
    line = desk.page.locator(".line.quoted")
    assert line.count() == 1 and line.locator("mark").inner_text() == "frost" and desk.is_in_view(line)
    assert desk.page.locator(".sheet img").evaluate("image => image.naturalWidth") > 500
    assert desk.fits()
    desk.page.get_by_role("link", name="booklet.pdf: what was found").click()
    assert desk.page.get_by_label("Where does this policy speak of").input_value() == "frost"


def test_A2_a_scan_is_refused_and_shown(plain_desk):
    plain_desk.choose("scan.pdf", a_scan())
    assert "No text could be read from this file" in plain_desk.text() and "not silence" in plain_desk.text()
    assert plain_desk.page.get_by_label("Where does this policy speak of").count() == 0
    plain_desk.page.get_by_role("link", name="Page 1").first.click()
    plain_desk.page.wait_for_load_state("networkidle")
    assert plain_desk.page.locator(".sheet img").evaluate("image => image.naturalWidth") > 500


def test_A2_a_mixed_file_is_never_silent_about_the_page_that_was_not_read(desk):
    desk.choose("mixed.pdf", MIXED)
    desk.page.goto(f"{desk.url}/policies/")
    desk.page.get_by_role("link", name="mixed.pdf").last.click()
    assert "2 of 3 pages read. Not read: page 2: a picture without text" in desk.text()
    assert desk.ask("rats").count() == 0
    assert "Not known: part of the file was not read" in desk.text()
    desk.page.get_by_role("link", name="Page 2").first.click()
    desk.page.wait_for_load_state("networkidle")
    assert "That is not silence: look at the page in the original." in desk.text()
    assert desk.page.locator(".sheet img").evaluate("image => image.naturalWidth") > 500 and desk.fits()


def test_U1_a_bomb_is_not_read_says_why_and_the_desk_goes_on(plain_desk):
    plain_desk.choose("bomb.pdf", hostile_pdfs.flate())
    assert "Not read." in plain_desk.text() and "512 MiB" in plain_desk.text()
    plain_desk.choose("after.txt", b"EXCLUSIONS\nWe do not pay for frost or rust, or for what they do.\n" * 5)
    assert "1 page, read" in plain_desk.text()


def test_A9_a_duplicate_is_recognised_and_leads_to_the_file(plain_desk):
    data = a_good_file("twice")
    plain_desk.choose("first.pdf", data)
    first = plain_desk.page.url
    plain_desk.choose("second.pdf", data)
    assert "You have uploaded this file already" in plain_desk.text()
    plain_desk.page.get_by_role("link", name="Open it").click()
    assert plain_desk.page.url == first


def test_A1_a_page_that_waits_for_the_reading_shows_it_by_itself_when_it_is_done(plain_desk):
    plain_desk.choose("soon.pdf", a_good_file("soon"))
    page, began = plain_desk.page, []

    def still_being_read(route):
        """The first answer is the page as it was a moment ago."""
        answer = route.fetch()
        body = answer.text()
        if not began:
            began.append(True)
            body = body.replace("<strong>Read.</strong>", "<strong>Being read now.</strong>")
            body = body.replace("</head>", '<script src="/static/portal/wait.js" defer></script></head>')
        route.fulfill(response=answer, body=body)

    page.route(page.url, still_being_read)
    page.reload()
    assert "Being read now." in plain_desk.text()
    page.get_by_text("Read. 2 pages, all read").wait_for()


def test_a_file_over_the_limit_is_refused_on_the_form(plain_desk):
    plain_desk.choose("large.pdf", b"%PDF-" + b"0" * 11_000_000)
    assert "larger than 10 MB" in plain_desk.text()
    plain_desk.page.locator(".problem:focus").wait_for()


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_and_targets_are_large_enough(browser_page, served, size, missing):
    browser_page.set_viewport_size(dict(zip(("width", "height"), SIZES[size], strict=True)))
    desk = Desk(browser_page, served)
    desk.choose(f"{size}.pdf", a_good_file(f"axe {size}"))
    file = desk.page.url
    section = desk.page.locator("table a").nth(6).get_attribute("href")
    document = file.split("/")[-2]
    for address in (
        "/policies/",
        f"/policies/?known={document}",
        "/policies/limits/",
        "/policies/deadlines/",
        f"/policies/deadlines/?loss_date=2026-06-15&policy={document}",
        "/policies/deadlines/?loss_date=x",
        file.removeprefix(desk.url),
        f"/policies/{document}/?q=frost",
        f"/policies/{document}/?q=",
        f"/policies/{document}/pages/1/?lines=13-13&q=frost",
        section,
        "/policies/00000000-0000-0000-0000-000000000000/",
    ):
        desk.page.goto(f"{desk.url}{address}")
        for details in desk.page.locator("details").all():
            details.evaluate("d => { d.open = true }")
        try:
            assert barriers(desk.page) == [], address
        except NotHere as reason:
            missing(reason)
        assert desk.fits(), address
        small = desk.page.evaluate(
            """() => [...document.querySelectorAll('button, summary, input, select, textarea, a')]
                .filter(e => !e.closest('p, dd, li') || e.matches('button'))
                .filter(e => e.offsetParent && !e.matches('[type=hidden]') && !e.matches('.skip'))
                .filter(e => { const r = e.getBoundingClientRect(); return r.width < 24 || r.height < 24 })
                .map(e => e.outerHTML.slice(0, 80))"""
        )
        assert small == [], address
