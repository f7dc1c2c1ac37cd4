"""The Big Game: the calls in which PokerStars' site replayed a televised cash game, hand by hand.

`docs/formats/biggame.md` has the table from member to event, what is inferred, and what the calls
don't contain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.biggame.literal import ParsedLiteral, parse_literal
from ledger.formats.biggame.parser import CallAddress, read_call
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.documents import BLANK, BYTE_ORDER_MARK, read_hand, reject_bytes
from ledger.readers.hand_boundaries import build_cutter

_CALL_BEGINNING: Final = re.compile(rb"LoadHand\s*+\(\s*+(?=\{)")  # a call may begin where another was cut
_CALL_END: Final = re.compile(rb"\s*+\)(?:\s*+;)?")
_ADDRESS: Final = re.compile(rb"(URL\s*+:\s*+(\S++))\s++")
_MAX_ADDRESS_LENGTH: Final = 2_000
_cut_at_call: Final = build_cutter(("LoadHand",), lambda line: line.lstrip().startswith("LoadHand"))


def sniff(head: bytes) -> int:
    """Return how likely these are The Big Game's calls, from 0 (no) to 100 (certain)."""
    if b"LoadHand" not in head or not _CALL_BEGINNING.search(head):
        return 0
    return 95 if b"Play" in head else 0


def cut(buffer: bytes, encoding: str) -> int:
    """Return where the last call begins: at its address, if it has one."""
    call_start = _cut_at_call(buffer, encoding)
    if not call_start:
        return 0
    address_start = buffer.rfind(b"URL", max(0, call_start - _MAX_ADDRESS_LENGTH), call_start)
    return address_start if address_start >= 0 and _ADDRESS.fullmatch(buffer, address_start, call_start) else call_start


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk, and rejects for everything else."""
    data = chunk.data
    unread_start = len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0
    text_end = len(data.rstrip(BLANK))
    codec = "cp1252" if chunk.encoding == "cp1252" else "utf-8"
    call = _CALL_BEGINNING.search(data, unread_start)
    while call is not None:
        call_start, address = _find_address(data, unread_start, call.start())
        if data[unread_start:call_start].strip(BLANK):
            yield reject_bytes(chunk, unread_start, call_start, _build_no_call_error())
        try:
            literal = parse_literal(data, call.end(), codec)
        except UnreadableHandError as error:
            call = _CALL_BEGINNING.search(data, call.end())
            unread_start = text_end if call is None else _find_address(data, call_start, call.start())[0]
            yield reject_bytes(chunk, call_start, unread_start, _describe_damage(data[call_start:unread_start], error))
            continue
        call_end = _CALL_END.match(data, literal.end)
        unread_start = call_end.end() if call_end else literal.end
        yield _read_call(chunk, people, literal, address, (call_start, unread_start))
        call = _CALL_BEGINNING.search(data, unread_start)
    if data[unread_start:text_end].strip(BLANK):
        yield reject_bytes(chunk, unread_start, text_end, _build_no_call_error())


def _find_address(data: bytes, first_byte: int, call_start: int) -> tuple[int, CallAddress | None]:
    """Return where a call begins, and the address before it, if it has one."""
    address_start = data.rfind(b"URL", max(first_byte, call_start - _MAX_ADDRESS_LENGTH), call_start)
    match = _ADDRESS.fullmatch(data, address_start, call_start) if address_start >= 0 else None
    if match is None:
        return call_start, None
    return address_start, CallAddress(match[2].decode("utf-8", "replace"), address_start, len(match[1]))


def _describe_damage(call_text: bytes, error: UnreadableHandError) -> UnreadableHandError:
    """Return why a call can't be read. One without its last brackets breaks off."""
    if error.kind == "damaged" and not call_text.rstrip(BLANK + b";").endswith((b")", b"}")):
        return UnreadableHandError("the call breaks off", kind="cut-off")
    return error


def _build_no_call_error() -> UnreadableHandError:
    return UnreadableHandError("no call of The Big Game begins here", kind="not-a-hand")


def _read_call(
    chunk: Chunk, people: People, literal: ParsedLiteral, address: CallAddress | None, call_bounds: tuple[int, int]
) -> Item:
    """Read one call. `call_bounds` are the first byte of its text and the byte after it."""
    call_start, call_stop = call_bounds
    if b"\0" in chunk.data[call_start:call_stop]:
        damage = UnreadableHandError("the hand holds bytes that are no text", kind="damaged")
        return reject_bytes(chunk, call_start, call_stop, damage)
    return read_hand(chunk, call_bounds, lambda exponent: read_call(chunk.data, literal, address, people, exponent))


FORMAT: Final = Format(
    name="biggame",
    title="The Big Game's calls (JavaScript)",
    suffixes=(".txt", ".js"),
    sniff=sniff,
    read=read,
    find_cut=cut,
)
