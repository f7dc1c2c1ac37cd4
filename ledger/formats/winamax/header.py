"""Winamax's first two lines: kind of table, number, game, stakes, date; table, chairs, button."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.opening import GameSet, TournamentSet
from ledger.readers import games
from ledger.readers.heads import Head
from ledger.readers.signatures import headed

FIRST: Final = "Winamax Poker - "
ID: Final = "HandId: #"
HEAD: Final = Head(
    f"{FIRST}{{name}} - {ID}{{number}} - {{game}} - {{date}}",
    then=("Table: '{table}' {rest}", "Table '{table}' {rest}"),
)
GAMES: Final = (
    games.FLOP
    | games.STUD
    | {"short-deck", "omaha5", "omaha5-8", "omaha6", "omaha6-8"}
    | {"draw5", "single-27", "triple-27", "triple-a5", "badugi"}
)


begins: Final = headed(FIRST, lambda line: ID in line)


@lru_cache(maxsize=4096)
def setup(kind: str, told: str, exponent: int | None, *, play: bool) -> tuple[GameSet, TournamentSet | None]:
    """Return the game of a header. `exponent` None = as the currency has it."""
    tournament = kind.lower().startswith("tournament")
    left, right = told.rfind("("), told.rfind(")")
    if left < 0 or right < left:
        raise UnreadableHandError(f"no stakes in {told[:80]!r}", kind="header")
    variant, betting = games.known(told[:left], GAMES, told[:left].strip())
    stakes = told[left + 1 : right]
    bets = stakes.split("/")
    if len(bets) > 3:
        raise UnreadableHandError(f"the stakes are {stakes[:60]!r}", kind="header")
    ante, bets = (bets[0], bets[1:]) if len(bets) == 3 else ("", bets)  # `10/60/120`: the ante before them
    unit = games.currency(stakes, tournament=tournament, play=play, otherwise="EUR")
    game = games.game_set(variant, betting, bets, unit=unit, exponent=exponent, tournament=tournament, ante=ante)
    return game, _costs(kind) if tournament else None


def _costs(kind: str) -> TournamentSet:
    """Read `Tournament "Name" buyIn: 0.90€ + 0.10€ level: 3`."""
    before, found, level = kind.rpartition(" level: ")
    if not found:
        before, level = kind, ""
    price = before.rpartition(" buyIn: ")[2].strip() if " buyIn: " in before else ""
    return games.costs(price, before.partition(" ")[2], level.strip())


def table(name: str) -> tuple[str, str]:
    """Return table and tournament of `Name(9000035)#784`; "" where it is no tournament's."""
    before, close, behind = name.rpartition(")#")
    digits = before.rpartition("(")[2]
    return (behind, digits) if close and digits.isascii() and digits.isdigit() else (name, "")
