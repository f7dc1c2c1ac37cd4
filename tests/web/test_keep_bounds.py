"""What the page that keeps a table promises, as bounds: taps, movement, sizes, contrast, keys, and time without a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlencode

import pytest

from ledger.entry import Provenance
from ledger.formats.handscript import write_lines
from ledger.house.events import RulebookAdopted
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.streams import HOUSE
from projections.books import rulebook
from tests.laws import FULL_SIZE
from tests.web.browser import chromium, find_barriers, needs_chromium, wait_until_settled
from tests.web.keeping import wait_until_ready
from tests.web.nights import quote
from tests.web.serving import FLOOR, Served, serving
from web.api.device_requests import Lines, NewTable
from web.api.tables import RecordedTables
from web.server.keep_page import PAGE_DEVICE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

pytestmark = [needs_chromium, pytest.mark.slow]

VENUE: Final = "Riverside Cardroom"
SCREENS: Final = {"phone": (390, 844), "upright": (800, 1280), "tablet": (1280, 800), "laptop": (1280, 900)}
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
NAMES: Final = ("Ana", "Bo Lee", "Cy", "Dee", "Eli", "Fay", "Gus", "Hana", "Ivy", "Jon")
HOSTILE: Final = (
    "Maximilian Alexander von Hohenstein-Oberwittelsbach III",
    "<img src=x onerror=alert(1)>",
    "مريم العبدالله الطويل جدا",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "\u202eevil\u202c",
    "王小明王小明王小明王小明王小明",
    "Zalgo\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308",
    '"; 4 sits "Mal',
    "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
    "a b c d e f g h i j k l m n o p q r",
)
LEAST_TARGET: Final = 44  # CSS pixels

WATCH: Final = """
window.taps = 0;
window.shifts = [];
addEventListener("pointerdown", (event) => { if (event.isTrusted) window.taps += 1; }, true);
const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
const nameOf = (node) => `${node?.nodeName} ${(node?.className ?? node?.parentElement?.className ?? "")} "${node?.textContent?.slice(0, 30)}"`;
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    window.shifts.push(`${value.toFixed(6)}: ${sources.map((source) => `${nameOf(source.node)} ${box(source.previousRect)} > ${box(source.currentRect)}`).join("; ")}`);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
"""Counts what fingers do, and what moves under them: movements that follow a tap too."""

TARGETS: Final = """(least) => [...document.querySelectorAll("a, button, input, select, summary, [role=button]")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .map((element) => [element, element.getBoundingClientRect()])
  .filter(([, box]) => box.width && box.height && (box.width < least - 0.01 || box.height < least - 0.01))
  .map(([element, box]) => `${element.outerHTML.slice(0, 90)} ${box.width.toFixed(1)}x${box.height.toFixed(1)}`)"""

CROWDED: Final = """() => {
  const visible = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility({ visibilityProperty: true }));
  const boxes = [".chair .plate", ".chair .marks", ".chair .bet", ".chair .hole", ".middle .board", ".middle .pot", ".panel", ".keep-top"]
    .flatMap((selector) => visible(selector).map((element) => ({
      name: `${selector} ${element.closest(".chair")?.dataset.seat ?? ""}`, chair: element.closest(".chair"), box: element.getBoundingClientRect(),
    }))).filter(({ box }) => box.width && box.height);
  const problems = [];
  for (const [index, first] of boxes.entries()) {
    const { left, top, right, bottom } = first.box;
    if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) problems.push(`${first.name} is outside`);
    for (const second of boxes.slice(index + 1)) {
      if (first.chair && first.chair === second.chair) continue;
      const width = Math.min(right, second.box.right) - Math.max(left, second.box.left);
      const height = Math.min(bottom, second.box.bottom) - Math.max(top, second.box.top);
      if (width > 1 && height > 1) problems.push(`${first.name} lies on ${second.name}: ${width.toFixed(0)}x${height.toFixed(0)}`);
    }
  }
  const keys = visible(".panel button").map((element) => [element, element.getBoundingClientRect()]);
  for (const [element, box] of keys) {
    if (box.left < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5) problems.push(`${element.outerHTML.slice(0, 60)} is outside`);
  }
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) problems.push(`the page scrolls: ${scrollWidth}x${scrollHeight}`);
  return problems;
}"""
"""What lies on what: plates, marks, bets, cards, the board, the pots, the panel; and what is outside of the screen."""


