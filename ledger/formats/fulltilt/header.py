"""The first line of a hand: room, number, table or tournament, stakes, game, date; and the seats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.fulltilt.words import GAMES, HEADS, LIMITS
from ledger.hand.opening import Betting
from ledger.readers import amounts, timestamps
from ledger.readers.games import unknown_game
from ledger.readers.hand import SEATS
from ledger.readers.phrases import require_number
from ledger.vocabulary import Millis, Seat

_MARKS: Final = "\ufeff \t"
_SUMMARY: Final = " Tournament Summary "
_SITS_OUT: Final = ", is sitting out"
_NUMBERS: Final = {str(number): number for number in range(1, SEATS)}
_SEATS_WORDS: Final = ("max", "heads up")


class Game(NamedTuple):
    """Stakes and game, in whichever order they stand; amounts as written."""

    variant: str
    betting: Betting
    written: str
    stakes: tuple[str, ...]
    ante: str
    cap: str  # "" = none; "cap" = one of an amount that is not told
    unit: str


class Place(NamedTuple):
    """Table or tournament."""

    table: str
    chairs: int
    traits: tuple[str, ...]  # "shallow", "deep"
    tournament: str
    name: str  # of the tournament
    buy_in: str
    fee: str


@dataclass(frozen=True, slots=True)
class Head:
    """The first line taken apart."""

    number: str
    place: Place
    game: Game
    written: str  # time, zone and date
    started: Millis | None


class Chair(NamedTuple):
    """A line of the seat list."""

    seat: Seat
    name: str
    stack: str
    away: bool


def begins(line: str) -> bool:
    """Tell whether a hand, or the summary of a tournament, begins with this line."""
    if not line.startswith(HEADS):
        line = line.lstrip(_MARKS)
        if not line.startswith(HEADS):
            return False
    return " Game #" in line[:40] or _SUMMARY in line[:40]


def head(line: str) -> Head:
    """Take a line apart that `begins` a hand."""
    line = line.strip(_MARKS)
    if _SUMMARY in line[:40]:
        raise UnreadableHandError("the summary of a tournament, no hand", kind="not-a-hand")
    number, colon, rest = line.partition(" Game #")[2].partition(": ")
    require_number(number, whole=colon)
    main, _, eastern = rest.removesuffix("(partial)").rstrip().partition(" [")
    parts = main.split(" - ")
    if len(parts) < 5:
        raise UnreadableHandError("the first line does not name table, stakes, game, time and date", kind="header")
    written = " - ".join(parts[-2:])
    game = game_of(parts[-4], parts[-3])
    place = place_of(" - ".join(parts[:-4]))
    return Head(number, place, game, written, _started(eastern.rstrip("]") or written))


def _started(text: str) -> Millis | None:
    """Return the moment of `15:42:59 ET - 2010/08/04`."""
    clock, _, day = text.partition(" - ")
    time, _, zone = clock.strip().partition(" ")
    return timestamps.started(f"{day.strip()} {time} {zone}") if zone in ("ET", "UTC", "GMT") else None


@lru_cache(maxsize=10_000)
def game_of(first: str, second: str) -> Game:
    """Read `$5/$10` and `$400 Cap Pot Limit Omaha Hi`, in either order; the older one has stakes first."""
    stakes, name = (first, second) if "/" in first and first[:1] in "0123456789$€£" else (second, first)
    amount, _, ante = stakes.partition(" Ante ")
    cap = ""
    low = name.strip()
    if low[:1] in amounts.SYMBOLS or low[:1].isdigit():
        word, _, rest = low.partition(" ")
        if "card" not in rest[:5].lower():
            cap, low = word, rest
    if low[:4].lower() == "cap ":
        cap, low = cap or "cap", low[4:]
    low = low.lower()
    for prefix, betting in LIMITS:
        variant = GAMES.get(low[len(prefix) :].strip()) if low.startswith(prefix) else None
        if variant is not None:
            unit = amounts.currency(stakes)
            blinds = tuple(_thousands(one) for one in amount.split("/"))
            return Game(variant, betting, name, blinds, _thousands(ante), cap, unit)
    raise unknown_game(name)


def _thousands(text: str) -> str:
    """Write `500K` out."""
    bare = text.strip()
    return bare[:-1] + "000" if bare[-1:] in ("K", "k") and "." not in bare else bare


@lru_cache(maxsize=10_000)
def place_of(text: str) -> Place:
    """Read `Table Teddy (6 max, shallow)` or `$2 + $0.25 Sit & Go (900000019), Table 1`."""
    if text.startswith("Table "):
        name, opening, traits = text[6:].rpartition(" (")
        if not opening or not traits.endswith(")"):
            return Place(text[6:].strip(), 0, (), "", "", "", "")
        words = tuple(word.strip() for word in traits[:-1].split(","))
        chairs = 0
        for word in words:
            if word.lower().endswith("max"):
                chairs = _NUMBERS.get(word.split(" ", 1)[0], 0)
            elif word.lower() == "heads up":
                chairs = 2
        traits_left = tuple(word for word in words if not word.lower().endswith(_SEATS_WORDS))
        return Place(name.strip(), chairs, traits_left, "", "", "", "")
    name, _, table = text.rpartition("), ")
    name, _, number = name.rpartition(" (")
    if not number.isascii() or not number.isdigit() or len(number) > 20:
        raise UnreadableHandError(f"no table and no tournament in {text[:80]!r}", kind="header")
    buy_in, plus, more = name.partition(" + ")
    fee = more.partition(" ")[0] if plus and more[:1] in amounts.SYMBOLS else ""
    if not fee:
        buy_in = name.partition(" ")[0] if "Sit & Go" in name and name[:1] in amounts.SYMBOLS else ""
    return Place(table.removeprefix("Table "), 0, (), number, name, buy_in, fee)


def chair(line: str) -> Chair | None:
    """Read `Seat 4: Name ($10,689), is sitting out`; None if it is no line of the list."""
    digits, _, rest = line[5:].partition(": ")
    seat = _NUMBERS.get(digits)
    if line[:5] != "Seat " or seat is None:
        return None
    away = rest.endswith(_SITS_OUT)
    if away:
        rest = rest[: -len(_SITS_OUT)]
    name, opening, stack = rest.rpartition(" (")
    if not opening or stack[-1:] != ")" or not any(map(str.isdigit, stack)):
        return None
    return Chair(seat, name, stack[:-1], away)
