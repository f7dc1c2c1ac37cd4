"""Pages in a real browser: they step, nothing collides, nobody's name runs, and a screen reader can use them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.store import Ledger
from projections.amount_text import amount
from projections.books.rulebook import load
from tests.evenings import evening
from tests.evenings.script import script
from tests.web.browser import chromium, find_barriers, needs_chromium, visited
from tests.web.conftest import Opened, html_of, page_of, write_page
from tests.web.nights import table_of, wrong_button
from tests.web.test_rendering import HOSTILE
from web.pages.display_texts import format_pots
from web.pages.hand_frames import Viewer
from web.pages.hand_page import build_pages
from web.pages.page_judgement import BookChoice
from web.pages.report_summary import summarize_hands

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [needs_chromium, pytest.mark.slow]

RUN = (("flop", "7h 2c Kd"), ("turn", "Ts"), ("river", "4s"))

BOXES = """() => [...document.querySelectorAll('svg.table')].filter((one) => one.getBoundingClientRect().width)
  .flatMap((table) => {
    const found = [];
    const box = (kind, one) => {
      const at = one.getBoundingClientRect();
      if (at.width && at.height) found.push({ kind, seat: one.closest('.seat')?.dataset.seat || '', x: at.x, y: at.y, w: at.width, h: at.height });
    };
    table.querySelectorAll('.plate').forEach((one) => box('plate', one));
    table.querySelectorAll('.mark circle').forEach((one) => box('mark', one));
    table.querySelectorAll('.bet').forEach((one) => box('bet', one));
    table.querySelectorAll('.middle .card rect, .middle text:not(.card text)').forEach((one) => box('middle', one));
    const whole = table.getBoundingClientRect();
    return found.map((one) => ({ ...one, inside: one.x >= whole.x - 1 && one.x + one.w <= whole.right + 1 && one.y >= whole.y - 1 && one.y + one.h <= whole.bottom + 1 }));
  })"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def address(wrong: Ledger, tmp_path_factory: pytest.TempPathFactory) -> str:
    page = page_of(wrong, "412", "rrop4", "hilton")
    return write_page(tmp_path_factory.mktemp("browser"), html_of(wrong, page))


