"""Read the rows of a log, `entry,at,order`, newest first, with their places, numbers and moments, and who sits where.

The number is the moment in milliseconds and a two-digit count. Only the number gives the order of rows, because many
rows have the same moment. Only the lists of stacks show where players sit.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache, partial
from itertools import pairwise
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting
from ledger.notation import Chunk
from ledger.readers.cards import build_card_reader
from ledger.readers.documents import BLANK, BYTE_ORDER_MARK
from ledger.readers.games import FLOP, split_limit
from ledger.readers.hand import SEATS
from ledger.readers.json_hand import split_names
from ledger.readers.timestamps import parse_iso
from ledger.vocabulary import DECK, UNKNOWN_CARD, Millis, Seat, Witness

_ROW_PATTERN: Final = re.compile(
    rb'(?<![^\r\n\xbf])(?:"((?:[^"]++|"")*+)"|([^",\r\n]*+)),[ ]?"?([0-9TZ:.+-]{10,40}+)"?(?:,[ ]?"?([0-9][0-9.E+]{0,24}+)"?)?+[ \t]*+(?=\r|\n|\Z)'
)
_COLUMN_NAMES: Final = re.compile(rb'"?entry"?[,;]"?at"?(?:[,;]"?order"?)?[ \t]*(?=\r|\n|\Z)', re.IGNORECASE)
_HAND_START: Final = b"-- starting hand #"
_ORDER_DIGITS: Final = 15
_MAX_ENTRY_LINES: Final = 32
"""The most lines of an entry; a game's settings have about ten."""
_LOG_JUMP: Final = 100 * 60_000
"""A jump of more than a minute against the log's direction, in units of `order`, begins another log."""


def is_log(beginning: bytes) -> bool:
    """Whether a source begins like the log that the site itself fetches: rows as objects."""
    return b'"logs"' in beginning and b'"msg"' in beginning and b'"created_at"' in beginning


class LogRow(NamedTuple):
    """One row of a log. `order` sorts rows as they happened; `start` and `length` are its bytes."""

    order: int
    moment: Millis
    text: str
    start: int
    length: int
    moment_text: bytes  # the moment as written


class Stretch(NamedTuple):
    """Bytes that are no row."""

    start: int
    end: int


def sniff(beginning: bytes) -> int:
    """Return how certain it is that this is a PokerNow log, from 0 to 100."""
    stripped_beginning = beginning.removeprefix(BYTE_ORDER_MARK).lstrip()
    if _COLUMN_NAMES.match(stripped_beginning):
        return 97
    if stripped_beginning[:1] == b"{":
        is_export = b'"gameId"' in stripped_beginning and (
            b'"dealerSeat"' in stripped_beginning or b'"generatedAt"' in stripped_beginning
        )
        return 90 if is_export else 85 if is_log(stripped_beginning) else 0
    row = _ROW_PATTERN.match(stripped_beginning)
    is_row = row is not None and (
        b" @ " in stripped_beginning[:2000] or _HAND_START in beginning or b"-- ending hand #" in beginning
    )
    return 80 if is_row else 0


def split_rows(chunk: Chunk) -> tuple[list[list[LogRow]], list[Stretch]]:
    """Return the chunk's logs, each with its rows in the order of the file, and the stretches that aren't rows.

    A jump in time separates two consecutive logs.
    """
    data = chunk.data
    position = len(BYTE_ORDER_MARK) if chunk.start == 0 and data.startswith(BYTE_ORDER_MARK) else 0
    codec = "cp1252" if chunk.encoding == "cp1252" else "utf-8"
    log_rows: list[LogRow] = []
    stray_stretches: list[Stretch] = []
    match_row, data_length = _ROW_PATTERN.match, len(data)
    while position < data_length:
        row_match = match_row(data, position)
        if row_match is None:
            line_end = data.find(b"\n", position)
            line_end = data_length if line_end < 0 else line_end
            if _COLUMN_NAMES.match(data, position):
                _attach_line(log_rows, stray_stretches, line_end)
            elif data[position:line_end].strip(BLANK):
                stray_stretches.append(Stretch(position, line_end))
            position = line_end + 1
            continue
        log_rows.append(_parse_row(row_match, codec))
        position = row_match.end() + (2 if data.startswith(b"\r\n", row_match.end()) else 1)
    return split_logs(log_rows), stray_stretches


