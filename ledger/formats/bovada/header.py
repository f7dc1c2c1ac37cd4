"""The first lines of a hand: room, number, table or tournament, game, stakes, date, and who sits where."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts, games, timestamps
from ledger.readers.currencies import SYMBOLS
from ledger.readers.incomplete import no_players
from ledger.readers.phrases import small_number
from ledger.readers.signatures import begins_with_head, ends_at, foreign_heads, head_starts
from ledger.vocabulary import Chips, Millis

ROOMS: Final = ("Bovada", "Bodog", "Ignition", "Joe Fortune", "JoeFortune", "Cafe Casino", "Slots.lv")
"""Skins of one network; `Bodog.eu`, `Bodog.com` and `Bodog88` begin like Bodog."""
GAMES: Final = games.FLOP | {"omaha5", "omaha6", "stud", "stud8"}
INFO: Final = ("Table Info:", "Seating Info:", "Player Info:")
"""Lines of newer files about the table: their words are kept."""
ZONE: Final = "Zone Poker"
"""How the pool is called whose players meet for one hand."""
_CHAIRS: Final = 10
"""The most players at a table: larger numbers are those of the tournament's entries."""
_KEPT: Final = 10_000
_LONGEST: Final = 400
_PARTS: Final = re.compile(
    r" Tournament #(?P<tournament>\S*)|(?:Zone Poker ?)?(?:TBL|(?P<zone>ID))#(?P<table>\S*)"
    r"|- Level (?P<level>[^(]*)(?:\((?P<blinds>[^)]*).*)?"
)
"""What stands around the game: `TBL#5 HOLDEM …`, `Zone Poker ID#7 …`, `HOLDEM Tournament #3 TBL#1, …- Level 3 (20/40)`."""
_DIGITS: Final = 20


@dataclass(frozen=True, slots=True)
class BovadaHeader:
    """What the first line says."""

    room: str
    number: str
    tournament: str
    table: str
    game: str  # as written, without the betting
    variant: str
    betting: Betting | None  # None = not told: "Normal", "Turbo"
    level: str
    blinds: tuple[str, ...]
    written: str
    started: Millis | None

    @property
    def where(self) -> str:
        """Of what a chair is one: of the table, or of the hand alone where players of a pool meet for it."""
        if self.table.startswith(ZONE):
            return f"hand {self.number}"
        return f"{self.tournament}-{self.table}" if self.tournament else self.table


begins: Final = begins_with_head(
    ROOMS, lambda line: 0 < (at := line.find(" Hand #")) < 24 and line[at + 7 : at + 8].isalnum()
)


@lru_cache(maxsize=64)
def head(line: str) -> BovadaHeader:
    """Read the line; what cannot be read raises `UnreadableHandError`."""
    bare = line.strip("\ufeff \t\r")
    room, _, rest = bare.partition(" Hand #")
    if len(bare) > _LONGEST:
        raise _bad("it is too long")
    where, dash, written = rest.rpartition(" - ")
    if not dash:
        raise UnreadableHandError("the hand breaks off within its first line", kind="cut-off")
    where = where.replace("[MVS]", " ").strip()
    words = where.split()
    digits = words[0].rstrip(":") if words else ""
    if not (digits.isascii() and digits.isalnum() and len(digits) <= _DIGITS):
        raise _bad("it has no number")
    written = written.strip()
    moment = timestamps.parse_start(written.replace("-", "/"))
    return BovadaHeader(room.strip(), digits, *_parts(where[len(words[0]) :]), written, moment)


