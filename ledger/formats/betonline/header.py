"""BetOnline's first two lines: room, number, tournament, game, stakes, moment; table and button."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.betonline.words import GAMES, LIMITS, ROOMS, ZONES
from ledger.hand.opening import GameSet
from ledger.telling import amounts, moments
from ledger.telling.spoken import unknown_game
from ledger.vocabulary import Millis, Seat

HEADS: Final = tuple(f"{room} Game #" for room in ROOMS)
PREFACE: Final = ("Tournament will start in a moment.",)
_MINUTE: Final = 60_000
TEN: Final = 10
"""Where seat 0 sits: behind seat 9."""


class Head(NamedTuple):
    """The first line taken apart."""

    venue: str
    number: str
    tournament: str
    game: str  # `Hold'em No Limit ($0.01/0.02)`
    written: str


class Table(NamedTuple):
    """The second line taken apart."""

    name: str
    chairs: int
    button: Seat | None
    play: bool


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    return line.startswith(HEADS) or line.lstrip("\ufeff \t").startswith(HEADS)


def head(line: str) -> Head:
    """Read `BetOnline Poker Game #9: Tournament #3: Hold'em $10.00/$20.00 - 2011/08/07 16:02 Eastern Daylight Time`."""
    bare = line.strip("\ufeff \t\r")
    room, _, rest = bare.partition(" Game #")
    number, found, rest = rest.partition(": ")
    if not found or not number.isascii() or not number.isdigit() or len(number) > 20:
        raise UnreadableHandError(f"the hand's number is {number[:60]!r}", kind="header")
    tournament = ""
    if rest.startswith("Tournament #"):
        tournament, _, rest = rest[12:].partition(": ")
        if not tournament.isascii() or not tournament.isdigit() or len(tournament) > 20:
            raise UnreadableHandError(f"the tournament is {tournament[:60]!r}", kind="header")
    game, _, written = rest.partition(" - ")
    return Head(ROOMS[room], number, tournament, game, written)


def game(head: Head, exponent: int | None, *, play: bool) -> GameSet:
    """Return the game; in tournaments the stakes of the first level are told all along."""
    words, _, stakes = head.game.rstrip(")").rpartition(" ")
    words, limit = words.strip(), ""
    for one in LIMITS:
        if words.endswith(" " + one):
            words, limit = words[: -len(one)].strip(), one
            break
    found = GAMES.get(words.lower())
    parts = stakes.lstrip("(").split("/")
    if found is None or len(parts) != 2:
        raise unknown_game(head.game)
    variant, usual = found
    if exponent is None:
        exponent = 0 if head.tournament else 2
    told = () if head.tournament else tuple(amounts.read(one, exponent) for one in parts)
    betting = LIMITS[limit] if limit else usual
    unit = next((code for sign, code in amounts.SYMBOLS.items() if sign in stakes), "")
    return GameSet(
        variant=variant, betting=betting, format="tournament" if head.tournament else "cash",
        unit="chips" if head.tournament else "play" if play or not unit else unit,
        exponent=exponent, blinds=() if betting == "limit" else told,
        bets=told if betting == "limit" else (),
    )  # fmt: skip


def table(line: str) -> Table | None:
    """Read `Table 'Blade Runner' 10-Max, Seat #5 is the button`; None for another line."""
    bare = line.strip()
    left, found, seat = bare.removesuffix(" is the button").rpartition("Seat #")
    if not bare.startswith("Table ") or not found:
        return None
    name, play = left[6:].strip(" ,"), "(Play Money)" in left
    chairs = 0
    first, _, last = name.rpartition(" ")
    if last.lower().endswith("-max") and last[:-4].isascii() and last[:-4].isdigit():
        name, chairs = first, int(last[:-4][:2])
    name = name.replace("(Play Money)", "").strip()
    if name[:1] == "'" == name[-1:] and len(name) > 1:
        name = name[1:-1]
    return Table(name, chairs, chair(seat), play)


def chair(digits: str) -> Seat | None:
    """Return the seat of that number, 0 sits behind 9; None for what is no seat."""
    if not digits.isascii() or not digits.isdigit() or len(digits) > 2:
        return None
    return int(digits) or TEN


def started(written: str) -> Millis | None:
    """Return the moment of `2011/08/07 16:02 Eastern Daylight Time`; None where no zone is told.

    >>> started("2012/04/11 01:59:39 GMT Daylight Time")
    1334105979000
    """
    day, _, rest = written.partition(" ")
    clock, _, zone = rest.partition(" ")
    east = ZONES.get(zone.strip())
    wall = moments.started(f"{day.replace('-', '/')} {clock} UTC")
    return None if east is None or wall is None else wall - east * _MINUTE
