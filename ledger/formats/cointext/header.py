"""CoinPoker's first line: number, game, stakes, the moment in the zone of whoever exported it."""

from __future__ import annotations

from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.pokerstars.header import Head, Setup
from ledger.hand.opening import Betting, GameSet
from ledger.readers import amounts
from ledger.readers.bomb_pots import BOMB_POT
from ledger.readers.room import unknown_game

VENUE: Final = "CoinPoker"
HEAD: Final = "CoinPoker Hand #"

GAMES: Final[dict[str, tuple[str, Betting]]] = {
    "nlh": ("holdem", "no-limit"),
    "hold'em no limit": ("holdem", "no-limit"),
    "omaha pot limit": ("omaha", "pot-limit"),
    "plo": ("omaha", "pot-limit"),
    **{
        f"plo{mark}{cards}": (f"omaha{cards}" if cards != "4" else "omaha", "pot-limit")
        for cards in "456"
        for mark in ("", " ")
    },
}
"""A game as the text names it, small letters → its variant and limit."""
BOMB: Final = (" bombpot", " bomb pot")
_KEPT: Final = 20_000


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    if not line.startswith(HEAD):
        line = line.lstrip("\ufeff \t")
        if not line.startswith(HEAD):
            return False
    return line[len(HEAD) : len(HEAD) + 1].isdigit()


def head(line: str) -> Head:
    """Read `CoinPoker Hand #7: NLH (₮0.01/₮0.02) 2026/07/11 08:51:04 EDT`."""
    number, colon, rest = line.partition("#")[2].partition(":")
    if not colon or not number.isascii() or not number.isdigit() or len(number) > 24:
        raise UnreadableHandError(f"the hand's number is {number[:40]!r}", kind="header", hint="A number was expected.")
    game, bracket, written = rest.rpartition(")")
    written = written.strip(" -")
    if not bracket or not written[:4].isdigit():
        raise UnreadableHandError("the header has no stakes or no date", kind="header")
    return Head(VENUE, False, number, game.strip(), written)


_setups: dict[tuple[str, int | None], Setup] = {}


def setup(found: Head, *, exponent: int | None, play: bool) -> Setup:  # noqa: ARG001 - the room has one way
    """Return the game of a header. `exponent` None = as the currency has it."""
    key = (found.game, exponent)
    made = _setups.get(key)
    if made is None:
        if len(_setups) > _KEPT:
            _setups.clear()
        made = _setups[key] = _setup(found.game, exponent)
    return made


def _setup(text: str, exponent: int | None) -> Setup:
    """Read `NLH BombPot (₮0.10/₮0.25/₮0.50`: the third stake is everybody's ante."""
    name, bracket, stakes = text.partition("(")
    name = " ".join(name.lower().split())
    bomb = name.endswith(BOMB)
    for words in BOMB:
        name = name.removesuffix(words)
    known = GAMES.get(name)
    if known is None:
        raise unknown_game(text[:80])
    parts = stakes.removesuffix(" USD").split("/")
    if not bracket or not 2 <= len(parts) <= 3:
        raise UnreadableHandError(f"the stakes are {stakes[:40]!r}", kind="header")
    unit = next((code for sign, code in amounts.SYMBOLS.items() if sign in stakes), "")
    if exponent is None:
        exponent = 2 if unit else 0
    told = [amounts.read(part.strip(), exponent) for part in parts]
    game = GameSet(
        variant=known[0],
        betting=known[1],
        format="cash" if unit else "tournament",
        unit=unit or "chips",
        exponent=exponent,
        blinds=(told[0], told[1]),
        ante=told[2] if len(told) > 2 else 0,
    )
    option = (BOMB_POT,) if bomb else ()
    return Setup((game, *option), game, "", "")