def overlaps(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """Whether two boxes share more than a hair's breadth."""
    return (
        min(a["x"] + a["w"], b["x"] + b["w"]) - max(a["x"], b["x"]) > 0.5
        and min(a["y"] + a["h"], b["y"] + b["h"]) - max(a["y"], b["y"]) > 0.5
    )


def collisions(page: Page) -> list[str]:
    """Which parts of the drawn table lie on one another, or beside the drawing."""
    boxes = page.evaluate(BOXES)
    assert len([box for box in boxes if box["kind"] == "plate"]) >= 2
    bad = [f"{box['kind']} of {box['seat']} is cut off" for box in boxes if not box["inside"]]
    return bad + [
        f"{a['kind']} of {a['seat']} on {b['kind']} of {b['seat']}" for a, b in combinations(boxes, 2) if overlaps(a, b)
    ]


@pytest.mark.parametrize("seats", range(2, 11))
def test_nothing_on_the_table_collides(seats: int, browser: Browser, opened: Opened, tmp_path: Path) -> None:
    ledger = opened(table_of(seats))
    hand_page = page_of(ledger, "1", "hilton")
    hand_page.judgements[0].should = type(hand_page.recorded)(
        seats, seats, 1
    )  # ghosts beside the markers that are there
    page_address = write_page(tmp_path, html_of(ledger, hand_page))
    for size, media in (("phone", "screen"), ("laptop", "screen"), ("laptop", "print")):
        page = visited(browser, page_address, size=size, media=media)
        for key in ("Home", "2", "End", "b"):
            page.keyboard.press(key)
            assert collisions(page) == [], (size, media, key)
        page.context.close()


@pytest.mark.parametrize("boards", [1, 2, 3, 4])
def test_boards_lie_beside_each_other(boards: int, browser: Browser, opened: Opened, tmp_path: Path) -> None:
    runs = [f"{street} {cards} run {run}" for run in range(1, boards + 1) for street, cards in RUN]
    text = table_of(9).replace("flop 7h 2c Kd\n2 bets 200000", "\n".join(runs))
    ledger = opened(text)
    hand_page = page_of(ledger, "1")
    assert len(hand_page.frames[-1].boards) == boards
    page_address = write_page(tmp_path, html_of(ledger, hand_page))
    for size in ("phone", "laptop"):
        page = visited(browser, page_address, size=size)
        page.keyboard.press("End")
        assert collisions(page) == []
        assert page.locator(f"{'.tall' if size == 'phone' else '.wide'} .middle .card").count() == 5 * boards
        page.context.close()


def test_the_control_sees_a_collision(browser: Browser, address: str) -> None:
    page = visited(browser, address)
    page.evaluate("document.querySelector('.wide .mark').setAttribute('transform', 'translate(0 -40)')")
    assert collisions(page)


def current_step(page: Page) -> str:
    return page.locator(".now").inner_text()


def test_keys_step_through_the_hand(browser: Browser, address: str) -> None:
    page = visited(browser, address)
    assert current_step(page).startswith("17 of 43 · the cards are dealt")
    for key, number in (("ArrowRight", 18), ("ArrowRight", 19), ("ArrowLeft", 18), ("End", 43), ("Home", 1)):
        page.keyboard.press(key)
        assert current_step(page).startswith(f"{number} of 43"), key
        assert page.evaluate("location.href").endswith(f"#e={number}&cf")
    for key, street in (("1", "preflop"), ("2", "flop"), ("3", "turn"), ("4", "river")):
        page.keyboard.press(key)
        assert page.locator(".wide .street").inner_html() == street
    page.keyboard.press("5")
    assert current_step(page).startswith("38 of 43 · showdown")
    assert page.locator("button.on").inner_text() == "showdown"
    page.keyboard.press("Home")
    page.keyboard.press("n")
    assert current_step(page).startswith("9 of 43 · the button is at 5 Eli")
    assert page.locator(".events tr.current").inner_text().startswith("9\t")
    page.locator(".source summary").click()
    assert page.locator(".source .current").inner_text() == "button 5"
    assert page.said == []  # type: ignore[attr-defined]  # what the page complained of


def test_keys_change_what_is_shown(browser: Browser, address: str) -> None:
    page = visited(browser, address)
    ghosts = page.locator(".wide .ghost")
    assert ghosts.count() == 3
    page.keyboard.press("c")
    assert ghosts.count() == 0
    assert not page.evaluate("location.href").endswith("cf")
    page.keyboard.press("c")
    page.keyboard.press("r")
    assert ghosts.count() == 0, "under hilton the button may move"
    assert page.locator("tr.chosen").inner_text().startswith("hilton")
    page.keyboard.press("b")
    assert page.locator(".wide .pot").text_content() == "pot 1.4 bb"
    page.keyboard.press("a")
    assert "Eli" not in page.locator(".wide").text_content().replace("seat 5 Eli", "")
    assert "Eli" not in current_step(page)
    page.keyboard.press("/")
    page.keyboard.type("raises")
    assert page.locator(".events tbody tr:visible").count() == 2
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("dialog").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("dialog").is_visible()


def test_what_comes_into_sight_is_up_to_date(browser: Browser, address: str) -> None:
    page = visited(browser, address, size="phone")
    page.keyboard.press("End")
    assert page.locator(".tall .street").text_content() == "river"
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator(".wide .street", has_text="river").wait_for()
    page.set_viewport_size({"width": 390, "height": 844})
    page.keyboard.press("2")
    page.emulate_media(media="print")
    page.locator(".wide .street", has_text="flop").wait_for()


def test_space_plays_and_stops(browser: Browser, address: str) -> None:
    page = visited(browser, address)
    page.keyboard.press(" ")
    page.locator(".now", has_text="18 of 43").wait_for()
    page.keyboard.press(" ")
    stopped = current_step(page)
    page.wait_for_timeout(1200)
    assert current_step(page) == stopped


def test_a_link_names_the_moment_and_the_eyes(browser: Browser, address: str) -> None:
    page = visited(browser, f"{address}#e=36&as=seat5")
    assert current_step(page).startswith("36 of 43 · 5 Eli raises to $327 and is all in")
    assert page.locator(".wide .ghost").count() == 0
    cards = {seat: page.locator(f".wide .seat[data-seat='{seat}'] .card.back").count() for seat in (3, 5)}
    assert cards == {3: 2, 5: 0}, "aces are hidden from seat 5"


def test_the_drawing_says_the_amounts_of_the_document(wrong: Ledger, browser: Browser, address: str) -> None:
    """Two ways of writing an amount, the program's and the script's, agree at every event."""
    hand_page = page_of(wrong, "412", "rrop4", "hilton")
    page = visited(browser, address)
    page.keyboard.press("Home")
    for frame in hand_page.frames:
        assert page.locator(".wide .pot").text_content() == format_pots(hand_page, frame)
        for seat in frame.seats:
            shown_stack = page.locator(f".wide .seat[data-seat='{seat.seat}'] .stack").text_content()
            assert (shown_stack or "").split(" ")[0] == amount(seat.stack, hand_page.unit, hand_page.exponent)
        page.keyboard.press("ArrowRight")


def test_hostile_names_run_nothing(browser: Browser, opened: Opened, tmp_path: Path) -> None:
    ledger = opened(wrong_button(HOSTILE))
    html = html_of(ledger, page_of(ledger, "412", "rrop4"))
    page = visited(browser, write_page(tmp_path, html))
    page.keyboard.press("End")
    page.wait_for_timeout(200)
    assert page.said == []  # type: ignore[attr-defined]  # what the page complained of
    assert page.locator("img, .seat image").count() == 0
    assert "<img" in page.locator(".events").inner_text()


def test_the_controls_would_see_a_name_that_runs(browser: Browser, opened: Opened, tmp_path: Path) -> None:
    ledger = opened(wrong_button())
    html = html_of(ledger, page_of(ledger, "412", "rrop4")).replace(
        "5 Eli is dealt in", "<img src=x onerror=alert(1)>", 1
    )
    refused = visited(browser, write_page(tmp_path, html))
    refused.wait_for_timeout(300)
    assert not any(message.startswith("dialog") for message in refused.said)  # type: ignore[attr-defined]  # by the policy
    assert refused.said  # type: ignore[attr-defined]  # which says so
    page = visited(browser, write_page(tmp_path, re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)))
    page.wait_for_timeout(300)
    assert any(message.startswith("dialog") for message in page.said)  # type: ignore[attr-defined]  # without it, it runs


