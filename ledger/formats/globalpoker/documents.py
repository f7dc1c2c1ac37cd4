"""Where the hands of a file stand: an object each, one after the other or in an array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.globalpoker.reading import tell
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.telling.documents import BLANK, MARK, reject
from ledger.telling.reading import in_unit
from ledger.telling.spans import whole_elements

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
        _refuse(chunk.encoding)
        bracket = len(data) - len(data[first:].lstrip(BLANK))
        inside = bracket + 1 if data[bracket : bracket + 1] == b"[" else bracket
        found, broken = whole_elements(data, inside)
    except UnreadableHandError as error:
        yield reject(chunk, first, end, error)
        return
    behind = first
    for start, length in found:
        if data[behind:start].strip(_BETWEEN):
            yield reject(chunk, behind, start, _no_hand())
            behind = start
        yield _hand(chunk, people, (start, length), behind)
        behind = start + length
    if data[behind:end].strip(_BETWEEN):
        yield reject(chunk, behind, end, _rest(data[max(behind, broken) : end]))


def _refuse(encoding: str) -> None:
    if encoding.startswith("utf-16"):
        raise UnreadableHandError(
            "a record in UTF-16", kind="encoding", hint="Save the file as UTF-8."
        )


def _no_hand() -> UnreadableHandError:
    return UnreadableHandError("no record of a hand begins here", kind="not-a-hand")


def _rest(data: bytes) -> UnreadableHandError:
    if data.startswith(b"{"):
        return UnreadableHandError("the record breaks off", kind="cut-off")
    return _no_hand()


def _hand(chunk: Chunk, people: People, place: tuple[int, int], begin: int) -> Item:
    """Read the record at `place`; from byte `begin` on the bytes are its own."""
    stop = place[0] + place[1]
    try:
        told = in_unit(lambda exponent: tell(chunk.data, place, people, exponent))
    except UnreadableHandError as error:
        return reject(chunk, begin, stop, error)
    return told.account(chunk.start, begin, stop - begin)
