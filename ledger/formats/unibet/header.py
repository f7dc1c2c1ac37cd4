"""Unibet's first line in both its forms, and the line of the table that the younger one has."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.unibet.words import BRANDS, GAMES, LIMITS
from ledger.hand.opening import GameSet, TournamentSet
from ledger.telling import amounts, moments
from ledger.telling.spoken import unknown_game
from ledger.vocabulary import Millis

HEADS: Final = ("Unibet Hand #", "Game #")
PREFACE: Final = ("=== HAND HISTORIES ===",)


class Head(NamedTuple):
    """The first line taken apart."""

    number: str
    table: str  # in the elder form
    tournament: str
    price: str  # `€0.93 + €0.07`
    stakes: str
    game: str
    written: str


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    if line[:1] not in "UG\ufeff \t":
        return False
    bare = line.lstrip("\ufeff \t")
    if bare.startswith("Unibet Hand #"):
        return bare[13:14].isdigit()
    number, found, rest = bare[6:40].partition(": ")
    return bare.startswith("Game #") and number.isdigit() and bool(found) and rest.startswith("Table ")  # fmt: skip


def head(line: str) -> Head:
    """Read `Unibet Hand #5, Tournament #8, €0.93 + €0.07 - 25.00/50.00 - No Limit Hold'Em - Total prize €4 - UTC 21:59:56 2026/06/05`."""
    first, *parts = line.strip("\ufeff \t\r").split(" - ")
    table = tournament = price = ""
    if first.startswith("Game #"):
        number, _, table = first[6:].partition(": Table ")
        while len(parts) > 3:  # a table's name may hold a dash
            table = f"{table} - {parts.pop(0)}"
    else:
        number, _, behind = first[13:].partition(", Tournament #")
        tournament, _, price = behind.partition(", ")
    if len(parts) < 3 or "/" not in parts[0]:
        raise UnreadableHandError("the hand's first line breaks off", kind="header")
    for one in (number, tournament or "0"):
        if not one.isascii() or not one.isdigit() or len(one) > 20:
            raise UnreadableHandError(f"a number is {one[:60]!r}", kind="header")
    return Head(number, table, tournament, price, parts[0], parts[1], parts[-1])


def setup(head: Head, stack: str, exponent: int | None) -> tuple[GameSet, TournamentSet | None]:
    """Return the game; `stack` is one of the list, which tells what is played for."""
    words = head.game.strip().lower()
    for brand in BRANDS:
        words = words.removesuffix(brand)
    limit = next((one for one in LIMITS if words.startswith(one)), "")
    variant = GAMES.get(words[len(limit) :].strip())
    stakes = head.stakes.split("/")
    if not limit or variant is None or len(stakes) != 2:
        raise unknown_game(head.game)
    unit = next((code for sign, code in amounts.SYMBOLS.items() if sign in stack), "")
    tournament = bool(head.tournament) or (not unit and bool(head.table))
    if exponent is None:
        exponent = 0 if tournament else 2
    betting = LIMITS[limit]
    told = tuple(amounts.read(one, exponent) for one in stakes)
    game = GameSet(
        variant=variant, betting=betting, format="tournament" if tournament else "cash",
        unit="chips" if tournament else unit or "play", exponent=exponent,
        blinds=() if betting == "limit" else told, bets=told if betting == "limit" else (),
    )  # fmt: skip
    return game, _costs(head) if tournament else None


def _costs(head: Head) -> TournamentSet:
    if not head.price:
        return TournamentSet(written=head.table)
    buy_in, _, fee = head.price.partition(" + ")
    currency = next((code for sign, code in amounts.SYMBOLS.items() if sign in buy_in), "")
    return TournamentSet(
        "", amounts.maybe(buy_in, 2), amounts.maybe(fee, 2), None, currency, head.price
    )


def table(line: str) -> tuple[str, int] | None:
    """Read `Table "86113818" 6-max`: name and chairs; None for another line."""
    bare = line.strip()
    if not bare.startswith('Table "'):
        return None
    name, _, chairs = bare[7:].rpartition('" ')
    digits = chairs.removesuffix("-max")
    return name, int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 3 else 0


def started(written: str) -> Millis | None:
    """Return the moment of `UTC 21:59:56 2026/06/05`; None where no zone is told.

    >>> started("UTC 21:59:56 2026/06/05")
    1780696796000
    """
    zone, _, rest = written.partition(" ")
    clock, _, day = rest.partition(" ")
    return moments.started(f"{day} {clock} UTC") if zone == "UTC" else None
