"""Every byte of a source is read, blank, rejected, or said to be none of these."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from ledger.account import Reject, TableAccount
from ledger.errors import NotAccountedError
from ledger.notation import Chunk

_BLANK_BYTES: Final = b" \t\r\n\0\x0b\x0c\x1a"
_BYTE_ORDER_MARKS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


@dataclass(slots=True)
class ByteCounts:
    """What became of the bytes of a source, as counts."""

    read: int = 0
    blank: int = 0
    rejected: int = 0
    not_read: int = 0

    def __add__(self, other: ByteCounts) -> ByteCounts:
        """Add two stretches."""
        return ByteCounts(
            self.read + other.read,
            self.blank + other.blank,
            self.rejected + other.rejected,
            self.not_read + other.not_read,
        )

    @property
    def total(self) -> int:
        """Every byte, each counted once."""
        return self.read + self.blank + self.rejected + self.not_read


class ByteClaim(Protocol):
    """Anything that claims bytes of a source: a hand, facts about a table, a reject."""

    start: int
    length: int


def count_bytes(chunk: Chunk, items: Iterable[ByteClaim]) -> ByteCounts:
    """Count what became of each byte of `chunk`, given what its reader made of it.

    Two hands, or a hand and a reject, that claim the same byte raise `NotAccountedError`, as does a
    claim outside the chunk. A fact about the table may lie within a hand.
    """
    counts = ByteCounts()
    data, offset = chunk.data, chunk.start
    end = 0
    hard_end = 0  # of the last hand or reject
    for start, length, item in sorted(((item.start - offset, item.length, item) for item in items), key=_claim_order):
        stop = start + length
        if start < 0 or stop > len(data) or length < 0:
            raise NotAccountedError(
                f"{chunk.name}: a reader claims bytes {item.start}-{item.start + length}, which it was not shown"
            )
        if not isinstance(item, TableAccount):
            if start < hard_end:
                raise NotAccountedError(f"{chunk.name}: two readings claim byte {item.start}")
            hard_end = stop
        if start > end:
            _count_gap(counts, data[end:start], chunk.encoding, at_start=offset + end == 0)
            end = start
        if stop > end:
            if isinstance(item, Reject):
                counts.rejected += stop - end
            else:
                counts.read += stop - end
            end = stop
    if end < len(data):
        _count_gap(counts, data[end:], chunk.encoding, at_start=offset + end == 0)
    return counts


def _claim_order(found: tuple[int, int, object]) -> tuple[int, int]:
    return found[0], found[1]


def _count_gap(counts: ByteCounts, gap: bytes, encoding: str, *, at_start: bool) -> None:
    rest = gap
    if at_start:
        for mark in _BYTE_ORDER_MARKS:
            rest = rest.removeprefix(mark)
    if not rest.translate(None, _BLANK_BYTES) or _is_space(rest, encoding):
        counts.blank += len(gap)
    else:
        counts.not_read += len(gap)


def _is_space(gap: bytes, encoding: str) -> bool:
    """Whether a gap is nothing but white space in the file's own encoding, no-break spaces too."""
    if encoding.startswith("utf-16") and len(gap) % 2:
        gap += b"\0"  # a file that was cut in the middle of a character
    try:
        text = gap.decode(encoding).replace("\ufeff", " ")  # a space of no width
        return text.replace("\0", " ").isspace()
    except UnicodeDecodeError:
        return False
