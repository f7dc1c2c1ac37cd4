"""partypoker's first lines: number, game, stakes, time, table, button, seats, tournament."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts, currencies, games, timestamps
from ledger.readers.incomplete import no_players
from ledger.readers.phrases import parse_phrase, parse_small_number, require_number
from ledger.readers.signatures import build_head_test
from ledger.vocabulary import Millis, Seat

VENUE: Final = "partypoker"
CONVERTED_ROOMS: Final = {"Poker Stars": "PokerStars", "WPN": "Winning Poker Network"}
"""Words after the number in a hand that a program converted from another room → that room."""
HAND_BEGINNINGS: Final = ("***** Hand History for Game ", "***** Hand History For Game ")
VARIANTS: Final = games.FLOP | games.STUD | {"short-deck", "omaha5", "omaha5-8", "omaha6", "omaha6-8"}
_CHIP_WORDS: Final = ("chips", "CHIPS", "Chips")
CODES: Final = (*(code for code in currencies.CURRENCIES if len(code) == 3 and code.isupper()), *_CHIP_WORDS)
"""Currency codes that may follow an amount."""
FAST: Final = "fastforward"
SEAT_ROW: Final = parse_phrase("{seat}:{name}({stack})")
"""A row of the list of seats after its first word."""
_DATE_BEGINNING: Final = re.compile("(?P<before>.*)- ?(?:mon|tue|wed|thu|fri|sat|sun)", re.DOTALL)
_ZONE_OFFSETS: Final = (
    "HST -600 AKST -540 PST -480 AKDT -480 MST -420 PDT -420 MDT -360 EST -300 CDT -300 COT -300 EDT -240 ADT -180 ART -180 "
    "BRT -180 BRST -120 UTC 0 GMT 0 WET 0 WEST 60 BST 60 CET 60 CEST 120 EET 120 SAST 120 EEST 180 TRT 180 MSD 240 "
    "MSKS 240 ICT 420 SGT 480 HKT 480 AWST 480 JST 540 KST 540 ACST 570 AEST 600 ACDT 630 AEDT 660 NZST 720 NZDT 780"
)
OFFSET_OF_ZONE: Final = dict(zip(_ZONE_OFFSETS.split()[::2], map(int, _ZONE_OFFSETS.split()[1::2]), strict=True))
"""Minutes east of Greenwich. Names of several zones (CST, IST, AST) are not among them."""
_LEADING_MARKS: Final = "\ufeff\0 \t"


class PartyPokerGame(NamedTuple):
    """The parts of the game's line, with amounts as written."""

    variant: str
    betting: Betting
    game_name: str  # the game's own name
    stakes: tuple[str, ...]  # blinds or bets; () if only a table's maximum buy-in is known
    unit: str  # currency code; "" = unknown
    is_tournament: bool
    tournament_number: str  # the tournament's
    level: str = ""
    ante: str = ""
    buy_in: str = ""
    fee: str = ""
    pool: str = ""  # the pool whose players change tables for each hand


@dataclass(slots=True)
class PartyPokerHeader:
    """The facts before the hand's first post."""

    hand_number: str
    venue: str
    game: PartyPokerGame  # with level and blinds of later lines
    game_line: int  # of the game
    date_text: str  # as written
    table: str = ""
    tournament_name: str = ""  # the tournament's name
    is_play_money: bool = False
    button: Seat | None = None
    button_line: int = 0
    chair_count: int = 0
    seat_rows: list[tuple[int, Seat, str, str]] = field(default_factory=list)  # line, seat, name, stack
    first_body_line: int = 0  # the first line after the header

    @property
    def chair_scope(self) -> str:
        """The table that a chair belongs to, or the hand alone in a pool or at an unknown table."""
        if self.game.pool or not self.table:
            return f"hand {self.hand_number}"
        return f"{self.game.tournament_number}-{self.table}" if self.game.is_tournament else self.table


begins_hand: Final = build_head_test(HAND_BEGINNINGS, marks=_LEADING_MARKS)


def clean_amount(text: str) -> str:
    """Return an amount without currency code, inner blanks and a full stop."""
    amount_text = text.strip(" \t\xa0.")
    for code in CODES:
        amount_text = amount_text.removesuffix(code)
    return "".join(amount_text.split())


