"""The page of a house's own rules in a browser: by keyboard alone, for screen readers, on a phone, without a script."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from ledger.house.events import RulebookAdopted
from ledger.streams import HOUSE
from tests.web.browser import SIZES, chromium, find_barriers, needs_chromium
from tests.web.conftest import Opened
from tests.web.nights import wrong_button
from tests.web.serving import FLOOR, Served, serving
from web.server.judging_worker import JudgingWorker

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [needs_chromium, pytest.mark.slow]

MOST_TABS = 600
DRAFT = "/house-rules?base=rrop4&button.method.cash_big_bet=moving&betting.raise_cap=500&see=yes"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def served(opened: Opened) -> Iterator[Served]:
    with serving(opened(wrong_button()), writes=True) as running:
        yield running


@contextmanager
def visiting(
    browser: Browser, served: Served, size: str = "laptop", *, dark: bool = False, script: bool = True
) -> Iterator[Page]:
    """Open a page as the floor."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        java_script_enabled=script,
    )
    context.add_cookies([{"name": "handledger", "value": FLOOR, "url": served.origin}])
    yield context.new_page()
    context.close()


def tab_to(page: Page, condition: str) -> None:
    """Press Tab until the focused element, `it`, fits a condition."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate(f"(it => {condition})(document.activeElement)"):
            return
    raise AssertionError(f"Tab never reaches {condition}")


def test_a_house_changes_a_point_sees_what_it_changes_and_adopts_it_by_keyboard(
    browser: Browser, served: Served
) -> None:
    with JudgingWorker(served.ledger) as worker, visiting(browser, served) as page:
        served.ledger.judging = worker
        try:
            page.goto(f"{served.origin}/rules")
            tab_to(page, "it.textContent === 'Write your house\\'s own rules'")
            page.keyboard.press("Enter")
            page.wait_for_url("**/house-rules")
            tab_to(page, "it.id === 'base'")
            page.keyboard.type("rrop4")
            tab_to(page, "it.tagName === 'SUMMARY' && it.textContent.startsWith('Button and blinds')")
            page.keyboard.press("Enter")
            tab_to(page, "it.name === 'button.method.cash_big_bet'")
            for _ in range(2):
                page.keyboard.press("ArrowDown")
            tab_to(page, "it.textContent === 'See what would change'")
            page.keyboard.press("Enter")
            page.locator("#compared h3", has_text="New findings: 1").wait_for()
            assert find_barriers(page) == []
            assert page.locator("input[name='button.method.cash_big_bet']:checked").get_attribute("value") == "moving"
            tab_to(page, "it.id === 'name'")
            page.keyboard.type("my-room")
            tab_to(page, "it.textContent === 'Adopt this book'")
            page.keyboard.press("Enter")
            page.locator(".done", has_text="my-room (1) is adopted in every room, for all hands.").wait_for()
            assert find_barriers(page) == []
        finally:
            served.ledger.judging = None
    (event,) = [event for event in served.ledger.events(HOUSE) if isinstance(event, RulebookAdopted)]
    assert event.book == "my-room"


def test_the_enter_key_in_a_field_adopts_nothing(browser: Browser, served: Served) -> None:
    with visiting(browser, served) as page:
        page.goto(f"{served.origin}/house-rules?base=rrop4&button.buy=yes")
        page.locator("#name").focus()
        page.keyboard.type("my-room")
        page.keyboard.press("Enter")
        page.wait_for_url("**name=my-room**")
        assert page.locator("#name").input_value() == "my-room"
    assert not [event for event in served.ledger.events(HOUSE) if isinstance(event, RulebookAdopted)]


@pytest.mark.parametrize("size", list(SIZES))
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_is_barred_and_nothing_scrolls_sideways(
    browser: Browser, served: Served, size: str, dark: bool
) -> None:
    with visiting(browser, served, size, dark=dark) as page:
        for address in (DRAFT, DRAFT.replace("&betting.raise_cap=500", "")):
            page.goto(f"{served.origin}{address}")
            page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true })")
            assert find_barriers(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]


def test_it_works_without_a_script_and_a_refused_form_loses_nothing(browser: Browser, served: Served) -> None:
    with visiting(browser, served, "phone", script=False) as page:
        page.goto(f"{served.origin}{DRAFT}")
        assert "Write a whole number from 0 to 99." in page.locator("#compared").inner_text()
        page.locator("#compared a", has_text="How many raises").click()
        field = page.locator("input[name='betting.raise_cap']")
        assert field.input_value() == "500"
        field.fill("3")
        page.locator("input[name='missed.ways_back/straddle']").evaluate("box => box.closest('details').open = true")
        page.locator("input[name='missed.ways_back/straddle']").check()
        page.locator("button", has_text="Adopt this book").click()
        assert "Some answers don't fit." in page.locator(".refused").first.inner_text()
        assert "A straddle is a way back only if it settles missed blinds." in page.locator("main").inner_text()
        assert page.locator("input[name='missed.ways_back/straddle']").is_checked()
        assert field.input_value() == "3"
        page.locator("input[name='missed.ways_back/straddle']").uncheck()
        page.locator("#name").fill("my-room")
        page.locator("button", has_text="Adopt this book").click()
        assert "my-room (1) is adopted" in page.locator(".done").inner_text()
