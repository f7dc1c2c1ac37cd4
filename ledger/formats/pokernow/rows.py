"""The rows of a log, `entry,at,order`: newest first, each with its place, number and moment; their words; who sits where.

The number is the moment in milliseconds with a two-digit count behind it; it alone tells in which
order things happened, as many rows have the same moment. Where somebody sits only the lists of stacks tell.
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
from ledger.readers.cards import reader
from ledger.readers.documented import names
from ledger.readers.documents import BLANK, MARK
from ledger.readers.games import FLOP, parted
from ledger.readers.hand import SEATS
from ledger.readers.timestamps import iso
from ledger.vocabulary import DECK, UNKNOWN_CARD, Millis, Seat, Witness

_ROW: Final = re.compile(
    rb'(?<![^\r\n\xbf])(?:"((?:[^"]++|"")*+)"|([^",\r\n]*+)),[ ]?"?([0-9TZ:.+-]{10,40}+)"?(?:,[ ]?"?([0-9][0-9.E+]{0,24}+)"?)?+[ \t]*+(?=\r|\n|\Z)'
)
_HEAD: Final = re.compile(rb'"?entry"?[,;]"?at"?(?:[,;]"?order"?)?[ \t]*(?=\r|\n|\Z)', re.IGNORECASE)
_START: Final = b"-- starting hand #"
_ORDER_DIGITS: Final = 15
_LINES_MOST: Final = 32
"""Lines of an entry: the settings of a game are one of some ten."""
_FAR: Final = 100 * 60_000
"""Rows that jump back by more than a minute, in units of `order`, begin another log."""


def is_log(head: bytes) -> bool:
    """Whether a source begins as the log does that the site fetches: rows as objects."""
    return b'"logs"' in head and b'"msg"' in head and b'"created_at"' in head


class Row(NamedTuple):
    """One row. `order` sorts rows as they happened; `start` and `length` are its bytes."""

    order: int
    at: Millis
    text: str
    start: int
    length: int
    written: bytes  # its moment as written


class Stretch(NamedTuple):
    """Bytes that are no row."""

    start: int
    end: int


def sniff(head: bytes) -> int:
    """Return how sure it is that this is a PokerNow log: 0 no, 100 certain."""
    bare = head.removeprefix(MARK).lstrip()
    if _HEAD.match(bare):
        return 97
    if bare[:1] == b"{":
        export = b'"gameId"' in bare and (b'"dealerSeat"' in bare or b'"generatedAt"' in bare)
        return 90 if export else 85 if is_log(bare) else 0
    row = _ROW.match(bare)
    said = row is not None and (b" @ " in bare[:2000] or _START in head or b"-- ending hand #" in head)
    return 80 if said else 0


def rows(chunk: Chunk) -> tuple[list[list[Row]], list[Stretch]]:
    """Return the chunk's logs, each as its rows in the order of the file, and what is no row.

    Two logs one behind the other are told apart by the jump in time between them.
    """
    data = chunk.data
    at = len(MARK) if chunk.start == 0 and data.startswith(MARK) else 0
    codec = "cp1252" if chunk.encoding == "cp1252" else "utf-8"
    found: list[Row] = []
    strange: list[Stretch] = []
    match, size = _ROW.match, len(data)
    while at < size:
        row = match(data, at)
        if row is None:
            end = data.find(b"\n", at)
            end = size if end < 0 else end
            if _HEAD.match(data, at):
                _take_along(found, strange, end)
            elif data[at:end].strip(BLANK):
                strange.append(Stretch(at, end))
            at = end + 1
            continue
        found.append(_row(row, codec))
        at = row.end() + (2 if data.startswith(b"\r\n", row.end()) else 1)
    return in_logs(found), strange


def _take_along(found: list[Row], strange: list[Stretch], end: int) -> None:
    """Let a line of column names in the middle of a file belong to what stands before it."""
    if found and (not strange or found[-1].start > strange[-1].start):
        found[-1] = found[-1]._replace(length=end - found[-1].start)
    elif strange:
        strange[-1] = Stretch(strange[-1].start, end)


def in_logs(found: list[Row]) -> list[list[Row]]:
    """Part rows in the order of a file where one log ends and another begins."""
    steps = [after.order - before.order for before, after in pairwise(found)]
    falling = sum(step < 0 for step in steps) >= sum(step > 0 for step in steps)
    logs: list[list[Row]] = [found[:1]] if found else []
    for step, row in zip(steps, found[1:], strict=True):
        if (step > _FAR) if falling else (step < -_FAR):
            logs.append([])
        logs[-1].append(row)
    return logs


def _row(row: re.Match[bytes], codec: str) -> Row:
    quoted, bare, at, order = row.groups()
    if quoted is not None:
        text = quoted.decode(codec, "replace")
        if '""' in text:
            text = text.replace('""', '"')
        if "\r" in text:
            text = text.replace("\r\n", "\n")
    else:
        text = bare.decode(codec, "replace")
    number = number_of(order or b"") or 100 * (iso(at.decode("ascii")) or 0)
    start, end = row.span()
    return _made((number, number // 100, text.strip(), start, end - start, at))


_made: Final = partial(tuple.__new__, Row)
"""Makes a row of its fields: its own constructor takes three times as long."""


def number_of(order: bytes) -> int:
    """Return a row's number as it is told, 0 where it follows from its moment."""
    return int(order) if len(order) == _ORDER_DIGITS and order.isdigit() else 0


