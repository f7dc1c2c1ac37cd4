"""Where the hands of a file stand: an object each, one after the other or in an array."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.globalpoker.reading import tell
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.readers.documents import BLANK, MARK, hand, reject
from ledger.readers.spans import whole_elements

_BETWEEN: Final = BLANK + b",[]"


def sniff(head: bytes) -> int:
    """Return how sure it is that this is a record of Global Poker's: 0 no, 100 certain."""
    bare = head.removeprefix(MARK).lstrip(b" \t\r\n[")
    if bare[:1] != b"{":
        return 0
    words = (b'"tableIntegrationId"', b'"handIndex"', b'"balanceAfterAction"', b'"transactionIds"')
    return (0, 0, 90, 95, 98)[sum(word in head for word in words)]


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    data = chunk.data
    first = len(MARK) if data.startswith(MARK) else 0
    end = len(data.rstrip(BLANK))
    if end <= first:
        return
    try:
        places = list(_places(data, first, end))
    except UnreadableHandError as error:
        yield reject(chunk, first, end, error)
        return
    behind = first
    nexts = [start for start, _ in [*places, (end, 0)]][1:]
    for (start, length), after in zip(places, nexts, strict=True):
        if data[behind:start].strip(_BETWEEN):
            yield reject(chunk, behind, start, _no_hand(data[behind:start]))
            behind = start
        stop = start + length
        if not data[stop:after].strip(_BETWEEN):
            stop += len(data[stop:after].rstrip(BLANK))
        yield hand(chunk, (behind, stop), partial(tell, data, (start, length), people))
        behind = stop
    if data[behind:end].strip(_BETWEEN) or not places:
        yield reject(chunk, behind, end, _no_hand(data[behind:end]))


def _places(data: bytes, at: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield start and length of the objects of a source, of those in arrays too.

    What nests too deep raises `UnreadableHandError`.
    """
    while at < end:
        found, behind = whole_elements(data, at)
        for start, length in found:
            if data[start : start + 1] == b"{":
                yield start, length
            else:
                yield from whole_elements(data, start + 1)[0]
        if behind < end and data[behind : behind + 1] == b"[" and behind >= at:
            at = behind + 1  # an array that breaks off
        elif behind > at and data[behind - 1 : behind] in (b"]", b"}") and behind < end:
            at = behind  # a bracket that closes nothing
        else:
            return


def _no_hand(data: bytes) -> UnreadableHandError:
    if data.lstrip(_BETWEEN).startswith(b"{"):
        return UnreadableHandError("the record breaks off", kind="cut-off")
    return UnreadableHandError("no record of a hand begins here", kind="not-a-hand")