def read_header(line_texts: list[str], line_number: int, end_line: int) -> PartyPokerHeader:
    """Read the header from a hand's first line on. An unreadable one raises `UnreadableHandError`."""
    digits, _, room_name = (
        line_texts[line_number].lstrip(_LEADING_MARKS)[len(HAND_BEGINNINGS[0]) :].strip().partition(" *****")
    )
    digits, room_name = digits.rstrip("*").strip(), room_name.strip(" *()")
    require_number(digits, has_letters=True, max_digits=60)
    line_number = next((index for index in range(line_number + 1, end_line) if line_texts[index].strip()), end_line)
    if line_number == end_line:
        raise UnreadableHandError("the hand breaks off after its first line", kind="cut-off")
    line = " ".join(line_texts[line_number].split())
    lower_line = line.lower()
    date_match = _DATE_BEGINNING.match(lower_line)
    if date_match is None:
        raise UnreadableHandError("the header has no date", kind="header")
    index = 1 + date_match.end("before")
    header = PartyPokerHeader(
        digits,
        CONVERTED_ROOMS.get(room_name, room_name) or VENUE,
        parse_game(line[:index].rstrip(" -")),
        line_number,
        line[index:].strip(),
    )
    header.first_body_line = next(
        (
            index
            for index in range(line_number + 1, end_line)
            if line_texts[index].strip() and not _read_header_line(header, line_texts[index], index)
        ),
        end_line,
    )
    if not header.seat_rows:
        raise no_players()
    return header


def _read_header_line(header: PartyPokerHeader, line: str, line_number: int) -> bool:
    """Read one line of the header. Return False if it belongs to the hand itself."""
    seat = _parse_seat_row(line)
    if seat is not None:
        header.seat_rows.append((line_number, *seat))
        return True
    line = line.strip()
    first_word = line[:5].lower()
    if first_word.startswith("seat") and line.endswith("is the button"):
        header.button, header.button_line = parse_small_number(line[4:].split()[0].strip(":#")), line_number
    elif first_word == "table":
        table_text, _, button = line[5:].strip().partition(" -- ")
        if button:
            _read_header_line(header, button, line_number)
        header.table, header.tournament_name, tournament_number, header.is_play_money = _parse_table(
            table_text, tournament=header.game.is_tournament
        )
        header.game = header.game._replace(tournament_number=header.game.tournament_number or tournament_number)
    elif line.startswith("Total number of players"):
        header.chair_count = parse_small_number(line.rpartition("/")[2].strip()) if "/" in line else 0
    elif first_word.startswith("trny"):
        tournament_number, level = _find_digits_after(line, "Trny:"), _find_digits_after(line, "Level:")
        header.game = header.game._replace(
            tournament_number=tournament_number or header.game.tournament_number, level=level or header.game.level
        )
    elif first_word in ("blind", "stake") and "(" in line:
        stakes, ante = _parse_levels(line)
        header.game = header.game._replace(stakes=stakes, ante=ante)
    else:
        return False
    return True


@lru_cache(maxsize=50_000)
def _parse_seat_row(line: str) -> tuple[Seat, str, str] | None:
    """Read `Seat 5: Name ( $5 USD )`, `seat1: Name ( 1,000 )`, `Seat 1: Name ($5)`. Return None for other lines.

    A tracker's statistics of the player may follow: ` - VPIP: 21, …`, ` - (21.60 / …)`.
    """
    line = line.strip()
    if line[:4] not in ("Seat", "seat"):
        return None
    row_text, _, statistics = line.rpartition(" ) - ")
    match = SEAT_ROW.match(f"{row_text} )"[4:] if row_text and statistics.startswith(("VPIP:", "(")) else line[4:])
    digits = match["seat"].strip() if match else ""
    if match is None or not digits.isascii() or not digits.isdigit() or len(digits) > 3:
        return None
    return int(digits), match["name"].strip(), match["stack"]


