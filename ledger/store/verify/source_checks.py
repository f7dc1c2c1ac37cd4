"""Verifies that the originals are the bytes their digests name. Part of `ledger.store.verify`."""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator

from sqlalchemy import Connection

from ledger.store.commits import Problem
from ledger.store.database.raw_connection import there
from ledger.store.verify.log_claims import Said
from ledger.store.verify.people_checks import salts_of

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def check_sources(connection: Connection, said: Said) -> Iterator[Problem]:
    """Unpack every original and hash it again; where names were redacted, what is left of it."""
    black = _blackened(connection)
    salts = salts_of(connection)
    now = {event[1]: event[2] for event in said.told("SourceBlackened") if len(event) > 2}
    sources = connection.exec_driver_sql(
        "SELECT id, digest, length FROM sources WHERE digest IS NOT NULL AND length IS NOT NULL"
    ).all()
    for number, digest, length in sources:
        name = bytes(digest).hex()[:12]
        whole, end = hashlib.sha256(), 0
        starts = connection.exec_driver_sql(f"SELECT start FROM blocks WHERE source = {number:d} ORDER BY start").all()
        for (start,) in starts:
            blocks = connection.exec_driver_sql(
                f"SELECT length, data FROM blocks WHERE source = {number:d} AND start = {start:d}"
            ).all()
            if len(blocks) != 1:
                yield Problem(None, "source", f"source {name} has {len(blocks)} blocks that begin at byte {start}")
                break
            size, packed = blocks[0]
            if start != end:
                yield Problem(None, "source", f"source {name} lacks its bytes from {end} on")
            try:
                block = zstd.ZstdDecompressor().decompress(bytes(packed), max_length=size + 1)
            except (zstd.ZstdError, EOFError):
                block = b""
            whole.update(block)
            end = start + size
        kept = black.get(number, bytes(digest))
        if kept.hex() != now.get(bytes(digest).hex(), bytes(digest).hex()):
            yield Problem(None, "source", f"source {name} is not kept as the house says that it was redacted")
        salt = salts.get(bytes(digest).hex())
        if salt is not None and number in black:
            yield Problem(None, "salt", f"the salt of source {name} is kept, and names were redacted in it")
        if salt is not None and kept == bytes(digest):
            holds = _named(salt, whole.digest()) == kept
        else:
            holds = whole.digest() == kept
        if end != length or not holds:
            yield Problem(None, "source", f"the bytes of source {name} are not what was imported")


def _named(salt: bytes, digest: bytes) -> bytes:
    """Return by what a source of this SHA-256 is named; beside its salt the ledger keeps that again."""
    if salt[16:] != digest:
        return b""
    return hashlib.sha256(b"handledger/source/v1\0" + salt[:16] + digest).digest()


def _blackened(connection: Connection) -> dict[int, bytes]:
    """Return the digests of what is kept of redacted sources, by number."""
    if not there(connection, "blackened"):
        return {}
    rows = connection.exec_driver_sql("SELECT source, digest FROM blackened")
    return {number: bytes(digest) for number, digest in rows}
