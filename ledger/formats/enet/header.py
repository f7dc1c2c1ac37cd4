"""Enet's first two lines: number, game, stakes, moment; table with its limit, and the button."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.enet.words import GAMES, LIMITS
from ledger.hand.opening import GameSet
from ledger.telling import amounts
from ledger.telling.spoken import unknown_game
from ledger.vocabulary import Seat

HEAD: Final = "Game #"
_GAMES: Final = ("Hold'em ", "Holdem ", "Omaha ", "Texas ", "Tournament #")


class Head(NamedTuple):
    """The first line taken apart."""

    number: str
    game: str
    stakes: str
    written: str


class Table(NamedTuple):
    """The second line taken apart."""

    name: str
    limit: str
    chairs: int
    button: Seat | None


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line: `Game #9000013: Omaha (€0,25/€0,50) - …`."""
    bare = line if line[:1] == "G" else line.lstrip("\ufeff \t")
    if not bare.startswith(HEAD):
        return False
    number, found, rest = bare[6:80].partition(": ")
    return bool(found) and number.isascii() and number.isdigit() and rest.lstrip().startswith(_GAMES)  # fmt: skip


def head(line: str) -> Head:
    """Read `Game #9000013: Omaha (€0,25/€0,50) - 20:15:00 1.2.2012 - %6`."""
    bare = line.strip("\ufeff \t\r")
    number, _, rest = bare[len(HEAD) :].partition(": ")
    if len(number) > 20:
        raise UnreadableHandError(f"the hand's number is {number[:60]!r}", kind="header")
    game, found, behind = rest.strip().partition(" (")
    stakes, closed, written = behind.partition(") - ")
    if not found or not closed:
        raise unknown_game(rest)
    return Head(number, game.strip(), stakes, written.partition(" - ")[0].strip())


def table(line: str) -> Table | None:
    """Read `Table 'SantElena 1 - Pot Limit' 6-max Seat #4 is the button`; None for another line."""
    bare = line.strip()
    end = bare.rfind("'")
    if not bare.startswith("Table '") or end < 7:
        return None
    name, dash, limit = bare[7:end].rpartition(" - ")
    if not dash or limit.strip(" )").lower() not in LIMITS:
        name, limit = bare[7:end], ""
    chairs, button = 0, None
    words = bare[end + 1 :].split()
    for word in words:
        digits = word.removesuffix("-max").removeprefix("#")
        if digits.isascii() and digits.isdigit() and len(digits) < 3:
            if word.endswith("-max"):
                chairs = int(digits)
            elif word.startswith("#"):
                button = int(digits) or None
    return Table(name, limit.strip(" )").lower(), chairs, button)


def setup(head: Head, limit: str, exponent: int | None) -> GameSet:
    """Return the game; a limit that is told nowhere is a pot limit in Omaha, no limit in hold'em."""
    variant = GAMES.get(head.game.lower())
    stakes = head.stakes.split("/")
    if variant is None or len(stakes) != 2:
        raise unknown_game(f"{head.game} ({head.stakes})")
    usual = "no limit" if variant == "holdem" else "pot limit"
    betting = LIMITS[limit or usual]
    exponent = 2 if exponent is None else exponent
    told = tuple(amounts.read(one, exponent) for one in stakes)
    unit = next((code for sign, code in amounts.SYMBOLS.items() if sign in head.stakes), "play")
    return GameSet(
        variant=variant, betting=betting, format="cash", unit=unit, exponent=exponent,
        blinds=() if betting == "limit" else told, bets=told if betting == "limit" else (),
    )  # fmt: skip
