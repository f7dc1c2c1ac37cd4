"""The page on which a house begins: a rulebook, a table and files, without typing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.store import open as open_ledger
from projections.books.shelf import Shelf
from tests.web.browser import SIZES, chromium, needs_chromium
from tests.web.serving import AUDITOR, FLOOR, VIEWER, Served, serving
from web.server.start_page import build_game_line
from web.server.start_words import GAMES, STAKES, UNITS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NEW_TABLE = {
    "game": "holdem no-limit",
    "stakes": "2/5",
    "unit": "USD 2",
    "seats": "9",
    "venue": "Card room",
    "name": "T1",
}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with open_ledger(tmp_path / "x.ledger") as ledger, serving(ledger, writes=True) as server:
        yield server


def start(served: Served, **fields: str) -> tuple[int, str]:
    status, text, answer = served.send("/start", **fields)
    return status, answer.getheader("location") or text


def document(served: Served, path: str = "/start.json") -> Any:
    page = json.loads(served.ask(path, key=FLOOR)[1])
    assert isinstance(page, dict)
    return page


def test_a_fresh_ledger_leads_whoever_may_begin_to_the_first_steps(served: Served) -> None:
    for key, address in ((FLOOR, "/start"), (AUDITOR, "/tables"), (VIEWER, "/tables")):
        status, _, answer = served.ask("/", key=key)
        assert (status, answer.getheader("location")) == (303, address)
    assert start(served, book="hilton")[0] == 303
    assert served.ask("/", key=FLOOR)[2].getheader("location") == "/tables"


def test_for_reading_there_are_no_first_steps(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger, serving(ledger) as served:
        assert served.ask("/", key=FLOOR)[2].getheader("location") == "/tables"
        assert served.ask("/start", key=FLOOR)[0] == 403


def test_a_rulebook_is_adopted_by_one_press(served: Served) -> None:
    page = document(served)
    assert page["adopted"] == ""
    assert all(book["sentence"] for book in page["books"])
    assert start(served, book="rrop4") == (303, "/start#table")
    page = document(served)
    assert page["adopted"] == "rrop4"
    assert [book["name"] for book in page["books"] if book["adopted"]] == ["rrop4"]
    assert [adoption.book for adoption in Shelf(served.ledger).adopted] == ["rrop4"]


@pytest.mark.parametrize("book", ["nonsense", "record", "projections/rulebooks/hilton.toml", "../x.toml"])
def test_a_rulebook_that_is_not_in_the_list_is_refused(served: Served, book: str) -> None:
    """Least of all is one read from a file of the server's machine."""
    status, text = start(served, book=book)
    assert status == 400, text
    assert not Shelf(served.ledger).adopted


@pytest.mark.parametrize("key", [AUDITOR, VIEWER])
def test_only_who_may_adopt_adopts(served: Served, key: str) -> None:
    assert served.tell("/start.json", key=key, book="hilton")[0] == 403
    assert not Shelf(served.ledger).adopted


@pytest.mark.parametrize("game", GAMES)
def test_each_game_of_the_list_is_opened_and_asks_for_players(served: Served, game: str) -> None:
    for index, stakes in enumerate(STAKES):
        for unit in UNITS:
            name = f"{index} {unit}"
            status, address = start(served, **{**NEW_TABLE, "game": game, "stakes": stakes, "unit": unit, "name": name})
            assert (status, address.partition("?")[0]) == (303, "/keep"), address
            page = document(served, address.replace("/keep?", "/keep.json?"))
            assert page["live"]["stage"] == "between hands"
            assert page["live"]["chairs"] == 9


def test_what_a_book_leaves_to_the_house_is_chosen_with_the_table(served: Served) -> None:
    start(served, book="rrop4")
    assert [choice["name"] for choice in document(served)["button_methods"]] == ["dead", "moving"]
    assert start(served, **NEW_TABLE, method="moving")[0] == 303
    for seat in (1, 2, 3):
        served.send("/keep", venue="Card room", tournament="", name="T1", written=f"{seat} sits P{seat} stack 500")
    served.send("/keep", venue="Card room", tournament="", name="T1", written="b 1")
    page = document(served, "/keep.json?venue=Card+room&tournament=&name=T1")
    assert "option button-method moving" in [line["line"] for line in page["live"]["lines"]]
    start(served, book="hilton")
    assert document(served)["button_methods"] == []
    assert document(served)["entry_posts"]


def test_a_table_that_is_kept_takes_the_rulebook_that_is_adopted_meanwhile(served: Served) -> None:
    assert start(served, **NEW_TABLE)[0] == 303
    address = "/keep.json?venue=Card+room&tournament=&name=T1"
    assert document(served, address)["live"]["book"] == ""
    start(served, book="hilton")
    assert document(served, address)["live"]["book"] == "hilton"


