"""The lines before the list of seats: room, number, game, stakes, moment, table, tournament."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts, currencies, games
from ledger.readers.signatures import begins_with_head
from ledger.readers.timestamps import parse_iso
from ledger.vocabulary import Millis

Frame: TypeAlias = Literal["everest", "colon", "dash"]
"""How a frame writes acts: `Ada calls $1`, `Ada: Call $1`, `Ada called - $1`."""

HEADS: Final[dict[str, tuple[str, Frame]]] = {
    "EverestPoker Game #": ("Everest", "everest"),
    "GAME #": ("iPoker", "colon"),
    "MERGE_GAME #": ("Merge", "colon"),
    "Merge Game #": ("Merge", "colon"),
    "** Game ID ": ("Microgaming", "dash"),
    "** Hand # ": ("Microgaming", "dash"),
}
"""The beginning of a hand's first line → the venue, and the frame."""

UNSAID: Final[dict[str, Betting]] = {"omaha": "pot-limit", "omaha8": "pot-limit"}
"""The limit where the head names none; of other games there is none."""

_HEADS: Final = tuple(HEADS)
TOURNEY: Final = "Tourney ID: "
MANY: Final = "multi table "
"""What may stand before a game's name."""
_LONGEST: Final = 600
_SEAT: Final = ("Seat ", "- ")
_MARKS: Final = frozenset(("|", "-"))


@dataclass(slots=True)
class Head:
    """What stands before the list of seats, and the line behind it."""

    venue: str
    frame: Frame
    opening: str  # the beginning of the first line
    number: str = ""
    game: str = ""  # `Texas Hold'em NL`
    stakes: str = ""  # `$0.50/$1`, "" where it is not told
    written: str = ""
    table: str = ""
    tournament: str = ""
    price: str = ""  # `$2+$0.20`
    is_tournament: bool = False
    play: bool = False
    ante: str = ""
    chairs: int = 0
    behind: int = 0


def _numbered(line: str) -> bool:
    """Tell whether the digits of a number stand behind the head."""
    first = next(line[len(words) : len(words) + 1] for words in _HEADS if line.startswith(words))
    return first.isascii() and first.isdigit()


begins: Final = begins_with_head(_HEADS, _numbered)


def head(text: list[str], first: int, after: int) -> Head:
    """Read the lines from `first`; what is missing of them rejects the hand."""
    line = text[first].lstrip("\ufeff \t").rstrip()[:_LONGEST]
    opening = next(words for words in _HEADS if line.startswith(words))
    venue, frame = HEADS[opening]
    found = Head(venue, frame, opening)
    _FRAMES[frame](found, line[len(opening) :])
    k = first + 1
    while k < after:
        bare = text[k].strip()
        if bare.startswith(_SEAT) or " sitting in seat " in bare:
            break
        if bare.startswith("Table Info: ") and frame == "colon":
            _info(found, bare[12:_LONGEST])
        elif bare.startswith("Table Size ") and bare[11:].isdigit() and frame == "colon":
            _info(found, bare[6:])
        elif bare.startswith("Table ") and frame == "colon":
            _table(found, bare[6:_LONGEST])
        elif bare.startswith("** ") and frame == "dash":
            _room(found, bare[3:_LONGEST])
        k += 1
    found.behind = k
    if not _is_number(found.number):
        raise UnreadableHandError(f"the number of {venue}'s hand is {found.number[:40]!r}", kind="header")
    return found


def _is_number(text: str) -> bool:
    return len(text) < 40 and text.replace("-", "").isascii() and text.replace("-", "").isdigit()


def _everest(found: Head, rest: str) -> None:
    """Read `9000000029: Table Moroni-1 - $0.50/$1 - No Limit Hold'em - 20:15:00 - 2011/02/01`.

    A tournament has `Tourney ID: 90000035, Table 90000035-0` there, and its chips with the sign of dollars.
    """
    found.number, _, rest = rest.partition(": ")
    parts = rest.split(" - ")
    if len(parts) < 5:
        raise UnreadableHandError("the first line of Everest's hand is not whole", kind="header")
    clock, day = parts[-2:]
    found.written = f"{day} {clock}"
    found.game, found.stakes = parts[-3], parts[-4]
    found.table = " - ".join(parts[:-4]).removeprefix("Table ").strip()
    if found.table.startswith(TOURNEY):
        found.is_tournament = True
        found.tournament, _, found.table = found.table.removeprefix(TOURNEY).partition(", Table ")


def _colon(found: Head, rest: str) -> None:
    """Read `9000000030: Texas Hold'em NL $0.50/$1 2011/02/01 20:15:00`, `90000031-236 | Holdem NL ($1/$2) | ..`."""
    number, *words = rest.replace("|", " | ").split()
    found.number = number.rstrip(":")
    game: list[str] = []
    moment: list[str] = []
    for word in words:
        if word in _MARKS or word.startswith(("Version:", "Uncalled:")):
            continue
        bare = word.strip("()")
        if moment or (not found.stakes and not found.is_tournament and _is_day(bare)):
            moment.append(word)
        elif not found.stakes and _is_stakes(bare):
            found.stakes = bare
        elif bare.lower() == "tournament":
            found.is_tournament = True
        elif found.stakes or found.is_tournament:
            moment.append(word)
        else:
            game.append(word)
    found.game, found.written = " ".join(game), " ".join(moment)


