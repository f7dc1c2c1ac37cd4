"""Sources in UTF-16 for readers of UTF-8: they are read as UTF-8, and every place is put back.

A reader of JSON finds places in the bytes that its decoder takes, and no decoder takes UTF-16.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, TypeAlias

from ledger.account import Amendment, Reject
from ledger.notation import Chunk, Item
from ledger.people import People

Read: TypeAlias = Callable[[Chunk, People], Iterator[Item]]

_STEP: Final = 512
"""Characters between two remembered offsets."""

_KEEP: Final = "surrogatepass"
"""Half a pair stays what it is: the reader sees it and says so."""


def narrowed(read: Read) -> Read:
    """Return a reader of UTF-8 that reads UTF-16, too, with the places of the bytes as they stand."""

    def reader(chunk: Chunk, people: People) -> Iterator[Item]:
        if not chunk.encoding.startswith("utf-16"):
            yield from read(chunk, people)
            return
        even = len(chunk.data) & ~1
        wide = Wide(chunk.data[:even].decode(chunk.encoding, _KEEP), chunk.start)
        for item in read(replace(chunk, data=wide.data, start=0, encoding="utf-8"), people):
            yield wide.placed(item)
        if even < len(chunk.data) and chunk.data[even:].strip(b" \t\r\n\0"):
            line = chunk.line + wide.data.count(b"\n")
            yield Reject(chunk.start + even, 1, line, "damaged", "half a character ends the file")

    return reader


class Wide:
    """A text of which offsets in UTF-8 are known, and those in UTF-16 are wanted."""

    def __init__(self, text: str, start: int = 0) -> None:
        """Take the text, and at which byte of its source it begins."""
        self.data = text.encode("utf-8", _KEEP)
        self._start = start
        self._narrow, self._wide = [0], [0]
        self._ascii = text.isascii()
        for at in range(0, 0 if self._ascii else len(text), _STEP):
            part = text[at : at + _STEP]
            self._narrow.append(self._narrow[-1] + len(part.encode("utf-8", _KEEP)))
            self._wide.append(self._wide[-1] + len(part.encode("utf-16-le", _KEEP)))

    def offset(self, narrow: int) -> int:
        """Return which byte of UTF-16 a byte of UTF-8 is, both counted from the text's beginning.

        A byte within a character is where that character begins.
        """
        if self._ascii:
            return 2 * narrow
        while 0 < narrow < len(self.data) and self.data[narrow] & 0xC0 == 0x80:
            narrow -= 1
        near = bisect_right(self._narrow, narrow) - 1
        part = self.data[self._narrow[near] : narrow].decode("utf-8", _KEEP)
        return self._wide[near] + len(part.encode("utf-16-le", _KEEP))

    def placed(self, item: Item) -> Item:
        """Return an item with the places that it has in UTF-16."""
        first = self.offset(item.start)
        length = self.offset(item.start + item.length) - first
        if isinstance(item, Reject | Amendment):
            return replace(item, start=self._start + first, length=length)
        places: list[int] = []
        for start, count in zip(item.places[::2], item.places[1::2], strict=True):
            at = self.offset(item.start + start) if count else first
            places += (at - first, self.offset(item.start + start + count) - at if count else 0)
        return replace(item, start=self._start + first, length=length, places=places)
