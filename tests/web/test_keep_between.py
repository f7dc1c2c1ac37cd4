"""Between hands and around them: the next hand as a drawing, who sits where, everyday events, and taking back."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest

from ledger.entry import Provenance
from ledger.formats.handscript import write_lines
from ledger.house.events import RulebookAdopted
from ledger.store import open as open_ledger
from ledger.streams import HOUSE, table_stream
from ledger.table.events import HandPlayed, TableOpened
from projections.books import rulebook
from tests.projections.live.kept_table import fill_offer
from tests.web.browser import SIZES, chromium, find_barriers, needs_chromium
from tests.web.keeping import wait_until_ready
from tests.web.serving import FLOOR, Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

T7 = {"venue": "Riverside Cardroom", "tournament": "", "name": "T7"}
PAGE = f"/keep?{urlencode(T7)}"
SETTLED = """() => !document.getElementById("keep-app").hasAttribute("aria-busy") && Object.keys(localStorage)
  .filter((name) => name.startsWith("handledger acts ")).every((name) => !JSON.parse(localStorage[name]).acts.length)"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        book = rulebook.load("hilton")
        adopted = RulebookAdopted(book.name, book.edition, book.digest)
        ledger.append("house", HOUSE, [adopted], recorded=Provenance(ledger.now()))
        with serving(ledger, writes=True) as server:
            server.send("/keep", **T7, game="holdem no-limit cash blinds 2/5 unit USD 2", seats="9")
            yield server


def press(served: Served, *lines: str) -> None:
    for line in lines:
        status, text, _ = served.send("/keep", **T7, written=line)
        assert status == 303, f"{line}: {re.search('Not recorded.*', text)}"


def document(served: Served, query: str = "") -> dict[str, Any]:
    found = json.loads(served.ask(f"{PAGE.replace('/keep?', '/keep.json?')}{query}", key=FLOOR)[1])
    assert isinstance(found, dict)
    return found


def offers(served: Served, query: str = "") -> dict[str, Any]:
    found = document(served, query)["offers"]
    assert isinstance(found, dict)
    return found


def fold_out(served: Served) -> None:
    """Play the running hand out by folds."""
    while (live := document(served)["live"])["running"]:
        press(served, "f" if live["stage"] == "betting" else ".")


def play(served: Served, *, hands: int = 1) -> None:
    for _ in range(hands):
        press(served, ".")
        fold_out(served)


def begin(served: Served) -> None:
    """Five players, one hand played, and seat 5 owes both blinds."""
    press(served, *(f"{seat} sits P{seat} walk-in stack 500" for seat in (1, 2, 3, 5, 6)))
    press(served, offers(served, "&button=1")["deal"]["line"])
    fold_out(served)
    press(served, "5 away")
    play(served, hands=2)
    press(served, "5 back")


def table_lines(served: Served) -> list[str]:
    events = served.ledger.events(table_stream(T7["venue"], "", "T7"))
    return [
        write_lines([event], served.ledger.people)[0]
        for event in events
        if not isinstance(event, HandPlayed | TableOpened)
    ]


def hand_lines(served: Served) -> list[str]:
    row = max(served.ledger.hands(), key=lambda hand: hand.position)
    return write_lines(served.ledger.events(row.stream), served.ledger.people)


def picks(served: Served, seat: int, query: str = "") -> dict[str, dict[str, Any]]:
    (drawn,) = [drawn for drawn in offers(served, query)["deal"]["seats"] if drawn["seat"] == seat]
    return {pick["pick"]: pick for pick in drawn["picks"]}


