"""Straddles and kills come before the cards: they are chosen with the next hand, by taps alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from ledger.entry import Provenance
from ledger.formats.handscript import write_lines
from ledger.hand.corrections import apply_corrections
from ledger.house.events import RulebookAdopted
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.books import rulebook
from tests.web.browser import chromium, needs_chromium
from tests.web.keeping import act, wait_until_ready
from tests.web.serving import FLOOR, Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

T7 = {"venue": "Riverside Cardroom", "tournament": "", "name": "T7"}
PAGE = f"/keep?{urlencode(T7)}"
SETTLED = """() => !document.getElementById("keep-app").hasAttribute("aria-busy") && Object.keys(localStorage)
  .filter((name) => name.startsWith("handledger acts ")).every((name) => !JSON.parse(localStorage[name]).acts.length)"""
NO_LIMIT = "holdem no-limit cash blinds 2/5 unit USD 2"
LIMIT = "holdem limit cash blinds 5/10 bets 10/20 unit USD 2"


@pytest.fixture(params=[NO_LIMIT])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    """Four players; the button was in seat 1 on a hand that is over, so seat 4 is left of the big blind's next seat."""
    with open_ledger(tmp_path / "x.ledger") as ledger:
        book = rulebook.load("hilton")
        adopted = RulebookAdopted(book.name, book.edition, book.digest)
        ledger.append("house", HOUSE, [adopted], recorded=Provenance(ledger.now()))
        with serving(ledger, writes=True) as server:
            server.send("/keep", **T7, game=request.param, seats="9")
            small, big = (5, 10) if request.param == LIMIT else (2, 5)
            for line in (
                *(f"{seat} sits P{seat} walk-in stack 500" for seat in (1, 2, 4, 6)),
                "hand 1",
                *(f"seat {seat} P{seat} 500" for seat in (1, 2, 4, 6)),
                f"button 1; 2 posts small {small}; 4 posts big {big}; deal done",
                *("f", "f", "f", ".", ".", "."),
            ):
                status, text, _ = server.send("/keep", **T7, written=line)
                assert status == 303, f"{line}: {re.search('Not written down.*', text)}"
            yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    opened = context.new_page()
    messages: list[Any] = []
    opened.on("pageerror", lambda error: messages.append(error))  # noqa: PLW0108 - a method of a list can't be one
    opened.goto(f"{served.origin}{PAGE}&key={FLOOR}")
    wait_until_ready(opened)
    yield opened
    assert not messages
    context.close()


def recorded(served: Served) -> list[str]:
    row = max(served.ledger.hands(), key=lambda hand: hand.position)
    in_force = apply_corrections([(entry.version, entry.event) for entry in served.ledger.entries(row.stream)])
    return write_lines([event for _, event in in_force], served.ledger.people)


def settle(page: Page) -> None:
    page.wait_for_function(SETTLED)


@needs_chromium
def test_a_straddle_is_one_tap_with_the_next_hand_and_taken_back_as_it_was_told(page: Page, served: Served) -> None:
    key = page.locator("[data-post=straddle]")
    assert key.count() == 1
    assert key.inner_text() == "P1 straddles $10"
    key.click()
    assert key.get_attribute("aria-pressed") == "true"
    assert "10" in page.locator(".chair[data-seat='1'] .bet").inner_text()
    act(page, "next")
    settle(page)
    assert recorded(served)[-2:] == ["1 straddles 10", "deal done"]
    assert page.locator(".chair[data-turn]").get_attribute("data-seat") == "2"
    act(page, "undo")  # the cards
    settle(page)
    act(page, "undo")  # the straddle
    settle(page)
    assert "1 straddles 10" not in recorded(served)
    page.locator("[data-post=straddle]").click()  # the cards aren't dealt yet: it's recorded at once
    settle(page)
    assert recorded(served)[-1] == "1 straddles 10"


@needs_chromium
def test_a_straddle_is_chosen_without_the_network(page: Page, served: Served) -> None:
    page.locator("[data-act=next]").click()
    settle(page)
    page.context.set_offline(True)
    act(page, "fold", "fold", "fold")
    for _ in range(4):
        if page.locator("#keep-app[data-stage=over]").count():
            break
        act(page, "next")
    page.wait_for_selector("#keep-app[data-stage=over] [data-post=straddle]")
    page.locator("[data-post=straddle]").click()
    act(page, "next")
    assert page.locator("#keep-app").get_attribute("data-stage") == "betting"
    page.context.set_offline(False)
    settle(page)
    assert [line for line in recorded(served) if "straddles" in line] == ["2 straddles 10"]


@needs_chromium
@pytest.mark.parametrize("served", [LIMIT], indirect=True)
def test_a_kill_is_chosen_in_a_limit_game_and_one_player_posts_it(page: Page, served: Served) -> None:
    page.locator("[data-act=kills]").click()
    assert page.locator("[data-post=kill]").count() == 2
    page.locator("[data-post=kill][data-seat='2']").click()
    assert page.locator("[data-post=kill]").count() == 1
    act(page, "next")
    settle(page)
    assert "2 posts kill 20" in recorded(served)
