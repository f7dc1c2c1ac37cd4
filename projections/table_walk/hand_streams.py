"""A compact set of stream ids: a command may ask about a million hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

_ID_LENGTH: Final = 16
_PART_COUNT: Final = 4096
"""Parts of the set. The first twelve bits of an id choose its part; ids are digests, so the parts fill evenly."""


class StreamSet:
    """A set of stream ids. It keeps sixteen bytes for each and no object."""

    def __init__(self, streams: Iterable[bytes] = ()) -> None:
        """Start with these ids."""
        self._parts: list[bytearray | None] = [None] * _PART_COUNT
        self._count = 0
        for stream in streams:
            self.add(stream)

    def add(self, stream: bytes) -> None:
        """Add an id, unless the set has it."""
        number = _part_number(stream)
        part = self._parts[number]
        if part is None:
            part = self._parts[number] = bytearray()
        if _find_offset(part, stream) < 0:
            part += stream
            self._count += 1

    def take(self, stream: bytes) -> bool:
        """Remove an id; return whether the set had it."""
        part = self._parts[_part_number(stream)]
        offset = -1 if part is None else _find_offset(part, stream)
        if part is None or offset < 0:
            return False
        del part[offset : offset + _ID_LENGTH]
        self._count -= 1
        return True

    def __len__(self) -> int:
        """Return the number of ids."""
        return self._count

    def __iter__(self) -> Iterator[bytes]:
        """Yield the ids in no particular order."""
        for part in filter(None, self._parts):
            for offset in range(0, len(part), _ID_LENGTH):
                yield bytes(part[offset : offset + _ID_LENGTH])


def _part_number(stream: bytes) -> int:
    return stream[0] << 4 | stream[1] >> 4


def _find_offset(part: bytearray, stream: bytes) -> int:
    """Return the offset of an id in a part, or a negative number if it isn't there."""
    offset = part.find(stream)
    while offset > 0 and offset % _ID_LENGTH:
        offset = part.find(stream, offset + 1)
    return offset
