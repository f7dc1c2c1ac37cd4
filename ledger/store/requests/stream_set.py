"""A compact set of stream ids, for tables with millions of hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

ID_LENGTH: Final = 16
"""Bytes in the id of a stream."""
_PART_COUNT: Final = 4096
"""Parts of a `StreamSet`. The first 12 bits of an id choose its part. Ids are digests, so the parts fill evenly."""


def split_ids(joined_ids: bytes | bytearray) -> Iterator[bytes]:
    """Yield the ids that are joined in these bytes."""
    for offset in range(0, len(joined_ids), ID_LENGTH):
        yield bytes(joined_ids[offset : offset + ID_LENGTH])


class StreamSet:
    """A set of stream ids that takes 16 bytes per id, without a Python object for each."""

    def __init__(self, streams: Iterable[bytes] = ()) -> None:
        """Start with these ids."""
        self._parts: list[bytearray | None] = [None] * _PART_COUNT
        self._count = 0
        for stream in streams:
            self.add(stream)

    def add(self, stream: bytes) -> None:
        """Add an id, unless it is in the set."""
        part_index = _find_part_index(stream)
        part = self._parts[part_index]
        if part is None:
            part = self._parts[part_index] = bytearray()
        if _find_offset(part, stream) < 0:
            part += stream
            self._count += 1

    def take(self, stream: bytes) -> bool:
        """Remove an id; return whether it was in the set."""
        part = self._parts[_find_part_index(stream)]
        offset = -1 if part is None else _find_offset(part, stream)
        if part is None or offset < 0:
            return False
        del part[offset : offset + ID_LENGTH]
        self._count -= 1
        return True

    def discard(self, stream: bytes) -> None:
        """Remove an id if it is in the set."""
        self.take(stream)

    def __len__(self) -> int:
        """Return the number of ids."""
        return self._count

    def __iter__(self) -> Iterator[bytes]:
        """Yield the ids in no particular order."""
        for part in filter(None, self._parts):
            yield from split_ids(part)


def _find_part_index(stream: bytes) -> int:
    """Return the first 12 bits of an id."""
    return stream[0] << 4 | stream[1] >> 4


def _find_offset(part: bytearray, stream: bytes) -> int:
    """Return the offset of an id in a part, or a negative number if it isn't there."""
    offset = part.find(stream)
    while offset > 0 and offset % ID_LENGTH:  # a match across two ids is none
        offset = part.find(stream, offset + 1)
    return offset