def test_who_is_away_at_a_table_that_was_opened_here_is_on_record(served: Served) -> None:
    """Dues that rest on who sat out are certain there."""
    start(served, book="hilton")
    start(served, **NEW_TABLE)
    table = {"venue": "Card room", "tournament": "", "name": "T1"}
    address = "/keep.json?venue=Card+room&tournament=&name=T1"
    lines = [*(f"{seat} sits P{seat} walk-in stack 500" for seat in (1, 2, 3, 5, 6)), "b 1", "deal done"]
    lines += ["f", "f", "f", "f", ".", ".", ".", "5 away", ".", "deal done", "f", "f", "f", ".", ".", ".", "5 back"]
    for line in lines:
        status, text, _ = served.send("/keep", **table, written=line)
        assert status == 303, (line, text)
    page = document(served, address)
    assert page["live"]["stage"] == "between hands"
    assert not [note for note in page["offers"]["deal"]["notes"] if "Likely" in note["sentence"]]


def test_a_table_is_named_after_the_last_one(served: Served) -> None:
    start(served, book="hilton")
    assert document(served)["table"] == "T1"
    start(served, **NEW_TABLE)
    assert document(served)["table"] == "T2"


@pytest.mark.parametrize("field", ["game", "stakes", "unit"])
def test_a_game_that_is_not_in_the_lists_is_refused_and_what_was_chosen_stays(served: Served, field: str) -> None:
    status, text = start(served, **{**NEW_TABLE, "name": "Blue", field: "chess; hand 1"})
    assert status == 400
    assert 'value="Blue"' in text


def test_a_limit_game_has_bets() -> None:
    assert build_game_line("holdem limit", "2/5", "USD 2") == "holdem limit cash blinds 2/5 bets 5/10 unit USD 2"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@needs_chromium
@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_a_room_begins_without_a_key_pressed(browser: Browser, served: Served, size: str) -> None:
    """From a fresh ledger to the first hand by taps alone."""
    width, height = SIZES[size]
    page = browser.new_context(viewport={"width": width, "height": height}, has_touch=True).new_page()
    page.goto(f"{served.origin}/?key={FLOOR}")
    page.wait_for_url(re.compile("/start"))
    page.click("button[value=hilton]")
    page.click(".start-go")
    page.wait_for_selector("#keep-app[data-ready]")
    for seat in (2, 5, 7):
        page.click(f"button.chair[data-seat='{seat}']")
        page.click(f"[data-name='Player {seat}']")
        page.click(".keypad-presets .key >> nth=0")
        page.click("[data-act=keypad-done]")
        page.wait_for_selector(f"button.chair[data-seat='{seat}']:not(.empty)")
    page.click("[data-button='2']")
    page.click("[data-act=next]:not([disabled])")
    page.wait_for_selector("[data-turn]")
    page.wait_for_function("() => !document.getElementById('keep-app').hasAttribute('aria-busy')")
    (row,) = served.ledger.hands()
    assert row.number == "1"
    page.context.close()


@pytest.mark.parametrize("language", ["es", "vi", "zh"])
def test_the_first_steps_are_in_the_browsers_language(served: Served, language: str) -> None:
    start(served, book="rrop4")
    texts = [served.ask("/start", key=FLOOR, Accept_Language=tag)[1] for tag in ("en", language)]
    english, translated = (re.findall(r">([^<>{}]*[A-Za-z]{4}[^<>{}]*)<", text) for text in texts)
    names = {"x.ledger", "hilton", "rrop4", "bicycle", "house-burn", "tda2024"}
    same = {text.strip() for text in english} & {text.strip() for text in translated} - names
    assert not same, same


def test_a_table_that_was_opened_keeps_its_game_over_a_restart(tmp_path: Path) -> None:
    """Nobody chooses game, stakes and options again because the server was started again before the first hand."""
    chosen = {**NEW_TABLE, "game": "omaha pot-limit", "stakes": "5/10", "unit": "EUR 2", "method": "moving"}
    keep = "/keep.json?venue=Card+room&tournament=&name=T1"
    with open_ledger(tmp_path / "x.ledger") as ledger:
        with serving(ledger, writes=True) as first:
            start(first, book="rrop4")
            assert start(first, **chosen)[0] == 303
            before = document(first, keep)["live"]
        with serving(ledger, writes=True) as second:
            live, page = document(second, keep)["live"], document(second)
    assert live == before
    assert (live["game"]["variant"], live["game"]["blinds"], live["unit"], live["chairs"]) == (
        "omaha",
        [500, 1000],
        "EUR",
        9,
    )
    assert live["game"]["options"] == {"button-method": "moving"}
    assert [table["table"] for table in page["tables"]] == ["T1"]
    assert page["table"] == "T2"
