"""The ids of streams: deterministic, so that importing again is a no-op, and ordered by time."""

from __future__ import annotations

from hashlib import sha256
from typing import Final
from uuid import UUID

from ledger.vocabulary import Millis


def hand_stream(venue: str, table: str, number: str, started: Millis | None, content: bytes) -> UUID:
    """Return the stream of one account of a hand.

    `content` is the SHA-256 of the account's events as stored: the same hand told in the same words
    is the same stream, told otherwise it is another account.
    """
    return _stream(started or 0, "hand", venue, table, number, content.hex())


def table_stream(venue: str, tournament: str, table: str) -> UUID:
    """Return the stream of a table."""
    return _stream(0, "table", venue, tournament, table)


def case_stream(number: str) -> UUID:
    """Return the stream of a case."""
    return _stream(0, "case", number)


_VERSION_8 = 8 << 76 | 2 << 62
_FREE = ~(0xF << 76 | 0x3 << 62)

HOUSE = UUID("00000000-0000-8000-8000-000000000001")
"""The stream of the house: one in each ledger."""


def _stream(moment: Millis, *names: str) -> UUID:
    """48 bits of time, then 74 bits of hash, laid out as a version 8 UUID (RFC 9562)."""
    digest = sha256("\0".join(names).encode("utf-8", "surrogatepass")).digest()
    bits = int.from_bytes((moment & 0xFFFF_FFFF_FFFF).to_bytes(6) + digest[:10])
    return UUID(int=bits & _FREE | _VERSION_8)


_NAMED_BY_FILE: Final = frozenset({"PokerNow"})
"""Rooms of which a table is called as its file: whether two files tell of one table, only their hands say."""


def shard_of(venue: str, tournament: str, table: str, shards: int) -> int:
    """Return which of so many shards a table stands in where files go straight into them, from 0 on."""
    table_parts = (venue,) if venue in _NAMED_BY_FILE else (venue, tournament, table)
    shard_key = "\0".join(table_parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(sha256(b"handledger/shard/v1\0" + shard_key).digest()[:8], "big") % shards
