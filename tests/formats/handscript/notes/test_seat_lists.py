"""Lists of players: each is read whole, or not at all."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ledger.formats.handscript.notes.seat_lists import parse_seat_list


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("Gary $40 seat 1", {1: ("Gary", 40)}),
        ("Gary $40 seat 1, Mike $50 seat 2", {1: ("Gary", 40), 2: ("Mike", 50)}),
        ("seat 1 Ana 500 seat 2 Bo 300", {1: ("Ana", 500), 2: ("Bo", 300)}),
        ("s1 reg w/ ~800, s6 man w/ glasses 520", {1: ("reg", 800), 6: ("man with glasses", 520)}),
        ("seat 3 Al 200, seat 4 Bo (2 hats) seat 5 Di 300", {}),
    ],
)
def test_no_player_of_a_list_is_lost(text: str, players: dict[int, tuple[str, int]]) -> None:
    assert {entry.seat: (entry.name, entry.stack) for entry in parse_seat_list(text)} == {
        seat: (name, Decimal(stack)) for seat, (name, stack) in players.items()
    }