def _attach_line(log_rows: list[LogRow], stray_stretches: list[Stretch], line_end: int) -> None:
    """Attach a line of column names in the middle of a file to what comes before it."""
    if log_rows and (not stray_stretches or log_rows[-1].start > stray_stretches[-1].start):
        log_rows[-1] = log_rows[-1]._replace(length=line_end - log_rows[-1].start)
    elif stray_stretches:
        stray_stretches[-1] = Stretch(stray_stretches[-1].start, line_end)


def split_logs(log_rows: list[LogRow]) -> list[list[LogRow]]:
    """Split the rows of a file, in its order, where one log ends and another begins."""
    steps = [next_row.order - this_row.order for this_row, next_row in pairwise(log_rows)]
    is_newest_first = sum(step < 0 for step in steps) >= sum(step > 0 for step in steps)
    logs: list[list[LogRow]] = [log_rows[:1]] if log_rows else []
    for step, row in zip(steps, log_rows[1:], strict=True):
        if (step > _LOG_JUMP) if is_newest_first else (step < -_LOG_JUMP):
            logs.append([])
        logs[-1].append(row)
    return logs


def _parse_row(row_match: re.Match[bytes], codec: str) -> LogRow:
    quoted_text, unquoted_text, moment_text, order = row_match.groups()
    if quoted_text is not None:
        text = quoted_text.decode(codec, "replace")
        if '""' in text:
            text = text.replace('""', '"')
        if "\r" in text:
            text = text.replace("\r\n", "\n")
    else:
        text = unquoted_text.decode(codec, "replace")
    order_number = parse_order(order or b"") or 100 * (parse_iso(moment_text.decode("ascii")) or 0)
    start, end = row_match.span()
    return _make_row((order_number, order_number // 100, text.strip(), start, end - start, moment_text))


_make_row: Final = partial(tuple.__new__, LogRow)
"""Makes a row from its fields; the class's own constructor takes three times as long."""


def parse_order(order: bytes) -> int:
    """Return a row's own number, 0 if it must be made from its moment."""
    return int(order) if len(order) == _ORDER_DIGITS and order.isdigit() else 0


def cut(buffer: bytes, _encoding: str) -> int:
    """Return where the buffer may be cut: after a hand's first row, if the newest row is first.

    Events between two hands stay with the earlier hand.
    """
    if buffer.lstrip(BYTE_ORDER_MARK + b" \t\r\n")[:1] in (b"{", b"["):
        return 0
    last_start = buffer.rfind(_HAND_START)
    if last_start < 0:
        return 0
    if _is_newest_first(buffer):
        end = buffer.find(b"\n", last_start)
        if end < 0 or end + 1 == len(buffer):
            last_start = buffer.rfind(_HAND_START, 0, last_start)
            end = buffer.find(b"\n", last_start) if last_start >= 0 else -1
        return end + 1 if end >= 0 else 0
    return buffer.rfind(b"\n", 0, last_start) + 1


def find_last_row_end(data: bytes) -> int:
    """Return the end of the last whole row of a growing log; the text after it may be half a row."""
    whole_end = _find_last_row(data, len(data), at_end=True)
    end = len(data)
    while not whole_end and (end := data.rfind(b"\n", 0, end)) >= 0:
        whole_end = end + 1 if _find_last_row(data, end, at_end=False) else 0
    return whole_end


def _find_last_row(data: bytes, end: int, *, at_end: bool) -> int:
    """Return `end` if a row ends there, otherwise 0. At the end of the file only a full number shows that."""
    end -= data.endswith(b"\r", 0, end)
    start = end
    for _ in range(_MAX_ENTRY_LINES):
        start = data.rfind(b"\n", 0, max(start - 1, 0)) + 1
        row_match = _ROW_PATTERN.match(data, start)
        if (
            row_match is not None
            and row_match.end() == end
            and (not at_end or len(row_match[4] or b"") == _ORDER_DIGITS)
        ):
            return end
        if _COLUMN_NAMES.match(data, start, end) is not None and not at_end:
            return end
        if not start:
            return 0
    return 0


def _is_newest_first(buffer: bytes) -> bool:
    """Whether the newest row of this buffer comes first."""
    first = _ROW_PATTERN.search(buffer, 0, 64 * 1024)
    tail_start = max(0, len(buffer) - 64 * 1024)
    last = None
    for last in _ROW_PATTERN.finditer(buffer, buffer.find(b"\n", tail_start) + 1):  # noqa: B007 - the last one is wanted
        pass
    return first is None or last is None or _parse_moment(first) >= _parse_moment(last)


def is_falling(buffer: bytes) -> bool:
    """Whether the first row of this buffer was certainly written after its last one."""
    order_texts = (row[4] or b"" for row in _ROW_PATTERN.finditer(buffer))
    orders = [int(order) for order in order_texts if len(order) == _ORDER_DIGITS and order.isdigit()]
    return bool(orders) and orders[0] > orders[-1]


def _parse_moment(row: re.Match[bytes]) -> Millis:
    return parse_iso(row[3].decode("ascii")) or 0


VENUE: Final = "PokerNow"

WITNESSES: Final = Witness.from_names(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD AWARDS RETURNED_BETS TIMES PRESENCE SEATING",
    "CHIP_PURCHASES RUNS MISSING_HANDS",
)
"""The facts that every log records. A hand with its owner's cards also has `OWN_CARDS`. A hand with a dead button has no
`BUTTON`, because the log doesn't record its seat."""

_SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
CARDS: Final[dict[str, str]] = {
    rank + suit: card
    for card in DECK
    for rank in (card[0], "10")
    if rank == card[0] or card[0] == "T"
    for suit in (card[1], _SUITS[card[1]], _SUITS[card[1]] + "\ufe0f")
}
"""A card as the log or the export writes it → the card."""

GAMES: Final = FLOP | split_names("short-deck omaha5 omaha5-8 omaha6 omaha6-8")

ORDINALS: Final = {"second": 2, "third": 3, "fourth": 4}

parse_cards: Final = build_card_reader(CARDS)


def find_game(game_name: str) -> tuple[str, Betting] | None:
    """Return game and limit of `Pot Limit Omaha Hi/Lo 8 or Better`, or None for an unknown game.

    >>> find_game("Pot Limit Omaha 5 Hi"), find_game("Texas Hold'em")
    (('omaha5', 'pot-limit'), ('holdem', 'no-limit'))
    """
    variant, betting = split_limit(game_name.replace("\u2019", "'"), GAMES)
    if variant is None:
        return None
    return variant, betting or ("pot-limit" if variant.startswith("omaha") else "no-limit")


def pad_cards(shown_cards: str, hole_cards: int) -> str:
    """Return the shown cards, with `??` for those that stayed face down."""
    return shown_cards + UNKNOWN_CARD * max(0, hole_cards - len(shown_cards) // 2)


STACKS: Final = ("Player stacks: ", "Players stacks: ")
"""The beginnings of a list of stacks; the second one, of spring 2020, has no seat numbers."""
OWN_CARDS: Final = "Your hand is "
SHOWS_WORDS: Final = '" shows a '
_MAX_JOINED_PARTS: Final = 64
"""The most parts of a list of stacks that one hostile name may look like."""


@lru_cache(maxsize=4096)
def split_stacks(text: str) -> tuple[tuple[Seat, str, str], ...]:
    """Return seat, player and stack of each part of `Player stacks: #1 "Ada @ a" (20) | #4 "Bo @ b" (30)`.

    Parts without numbers are seated as listed. A name may contain the signs between two parts: then a part
    goes on with the next one.
    """
    stack_parts: list[tuple[Seat, str, str]] = []
    joined_part, join_count = "", 0
    words, _, stacks_text = text.partition(": ")
    parts = stacks_text.split(" | ")
    if words == "Players stacks":
        parts = [part if part[:1] == "#" else f"#{seat} {part}" for seat, part in enumerate(parts, 1)]
    for part in parts:
        joined_part, join_count = (f"{joined_part} | {part}", join_count + 1) if joined_part else (part, 0)
        if join_count > _MAX_JOINED_PARTS:
            break
        stack_part = _parse_stack(joined_part)
        if stack_part is not None:
            stack_parts.append(stack_part)
            joined_part = ""
    if joined_part or not stack_parts:
        raise UnreadableHandError(
            f"the list of stacks cannot be read: {joined_part[:60]!r}",
            kind="seat",
            hint="Look at the row: is it damaged?",
        )
    return tuple(stack_parts)


def _parse_stack(part: str) -> tuple[Seat, str, str] | None:
    number, quote, token_and_stack = part.partition(' "')
    token, separator, stack = token_and_stack.rpartition('" (')
    digits = number[1:]
    if not quote or not separator or number[:1] != "#" or stack[-1:] != ")":
        return None
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 2):
        return None
    return int(digits), token, stack[:-1]


class SeatHistory:
    """Where players sit in the course of a log, by the lists of stacks before and after a row."""

    def __init__(self, log_rows: Sequence[LogRow]) -> None:
        """Take the rows of a log from the oldest to the newest."""
        self._log_rows = log_rows

    def row_text(self, index: int) -> str:
        """Return the words of a row, "" after the last one."""
        return self._log_rows[index].text if index < len(self._log_rows) else ""

    @cached_property
    def _seats_by_token(self) -> dict[str, list[tuple[int, Seat]]]:
        seats_by_token: dict[str, list[tuple[int, Seat]]] = {}
        for index, row in enumerate(self._log_rows):
            if row.text.startswith(STACKS):
                try:
                    parts = split_stacks(row.text)
                except UnreadableHandError:
                    continue
                for seat, token, _ in parts:
                    if 0 < seat < SEATS:
                        seats_by_token.setdefault(token, []).append((index, seat))
        return seats_by_token

    def seat_before(self, index: int, token: str) -> Seat | None:
        """Return the player's last seat before row `index`, or None."""
        token_seats = self._seats_by_token.get(token, [])
        position = bisect_left(token_seats, (index, 0))
        return token_seats[position - 1][1] if position else None

    def seat_after(self, index: int, token: str) -> Seat | None:
        """Return the player's seat in the next hand dealt to them, or None."""
        token_seats = self._seats_by_token.get(token, [])
        position = bisect_left(token_seats, (index, 0))
        return token_seats[position][1] if position < len(token_seats) else None


def find_owner(hands: Sequence[Sequence[LogRow]]) -> str:
    """Return the token of the log's owner: the only player whose shown hands always match `Your hand`.

    Return "" if no player, or more than one player, showed such a hand.
    """
    candidates: set[str] = set()
    excluded: set[str] = set()
    for hand_rows in hands:
        own_cards = next(
            (parse_cards(row.text[len(OWN_CARDS) :]) for row in hand_rows if row.text.startswith(OWN_CARDS)), None
        )
        if not own_cards:
            continue
        own_card_set = {own_cards[card_index : card_index + 2] for card_index in range(0, len(own_cards), 2)}
        for row in hand_rows:
            token, separator, shown_text = row.text[1:].rpartition(SHOWS_WORDS)
            shown_cards = parse_cards(shown_text.rstrip(".")) if separator else None
            if not shown_cards or len(shown_cards) != len(own_cards):
                continue
            matches_own = {
                shown_cards[card_index : card_index + 2] for card_index in range(0, len(shown_cards), 2)
            } == own_card_set
            (candidates if matches_own else excluded).add(token)
    candidates_left = candidates - excluded
    return candidates_left.pop() if len(candidates_left) == 1 else ""
