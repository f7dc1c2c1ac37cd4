"""Account for every byte of a source: read, blank, rejected, or not read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from ledger.account import Reject, TableAccount
from ledger.intake import import_errors
from ledger.notation import Chunk

_BLANK_BYTES: Final = b" \t\r\n\0\x0b\x0c\x1a"
_BYTE_ORDER_MARKS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


@dataclass(slots=True)
class ByteCounts:
    """Counts of the bytes of a source by what happened to them."""

    read: int = 0
    blank: int = 0
    rejected: int = 0
    not_read: int = 0

    def __add__(self, stretch_counts: ByteCounts) -> ByteCounts:
        """Add the counts of two stretches."""
        return ByteCounts(
            self.read + stretch_counts.read,
            self.blank + stretch_counts.blank,
            self.rejected + stretch_counts.rejected,
            self.not_read + stretch_counts.not_read,
        )

    @property
    def total(self) -> int:
        """All bytes, each counted once."""
        return self.read + self.blank + self.rejected + self.not_read


class ByteClaim(Protocol):
    """Anything that claims bytes of a source: a hand, facts about a table, a reject."""

    start: int
    length: int


def count_bytes(chunk: Chunk, claims: Iterable[ByteClaim]) -> ByteCounts:
    """Count the bytes of `chunk` by its reader's claims.

    Two hands, or a hand and a reject, that claim the same byte raise `NotAccountedError`, as does a claim outside the
    chunk. A fact about the table may be inside a hand.
    """
    counts = ByteCounts()
    chunk_bytes, chunk_start = chunk.data, chunk.start
    claimed_end = 0
    exclusive_end = 0  # of the last hand or reject
    for claim_start, claim_length, claim in sorted(
        ((claim.start - chunk_start, claim.length, claim) for claim in claims), key=_claim_order
    ):
        claim_end = claim_start + claim_length
        if claim_start < 0 or claim_end > len(chunk_bytes) or claim_length < 0:
            raise import_errors.foreign_bytes(chunk.name, claim.start, claim.start + claim_length)
        if not isinstance(claim, TableAccount):
            if claim_start < exclusive_end:
                raise import_errors.bytes_read_twice(chunk.name, claim.start)
            exclusive_end = claim_end
        if claim_start > claimed_end:
            _count_gap(
                counts, chunk_bytes[claimed_end:claim_start], chunk.encoding, is_at_start=chunk_start + claimed_end == 0
            )
            claimed_end = claim_start
        if claim_end > claimed_end:
            if isinstance(claim, Reject):
                counts.rejected += claim_end - claimed_end
            else:
                counts.read += claim_end - claimed_end
            claimed_end = claim_end
    if claimed_end < len(chunk_bytes):
        _count_gap(counts, chunk_bytes[claimed_end:], chunk.encoding, is_at_start=chunk_start + claimed_end == 0)
    return counts


def _claim_order(sortable_claim: tuple[int, int, object]) -> tuple[int, int]:
    return sortable_claim[0], sortable_claim[1]


def _count_gap(counts: ByteCounts, gap_bytes: bytes, encoding: str, *, is_at_start: bool) -> None:
    gap_content = gap_bytes
    if is_at_start:
        for byte_order_mark in _BYTE_ORDER_MARKS:
            gap_content = gap_content.removeprefix(byte_order_mark)
    if not gap_content.translate(None, _BLANK_BYTES) or _is_space(gap_content, encoding):
        counts.blank += len(gap_bytes)
    else:
        counts.not_read += len(gap_bytes)


def _is_space(gap_bytes: bytes, encoding: str) -> bool:
    """Whether a gap is only white space in the file's encoding, including no-break spaces."""
    if encoding.startswith("utf-16") and len(gap_bytes) % 2:
        gap_bytes += b"\0"  # the file ends in the middle of a character
    try:
        gap_text = gap_bytes.decode(encoding).replace("\ufeff", " ")  # a space of no width
        return gap_text.replace("\0", " ").isspace()
    except UnicodeDecodeError:
        return False