def test_without_a_script_it_can_be_read(browser: Browser, address: str) -> None:
    page = visited(browser, address, script=False)
    assert not page.locator(".controls").is_visible()
    assert page.locator(".wide .seat .stack").first.text_content()
    assert page.locator(".events tbody tr").count() == 43
    assert page.locator(".wide .ghost").count() == 3


@pytest.mark.parametrize("size", ["phone", "laptop"])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_is_barred_to_a_screen_reader(size: str, dark: bool, browser: Browser, address: str) -> None:
    page = visited(browser, re.sub("#.*", "", address), size=size, dark=dark)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert find_barriers(page) == []
    page.keyboard.press("End")
    assert page.locator(".wide" if size == "laptop" else ".tall").get_attribute("aria-label").startswith("river")


def test_the_control_sees_a_barrier(browser: Browser, address: str) -> None:
    page = visited(browser, address)
    page.evaluate("document.documentElement.removeAttribute('lang')")
    (barrier,) = find_barriers(page)
    assert barrier.startswith("html-has-lang: ['<html")


@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_a_page_is_never_wider_than_the_screen(size: str, browser: Browser, address: str) -> None:
    page = visited(browser, address, size=size)
    page.evaluate("document.querySelector('footer b').textContent = 'room.example/' + 'c4788a30'.repeat(12)")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture(scope="module")
