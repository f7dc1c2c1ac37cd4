"""The server's pages in a real browser: nobody's name runs, nothing is barred, nothing collides, nothing is wider than a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from ledger.entry import Provenance
from ledger.house.events import RulebookAdopted
from ledger.store import Ledger
from ledger.streams import HOUSE
from projections.books.rulebook import load
from tests.web.browser import SIZES, chromium, find_barriers, needs_chromium
from tests.web.conftest import Opened
from tests.web.nights import table_of, wrong_button
from tests.web.serving import AUDITOR, VIEWER, Served, serving
from tests.web.test_browser import collisions
from tests.web.test_rendering import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [needs_chromium, pytest.mark.slow]

LOOKED_AT = {
    "tables": "",
    "table": "?venue=Riverside&name=T7",
    "log": "?q=table:T7",
    "hand": "?id=412",
    "findings": "",
    "cases": "",
    "rules": "?book=hilton&clause=B15a.1",
    "results": "?by=player",
    "search": "?q=t7",
    "person": "?name=%3Cimg%20src=x%20onerror=alert(1)%3E",
    "imports": "",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def served(opened: Opened) -> Iterator[Served]:
    """A server of an evening whose players have hostile names, under a book that the house adopted."""
    ledger = opened(wrong_button(HOSTILE))
    _adopted(ledger)
    with serving(ledger) as running:
        yield running


def _adopted(ledger: Ledger) -> None:
    book = load("rrop4")
    adopted = RulebookAdopted(book.name, book.edition, book.digest, since=1_700_000_000_000)
    ledger.append("house", HOUSE, [adopted], recorded=Provenance(ledger.now()))


Visit = Callable[..., "Page"]


@contextmanager
def visiting(browser: Browser, served: Served, size: str, *, key: str = AUDITOR, dark: bool = False) -> Iterator[Page]:
    """A page of the server in a window of some size; what it complains of is kept in `page.said`."""
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light")
    context.add_cookies([{"name": "handledger", "value": key, "url": served.origin}])
    page = context.new_page()
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("dialog", lambda dialog: (messages.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.said = messages  # type: ignore[attr-defined]  # for the test
    try:
        yield page
    finally:
        context.close()


@pytest.mark.parametrize("path", LOOKED_AT)
def test_a_page_runs_nothing_and_bars_nobody(path: str, browser: Browser, served: Served) -> None:
    for size, dark in (("phone", False), ("laptop", True)):
        with visiting(browser, served, size, dark=dark) as page:
            answer = page.goto(f"{served.origin}/{path}{LOOKED_AT[path]}")
            assert answer is not None
            assert answer.status == 200
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            page.wait_for_timeout(200)
            assert page.said == []  # type: ignore[attr-defined]  # what the page complained of
            assert page.locator("img, svg[onload]").count() == 0
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
                size,
                "it is wider than the screen",
            )
            assert find_barriers(page) == [], (size, dark)


def test_hostile_names_are_read_on_some_page(browser: Browser, served: Served) -> None:
    """The control: the names that must not run do stand on these pages."""
    with visiting(browser, served, "laptop") as page:
        for path in ("results", "person", "hand"):
            page.goto(f"{served.origin}/{path}{LOOKED_AT[path]}")
            assert "<img src=x onerror=alert(1)>"[:12] in page.locator("main").inner_text()


def test_a_viewer_is_given_no_findings(browser: Browser, served: Served) -> None:
    with visiting(browser, served, "laptop", key=VIEWER) as page:
        answer = page.goto(f"{served.origin}/findings")
        assert answer is not None
        assert answer.status == 403
        assert "rrop4" not in page.locator("main").inner_text()


@pytest.mark.parametrize("seats", range(2, 11))
def test_nothing_on_a_served_table_collides(seats: int, browser: Browser, opened: Opened) -> None:
    ledger = opened(table_of(seats))
    _adopted(ledger)
    with serving(ledger) as running:
        for size, media in (("phone", "screen"), ("laptop", "screen"), ("laptop", "print")):
            with visiting(browser, running, size) as page:
                page.emulate_media(media=media, reduced_motion="reduce")  # type: ignore[arg-type]  # where parts rest
                page.goto(f"{running.origin}/hand?id=1")
                for key in ("Home", "2", "End", "b"):
                    page.keyboard.press(key)
                    assert collisions(page) == [], (size, media, key)


SELF_CONTRADICTING = """handscript 1
venue V  table 1  seats 4
witness live-table
game holdem no-limit cash blinds 2/5 unit USD 2
hand 1 2026-11-27T20:10:00-05:00
seat 1 Ana 200
seat 2 Bo 200
seat 3 Cy 200
button 1
2 posts small 2
3 posts big 5
deal
1 folds
4 calls
2 folds
3 checks
"""


@pytest.mark.parametrize("book", ["", "rrop4"])
def test_the_link_of_a_finding_opens_the_hand_at_that_finding(opened: Opened, browser: Browser, book: str) -> None:
    """Without a rulebook, and under one that the address names."""
    with serving(opened(SELF_CONTRADICTING)) as running, visiting(browser, running, "laptop") as page:
        page.goto(f"{running.origin}/findings{f'?book={book}' if book else ''}")
        link = page.locator(".found tr", has_text="record R7").locator("a", has_text="/1@")
        event = (link.get_attribute("href") or "").rpartition("#e=")[2]
        link.click()
        page.locator(".events tr.current").wait_for()
        assert page.locator(".events tr.current td").first.inner_text() == event
        assert page.locator(".now").inner_text().startswith(f"{event} of ")
        first = page.locator(".finding.current").first
        assert first.is_visible()
        assert "record R7" in first.inner_text()
        assert page.locator(".verdict .badge").first.inner_text().startswith("✗ ")
