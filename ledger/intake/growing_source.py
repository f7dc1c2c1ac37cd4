"""Sources that may grow while they are watched: a file on disk or a pipe."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final, Protocol, cast

from ledger.intake.files import IncomingSource, find_origin_path, find_sources

_BLOCK_BYTES: Final = 64 * 1024


class GrowingSource(Protocol):
    """A source that may grow."""

    name: str
    is_pipe: bool

    @property
    def origin(self) -> str:
        """Its path on disk, where another edition would be; "" = none."""

    def state(self) -> tuple[int, int] | None:
        """Return its size, and a number that changes with its content; None if it was removed."""

    def read(self, start: int, end: int | None = None) -> bytes:
        """Return its bytes from `start` to `end`, or to its end."""

    def open_sources(self) -> Iterator[IncomingSource]:
        """Yield its present content, opened if it is an archive."""


class GrowingFile:
    """A file."""

    is_pipe = False

    def __init__(self, path: str) -> None:
        """Take its path."""
        self.name = path

    @property
    def origin(self) -> str:
        """Its path."""
        return find_origin_path(self.name)

    def state(self) -> tuple[int, int] | None:
        """Return its size and the time of its last change."""
        try:
            file_status = Path(self.name).stat()
        except OSError:
            return None
        return file_status.st_size, file_status.st_mtime_ns

    def read(self, start: int, end: int | None = None) -> bytes:
        """Return its bytes, or b"" if it can't be read."""
        try:
            with Path(self.name).open("rb") as stream:
                stream.seek(start)
                return stream.read() if end is None else stream.read(max(0, end - start))
        except OSError:
            return b""

    def open_sources(self) -> Iterator[IncomingSource]:
        """Yield its present content."""
        yield from find_sources([self.name])


class GrowingPipe:
    """The content of a pipe, kept in memory while it is watched."""

    is_pipe = True
    name = "-"
    origin = ""

    def __init__(self, stream: BinaryIO) -> None:
        """Take the stream, and start to read it."""
        self._file = stream.fileno()
        self._data = bytearray()
        self._lock = threading.Lock()
        self.end_event = threading.Event()
        threading.Thread(target=self._collect_blocks, daemon=True).start()

    def _collect_blocks(self) -> None:
        try:
            while block := os.read(
                self._file, _BLOCK_BYTES
            ):  # a buffered read would hold its lock when the program ends
                with self._lock:
                    self._data += block
        except OSError:
            pass  # it was closed
        finally:
            self.end_event.set()

    def state(self) -> tuple[int, int] | None:
        """Return the number of bytes so far."""
        return len(self._data), 0

    def read(self, start: int, end: int | None = None) -> bytes:
        """Return the bytes so far."""
        with self._lock:
            return bytes(self._data[start:end])

    def open_sources(self) -> Iterator[IncomingSource]:
        """Yield the bytes so far as a source."""
        data = self.read(0)
        yield build_source(self, data, self.name)


def build_source(source: GrowingSource, data: bytes, name: str, *, is_part: bool = False) -> IncomingSource:
    """Return a source with these bytes."""
    opener = cast("partial[BinaryIO]", partial(io.BytesIO, data))
    return IncomingSource(name, opener, len(data), origin=source.origin, is_part=is_part)