def several(opened: Opened, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A report of a table with a finding."""
    ledger = opened(wrong_button())
    books, eyes = BookChoice([load("rrop4")]), Viewer()
    summary, rows = summarize_hands(ledger, list(ledger.hands()), books, eyes)
    page_list = list(build_pages(ledger, rows, books, eyes))
    return write_page(tmp_path_factory.mktemp("several"), html_of(ledger, *page_list, summary=summary))


def test_books_are_switched_without_a_keyboard(browser: Browser, address: str) -> None:
    page = visited(browser, address, size="phone")
    page.get_by_role("button", name="next rulebook").click()
    assert page.locator("tr.chosen").inner_text().startswith("hilton")


def test_a_hand_far_down_is_drawn_as_the_reader_looks_at_hands(browser: Browser, night: str) -> None:
    """Names that were hidden stay hidden in hands that come into sight later, and on paper."""
    page = visited(browser, night)
    names = page.locator(".wide .name", has_text="Player")
    count_before = names.count()
    assert count_before > 300
    page.keyboard.press("a")
    page.locator("article.hand").last.scroll_into_view_if_needed()
    page.locator("article.hand").last.locator(".wide .name", has_text="seat").first.wait_for()
    assert 0 < names.count() < count_before, "those between were not drawn again"
    page.emulate_media(media="print")
    page.wait_for_function(
        "() => ![...document.querySelectorAll('.wide .name')].some((one) => /Player/.test(one.textContent))"
    )
    assert page.said == []  # type: ignore[attr-defined]  # what the page complained of


@pytest.fixture(scope="module")
def night(opened: Opened, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A report of all hands of an evening, each whole."""
    ledger = opened(script(evening("hilton-limit", 7, 60)))
    books, eyes = BookChoice([load("rrop4")]), Viewer()
    summary, rows = summarize_hands(ledger, list(ledger.hands()), books, eyes, max_stepped=100)
    assert len(rows) == summary.hands > 50
    page_list = list(build_pages(ledger, rows, books, eyes))
    return write_page(tmp_path_factory.mktemp("night"), html_of(ledger, *page_list, summary=summary))


def test_arrows_go_from_hand_to_hand(browser: Browser, several: str) -> None:
    page = visited(browser, several)
    assert page.locator(".lines tbody tr").count() == 2
    page.keyboard.press("ArrowDown")
    assert "#h=2&e=17" in page.evaluate("location.href")  # page.url hears of it later
    page.keyboard.press("ArrowRight")
    assert page.locator("#h2 .now").inner_text().startswith("18 of 43")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("End")
    assert page.locator("#h1 .now").inner_text().startswith("22 of 22")
    assert page.locator("#h2 .now").inner_text().startswith("18 of 43")
    page.locator(".lines tbody tr a").nth(1).click()
    assert page.locator("#h2 .ghost").count() == 6, "in both drawings"
    assert page.said == []  # type: ignore[attr-defined]  # what the page complained of


@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_a_report_of_several_hands_bars_nobody(size: str, browser: Browser, several: str) -> None:
    page = visited(browser, several, size=size)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert find_barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_rulebooks_are_tabs_that_arrows_move_between(browser: Browser, address: str) -> None:
    page = visited(browser, address)
    tabs = page.get_by_role("tab")
    assert tabs.count() > 1
    tabs.first.focus()
    page.keyboard.press("ArrowRight")
    assert tabs.nth(1).get_attribute("aria-selected") == "true"
    assert page.locator(".book:visible").count() == 1
    assert page.locator(".book:visible").get_attribute("data-book") == "1"
    assert page.locator(".tabs [tabindex='0']").count() == 1


@pytest.mark.parametrize("reduced", [True, False])
def test_cards_and_chips_move_unless_the_reader_wants_no_motion(browser: Browser, address: str, reduced: bool) -> None:
    page = visited(browser, address)
    page.emulate_media(reduced_motion="reduce" if reduced else "no-preference")
    page.evaluate("window.slides = 0; Element.prototype.animate = function () { window.slides += 1; return {}; }; null")
    page.keyboard.press("Home")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    assert (page.evaluate("window.slides") == 0) == reduced
