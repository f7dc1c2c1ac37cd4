"""A guesser: somebody with bytes, a list of names, and no key. What can be confirmed?

Whatever stands in the bytes is tried as a key or salt: every run of 16 and of 32 bytes, as it stands
and written in hex. What a guess makes with it is looked for in the bytes again.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import blake2b, sha256
from pathlib import Path

_BEGINNING = 6
_HEX = re.compile(rb"[0-9a-f]{32,}")


class Guesser:
    """Knows the bytes of some files, and nothing else."""

    def __init__(self, *found: bytes) -> None:
        self.seen = b"\0".join(found)
        self.keys = {key for data in (self.seen, *self._unhexed()) for key in _windows(data)}

    @classmethod
    def of_folders(cls, places: Iterable[Path]) -> Guesser:
        """Of the bytes of all files of these folders."""
        files = [f for place in places for f in (place.rglob("*") if place.is_dir() else [place])]
        return cls(*dict.fromkeys(file.read_bytes() for file in files if file.is_file()))

    def contains(self, data: bytes) -> bool:
        """Whether bytes stand among those that are known: by their beginning first, as nearly all do not."""
        return data[:_BEGINNING] in self._beginnings and data in self.seen

    @cached_property
    def _beginnings(self) -> frozenset[bytes]:
        return frozenset(self.seen[index : index + _BEGINNING] for index in range(len(self.seen)))

    def _unhexed(self) -> Iterator[bytes]:
        for run in _HEX.findall(self.seen):
            yield bytes.fromhex(run[: len(run) // 2 * 2].decode())

    def confirms(self, venue: str, name: str) -> bool:
        """Whether an id in these bytes can be told to be that of a name."""
        return self._is_derived(b"player", f"{venue}\0{name}")

    def confirms_text(self, words: str) -> bool:
        """Whether a reference in these bytes can be told to be that of a text."""
        return self._is_derived(b"text", words)

    def confirms_source(self, data: bytes) -> bool:
        """Whether a source that is named in these bytes can be told to be this one."""
        digest = sha256(data).digest()
        digests = {
            digest,
            *(sha256(b"handledger/source/v1\0" + key + digest).digest() for key in self.keys if len(key) == 16),
        }
        return any(self.contains(candidate) or self.contains(candidate.hex().encode()) for candidate in digests)

    def _is_derived(self, kind: bytes, value: str) -> bool:
        raw = value.encode()
        for key in self.keys:
            pseudonym = urlsafe_b64encode(blake2b(raw, key=key, person=kind, digest_size=12).digest())
            if self.contains(pseudonym):
                return True
        return False


def _windows(data: bytes) -> Iterator[bytes]:
    """Every run of 16 and of 32 bytes that could be a key: none that holds the same byte four times on end."""
    for part in re.split(rb"\0{4,}", data):  # most of a ledger's file is empty
        for size in (16, 32):
            for index in range(len(part) - size + 1):
                run = part[index : index + size]
                if len(set(run)) > size // 2:
                    yield run