def cut(buffer: bytes, _encoding: str) -> int:
    """Return where the buffer may be cut: behind a hand's first row in a log that runs backwards.

    What happened between two hands stays with the earlier one, so that it is told after it.
    """
    if buffer.lstrip(MARK + b" \t\r\n")[:1] in (b"{", b"["):
        return 0
    last = buffer.rfind(_START)
    if last < 0:
        return 0
    if _backwards(buffer):
        end = buffer.find(b"\n", last)
        if end < 0 or end + 1 == len(buffer):
            last = buffer.rfind(_START, 0, last)
            end = buffer.find(b"\n", last) if last >= 0 else -1
        return end + 1 if end >= 0 else 0
    return buffer.rfind(b"\n", 0, last) + 1


def whole_rows(data: bytes) -> int:
    """Return where the last whole row of a log that still grows ends: what follows it may be half a row."""
    whole = _last_row(data, len(data), at_end=True)
    end = len(data)
    while not whole and (end := data.rfind(b"\n", 0, end)) >= 0:
        whole = end + 1 if _last_row(data, end, at_end=False) else 0
    return whole


def _last_row(data: bytes, end: int, *, at_end: bool) -> int:
    """Return `end` if a row ends there, 0 if none does; at the end of what was written only its number shows that."""
    end -= data.endswith(b"\r", 0, end)
    start = end
    for _ in range(_LINES_MOST):
        start = data.rfind(b"\n", 0, max(start - 1, 0)) + 1
        row = _ROW.match(data, start)
        if row is not None and row.end() == end and (not at_end or len(row[4] or b"") == _ORDER_DIGITS):
            return end
        if _HEAD.match(data, start, end) is not None and not at_end:
            return end
        if not start:
            return 0
    return 0


def _backwards(buffer: bytes) -> bool:
    """Whether the rows of this buffer run from the newest to the oldest."""
    first = _ROW.search(buffer, 0, 64 * 1024)
    at = max(0, len(buffer) - 64 * 1024)
    last = None
    for last in _ROW.finditer(buffer, buffer.find(b"\n", at) + 1):  # noqa: B007 - the last one is wanted
        pass
    return first is None or last is None or _moment_of(first) >= _moment_of(last)


def falls(buffer: bytes) -> bool:
    """Whether the first row of this buffer was surely written after its last."""
    found = (row[4] or b"" for row in _ROW.finditer(buffer))
    orders = [int(order) for order in found if len(order) == _ORDER_DIGITS and order.isdigit()]
    return bool(orders) and orders[0] > orders[-1]


def _moment_of(row: re.Match[bytes]) -> Millis:
    return iso(row[3].decode("ascii")) or 0


VENUE: Final = "PokerNow"

WITNESSES: Final = Witness.of(
    "BUTTON POSTS POST_LIVENESS ANTES STACKS_BEFORE ACTS BOARD AWARDS RETURNED_BETS TIMES PRESENCE SEATING",
    "CHIP_PURCHASES RUNS MISSING_HANDS",
)
"""What every log tells. `OWN_CARDS` is added to a hand in which its owner's cards are told, and
`BUTTON` is taken from one whose button is dead: the log does not say where it lies."""

_SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
CARDS: Final[dict[str, str]] = {
    rank + suit: card
    for card in DECK
    for rank in (card[0], "10")
    if rank == card[0] or card[0] == "T"
    for suit in (card[1], _SUITS[card[1]], _SUITS[card[1]] + "\ufe0f")
}
"""A card as the log and the export write it → the card."""

GAMES: Final = FLOP | names("short-deck omaha5 omaha5-8 omaha6 omaha6-8")

ORDINALS: Final = {"second": 2, "third": 3, "fourth": 4}

cards: Final = reader(CARDS)


