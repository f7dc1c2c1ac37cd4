"""What a hand-history format is: how its files are recognised, cut, read and written.

A format is a module or package of `ledger.formats` with a value `FORMAT`. A reader takes a source in chunks, so a file
of any size needs little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ledger.account import Account, Amendment, Reject, TableAccount
from ledger.event import Event
from ledger.people import People
from ledger.source.utf16 import Utf16Text

Item: TypeAlias = Account | TableAccount | Amendment | Reject
"""What a reader yields. Bytes outside of all items must be blank; the intake counts those that aren't."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a source that begins with a hand. `data`: the original bytes."""

    data: bytes
    start: int = 0  # byte offset of `data` in the source
    line: int = 1  # line number of its first byte
    encoding: str = "utf-8"  # "utf-8", "utf-16-le", "utf-16-be", "cp1252"; a BOM is in `data`
    name: str = ""  # the source's name, for formats with facts in it; a stranger chose it
    last: bool = True  # nothing follows
    _counted: list[int] = field(default_factory=lambda: [0, 0], repr=False, compare=False)

    def line_at(self, offset: int) -> int:
        """Return the line number of a byte of `data`.

        It counts on from the last byte asked about, which is quick for bytes asked about in order.
        """
        last_offset, line_count = self._counted
        newline = "\n".encode(self.encoding if self.encoding.startswith("utf-16") else "ascii")
        if offset >= last_offset:
            line_count += self.data.count(newline, last_offset, offset)
        else:
            line_count -= self.data.count(newline, offset, last_offset)
        self._counted[:] = offset, line_count
        return self.line + line_count


ChunkReader: TypeAlias = Callable[[Chunk, People], Iterator[Item]]
CutFinder: TypeAlias = Callable[[bytes, str], int]


def read_utf16_too(read: ChunkReader) -> ChunkReader:
    """Return a reader of UTF-8 and UTF-16, made of one of UTF-8. Places are those of the original bytes."""

    def reader(chunk: Chunk, people: People) -> Iterator[Item]:
        if not chunk.encoding.startswith("utf-16"):
            yield from read(chunk, people)
            return
        wide = Utf16Text(chunk.data, chunk.encoding, chunk.start)
        for item in read(replace(chunk, data=wide.data, start=0, encoding="utf-8"), people):
            yield wide.at_source(item)
        if wide.half_character:
            line = chunk.line + wide.data.count(b"\n")
            yield Reject(chunk.start + len(chunk.data) - 1, 1, line, "damaged", "half a character ends the file")

    return reader


def find_utf16_cut_too(find_cut: CutFinder) -> CutFinder:
    """Return a cut finder for UTF-8 and UTF-16, made of one for UTF-8."""

    def cutter(buffer: bytes, encoding: str) -> int:
        if not encoding.startswith("utf-16"):
            return find_cut(buffer, encoding)
        wide = Utf16Text(buffer, encoding)
        return wide.offset(find_cut(wide.data, "utf-8")) & ~1

    return cutter


@dataclass(frozen=True, slots=True)
class HandText:
    """A hand as a format writes it."""

    text: str
    losses: list[str] = field(default_factory=list)  # what the format has no words for, each once: "dead blinds (2)"


@dataclass(frozen=True, slots=True)
class Format:
    """A format. `read` never raises for bad input: it yields rejects.

    `sniff`, `read` and `find_cut` get text in UTF-16 as UTF-8.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[bytes], int]  # the first 64 KiB → 0 (another format) to 100 (certain)
    read: ChunkReader
    find_cut: CutFinder  # buffer, encoding → offset of the last hand in it, 0 = none
    write: Callable[[Sequence[Event], People], HandText] | None = None
    separator: str = ""  # between two written hands
    reader: str = "1"  # the reader's version, which a commit records with its source
    frame_hand: Callable[[int, str], str] | None = None
    """Frames one of several written hands: its text, and its number from 1. None: no frame is needed."""
    find_complete: Callable[[bytes, bool], tuple[int, int]] | None = None
    """The bytes of a growing source, and whether it is a pipe → start and end of what can be read by now.

    The last hand is then read act by act. None: hands are read when they are complete.
    """
    is_appended: bool = True
    """Rooms append hands to such a source. False: they write the whole document again."""
    written_events: frozenset[type] = frozenset()
    """Events that `write` can write, if not all of their fields. Others are losses."""
    identify: Callable[[bytes], str] | None = None
    """The first 64 KiB → the source's own identity. Two files with the same one are versions of one source."""
    is_named_by_file: bool = False
    """Only the file's name has the table's name, so a game is recognised by its hands."""
    write_account: Callable[[Account | TableAccount, People], str] | None = None
    """Writes a hand without losses: with times, inferred events and corrections."""

    def __post_init__(self) -> None:
        """Make the reader and the cut finder take UTF-16 too."""
        object.__setattr__(self, "read", read_utf16_too(self.read))
        object.__setattr__(self, "find_cut", find_utf16_cut_too(self.find_cut))