class Room:
    """A served ledger, and its tables as other devices leave them."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.tables = RecordedTables(served.ledger)

    def seat(self, table: str, count: int, names: tuple[str, ...] = NAMES, chairs: int = 0) -> None:
        """Seat so many players at a new table, who have played one hand: the button was on seat `count`."""
        place = TableKey(VENUE, "", table)
        self.tables.open(place, PAGE_DEVICE, NewTable("holdem no-limit cash blinds 2/5 unit USD 2", chairs or count))
        seats = [f"seat {seat} {quote(names[seat - 1])} 500" for seat in range(1, count + 1)]
        small, big = (2, 1) if count == 2 else (1, 2)
        order = [*range(big + 1, count + 1), *range(1, big + 1)]
        folds = [f"{seat} folds" for seat in (order if count > 2 else [small]) if seat != big]
        hand = ["hand 1", *seats, f"button {count}", f"{small} posts small 2", f"{big} posts big 5", "deal done"]
        self.record(table, "; ".join(hand), *folds, f"{big} uncalled 3", f"{big} wins 4", "end")

    def record(self, table: str, *lines: str) -> None:
        """Record lines from another device."""
        for line in lines:
            self.tables.record_lines(TableKey(VENUE, "", table), PAGE_DEVICE, Lines([line]))

    def open(self, context: BrowserContext, table: str) -> Page:
        """Open the table's page."""
        page = context.new_page()
        page.add_init_script(WATCH)
        query = urlencode({"venue": VENUE, "tournament": "", "name": table})
        page.goto(f"{self.served.origin}/keep?{query}&key={FLOOR}")
        wait_until_ready(page)
        return page

    def lines(self, table: str) -> list[str]:
        """Return the lines of the table's last hand."""
        row = max(self.served.ledger.hands(venue=VENUE, table=table), key=lambda hand_row: hand_row.position)
        return write_lines(self.served.ledger.events(row.stream), self.served.ledger.people)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        book = rulebook.load("hilton")
        adopted = RulebookAdopted(book.name, book.edition, book.digest)
        ledger.append("house", HOUSE, [adopted], recorded=Provenance(ledger.now()))
        with serving(ledger, writes=True) as served:
            yield Room(served)


def touching(browser: Browser, screen: str = "phone", *, moves: bool = True) -> BrowserContext:
    """Return the browser of a device with that screen, which fingers touch."""
    width, height = SCREENS[screen]
    return browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=True,
        color_scheme="dark",
        reduced_motion="no-preference" if moves else "reduce",
    )


def tap(page: Page, *selectors: str) -> None:
    """Tap elements, one after the other."""
    for selector in selectors:
        page.locator(selector).first.tap()


def chair(seat: int) -> str:
    return f".chair[data-seat='{seat}']"


def card(name: str) -> str:
    return f".panel [data-card='{name}']"


def act_key(name: str) -> str:
    return f"[data-act={name}]"


def reach(page: Page, stage: str) -> None:
    page.locator(f"[data-panel={stage}]").wait_for()


def count_taps(page: Page) -> int:
    taps = page.evaluate("window.taps")
    assert isinstance(taps, int)
    return taps


# taps and movement


@pytest.mark.parametrize("screen", SCREENS)
def test_a_hand_of_seven_takes_twenty_taps_and_nothing_moves(browser: Browser, room: Room, screen: str) -> None:
    room.seat("T7", 7)
    page = room.open(touching(browser, screen), "T7")
    reach(page, "between")
    tap(page, act_key("next"))  # the button is on seat 1, the blinds are 2 and 3
    reach(page, "betting")
    tap(page, chair(6), act_key("call"), chair(2), act_key("fold"), act_key("check"))
    before_flop = count_taps(page)
    tap(page, card("7h"), card("2c"), card("Kd"))
    assert count_taps(page) - before_flop == 3
    tap(page, act_key("around"), card("7d"), "[data-preset=half]", act_key("call"), card("Js"), act_key("around"))
    tap(page, card("Kh"), card("Ks"), act_key("next"))
    wait_until_settled(page)
    reach(page, "between")
    assert count_taps(page) <= 20
    assert not (shifts := page.evaluate("window.shifts")), "\n".join(shifts)
    kept_lines = room.lines("T7")
    assert kept_lines[kept_lines.index("deal done") + 1 :] == [
        *("4 folds", "5 folds", "6 calls 5", "7 folds", "1 folds", "2 folds", "3 checks", "flop 7h 2c Kd"),
        *("3 checks", "6 checks", "turn 7d", "3 bets 6", "6 calls 6", "river Js", "3 checks", "6 checks"),
        *("showdown", "3 shows Kh Ks", "6 mucks", "3 wins 24", "completed"),
    ]