def game(name: str) -> tuple[str, Betting] | None:
    """Return game and limit of `Pot Limit Omaha Hi/Lo 8 or Better`; None for an unknown one.

    >>> game("Pot Limit Omaha 5 Hi"), game("Texas Hold'em")
    (('omaha5', 'pot-limit'), ('holdem', 'no-limit'))
    """
    variant, betting = parted(name.replace("\u2019", "'"), GAMES)
    if variant is None:
        return None
    return variant, betting or ("pot-limit" if variant.startswith("omaha") else "no-limit")


def padded(found: str, count: int) -> str:
    """Return cards that were shown with `??` for those of the hand that stayed face down."""
    return found + UNKNOWN_CARD * max(0, count - len(found) // 2)


STACKS: Final = ("Player stacks: ", "Players stacks: ")
"""How a list of stacks begins; the second one, of spring 2020, does not number the seats."""
OWN: Final = "Your hand is "
SHOWS: Final = '" shows a '
_JOINED_MOST: Final = 64
"""Parts that a hostile name may look like; more of them are no list of stacks."""


@lru_cache(maxsize=4096)
def split_stacks(text: str) -> tuple[tuple[Seat, str, str], ...]:
    """Return seat, player and stack of each part of `Player stacks: #1 "Ada @ a" (20) | #4 "Bo @ b" (30)`.

    Where no part has a number, they count as listed. A name may hold the signs between two parts: a part that is none goes on with the next one.
    """
    found: list[tuple[Seat, str, str]] = []
    whole, joined = "", 0
    words, _, listed = text.partition(": ")
    parts = listed.split(" | ")
    if words == "Players stacks":
        parts = [part if part[:1] == "#" else f"#{seat} {part}" for seat, part in enumerate(parts, 1)]
    for part in parts:
        whole, joined = (f"{whole} | {part}", joined + 1) if whole else (part, 0)
        if joined > _JOINED_MOST:
            break
        one = _stack(whole)
        if one is not None:
            found.append(one)
            whole = ""
    if whole or not found:
        raise UnreadableHandError(
            f"the list of stacks cannot be read: {whole[:60]!r}", kind="seat", hint="Look at the row: is it damaged?"
        )
    return tuple(found)


def _stack(part: str) -> tuple[Seat, str, str] | None:
    number, quote, rest = part.partition(' "')
    token, found, stack = rest.rpartition('" (')
    digits = number[1:]
    if not quote or not found or number[:1] != "#" or stack[-1:] != ")":
        return None
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 2):
        return None
    return int(digits), token, stack[:-1]


class Sitting:
    """Where players sit in the course of a log, by the lists of stacks before and behind a row."""

    def __init__(self, log: Sequence[Row]) -> None:
        """Take the rows of a log as they happened."""
        self._log = log

    def text(self, index: int) -> str:
        """Return the words of a row, "" behind the last one."""
        return self._log[index].text if index < len(self._log) else ""

    @cached_property
    def _lists(self) -> dict[str, list[tuple[int, Seat]]]:
        found: dict[str, list[tuple[int, Seat]]] = {}
        for index, row in enumerate(self._log):
            if row.text.startswith(STACKS):
                try:
                    parts = split_stacks(row.text)
                except UnreadableHandError:
                    continue
                for seat, token, _ in parts:
                    if 0 < seat < SEATS:
                        found.setdefault(token, []).append((index, seat))
        return found

    def before(self, index: int, token: str) -> Seat | None:
        """Return where the player sat last when row `index` was written."""
        found = self._lists.get(token, [])
        at = bisect_left(found, (index, 0))
        return found[at - 1][1] if at else None

    def after(self, index: int, token: str) -> Seat | None:
        """Return where the player sits in the next hand that is dealt to him."""
        found = self._lists.get(token, [])
        at = bisect_left(found, (index, 0))
        return found[at][1] if at < len(found) else None


def owner(hands: Sequence[Sequence[Row]]) -> str:
    """Return whose log this is: the one player whose shown hands are always those told as `Your hand`.

    "" where nobody showed such a hand, or several did.
    """
    for_: set[str] = set()
    against: set[str] = set()
    for rows in hands:
        own = next((cards(row.text[len(OWN) :]) for row in rows if row.text.startswith(OWN)), None)
        if not own:
            continue
        mine = {own[at : at + 2] for at in range(0, len(own), 2)}
        for row in rows:
            token, found, shown = row.text[1:].rpartition(SHOWS)
            told = cards(shown.rstrip(".")) if found else None
            if not told or len(told) != len(own):
                continue
            same = {told[at : at + 2] for at in range(0, len(told), 2)} == mine
            (for_ if same else against).add(token)
    left = for_ - against
    return left.pop() if len(left) == 1 else ""
