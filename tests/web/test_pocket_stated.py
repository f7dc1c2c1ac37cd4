"""The page in the pocket: a hand that was dealt otherwise than it was due."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.browser import needs_chromium
from tests.web.pocket import needs_pyodide
from tests.web.pocket_page import PATIENCE, browser, folder, open_more, page, seat_players, server, started_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["browser", "folder", "page", "server", "started_page"]

pytestmark = [needs_chromium, needs_pyodide, pytest.mark.slow]


def test_a_wrong_button_is_said_to_be_wrong_and_what_it_means_now(page: Page) -> None:
    seat_players(page, 1, 2, 3, 4, 5, button=1)
    open_more(page, "different")
    page.locator('[data-button="4"]').click()
    page.locator(".sheet .deal-broken").wait_for(timeout=PATIENCE)
    assert "seat 4 instead of seat 2" in page.locator(".sheet .deal-broken").inner_text()
    page.locator("[data-act=record-different]").click()
    page.locator(".answer .deal-broken").wait_for(timeout=PATIENCE)
    assert "Hand 2 was dealt wrong" in page.locator(".answer .deal-broken").inner_text()
    page.locator(".answer .deal-broken button").first.click()
    reason = page.locator(".sheet").inner_text()
    assert "Seat 1 had the button in hand 1" in reason
    assert "undefined" not in reason
    page.keyboard.press("Escape")
    assert "Hand 3" in page.locator(".pots").inner_text()
    page.locator("[data-act=undo]").click()
    page.get_by_text("Hand 2", exact=True).wait_for()
    assert page.locator(".answer .deal-broken").count() == 0


def test_a_post_that_is_no_number_is_no_missing_post(page: Page) -> None:
    seat_players(page, 1, 2, 3, button=1)
    open_more(page, "different")
    page.locator(".sheet summary").click()
    page.locator(".posts-form input").first.fill("two")
    page.locator(".posts-form input").first.press("Enter")
    page.locator(".sheet .problem").wait_for(timeout=PATIENCE)
    assert "Type the chips that each player posted." in page.locator(".sheet .problem").inner_text()
    assert page.locator(".sheet .deal-broken").count() == 0


def test_stated_posts_begin_with_what_was_due(page: Page) -> None:
    seat_players(page, 1, 3, 5, 7, button=3)  # due: small blind 1 from seat 7, big blind 2 from seat 1
    open_more(page, "different")
    page.locator(".sheet summary").click()
    fields = page.locator(".posts-form input")
    assert {field.get_attribute("name"): field.input_value() for field in fields.all()} == {
        "1": "2",
        "3": "",
        "5": "",
        "7": "1",
    }
    page.locator('.posts-form [name="7"]').fill("2")
    page.locator('.posts-form [name="7"]').press("Enter")
    page.locator(".sheet .deal-broken").wait_for(timeout=PATIENCE)
    faults = page.locator(".sheet .deal-broken").inner_text()
    assert "eat 7" in faults
    assert "eat 1 " not in faults, "its big blind is as it was due"
    page.locator('.posts-form [name="7"]').fill("1")
    page.locator('.posts-form [name="7"]').press("Enter")
    page.locator(".sheet .deal-broken").wait_for(state="detached", timeout=PATIENCE)
