"""Compute the ids of streams: deterministic, so that a second import adds nothing, and sorted by time."""

from __future__ import annotations

from hashlib import sha256
from typing import Final
from uuid import UUID

from ledger.vocabulary import Millis


def hand_stream(venue: str, table: str, number: str, started: Millis | None, content: bytes) -> UUID:
    """Return the id of the stream of one account of a hand.

    `content` is the SHA-256 of the account's events as stored. The same events give the same stream; other events are
    another account.
    """
    return _build_stream_id(started or 0, "hand", venue, table, number, content.hex())


def table_stream(venue: str, tournament: str, table: str) -> UUID:
    """Return the id of a table's stream."""
    return _build_stream_id(0, "table", venue, tournament, table)


def case_stream(number: str) -> UUID:
    """Return the id of a case's stream."""
    return _build_stream_id(0, "case", number)


_VERSION_8 = 8 << 76 | 2 << 62
_FREE = ~(0xF << 76 | 0x3 << 62)

HOUSE = UUID("00000000-0000-8000-8000-000000000001")
"""The id of the house's stream. Each ledger has one."""


def _build_stream_id(moment: Millis, *names: str) -> UUID:
    """Build a version 8 UUID (RFC 9562) from 48 bits of time and 74 bits of hash."""
    digest = sha256("\0".join(names).encode("utf-8", "surrogatepass")).digest()
    bits = int.from_bytes((moment & 0xFFFF_FFFF_FFFF).to_bytes(6) + digest[:10])
    return UUID(int=bits & _FREE | _VERSION_8)


_NAMED_BY_FILE: Final = frozenset({"PokerNow"})
"""Rooms whose tables are named after the file. Only the hands show whether two files are of one table."""


def find_shard(venue: str, tournament: str, table: str, shards: int) -> int:
    """Return the shard of a table, from 0, for an import straight into shards."""
    table_parts = (venue,) if venue in _NAMED_BY_FILE else (venue, tournament, table)
    shard_key = "\0".join(table_parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(sha256(b"handledger/shard/v1\0" + shard_key).digest()[:8], "big") % shards
