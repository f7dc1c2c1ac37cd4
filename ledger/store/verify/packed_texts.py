"""Unpack the text of compressed rows without the store's own code. Part of `ledger.store.verify`."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator

from sqlalchemy import Connection

from ledger.store.commits import IntegrityProblem

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_MAX_TEXT_BYTES = 1 << 24


class PackedTexts:
    """The dictionaries of a ledger, read once."""

    def __init__(self, connection: Connection) -> None:
        self._stored: dict[int, tuple[bytes, bytes]] = {}
        self._usable: dict[int, zstd.ZstdDict] = {}
        rows = connection.exec_driver_sql("SELECT id, digest, data FROM dictionaries")
        for number, digest, data in rows:
            self._stored[number] = (bytes(digest), bytes(data))
            try:
                self._usable[number] = zstd.ZstdDict(bytes(data))
            except ValueError:
                continue  # `find_problems` reports it

    def find_problems(self) -> Iterator[IntegrityProblem]:
        """Yield the problems of the dictionaries themselves."""
        for number, (digest, data) in self._stored.items():
            if hashlib.sha256(data).digest() != digest or number not in self._usable:
                yield IntegrityProblem(None, "dictionary", f"dictionary {number} is not what was stored")

    def unpack(self, codec: int, data: str | bytes) -> str | bytes | None:
        """Return a row's events as text, None if they can't be unpacked."""
        if codec == 0:
            return data
        dictionary = self._usable.get(codec)
        if dictionary is None or isinstance(data, str):
            return None
        try:
            opener = zstd.ZstdDecompressor(dictionary)
            text = opener.decompress(bytes(data), max_length=_MAX_TEXT_BYTES)
        except (zstd.ZstdError, EOFError, TypeError):
            return None
        return text if opener.eof and not opener.unused_data else None


def check_dictionaries(connection: Connection) -> Iterator[IntegrityProblem]:
    """Hash each dictionary again."""
    return PackedTexts(connection).find_problems()
