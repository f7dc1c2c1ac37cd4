"""What waits on the page that keeps a table: it is drawn, survives what happens to the page, and is never dropped silently."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from ledger.formats.handscript import write_lines
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from tests.web.browser import OTHER_MACHINE, SIZES, chromium, find_barriers, needs_chromium, wait_until_settled
from tests.web.keeping import act, bet, chair_text, open_record, pick, press, wait_until_ready, write
from tests.web.serving import FLOOR, listening
from web.api.device_requests import Lines, NewTable
from web.api.tables import RecordedTables
from web.server.access.visitors import Key
from web.server.application import build_application
from web.server.keep_page import PAGE_DEVICE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

T7 = TableKey("Riverside Cardroom", "", "T7")
QUERY = urlencode({"venue": T7.venue, "tournament": "", "name": T7.table})
LOOK = "Look at the table, and enter it again if it still holds."
SEATS = ("Ana", "Bo", "Cy", "Di", "Ed", "Flo")
BEGIN = [
    "hand 1",
    *(f"seat {seat} {name} 500" for seat, name in enumerate(SEATS, 1)),
    *("button 1", "2 posts small 2", "3 posts big 5", "deal done"),
]
pytestmark = [needs_chromium, pytest.mark.slow]


class Room:
    """A ledger with a hand that runs, and a server of it that can be ended and started again."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.tables = RecordedTables(ledger)
        self.tables.open(T7, PAGE_DEVICE, NewTable("holdem no-limit cash blinds 2/5 unit USD 2"))
        self.tables.record_lines(T7, PAGE_DEVICE, Lines(list(BEGIN)))
        self._server = self._runs(FLOOR)
        next(self._server)

    def _runs(self, secret: str) -> Iterator[None]:
        names = [f"127.0.0.1:{self.port}", f"{OTHER_MACHINE}:{self.port}"]
        app = build_application(self.ledger, "x.ledger", [Key("floor", secret)], names, is_writable=True)
        with socket.create_server(("127.0.0.1", self.port)) as sock, listening(app, sock):
            yield

    def ends(self) -> None:
        next(self._server, None)

    def starts(self, secret: str = FLOOR) -> None:
        self._server = self._runs(secret)
        next(self._server)

    def address(self, secret: str = FLOOR) -> str:
        return f"http://127.0.0.1:{self.port}/keep?{QUERY}&key={secret}"

    def lines(self) -> list[str]:
        (row,) = self.ledger.hands()
        return write_lines(self.ledger.events(row.stream), self.ledger.people)[len(BEGIN) + 1 :]


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


def context(browser: Browser) -> BrowserContext:
    width, height = SIZES["laptop"]
    return browser.new_context(viewport={"width": width, "height": height})


def opened(browser: Browser, room: Room) -> Page:
    page = context(browser).new_page()
    page.goto(room.address())
    wait_until_ready(page)
    return page


