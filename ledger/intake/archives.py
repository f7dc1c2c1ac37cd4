"""Open compressed sources within limits. No name from an archive ever becomes a path."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from ledger.errors import ArchiveError, HandledgerError
from ledger.intake import import_errors

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAX_MEMBERS: Final = 20_000
MAX_DIRECTORY_BYTES: Final = 16 * 1024 * 1024  # bytes of a zip's list of members
MAX_TOTAL_BYTES: Final = 16 * 1024**3  # bytes out of one archive
MAX_RATIO: Final = 100  # unpacked bytes per packed byte; hand histories have 5 to 40
MIN_RATIO_BYTES: Final = 8 * 1024 * 1024  # the ratio isn't checked for fewer unpacked bytes
MAX_WINDOW_LOG: Final = 26  # zstd: 64 MB of memory
SPOOL_BYTES: Final = 8 * 1024 * 1024  # bytes of a stream kept in memory before a nameless file is used

_ZSTD: Final = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
"""Imported for the first .zst source."""

_DAMAGE_TYPES: Final = (
    zipfile.BadZipFile,
    zlib.error,
    gzip.BadGzipFile,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    struct.error,
)


@dataclass(slots=True)
class Member:
    """One file in a zip."""

    name: str  # hostile
    size: int
    open: Callable[[], BinaryIO]
    problem: HandledgerError | None = None


def detect_archive_kind(head: bytes) -> str:
    """Return "zip", "gz", "zst" or "" for the first four bytes of a source."""
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if head.startswith(b"\x1f\x8b"):
        return "gz"
    return "zst" if head.startswith(b"\x28\xb5\x2f\xfd") else ""


def convert_damage_error(name: str, error: Exception) -> HandledgerError:
    """Convert an error of an unpacker into an error of ours."""
    if isinstance(error, HandledgerError):
        return error
    return import_errors.damaged_archive(name, str(error))


class BoundedReader(io.RawIOBase):
    """The content of a compressed stream. Reading fails if it exceeds the limits."""

    def __init__(self, inner: BinaryIO, name: str, compressed_size: int, raw_stream: BinaryIO | None = None) -> None:
        """Take the unpacking stream, the packed size, and the packed stream."""
        self._inner = inner
        self._raw = raw_stream
        self._name = name
        self._compressed_size = max(compressed_size, 1)
        self._bytes_out = 0

    def readable(self) -> bool:
        """Return True, as readers do."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read into `buffer`. Damage and excess raise `ArchiveError`."""
        try:
            data = self._inner.read(len(room := memoryview(buffer)))
        except ArchiveError:
            raise
        except _list_damage_types() as error:
            raise convert_damage_error(self._name, error) from None
        self._bytes_out += len(data)
        _check_bounds(self._name, self._bytes_out, self._compressed_size)
        room[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the stream and the one below."""
        if not self.closed:
            self._inner.close()
            if self._raw:
                self._raw.close()
            super().close()


def _check_bounds(name: str, bytes_out: int, compressed_size: int) -> None:
    if bytes_out > MAX_TOTAL_BYTES:
        raise import_errors.archive_too_large(name, MAX_TOTAL_BYTES // 1024**3)
    if bytes_out > MIN_RATIO_BYTES and bytes_out > compressed_size * MAX_RATIO:
        raise import_errors.archive_bomb(name, MAX_RATIO)


def _list_damage_types() -> tuple[type[Exception], ...]:
    module = sys.modules.get(_ZSTD)
    return (*_DAMAGE_TYPES, module.ZstdError) if module else _DAMAGE_TYPES


def open_compressed(kind: str, stream: BinaryIO, name: str, compressed_size: int) -> BinaryIO:
    """Return the uncompressed content of a gzip or zstd stream, within bounds."""
    inner = cast("BinaryIO", gzip.GzipFile(fileobj=stream, mode="rb")) if kind == "gz" else _open_zstd(stream)
    return cast("BinaryIO", io.BufferedReader(BoundedReader(inner, name, compressed_size, stream), 128 * 1024))


def _open_zstd(stream: BinaryIO) -> BinaryIO:
    zstd = import_module(_ZSTD)
    bounds = {zstd.DecompressionParameter.window_log_max: MAX_WINDOW_LOG}
    return cast("BinaryIO", zstd.ZstdFile(stream, "rb", options=bounds))


class UnclosedReader(io.BufferedReader):
    """A view of a stream. Closing it leaves the stream open."""

    def __init__(self, stream: BinaryIO) -> None:
        """Take the stream; it stays open."""
        super().__init__(cast("io.RawIOBase", stream))

    def close(self) -> None:
        """Detach from the stream."""
        if not self.closed:
            self.detach()


def copy_stream(stream: BinaryIO, name: str) -> BinaryIO:
    """Return a copy of a stream that can be read again, in memory or in an unnamed file."""
    copy = tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES)  # noqa: SIM115 - lives as long as its reader
    size = 0
    while block := stream.read(1024 * 1024):
        size += len(block)
        if size > MAX_TOTAL_BYTES:
            raise import_errors.archive_too_large(name, MAX_TOTAL_BYTES // 1024**3)
        copy.write(block)
    copy.seek(0)
    return cast("BinaryIO", copy)


def rewind(stream: BinaryIO) -> BinaryIO:
    """Return a view of a copy, from its beginning."""
    stream.seek(0)
    return UnclosedReader(stream)


def measure_stream(stream: BinaryIO) -> int:
    """Return the number of bytes in a seekable stream."""
    return stream.seek(0, io.SEEK_END)


def open_zip(stream: BinaryIO, name: str) -> zipfile.ZipFile:
    """Return the zip in `stream`, once the size of its directory is checked."""
    zip_size = measure_stream(stream)
    stream.seek(max(zip_size - 65_557, 0))
    zip_tail = stream.read(65_557)
    directory_start = zip_tail.rfind(b"PK\x05\x06")
    if directory_start >= 0 and len(zip_tail) >= directory_start + 22:
        member_count, directory_size = struct.unpack_from("<HI", zip_tail, directory_start + 10)
        if member_count > MAX_MEMBERS or directory_size > MAX_DIRECTORY_BYTES:
            raise import_errors.too_many_members(name, MAX_MEMBERS)
    stream.seek(0)
    try:
        return zipfile.ZipFile(stream)
    except _DAMAGE_TYPES as error:
        raise convert_damage_error(name, error) from None


def read_zip_members(archive: zipfile.ZipFile, name: str) -> Iterator[Member]:
    """Yield the files of a zip, each within the limits or with its problem."""
    member_infos = archive.infolist()
    archive_size = measure_stream(cast("BinaryIO", archive.fp))
    if sum(member_info.compress_size for member_info in member_infos) > archive_size:
        raise import_errors.overlapping_members(name)
    total_size = sum(member_info.file_size for member_info in member_infos if _find_problem(member_info, "") is None)
    _check_bounds(name, total_size, archive_size)  # many small bombs make a large one
    name_counts: dict[str, int] = {}
    for member_info in member_infos:
        if member_info.is_dir():
            continue
        name_counts[member_info.filename] = name_count = name_counts.get(member_info.filename, 0) + 1
        label = member_info.filename if name_count == 1 else f"{member_info.filename}#{name_count}"
        yield Member(
            label,
            member_info.file_size,
            _build_member_opener(archive, member_info, f"{name}!{label}"),
            _find_problem(member_info, f"{name}!{label}"),
        )


def _build_member_opener(archive: zipfile.ZipFile, member_info: zipfile.ZipInfo, name: str) -> Callable[[], BinaryIO]:
    def open_member() -> BinaryIO:
        try:
            inner = cast("BinaryIO", archive.open(member_info))
        except _DAMAGE_TYPES as error:
            raise convert_damage_error(name, error) from None
        return cast("BinaryIO", io.BufferedReader(BoundedReader(inner, name, member_info.compress_size), 128 * 1024))

    return open_member


def _find_problem(member_info: zipfile.ZipInfo, name: str) -> HandledgerError | None:
    if member_info.flag_bits & 1:
        return import_errors.encrypted_member(name)
    file_type = stat.S_IFMT(member_info.external_attr >> 16)
    if file_type not in (0, stat.S_IFREG):
        return import_errors.strange_member(name)
    try:
        _check_bounds(name, member_info.file_size, max(member_info.compress_size, 1))
    except ArchiveError as error:
        return error
    return None
