"""A person at the page that keeps a table: taps, writes lines, and reads what the page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def wait_until_ready(page: Page) -> None:
    """Wait until the page's script has drawn the table."""
    page.wait_for_selector("html[data-keeps]", state="attached")


def press(page: Page, *names: str) -> None:
    """Press buttons by their names; a button of the panel by the beginning of its name."""
    for name in names:
        page.get_by_role("button", name=name, exact=True).click()


def act(page: Page, *acts: str) -> None:
    """Press buttons of the panel: fold, call, check, around, next, undo."""
    for word in acts:
        page.locator(f"[data-act={word}]").click()


def pick(page: Page, *cards: str) -> None:
    """Tap cards in the grid."""
    for card in cards:
        page.locator(f".panel [data-card='{card}']").click()


def bet(page: Page, amount: str) -> None:
    """Bet or raise to an amount on the big keys."""
    page.locator("[data-act=raise]").click()
    for key in amount:
        page.locator(f".panel [data-key='{key}']").click()
    page.locator("[data-act=keypad-done]").click()


def open_record(page: Page) -> Locator:
    """Open the sheet with the record, unless it is open, and return the field for a line."""
    if not page.locator("[data-sheet=record]").count():
        page.locator("[data-act=record]").click()
    return page.locator("form.ask input[name=written]")


def write(page: Page, *lines: str) -> None:
    """Write lines in the record's sheet, and close it."""
    for line in lines:
        field = open_record(page)
        field.fill(line)
        page.locator("form.ask button").click()
    page.locator("[data-act=close]").click()


def chair_text(page: Page, seat: int) -> list[str]:
    """Return what a chair shows, part by part."""
    parts = page.locator(
        f".chair[data-seat='{seat}'] > .plate > *, .chair[data-seat='{seat}'] > .bet"
    ).all_inner_texts()
    return [part.strip() for part in parts if part.strip()]