@lru_cache(maxsize=_KEPT)
def _parts(body: str) -> tuple[str, str, str, str, Betting | None, str, tuple[str, ...]]:
    """Return what stands between number and date: tournament, table, game, variant, betting, level, blinds."""
    told = {name: value for part in _PARTS.finditer(body) for name, value in part.groupdict("").items() if value}
    tournament, table = told.get("tournament", ""), told.get("table", "").rstrip(",")
    if not table and not tournament:
        raise _bad("it names no table")
    game, betting = _game(_PARTS.sub(" ", body))
    variant = games.variant(game.lower().replace("zonepoker", " "), GAMES)
    if variant is None:
        raise games.unknown_game(game)
    table = f"{ZONE} {table}" if "zone" in told else table
    blinds = tuple(told["blinds"].split("/")) if "blinds" in told else ()
    return tournament, table, game, variant, betting, told.get("level", "").strip(), blinds


def _bad(why: str) -> UnreadableHandError:
    return UnreadableHandError(
        f"the first line cannot be read: {why}", kind="header", hint="Compare it with an intact hand of the room."
    )


def _game(body: str) -> tuple[str, Betting | None]:
    """Split `HOLDEM  Fixed Limit` into game and betting."""
    text = " ".join(body.replace(",", " ").split())
    for words, betting in games.LIMITS.items():
        if text.lower().endswith(" " + words):
            return text[: -len(words)].strip(), betting
    for words in ("Normal", "Hyper Turbo", "Super Turbo", "Turbo"):
        if text.endswith(words):
            return text[: -len(words)].strip(), None
    return text, None


@dataclass(frozen=True, slots=True)
class BovadaSeatRow:
    """A line of the list: `Seat 3: UTG [ME] ($320 in chips)`, or in stud `Seat+3 [ME]: $0.50 in chips`."""

    line: int
    number: int  # as written
    name: str  # the position; in stud the seat itself
    me: bool
    stack: str


@dataclass(slots=True)
class BovadaSeating:
    """The lines between the header and the first post."""

    chairs: list[BovadaSeatRow] = field(default_factory=list)
    info: str = ""  # the line that begins `Table Info:`
    remarks: list[int] = field(default_factory=list)

    @property
    def ordered(self) -> bool:
        """Whether the numbers are chairs: they rise, and are not those of a tournament's entries."""
        numbers = [chair.number for chair in self.chairs]
        return numbers == sorted(set(numbers)) and numbers[0] > 0 and numbers[-1] <= _CHAIRS

    def seats(self, button: tuple[str, int] | None) -> list[int]:
        """Return each line's seat. Where the numbers are no chairs, the list is in their order.

        `button`: the position that has it and its chair, which the text counts; None = not told.
        """
        if self.ordered:
            return [chair.number for chair in self.chairs]
        places = list(range(1, len(self.chairs) + 1))
        if button is None:
            return self._around_a_dead_button(places)
        name, chair = button
        at = next((k for k, one in enumerate(self.chairs) if one.name == name), -1)
        shift = chair - 1 - at
        if at < 0 or not 0 < shift <= _CHAIRS - len(self.chairs):
            return places
        return places[:at] + [place + shift for place in places[at:]]

    def _around_a_dead_button(self, places: list[int]) -> list[int]:
        """Leave a chair for a button that lies before nobody: the one before the blinds."""
        names = [chair.name for chair in self.chairs]
        blind = "Small Blind" if "Small Blind" in names else "Big Blind"
        if "Dealer" in names or blind not in names:
            return places
        at = names.index(blind)
        return places[:at] + [place + (at > 0) for place in places[at:]]


def seats(text: list[str], k: int, after: int) -> tuple[BovadaSeating, int]:
    """Read the list of seats from line `k` on; return the line behind it as well."""
    found = BovadaSeating()
    while k < after:
        line = text[k]
        chair = _chair(line, k)
        if chair:
            found.chairs.append(chair)
        elif line.startswith(INFO):
            found.info = found.info or (line if line.startswith("Table") else "")
            found.remarks.append(k)
        elif line.strip():
            break
        k += 1
    if not found.chairs:
        raise no_players()
    return found, k