def test_who_owes_posts_or_waits_and_each_choice_names_its_clause(served: Served) -> None:
    begin(served)
    choices = picks(served, 5)
    assert {pick: choice["label"] for pick, choice in choices.items()} == {
        "post": "posts $5 now",
        "wait": "waits for the big blind (2 hands)",
    }
    assert choices["wait"]["chosen"]
    for choice in choices.values():
        assert any(quote["says"] for reason in choice["reasons"] for quote in reason["clauses"])
    assert offers(served)["deal"]["line"] == "."
    deal = offers(served, "&plan=5:post")["deal"]
    assert deal["broken"] == []
    assert picks(served, 5, "&plan=5:post")["post"]["chosen"]
    press(served, deal["line"], "deal done")
    assert "5 posts makeup 5" in hand_lines(served)
    assert document(served)["live"]["findings"] == []


def test_a_button_that_is_moved_by_hand_says_what_it_breaks_before_it_is_confirmed(served: Served) -> None:
    begin(served)
    due = offers(served)["deal"]["button"]
    deal = offers(served, "&button=2")["deal"]
    assert (deal["button"], deal["by_hand"], due) == (2, True, 6)
    (finding,) = deal["broken"]
    assert finding["clause"] == "B12b.1"
    assert "seat 2 instead of seat 6" in finding["saw"]
    press(served, deal["line"], "deal done")
    assert [found["clause"] for found in document(served)["live"]["findings"]] == ["B12b.1"]


def test_without_a_rulebook_the_dealer_places_the_button(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger, serving(ledger, writes=True) as served:
        served.send("/keep", **T7, game="holdem no-limit cash blinds 2/5 unit USD 2", seats="6")
        press(served, *(f"{seat} sits P{seat} walk-in stack 500" for seat in (1, 3, 6)))
        for button in (3, 6):
            deal = offers(served)["deal"]
            assert deal["line"] == ""
            assert "rulebook" in deal["lacks"]
            press(served, offers(served, f"&button={button}")["deal"]["line"])
            assert f"{6 if button == 3 else 1} posts small 2" in hand_lines(served)
            fold_out(served)


@pytest.mark.parametrize("query", ["&plan=x&button=99", "&plan=5:sing,77:post&button=-1", "&plan=%00&button=5%3B"])
def test_a_drawing_that_is_asked_for_wrongly_is_the_usual_one(served: Served, query: str) -> None:
    begin(served)
    drawn = offers(served, query)["deal"]
    assert (drawn["button"], drawn["by_hand"]) in ((6, False), (5, True))


def standing(served: Served) -> tuple[object, ...]:
    """Who sits where with how much, and what comes next."""
    live = document(served)["live"]
    seats = [] if live["moment"] is None else live["moment"]["seats"]
    return live["stage"], [(seat["seat"], seat["stack"], seat["bet"], seat["status"]) for seat in seats], live["seated"]


def test_every_key_that_the_page_shows_is_taken_by_the_server(served: Served) -> None:
    rnd = random.Random(1)
    begin(served)
    for state in ("between", "before the deal", "betting", "flop"):
        if state == "before the deal":
            press(served, ".")
        elif state == "betting":
            press(served, "deal done")
        elif state == "flop":
            press(served, "c", "c", "c", "k", "AhKd7s")
        shown = offers(served)
        listed = [(offer, sheet.get("new_player", "")) for sheet in shown["chairs"] for offer in sheet["offers"]]
        listed += [(offer, "") for offer in shown["events"]]
        for offer, new_player in rnd.sample(listed, min(12, len(listed))):
            for line in fill_offer(offer, new_player, rnd)[:2]:
                before = standing(served)
                press(served, line)
                for _ in range(3):
                    if standing(served) == before:
                        break
                    press(served, "u")
                assert standing(served) == before, line


def test_what_was_taken_back_stays_in_the_list_also_after_the_end(served: Served) -> None:
    begin(served)
    press(served, "2 away", "u")
    recent = offers(served)["recent"]
    assert [(act["label"], act["taken_back"]) for act in recent[:2]] == [
        ("2 P2 is away", True),
        ("5 P5 is back", False),
    ]
    assert offers(served)["undo"] == "5 P5 is back"
    press(served, "u")
    assert offers(served)["undo"] == "hand 3 is over"
    press(served, "u")
    assert document(served)["live"]["running"]
    press(served, "end", "5 back", ".")
    assert (offers(served)["undo"], offers(served)["undo_line"]) == ("the deal of hand 4", "voided cancelled; end")
    button = offers(served)["recent"]
    assert all(act["undo"] == 0 for act in button)
    press(served, "voided cancelled; end")
    assert (offers(served)["deal"]["number"], offers(served)["deal"]["button"]) == ("5", 6)


def test_a_newcomers_name_is_nobody_elses(served: Served) -> None:
    assert [sheet["new_player"] for sheet in offers(served)["chairs"]] == [f"Player {seat}" for seat in range(1, 10)]
    press(served, '4 sits "Player 5" walk-in stack 200', "4 leaves")
    names = {sheet["seat"]: sheet["new_player"] for sheet in offers(served)["chairs"]}
    assert (names[4], names[5]) == ("Player 4", "Player 5-2")
    assert offers(served)["players"] == ["Player 5"]


# in a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def visit(browser: Browser, served: Served, *, size: str = "phone", dark: bool = False) -> Page:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True, color_scheme="dark" if dark else "light"
    )
    page = context.new_page()
    page.goto(f"{served.origin}{PAGE}&key={FLOOR}")
    wait_until_ready(page)
    return page


