"""KingsClub's first three lines: number, game, stakes; moment; table and button."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.kingsclub.words import LIMITS, game
from ledger.hand.opening import GameSet
from ledger.telling import amounts
from ledger.telling.spoken import unknown_game
from ledger.vocabulary import Seat

_LIMITS: Final = tuple(LIMITS)


class Head(NamedTuple):
    """The first line taken apart."""

    number: str
    game: GameSet


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line: `#90000022: Limit Razz - 60/120`."""
    bare = line if line[:1] == "#" else line.lstrip("\ufeff \t")
    if bare[:1] != "#":
        return False
    number, found, rest = bare[1:60].partition(": ")
    return bool(found) and number.isascii() and number.isdigit() and rest.startswith(_LIMITS)


def head(line: str, exponent: int | None) -> Head:
    """Read `#90000015: Limit A-5 Triple Draw - 44/88`."""
    number, _, rest = line.strip("\ufeff \t\r")[1:].partition(": ")
    if len(number) > 20:
        raise UnreadableHandError(f"the hand's number is {number[:60]!r}", kind="header")
    return Head(number, _game(rest, exponent))


@lru_cache(maxsize=10_000)
def _game(rest: str, exponent: int | None) -> GameSet:
    words, dash, written = rest.rpartition(" - ")
    limit = next((one for one in _LIMITS if rest.startswith(one)), "")
    variant = game(words[len(limit) :])
    stakes = written.split("/")
    if not dash or not limit or variant is None or len(stakes) != 2:
        raise unknown_game(rest)
    betting = LIMITS[limit]
    exponent = 2 if exponent is None else exponent
    told = tuple(amounts.read(one, exponent) for one in stakes)
    return GameSet(
        variant=variant, betting=betting, format="cash", unit="chips", exponent=exponent,
        blinds=() if betting == "limit" else told, bets=told if betting == "limit" else (),
    )  # fmt: skip


def table(line: str) -> tuple[str, Seat | None] | None:
    """Read `Table 'The Zoo' Seat 3 is the button`; None for another line."""
    bare = line.strip()
    if not bare.startswith("Table '"):
        return None
    left, found, digits = bare.removesuffix(" is the button").rpartition("' Seat ")
    if found and digits.isascii() and digits.isdigit() and len(digits) < 3:
        return left[7:], int(digits)
    return bare[7:].removesuffix("'"), None