def _chair(line: str, k: int) -> BovadaSeatRow | None:
    place, colon, rest = line.partition(": ")
    count = _number(place)
    end = rest.find(" in chips")
    if not colon or not count or end < 0 or rest[end + 9 :].strip() not in (")", "") or " : " in line:
        return None
    start = rest.rfind("(", 0, end)
    name, me = _position(rest[:start] if start >= 0 else place)
    return BovadaSeatRow(k, count, name, me, rest[start + 1 : end])


@lru_cache(maxsize=_KEPT)
def _number(place: str) -> int:
    """Read `Seat 3`, `Seat+3 [ME]`; 0 for what is no seat."""
    return small_number(place[5:].replace("[ME]", "").strip(), 6) if place.startswith(("Seat ", "Seat+")) else 0


@lru_cache(maxsize=_KEPT)
def _position(who: str) -> tuple[str, bool]:
    """Read `UTG [ME]`: the position, and whether it is the record's owner's."""
    return bare(who), "[ME]" in who


def bare(who: str) -> str:
    """Return a position without the mark of the record's owner."""
    return who.replace("[ME]", "").strip()


def setup(head: BovadaHeader, seating: BovadaSeating, source: str, exponent: int | None) -> GameSet:
    """Return the game of the hand.

    The bets of a limit game are not written, and the upper one is no sure multiple of a blind.
    """
    unit = "chips" if head.tournament else SYMBOLS.get(seating.chairs[0].stack[:1], "play")
    if exponent is None:
        exponent = 0 if unit == "chips" else 2
    stakes = _stakes(head, seating.info, source, exponent)
    return GameSet(
        head.variant,
        head.betting or ("pot-limit" if head.variant.startswith("omaha") else "no-limit"),
        "tournament" if head.tournament else "cash",
        unit,
        exponent,
        stakes[:2],
        stakes[2] if len(stakes) > 2 else 0,
        written=head.game,
    )


def _stakes(head: BovadaHeader, info: str, source: str, exponent: int) -> tuple[Chips, ...]:
    """Return the blinds and the ante of the structure, as far as level, table or file name tell them.

    Stud has none: what a level writes there, `(10/20)` where 20 and 40 are bet, names neither blinds nor bets.
    """
    if head.variant in games.STUD:
        return ()
    told = head.blinds or tuple(info.partition("Stakes: ")[2].partition(",")[0].strip().split("-") if info else ())
    if not told and not head.tournament and head.betting != "limit":
        # HH20190414-214525 - 9000043 - RING - $0.10-$0.25 - HOLDEM - NL - TBL No.90000018.txt
        named = source.split(" - ")
        at = next((k for k, word in enumerate(named) if word in ("RING", "ZONE")), -1)
        told = tuple(named[at + 1].split("-")) if 0 <= at < len(named) - 1 else ()
    found = [amount for word in told if (amount := amounts.read_or_none(word, exponent))]
    return tuple(found) if len(found) == len(told) and 2 <= len(found) <= 3 else ()


def tournament_set(head: BovadaHeader, info: str) -> TournamentSet:
    """Return level and price; `info` is the line `Table Info: …, Buyin: $25+$2.50, …`, "" = none."""
    price = info.partition("Buyin: ")[2].partition(",")[0].strip()
    return games.costs(price, level=head.level)


FOREIGN: Final = foreign_heads(*(room + " Hand #" for room in ROOMS))
_SHORT, _STARTS = head_starts(FOREIGN)


def breaks(text: list[str]) -> list[int]:
    """Return the lines at which a hand begins, another room's too, or where one goes on whose beginning is lost."""
    found, over = [], False
    for k, line in enumerate(text):
        first = line[:1]
        if ("#" in line or (line[:4] in _SHORT and line.startswith(_STARTS))) and (
            begins(line) or ends_at(line, FOREIGN)
        ):
            found.append(k)
            over = False
        elif first == "*" and line.startswith("*** SUMMARY"):
            over = True
        elif over and " in chips)" in line and " (" in line:
            found.append(k)
            over = False
    return found
