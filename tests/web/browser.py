"""The machine's own Chromium, for tests that look at pages as a person does; without one they are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

_PROGRAMS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Programs of one engine. The first has no window to draw: a page takes it a quarter of the processor time."""

CHROMIUM: Final = next(filter(None, map(shutil.which, _PROGRAMS)), None)

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")

OTHER_MACHINE: Final = "tablet.test"
"""A name under which a page is one of another machine, which browsers give less to over plain HTTP."""
PATIENCE_MS: Final = 150_000
"""How long a page may take to show something: half the time limit of a test, so that a busy machine fails none."""

_RUNNING: Final[list[Browser]] = []

SIZES: Final = {"phone": (390, 844), "laptop": (1280, 900)}


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium for some tests."""
    with sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", f"--host-resolver-rules=MAP {OTHER_MACHINE} 127.0.0.1"]
        )
        new_context = browser.new_context

        def new_patient_context(**options: Any) -> BrowserContext:
            context = new_context(**options)
            context.set_default_timeout(PATIENCE_MS)
            return context

        browser.new_context = new_patient_context  # type: ignore[method-assign]  # for all contexts of the tests
        _RUNNING.append(browser)
        try:
            yield browser
        finally:
            _RUNNING.remove(browser)
            browser.close()


@contextmanager
def closing_contexts() -> Iterator[None]:
    """Close the contexts that are opened inside: a page that nobody looks at any more asks its server on and on."""
    earlier_contexts = [context for browser in _RUNNING for context in browser.contexts]
    try:
        yield
    finally:
        for browser in _RUNNING:
            for context in browser.contexts:
                if context not in earlier_contexts:
                    context.close()


def visited(
    browser: Browser,
    address: str,
    *,
    size: str = "laptop",
    script: bool = True,
    media: str = "screen",
    dark: bool = False,
) -> Page:
    """Open a page without a network; what it complains of is kept in `page.said`."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        java_script_enabled=script,
        offline=True,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.emulate_media(media=media)  # type: ignore[arg-type]  # screen or print
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("dialog", lambda dialog: (messages.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.goto(address)
    page.said = messages  # type: ignore[attr-defined]  # for the test
    return page


def wait_until_settled(page: Page) -> None:
    """Wait until nothing that was pressed on a page that keeps a table waits any more."""
    page.wait_for_function(
        "() => Object.entries(localStorage).every(([name, text]) => !name.startsWith('handledger acts ') || !JSON.parse(text).acts.length)"
    )


def find_barriers(page: Page) -> list[str]:
    """Return what bars somebody from a page: each rule that is broken, with the elements that break it.

    Only broken rules are described: describing the kept ones takes as long as finding both.
    """
    response = Axe().run(page, options={"resultTypes": ["violations"]}).response
    return [f"{rule['id']}: {[node['html'][:100] for node in rule['nodes']]}" for rule in response["violations"]]
