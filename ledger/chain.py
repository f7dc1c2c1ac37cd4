"""Hash links of the log: pure functions, no storage.

Each commit is bound to everything before it. All numbers are big-endian.

`encode_entry` lays out a commit like this:

| part | bytes |
|---|---|
| position of its last event | 8 |
| number of events | 4 |
| kind of stream (`KIND_CODES`) | 1 |
| version of its first event | 8 |
| when recorded, milliseconds since 1970, signed | 8 |
| has a source (0 or 1) | 1 |
| place in the source: start, length (0, 0 without) | 8, 8 |
| length of stream id, clock, writer, key, marks | 2, 2, 2, 2, 4 |
| source digest (SHA-256; nothing without a source) | 32 or 0 |
| stream id, clock, writer, key (UTF-8), marks | as given above |
| events exactly as stored | all that follows |

`hash_leaf` = SHA-256(0x00 ‖ entry), which is also a leaf of the log's Merkle tree (RFC 6962).
`compute_link` = SHA-256(0x02 ‖ previous link ‖ leaf); the link before the first is 32 zero bytes.
"""

from __future__ import annotations

from hashlib import sha256
from struct import Struct
from typing import Final

START: Final = bytes(32)
"""The link before the first commit."""

KIND_CODES: Final = {"opaque": 0, "hand": 1, "table": 2, "case": 3, "house": 4}
"""Codes of the kinds of stream, as stored and hashed. A code never changes its meaning.

`opaque` streams hold events of other programs (`ledger.store.eventsourced.recorders`).
"""

_HEAD: Final = Struct(">QIBQqBQQHHHHI")
_LEAF_HEAD: Final = Struct(">xQIBQqBQQHHHHI")
"""`_HEAD` after the 0x00 byte of a leaf."""


def encode_entry(
    position: int,
    count: int,
    kind: int,
    stream: bytes,
    version: int,
    moment_millis: int,
    clock: bytes,
    author: bytes,
    key: bytes,
    source: bytes,
    start: int,
    length: int,
    marks: bytes,
    data: bytes,
) -> bytes:
    """Return the bytes of a commit that are hashed. `source` is its digest, or empty."""
    head = _HEAD.pack(
        position,
        count,
        kind,
        version,
        moment_millis,
        1 if source else 0,
        start,
        length,
        len(stream),
        len(clock),
        len(author),
        len(key),
        len(marks),
    )
    return b"".join((head, source, stream, clock, author, key, marks, data))


def chain_commit(
    previous_link: bytes,
    position: int,
    count: int,
    kind: int,
    stream: bytes,
    version: int,
    moment_millis: int,
    clock: bytes,
    author: bytes,
    key: bytes,
    source: bytes,
    start: int,
    length: int,
    marks: bytes,
    data: bytes,
) -> bytes:
    """Return `compute_link(previous_link, hash_leaf(encode_entry(...)))` in one step, for speed."""
    head = _LEAF_HEAD.pack(
        position,
        count,
        kind,
        version,
        moment_millis,
        1 if source else 0,
        start,
        length,
        len(stream),
        len(clock),
        len(author),
        len(key),
        len(marks),
    )
    leaf_hash = sha256(b"".join((head, source, stream, clock, author, key, marks, data))).digest()
    return sha256(b"".join((b"\2", previous_link, leaf_hash))).digest()


def hash_leaf(entry: bytes) -> bytes:
    """Return the Merkle leaf of a commit."""
    return sha256(b"\0" + entry).digest()


def compute_link(previous_link: bytes, leaf: bytes) -> bytes:
    """Return the hash that binds a commit to all commits before it."""
    return sha256(b"\2" + previous_link + leaf).digest()
