"""partypoker's first lines: number, game, stakes, moment, table, button, seats, tournament."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts, currencies, games, timestamps
from ledger.readers.incomplete import no_players
from ledger.readers.phrases import parse_phrase, require_number, small_number
from ledger.readers.signatures import begins_with_head
from ledger.vocabulary import Millis, Seat

VENUE: Final = "partypoker"
CONVERTED: Final = {"Poker Stars": "PokerStars", "WPN": "Winning Poker Network"}
"""What stands behind the number where a program wrote another room's hand in this notation → that room."""
HEADS: Final = ("***** Hand History for Game ", "***** Hand History For Game ")
GAMES: Final = games.FLOP | games.STUD | {"short-deck", "omaha5", "omaha5-8", "omaha6", "omaha6-8"}
_CHIPS: Final = ("chips", "CHIPS", "Chips")
CODES: Final = (*(code for code in currencies.CURRENCIES if len(code) == 3 and code.isupper()), *_CHIPS)
"""What may stand behind an amount."""
FAST: Final = "fastforward"
ROW: Final = parse_phrase("{seat}:{name}({stack})")
"""A row of the list of seats behind its first word."""
_DATED: Final = re.compile("(?P<before>.*)- ?(?:mon|tue|wed|thu|fri|sat|sun)", re.DOTALL)
_AHEAD: Final = (
    "HST -600 AKST -540 PST -480 AKDT -480 MST -420 PDT -420 MDT -360 EST -300 CDT -300 COT -300 EDT -240 ADT -180 ART -180 "
    "BRT -180 BRST -120 UTC 0 GMT 0 WET 0 WEST 60 BST 60 CET 60 CEST 120 EET 120 SAST 120 EEST 180 TRT 180 MSD 240 "
    "MSKS 240 ICT 420 SGT 480 HKT 480 AWST 480 JST 540 KST 540 ACST 570 AEST 600 ACDT 630 AEDT 660 NZST 720 NZDT 780"
)
ZONES: Final = dict(zip(_AHEAD.split()[::2], map(int, _AHEAD.split()[1::2]), strict=True))
"""Minutes east of Greenwich; names that mean several zones (CST, IST, AST) are not among them."""
_MARKS: Final = "\ufeff\0 \t"


class PartyPokerGame(NamedTuple):
    """The line behind the number, taken apart; amounts as written."""

    variant: str
    betting: Betting
    written: str  # the game's own name
    stakes: tuple[str, ...]  # blinds or bets; () where only a table's greatest buy-in is named
    unit: str  # currency code, "" = not told
    tournament: bool
    number: str  # the tournament's
    level: str = ""
    ante: str = ""
    buy_in: str = ""
    fee: str = ""
    pool: str = ""  # of players, who have another table for each hand


@dataclass(slots=True)
class PartyPokerHeader:
    """What stands before the hand's first post."""

    number: str
    venue: str
    game: PartyPokerGame  # with what the lines behind it say of level and blinds
    line: int  # of the game
    date: str  # as written
    table: str = ""
    club: str = ""  # the tournament's name
    play: bool = False
    button: Seat | None = None
    button_line: int = 0
    chairs: int = 0
    seats: list[tuple[int, Seat, str, str]] = field(default_factory=list)  # line, seat, name, stack
    body: int = 0  # the first line behind the head

    @property
    def where(self) -> str:
        """Of what a chair is one: of the table; of the hand alone where a pool's players meet for it, or no table is told."""
        if self.game.pool or not self.table:
            return f"hand {self.number}"
        return f"{self.game.number}-{self.table}" if self.game.tournament else self.table


begins: Final = begins_with_head(HEADS, marks=_MARKS)


def clean(text: str) -> str:
    """Return an amount without currency code, inner blanks and what stands around it."""
    bare = text.strip(" \t\xa0.")
    for code in CODES:
        bare = bare.removesuffix(code)
    return "".join(bare.split())


def head_of(text: list[str], k: int, after: int) -> PartyPokerHeader:
    """Read from the line that begins the hand; what is no such head raises `UnreadableHandError`."""
    digits, _, room = text[k].lstrip(_MARKS)[len(HEADS[0]) :].strip().partition(" *****")
    digits, room = digits.rstrip("*").strip(), room.strip(" *()")
    require_number(digits, letters=True, most=60)
    k = next((at for at in range(k + 1, after) if text[at].strip()), after)
    if k == after:
        raise UnreadableHandError("the hand breaks off behind its first line", kind="cut-off")
    line = " ".join(text[k].split())
    low = line.lower()
    dated = _DATED.match(low)
    if dated is None:
        raise UnreadableHandError("the header has no date", kind="header")
    at = 1 + dated.end("before")
    head = PartyPokerHeader(
        digits, CONVERTED.get(room, room) or VENUE, game_of(line[:at].rstrip(" -")), k, line[at:].strip()
    )
    head.body = next((at for at in range(k + 1, after) if text[at].strip() and not _line(head, text[at], at)), after)
    if not head.seats:
        raise no_players()
    return head


