"""Verifies that the originals are the bytes their digests name. Part of `ledger.store.verify`."""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator

from sqlalchemy import Connection

from ledger.store.commits import Problem

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def check_sources(connection: Connection) -> Iterator[Problem]:
    """Unpack every original and hash it again."""
    sources = connection.exec_driver_sql(
        "SELECT id, digest, length FROM sources WHERE digest IS NOT NULL AND length IS NOT NULL"
    ).all()
    for number, digest, length in sources:
        name = bytes(digest).hex()[:12]
        whole, end = hashlib.sha256(), 0
        starts = connection.exec_driver_sql(
            f"SELECT start FROM blocks WHERE source = {number:d} ORDER BY start"
        ).all()
        for (start,) in starts:
            size, packed = connection.exec_driver_sql(
                f"SELECT length, data FROM blocks WHERE source = {number:d} AND start = {start:d}"
            ).one()
            if start != end:
                yield Problem(None, "source", f"source {name} lacks its bytes from {end} on")
            try:
                block = zstd.ZstdDecompressor().decompress(bytes(packed), max_length=size + 1)
            except (zstd.ZstdError, EOFError):
                block = b""
            whole.update(block)
            end = start + size
        if end != length or whole.digest() != bytes(digest):
            yield Problem(None, "source", f"the bytes of source {name} are not what was imported")
