"""The state machine of the page that keeps a table: after each act it says what the server says, or that it doesn't know."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.errors import HandledgerError
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from projections.live.deal_drawing import DealRequest
from projections.live.live_document import LiveDocument
from tests.conftest import ROOT
from tests.laws import size
from web.api.device_requests import Lines, NewTable
from web.api.tables import RecordedTables
from web.server.keep_page import PAGE_DEVICE

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
MODULES = ROOT / "web" / "static" / "keep"
GAMES = (
    "holdem no-limit cash blinds 2/5 unit USD 2",
    "holdem no-limit cash blinds 1/2 ante 1 unit USD 2",
    "holdem pot-limit cash blinds 2/5 unit USD 2",
    "omaha pot-limit cash blinds 5/5 unit USD 2",
    "omaha8 limit cash blinds 5/10 bets 10/20 unit USD 2",
    "holdem limit cash blinds 3/5 bets 5/10 unit USD 2",
    "triple-27 limit cash blinds 10/20 bets 20/40 unit USD 2",
    "stud limit cash ante 1 bets 5/10 bring-in 2 unit USD 2",
    "holdem no-limit cash blinds 25/50 unit chips 0",
)
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"]


def copy_modules(folder: Path) -> Path:
    """Copy the page's modules to where node takes them for modules."""
    for module in MODULES.glob("*.js"):
        shutil.copy(module, folder / module.name)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


class HandPlayer:
    """Plays one random hand at a table of its own, as a dealer would record it."""

    def __init__(self, tables: RecordedTables, seed: int) -> None:
        self.chance = random.Random(seed)
        self.tables, self.place = tables, TableKey("Riverside Cardroom", "", f"T{seed}")
        self.game = self.chance.choice(GAMES)
        self.steps: list[dict[str, Any]] = []
        self.deck = self.chance.sample(DECK, len(DECK))
        tables.open(self.place, PAGE_DEVICE, NewTable(self.game, 10))

    def tell(self, text: str) -> bool:
        """Record a text, and note what the server shows after it."""
        try:
            answer = self.tables.record_lines(self.place, PAGE_DEVICE, Lines([text]))
        except HandledgerError:
            return False
        self.steps.append({"text": text, "live": msgspec.to_builtins(answer.live)})
        return True

    def note_posts(self) -> None:
        """Note which straddles and kills the server offers now."""
        offers = self.tables.build_table_view(self.place, PAGE_DEVICE, DealRequest())[1]
        self.steps[-1]["posts"] = [
            offer.line
            for kind in ("straddle", "kill-pot")
            for chair in offers.chairs
            for offer in chair.offers
            if offer.name == kind
        ]

    def play(self) -> list[dict[str, Any]]:
        seats = sorted(self.chance.sample(range(1, 11), self.chance.randint(2, 8)))
        self.tell("hand 1")
        for seat in seats:
            stack = self.chance.choice(("?", *map(str, (3, 20, 60, 100, 250, 500, 1000))))
            self.tell(f"seat {seat} P{seat} {stack}")
        self._post(seats)
        self.tell("deal done")
        for _ in range(120):
            live = msgspec.convert(self.steps[-1]["live"], LiveDocument)
            if not live.running:
                break
            self._go_on(live)
        return self.steps

    def _post(self, seats: list[int]) -> None:
        button = self.chance.choice(seats)
        self.tell(f"button {button}")
        words = self.game.split()
        order = [*(seat for seat in seats if seat > button), *(seat for seat in seats if seat <= button)]
        if len(seats) == 2:
            order.reverse()
        if "ante" in words:
            for seat in seats:
                self.tell(f"{seat} antes {words[words.index('ante') + 1]}")
        if "blinds" not in words:
            self.tell(f"{order[0]} brings-in 2")
            return
        small, big = words[words.index("blinds") + 1].split("/")
        self.tell(f"{order[0]} posts small {small}")
        self.tell(f"{order[1]} posts big {big}" if self.chance.random() < 0.9 else f"{order[1]} posts big 3 all-in")
        self.note_posts()
        if self.chance.random() < 0.2 and len(seats) > 3:
            self.tell(f"{order[2]} straddles {2 * int(big)}")
            self.note_posts()
        if self.chance.random() < 0.3 and len(seats) > 4 and "limit" in words:
            self.tell(f"{order[3]} posts kill {2 * int(big)}")
            self.note_posts()
        if self.chance.random() < 0.1 and len(seats) > 4:
            self.tell(f"{order[4]} posts entry {big} dead {small}")

    def _go_on(self, live: LiveDocument) -> None:
        if self.chance.random() < 0.07:
            self.tell(self.chance.choice(("u", "u", "remark hm", "burn flop", "rake 1", "floor-called")))
            return
        if live.stage == "betting" and self.chance.random() < 0.02:
            self.tell(f"{self.chance.choice(live.to_act)} folds")
            return
        if self.chance.random() < 0.01:
            self.tell("misdeal exposed-card by dealer")
            self.note_posts()
            return
        choice = self.chance.choice(live.choices) if live.choices else None
        if choice is None:
            self.tell("end")
        elif choice.word in ("bet", "raise"):
            least, most = choice.least or 0, choice.most or 4 * (choice.least or 1)
            total = self.chance.randint(least, max(least, min(most, 3 * least)))
            if self.chance.random() < 0.1:  # against the rules, and recorded all the same
                total = self.chance.randint(1, 2 * most)
            self.tell(f"r {total / 10**live.exponent:.2f}")
        elif choice.word == "street" and choice.cards:
            cards = "".join(self.deck.pop() for _ in range(choice.cards))
            self.tell(cards if self.chance.random() < 0.9 else ".")
        elif choice.word == "show":
            self.tell(f"{choice.seat} shows {' '.join(self.deck.pop() for _ in range(min(choice.cards, 5)))}")
        elif choice.word == "win":
            self.tell("." if self.chance.random() < 0.5 else f"{choice.seat} wins")
        else:
            self.tell({"fold": "f", "check": "k", "call": "c", "all-in": "a", "muck": "m"}.get(choice.word, "."))


def run_node(*args: str, **environment: str) -> str:
    assert NODE is not None
    result = subprocess.run(
        [NODE, *args], capture_output=True, text=True, check=False, timeout=300, env=os.environ | environment
    )
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
    return result.stdout


@needs_node
def test_the_state_machine_hand_by_hand(tmp_path: Path) -> None:
    run_node("--test", str(Path(__file__).parent / "keep_state_cases.mjs"), KEEP_MODULES=str(copy_modules(tmp_path)))


@needs_node
@pytest.mark.law
def test_the_state_of_the_page_is_that_of_the_server_or_unknown(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        tables = RecordedTables(ledger, ["hilton"])
        hands = [HandPlayer(tables, seed).play() for seed in range(size(40, 2_000))]
    (tmp_path / "hands.json").write_text(json.dumps(hands))
    modules = tmp_path / "modules"
    modules.mkdir()
    law = Path(__file__).parent / "keep_state_law.mjs"
    outcome = json.loads(run_node(str(law), str(tmp_path / "hands.json"), str(copy_modules(modules))))
    assert not outcome["failures"], json.dumps(outcome["failures"], indent=1)
    assert outcome["compared"] > 4 * outcome["unknown"], outcome
    assert outcome["proposed"] > outcome["hands"] / 20, outcome
    assert outcome["offered"] > outcome["hands"] / 2, outcome
