"""The lines before the list of seats: room, number, game, stakes, moment, table, tournament."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts, currencies, games
from ledger.readers.signatures import build_head_test
from ledger.readers.timestamps import parse_iso
from ledger.vocabulary import Millis

Frame: TypeAlias = Literal["everest", "colon", "dash"]
"""The notation of actions: `Ada calls $1`, `Ada: Call $1`, `Ada called - $1`."""

FRAMES_BY_FIRST_WORDS: Final[dict[str, tuple[str, Frame]]] = {
    "EverestPoker Game #": ("Everest", "everest"),
    "GAME #": ("iPoker", "colon"),
    "MERGE_GAME #": ("Merge", "colon"),
    "Merge Game #": ("Merge", "colon"),
    "** Game ID ": ("Microgaming", "dash"),
    "** Hand # ": ("Microgaming", "dash"),
}
"""The first words of a hand → the venue and the notation."""

USUAL_LIMITS: Final[dict[str, Betting]] = {"omaha": "pot-limit", "omaha8": "pot-limit"}
"""The limit of a game whose header names none; other games are no-limit."""

_FIRST_WORDS: Final = tuple(FRAMES_BY_FIRST_WORDS)
TOURNAMENT_WORDS: Final = "Tourney ID: "
MULTI_TABLE: Final = "multi table "
"""Words that may come before a game's name."""
_LONGEST: Final = 600
_SEAT_BEGINNINGS: Final = ("Seat ", "- ")
_MARKS: Final = frozenset(("|", "-"))


@dataclass(slots=True)
class PokerTrackerHeader:
    """The facts in the lines before the list of seats, and the list's first line."""

    venue: str
    frame: Frame
    first_words: str  # the beginning of the first line
    number: str = ""
    game: str = ""  # `Texas Hold'em NL`
    stakes: str = ""  # `$0.50/$1`, "" if unknown
    date_text: str = ""
    table: str = ""
    tournament: str = ""
    price: str = ""  # `$2+$0.20`
    is_tournament: bool = False
    is_play_money: bool = False
    ante: str = ""
    chairs: int = 0
    seat_list_start: int = 0


def _has_number(line: str) -> bool:
    """Whether a number follows the first words."""
    first_character = next(
        line[len(first_words) : len(first_words) + 1] for first_words in _FIRST_WORDS if line.startswith(first_words)
    )
    return first_character.isascii() and first_character.isdigit()


is_first_line: Final = build_head_test(_FIRST_WORDS, _has_number)


def parse_header(line_texts: list[str], first_line: int, end_line: int) -> PokerTrackerHeader:
    """Parse the lines from `first_line` on. Raises `UnreadableHandError` if the number is missing."""
    line = line_texts[first_line].lstrip("\ufeff \t").rstrip()[:_LONGEST]
    first_words = next(words for words in _FIRST_WORDS if line.startswith(words))
    venue, frame = FRAMES_BY_FIRST_WORDS[first_words]
    header = PokerTrackerHeader(venue, frame, first_words)
    _FRAME_PARSERS[frame](header, line[len(first_words) :])
    line_number = first_line + 1
    while line_number < end_line:
        stripped_line = line_texts[line_number].strip()
        if stripped_line.startswith(_SEAT_BEGINNINGS) or " sitting in seat " in stripped_line:
            break
        if stripped_line.startswith("Table ") and frame == "colon":
            _parse_table_line(header, stripped_line)
        elif stripped_line.startswith("** ") and frame == "dash":
            _parse_dash_room(header, stripped_line[3:_LONGEST])
        line_number += 1
    header.seat_list_start = line_number
    if not _is_number(header.number):
        raise UnreadableHandError(f"the number of {venue}'s hand is {header.number[:40]!r}", kind="header")
    return header


def _parse_table_line(header: PokerTrackerHeader, line: str) -> None:
    """Parse `Table Info: …`, `Table Size 6` or `Table NAME`."""
    if line.startswith("Table Info: "):
        _parse_table_info(header, line[12:_LONGEST])
    elif line.startswith("Table Size ") and line[11:].isdigit():
        _parse_table_info(header, line[6:])
    else:
        _parse_table(header, line[6:_LONGEST])