@lru_cache(maxsize=10_000)
def _parse_table(table_text: str, *, tournament: bool) -> tuple[str, str, str, bool]:
    """Read `Name (7) Table #3 (Real Money)`: table, tournament's name and number, and whether it is play money."""
    text_before, _, money = table_text.rpartition("(")
    money = money.strip(" )").lower()
    if money in ("real money", "play money"):
        table_text = text_before.rstrip()
    is_play_money = money == "play money"
    name, separator, table = table_text.rpartition("Table #")
    if not tournament or not separator:
        return " ".join(table_text.split()), "", "", is_play_money
    tournament_name, tournament_number = name.strip(), ""
    title, _, bracket_text = tournament_name.removesuffix(")").rpartition("(")
    if tournament_name.endswith(")") and bracket_text.isascii() and bracket_text.isdigit():
        tournament_name, tournament_number = title.strip(), bracket_text
    return table.strip(), tournament_name, tournament_number, is_play_money


def _find_digits_after(line: str, word: str) -> str:
    """Return the digits after `word`, or "" if there are none."""
    digits = line.partition(word)[2].lstrip().partition(" ")[0]
    return digits if digits.isascii() and digits.isdigit() and len(digits) < 20 else ""


def _parse_levels(line: str) -> tuple[tuple[str, ...], str]:
    """Read `Blinds-Antes(1,250/2,500 -250)`: the blinds, and the ante or "" if there is none."""
    blinds, _, ante = line.partition("(")[2].partition(")")[0].partition("-")
    return tuple(clean_amount(blind) for blind in blinds.split("/")), clean_amount(ante)


@lru_cache(maxsize=10_000)
def parse_game(text: str) -> PartyPokerGame:
    """Read the text before the date: game, stakes, tournament."""
    words = text.split(" ")
    if FAST in words:
        words.remove(FAST)
        return parse_game(" ".join(words))._replace(pool=FAST)
    title, is_mailed, mailed_details = text.partition(" Game Table (")
    if is_mailed:
        return _parse_mailed_game(text, title.split(" "), mailed_details)
    stakes, limit, game_words = _split_stakes(text, words)
    title = " ".join(game_words).removeprefix("Tourney ")
    variant, game_name, betting = _parse_title(text, title, limit)
    details = title[len(game_name) :].strip()
    if not stakes or any(word in details for word in ("Trny", "Buy-in", "Buyin")):
        return _parse_tournament(variant, betting, game_name, details)
    stakes_text = " ".join(stakes)
    blinds = tuple(clean_amount(stakes_text).split("/")) if "/" in stakes_text else ()
    return PartyPokerGame(variant, betting, game_name, blinds, find_unit(stakes_text), False, "")


def _split_stakes(text: str, words: list[str]) -> tuple[list[str], str, list[str]]:
    """Return the words of the stakes, the limit, and the words of the game."""
    limit_index = next((index for index, word in enumerate(words) if word in ("NL", "PL", "FL")), -1)
    if limit_index >= 0:
        return words[:limit_index], words[limit_index], words[limit_index + 1 :]
    # Until 2006 a fixed limit had no word: `$2/$4 Hold'em`, `Hold'em Trny:7 Level:3 …`.
    stake_count = next((index for index, word in enumerate(words) if "/" not in word and word not in CODES), len(words))
    if not stake_count and "Trny" not in text:
        raise games.unknown_game(text)
    return words[:stake_count], "FL", words[stake_count:]


def _parse_title(text: str, title: str, limit: str) -> tuple[str, str, Betting]:
    """Return variant, name and betting of a game. An unknown one raises `UnreadableHandError`."""
    variant, game_name = _find_variant(title)
    betting = games.LIMITS.get(limit.lower())
    if betting is None:
        raise games.unknown_game(text)
    return variant, game_name, betting


def _parse_mailed_game(text: str, title_words: list[str], details: str) -> PartyPokerGame:
    """Read the form sent by mail: `0.01/0.02 Texas Hold'em` and `NL) (MTT Tournament #7) (Buyin $5 + $1)`."""
    stakes_text, *game_words = title_words
    if game_words and game_words[0] in CODES:
        game_words = game_words[1:]
    title = " ".join(game_words).removeprefix("Tourney ")
    variant, game_name, betting = _parse_title(text, title, details.partition(")")[0].strip())
    price, _, fee = details.partition("(Buyin")[2].partition(")")[0].partition("+")
    number_text = details.partition("Tournament #")[2].partition(")")[0].strip()
    return PartyPokerGame(
        variant,
        betting,
        game_name,
        tuple(clean_amount(stake) for stake in stakes_text.split("/")),
        find_unit(stakes_text + price),
        bool(number_text) or "Tourney" in game_words,
        number_text if number_text.isascii() and number_text.isalnum() else "",
        buy_in=clean_amount(price),
        fee=clean_amount(fee),
    )


