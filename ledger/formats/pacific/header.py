"""The lines before the first post: number, stakes and game, table or tournament, button, seats."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.pacific.words import GAMES, LIMITS, MARK
from ledger.hand.opening import Betting
from ledger.readers import amounts
from ledger.readers.games import unknown_game
from ledger.readers.hand import SEATS, nobody
from ledger.readers.phrases import require_number
from ledger.vocabulary import Seat

_MARKS: Final = "\ufeff \t"
_SIGNS: Final = "".join(amounts.SYMBOLS)
_NUMBERS: Final = {str(number): number for number in range(1, SEATS)}
_MOJIBAKE: Final = "\xc2"
"""What is left of a no-break space that was taken for two characters."""


class Game(NamedTuple):
    """The line of the stakes, taken apart; amounts as `clean` leaves them."""

    variant: str
    betting: Betting
    written: str
    stakes: tuple[str, ...]
    unit: str


class Place(NamedTuple):
    """The line of the table or the tournament, taken apart."""

    table: str
    chairs: int
    play: bool
    tournament: str
    prices: tuple[str, ...]  # buy-in and fee as written
    price: str  # the same in one piece


@dataclass(slots=True)
class Head:
    """What stands before the hand's first post."""

    number: str
    written: str  # the date
    line: int  # of the game
    game: Game
    snap: bool
    place: Place | None = None
    button: Seat | None = None
    button_line: int = 0
    seats: list[tuple[int, Seat, str, str]] = field(default_factory=list)  # line, seat, name, stack
    body: int = 0


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line: `***** 888poker Hand History for Game 1 *****`."""
    if not line.startswith("*****"):
        if line[:1] not in _MARKS or not line.lstrip(_MARKS).startswith("*****"):
            return False
        line = line.lstrip(_MARKS)
    at = line[:200].lower().find(MARK.lower())
    return at > 5


def clean(text: str) -> str:
    """Return an amount without blanks; a point before three digits parts thousands, for no amount here has three decimals.

    >>> clean("1.550 $"), clean("3 023,50 $"), clean("$1,234.50"), clean("$ 3.243")
    ('1550', '3023,50', '$1,234.50', '$3243')
    """
    bare = "".join(text.replace(_MOJIBAKE, "").split())
    if bare[-1:] in amounts.SYMBOLS:
        bare = bare.rstrip(_SIGNS)
    _, point, last = bare.rpartition(".")
    return bare.replace(".", "") if point and len(last) == 3 else bare


def read(text: list[str], k: int, after: int) -> Head:
    """Read from the line that begins the hand; what is no such head raises `UnreadableHandError`."""
    first = text[k].strip()
    at = first.lower().find(MARK.lower())
    number = first[at + len(MARK) :].rstrip("* ").strip()
    require_number(number)
    k += 1
    while k < after and not text[k].strip():
        k += 1
    if k == after:
        raise UnreadableHandError("the hand breaks off behind its first line", kind="cut-off")
    what, _, written = " ".join(text[k].split()).rpartition("- ***")
    head = Head(number, written.strip(), k, game_of(what.strip()), "snap" in first[:at].lower())
    _lines(head, text, k + 1, after)
    if not head.seats:
        raise nobody()
    return head


def _lines(head: Head, text: list[str], k: int, after: int) -> None:
    seats = head.seats
    for at in range(k, after):
        line = text[at].rstrip()
        if line[:5] == "Seat ":
            digits, _, rest = line[5:].partition(": ")
            name, opening, stack = rest.rpartition(" (")
            seat = _NUMBERS.get(digits)
            if line.endswith("is the button"):
                head.button, head.button_line = _NUMBERS.get(line[5:].split(" ", 1)[0]), at
            elif seat and opening and stack[-1:] == ")":
                seats.append((at, seat, name, stack[:-1]))
            else:
                head.body = at
                return
        elif line.startswith(("Table ", "Tournament ")):
            head.place = place_of(line)
        elif line and not line.startswith("Total number of players"):
            head.body = at
            return
    head.body = after


@lru_cache(maxsize=10_000)
def game_of(what: str) -> Game:
    """Read `$1/$2 Blinds No Limit Holdem`, `0,01 $/0,02 $ Blinds Pot Limit OmahaHL Jackpot table`."""
    stakes, word, name = what.partition(" Blinds ")
    low = name.lower().removesuffix("jackpot table").strip()
    for limit, betting in LIMITS:
        if word and low.startswith(limit):
            variant = GAMES.get(low[len(limit) :].strip())
            if variant is not None:
                unit = amounts.currency(stakes)
                return Game(variant, betting, name, tuple(map(clean, stakes.split("/"))), unit)
    raise unknown_game(what)


@lru_cache(maxsize=10_000)
def place_of(line: str) -> Place:
    """Read `Table Ghent 6 Max (Real Money)` or `Tournament #7 $0.90 + $0.09 - Table #73 9 Max (…)`."""
    play = "(Practice Play)" in line or "(Play Money)" in line
    bare = line.partition(" (Real Money)")[0].partition(" (Practice Play)")[0].strip()
    words = bare.split(" ")
    chairs = 0
    if len(words) > 2 and words[-1].lower() == "max" and words[-2] in _NUMBERS:
        chairs = _NUMBERS[words[-2]]
        bare = " ".join(words[:-2])
    if bare.startswith("Table "):
        return Place(bare[6:].strip(), chairs, play, "", (), "")
    number, _, rest = bare[len("Tournament ") :].strip().lstrip("#").partition(" ")
    require_number(number, most=20, what="the tournament's number")
    price, _, table = rest.rpartition("- Table #")
    if not table or not price:
        price, table = (rest, "") if "Table #" not in rest else ("", rest.partition("#")[2])
    prices = tuple(one.strip() for one in price.split("+")) if any(map(str.isdigit, price)) else ()
    return Place(table.strip(), chairs, play, number, prices, price.strip())
