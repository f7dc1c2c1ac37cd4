"""The page on which a table is kept, in a browser: taps, and what the page does while the connection is gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.entry import Provenance
from ledger.house.events import RulebookAdopted
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.books import rulebook
from tests.web.browser import SIZES, chromium, find_barriers, needs_chromium, wait_until_settled
from tests.web.keeping import act, bet, open_record, pick, wait_until_ready, write
from tests.web.serving import FLOOR, Served, serving
from tests.web.test_keep import PAGE, begin, lines, press, table_lines

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        book = rulebook.load("hilton")
        adopted = RulebookAdopted(book.name, book.edition, book.digest)
        ledger.append("house", HOUSE, [adopted], recorded=Provenance(ledger.now()))
        with serving(ledger, writes=True) as server:
            yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def opened(browser: Browser, served: Served, size: str = "laptop", *, script: bool = True, dark: bool = True) -> Page:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        java_script_enabled=script,
        color_scheme="dark" if dark else "light",
    )
    page = context.new_page()
    page.goto(f"{served.origin}{PAGE}&key={FLOOR}")
    return page


def holding_a_document(page: Page) -> list[Route]:
    """Hold back the document that the script asks for next; those behind it come at once."""
    routes: list[Route] = []
    page.route("**/keep.json?*", lambda route: route.continue_() if routes else routes.append(route))
    return routes


def wait_for_request(page: Page, routes: list[Route]) -> None:
    """Wait until the document that is held back was asked for."""
    while not routes:
        page.wait_for_timeout(20)


@needs_chromium
@pytest.mark.slow
def test_a_tablet_keeps_a_hand_and_its_events_are_those_of_the_file(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    act(page, "call", "fold", "check")
    pick(page, "7h", "2c", "Kd")
    page.get_by_text("Seat 3 Cy is to act").wait_for()
    wait_until_settled(page)
    assert lines(served)[-4:] == ["1 calls 5", "2 folds", "3 checks", "flop 7h 2c Kd"]


@needs_chromium
@pytest.mark.slow
def test_a_whole_hand_is_kept_by_taps_and_taken_back_act_by_act(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    page.locator("[data-preset=least]").click()
    page.locator(".chair[data-seat='3']").click()
    act(page, "call")
    pick(page, "7h", "2c", "Kd")
    act(page, "around")
    pick(page, "7d")
    act(page, "around")
    act(page, "undo", "undo")
    page.locator(".who s", has_text="taken back: 3 checks").wait_for()
    act(page, "around")
    pick(page, "Js")
    bet(page, "12.50")
    act(page, "call")
    pick(page, "Kh", "Ks")
    page.get_by_role("button", name="Award $47").click()
    wait_until_settled(page)
    kept_lines = lines(served)
    corrections = [line for line in kept_lines if line.startswith("correction")]
    assert len(corrections) == 2
    assert [line for line in kept_lines[kept_lines.index("deal done") + 1 :] if line not in corrections] == [
        *("1 raises to 10", "2 folds", "3 calls 5", "flop 7h 2c Kd", "3 checks", "1 checks", "turn 7d"),
        *("3 checks", "1 checks", "3 checks", "1 checks", "river Js", "3 bets 12.50", "1 calls 12.50"),
        *("showdown", "3 shows Kh Ks", "1 mucks", "3 wins 47", "completed"),
    ]


@needs_chromium
@pytest.mark.slow
def test_an_end_that_was_tapped_too_soon_is_taken_back(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    act(page, "fold", "fold", "next")
    page.get_by_text("Next hand 2").wait_for()
    act(page, "undo")
    page.get_by_role("button", name="End of the hand").wait_for()
    act(page, "undo", "undo", "undo", "undo")
    page.get_by_text("Seat 1 Ana is to act").wait_for()
    wait_until_settled(page)
    act(page, "call")
    wait_until_settled(page)
    assert lines(served)[-1] == "1 calls 5"


@needs_chromium
@pytest.mark.slow
def test_a_tablet_tells_who_is_away_between_hands(browser: Browser, served: Served) -> None:
    press(served, game="holdem no-limit cash blinds 2/5 unit USD 2", seats="9")
    for line in ("2 sits Bo walk-in stack 300", "7 sits Al walk-in stack 300"):
        press(served, written=line)
    page = opened(browser, served)
    page.locator(".chair[data-seat='7']").click()
    page.get_by_role("dialog").get_by_role("button", name="away").click()
    page.locator(".chair[data-seat='7'][data-status=away]").wait_for()
    assert find_barriers(page) == []
    wait_until_settled(page)
    assert table_lines(served)[-1] == "7 away"


@needs_chromium
@pytest.mark.slow
def test_what_is_typed_while_the_line_before_is_on_its_way_stays(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    page.context.set_offline(True)
    act(page, "fold")
    page.get_by_text("No connection: 1 waiting").wait_for()
    field = open_record(page)
    field.fill("2 cal")
    page.context.set_offline(False)
    wait_until_settled(page)
    page.locator("#keep-app:not([aria-busy])").wait_for()
    assert field.input_value() == "2 cal"


@needs_chromium
@pytest.mark.slow
def test_a_line_that_is_refused_is_answered_with_the_right_one_and_stays_to_be_put_right(
    browser: Browser, served: Served
) -> None:
    begin(served)
    page = opened(browser, served)
    field = open_record(page)
    field.fill("1 raises 20")
    page.get_by_role("dialog").get_by_role("button", name="Record").click()
    page.get_by_text("Write: 1 raises to 20").wait_for()
    assert field.input_value() == "1 raises 20"


@needs_chromium
@pytest.mark.slow
def test_what_is_pressed_without_a_connection_is_kept_and_sent_in_its_order(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    page.context.set_offline(True)
    act(page, "fold")
    page.get_by_text("No connection: 1 waiting").wait_for()
    write(page, "2 calls 3", "3 checks")
    page.get_by_text("No connection: 3 waiting").wait_for()
    assert lines(served)[-1] == "deal done"
    page.context.set_offline(False)
    page.get_by_text("Flop: tap 3 cards").wait_for()
    wait_until_settled(page)
    assert lines(served)[-3:] == ["1 folds", "2 calls 3", "3 checks"]


@needs_chromium
@pytest.mark.slow
def test_what_is_pressed_before_the_page_shows_the_last_line_is_recorded_behind_it(
    browser: Browser, served: Served
) -> None:
    begin(served)
    page = opened(browser, served)
    routes = holding_a_document(page)
    act(page, "fold")
    wait_for_request(page, routes)
    write(page, "2 calls 3", "3 checks")
    routes[0].continue_()
    page.get_by_text("Flop: tap 3 cards").wait_for()
    wait_until_settled(page)
    assert lines(served)[-3:] == ["1 folds", "2 calls 3", "3 checks"]


@needs_chromium
@pytest.mark.slow
def test_two_taps_are_two_acts_however_fast(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    page.get_by_role("button", name="Fold", exact=True).dblclick()
    page.get_by_role("button", name="Award $4").wait_for()
    wait_until_settled(page)
    assert [line for line in lines(served) if line.endswith("folds")] == ["1 folds", "2 folds"]


@needs_chromium
@pytest.mark.slow
def test_the_second_of_two_quick_taps_deals_no_hand_and_picks_no_card(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    act(page, "fold", "fold")
    page.locator("[data-act=next]").dblclick()
    page.get_by_text("Next hand 2").wait_for()
    wait_until_settled(page)
    assert lines(served)[-1] == "completed"


@needs_chromium
@pytest.mark.slow
def test_a_document_from_before_a_press_does_not_come_back_behind_it(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    routes = holding_a_document(page)
    page.evaluate("document.body.dispatchEvent(new CustomEvent('log-grown'))")
    wait_for_request(page, routes)
    old = routes[0].fetch()
    act(page, "fold")
    page.get_by_text("Seat 2 Bo is to act").wait_for()
    routes[0].fulfill(response=old)
    act(page, "call")
    page.get_by_text("Seat 3 Cy is to act").wait_for()
    wait_until_settled(page)
    assert lines(served)[-2:] == ["1 folds", "2 calls 3"]


@needs_chromium
@pytest.mark.slow
def test_a_button_under_a_finger_is_not_drawn_anew(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    page.get_by_role("button", name="Fold", exact=True).hover()
    page.mouse.down()
    assert press(served, written="floor-called")[0] == 303
    with page.expect_response("**/keep.json?*"):
        page.evaluate("document.body.dispatchEvent(new CustomEvent('log-grown'))")
    page.wait_for_timeout(50)
    page.mouse.up()
    page.get_by_text("1 folds: this table has moved on").wait_for()
    assert lines(served)[-1] == "floor-called"
    page.get_by_role("button", name="OK").click()
    act(page, "fold")
    wait_until_settled(page)
    assert lines(served)[-1] == "1 folds"


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("size", ["phone", "laptop"])
@pytest.mark.parametrize("dark", [True, False])
def test_a_screen_reader_can_use_it_and_fingers_too(browser: Browser, served: Served, size: str, dark: bool) -> None:
    begin(served)
    page = opened(browser, served, size, dark=dark)
    wait_until_ready(page)
    assert find_barriers(page) == []
    for button in page.locator("#keep-app button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["height"], box["width"]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")


@needs_chromium
@pytest.mark.slow
def test_it_works_without_a_script(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served, script=False)
    page.get_by_role("button", name="Fold", exact=True).click()
    page.locator(".who", has_text="Seat 2 Bo is to act").wait_for()
    assert lines(served)[-1] == "1 folds"


@needs_chromium
@pytest.mark.slow
def test_a_keyboard_alone_keeps_a_hand(browser: Browser, served: Served) -> None:
    begin(served)
    page = opened(browser, served)
    wait_until_ready(page)
    page.locator("[data-act=call]").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.get_by_text("Flop: tap 3 cards").wait_for()
    for _ in range(3):
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    page.get_by_text("Seat 2 Bo is to act").wait_for()
    assert page.evaluate("document.activeElement.closest('.panel') !== null")
    wait_until_settled(page)
    assert lines(served)[-4:] == ["1 calls 5", "2 calls 3", "3 checks", "flop As Ks Qs"]
