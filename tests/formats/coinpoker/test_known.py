"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: what amounts mean is proven by the messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.hand.betting import Bet, Called, Checked, Folded, Raised
from ledger.hand.ending import HandCompleted, ResultDeclared
from ledger.hand.fold import fold
from ledger.hand.opening import GameSet
from tests.formats.support import Read, balances, events_of, unbalanced

pytestmark = pytest.mark.data

FOLDER = "coinpoker-json"


def test_every_hand_is_over_and_adds_up(files: list[Read]) -> None:
    for file in files:
        for account in file.accounts:
            state = fold(account.events)
            assert not state.oddities
            assert any(isinstance(event, HandCompleted) for event in account.events)
            assert unbalanced(account) == []
            for result in events_of(account, ResultDeclared):
                if result.what == "net":
                    seat = result.seat or 0
                    assert state.chips.awarded[seat] - state.chips.put_in[seat] == result.amount


def test_balances_behind_every_act_are_what_the_acts_lead_to(files: list[Read]) -> None:
    assert balances(account for file in files for account in file.accounts) > 10


def test_the_game_is_the_one_that_the_table_plays(files: list[Read]) -> None:
    games = {a.opened.number: events_of(a, GameSet)[0] for f in files for a in f.accounts}
    assert {number: (game.variant, game.betting) for number, game in games.items()} == {
        "12314400005": ("holdem", "no-limit"),
        "91426500343": ("omaha", "pot-limit"),
        "91426500344": ("omaha", "pot-limit"),
        "97900600418": ("omaha", "pot-limit"),
    }


def test_every_act_has_its_moment_in_the_order_of_the_record(files: list[Read]) -> None:
    kinds = (Bet, Called, Checked, Folded, Raised)
    for file in files:
        for account in file.accounts:
            acts = [index for index, event in enumerate(account.events) if isinstance(event, kinds)]
            assert all(index in account.times for index in acts)
            assert sorted(account.times[index] for index in acts) == [account.times[index] for index in acts]


# -- what amounts mean, straight from the messages ------------------------------------------------


def _messages(data_dir: Path) -> Iterator[list[tuple[str, str, dict[str, Any]]]]:
    for path in sorted((data_dir / FOLDER).glob("*.json")):
        value = json.loads(path.read_text(encoding="utf-8"))
        yield value["hand"] if isinstance(value, dict) else value


def _cents(value: float) -> int:
    return round(value * 100)


def test_a_seat_s_bet_grows_by_the_chips_that_leave_its_stack(data_dir: Path) -> None:
    """Proof that `betAmout` is the round's total: it and `userChips` move together within a round."""
    moved = 0
    for messages in _messages(data_dir):
        chips: dict[int, int] = {}
        bets: dict[int, int] = {}
        for name, _, body in messages:
            if name == "game.pre_hand_start_info":
                chips, bets = {}, {}
            seats = body.get("seatResponseDataList", []) if name == "game.seatInfo" else []
            if name == "game.dealer_cards" and not _all_in_or_fold(messages):
                bets = {}
            for seat in [body] if name == "game.seat" and body["newCaption"] != "Inuse" else seats:
                number, stack, bet = (seat["seatId"], _cents(seat["userChips"]), _cents(seat["betAmout"]))
                if name == "game.seat":
                    assert chips[number] - stack == bet - bets.get(number, 0)
                    moved += chips[number] != stack
                    bets[number] = bet
                chips[number] = stack
    assert moved == 16


def _all_in_or_fold(messages: list[tuple[str, str, dict[str, Any]]]) -> bool:
    """Whether acts are told before the flop at all."""
    return not any(
        entry.get("roundName") == "PREFLOP"
        for name, _, body in messages
        if name == "game.dealer_chat_action"
        for entry in body["gameActionMessagesHistory"]
    )


def test_an_entry_s_amount_is_a_call_s_chips_and_an_all_in_s_total(data_dir: Path) -> None:
    """Proof by the pot behind each act, and by the words `(by ...)`."""
    counts = {"CALL": 0, "RAISE": 0, "ALL_IN": 0}
    for messages in _messages(data_dir):
        pot = 0
        chips_in: dict[tuple[str, str, str], int] = {}  # by hand, round and player
        for _, hand, body in messages:
            for entry in body.get("gameActionMessagesHistory", []):
                name, act, amount = entry["username"], entry["action"], entry["actionAmount"]
                pot_after = _cents(entry.get("roundTotalPot") or 0)
                if act in ("SB", "BB", "STRADDLE"):
                    chips_in[hand, "PREFLOP", name] = chips_in[hand, "FLOP!", name] = _cents(amount)
                if act in counts and "roundTotalPot" in entry:
                    first = "FLOP!" if _all_in_or_fold(messages) else entry["roundName"]
                    chips_before = chips_in.get((hand, first, name), 0)
                    added = pot_after - pot
                    assert _cents(amount) == (added if act == "CALL" else chips_before + added)
                    chips_in[hand, first, name] = chips_before + added
                    counts[act] += 1
                pot = pot_after or pot
    assert counts == {"CALL": 4, "RAISE": 3, "ALL_IN": 2}
