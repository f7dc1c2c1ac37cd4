"""Verifies that the originals are the bytes their digests name. Part of `ledger.store.verify`."""

# ruff: noqa: S608 - statements are made of constants, numbers and question marks

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator

from sqlalchemy import Connection, inspect

from ledger.store.commits import Problem
from ledger.store.verify_texts import Texts

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def check_sources(connection: Connection) -> Iterator[Problem]:
    """Unpack every original and hash it again; where names were blackened, what is left of it."""
    black, said = _blackened(connection)
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
        kept = black.get(number, bytes(digest))
        if kept != bytes(digest) and (bytes(digest).hex(), kept.hex()) not in said:
            yield Problem(
                None, "source", f"source {name} was blackened, and the house does not say so"
            )
        if end != length or whole.digest() != kept:
            yield Problem(None, "source", f"the bytes of source {name} are not what was imported")


def _blackened(connection: Connection) -> tuple[dict[int, bytes], set[tuple[str, str]]]:
    """Return what is kept of blackened sources, by number, and what the house's stream says of them."""
    if not inspect(connection).has_table("blackened"):
        return {}, set()
    rows = connection.exec_driver_sql("SELECT source, digest FROM blackened").all()
    if not rows:
        return {}, set()
    text = "CAST(l.data AS BLOB)" if connection.dialect.name == "sqlite" else "l.data"
    texts, said = Texts(connection), set()
    for codec, data in connection.exec_driver_sql(
        f"SELECT l.codec, {text} FROM log AS l WHERE l.kind = 4"
    ):
        try:
            events = json.loads(texts.plain(codec, data) or "[]")
        except ValueError:
            continue  # the log's own check says so
        said |= {
            (e[1], e[2])
            for e in events
            if isinstance(e, list) and len(e) > 2 and e[0] == "SourceBlackened"
        }
    return {number: bytes(digest) for number, digest in rows}, said