def settle(page: Page) -> None:
    page.wait_for_function(SETTLED)


def tap(page: Page, *selectors: str) -> None:
    for selector in selectors:
        page.locator(selector).first.click()
    settle(page)


@needs_chromium
def test_the_next_hand_is_a_drawing_that_one_tap_deals(browser: Browser, served: Served) -> None:
    begin(served)
    page = visit(browser, served)
    assert page.locator(".chair[data-seat='6'] .mark.D").count() == 1
    assert page.locator(".chair[data-seat='5'][data-status='left-out']").count() == 1
    page.locator("[data-pick=post]").click()
    page.wait_for_selector(".chair[data-seat='5'][data-status='in']")
    assert page.locator(".chair[data-seat='5'] .bet").inner_text() == "$5"
    page.locator("[data-act=why]").first.click()
    assert "hilton B15b" in page.locator("[data-sheet=why]").inner_text()
    tap(page, "[data-act=close]", "[data-act=next]")
    assert "5 posts makeup 5" in hand_lines(served)
    assert document(served)["live"]["stage"] == "betting"
    page.context.close()


@needs_chromium
def test_a_moved_button_is_drawn_with_what_it_breaks_and_can_be_put_back(browser: Browser, served: Served) -> None:
    begin(served)
    page = visit(browser, served)
    tap(page, "[data-act=move-button]", "[data-button='2']")
    page.wait_for_selector(".deal-broken")
    assert "B12b.1" in page.locator(".deal-broken").inner_text()
    assert page.locator(".chair[data-seat='2'] .mark.D").count() == 1
    tap(page, "[data-act=button-back]")
    page.wait_for_selector(".deal-broken", state="detached")
    tap(page, "[data-act=move-button]", "[data-button='2']")
    page.wait_for_selector(".deal-broken")
    tap(page, "[data-act=next]")
    assert "button 2" in hand_lines(served)
    page.context.close()


