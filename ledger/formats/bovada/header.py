"""The first lines of a hand: room, number, table or tournament, game, stakes, date and seats."""

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
from ledger.readers.phrases import parse_small_number
from ledger.readers.signatures import build_head_test, ends_hand, list_foreign_heads, list_head_starts
from ledger.vocabulary import Chips, Millis

ROOMS: Final = ("Bovada", "Bodog", "Ignition", "Joe Fortune", "JoeFortune", "Cafe Casino", "Slots.lv")
"""Skins of one network; `Bodog.eu`, `Bodog.com` and `Bodog88` begin like Bodog."""
VARIANTS: Final = games.FLOP | {"omaha5", "omaha6", "stud", "stud8"}
INFO_PREFIXES: Final = ("Table Info:", "Seating Info:", "Player Info:")
"""Lines about the table in newer files, kept as remarks."""
ZONE: Final = "Zone Poker"
"""The name of the pool whose players meet for one hand."""
_MAX_CHAIRS: Final = 10
"""The most players at a table. Larger numbers count the tournament's entries."""
_CACHE_SIZE: Final = 10_000
_MAX_LINE_LENGTH: Final = 400
_PARTS: Final = re.compile(
    r" Tournament #(?P<tournament>\S*)|(?:Zone Poker ?)?(?:TBL|(?P<zone>ID))#(?P<table>\S*)"
    r"|- Level (?P<level>[^(]*)(?:\((?P<blinds>[^)]*).*)?"
)
"""The words around the game: `TBL#5 HOLDEM …`, `Zone Poker ID#7 …`, `HOLDEM Tournament #3 TBL#1, …- Level 3 (20/40)`."""
_MAX_DIGITS: Final = 20


@dataclass(frozen=True, slots=True)
class BovadaHeader:
    """The facts of the first line."""

    room: str
    hand_number: str
    tournament: str
    table: str
    game: str  # as written, without the betting
    variant: str
    betting: Betting | None  # None = unknown, as with "Normal" or "Turbo"
    level: str
    blinds: tuple[str, ...]
    start_text: str
    started_at: Millis | None

    @property
    def chair_scope(self) -> str:
        """The table that a chair belongs to, or the hand alone in a pool whose players meet for one."""
        if self.table.startswith(ZONE):
            return f"hand {self.hand_number}"
        return f"{self.tournament}-{self.table}" if self.tournament else self.table


begins_hand: Final = build_head_test(
    ROOMS,
    lambda line: 0 < (words_start := line.find(" Hand #")) < 24 and line[words_start + 7 : words_start + 8].isalnum(),
)


@lru_cache(maxsize=64)
def read_first_line(line: str) -> BovadaHeader:
    """Read the first line. One that can't be read raises `UnreadableHandError`."""
    stripped_line = line.strip("\ufeff \t\r")
    room, _, text_after = stripped_line.partition(" Hand #")
    if len(stripped_line) > _MAX_LINE_LENGTH:
        raise _build_unreadable_line_error("it is too long")
    table_text, dash, start_text = text_after.rpartition(" - ")
    if not dash:
        raise UnreadableHandError("the hand breaks off within its first line", kind="cut-off")
    table_text = table_text.replace("[MVS]", " ").strip()
    table_words = table_text.split()
    hand_number = table_words[0].rstrip(":") if table_words else ""
    if not (hand_number.isascii() and hand_number.isalnum() and len(hand_number) <= _MAX_DIGITS):
        raise _build_unreadable_line_error("it has no number")
    start_text = start_text.strip()
    started_at = timestamps.parse_start(start_text.replace("-", "/"))
    return BovadaHeader(
        room.strip(), hand_number, *_parse_table_part(table_text[len(table_words[0]) :]), start_text, started_at
    )


@lru_cache(maxsize=_CACHE_SIZE)
def _parse_table_part(table_text: str) -> tuple[str, str, str, str, Betting | None, str, tuple[str, ...]]:
    """Read the text between number and date: tournament, table, game, variant, betting, level, blinds."""
    known_parts = {
        name: value for match in _PARTS.finditer(table_text) for name, value in match.groupdict("").items() if value
    }
    tournament, table = known_parts.get("tournament", ""), known_parts.get("table", "").rstrip(",")
    if not table and not tournament:
        raise _build_unreadable_line_error("it names no table")
    game, betting = _split_game(_PARTS.sub(" ", table_text))
    variant = games.find_variant(game.lower().replace("zonepoker", " "), VARIANTS)
    if variant is None:
        raise games.unknown_game(game)
    table = f"{ZONE} {table}" if "zone" in known_parts else table
    blinds = tuple(known_parts["blinds"].split("/")) if "blinds" in known_parts else ()
    return tournament, table, game, variant, betting, known_parts.get("level", "").strip(), blinds


