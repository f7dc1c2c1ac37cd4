"""CoinPoker's own stream of a table, as its client gets it: `[name, game id, body]` in JSON.

`docs/formats/coinpoker.md` has the table from message to event, the evidence for each, and what the
format doesn't contain.

A stream is an array of messages, an object of such arrays, or messages and arrays one after the
other. Trackers keep each message as an object on a line of its own. A stream may carry several tables:
a hand's bytes then go from its first message to the first one of the next hand, and messages after
that have no place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import msgspec

from ledger.account import Account
from ledger.decoders import build_json_decoder
from ledger.errors import UnreadableHandError
from ledger.formats.coinpoker.parser import CoinPokerTables
from ledger.formats.coinpoker.parser import read_hand as read_messages
from ledger.formats.coinpoker.values import CoinPokerMessage
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.documents import BLANK, BYTE_ORDER_MARK, build_document_reader, read_hand, reject_bytes
from ledger.readers.hand_boundaries import never_cut
from ledger.readers.spans import find_elements, find_members, iter_whole_values

_SEPARATORS: Final = BLANK + b",[]{}"
_STREAM_WORDS: Final = (
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
_message_decoder = build_json_decoder(tuple[str, str | int | None, msgspec.Raw])
_FIRST_MESSAGE: Final = "game.pre_hand_start_info"
_MAX_NUMBER_DIGITS: Final = 20
_LIST_BEGINNING: Final = re.compile(rb'\[\s{0,9}+\["')
_MEMBER_NAME_BEFORE: Final = re.compile(rb'\{\s{0,9}+"[^"\\]{1,40}"\s{0,9}+:\s{0,9}+\Z')
_MAX_NAME_DISTANCE: Final = 80
_MEMBER_NAME: Final = re.compile(rb'"[^"\\]{0,200}"\s*:')


def _find_streams(data: bytes) -> list[int]:
    """Return where streams begin: lists of messages, except after a complete value, which they continue."""
    stream_starts = []
    for list_match in _LIST_BEGINNING.finditer(data):
        text_before = data[max(list_match.start() - _MAX_NAME_DISTANCE, 0) : list_match.start()]
        name_match = _MEMBER_NAME_BEFORE.search(text_before)
        text_before = text_before[: name_match.start()] if name_match else text_before
        if text_before.rstrip()[-1:] not in (b"]", b"}", b":"):
            stream_starts.append(list_match.start() - (len(name_match[0]) if name_match else 0))
    return stream_starts


def sniff(head: bytes) -> int:
    """Return how likely this is a stream of CoinPoker's, from 0 (no) to 100 (certain)."""
    stream_start = head.removeprefix(BYTE_ORDER_MARK).lstrip(b" \t\r\n")
    if stream_start[:1] not in (b"[", b"{"):
        return 0
    return (0, 0, 80, 92, 96, 98, 99, 99, 99, 99)[sum(word in head for word in _STREAM_WORDS)]


class TrackedMessage(msgspec.Struct):
    """A message as trackers keep it, one on each line: `{"event": ..., "hand_id": ..., "payload": {}}`."""

    event: str
    payload: msgspec.Raw
    hand_id: str | int | None = None


_tracked_decoder = build_json_decoder(TrackedMessage)


@dataclass(slots=True)
class HandMessages:
    """The messages of one hand."""

    hand_number: str
    start_byte: int
    messages: list[CoinPokerMessage] = field(default_factory=list)
    has_beginning: bool = False  # the first message of the hand is among them


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk, and rejects for everything else."""
    data = chunk.data
    first_byte = len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0
    end_byte = len(data.rstrip(BLANK))
    if end_byte <= first_byte:
        return
    tables = CoinPokerTables()
    try:
        hands, unread_start = _sort_messages(data, first_byte, end_byte, tables)
    except UnreadableHandError as error:
        yield reject_bytes(chunk, first_byte, end_byte, error)
        return
    if not hands:
        yield reject_bytes(chunk, first_byte, end_byte, _build_no_hand_error(data[first_byte:end_byte]))
        return
    is_cut = bool(data[unread_start:end_byte].strip(_SEPARATORS))
    hands[0].start_byte = first_byte
    stop_bytes = [later_hand.start_byte for later_hand in hands[1:]] + [unread_start if is_cut else end_byte]
    for hand_messages, stop_byte in zip(hands, stop_bytes, strict=True):
        yield _read_hand(chunk, people, tables, hand_messages, stop_byte)
    if is_cut:
        yield reject_bytes(
            chunk, unread_start, end_byte, _build_no_hand_error(data[unread_start:end_byte], after_hand=True)
        )


def _sort_messages(
    data: bytes, first_byte: int, end_byte: int, tables: CoinPokerTables
) -> tuple[list[HandMessages], int]:
    """Return the hands in the order of their first messages, and the byte after the last message."""
    by_number: dict[str, HandMessages] = {}
    hands: list[HandMessages] = []
    current_hand: HandMessages | None = None
    stray_messages: list[CoinPokerMessage] = []  # unreadable parts before the first hand
    unread_start = first_byte
    for start, length in _iter_message_spans(data, first_byte, end_byte):
        message_list = stray_messages if current_hand is None else current_hand.messages
        text_between = data[unread_start:start].strip(_SEPARATORS)  # signs, or the name of a list
        if text_between and _MEMBER_NAME.fullmatch(text_between) is None:
            message_list.append(CoinPokerMessage("", unread_start, start - unread_start))
        unread_start = start + length
        decoded_message = _decode_message(data[start:unread_start])
        if decoded_message is None:
            message_list.append(CoinPokerMessage("", start, length))
            continue
        name, game_id, body = decoded_message
        message = CoinPokerMessage(name, start, length, bytes(body))
        if game_id is None or not name.startswith("game."):
            tables.read_table_message(message)
            if game_id is None and current_hand is not None and name.startswith("game."):
                message_list.append(message)
            continue
        hand_number = str(game_id)[:_MAX_NUMBER_DIGITS]
        current_hand = by_number.get(hand_number)
        if current_hand is None:
            current_hand = by_number[hand_number] = HandMessages(hand_number, start, stray_messages)
            hands.append(current_hand)
            stray_messages = []
        current_hand.messages.append(message)
        current_hand.has_beginning = current_hand.has_beginning or name == _FIRST_MESSAGE
        tables.read_hand_message(hand_number, message)
    return hands, unread_start


def _decode_message(data: bytes) -> tuple[str, str | int | None, msgspec.Raw] | None:
    """Return name, game id and body of a message, or None if it isn't one."""
    try:
        if data[:1] == b"[":
            return _message_decoder.decode(data)
        tracked_message = _tracked_decoder.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return tracked_message.event, tracked_message.hand_id, tracked_message.payload