@needs_chromium
def test_players_come_change_seats_buy_chips_and_go_by_taps(browser: Browser, served: Served) -> None:
    begin(served)
    page = visit(browser, served)
    tap(page, ".chair[data-seat='9']", "[data-name='Player 9']", ".keypad-presets .key", "[data-act=keypad-done]")
    tap(page, ".chair[data-seat='9']", "[data-offer=move]", "[data-chair='7']")
    tap(page, ".chair[data-seat='7']", "[data-offer=add]", "[data-key='5']", "[data-key='0']", "[data-act=keypad-done]")
    tap(page, ".chair[data-seat='7']", "[data-offer=away]")
    tap(page, ".chair[data-seat='7']", "[data-offer=back]")
    tap(page, ".chair[data-seat='7']", "[data-offer=leave]")
    page.locator(".chair[data-seat='8']").click()
    page.locator("#who").fill('Lu "Ace" Bo')
    page.locator("[data-sheet=seat] form button").click()
    tap(page, ".keypad-presets .key", "[data-act=keypad-done]")
    assert table_lines(served)[-7:] == [
        '9 sits "Player 9" walk-in stack 20000',
        'moved "Player 9" from 9 to 7',
        "7 adds 5000 top-up",
        "7 away",
        "7 back",
        '7 leaves "Player 9" left',
        '8 sits "Lu \\"Ace\\" Bo" walk-in stack 20000',
    ]
    page.context.close()


@needs_chromium
def test_everyday_events_of_a_hand_are_keys(browser: Browser, served: Served) -> None:
    begin(served)
    page = visit(browser, served)
    tap(page, "[data-act=next]")
    tap(page, "[data-act=events]", "[data-offer=double-burn]")
    tap(page, "[data-act=events]", "[data-offer=no-burn]")
    tap(
        page,
        "[data-act=events]",
        "[data-chair-sheet='2']",
        "[data-offer=exposed-card]",
        "[data-option=by-dealer]",
        ".sheet [data-card=Kd]",
    )
    tap(page, "[data-act=events]", "[data-offer=rake]", ".keypad-presets .key", "[data-act=keypad-done]")
    tap(page, "[data-act=events]", "[data-offer=floor]")
    tap(page, "[data-act=events]", "[data-chair-sheet='2']", "[data-offer=kill-hand]", "[data-option=fouled]")
    tap(page, "[data-act=events]", "[data-offer=misdeal]", "[data-option=exposed-card]")
    assert hand_lines(served)[-7:] == [
        "noticed double-burn by dealer",
        "noticed no-burn by dealer",
        "exposed Kd seat 2 by dealer",
        "rake 1",
        "floor-called by dealer",
        "2 killed fouled",
        "misdeal exposed-card by dealer",
    ]
    page.context.close()


@needs_chromium
def test_what_is_taken_back_between_hands_is_struck_through(browser: Browser, served: Served) -> None:
    begin(served)
    page = visit(browser, served)
    tap(page, ".chair[data-seat='2']", "[data-offer=away]")
    tap(page, "[data-act=undo]")
    page.wait_for_selector(".brief s")
    assert page.locator(".brief s").all_inner_texts() == ["2 P2 is away"]
    page.locator("[data-act=record]").click()
    assert page.locator(".recent .taken-back s").first.inner_text() == "2 P2 is away"
    tap(page, "[data-act=take-back]", "[data-act=undo]")
    assert document(served)["live"]["running"]
    page.context.close()


@needs_chromium
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_the_sheets_are_for_fingers_and_screen_readers(browser: Browser, served: Served, size: str, dark: bool) -> None:
    begin(served)
    page = visit(browser, served, size=size, dark=dark)
    shown = {
        "the drawing": [],
        "a moved button": ["[data-act=move-button]", "[data-button='2']"],
        "reasons": ["[data-act=why]"],
        "a player": ["[data-act=close]", ".chair[data-seat='5']"],
        "an empty chair": ["[data-act=close]", ".chair[data-seat='9']"],
        "events": ["[data-act=close]", "[data-act=events]"],
        "the record": ["[data-act=close]", "[data-act=record]"],
    }
    for name, taps in shown.items():
        tap(page, *taps)
        assert find_barriers(page) == [], name
        small = page.eval_on_selector_all(
            ".keep-app .sheet button, .keep-app .deal button, .keep-app .sheet summary",
            "all => all.map((one) => [one.textContent, one.getBoundingClientRect()])"
            ".filter(([, box]) => box.width && (box.width < 44 || box.height < 44)).map(([text]) => text)",
        )
        assert small == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    page.context.close()
