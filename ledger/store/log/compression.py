"""Stored events, compressed: zstd with a dictionary that is kept in the ledger itself.

A row's `codec` is 0 where its events stand as they are, as JSON text; any other number names the
dictionary with which they were compressed. Hashes are over the text, whichever way it is kept.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from typing import Final

from ledger.errors import IntegrityError
from ledger.store.database.database import Link

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PLAIN_CODEC: Final = 0
"""Codec of events that stand as they are."""

MAX_PACKED_BYTES: Final = 1 << 24
"""Bytes of one commit's events from which on they are not compressed: what reading must trust."""

_DICTIONARY: Final = 1 << 15  # bytes: twice as many gain 1 % of the text
_LEVEL: Final = 3
_MAX_SAMPLES: Final = 2000  # commits from which a dictionary is made at most
_MIN_SAMPLES: Final = 200  # fewer make a poor one, which would stay
PLAIN_FROM_COMMITS: Final = 2 * _MIN_SAMPLES
"""Commits from which on a ledger without a dictionary stays plain: somebody wanted it so, or an earlier version made it."""
_OPTIONS: Final[dict[int, int]] = {
    zstd.CompressionParameter.compression_level: _LEVEL,
    zstd.CompressionParameter.dict_id_flag: 0,  # the row's codec says it
}


class EventCompression:
    """The dictionaries of one ledger. Used while the log is held, or by one reader at a time."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Know nothing; dictionaries are looked up again."""
        self._dictionaries: dict[int, zstd.ZstdDict] = {}
        self._packer: tuple[int, zstd.ZstdCompressor] | None = None

    def prepare_packer(self, link: Link, fresh: list[bytes], stored: str) -> bool:
        """Return whether there is a dictionary to compress with, made now if there are samples.

        `fresh` is what is about to be stored, `stored` the SQL of a row's events as bytes.
        """
        if self._packer is not None:
            return True
        row = link.execute("SELECT id, data FROM dictionaries ORDER BY id DESC LIMIT 1").fetchone()
        if row is None:
            row = _train_dictionary(link, fresh, stored)
        if row is None:
            return False
        number, dictionary = row
        loaded_dictionary = self._dictionaries[number] = zstd.ZstdDict(bytes(dictionary))
        self._packer = (number, zstd.ZstdCompressor(options=_OPTIONS, zstd_dict=loaded_dictionary))
        return True

    def pack(self, data: bytes) -> tuple[int, bytes]:
        """Return codec and bytes for events, once this is ready."""
        assert self._packer is not None  # noqa: S101 - `ready` was asked
        if len(data) >= MAX_PACKED_BYTES:
            return PLAIN_CODEC, data
        number, packer = self._packer
        packed = packer.compress(data, packer.FLUSH_FRAME)
        return (number, packed) if len(packed) < len(data) else (PLAIN_CODEC, data)

    def unpack(self, link: Link, codec: int, packed: bytes) -> bytes:
        """Return the events of a row that is not plain."""
        loaded_dictionary = self._dictionaries.get(codec)
        if loaded_dictionary is None:
            row = link.execute("SELECT data FROM dictionaries WHERE id = ?", (codec,)).fetchone()
            if row is None:
                raise IntegrityError(f"the log names dictionary {codec}, which is not in the ledger")
            try:
                loaded_dictionary = self._dictionaries[codec] = zstd.ZstdDict(bytes(row[0]))
            except ValueError as error:
                raise IntegrityError(f"dictionary {codec} is damaged: {error}") from error
        try:
            size = zstd.get_frame_info(packed).decompressed_size
            if size is None or size >= MAX_PACKED_BYTES:
                raise IntegrityError("compressed events do not say how long they are")
            data = zstd.ZstdDecompressor(loaded_dictionary).decompress(packed, max_length=size + 1)
        except (zstd.ZstdError, EOFError) as error:
            raise IntegrityError(f"compressed events are damaged: {error}") from error
        if len(data) != size:
            raise IntegrityError("compressed events are damaged: they are of another length")
        return data


def _train_dictionary(link: Link, fresh: list[bytes], stored: str) -> tuple[int, bytes] | None:
    """Make the ledger's dictionary of what it holds and what comes; None if that is too little."""
    samples = fresh[:_MAX_SAMPLES]
    if len(samples) < _MAX_SAMPLES:
        rows = link.execute(
            f"SELECT {stored} FROM log WHERE codec = 0 ORDER BY position DESC LIMIT ?",  # noqa: S608 - a constant
            (_MAX_SAMPLES - len(samples),),
        ).fetchall()
        samples += [bytes(row[0]) for row in rows]
    if len(samples) < _MIN_SAMPLES:
        return None
    try:
        dictionary = zstd.train_dict(samples, _DICTIONARY).dict_content
    except zstd.ZstdError:  # samples of which nothing can be learnt
        return None
    link.execute(
        "INSERT INTO dictionaries (id, digest, data) VALUES (1, ?, ?)", (sha256(dictionary).digest(), dictionary)
    )
    return 1, dictionary