def _parse_tournament(variant: str, betting: Betting, game_name: str, details: str) -> PartyPokerGame:
    """Read a tournament from the text after the game's name: number, level, blinds, price."""
    stakes_start = max(details.find("Blinds"), details.find("Stakes"))
    blinds, ante = _parse_levels(details[stakes_start:]) if stakes_start >= 0 else ((), "")
    price, _, price_tail = details.partition("Buy-in") if "Buy-in" in details else ("", "", "")
    fee = clean_amount(price_tail.partition("Entry Fee")[0].strip(" +")) if "Entry Fee" in details else ""
    return PartyPokerGame(
        variant,
        betting,
        game_name,
        blinds,
        find_unit(price),
        True,
        _find_digits_after(details, "Trny:"),
        _find_digits_after(details, "Level:"),
        ante,
        clean_amount(price),
        fee,
    )


def _find_variant(text: str) -> tuple[str, str]:
    """Return the variant with the longest name at the text's beginning, and that name."""
    words = text.split(" ")[:8]
    for word_count in range(len(words), 0, -1):
        game_name = " ".join(words[:word_count])
        variant = games.find_variant(game_name, VARIANTS)
        if variant is not None:
            return variant, game_name
    raise games.unknown_game(text)


def find_unit(text: str) -> str:
    """Return the currency of an amount, or "" if it has none."""
    return currencies.find_currency(text)


def parse_pot(text: str) -> int | None:
    """Return the pot of `the main pot  with …`, `the side pot 1 with …`, `side pot #1 …`; None = not named."""
    words = text.replace("#", "").split()
    if "pot" not in words[:3]:
        return None
    pot_index = words.index("pot")
    if pot_index and words[pot_index - 1] == "main":
        return 0
    return parse_small_number((words[pot_index + 1] if pot_index + 1 < len(words) else "").rstrip("."), 2) or 1


@lru_cache(maxsize=10_000)
def parse_start_time(date_text: str) -> Millis | None:
    """Return the time of `Thursday, May 12, 17:41:57 EDT 2016`, or None if it is ambiguous.

    >>> parse_start_time("Thursday, May 12, 17:41:57 EDT 2016")
    1463089317000
    """
    day, *clock = timestamps.convert_month_name(date_text.replace(",", " ").split()) or [""]
    if day[4:5] != "/" or not 1 <= len(clock) <= 2:
        return None
    zone_name = clock[1] if len(clock) == 2 else ""
    zone_offset = 0 if zone_name == "ET" else OFFSET_OF_ZONE.get(zone_name)
    if zone_name == "MSK":  # Moscow kept summer time all year from spring 2011 to autumn 2014
        zone_offset = 240 if "2011/04" <= day[:7] < "2014/10" else 180
    moment = timestamps.parse_start(f"{day} {clock[0]} {'ET' if zone_name == 'ET' else 'UTC'}")
    return None if moment is None or zone_offset is None else moment - zone_offset * 60_000


def get_game_set(header: PartyPokerHeader, exponent: int | None) -> GameSet:
    """Return the game. Without a currency it is played for play money."""
    game = header.game
    unit = "chips" if game.is_tournament else game.unit or find_unit(header.seat_rows[0][3])
    unit = "play" if header.is_play_money or not unit else unit
    return _build_game_set(game, unit, exponent)


@lru_cache(maxsize=10_000)
def _build_game_set(game: PartyPokerGame, unit: str, exponent: int | None) -> GameSet:
    """Return the game with its amounts parsed."""
    return games.build_game_set(
        game.variant,
        game.betting,
        filter(None, game.stakes),
        unit=unit,
        exponent=exponent,
        tournament=game.is_tournament,
        play_exponent=0,
        ante=game.ante,
        written=game.game_name,
    )


def build_tournament_set(header: PartyPokerHeader) -> TournamentSet:
    """Return what the tournament costs."""
    game = header.game
    buy_in = amounts.read_or_none(game.buy_in, 2) if game.buy_in else None
    fee = amounts.read_or_none(game.fee, 2) if game.fee else None
    return TournamentSet(game.level, buy_in, fee, None, game.unit if buy_in is not None else "", header.tournament_name)
