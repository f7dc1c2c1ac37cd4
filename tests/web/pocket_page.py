"""Fixtures and helpers for tests that tap on the page in the pocket, in Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.browser import chromium
from tests.web.pocket import StaticServer, build_folder, static_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

PHONE, TABLET = (360, 740), (768, 1024)
MAX_SENT = 8_000_000
PATIENCE = 120_000  # milliseconds until Python has started on a busy machine
TABLE = {"handledger": "table/1", "game": "limit 4/8", "seats": 9, "rulebook": "hilton", "steps": []}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_folder(tmp_path_factory)


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[StaticServer]:
    with static_server(folder) as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def open_page(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.messages = []  # type: ignore[attr-defined]  # what the browser complains of
    page.on("console", lambda message: page.messages.append(message.text))
    page.on("pageerror", lambda error: page.messages.append(str(error)))
    page.on("dialog", lambda dialog: (page.messages.append(dialog.message), dialog.dismiss()))
    page.goto(address)
    wait_until_started(page)
    return page


def wait_until_started(page: Page) -> None:
    page.locator("#pocket[data-ready]").wait_for(state="attached", timeout=PATIENCE)


def new_context(browser: Browser, size: tuple[int, int] = PHONE, **options: Any) -> BrowserContext:
    return browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", **options)


@pytest.fixture(scope="module")
def started_page(browser: Browser, server: StaticServer) -> Iterator[Page]:
    """A page whose Python has started, for many tests: a start takes seconds."""
    context = new_context(browser, locale="en-US")
    yield open_page(context, server.address)
    context.close()


@pytest.fixture
def page(started_page: Page) -> Iterator[Page]:
    """The page with a new table."""
    started_page.messages.clear()
    start_again(started_page)
    started_page.locator("[data-act=book]").select_option("hilton")
    yield started_page
    assert started_page.messages == []


def start_again(page: Page) -> None:
    page.keyboard.press("Escape")
    open_more(page, "more")
    page.locator("[data-act=new-table]").click()
    page.locator("[data-act=everybody]").wait_for(timeout=PATIENCE)


def seat_players(page: Page, *seats: int, button: int) -> None:
    for seat in seats:
        page.locator(f'[data-seat="{seat}"]').click()
    page.locator("[data-act=to-button]").click()
    page.locator(f'[data-seat="{button}"]').click()
    page.locator(".posts li").first.wait_for(timeout=PATIENCE)


def posts_of(page: Page) -> list[str]:
    return page.locator(".posts li > span").all_inner_texts()


def open_more(page: Page, act: str) -> None:
    page.locator(f"[data-act={act}]").click()
    page.locator(".sheet").wait_for()
