"""Sources that may grow while they are watched: a file on disk, or what comes through a pipe."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final, Protocol, cast

from ledger.intake.files import IncomingSource, find_sources, origin_path

_BLOCK_BYTES: Final = 64 * 1024


class GrowingSource(Protocol):
    """A source that may grow."""

    name: str
    is_pipe: bool

    @property
    def origin(self) -> str:
        """The place where another edition of it would lie; "" = it has none."""

    def state(self) -> tuple[int, int] | None:
        """Return its size, and something that differs when it was written anew; None if it went away."""

    def read(self, start: int, end: int | None = None) -> bytes:
        """Return its bytes from one place to another, or to its end."""

    def open_sources(self) -> Iterator[IncomingSource]:
        """Yield what it holds as it is now, opened up if it is an archive."""


class GrowingFile:
    """A file."""

    is_pipe = False

    def __init__(self, path: str) -> None:
        """Take its path."""
        self.name = path

    @property
    def origin(self) -> str:
        """Where it lies."""
        return origin_path(self.name)

    def state(self) -> tuple[int, int] | None:
        """Return its size and the time of its last change."""
        try:
            file_status = Path(self.name).stat()
        except OSError:
            return None
        return file_status.st_size, file_status.st_mtime_ns

    def read(self, start: int, end: int | None = None) -> bytes:
        """Return its bytes; what cannot be read is none."""
        try:
            with Path(self.name).open("rb") as stream:
                stream.seek(start)
                return stream.read() if end is None else stream.read(max(0, end - start))
        except OSError:
            return b""

    def open_sources(self) -> Iterator[IncomingSource]:
        """Yield what it holds."""
        yield from find_sources([self.name])


class GrowingPipe:
    """What comes through a pipe, kept as long as it is watched."""

    is_pipe = True
    name = "-"
    origin = ""

    def __init__(self, stream: BinaryIO) -> None:
        """Take the stream, and read it as it comes."""
        self._file = stream.fileno()
        self._data = bytearray()
        self._lock = threading.Lock()
        self.end_event = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        try:
            while block := os.read(self._file, _BLOCK_BYTES):  # a buffer's lock would be held when the program ends
                with self._lock:
                    self._data += block
        except OSError:
            pass  # it was closed: that is its end
        finally:
            self.end_event.set()

    def state(self) -> tuple[int, int] | None:
        """Return how much has come."""
        return len(self._data), 0

    def read(self, start: int, end: int | None = None) -> bytes:
        """Return what has come."""
        with self._lock:
            return bytes(self._data[start:end])

    def open_sources(self) -> Iterator[IncomingSource]:
        """Yield what has come."""
        data = self.read(0)
        yield source_from_bytes(self, data, self.name)


def source_from_bytes(source: GrowingSource, data: bytes, name: str, *, is_part: bool = False) -> IncomingSource:
    """Return bytes of a source as they were taken from it."""
    opener = cast("partial[BinaryIO]", partial(io.BytesIO, data))
    return IncomingSource(name, opener, len(data), origin=source.origin, is_part=is_part)
