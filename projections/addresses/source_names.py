"""Find sources by name, and the lines and bytes of hands in them."""

from __future__ import annotations

import shlex
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import msgspec

from ledger.errors import AddressError, NothingFoundError
from ledger.house.events import SourceImported
from ledger.store.database.quick_checks import check_row
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from ledger.hand.events import HandEvent
    from ledger.store import HandRow, Ledger


class SourcePlace(msgspec.Struct):
    """A span of bytes in a source."""

    file: str  # name of the source; untrusted text
    sha256: str  # of the source's bytes, hex; "" = the ledger doesn't store them, or a name was erased from them
    line: int  # line of its first byte, counted from 1; 0 = unknown
    start: int  # byte offset
    length: int
    source: str = ""  # the ledger's digest of the source, hex


def read_recorded_events(ledger: Ledger, hand_row: HandRow) -> list[HandEvent]:
    """Return the recorded events of a hand, checked against its row."""
    events = cast("list[HandEvent]", ledger.events(hand_row.stream))
    if events:
        check_row(ledger.database.address.name, events[0], hand_row)
    return events


class SourceFileName(NamedTuple):
    """A source: its name (untrusted text) and the SHA-256 of its bytes, hex; "" = unknown."""

    name: str = ""
    sha256: str = ""


UNKNOWN: Final = SourceFileName()
_MAX_CHOICES: Final = 9


def load_source_files(ledger: Ledger) -> dict[str, SourceFileName]:
    """Return all sources by digest."""
    hash_by_digest = ledger.sources.sha256s()
    return {
        digest: SourceFileName(name, hash_by_digest.get(digest, ""))
        for digest, name in load_source_names(ledger).items()
    }


def has_own_records(ledger: Ledger) -> bool:
    """Whether people here write records themselves: in handscript, or at the table. Nobody can add to a room's file."""
    formats = {
        entry.event.format
        for entry in ledger.entries_of_types(HOUSE, SourceImported)
        if isinstance(entry.event, SourceImported)
    }
    return not formats or "handscript" in formats


def load_source_names(ledger: Ledger) -> dict[str, str]:
    """Return the names of all sources by digest."""
    return {source_row.digest: ledger.people.words(source_row.name) or "" for source_row in ledger.sources}


def build_source_place(
    source_file: SourceFileName, digest: str, line_number: int, byte_offset: int, length: int
) -> SourcePlace:
    """Return a span of a source as documents show it."""
    return SourcePlace(source_file.name, source_file.sha256, line_number, byte_offset, length, digest)


def describe_source(source_place: SourcePlace) -> str:
    """Return the beginning of a source's SHA-256, or of its digest in the ledger if the hash is unknown."""
    return f"sha256 {source_place.sha256[:12]}" if source_place.sha256 else f"source {source_place.source[:12]}"


def find_sources(ledger: Ledger, source_name: str) -> list[str]:
    """Return the digests of the sources with a name; `NothingFoundError` if there are none.

    The name may be the imported name, its end after a `/` or `!`, or at least eight digits of the SHA-256 or digest.
    The name of an archive or mail means all files in it.
    """
    source_files = load_source_files(ledger)
    digests = [
        digest
        for digest, source_file in source_files.items()
        if _has_name(source_file.name, source_name)
        or (len(source_name) >= 8 and (digest.startswith(source_name) or source_file.sha256.startswith(source_name)))
    ]
    digests = digests or [
        digest for digest, source_file in source_files.items() if _is_inside(source_file.name, source_name)
    ]
    if not digests:
        raise NothingFoundError(
            f"no source {source_name!r} in this ledger", "Give its name as it was imported, or the file name alone."
        )
    return digests


def find_versions(ledger: Ledger, source_name: str) -> list[list[str]]:
    """Return the digests of the sources with a name, grouped by file: the versions of one file, oldest first."""
    name_by_digest = load_source_names(ledger)
    versions: dict[str, list[str]] = {}
    for digest in find_sources(ledger, source_name):
        versions.setdefault(name_by_digest[digest], []).append(digest)
    return list(versions.values())