def _build_unreadable_line_error(reason: str) -> UnreadableHandError:
    return UnreadableHandError(
        f"the first line cannot be read: {reason}", kind="header", hint="Compare it with an intact hand of the room."
    )


def _split_game(game_text: str) -> tuple[str, Betting | None]:
    """Split `HOLDEM  Fixed Limit` into game and betting."""
    game_words = " ".join(game_text.replace(",", " ").split())
    for limit_words, betting in games.LIMITS.items():
        if game_words.lower().endswith(" " + limit_words):
            return game_words[: -len(limit_words)].strip(), betting
    for limit_words in ("Normal", "Hyper Turbo", "Super Turbo", "Turbo"):
        if game_words.endswith(limit_words):
            return game_words[: -len(limit_words)].strip(), None
    return game_words, None


@dataclass(frozen=True, slots=True)
class BovadaSeatRow:
    """A line of the list of seats: `Seat 3: UTG [ME] ($320 in chips)`, or in stud `Seat+3 [ME]: $0.50 in chips`."""

    line_number: int
    written_number: int  # as written
    name: str  # the position, or in stud the seat
    is_owner: bool
    stack: str


@dataclass(slots=True)
class BovadaSeating:
    """The lines between the header and the first post."""

    seat_rows: list[BovadaSeatRow] = field(default_factory=list)
    table_info: str = ""  # the line that begins `Table Info:`
    remark_lines: list[int] = field(default_factory=list)

    @property
    def has_chair_numbers(self) -> bool:
        """Whether the numbers are chairs: they rise, and don't count a tournament's entries."""
        numbers = [seat_row.written_number for seat_row in self.seat_rows]
        return numbers == sorted(set(numbers)) and numbers[0] > 0 and numbers[-1] <= _MAX_CHAIRS

    def assign_seats(self, button: tuple[str, int] | None) -> list[int]:
        """Return each line's seat. If the numbers aren't chairs, the lines are in the order of the chairs.

        `button`: the position that has it, and its chair as the text counts it; None = unknown.
        """
        if self.has_chair_numbers:
            return [seat_row.written_number for seat_row in self.seat_rows]
        places = list(range(1, len(self.seat_rows) + 1))
        if button is None:
            return self._around_a_dead_button(places)
        position_name, button_chair = button
        button_index = next(
            (index for index, seat_row in enumerate(self.seat_rows) if seat_row.name == position_name), -1
        )
        shift = button_chair - 1 - button_index
        if button_index < 0 or not 0 < shift <= _MAX_CHAIRS - len(self.seat_rows):
            return places
        return places[:button_index] + [place + shift for place in places[button_index:]]

    def _around_a_dead_button(self, places: list[int]) -> list[int]:
        """Leave an empty chair before the blinds for a dead button."""
        position_names = [seat_row.name for seat_row in self.seat_rows]
        blind = "Small Blind" if "Small Blind" in position_names else "Big Blind"
        if "Dealer" in position_names or blind not in position_names:
            return places
        blind_index = position_names.index(blind)
        return places[:blind_index] + [place + (blind_index > 0) for place in places[blind_index:]]


def read_seats(line_texts: list[str], line_number: int, end_line: int) -> tuple[BovadaSeating, int]:
    """Read the list of seats from `line_number` on. Return it and the line after it."""
    seating = BovadaSeating()
    while line_number < end_line:
        line = line_texts[line_number]
        seat_row = _parse_seat_row(line, line_number)
        if seat_row:
            seating.seat_rows.append(seat_row)
        elif line.startswith(INFO_PREFIXES):
            seating.table_info = seating.table_info or (line if line.startswith("Table") else "")
            seating.remark_lines.append(line_number)
        elif line.strip():
            break
        line_number += 1
    if not seating.seat_rows:
        raise no_players()
    return seating, line_number


def _parse_seat_row(line: str, line_number: int) -> BovadaSeatRow | None:
    seat_text, colon, row_text = line.partition(": ")
    seat_number = _parse_seat_number(seat_text)
    stack_end = row_text.find(" in chips")
    if (
        not colon
        or not seat_number
        or stack_end < 0
        or row_text[stack_end + 9 :].strip() not in (")", "")
        or " : " in line
    ):
        return None
    stack_start = row_text.rfind("(", 0, stack_end)
    position_name, is_owner = _parse_position(row_text[:stack_start] if stack_start >= 0 else seat_text)
    return BovadaSeatRow(line_number, seat_number, position_name, is_owner, row_text[stack_start + 1 : stack_end])