def _is_day(word: str) -> bool:
    return len(word) == 10 and word[4] in "-/" and word[7] in "-/" and word[:4].isdigit()


def _is_stakes(word: str) -> bool:
    low, slash, high = word.partition("/")
    return bool(slash) and None not in (amounts.read_or_none(low, 4), amounts.read_or_none(high, 4))


def _table(found: Head, rest: str) -> None:
    """Read `Kentucky (90000032), Seats 2`, `Name, 900000033, 9423 (Tournament: Name Buy-In: $2+$0.20)`."""
    name, opening, told = rest.partition(" (Tournament: ")
    if opening:
        found.is_tournament = True
        found.price = told.rpartition("Buy-In: ")[2].removesuffix(")")
        number = next((part.strip() for part in name.split(",")[1:] if _is_number(part.strip())), "")
        found.tournament = number
    found.table = name.partition(", Seats ")[0].strip()


def _info(found: Head, rest: str) -> None:
    """Read `Size: 3, Blinds: 10/20, Ante: 5` and `Size 6`; a tournament's first line tells no blinds."""
    told = dict(one.replace(":", "").partition(" ")[::2] for one in rest.split(", "))
    size, blinds, ante = (told.get(name, "").strip() for name in ("Size", "Blinds", "Ante"))
    if size.isascii() and size.isdigit() and len(size) < 3:
        found.chairs = int(size)
    if not found.stakes and _is_stakes(blinds):
        found.stakes = blinds
    if amounts.read_or_none(ante, 4) is not None:
        found.ante = ante


def _dash(found: Head, rest: str) -> None:
    """Read `9000000034 Version:3 starting - 2013-02-01 20:15:00`."""
    number, _, written = rest.partition(" starting - ")
    found.number = number.partition(" ")[0]
    found.written = written.strip()


def _room(found: Head, rest: str) -> None:
    """Read `Deal 254 (Deep) - €5 Min [Hold'em] (0.05|0.10 NL - € Cash Game seats:2 ) Real Money`."""
    table, opening, told = rest.rpartition(" [")
    game, closing, stakes = told.partition("] (")
    if not opening or not closing:
        return
    found.table = table.strip()
    found.play = "Play Money" in stakes
    amount, _, kind = stakes.partition(" - ")
    bets, _, limit = amount.partition(" ")
    sign = next((sign for sign in currencies.SYMBOLS if sign in kind), "")
    found.stakes = sign + bets.replace("|", "/")
    found.game = f"{game} {limit}"
    found.is_tournament = kind.startswith(("MTT", "STT", "SNG", "Tournament"))
    number = table.rpartition("):")[0].rpartition("(")[2]
    if found.is_tournament and _is_number(number):
        found.tournament = number


_FRAMES: Final = {"everest": _everest, "colon": _colon, "dash": _dash}
"""The frame → how its first line is read."""


def setup(found: Head, behind: list[str], exponent: int | None) -> GameSet:
    """Return the game; what is not known of it rejects the hand."""
    words = " ".join(found.game.split())
    variant, limit = games.split_limit(words[len(MANY) :] if words.lower().startswith(MANY) else words, games.FLOP)
    if variant is None:
        raise UnreadableHandError(
            f"{found.venue}'s game {found.game[:80]!r} is not read from a tracker's export",
            kind="unknown-game",
            hint="Hold'em and Omaha are; is there the room's own file?",
        )
    betting = limit or UNSAID.get(variant, "no-limit")
    unit = "chips" if found.is_tournament else _unit(found, behind)
    return games.game_set(
        variant,
        betting,
        filter(None, found.stakes.split("/")),
        unit=unit,
        exponent=exponent,
        tournament=found.is_tournament,
        ante=found.ante,
    )


def _unit(found: Head, behind: list[str]) -> str:
    """Return the currency: its sign stands in the stakes, or with the stacks."""
    if found.play:
        return "play"
    for line in (found.stakes, *behind[:12]):
        for sign, code in currencies.SYMBOLS.items():
            if f"({sign}" in line or f"with {sign}" in line or line.startswith(sign):
                return code
    return "play"


def price(found: Head) -> TournamentSet:
    """Return what the tournament costs: `$2+$0.20`, `€0.91 + €0.09`."""
    parts = [amounts.read_or_none(part, 2) for part in found.price.replace(" ", "").split("+")]
    currency = currencies.currency_of(found.price)
    if not currency or None in parts or len(parts) > 2:
        return TournamentSet(written=found.price)
    fee = parts[1] if len(parts) == 2 else 0
    return TournamentSet("", parts[0], fee, None, currency, found.price)


def started(found: Head) -> Millis | None:
    """Return the moment where a zone is told: only Greenwich's is."""
    if not found.written.endswith("/GMT"):
        return None
    return parse_iso(found.written.removesuffix("/GMT").replace(" ", "T") + "Z")