def test_fold_fold_call_without_a_network_is_fold_fold_call(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    page.context.set_offline(True)
    press(page, "Fold", "Fold", "Call $5")
    page.get_by_text("Seat 1 Ana is to act").wait_for()
    page.get_by_text("No connection: 3 waiting. They are kept here and sent in their order.").wait_for()
    page.locator(".chair .waits").first.wait_for()
    assert [chair_text(page, seat) for seat in (1, 5, 6)] == [
        ["1 Ana", "$500"],
        ["5 Ed", "folded", "waiting"],
        ["6 Flo", "$495", "waiting", "$5"],
    ]
    assert find_barriers(page) == []
    open_record(page)
    assert page.locator(".waiting-acts li").all_inner_texts() == ["4 folds", "5 folds", "6 calls"]
    assert find_barriers(page) == []
    page.context.set_offline(False)
    wait_until_settled(page)
    assert room.lines() == ["4 folds", "5 folds", "6 calls 5"]


def test_three_folds_within_450_ms_are_three(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    for _ in range(3):
        page.evaluate("document.querySelector('[data-act=fold]').click()")
        page.wait_for_timeout(100)
    wait_until_settled(page)
    assert room.lines() == ["4 folds", "5 folds", "6 folds"]


def test_a_hand_goes_on_without_a_network_to_its_end(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    page.context.set_offline(True)
    press(page, "Fold")
    bet(page, "20")
    page.get_by_text("Seat 6 Flo is to act").wait_for()
    press(page, "Call $20", "Fold", "Fold")
    page.get_by_text("Seat 3 Cy is to act").wait_for()
    press(page, "Call $15")
    pick(page, "7h", "2c", "Kd")
    press(page, "Check around")
    act(page, "unseen")
    press(page, "Check around")
    pick(page, "Ah")
    press(page, "Check around")
    pick(page, "As", "Ad")
    page.get_by_role("button", name="Award $62").click()
    page.get_by_role("button", name="Deal hand 2").wait_for()
    act(page, "undo")
    page.get_by_role("button", name="End of the hand").click()
    assert room.lines() == []
    page.context.set_offline(False)
    page.locator("[data-stage=between]").wait_for()
    assert [line for line in room.lines() if not line.startswith("correction")] == [
        *("4 folds", "5 raises to 20", "6 calls 20", "1 folds", "2 folds", "3 calls 15", "flop 7h 2c Kd"),
        *("3 checks", "5 checks", "6 checks", "turn ??", "3 checks", "5 checks", "6 checks", "river Ah"),
        *("3 checks", "5 checks", "6 checks", "showdown", "3 shows As Ad", "5 mucks", "6 mucks", "3 wins 62"),
        *("completed", "completed"),
    ]


def test_hand_follows_hand_without_a_network_while_nobody_comes_or_goes(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    page.context.set_offline(True)
    page.locator(".chair[data-seat='3']").click()
    act(page, "next")
    page.get_by_text("Offline: button 2, blinds 3 and 4").wait_for()
    page.get_by_role("button", name="Deal hand 2").click()
    page.get_by_text("Seat 5 Ed is to act").wait_for()
    shown_parts = [part for part in chair_text(page, 4) if part != "waiting"]  # which stands there after a while
    assert shown_parts == ["4 Di", "$495", "$5"]
    press(page, "Fold")
    page.context.set_offline(False)
    wait_until_settled(page)
    first, second = sorted(room.ledger.hands(), key=lambda row: row.position)
    assert write_lines(room.ledger.events(first.stream), room.ledger.people)[-1] == "completed"
    assert write_lines(room.ledger.events(second.stream), room.ledger.people)[2:] == [
        *("seat 1 Ana 500", "seat 2 Bo 498", "seat 3 Cy 502", "seat 4 Di 500", "seat 5 Ed 500", "seat 6 Flo 500"),
        *("button 2", "3 posts small 2", "4 posts big 5", "deal done", "5 folds"),
    ]
    room.ledger.verify()


def test_what_nobody_can_work_out_here_waits_for_the_server(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    page.context.set_offline(True)
    write(page, "4 retrieves")
    page.get_by_text("What comes next is shown when what waits is recorded.").wait_for()
    assert page.locator(".panel .choices button").count() == 0
    page.context.set_offline(False)
    page.get_by_text("Seat 4 Di is to act").wait_for()
    assert room.lines() == ["4 retrieves"]


def test_a_tablet_that_reaches_the_server_over_the_rooms_network_keeps_the_table(browser: Browser, room: Room) -> None:
    page = context(browser).new_page()
    page.goto(room.address().replace("127.0.0.1", OTHER_MACHINE))
    wait_until_ready(page)
    assert page.evaluate("isSecureContext") is False
    press(page, "Fold", "Fold")
    wait_until_settled(page)
    assert room.lines() == ["4 folds", "5 folds"]


def test_what_waits_survives_a_reload_and_a_restart(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    room.ends()
    press(page, "Fold", "Fold")
    page.get_by_text("2 waiting").wait_for()
    room.starts()
    page.reload()
    wait_until_settled(page)
    page.get_by_text("Seat 6 Flo is to act").wait_for()
    assert room.lines() == ["4 folds", "5 folds"]


def test_a_tab_that_is_closed_leaves_its_acts_to_the_next(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    page.context.set_offline(True)
    press(page, "Fold", "Fold")
    page.close()
    page.context.set_offline(False)
    other_page = page.context.new_page()
    other_page.goto(room.address())
    other_page.get_by_text("Seat 6 Flo is to act").wait_for()
    assert room.lines() == ["4 folds", "5 folds"]


def test_a_server_with_another_key_is_named_and_what_waits_is_kept(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    room.ends()
    room.starts("n" * 32)
    press(page, "Fold", "Fold")
    page.get_by_text("The server was started again. Open its new address on this device").wait_for()
    assert room.lines() == []
    page.goto(room.address("n" * 32))
    wait_until_settled(page)
    assert room.lines() == ["4 folds", "5 folds"]


def test_what_another_device_was_before_is_shown_as_refused_until_it_was_seen(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    page.context.set_offline(True)
    press(page, "Fold", "Fold", "Call $5")
    room.tables.record_lines(T7, PAGE_DEVICE, Lines(["4 calls 5"]))
    page.context.set_offline(False)
    refused = page.locator("#waiting .refused")
    refused.wait_for()
    assert refused.locator("li").all_inner_texts() == [
        f"4 folds: this table has moved on: 4 calls 5. {LOOK}",
        "5 folds: it came after 4 folds",
        "6 calls: it came after 4 folds",
    ]
    page.get_by_text("Seat 5 Ed is to act").wait_for()
    page.reload()
    refused.wait_for()
    assert find_barriers(page) == []
    press(page, "OK")
    refused.wait_for(state="detached")
    press(page, "Fold")
    wait_until_settled(page)
    assert room.lines() == ["4 calls 5", "5 folds"]
    assert not refused.count()


def test_two_devices_at_one_table_never_act_for_each_others_seats(browser: Browser, room: Room) -> None:
    page, other_page = opened(browser, room), opened(browser, room)
    page.context.set_offline(True)
    press(page, "Fold")
    press(other_page, "Call $5", "Fold")
    wait_until_settled(other_page)
    page.context.set_offline(False)
    wait_until_settled(page)
    page.get_by_text("4 folds: ").wait_for()
    assert room.lines() == ["4 calls 5", "5 folds"]


def test_an_answer_that_is_not_ours_is_no_receipt(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    page.route("**/keep.json", lambda route: route.fulfill(status=200, body="<html>Accept the terms</html>"))
    press(page, "Fold")
    page.get_by_text("No connection: 1 waiting").wait_for()
    page.unroute("**/keep.json")
    wait_until_settled(page)
    assert room.lines() == ["4 folds"]


def test_enter_is_no_act_while_nobody_sees_what_it_means(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    page.context.set_offline(True)
    press(page, "Fold")
    open_record(page)
    page.locator("form.ask button").click()
    page.get_by_text("Enter: it is the turn of seat 5").wait_for()
    page.context.set_offline(False)
    wait_until_settled(page)
    assert room.lines() == ["4 folds"]


def test_what_an_older_page_left_is_shown(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    old_acts = json.dumps([{"line": "4 folds", "once": "x"}])
    page.evaluate("([name, text]) => localStorage.setItem(name, text)", [f"keep {QUERY}", old_acts])
    page.reload()
    page.get_by_text("4 folds: it waited while the program was updated").wait_for()


def test_a_browser_that_stores_nothing_says_so(browser: Browser, room: Room) -> None:
    page = context(browser).new_page()
    page.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full') }")
    page.goto(room.address())
    wait_until_ready(page)
    page.context.set_offline(True)
    press(page, "Fold", "Fold")
    page.get_by_text("This browser keeps nothing: leave the page open.").wait_for()
    page.context.set_offline(False)
    page.get_by_text("Seat 6 Flo is to act").wait_for()
    page.wait_for_timeout(1_500)
    assert room.lines() == ["4 folds", "5 folds"]


def test_what_the_server_fails_over_again_and_again_can_be_given_up(browser: Browser, room: Room) -> None:
    page = opened(browser, room)
    fault = {"schema": "handledger/page-error/1", "status": 500, "message": "This page could not be made.", "hint": ""}
    page.route("**/keep.json", lambda route: route.fulfill(status=500, body=json.dumps(fault)))
    press(page, "Fold")
    page.get_by_text("This page could not be made: 1 waiting").wait_for()
    press(page, "Give them up")
    page.get_by_text("4 folds: you gave it up. Look at the table").wait_for()
    page.unroute("**/keep.json")
    page.get_by_text("Seat 4 Di is to act").wait_for()
    press(page, "OK", "Call $5")
    wait_until_settled(page)
    assert room.lines() == ["4 calls 5"]


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_the_reason_why_acts_wait_covers_no_key(browser: Browser, room: Room, size: tuple[int, int]) -> None:
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.goto(room.address())
    wait_until_ready(page)
    page.context.set_offline(True)
    act(page, "call", "fold", "fold", "fold", "fold", "check")
    for cards in (("7h", "2c", "Kd"), ("7d",), ("Js",)):
        pick(page, *cards)
        act(page, "around")
    page.get_by_role("button", name="Muck").wait_for()
    reason = page.locator(".why").bounding_box()
    assert reason is not None
    for key in page.locator(".panel .head .key").all():
        box = key.bounding_box()
        assert box is not None
        assert reason["x"] + reason["width"] <= box["x"]