@lru_cache(maxsize=_CACHE_SIZE)
def _parse_seat_number(seat_text: str) -> int:
    """Read `Seat 3` or `Seat+3 [ME]`. Return 0 for anything else."""
    return (
        parse_small_number(seat_text[5:].replace("[ME]", "").strip(), 6)
        if seat_text.startswith(("Seat ", "Seat+"))
        else 0
    )


@lru_cache(maxsize=_CACHE_SIZE)
def _parse_position(position_text: str) -> tuple[str, bool]:
    """Read `UTG [ME]`: the position, and whether the record's owner has it."""
    return strip_owner_mark(position_text), "[ME]" in position_text


def strip_owner_mark(position_text: str) -> str:
    """Return a position without the mark of the record's owner."""
    return position_text.replace("[ME]", "").strip()


def build_game_set(header: BovadaHeader, seating: BovadaSeating, source: str, exponent: int | None) -> GameSet:
    """Return the game of the hand.

    The bets of a limit game aren't written, and the larger one isn't always a multiple of a blind.
    """
    unit = "chips" if header.tournament else SYMBOLS.get(seating.seat_rows[0].stack[:1], "play")
    if exponent is None:
        exponent = 0 if unit == "chips" else 2
    stakes = _parse_stakes(header, seating.table_info, source, exponent)
    return GameSet(
        header.variant,
        header.betting or ("pot-limit" if header.variant.startswith("omaha") else "no-limit"),
        "tournament" if header.tournament else "cash",
        unit,
        exponent,
        stakes[:2],
        stakes[2] if len(stakes) > 2 else 0,
        written=header.game,
    )


def _parse_stakes(header: BovadaHeader, table_info: str, source_name: str, exponent: int) -> tuple[Chips, ...]:
    """Return the blinds and the ante of the structure, as far as level, table or file name contain them.

    Stud has none: a level's `(10/20)`, if the bets are 20 and 40, names neither blinds nor bets.
    """
    if header.variant in games.STUD:
        return ()
    stake_texts = header.blinds or tuple(
        table_info.partition("Stakes: ")[2].partition(",")[0].strip().split("-") if table_info else ()
    )
    if not stake_texts and not header.tournament and header.betting != "limit":
        # HH20190414-214525 - 9000043 - RING - $0.10-$0.25 - HOLDEM - NL - TBL No.90000018.txt
        name_parts = source_name.split(" - ")
        game_index = next((index for index, stake_text in enumerate(name_parts) if stake_text in ("RING", "ZONE")), -1)
        stake_texts = tuple(name_parts[game_index + 1].split("-")) if 0 <= game_index < len(name_parts) - 1 else ()
    stake_amounts = [amount for stake_text in stake_texts if (amount := amounts.read_or_none(stake_text, exponent))]
    return tuple(stake_amounts) if len(stake_amounts) == len(stake_texts) and 2 <= len(stake_amounts) <= 3 else ()


def build_tournament_set(header: BovadaHeader, table_info: str) -> TournamentSet:
    """Return level and price. `table_info` is the line `Table Info: …, Buyin: $25+$2.50, …`; "" = none."""
    price = table_info.partition("Buyin: ")[2].partition(",")[0].strip()
    return games.parse_costs(price, level=header.level)


OTHER_ROOMS: Final = list_foreign_heads(*(room + " Hand #" for room in ROOMS))
_START_LETTERS, _OTHER_STARTS = list_head_starts(OTHER_ROOMS)


def find_hand_starts(line_texts: list[str]) -> list[int]:
    """Return the lines at which a hand begins, of any room, or at which one without its beginning continues."""
    hand_starts, in_summary = [], False
    for line_number, line in enumerate(line_texts):
        first_letter = line[:1]
        if ("#" in line or (line[:4] in _START_LETTERS and line.startswith(_OTHER_STARTS))) and (
            begins_hand(line) or ends_hand(line, OTHER_ROOMS)
        ):
            hand_starts.append(line_number)
            in_summary = False
        elif first_letter == "*" and line.startswith("*** SUMMARY"):
            in_summary = True
        elif in_summary and " in chips)" in line and " (" in line:
            hand_starts.append(line_number)
            in_summary = False
    return hand_starts