def _is_number(text: str) -> bool:
    return len(text) < 40 and text.replace("-", "").isascii() and text.replace("-", "").isdigit()


def _parse_everest(header: PokerTrackerHeader, text_after: str) -> None:
    """Read `9000000029: Table Moroni-1 - $0.50/$1 - No Limit Hold'em - 20:15:00 - 2011/02/01`.

    A tournament has `Tourney ID: 90000035, Table 90000035-0` there, and its chips with the sign of dollars.
    """
    header.number, _, text_after = text_after.partition(": ")
    header_parts = text_after.split(" - ")
    if len(header_parts) < 5:
        raise UnreadableHandError("the first line of Everest's hand is not whole", kind="header")
    clock_text, day_text = header_parts[-2:]
    header.date_text = f"{day_text} {clock_text}"
    header.game, header.stakes = header_parts[-3], header_parts[-4]
    header.table = " - ".join(header_parts[:-4]).removeprefix("Table ").strip()
    if header.table.startswith(TOURNAMENT_WORDS):
        header.is_tournament = True
        header.tournament, _, header.table = header.table.removeprefix(TOURNAMENT_WORDS).partition(", Table ")


def _parse_colon(header: PokerTrackerHeader, text_after: str) -> None:
    """Read `9000000030: Texas Hold'em NL $0.50/$1 2011/02/01 20:15:00`, `90000031-236 | Holdem NL ($1/$2) | ..`."""
    number_text, *words = text_after.replace("|", " | ").split()
    header.number = number_text.rstrip(":")
    game_words: list[str] = []
    moment_words: list[str] = []
    for word in words:
        if word in _MARKS or word.startswith(("Version:", "Uncalled:")):
            continue
        stripped_word = word.strip("()")
        if moment_words or (not header.stakes and not header.is_tournament and _is_day(stripped_word)):
            moment_words.append(word)
        elif not header.stakes and _is_stakes(stripped_word):
            header.stakes = stripped_word
        elif stripped_word.lower() == "tournament":
            header.is_tournament = True
        elif header.stakes or header.is_tournament:
            moment_words.append(word)
        else:
            game_words.append(word)
    header.game, header.date_text = " ".join(game_words), " ".join(moment_words)


def _is_day(word: str) -> bool:
    return len(word) == 10 and word[4] in "-/" and word[7] in "-/" and word[:4].isdigit()


def _is_stakes(word: str) -> bool:
    low_text, slash, high_text = word.partition("/")
    return bool(slash) and None not in (amounts.read_or_none(low_text, 4), amounts.read_or_none(high_text, 4))


def _parse_table(header: PokerTrackerHeader, table_text: str) -> None:
    """Read `Kentucky (90000032), Seats 2`, `Name, 900000033, 9423 (Tournament: Name Buy-In: $2+$0.20)`."""
    name, separator, tournament_text = table_text.partition(" (Tournament: ")
    if separator:
        header.is_tournament = True
        header.price = tournament_text.rpartition("Buy-In: ")[2].removesuffix(")")
        tournament_number = next((part.strip() for part in name.split(",")[1:] if _is_number(part.strip())), "")
        header.tournament = tournament_number
    header.table = name.partition(", Seats ")[0].strip()


def _parse_table_info(header: PokerTrackerHeader, info_text: str) -> None:
    """Read `Size: 3, Blinds: 10/20, Ante: 5` and `Size 6`; a tournament's first line has no blinds."""
    info_values = dict(info_part.replace(":", "").partition(" ")[::2] for info_part in info_text.split(", "))
    size_text, blinds_text, ante_text = (info_values.get(name, "").strip() for name in ("Size", "Blinds", "Ante"))
    if size_text.isascii() and size_text.isdigit() and len(size_text) < 3:
        header.chairs = int(size_text)
    if not header.stakes and _is_stakes(blinds_text):
        header.stakes = blinds_text
    if amounts.read_or_none(ante_text, 4) is not None:
        header.ante = ante_text