def test_a_walk_takes_four_taps(browser: Browser, room: Room) -> None:
    room.seat("T7", 7)
    page = room.open(touching(browser), "T7")
    tap(page, act_key("next"))
    reach(page, "betting")
    tap(page, chair(3), act_key("next"))
    wait_until_settled(page)
    reach(page, "between")
    assert count_taps(page) <= 4
    assert room.lines("T7")[-2:] == ["3 wins 4", "completed"]
    assert not (shifts := page.evaluate("window.shifts")), "\n".join(shifts)


# what is pressed is drawn before anything is answered


def test_the_page_moves_on_before_the_server_answers(browser: Browser, room: Room) -> None:
    room.seat("T7", 7)
    page = room.open(touching(browser), "T7")
    unanswered: list[Route] = []
    page.route("**/keep.json*", lambda route: unanswered.append(route))  # noqa: PLW0108 - a method of a list can't be one
    tap(page, act_key("next"))
    assert page.locator("[data-turn]").get_attribute("data-seat") == "4"
    tap(page, chair(6))
    assert page.locator("[data-turn]").get_attribute("data-seat") == "6"
    tap(page, act_key("call"), chair(2), act_key("fold"), act_key("check"))
    tap(page, card("7h"), card("2c"), card("Kd"))
    assert page.locator(".board .card:not(.place)").count() == 3
    assert page.locator("[data-turn]").get_attribute("data-seat") == "3"
    assert len(unanswered) == 1, "acts are sent one after the other, and none is answered yet"
    page.unroute("**/keep.json*")  # which lets go on what was held
    wait_until_settled(page)
    assert room.lines("T7")[-1] == "flop 7h 2c Kd"


def test_what_is_drawn_for_an_act_is_drawn_within_its_tap(browser: Browser, room: Room) -> None:
    room.seat("T7", 7)
    page = room.open(touching(browser), "T7")
    tap(page, act_key("next"))
    reach(page, "betting")
    turns = page.evaluate(
        """async () => {
          const turn = () => document.querySelector("[data-turn]").dataset.seat;
          const before = turn();
          document.querySelector("[data-act=fold]").click();
          await new Promise(requestAnimationFrame);
          return [before, turn()];
        }"""
    )
    assert turns == ["4", "5"], "the next frame shows the next seat"


def test_five_minutes_without_a_network_are_recorded_afterwards(browser: Browser, room: Room) -> None:
    room.seat("T7", 7)
    context = touching(browser)
    page = room.open(context, "T7")
    page.clock.install()
    tap(page, act_key("next"))
    reach(page, "betting")
    wait_until_settled(page)
    context.set_offline(True)
    before = room.lines("T7")
    for keys in (
        (chair(6), act_key("call"), chair(2), act_key("fold"), act_key("check")),
        (card("7h"), card("2c"), card("Kd"), act_key("around")),
        (card("7d"), "[data-preset=half]", act_key("call")),
        (card("Js"), act_key("around"), card("Kh"), card("Ks")),
        (act_key("next"),),
    ):
        tap(page, *keys)
        page.clock.fast_forward("01:00")
    assert room.lines("T7") == before
    page.locator(".connection.lost").wait_for()
    context.set_offline(False)
    page.clock.fast_forward("00:02")
    wait_until_settled(page)
    assert room.lines("T7")[len(before) :] == [
        *("4 folds", "5 folds", "6 calls 5", "7 folds", "1 folds", "2 folds", "3 checks", "flop 7h 2c Kd"),
        *("3 checks", "6 checks", "turn 7d", "3 bets 6", "6 calls 6", "river Js", "3 checks", "6 checks"),
        *("showdown", "3 shows Kh Ks", "6 mucks", "3 wins 24", "completed"),
    ]


# sizes, contrast, names


def walk_through(page: Page) -> Iterator[str]:
    """Yield each stage of a hand that nobody folds, with the page in it."""
    reach(page, "between")
    yield "between"
    tap(page, act_key("next"))
    reach(page, "betting")
    yield "betting"
    while page.locator("[data-panel=betting]").count():
        tap(page, "[data-act=call], [data-act=check]")
    reach(page, "street")
    yield "street"
    tap(page, card("7h"), card("2c"), card("Kd"), act_key("around"), card("7d"))
    tap(page, "[data-preset=all-in]")
    yield "all-in"
    tap(page, act_key("call"))
    while page.locator("[data-panel=betting]").count():
        tap(page, act_key("fold"))
    tap(page, card("Js"))
    yield "showdown"
    wait_until_settled(page)


