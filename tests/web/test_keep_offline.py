"""A kept table's page is opened again without a network: for its user alone, as the table stood, and nothing else is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error

from ledger.store import open as open_ledger
from tests.web.browser import OTHER_MACHINE, chromium, needs_chromium, wait_until_settled
from tests.web.keeping import act, wait_until_ready
from tests.web.test_keep_waiting import Room

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

KEPT = """async () => {
  const addresses = [];
  for (const name of await caches.keys()) addresses.push(...(await (await caches.open(name)).keys()).map((one) => one.url));
  return addresses;
}"""
pytestmark = [needs_chromium, pytest.mark.slow]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        opened = Room(ledger)
        yield opened
        opened.ends()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def opened(browser: Browser, room: Room) -> Page:
    """Open the page, and wait until the browser has kept it."""
    page = browser.new_context().new_page()
    page.goto(room.address())
    wait_until_ready(page)
    page.wait_for_function("async () => (await caches.match(location.href)) && navigator.serviceWorker.controller")
    page.wait_for_function(
        f"async () => (await ({KEPT})()).filter((address) => address.includes('/static/')).length > 20"
    )
    # While the page is written again, a browser may list the cache without it.
    page.wait_for_function(
        f"async () => (await ({KEPT})()).map((address) => new URL(address).pathname)"
        ".filter((path) => ['/keep', '/keep.json'].includes(path)).length === 2"
    )
    return page


def test_a_page_is_reopened_without_a_server_as_the_table_stood(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    act(page, "fold", "fold")
    wait_until_settled(page)
    page.wait_for_function(
        "async () => (await (await caches.match(location.href.replace('/keep?', '/keep.json?'))).json()).live.to_act[0] === 6"
    )
    room.ends()
    act(page, "call")
    page.reload()
    wait_until_ready(page)
    page.get_by_text("Seat 1 Ana is to act").wait_for()
    act(page, "fold")
    page.get_by_text("No connection: 2 waiting. They are kept here and sent in their order.").wait_for()
    assert "can't be reopened" not in page.locator("#waiting").inner_text()
    room.starts()
    wait_until_settled(page)
    assert room.lines() == ["4 folds", "5 folds", "6 calls 5", "1 folds"]


def test_nothing_but_this_page_and_its_files_is_kept(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    paths = {urlsplit(address).path for address in page.evaluate(KEPT)}
    assert {path for path in paths if not path.startswith("/static/")} == {"/keep", "/keep.json"}
    assert not any("key=" in address for address in page.evaluate(KEPT))
    page.goto(room.address().split("/keep")[0] + "/tables")
    room.ends()
    with pytest.raises(Error):
        page.reload()


def test_another_users_page_deletes_it(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    assert len(page.evaluate("caches.keys()")) == 1
    page.evaluate("caches.open('handledger keep somebody else')")
    page.evaluate("async () => (await caches.open('handledger keep somebody else')).put('/keep?x', new Response('x'))")
    page.reload()
    wait_until_ready(page)
    assert page.evaluate("caches.keys()") == ["handledger keep floor keeping"]
    page.evaluate("async () => (await import('/static/keep/forget.js')).forgetPages()")
    assert page.evaluate("caches.keys()") == []


def test_who_is_refused_keeps_nothing(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    page.context.clear_cookies()
    page.reload()
    assert page.evaluate("caches.keys()") == []


def test_without_https_the_page_says_that_it_cannot_be_reopened(browser: Browser, room: Room) -> None:
    page = browser.new_context().new_page()
    page.goto(room.address().replace("127.0.0.1", OTHER_MACHINE))
    wait_until_ready(page)
    page.context.set_offline(True)
    act(page, "fold")
    page.get_by_text("This page can't be reopened offline: keep it open.").wait_for()
