"""A browser keeps the README's evening: what is pressed and typed there is what its file tells."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from ledger.formats.handscript import write_lines
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.streams import table_stream
from ledger.table.events import HandPlayed, TableOpened
from tests.conftest import ROOT
from tests.laws import size
from tests.web.browser import SIZES, chromium, needs_chromium
from tests.web.keeping import bet, pick, wait_until_ready, write
from tests.web.serving import FLOOR, Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EVENING = ROOT / "cli" / "samples" / "riverside-nl-evening.hand"
HANDS = int(os.environ.get("HANDLEDGER_HANDS", str(size(2, 26))))
"""So many hands of it are kept; all 26 under `make laws`: a line takes the browser a sixth of a second."""
T7 = ("Riverside Cardroom", "", "T7")
_ACT = re.compile(r"(\d+) (folds|checks|calls|bets|raises to) ?([0-9.]*)$")
_SHOWN = re.compile(r"(\d+) (mucks|shows(?: [2-9TJQKA][shdc]){2})$")
_BOARD = re.compile(r"(flop|turn|river) ((?:[2-9TJQKA][shdc] ?){3}|[2-9TJQKA][shdc])$")
"""As a street is dealt; a flop of four cards is written out."""


class Keeper:
    """A person at the page: presses what it offers for a line, and writes the line where it offers nothing."""

    def __init__(self, browser: Browser, served: Served) -> None:
        width, height = SIZES["laptop"]
        self.page: Page = browser.new_context(viewport={"width": width, "height": height}).new_page()
        self.served = served
        self.ways: Counter[str] = Counter()
        place = {"venue": T7[0], "tournament": T7[1], "name": T7[2]}
        self.page.goto(f"{served.origin}/keep?{urlencode(place)}&key={FLOOR}")

    def opens(self, game: str) -> None:
        """Open the table for a game that no list has, as the page without a script does, and wait for it."""
        status, text, _ = self.served.send("/keep", venue=T7[0], tournament=T7[1], name=T7[2], game=game, seats="9")
        assert status == 303, text
        self.page.reload()
        wait_until_ready(self.page)
        self.page.locator("[data-act=record]").wait_for()

    def takes(self, line: str) -> None:
        """Record what a line of the file tells, and wait until the page shows it."""
        with self.page.expect_response("**/keep.json") as answered:
            self.ways[self._does(line)] += 1
        assert answered.value.ok, (line, answered.value.text())
        self.page.locator("#keep-app:not([aria-busy])").wait_for()

    def _does(self, line: str) -> str:
        action, board = _ACT.fullmatch(line), _BOARD.fullmatch(line)
        stage = self.page.locator("#keep-app").get_attribute("data-stage")
        turn = self.page.locator(".chair[data-turn]")
        if action is not None and turn.count() and turn.get_attribute("data-seat") == action[1]:
            return self._acts(action[2], action[3], line)
        if board is not None and stage == "street":
            pick(self.page, *board[2].split())
            return "board"
        if (shown := _SHOWN.fullmatch(line)) is not None and stage == "showdown":
            return self._shows(shown[1], shown[2], line)
        if (stage, line) in (("before-deal", "deal done"), ("end", "end")):
            self.page.locator("[data-act=next]").click()
            return "proposed"
        return self._writes(line)

    def _shows(self, seat: str, cards: str, line: str) -> str:
        if not self.page.locator(f".chair.shows[data-seat='{seat}']").count():
            self.page.locator(f".chair[data-seat='{seat}']").click()
        if cards == "mucks":
            self.page.locator("[data-act=muck]").click()
            return "muck"
        pick(self.page, *cards.removeprefix("shows ").split())
        return "show"

    def _acts(self, verb: str, amount: str, line: str) -> str:
        word = {"folds": "fold", "checks": "check", "calls": "call"}.get(verb, "raise")
        button = self.page.locator(f".panel [data-act={word}]")
        if not button.count() or (word == "call" and button.inner_text() != f"Call ${amount}"):
            return self._writes(line)
        if word == "raise":
            bet(self.page, amount)
            return "wager"
        button.click()
        return "button"

    def _writes(self, line: str) -> str:
        write(self.page, line)
        return "written"


def in_words(ledger: Ledger) -> dict[str, list[str]]:
    return {row.number: write_lines(ledger.events(row.stream), ledger.people) for row in ledger.hands()}


def of_table(ledger: Ledger) -> list[str]:
    events = ledger.events(table_stream(*T7))
    return write_lines([event for event in events if not isinstance(event, HandPlayed | TableOpened)], ledger.people)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@needs_chromium
@pytest.mark.law
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_evening_of_the_readme_kept_on_the_page_is_that_of_its_file(browser: Browser, tmp_path: Path) -> None:
    text = EVENING.read_text()
    hands = text.split("\nhand ")
    file = tmp_path / "evening.hand"
    file.write_text("\nhand ".join(hands[: HANDS + 1]) + "\n")
    lines = [line.partition("  #")[0].strip() for line in file.read_text().splitlines()[1:]]
    lines = [line for line in lines if line and not line.startswith("#")]
    game = next(line.removeprefix("game ") for line in lines if line.startswith("game "))
    with open_ledger(tmp_path / "kept") as ledger, serving(ledger, writes=True) as served:
        keeper = Keeper(browser, served)
        keeper.opens(game)
        for line in lines:
            if not line.startswith(("venue ", "game ")):
                keeper.takes(line)
        kept_hands, facts = in_words(ledger), of_table(ledger)
        assert ledger.verify() == []
    with open_ledger(tmp_path / "read") as ledger:
        import_paths(ledger, [file])
        assert kept_hands == in_words(ledger)
        assert facts == of_table(ledger)
    assert len(kept_hands) == min(HANDS, len(hands) - 1)
    pressed = sum(keeper.ways[input_kind] for input_kind in ("button", "wager", "board", "proposed", "show", "muck"))
    assert pressed > 17 * len(kept_hands), keeper.ways
