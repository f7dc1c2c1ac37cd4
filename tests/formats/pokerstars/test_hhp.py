"""What we write as PokerStars text is read by another program: `hhp`, a parser of hand histories on npm.

It knows no-limit hold'em for dollars and euros at tables whose size is told; CI installs it by name.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from ledger import formats
from ledger.account import Account
from ledger.event import Event
from ledger.formats.pokerstars.event_writer import UNSEEN_STREET, write
from ledger.hand.betting import Bet, Called, Checked, Completed, Folded, Raised
from ledger.hand.dealing import BoardDealt, StreetDealt
from ledger.hand.fold import fold
from ledger.hand.opening import AntePosted, BlindPosted
from tests.formats.support import new_people, read_folder

ROOT: Final = Path(__file__).parents[3]
SUPPORTED_HEADER: Final = re.compile(
    r"PokerStars Hand #\d+:  (?:Tournament #\d+, [$€][\d.]+\+[$€][\d.]+ \w+ )?Hold'em No Limit (?:\([$€]|- Level ).*:\d\d \w+.*\n"
    r"Table '[^']+' \d+-max "
)
"""How the text of a hand begins that hhp can read."""

SCRIPT: Final = """
const { parseHand } = require('hhp')
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'))
process.stdout.write(JSON.stringify(texts.map(text => parseHand(text) || null)))
"""
ACTS: Final = {Folded: "fold", Checked: "check", Called: "call", Bet: "bet", Raised: "raise", Completed: "raise"}


def hhp(texts: Sequence[str]) -> list[dict[str, Any]]:
    """What hhp makes of each text; the test is skipped where it is not installed."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    if not (ROOT / "node_modules" / "hhp").exists():
        pytest.skip("hhp is not installed: npm install --no-save hhp")
    result = subprocess.run(
        [node, "-e", SCRIPT], cwd=ROOT, input=msgspec.json.encode(texts), capture_output=True, check=True, timeout=60
    )
    documents: list[dict[str, Any]] = msgspec.json.decode(result.stdout)
    return documents


def written_hands() -> list[tuple[Account, str, dict[int, str]]]:
    """Hands of all our samples whose text hhp can read, with the names of their seats."""
    people, exports = new_people(), list[tuple[Account, str, dict[int, str]]]()
    for name in formats.NAMES:
        for read in read_folder(
            formats.get(name),
            Path(__file__).parents[1] / formats.find_module_name(name).rpartition(".")[2],
            people=people,
        ):
            for account in read.accounts:
                export = write(account.events, people)
                text = export.text
                names = {seat: people.name(loss.player) or "" for seat, loss in fold(account.events).dealt.items()}
                if (
                    not any(UNSEEN_STREET in loss for loss in export.losses)
                    and SUPPORTED_HEADER.match(text)
                    and not any(":" in loss for loss in names.values())
                ):
                    exports.append((account, text, names))
    return exports


def street_by_street(events: Sequence[Event], names: dict[int, str], chips: Any) -> list[list[tuple[Any, ...]]]:
    """The acts of each street as hhp tells them: who, what, how much, and a raise's total."""
    streets: list[list[tuple[Any, ...]]] = [[]]
    for event in events:
        if isinstance(event, BoardDealt | StreetDealt):
            streets.append([])
        elif (word := ACTS.get(type(event))) is not None:
            seat = event.seat  # type: ignore[attr-defined]  # all acts have one
            streets[-1].append((names[seat], word, chips(getattr(event, "to" if word == "raise" else "added", 0))))
    return streets


@pytest.mark.slow
def test_hhp_reads_the_same_seats_posts_acts_boards_and_awards_of_what_we_write() -> None:
    hands = written_hands()
    assert len(hands) > 15
    assert len({account.opened.venue for account, _, _ in hands}) > 3
    for (account, text, names), hhp_hand in zip(hands, hhp([text for _, text, _ in hands]), strict=True):
        assert hhp_hand is not None, text
        state = fold(account.events)
        exponent = state.game.exponent if state.game else 0

        def chips(amount: int, exponent: int = exponent) -> Decimal:
            return Decimal(amount).scaleb(-exponent)

        def to_decimal(amount: Any) -> Decimal:
            return Decimal(str(amount))

        seats = {entry["seatno"]: (entry["player"], to_decimal(entry["chips"])) for entry in hhp_hand["seats"]}
        for seat, entry in state.dealt.items():
            assert seats[seat] == (names[seat], chips(entry.stack or 0)), text
        if "table" in hhp_hand:  # a tournament's name of its own is no table to hhp
            assert hhp_hand["table"]["button"] == state.button, text
        blinds = [entry for entry in account.events if isinstance(entry, BlindPosted)]
        posts = [(names[entry.seat], chips(entry.live + entry.dead)) for entry in blinds]
        antes = [(names[e.seat], chips(e.amount)) for e in account.events if isinstance(e, AntePosted)]
        if not any(entry.role == "makeup-big" for entry in blinds):  # `posts small & big blinds` is unknown to hhp
            assert sorted((entry["player"], to_decimal(entry["amount"])) for entry in hhp_hand["posts"]) == sorted(
                posts + antes
            ), text
        ours = street_by_street(account.events, names, chips)
        for acts, street in zip(ours, ("preflop", "flop", "turn", "river"), strict=False):
            read = [
                (entry["player"], entry["type"], to_decimal(entry.get("raiseTo") or entry.get("amount") or 0))
                for entry in hhp_hand[street]
                if entry["type"] in ACTS.values()
            ]
            assert read == acts, text
        board = hhp_hand.get("board") or {}
        paid: Counter[str] = Counter()
        for street in ("preflop", "flop", "turn", "river", "showdown"):
            for entry in hhp_hand[street]:
                if entry["type"] == "collect":
                    paid[entry["player"]] += to_decimal(entry["amount"])  # type: ignore[assignment]  # a sum of decimals
        if "-" not in "".join(line.partition(" from ")[2] for line in text.splitlines()):  # it knows one side pot
            assert paid == {names[seat]: chips(amount) for seat, amount in state.chips.awarded.items()}, text
        if state.runs == 1:  # of two runs it reads no board
            assert "".join(filter(None, (board.get(f"card{number}") for number in range(1, 6)))) == "".join(
                state.boards[0]
            ), text
