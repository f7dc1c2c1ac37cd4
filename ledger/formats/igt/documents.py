"""Where the hands of a record stand: in the list `history`, of one document or several."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.igt.reading import tell
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.readers.documents import BLANK, MARK, Document, Stray, documents, reject
from ledger.readers.reading import in_unit

_WORDS: Final = (b'"HAND_BLINDS"', b'"bankRoll"', b'"HAND_DEAL"', b'"gameKind"')


def sniff(head: bytes) -> int:
    """Return how sure it is that this is a record of the IGT network's: 0 no, 100 certain."""
    bare = head.removeprefix(MARK).lstrip()
    if bare[:1] != b"{" or b'"history"' not in head:
        return 0
    return (0, 60, 90, 95, 98)[sum(word in head for word in _WORDS)]


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    data = chunk.data
    done = 0
    try:
        for found in documents(data, "history", inside=b'"history"'):
            if isinstance(found, Stray):
                yield reject(chunk, found.start, found.end, _no_hand())
            else:
                yield from _record(chunk, people, found)
            done = found.end
    except UnreadableHandError as error:
        first = max(done, len(MARK) if data.startswith(MARK) else 0)
        yield reject(chunk, first, len(data), error)


def _no_hand() -> UnreadableHandError:
    return UnreadableHandError("no record of a hand begins here", kind="not-a-hand")


def _record(chunk: Chunk, people: People, found: Document) -> Iterator[Item]:
    """Read one document."""
    cut_off = UnreadableHandError("the record breaks off", kind="cut-off")
    if not found.parts:
        yield reject(chunk, found.start, found.end, cut_off if found.broken else _no_hand())
        return
    for place, share in zip(found.parts, found.shares(), strict=True):
        yield _hand(chunk, people, place, share)
    if found.broken:
        yield reject(chunk, found.last, found.end, cut_off)


def _hand(chunk: Chunk, people: People, place: tuple[int, int], share: tuple[int, int]) -> Item:
    """Read the hand at `place`; it answers for the bytes from and to `share`."""
    begin, stop = share[0], share[0] + len(chunk.data[share[0] : share[1]].rstrip(BLANK))
    try:
        told = in_unit(lambda exponent: tell(chunk.data, place, people, exponent))
    except UnreadableHandError as error:
        return reject(chunk, begin, stop, error)
    return told.account(chunk.start, begin, stop - begin)
