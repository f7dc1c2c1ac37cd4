"""CoinPoker's own stream of a table, as its client gets it: `[name, game id, body]` in JSON.

`docs/formats/coinpoker.md` has the table from message to event, what is proven by what, and what the
format cannot say.

A stream is an array of messages, an object of such arrays, or messages and arrays one after the
other; trackers keep each message as an object, a line each. It may carry several tables at once: a hand
then answers for the bytes from its first message to the first one of the next hand. What is told later,
among the messages of others, has no place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import msgspec

from ledger.account import Account
from ledger.errors import UnreadableHandError
from ledger.formats.coinpoker.reading import CoinPokerTables, tell
from ledger.formats.coinpoker.values import CoinPokerMessage
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.documents import BLANK, MARK, document_by_document, read_hand, reject_bytes
from ledger.readers.hand_boundaries import never_cut
from ledger.readers.spans import each_whole, elements, members

_BETWEEN: Final = BLANK + b",[]{}"
_WORDS: Final = (
    b'"game.dealer_chat',
    b'"game.pre_hand_start_info"',
    b'"game.seatInfo"',
    b'"betAmout"',
    b'"seatResponseDataList"',
    b'"game.potInfo"',
    b'"gameActionMessagesHistory"',
    b'"game.game_start"',
    b'"dealerSeatId"',
)
_message = msgspec.json.Decoder(tuple[str, str | int | None, msgspec.Raw])
_FIRST: Final = "game.pre_hand_start_info"
_DIGITS_MOST: Final = 20
_LIST: Final = re.compile(rb'\[\s{0,9}+\["')
_NAMED: Final = re.compile(rb'\{\s{0,9}+"[^"\\]{1,40}"\s{0,9}+:\s{0,9}+\Z')
_LOOKED_BACK: Final = 80
_NAME: Final = re.compile(rb'"[^"\\]{0,200}"\s*:')


def _openings(data: bytes) -> list[int]:
    """Return where streams begin: lists of messages that stand behind no whole value, as there the one before goes on."""
    found = []
    for one in _LIST.finditer(data):
        before = data[max(one.start() - _LOOKED_BACK, 0) : one.start()]
        named = _NAMED.search(before)
        before = before[: named.start()] if named else before
        if before.rstrip()[-1:] not in (b"]", b"}", b":"):
            found.append(one.start() - (len(named[0]) if named else 0))
    return found


def sniff(head: bytes) -> int:
    """Return how sure it is that this is a stream of CoinPoker's: 0 no, 100 certain."""
    bare = head.removeprefix(MARK).lstrip(b" \t\r\n")
    if bare[:1] not in (b"[", b"{"):
        return 0
    return (0, 0, 80, 92, 96, 98, 99, 99, 99, 99)[sum(word in head for word in _WORDS)]


class Kept(msgspec.Struct):
    """A message as trackers keep it, a line each: `{"event": ..., "hand_id": ..., "payload": {}}`."""

    event: str
    payload: msgspec.Raw
    hand_id: str | int | None = None


_kept = msgspec.json.Decoder(Kept)


@dataclass(slots=True)
class Dealt:
    """The messages of one hand; `share` are the bytes for which it answers."""

    number: str
    start: int
    messages: list[CoinPokerMessage] = field(default_factory=list)
    begins: bool = False  # its beginning is among them


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    data = chunk.data
    first = len(MARK) if data.startswith(MARK) else 0
    end = len(data.rstrip(BLANK))
    if end <= first:
        return
    tables = CoinPokerTables()
    try:
        found, behind = _sorted_out(data, first, end, tables)
    except UnreadableHandError as error:
        yield reject_bytes(chunk, first, end, error)
        return
    if not found:
        yield reject_bytes(chunk, first, end, _nothing(data[first:end]))
        return
    torn = bool(data[behind:end].strip(_BETWEEN))
    found[0].start = first
    stops = [one.start for one in found[1:]] + [behind if torn else end]
    for dealt, stop in zip(found, stops, strict=True):
        yield _hand(chunk, people, tables, dealt, stop)
    if torn:
        yield reject_bytes(chunk, behind, end, _nothing(data[behind:end], behind=True))


