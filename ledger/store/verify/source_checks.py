"""Verify that the bytes of sources match their digests. Part of `ledger.store.verify`."""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator

from sqlalchemy import Connection

from ledger.store.commits import IntegrityProblem
from ledger.store.database.raw_connection import has_table
from ledger.store.verify.log_claims import LogClaims
from ledger.store.verify.people_checks import read_salts

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def check_sources(connection: Connection, claims: LogClaims) -> Iterator[IntegrityProblem]:
    """Unpack and hash every source again; where names were redacted, its redacted bytes."""
    blackened_digests = _read_blackened(connection)
    salts = read_salts(connection)
    redacted_digests = {event[1]: event[2] for event in claims.house_events("SourceBlackened") if len(event) > 2}
    sources = connection.exec_driver_sql(
        "SELECT id, digest, length FROM sources WHERE digest IS NOT NULL AND length IS NOT NULL"
    ).all()
    for number, digest, length in sources:
        short_digest = bytes(digest).hex()[:12]
        source_hash, source_end = hashlib.sha256(), 0
        starts = connection.exec_driver_sql(f"SELECT start FROM blocks WHERE source = {number:d} ORDER BY start").all()
        for (start,) in starts:
            blocks = connection.exec_driver_sql(
                f"SELECT length, data FROM blocks WHERE source = {number:d} AND start = {start:d}"
            ).all()
            if len(blocks) != 1:
                yield IntegrityProblem(
                    None, "source", f"source {short_digest} has {len(blocks)} blocks that begin at byte {start}"
                )
                break
            block_length, packed = blocks[0]
            if start != source_end:
                yield IntegrityProblem(None, "source", f"source {short_digest} lacks its bytes from {source_end} on")
            try:
                block = zstd.ZstdDecompressor().decompress(bytes(packed), max_length=block_length + 1)
            except (zstd.ZstdError, EOFError):
                block = b""
            source_hash.update(block)
            source_end = start + block_length
        kept_digest = blackened_digests.get(number, bytes(digest))
        if kept_digest.hex() != redacted_digests.get(bytes(digest).hex(), bytes(digest).hex()):
            yield IntegrityProblem(
                None, "source", f"source {short_digest} is not kept as the house says that it was redacted"
            )
        salt = salts.get(bytes(digest).hex())
        if salt is not None and number in blackened_digests:
            yield IntegrityProblem(
                None, "salt", f"the salt of source {short_digest} is kept, and names were redacted in it"
            )
        if salt is not None and kept_digest == bytes(digest):
            is_intact = _compute_salted_digest(salt, source_hash.digest()) == kept_digest
        else:
            is_intact = source_hash.digest() == kept_digest
        if source_end != length or not is_intact:
            yield IntegrityProblem(None, "source", f"the bytes of source {short_digest} are not what was imported")


def _compute_salted_digest(salt: bytes, digest: bytes) -> bytes:
    """Return the name of a source of this SHA-256; the ledger stores the SHA-256 after the salt."""
    if salt[16:] != digest:
        return b""
    return hashlib.sha256(b"handledger/source/v1\0" + salt[:16] + digest).digest()


def _read_blackened(connection: Connection) -> dict[int, bytes]:
    """Return the digests of the redacted bytes of sources, by number."""
    if not has_table(connection, "blackened"):
        return {}
    rows = connection.exec_driver_sql("SELECT source, digest FROM blackened")
    return {number: bytes(digest) for number, digest in rows}
