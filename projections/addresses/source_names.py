"""What commands read of a ledger: hands, and sources as people name them, by file and line."""

from __future__ import annotations

import shlex
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import msgspec

from ledger.errors import AddressError, NothingFoundError
from ledger.store.index_check import check_row

if TYPE_CHECKING:
    from ledger.hand.events import HandEvent
    from ledger.store import HandRow, Ledger


class SourcePlace(msgspec.Struct):
    """Where in which source something stands. `line` counts from 1; 0 = not known.

    `source` is by what the ledger names the source; `sha256` that of its bytes, "" where they are not
    kept, or a name was taken out of them.
    """

    file: str
    sha256: str
    line: int
    start: int
    length: int
    source: str = ""


def events_of(ledger: Ledger, row: HandRow) -> list[HandEvent]:
    """Return the recorded events of a hand."""
    events = cast("list[HandEvent]", ledger.events(row.stream))
    if events:
        check_row(ledger.database.address.name, events[0], row)
    return events


class File(NamedTuple):
    """What is known of a source: its name, raw and hostile; the SHA-256 of its bytes, hex; "" = unknown."""

    name: str = ""
    sha256: str = ""


UNKNOWN: Final = File()
_SHOWN: Final = 9


def files(ledger: Ledger) -> dict[str, File]:
    """Return what is known of all sources, by what the ledger names them."""
    plain = ledger.sources.sha256s()
    return {digest: File(name, plain.get(digest, "")) for digest, name in names(ledger).items()}


def names(ledger: Ledger) -> dict[str, str]:
    """Return names of all sources, by what the ledger names them."""
    return {row.digest: ledger.people.words(row.name) or "" for row in ledger.sources}


def place_of(file: File, digest: str, line: int, start: int, length: int) -> SourcePlace:
    """Return where something stands in a source, as documents tell it."""
    return SourcePlace(file.name, file.sha256, line, start, length, digest)


def called(place: SourcePlace) -> str:
    """Return which bytes a source is: their SHA-256, or what the ledger names them."""
    return f"sha256 {place.sha256[:12]}" if place.sha256 else f"source {place.source[:12]}"


def named(ledger: Ledger, name: str) -> list[str]:
    """Return the digests of the sources called `name`.

    That is the name as it was imported, the end of it from a `/` or `!` on, or at least eight
    digits of the SHA-256, or of what the ledger names it; of an archive or a mail all that was read in it.
    """
    known = files(ledger)
    found = [
        digest
        for digest, file in known.items()
        if _is_called(file.name, name) or (len(name) >= 8 and (digest.startswith(name) or file.sha256.startswith(name)))
    ]
    found = found or [digest for digest, file in known.items() if _is_in(file.name, name)]
    if not found:
        raise NothingFoundError(
            f"no source {name!r} in this ledger", "Give its name as it was imported, or the file name alone."
        )
    return found


def the_one(ledger: Ledger, name: str) -> str:
    """Return the digest of the source called `name`; `AddressError` where an archive or a mail of that name holds several."""
    found = named(ledger, name)
    called = names(ledger)
    parts = sorted({called[digest] for digest in found if _is_in(called[digest], name)})
    if len(parts) > 1:
        said = ", ".join(shlex.quote(part) for part in parts[:_SHOWN])
        raise AddressError(
            f"{name!r} holds {len(parts)} files that were read",
            f"Say which: {said}" + (f" and {len(parts) - _SHOWN} more" if len(parts) > _SHOWN else ""),
        )
    return found[0]


def _is_called(file: str, name: str) -> bool:
    return file == name or file.endswith(("/" + name, "!" + name))


def _is_in(file: str, name: str) -> bool:
    """Whether a source was read in an archive or a mail of this name."""
    inside = file.find("!")
    while inside >= 0:
        if _is_called(file[:inside], name):
            return True
        inside = file.find("!", inside + 1)
    return False


def line_at(ledger: Ledger, digest: str, offset: int) -> int:
    """Return the number of the line in which a byte of a source stands; 0 if it is not kept."""
    if not ledger.sources.kept(digest):
        return 0
    return 1 + sum(block.count(b"\n") for block in _until(ledger, digest, offset))


def lines_of(ledger: Ledger, row: HandRow) -> tuple[int, Callable[[int], int]]:
    """Return the line of the source where a hand begins, and a function from offset to line."""
    if not row.source or not ledger.sources.kept(row.source):
        return 0, lambda _at: 0
    first = line_at(ledger, row.source, row.start)
    data = ledger.sources.slice(row.source, row.start, row.length)
    ends = [at for at, byte in enumerate(data) if byte == 10]
    return first, lambda at: first + bisect_right(ends, at - 1)


def piece(ledger: Ledger, digest: str, start: int, length: int) -> bytes:
    """Return a piece of a source; nothing if its bytes are not kept."""
    return ledger.sources.slice(digest, start, length) if ledger.sources.kept(digest) else b""


def _until(ledger: Ledger, digest: str, offset: int) -> Iterator[bytes]:
    for block in ledger.sources.read(digest):
        if offset <= 0:
            return
        yield block[:offset]
        offset -= len(block)


def offset_of(ledger: Ledger, digest: str, line: int) -> int | None:
    """Return the byte at which a line begins; None if the source has fewer lines."""
    start, left = 0, line - 1
    for block in ledger.sources.read(digest):
        count = block.count(b"\n")
        if left <= count:
            at = 0
            for _ in range(left):
                at = block.index(b"\n", at) + 1
            if at < len(block):
                return start + at
        left -= count
        start += len(block)
    return None


def encoding_of(head: bytes) -> tuple[str, bytes]:
    """Return the encoding of a piece of a source, by where its zero bytes stand, and its line end."""
    if head.count(0) <= len(head) // 4:
        return "utf-8", b"\n"
    if head[0::2].count(0) > head[1::2].count(0):
        return "utf-16-be", b"\0\n"
    return "utf-16-le", b"\n\0"
