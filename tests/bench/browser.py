"""Debian's Chromium, driven by Playwright; no browser is fetched."""

import contextlib
import importlib.util
from collections.abc import Iterator
from typing import Any

from tests.bench.processes import NotHere, find_program

QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextlib.contextmanager
def page() -> Iterator[Any]:
    """A page in a fresh profile, as a New Zealander's browser shows it. Raises NotHere."""
    if importlib.util.find_spec("playwright") is None:
        raise NotHere("Playwright is not installed (uv sync --group services)")
    chromium = find_program("chromium", "/usr/bin")
    if chromium is None:
        raise NotHere("Chromium is not on this machine (Debian: apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        try:
            context = browser.new_context(locale="en-NZ", timezone_id="Pacific/Auckland")
            context.set_default_timeout(15_000)
            yield context.new_page()
        finally:
            browser.close()


def barriers(page: Any) -> list[tuple[str, list[str]]]:
    """What axe-core finds wrong with the page as it stands: each rule with the markup that breaks it.

    Raises NotHere.
    """
    if importlib.util.find_spec("axe_playwright_python") is None:
        raise NotHere("axe-playwright-python is not installed (uv sync --group services)")
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [(each["id"], [node["html"] for node in each["nodes"]]) for each in found]
