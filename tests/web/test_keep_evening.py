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

from ledger.formats.handscript import tell
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.streams import table_stream
from ledger.table.events import HandPlayed, TableOpened
from tests.conftest import ROOT
from tests.laws import size
from tests.web.browser import SIZES, chromium, needs_chromium
from tests.web.serving import FLOOR, Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EVENING = ROOT / "cli" / "samples" / "riverside-nl-evening.hand"
HANDS = int(os.environ.get("HANDLEDGER_HANDS", str(size(3, 26))))
"""So many hands of it are kept; all 26 under `make laws`: a line takes the browser a sixth of a second."""
T7 = ("Riverside Cardroom", "", "T7")
_ACT = re.compile(r"(\d+) (folds|checks|calls|bets|raises to|shows) ?([0-9.]*)$")
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
        """Say what is played, and wait for the table."""
        self.page.get_by_label("Game").fill(game)
        self.page.get_by_role("button", name="Record this table").click()
        self.page.get_by_role("combobox", name="a line").wait_for()

    def takes(self, line: str) -> None:
        """Record what a line of the file tells, and wait until the page shows it."""
        with self.page.expect_response("**/keep.json") as answered:
            self.ways[self._does(line)] += 1
        assert answered.value.ok, (line, answered.value.text())
        self.page.locator("#main:not([aria-busy])").wait_for()

    def _does(self, line: str) -> str:
        act, board = _ACT.fullmatch(line), _BOARD.fullmatch(line)
        turn = self.page.locator(".acts .who").first
        if act is not None and turn.count() and f"Seat {act[1]} " in turn.inner_text():
            return self._acts(act[2], act[3], line)
        if board is not None and self.page.get_by_label(board[1].capitalize(), exact=True).count():
            self.page.get_by_label(board[1].capitalize(), exact=True).fill(board[2].replace(" ", ""))
            self.page.get_by_role("button", name="Deal it").click()
            return "board"
        if line in ("deal done", "showdown", "end"):
            button = self.page.get_by_role("button", name=re.compile(f"^{line}$", re.IGNORECASE))
            if button.count():
                button.click()
                return "proposed"
        return self._writes(line)

    def _acts(self, verb: str, amount: str, line: str) -> str:
        name = {"folds": "Fold", "checks": "Check"}.get(verb)
        if verb in ("bets", "raises to"):
            wager = self.page.locator("#wager")
            if wager.count():
                wager.fill(amount)
                self.page.get_by_role("button", name=re.compile("^(Bet|Raise)$")).click()
                return "wager"
        if verb == "calls":
            name = f"Call ${amount}"
        button = self.page.get_by_role("button", name=name or "-", exact=True)
        if not button.count():
            return self._writes(line)
        button.click()
        return "button"

    def _writes(self, line: str) -> str:
        self.page.get_by_role("combobox", name="a line").fill(line)
        self.page.get_by_role("button", name="Record", exact=True).click()
        return "written"


def in_words(ledger: Ledger) -> dict[str, list[str]]:
    return {row.number: tell(ledger.events(row.stream), ledger.people) for row in ledger.hands()}


def of_table(ledger: Ledger) -> list[str]:
    events = ledger.events(table_stream(*T7))
    return tell([event for event in events if not isinstance(event, HandPlayed | TableOpened)], ledger.people)


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
    pressed = sum(keeper.ways[input_kind] for input_kind in ("button", "wager", "board", "proposed"))
    assert pressed > 17 * len(kept_hands), keeper.ways