def open_sheets(page: Page) -> Iterator[str]:
    """Yield each sheet of the page, open: between hands and in one."""
    reach(page, "between")
    for name, selector in (("seat", chair(1)), ("empty seat", ".chair.empty"), ("events", act_key("events"))):
        tap(page, selector)
        page.get_by_role("dialog").wait_for()
        yield f"between hands: {name}"
        tap(page, act_key("close"))
    tap(page, act_key("next"))
    reach(page, "betting")
    for name in ("events", "record"):
        tap(page, act_key(name))
        page.get_by_role("dialog").wait_for()
        yield f"in a hand: {name}"
        tap(page, act_key("close"))
    tap(page, act_key("raise"))
    page.locator(act_key("keypad-done")).wait_for()
    yield "keypad"


def each_screen(page: Page) -> Iterator[str]:
    """Yield the name of each screen, with the page on it; then it's on a phone again."""
    for screen, (width, height) in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        yield screen
    page.set_viewport_size({"width": SCREENS["phone"][0], "height": SCREENS["phone"][1]})


@pytest.mark.law
@pytest.mark.parametrize("names", [NAMES, HOSTILE], ids=["names", "hostile"])
@pytest.mark.parametrize("count", range(2, 11) if FULL_SIZE else (2, 6, 9, 10))
def test_nothing_lies_on_anything_at_any_table_on_any_screen(
    browser: Browser, room: Room, count: int, names: tuple[str, ...]
) -> None:
    room.seat("T", count, names)
    page = room.open(touching(browser, moves=False), "T")
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    problems = []
    for stage in walk_through(page):
        for screen in each_screen(page):
            problems += [f"{stage} {screen}: {problem}" for problem in page.evaluate(CROWDED)]
    assert not problems, "\n".join(problems)
    assert not dialogs


def test_every_target_is_large_enough_for_a_thumb(browser: Browser, room: Room) -> None:
    context = touching(browser, moves=False)
    small = []
    for walk in (open_sheets, walk_through):
        room.seat(walk.__name__, 7, chairs=9)
        page = room.open(context, walk.__name__)
        for place in walk(page):
            for screen in each_screen(page):
                small += [f"{place} {screen}: {target}" for target in page.evaluate(TARGETS, LEAST_TARGET)]
    assert not small, "\n".join(small)


def test_a_screen_reader_finds_its_way_in_every_stage_and_sheet(browser: Browser, room: Room) -> None:
    context = touching(browser, moves=False)
    barriers = []
    for walk in (open_sheets, walk_through):
        room.seat(walk.__name__, 7, chairs=9)
        page = room.open(context, walk.__name__)
        for place in walk(page):
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                barriers += [f"{place} {scheme}: {barrier}" for barrier in find_barriers(page)]
    assert not barriers, "\n".join(barriers)


# keys instead of fingers


def press_to(page: Page, selector: str, key: str = "Tab") -> None:
    """Move with a key until an element has the focus, and press Enter on it."""
    for _ in range(120):
        if page.evaluate("(selector) => Boolean(document.activeElement?.matches(selector))", selector):
            page.keyboard.press("Enter")
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} is not reached with {key}")


def test_somebody_is_seated_and_dealt_in_by_keyboard_alone(browser: Browser, room: Room) -> None:
    room.seat("T7", 5, chairs=9)
    page = room.open(browser.new_context(viewport={"width": 1280, "height": 900}), "T7")
    reach(page, "between")
    for selector in (
        *(".chair.empty", "[data-name]", ".keypad-presets button", act_key("keypad-done")),
        *("[data-pick=post]", act_key("next")),
    ):
        page.locator(selector).first.wait_for()
        press_to(page, selector)
    reach(page, "betting")
    wait_until_settled(page)
    kept_lines = room.lines("T7")
    assert 'seat 6 "Player 6" 200' in kept_lines
    assert [line for line in kept_lines if line.startswith("6 posts")] == ["6 posts entry 5"]
    assert count_taps(page) == 0


def test_a_hand_is_played_by_keyboard_alone(browser: Browser, room: Room) -> None:
    room.seat("T7", 4)
    page = room.open(browser.new_context(viewport={"width": 1280, "height": 900}), "T7")
    reach(page, "between")
    for selector in (
        *(act_key("next"), act_key("call"), act_key("fold"), act_key("fold"), act_key("check")),
        *(card("7h"), card("2c"), card("Kd"), act_key("around"), card("7d"), act_key("around"), card("Js")),
        *(act_key("around"), card("Kh"), card("Ks"), act_key("next")),
    ):
        page.locator(selector).first.wait_for()
        press_to(page, selector)
    reach(page, "between")
    wait_until_settled(page)
    assert room.lines("T7")[-2:] == ["3 wins 12", "completed"]
    assert count_taps(page) == 0
