"""Winamax's first two lines: kind of table, number, game, stakes, date; table, chairs, button."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.hand.opening import GameSet, TournamentSet
from ledger.readers import amounts, games, timestamps
from ledger.readers.phrases import number, require_number
from ledger.readers.signatures import headed
from ledger.vocabulary import Millis, Seat

HEAD: Final = "Winamax Poker - "
ID: Final = "HandId: #"
GAMES: Final = (
    games.FLOP
    | games.STUD
    | {"short-deck", "omaha5", "omaha5-8", "omaha6", "omaha6-8"}
    | {"draw5", "single-27", "triple-27", "triple-a5", "badugi"}
)


class Head(NamedTuple):
    """The first line taken apart."""

    kind: str  # `CashGame`, `Tournament "…" buyIn: … level: 3`, `Go Fast "Buzau"`
    number: str
    game: str  # with its stakes
    written: str


class Table(NamedTuple):
    """The second line."""

    name: str
    tournament: str
    seats: int
    button: Seat
    play: bool


begins: Final = headed(HEAD, lambda line: ID in line)


def head(line: str) -> Head:
    """Take a line apart that `begins` a hand."""
    kind, _, rest = line[len(HEAD) :].rpartition(ID)
    told, _, rest = rest.partition(" - ")
    game, dash, written = rest.rpartition(" - ")
    require_number(told.replace("-", ""), letters=True, most=60)
    if not dash or not written[:4].isdigit():
        raise UnreadableHandError("the header has no date", kind="header")
    return Head(kind.rstrip(" -"), told, game.strip(), written.strip())


def started(written: str) -> Millis | None:
    """Return the moment of `2016/11/14 02:56:04 UTC`; older files have `CET`, `CEST`."""
    clock, _, zone = written.rpartition(" ")
    return timestamps.european(clock, zone)


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
    unit = "chips" if tournament else "play" if play else amounts.currency(stakes) or "EUR"
    game = games.game_set(variant, betting, bets, unit=unit, exponent=exponent, tournament=tournament, ante=ante)
    return game, _costs(kind) if tournament else None


def _costs(kind: str) -> TournamentSet:
    """Read `Tournament "Name" buyIn: 0.90€ + 0.10€ level: 3`."""
    before, found, level = kind.rpartition(" level: ")
    if not found:
        before, level = kind, ""
    price = before.rpartition(" buyIn: ")[2].strip() if " buyIn: " in before else ""
    return games.costs(price, before.partition(" ")[2], level.strip())


@lru_cache(maxsize=4096)
def table(line: str) -> Table | None:
    """Read `Table: 'Name(9000035)#784' 6-max (real money) Seat #3 is the button`; None if it is none."""
    left, right = line.find("'"), line.rfind("'")
    if not line.startswith("Table") or left < 0 or right == left:
        return None
    name, rest = line[left + 1 : right], line[right + 1 :]
    tournament = ""
    before, close, behind = name.rpartition(")#")
    digits = before.rpartition("(")[2]
    if close and digits.isascii() and digits.isdigit():
        tournament, name = digits, behind
    seats = next((number(word[:-4]) for word in rest.split() if word.endswith("-max")), 0)
    button = number(rest.partition("Seat ")[2].partition(" ")[0].lstrip("#").lstrip("0"))
    return Table(name, tournament, seats, button, "(play money)" in rest.lower())
