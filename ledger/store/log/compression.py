"""Compress stored events: zstd with a dictionary stored in the ledger itself.

A row's `codec` is 0 if its events are plain JSON text; any other number is the id of their dictionary.
Hashes cover the text, whichever way it's stored.
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
"""Codec of plain events."""

MAX_PACKED_BYTES: Final = 1 << 24
"""Events of a commit with so many bytes or more stay plain: readers limit what they unpack to this."""

_DICTIONARY: Final = 1 << 15  # bytes: twice as many gain 1 % of the text
_LEVEL: Final = 3
_MAX_SAMPLES: Final = 2000  # commits for a dictionary, at most
_MIN_SAMPLES: Final = 200  # fewer make a poor dictionary, which would stay
PLAIN_FROM_COMMITS: Final = 2 * _MIN_SAMPLES
"""A ledger with so many commits and no dictionary stays plain: its owner wanted that, or an earlier version made it."""
_OPTIONS: Final[dict[int, int]] = {
    zstd.CompressionParameter.compression_level: _LEVEL,
    zstd.CompressionParameter.dict_id_flag: 0,  # the row's codec has it
}


class EventCompression:
    """The dictionaries of one ledger. Used while the log is locked, or by one reader at a time."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Clear the cache; dictionaries are looked up again."""
        self._dictionaries: dict[int, zstd.ZstdDict] = {}
        self._packer: tuple[int, zstd.ZstdCompressor] | None = None

    def prepare_packer(self, link: Link, fresh: list[bytes], stored: str) -> bool:
        """Return whether there is a dictionary to compress with; train one if there are enough samples.

        `fresh` holds events to be stored, `stored` is the SQL for a row's events as bytes.
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
        """Return codec and bytes for events, after `prepare_packer`."""
        assert self._packer is not None  # noqa: S101 - after `prepare_packer`
        if len(data) >= MAX_PACKED_BYTES:
            return PLAIN_CODEC, data
        number, packer = self._packer
        packed = packer.compress(data, packer.FLUSH_FRAME)
        return (number, packed) if len(packed) < len(data) else (PLAIN_CODEC, data)

    def unpack(self, link: Link, codec: int, packed: bytes) -> bytes:
        """Return the events of a compressed row."""
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
    """Train the ledger's dictionary on stored and new commits; None if there are too few."""
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
    except zstd.ZstdError:  # samples without anything to learn
        return None
    link.execute(
        "INSERT INTO dictionaries (id, digest, data) VALUES (1, ?, ?)", (sha256(dictionary).digest(), dictionary)
    )
    return 1, dictionary
