"""The Big Game: the calls in which PokerStars' site replayed a televised cash game, hand by hand.

`docs/formats/biggame.md` has the table from member to event, what is inferred, and what the calls
cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.biggame.literal import ParsedLiteral, parse_literal
from ledger.formats.biggame.reading import CallAddress, tell
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.cutting import cutter
from ledger.readers.documents import BLANK, MARK, hand, reject

_CALL: Final = re.compile(rb"LoadHand\s*+\(\s*+(?=\{)")  # a call may begin where another was cut
_CLOSED: Final = re.compile(rb"\s*+\)(?:\s*+;)?")
_ADDRESS: Final = re.compile(rb"(URL\s*+:\s*+(\S++))\s++")
_ADDRESS_MOST: Final = 2_000
_last_call: Final = cutter(("LoadHand",), lambda line: line.lstrip().startswith("LoadHand"))


def sniff(head: bytes) -> int:
    """Return how sure it is that these are The Big Game's calls: 0 no, 100 certain."""
    if b"LoadHand" not in head or not _CALL.search(head):
        return 0
    return 95 if b"Play" in head else 0


def cut(buffer: bytes, encoding: str) -> int:
    """Return where the last call begins: at its address, if one stands in front of it."""
    found = _last_call(buffer, encoding)
    if not found:
        return 0
    at = buffer.rfind(b"URL", max(0, found - _ADDRESS_MOST), found)
    return at if at >= 0 and _ADDRESS.fullmatch(buffer, at, found) else found


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    data = chunk.data
    behind = len(MARK) if data.startswith(MARK) else 0
    end = len(data.rstrip(BLANK))
    codec = "cp1252" if chunk.encoding == "cp1252" else "utf-8"
    call = _CALL.search(data, behind)
    while call is not None:
        begin, address = _address(data, behind, call.start())
        if data[behind:begin].strip(BLANK):
            yield reject(chunk, behind, begin, _no_hand())
        try:
            found = parse_literal(data, call.end(), codec)
        except UnreadableHandError as error:
            call = _CALL.search(data, call.end())
            behind = end if call is None else _address(data, begin, call.start())[0]
            yield reject(chunk, begin, behind, _torn(data[begin:behind], error))
            continue
        closed = _CLOSED.match(data, found.end)
        behind = closed.end() if closed else found.end
        yield _hand(chunk, people, found, address, (begin, behind))
        call = _CALL.search(data, behind)
    if data[behind:end].strip(BLANK):
        yield reject(chunk, behind, end, _no_hand())


def _address(data: bytes, least: int, call: int) -> tuple[int, CallAddress | None]:
    """Return where a call begins, and the address that stands in front of it."""
    at = data.rfind(b"URL", max(least, call - _ADDRESS_MOST), call)
    found = _ADDRESS.fullmatch(data, at, call) if at >= 0 else None
    if found is None:
        return call, None
    return at, CallAddress(found[2].decode("utf-8", "replace"), at, len(found[1]))


def _torn(text: bytes, error: UnreadableHandError) -> UnreadableHandError:
    """Return why a call cannot be read: that it breaks off, where it has no end."""
    if error.kind == "damaged" and not text.rstrip(BLANK + b";").endswith((b")", b"}")):
        return UnreadableHandError("the call breaks off", kind="cut-off")
    return error


def _no_hand() -> UnreadableHandError:
    return UnreadableHandError("no call of The Big Game begins here", kind="not-a-hand")


def _hand(
    chunk: Chunk, people: People, found: ParsedLiteral, address: CallAddress | None, share: tuple[int, int]
) -> Item:
    """Read one call; it answers for the bytes from and to `share`."""
    begin, stop = share
    if b"\0" in chunk.data[begin:stop]:
        torn = UnreadableHandError("the hand holds bytes that are no text", kind="damaged")
        return reject(chunk, begin, stop, torn)
    return hand(chunk, share, lambda exponent: tell(chunk.data, found, address, people, exponent))


FORMAT: Final = Format(
    name="biggame", title="The Big Game's calls (JavaScript)", suffixes=(".txt", ".js"), sniff=sniff, read=read, cut=cut
)
