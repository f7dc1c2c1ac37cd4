"""Five journeys through the server's pages with the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from ledger.entry import Provenance
from ledger.house.events import RulebookAdopted
from ledger.streams import HOUSE
from projections.books.rulebook import load
from tests.web.browser import chromium, find_barriers, needs_chromium
from tests.web.conftest import Opened
from tests.web.nights import wrong_button
from tests.web.serving import AUDITOR, VIEWER, Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [needs_chromium, pytest.mark.slow]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def served(opened: Opened) -> Iterator[Served]:
    ledger = opened(wrong_button())
    book = load("rrop4")
    adopted = RulebookAdopted(book.name, book.edition, book.digest, since=1_700_000_000_000)
    ledger.append("house", HOUSE, [adopted], recorded=Provenance(ledger.now()))
    with serving(ledger) as running:
        yield running


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """The list of tables, as an auditor who has no mouse finds it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_cookies([{"name": "handledger", "value": AUDITOR, "url": served.origin}])
    opened_page = context.new_page()
    opened_page.goto(f"{served.origin}/tables")
    opened_page.locator("html[data-palette=ready]").wait_for()
    yield opened_page
    context.close()


def search(page: Page, letters: str, match: str) -> None:
    """Open the search, type some letters, and wait for a match."""
    page.keyboard.press("/")
    page.keyboard.type(letters)
    page.locator(".palette li", has_text=match).first.wait_for()


def test_from_the_first_page_to_a_hand_by_its_address(page: Page) -> None:
    search(page, "T7/412", "T7/412")
    page.keyboard.press("Enter")
    page.wait_for_url("**/hand?id=*")
    assert "Hand T7/412" in page.locator("h2").first.inner_text()


def test_from_a_player_to_that_players_page(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("cy")
    page.locator(".palette li", has_text="person").first.wait_for()
    while "person" not in page.locator(".palette li[aria-selected=true]").inner_text():
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/person?name=Cy")


def test_from_a_clause_to_its_page(page: Page) -> None:
    search(page, "rrop4 b", "rrop4 b")
    assert find_barriers(page) == []
    chosen = page.locator(".palette li[aria-selected=true]").get_attribute("data-link") or ""
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{chosen}")


def test_through_a_list_with_j_and_k_to_a_hand(page: Page) -> None:
    search(page, "log", "log")
    page.keyboard.press("Enter")
    page.wait_for_url("**/log")
    page.locator("html[data-palette=ready]").wait_for()
    addresses = page.locator(".list tbody tr th a")
    assert addresses.count() > 1
    for key, row in (("j", 0), ("j", 1), ("k", 0)):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.closest('tr').rowIndex") == row + 1
        assert page.evaluate("document.activeElement.href") == addresses.nth(row).evaluate("link => link.href")
    page.keyboard.press("Enter")
    page.wait_for_url("**/hand?id=*")


def test_past_the_heading_to_the_table_that_is_due(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table?*")
    assert page.locator("#due").is_visible()


def test_a_slash_in_a_field_is_a_letter(page: Page) -> None:
    page.goto(page.url.replace("/tables", "/findings"))
    page.locator("html[data-palette=ready]").wait_for()
    page.locator("form.ask input[type=search]").focus()
    page.keyboard.type("a/b")
    assert page.locator("form.ask input[type=search]").input_value() == "a/b"
    assert not page.locator("dialog.palette").is_visible()


def test_escape_closes_the_search_and_nothing_is_opened(page: Page) -> None:
    search(page, "T7", "T7")
    page.keyboard.press("Escape")
    assert not page.locator("dialog.palette").is_visible()
    assert page.url.endswith("/tables")


def test_a_search_without_a_script_lists_links(served: Served) -> None:
    status, text, _ = served.ask("/search?q=412")
    assert status == 200
    assert ">T7/412</a>" in text


def test_a_viewers_search_finds_no_findings_page_and_no_case(served: Served) -> None:

    text = served.ask("/search.json?q=findings", key=VIEWER)[1]
    assert '"link": "/findings"' not in text