def _line(head: PartyPokerHeader, line: str, k: int) -> bool:
    """Read one line of the head; False where the head is over."""
    seat = _seat(line)
    if seat is not None:
        head.seats.append((k, *seat))
        return True
    line = line.strip()
    word = line[:5].lower()
    if word.startswith("seat") and line.endswith("is the button"):
        head.button, head.button_line = small_number(line[4:].split()[0].strip(":#")), k
    elif word == "table":
        place, _, button = line[5:].strip().partition(" -- ")
        if button:
            _line(head, button, k)
        head.table, head.club, tourney, head.play = _place(place, tournament=head.game.tournament)
        head.game = head.game._replace(number=head.game.number or tourney)
    elif line.startswith("Total number of players"):
        head.chairs = small_number(line.rpartition("/")[2].strip()) if "/" in line else 0
    elif word.startswith("trny"):
        tourney, level = _digits_behind(line, "Trny:"), _digits_behind(line, "Level:")
        head.game = head.game._replace(number=tourney or head.game.number, level=level or head.game.level)
    elif word in ("blind", "stake") and "(" in line:
        stakes, ante = _levels(line)
        head.game = head.game._replace(stakes=stakes, ante=ante)
    else:
        return False
    return True


@lru_cache(maxsize=50_000)
def _seat(line: str) -> tuple[Seat, str, str] | None:
    """Read `Seat 5: Name ( $5 USD )`, `seat1: Name ( 1,000 )`, `Seat 1: Name ($5)`; None of other lines.

    What a tracker knows of the player may stand behind: ` - VPIP: 21, …`, ` - (21.60 / …)`.
    """
    line = line.strip()
    if line[:4] not in ("Seat", "seat"):
        return None
    row, _, known = line.rpartition(" ) - ")
    found = ROW.match(f"{row} )"[4:] if row and known.startswith(("VPIP:", "(")) else line[4:])
    digits = found["seat"].strip() if found else ""
    if found is None or not digits.isascii() or not digits.isdigit() or len(digits) > 3:
        return None
    return int(digits), found["name"].strip(), found["stack"]


@lru_cache(maxsize=10_000)
def _place(place: str, *, tournament: bool) -> tuple[str, str, str, bool]:
    """Read `Name (7) Table #3 (Real Money)`: table, tournament's name and number, whether it is for nothing."""
    before, _, money = place.rpartition("(")
    money = money.strip(" )").lower()
    if money in ("real money", "play money"):
        place = before.rstrip()
    play = money == "play money"
    name, word, table = place.rpartition("Table #")
    if not tournament or not word:
        return " ".join(place.split()), "", "", play
    club, tourney = name.strip(), ""
    title, _, inner = club.removesuffix(")").rpartition("(")
    if club.endswith(")") and inner.isascii() and inner.isdigit():
        club, tourney = title.strip(), inner
    return table.strip(), club, tourney, play


def _digits_behind(line: str, word: str) -> str:
    """Return the digits behind `word`, "" if there are none."""
    found = line.partition(word)[2].lstrip().partition(" ")[0]
    return found if found.isascii() and found.isdigit() and len(found) < 20 else ""


def _levels(line: str) -> tuple[tuple[str, ...], str]:
    """Read `Blinds-Antes(1,250/2,500 -250)`: the blinds, and the ante or ""."""
    blinds, _, ante = line.partition("(")[2].partition(")")[0].partition("-")
    return tuple(clean(one) for one in blinds.split("/")), clean(ante)