def _parse_dash(header: PokerTrackerHeader, text_after: str) -> None:
    """Read `9000000034 Version:3 starting - 2013-02-01 20:15:00`."""
    number, _, date_text = text_after.partition(" starting - ")
    header.number = number.partition(" ")[0]
    header.date_text = date_text.strip()


def _parse_dash_room(header: PokerTrackerHeader, room_text: str) -> None:
    """Read `Deal 254 (Deep) - €5 Min [Hold'em] (0.05|0.10 NL - € Cash Game seats:2 ) Real Money`."""
    table_text, opening, game_and_stakes = room_text.rpartition(" [")
    game, closing, stakes = game_and_stakes.partition("] (")
    if not opening or not closing:
        return
    header.table = table_text.strip()
    header.is_play_money = "Play Money" in stakes
    amount, _, game_kind = stakes.partition(" - ")
    bets, _, limit = amount.partition(" ")
    currency_sign = next((currency_sign for currency_sign in currencies.SYMBOLS if currency_sign in game_kind), "")
    header.stakes = currency_sign + bets.replace("|", "/")
    header.game = f"{game} {limit}"
    header.is_tournament = game_kind.startswith(("MTT", "STT", "SNG", "Tournament"))
    tournament_number = table_text.rpartition("):")[0].rpartition("(")[2]
    if header.is_tournament and _is_number(tournament_number):
        header.tournament = tournament_number


_FRAME_PARSERS: Final = {"everest": _parse_everest, "colon": _parse_colon, "dash": _parse_dash}
"""The notation → the parser of its first line."""


def parse_game(header: PokerTrackerHeader, seat_lines: list[str], exponent: int | None) -> GameSet:
    """Return the game. Raises `UnreadableHandError` for an unknown one."""
    game_words = " ".join(header.game.split())
    variant, limit = games.split_limit(
        game_words[len(MULTI_TABLE) :] if game_words.lower().startswith(MULTI_TABLE) else game_words, games.FLOP
    )
    if variant is None:
        raise UnreadableHandError(
            f"{header.venue}'s game {header.game[:80]!r} is not read from a tracker's export",
            kind="unknown-game",
            hint="Hold'em and Omaha are; is there the room's own file?",
        )
    betting = limit or USUAL_LIMITS.get(variant, "no-limit")
    unit = "chips" if header.is_tournament else _find_unit(header, seat_lines)
    return games.build_game_set(
        variant,
        betting,
        filter(None, header.stakes.split("/")),
        unit=unit,
        exponent=exponent,
        tournament=header.is_tournament,
        ante=header.ante,
    )


def _find_unit(header: PokerTrackerHeader, seat_lines: list[str]) -> str:
    """Return the currency by the sign in the stakes or with the stacks."""
    if header.is_play_money:
        return "play"
    for line in (header.stakes, *seat_lines[:12]):
        for currency_sign, currency in currencies.SYMBOLS.items():
            if f"({currency_sign}" in line or f"with {currency_sign}" in line or line.startswith(currency_sign):
                return currency
    return "play"


def parse_price(header: PokerTrackerHeader) -> TournamentSet:
    """Return the tournament with its price: `$2+$0.20`, `€0.91 + €0.09`."""
    price_amounts = [amounts.read_or_none(price_part, 2) for price_part in header.price.replace(" ", "").split("+")]
    currency = currencies.find_currency(header.price)
    if not currency or None in price_amounts or len(price_amounts) > 2:
        return TournamentSet(written=header.price)
    fee = price_amounts[1] if len(price_amounts) == 2 else 0
    return TournamentSet("", price_amounts[0], fee, None, currency, header.price)


def parse_moment(header: PokerTrackerHeader) -> Millis | None:
    """Return the moment if the time zone is known: only GMT is written."""
    if not header.date_text.endswith("/GMT"):
        return None
    return parse_iso(header.date_text.removesuffix("/GMT").replace(" ", "T") + "Z")