def find_single_source(ledger: Ledger, source_name: str) -> str:
    """Return the digest of the source with a name; `AddressError` for an archive or mail with several files."""
    digests = find_sources(ledger, source_name)
    name_by_digest = load_source_names(ledger)
    inner_files = sorted(
        {name_by_digest[digest] for digest in digests if _is_inside(name_by_digest[digest], source_name)}
    )
    if len(inner_files) > 1:
        choices = ", ".join(shlex.quote(inner_file) for inner_file in inner_files[:_MAX_CHOICES])
        raise AddressError(
            f"{source_name!r} holds {len(inner_files)} files that were read",
            f"Say which: {choices}"
            + (f" and {len(inner_files) - _MAX_CHOICES} more" if len(inner_files) > _MAX_CHOICES else ""),
        )
    return digests[0]


def _has_name(file_name: str, wanted_name: str) -> bool:
    return file_name == wanted_name or file_name.endswith(("/" + wanted_name, "!" + wanted_name))


def _is_inside(file_name: str, wanted_name: str) -> bool:
    """Whether a source is a file inside an archive or mail with this name."""
    separator_offset = file_name.find("!")
    while separator_offset >= 0:
        if _has_name(file_name[:separator_offset], wanted_name):
            return True
        separator_offset = file_name.find("!", separator_offset + 1)
    return False


def find_line_number(ledger: Ledger, digest: str, byte_offset: int) -> int:
    """Return the line number of a byte of a source; 0 if the ledger doesn't store the bytes."""
    if not ledger.sources.has_bytes(digest):
        return 0
    return 1 + sum(block.count(b"\n") for block in _read_before(ledger, digest, byte_offset))


def build_line_finder(ledger: Ledger, hand_row: HandRow) -> tuple[int, Callable[[int], int]]:
    """Return the line where a hand begins, and a function from a byte offset in the hand to its line."""
    if not hand_row.source or not ledger.sources.has_bytes(hand_row.source):
        return 0, lambda _offset: 0
    first_line = find_line_number(ledger, hand_row.source, hand_row.start)
    hand_bytes = ledger.sources.slice(hand_row.source, hand_row.start, hand_row.length)
    line_ends = [offset for offset, byte_value in enumerate(hand_bytes) if byte_value == 10]

    def find_line(offset: int) -> int:
        if offset < hand_row.length:
            return first_line + bisect_right(line_ends, offset - 1)
        # An answer that was added after the file's own lines.
        return find_line_number(ledger, hand_row.source, hand_row.start + offset)

    return first_line, find_line


def read_span(ledger: Ledger, digest: str, byte_offset: int, length: int) -> bytes:
    """Return bytes of a source; b"" if the ledger doesn't store them."""
    return ledger.sources.slice(digest, byte_offset, length) if ledger.sources.has_bytes(digest) else b""


def _read_before(ledger: Ledger, digest: str, byte_offset: int) -> Iterator[bytes]:
    """Yield the bytes of a source before an offset, in blocks."""
    for block in ledger.sources.read(digest):
        if byte_offset <= 0:
            return
        yield block[:byte_offset]
        byte_offset -= len(block)


def find_line_offset(ledger: Ledger, digest: str, line_number: int) -> int | None:
    """Return the byte at which a line begins, or None if the source has fewer lines."""
    block_start, lines_left = 0, line_number - 1
    for block in ledger.sources.read(digest):
        block_lines = block.count(b"\n")
        if lines_left <= block_lines:
            line_start = 0
            for _ in range(lines_left):
                line_start = block.index(b"\n", line_start) + 1
            if line_start < len(block):
                return block_start + line_start
        lines_left -= block_lines
        block_start += len(block)
    return None


def guess_encoding(first_bytes: bytes) -> tuple[str, bytes]:
    """Guess the encoding of text from its zero bytes: UTF-8 or UTF-16. Return it with its line end."""
    if first_bytes.count(0) <= len(first_bytes) // 4:
        return "utf-8", b"\n"
    if first_bytes[0::2].count(0) > first_bytes[1::2].count(0):
        return "utf-16-be", b"\0\n"
    return "utf-16-le", b"\n\0"