def _sorted_out(data: bytes, first: int, end: int, tables: CoinPokerTables) -> tuple[list[Dealt], int]:
    """Return the hands in the order of their first messages, and the byte behind the last message."""
    by_number: dict[str, Dealt] = {}
    found: list[Dealt] = []
    current: Dealt | None = None
    strays: list[CoinPokerMessage] = []  # what is no message, until a hand begins
    behind = first
    for start, length in _places(data, first, end):
        kept = strays if current is None else current.messages
        between = data[behind:start].strip(_BETWEEN)  # signs, or the name of a list
        if between and _NAME.fullmatch(between) is None:
            kept.append(CoinPokerMessage("", behind, start - behind))
        behind = start + length
        told = _decoded(data[start:behind])
        if told is None:
            kept.append(CoinPokerMessage("", start, length))
            continue
        name, number, body = told
        message = CoinPokerMessage(name, start, length, bytes(body))
        if number is None or not name.startswith("game."):
            tables.hear(message)
            if number is None and current is not None and name.startswith("game."):
                kept.append(message)
            continue
        key = str(number)[:_DIGITS_MOST]
        current = by_number.get(key)
        if current is None:
            current = by_number[key] = Dealt(key, start, strays)
            found.append(current)
            strays = []
        current.messages.append(message)
        current.begins = current.begins or name == _FIRST
        tables.know(key, message)
    return found, behind


def _decoded(data: bytes) -> tuple[str, str | int | None, msgspec.Raw] | None:
    """Return name, game id and body of a message, None if it is none."""
    try:
        if data[:1] == b"[":
            return _message.decode(data)
        kept = _kept.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return kept.event, kept.hand_id, kept.payload


def _places(data: bytes, first: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield start and length of the messages: arrays whose first element is a text."""
    try:
        yield from _listed(data, first, end - first, surely=False)
    except UnreadableHandError as error:
        if error.kind == "too-deep":
            raise
    else:
        return
    for start, length in each_whole(data, first, end, b"[{"):
        yield from _listed(data, start, length)


def _listed(data: bytes, start: int, length: int, *, surely: bool = True) -> Iterator[tuple[int, int]]:
    """Yield the messages of a value: one message, an array of them, or an object of arrays.

    What is not `surely` a whole value, and is none, raises `UnreadableHandError`.
    """
    if data[start : start + 1] == b"{":
        within = members(data, start, length)
        if "payload" in within and "event" in within:
            yield start, length
            return
        for place in within.values():
            if data[place[0] : place[0] + 1] == b"[":
                yield from _listed(data, *place)
        return
    message = data[start + 1 : start + 10].lstrip(b" \t\r\n").startswith(b'"')
    if message and surely:
        yield start, length
        return
    parts = elements(data, start, length)
    if message:
        yield start, length
        return
    for at, size in parts:
        if data[at : at + 1] in (b"[", b"{"):
            yield at, size


def _nothing(data: bytes, *, behind: bool = False) -> UnreadableHandError:
    """Return why no hand stands there; `behind`: one stands before it."""
    if b'"game.' not in data:
        return UnreadableHandError("no message of a hand stands here", kind="not-a-hand")
    where = "within a message" if behind else "before its first message ends"
    hint = "The hand before is read as far as it was told." if behind else ""
    return UnreadableHandError(f"the stream breaks off {where}", kind="cut-off", hint=hint)


def _hand(chunk: Chunk, people: People, tables: CoinPokerTables, dealt: Dealt, stop: int) -> Item:
    """Read one hand, which answers for the bytes up to `stop`."""
    if not dealt.begins:
        torn = UnreadableHandError(
            f"the beginning of hand {dealt.number} is not in the stream",
            kind="no-header",
            hint="The recording began while this hand was played.",
        )
        return reject_bytes(chunk, dealt.start, stop, torn)
    length = len(chunk.data[dealt.start : stop].rstrip(BLANK))
    place = dealt.start, length
    account = read_hand(
        chunk,
        (dealt.start, stop),
        lambda exponent: tell(chunk.data, place, dealt.number, dealt.messages, tables, people, exponent),
    )
    if not isinstance(account, Account):
        return account
    places = account.places
    for at in range(0, len(places), 2):
        if places[at] + places[at + 1] > length:  # among the messages of another hand
            places[at] = places[at + 1] = 0
    return account


FORMAT: Final = Format(
    name="coinpoker",
    title="CoinPoker event stream (JSON)",
    suffixes=(".json", ".jsonl"),
    sniff=sniff,
    read=document_by_document(_openings, read),
    cut=never_cut,
    appended=False,
)
