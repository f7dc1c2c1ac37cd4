"""The ids of very many streams in little memory: a command may be asked about a million hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

_LENGTH: Final = 16
_PARTS: Final = 4096
"""Ids are told apart by their first twelve bits before they are searched: they are digests."""


class Streams:
    """A set of the ids of streams. Of each its sixteen bytes are kept, and no object."""

    def __init__(self, streams: Iterable[bytes] = ()) -> None:
        """Take what is in it at first."""
        self._parts: list[bytearray | None] = [None] * _PARTS
        self._count = 0
        for stream in streams:
            self.add(stream)

    def add(self, stream: bytes) -> None:
        """Put an id in, unless it is there."""
        number = _part_number(stream)
        part = self._parts[number]
        if part is None:
            part = self._parts[number] = bytearray()
        if _find_offset(part, stream) < 0:
            part += stream
            self._count += 1

    def take(self, stream: bytes) -> bool:
        """Take an id out; return whether it was there."""
        part = self._parts[_part_number(stream)]
        offset = -1 if part is None else _find_offset(part, stream)
        if part is None or offset < 0:
            return False
        del part[offset : offset + _LENGTH]
        self._count -= 1
        return True

    def __len__(self) -> int:
        """Return how many there are."""
        return self._count

    def __iter__(self) -> Iterator[bytes]:
        """Yield the ids, in no order that means anything."""
        for part in filter(None, self._parts):
            for offset in range(0, len(part), _LENGTH):
                yield bytes(part[offset : offset + _LENGTH])


def _part_number(stream: bytes) -> int:
    return stream[0] << 4 | stream[1] >> 4


def _find_offset(part: bytearray, stream: bytes) -> int:
    """Return where an id begins among others; less than 0 where it is not."""
    offset = part.find(stream)
    while offset > 0 and offset % _LENGTH:
        offset = part.find(stream, offset + 1)
    return offset
