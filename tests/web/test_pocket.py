"""The page in the pocket, in Chromium: a player gets the answer, without a network too."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.browser import needs_chromium
from tests.web.pocket import needs_pyodide, static_server
from tests.web.pocket_page import (
    MAX_SENT,
    PATIENCE,
    TABLE,
    browser,
    folder,
    new_context,
    open_more,
    open_page,
    page,
    posts_of,
    seat_players,
    server,
    start_again,
    started_page,
    wait_until_started,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser", "folder", "page", "server", "started_page"]

pytestmark = [needs_chromium, needs_pyodide, pytest.mark.slow]


def test_a_player_sees_who_posts_what_after_a_few_taps(page: Page) -> None:
    seat_players(page, 1, 3, 5, 7, button=3)
    assert "Button seat 5" in page.locator(".call").inner_text()
    assert posts_of(page) == [
        "D Button: seat 5 Player 5",
        "7 Player 7 posts 1: small blind",
        "1 Player 1 posts 2: big blind",
    ]
    assert page.locator('[data-seat="7"] .bet').inner_text() == "1"
    page.locator(".posts li", has_text="big blind").locator("button").click()
    page.locator(".sheet .clause").first.wait_for()
    page.wait_for_function("() => !document.querySelector('.sheet .clause').textContent.includes('…')")
    assert "hilton B1" in page.locator(".sheet").inner_text()


def test_a_newcomer_and_a_player_who_was_away(page: Page) -> None:
    seat_players(page, 1, 2, 3, 4, button=1)
    page.locator('[data-seat="4"]').click()
    page.locator("[data-act=away]").click()
    page.locator("[data-act=deal]").click()
    page.get_by_text("Hand 3", exact=True).wait_for()
    page.locator('[data-seat="4"]').click()
    page.locator("[data-act=back]").click()
    page.locator('[data-seat="6"]').click()
    page.locator("#name").fill("Eve")
    page.locator("[data-act=name]").click()
    page.locator('[data-seat="6"]', has_text="Eve").wait_for()
    page.locator(".posts li", has_text="Eve").first.wait_for()


def test_a_player_owes_a_blind_from_before_the_first_hand(page: Page) -> None:
    page.locator("[data-act=book]").select_option("bicycle")
    for seat in (1, 2, 3, 4):
        page.locator(f'[data-seat="{seat}"]').click()
    assert page.locator("[name=running]").is_checked()
    page.locator('[data-seat="2"]').click()
    page.locator("[data-act=owes-small-blind]").click()
    page.locator("[data-act=owes-small-blind][aria-pressed=true]").wait_for()
    page.keyboard.press("Escape")
    assert "owes a blind" in page.locator('[data-seat="2"]').inner_text()
    page.locator("[data-act=to-button]").click()
    page.locator('[data-seat="1"]').click()
    page.locator(".posts li", has_text="Player 2 may post now or wait.").wait_for()
    page.locator('[data-seat="2"]').click()
    page.locator("[data-act=choose-post]").click()
    page.locator('[data-seat="2"]', has_text="Posts now").wait_for()
    assert page.locator(".posts li", has_text="may post now or wait").count() == 0
    assert page.locator(".posts li", has_text="Player 2 posts").count() == 1


def test_a_chair_has_room_for_what_its_player_owes(page: Page) -> None:
    page.locator('[data-seat="2"]').click()
    page.locator('[data-seat="2"]:not(.empty)').click()
    page.locator("[data-act=owes-big-blind]").click()
    page.locator("[data-act=owes-big-blind][aria-pressed=true]").wait_for()
    page.keyboard.press("Escape")
    is_whole = """(plate) => plate.scrollWidth <= plate.clientWidth && plate.scrollHeight <= plate.clientHeight"""
    assert page.locator('[data-seat="2"] .plate').evaluate(is_whole)


def test_who_sits_down_owes_nothing_of_who_left(page: Page) -> None:
    for seat in (1, 2, 3):
        page.locator(f'[data-seat="{seat}"]').click()
    page.locator('[data-seat="2"]').click()
    page.locator("[data-act=owes-big-blind]").click()
    page.locator("[data-act=owes-big-blind][aria-pressed=true]").wait_for()
    page.locator("[data-act=leave]").click()
    page.locator('[data-seat="2"].empty').click()
    page.locator('[data-seat="2"]', has_text="Player 2").click()
    page.locator("[data-act=owes-big-blind][aria-pressed=false]").wait_for()
    assert "owes a blind" not in page.locator('[data-seat="2"]').inner_text()


def test_a_new_game_has_no_blinds_from_before(page: Page) -> None:
    page.locator("[name=running]").uncheck()
    for seat in (1, 2, 3):
        page.locator(f'[data-seat="{seat}"]').click()
    page.locator("[data-act=to-button]").click()
    assert page.locator(".call").inner_text() == "Who had the button in the first hand? Tap the player."
    page.locator('[data-seat="1"]').click()
    page.locator(".posts li").first.wait_for(timeout=PATIENCE)
    assert page.evaluate("'running' in JSON.parse(localStorage.getItem('handledger pocket table'))") is False


def test_a_book_of_tournaments_is_no_answer_for_a_cash_game(page: Page) -> None:
    seat_players(page, 1, 2, 3, button=1)
    page.locator("[data-act=book]").select_option("tda2024")
    page.locator(".call", has_text="for tournaments only").wait_for()
    assert page.locator("[data-act=deal]").is_disabled()
    page.locator("[data-act=book]").select_option("hilton")
    page.locator(".posts li").first.wait_for()


def test_the_answer_of_an_earlier_table_is_never_shown(page: Page) -> None:
    seat_players(page, 1, 2, 3, 4, button=1)
    page.evaluate(
        """() => {
          const post = Worker.prototype.postMessage;
          window.held = [];
          Worker.prototype.postMessage = function (message) { held.push(() => post.call(this, message)); };
          window.release = () => { Worker.prototype.postMessage = post; held.forEach((send) => send()); };
        }"""
    )
    page.locator("[data-act=deal]").click()
    page.get_by_text("Working it out …").wait_for()
    assert not page.locator(".posts").is_visible()
    assert not page.locator(".call").is_visible()
    assert page.locator(".pots").inner_text() == ""
    assert page.locator(".bet, .mark").count() == 0
    assert page.locator("[data-act=deal]").is_disabled()
    page.evaluate("release()")
    page.get_by_text("Hand 3", exact=True).wait_for()
    assert page.locator(".posts").is_visible()
    assert page.get_by_text("Working it out …").count() == 0


def test_all_rulebooks_stand_side_by_side(page: Page) -> None:
    seat_players(page, 1, 2, 3, 4, button=1)
    open_more(page, "books")
    page.wait_for_function("() => !document.querySelector('.books').textContent.includes('…')", timeout=PATIENCE)
    rows = page.locator(".books tbody tr").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["bicycle", "hilton", "house-burn", "rrop4", "tda2024"]
    page.locator(".books button", has_text="rrop4").click()
    page.wait_for_function("() => document.querySelector('[data-act=book]').value === 'rrop4'")


def test_all_rulebooks_mark_a_player_whom_only_some_deal_in(page: Page) -> None:
    seat_players(page, 1, 2, 3, 4, button=1)
    page.locator('[data-seat="6"]').click()
    page.locator("[data-act=name]").click()
    page.locator(".posts li", has_text="Player 6").wait_for(timeout=PATIENCE)
    open_more(page, "books")
    page.wait_for_function("() => !document.querySelector('.books').textContent.includes('…')", timeout=PATIENCE)
    left_out = {book: page.locator(".books tr", has_text=book).locator("td").last for book in ("bicycle", "hilton")}
    assert {book: cell.inner_text() for book, cell in left_out.items()} == {"bicycle": "\N{EN DASH}", "hilton": "6?"}
    assert left_out["bicycle"].get_attribute("class") == "off"  # an empty cell would show no red
    page.keyboard.press("Escape")


def test_it_opens_and_answers_without_a_network(browser: Browser, folder: Path) -> None:
    with static_server(folder) as started:
        context = new_context(browser, locale="en-US")
        page = open_page(context, started.address)
        seat_players(page, 1, 2, 3, button=1)
        assert started.sent <= MAX_SENT
    context.set_offline(True)  # and the server has ended
    page.reload()
    wait_until_started(page)
    page.locator("[data-act=deal]").click()
    page.get_by_text("Hand 3", exact=True).wait_for()
    open_more(page, "more")
    page.locator("[data-act=language-vi]").click()
    page.wait_for_function("() => document.documentElement.lang === 'vi'")
    context.close()


def test_undo_takes_back_one_step_after_a_reload(page: Page) -> None:
    seat_players(page, 1, 2, 3, button=1)
    page.locator("[data-act=deal]").click()
    page.get_by_text("Hand 3", exact=True).wait_for()
    page.reload()
    wait_until_started(page)
    page.get_by_text("Hand 3", exact=True).wait_for()
    page.locator("[data-act=undo]").click()
    page.get_by_text("Hand 2", exact=True).wait_for()
    page.locator("[data-act=undo]").click()
    page.locator("[data-act=to-button]").wait_for()
    page.locator('[data-seat="5"]').click()  # as before the first hand, a tap seats a player
    page.locator('[data-seat="5"]', has_text="Player 5").wait_for()


def test_undo_after_a_shared_or_a_new_table_brings_back_the_own_one(page: Page) -> None:
    seat_players(page, 1, 2, 3, button=1)
    page.locator("[data-act=deal]").click()
    page.get_by_text("Hand 3", exact=True).wait_for()
    steps = [*({"do": "sit", "seat": seat, "name": f"Guest {seat}"} for seat in (4, 5)), {"do": "deal", "button": 4}]
    shared = {**TABLE, "steps": steps}
    link = page.evaluate("async (table) => (await import('./pocket/link.js')).linkOf(table, location.href)", shared)
    page.goto("about:blank")
    page.goto(link)
    wait_until_started(page)
    page.locator('[data-seat="4"]', has_text="Guest 4").wait_for()
    page.get_by_text("Hand 2", exact=True).wait_for()
    page.locator("[data-act=undo]").click()
    page.get_by_text("Hand 3", exact=True).wait_for()
    assert page.locator('[data-seat="3"]', has_text="Player 3").count() == 1
    start_again(page)
    page.locator("[data-act=undo]").click()
    page.get_by_text("Hand 3", exact=True).wait_for()


def test_a_link_that_fails_leaves_the_own_table(page: Page) -> None:
    seat_players(page, 1, 2, 3, button=1)
    address = page.url
    page.goto("about:blank")
    page.goto(f"{address}#t=!!!")
    wait_until_started(page)
    page.get_by_text("Hand 2", exact=True).wait_for()
    assert "I can't read the table" in page.locator(".problem:not([hidden])").inner_text()