def _iter_message_spans(data: bytes, first_byte: int, end_byte: int) -> Iterator[tuple[int, int]]:
    """Yield start and length of the messages, which are arrays that begin with a text."""
    try:
        yield from _iter_spans_in_value(data, first_byte, end_byte - first_byte, is_complete=False)
    except UnreadableHandError as error:
        if error.kind == "too-deep":
            raise
    else:
        return
    for start, length in iter_whole_values(data, first_byte, end_byte, b"[{"):
        yield from _iter_spans_in_value(data, start, length)


def _iter_spans_in_value(
    data: bytes, start: int, length: int, *, is_complete: bool = True
) -> Iterator[tuple[int, int]]:
    """Yield the messages of a value: one message, an array of them, or an object of arrays.

    `is_complete`: the value is known to be complete; otherwise an incomplete one raises `UnreadableHandError`.
    """
    if data[start : start + 1] == b"{":
        member_spans = find_members(data, start, length)
        if "payload" in member_spans and "event" in member_spans:
            yield start, length
            return
        for member_span in member_spans.values():
            if data[member_span[0] : member_span[0] + 1] == b"[":
                yield from _iter_spans_in_value(data, *member_span)
        return
    is_message = data[start + 1 : start + 10].lstrip(b" \t\r\n").startswith(b'"')
    if is_message and is_complete:
        yield start, length
        return
    element_spans = find_elements(data, start, length)
    if is_message:
        yield start, length
        return
    for element_start, element_length in element_spans:
        if data[element_start : element_start + 1] in (b"[", b"{"):
            yield element_start, element_length


def _build_no_hand_error(data: bytes, *, after_hand: bool = False) -> UnreadableHandError:
    """Return why there is no hand in the data. `after_hand`: there is one before it."""
    if b'"game.' not in data:
        return UnreadableHandError("no message of a hand stands here", kind="not-a-hand")
    cut_place = "within a message" if after_hand else "before its first message ends"
    hint = "The hand before it was read as far as it goes." if after_hand else ""
    return UnreadableHandError(f"the stream breaks off {cut_place}", kind="cut-off", hint=hint)


def _read_hand(
    chunk: Chunk, people: People, tables: CoinPokerTables, hand_messages: HandMessages, stop_byte: int
) -> Item:
    """Read one hand, whose bytes end at `stop_byte`."""
    if not hand_messages.has_beginning:
        no_beginning = UnreadableHandError(
            f"the beginning of hand {hand_messages.hand_number} is not in the stream",
            kind="no-header",
            hint="The recording began while this hand was played.",
        )
        return reject_bytes(chunk, hand_messages.start_byte, stop_byte, no_beginning)
    hand_length = len(chunk.data[hand_messages.start_byte : stop_byte].rstrip(BLANK))
    hand_span = hand_messages.start_byte, hand_length
    account = read_hand(
        chunk,
        (hand_messages.start_byte, stop_byte),
        lambda exponent: read_messages(
            chunk.data, hand_span, hand_messages.hand_number, hand_messages.messages, tables, people, exponent
        ),
    )
    if not isinstance(account, Account):
        return account
    event_places = account.places
    for index in range(0, len(event_places), 2):
        if event_places[index] + event_places[index + 1] > hand_length:  # among the messages of another hand
            event_places[index] = event_places[index + 1] = 0
    return account


FORMAT: Final = Format(
    name="coinpoker",
    title="CoinPoker event stream (JSON)",
    suffixes=(".json", ".jsonl"),
    sniff=sniff,
    read=build_document_reader(_find_streams, read),
    find_cut=never_cut,
    is_appended=False,
)