@lru_cache(maxsize=10_000)
def game_of(what: str) -> PartyPokerGame:
    """Take apart what stands before the date: game, stakes, tournament."""
    words = what.split(" ")
    if FAST in words:
        words.remove(FAST)
        return game_of(" ".join(words))._replace(pool=FAST)
    title, mailed, tail = what.partition(" Game Table (")
    words = title.split(" ")
    behind = next((k for k, word in enumerate(words) if word in ("NL", "PL", "FL")), -1)
    if mailed:  # `0.01/0.02 Texas Hold'em` and `NL) (MTT Tournament #7) (Buyin $5 + $1)`
        stakes, limit, rest = words[:1], tail.partition(")")[0].strip(), words[1:]
        rest = rest[rest[0] in CODES :] if rest else rest
    elif behind >= 0:
        stakes, limit, rest = words[:behind], words[behind], words[behind + 1 :]
    else:  # until 2006 fixed limit was in no word: `$2/$4 Hold'em`, `Hold'em Trny:7 Level:3 …`
        many = next((k for k, word in enumerate(words) if "/" not in word and word not in CODES), len(words))
        stakes, limit, rest = words[:many], "FL", words[many:]
        if not stakes and "Trny" not in what:
            raise games.unknown_game(what)
    title, betting = " ".join(rest).removeprefix("Tourney "), games.LIMITS.get(limit.lower())
    variant, name = _variant(title)
    if betting is None:
        raise games.unknown_game(what)
    amount = " ".join(stakes)
    if mailed:
        price, _, fee = tail.partition("(Buyin")[2].partition(")")[0].partition("+")
        tourney = tail.partition("Tournament #")[2].partition(")")[0].strip()
        blinds = tuple(clean(one) for one in amount.split("/"))
        tournament = bool(tourney) or "Tourney" in rest
        tourney = tourney if tourney.isascii() and tourney.isalnum() else ""
        unit = unit_of(amount + price)
        return PartyPokerGame(
            variant, betting, name, blinds, unit, tournament, tourney, buy_in=clean(price), fee=clean(fee)
        )
    tail = title[len(name) :].strip()
    if stakes and not any(word in tail for word in ("Trny", "Buy-in", "Buyin")):
        blinds = tuple(clean(amount).split("/")) if "/" in amount else ()
        return PartyPokerGame(variant, betting, name, blinds, unit_of(amount), False, "")
    opening = max(tail.find("Blinds"), tail.find("Stakes"))
    blinds, ante = _levels(tail[opening:]) if opening >= 0 else ((), "")
    price, _, behind_price = tail.partition("Buy-in") if "Buy-in" in tail else ("", "", "")
    fee = clean(behind_price.partition("Entry Fee")[0].strip(" +")) if "Entry Fee" in tail else ""
    tourney, level = _digits_behind(tail, "Trny:"), _digits_behind(tail, "Level:")
    return PartyPokerGame(variant, betting, name, blinds, unit_of(price), True, tourney, level, ante, clean(price), fee)


def _variant(text: str) -> tuple[str, str]:
    """Return the variant of the longest name with which a text begins, and that name."""
    words = text.split(" ")[:8]
    for count in range(len(words), 0, -1):
        name = " ".join(words[:count])
        variant = games.variant(name, GAMES)
        if variant is not None:
            return variant, name
    raise games.unknown_game(text)


def unit_of(text: str) -> str:
    """Return the currency that an amount names, "" for none."""
    return currencies.currency_of(text)


@lru_cache(maxsize=10_000)
def started(written: str) -> Millis | None:
    """Return the moment of `Thursday, May 12, 17:41:57 EDT 2016`; None where that cannot be told.

    >>> started("Thursday, May 12, 17:41:57 EDT 2016")
    1463089317000
    """
    day, *clock = timestamps.number_month(written.replace(",", " ").split()) or [""]
    if day[4:5] != "/" or not 1 <= len(clock) <= 2:
        return None
    zone = clock[1] if len(clock) == 2 else ""
    ahead = 0 if zone == "ET" else ZONES.get(zone)
    if zone == "MSK":  # Moscow kept summer time all year from spring 2011 to autumn 2014
        ahead = 240 if "2011/04" <= day[:7] < "2014/10" else 180
    moment = timestamps.parse_start(f"{day} {clock[0]} {'ET' if zone == 'ET' else 'UTC'}")
    return None if moment is None or ahead is None else moment - ahead * 60_000


def setup(head: PartyPokerHeader, exponent: int | None) -> GameSet:
    """Return the game; without a currency it is played for nothing."""
    game = head.game
    unit = "chips" if game.tournament else game.unit or unit_of(head.seats[0][3])
    unit = "play" if head.play or not unit else unit
    return game_set(game, unit, exponent)


@lru_cache(maxsize=10_000)
def game_set(game: PartyPokerGame, unit: str, exponent: int | None) -> GameSet:
    """Return a game with its amounts read."""
    return games.game_set(
        game.variant,
        game.betting,
        filter(None, game.stakes),
        unit=unit,
        exponent=exponent,
        tournament=game.tournament,
        play_exponent=0,
        ante=game.ante,
        written=game.written,
    )


def costs(head: PartyPokerHeader) -> TournamentSet:
    """Return what the tournament costs."""
    game = head.game
    buy_in = amounts.read_or_none(game.buy_in, 2) if game.buy_in else None
    fee = amounts.read_or_none(game.fee, 2) if game.fee else None
    return TournamentSet(game.level, buy_in, fee, None, game.unit if buy_in is not None else "", head.club)
