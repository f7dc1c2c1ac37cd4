"""The interface of a hand-history format: recognise, split, read and write its files.

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
"""A reader's items. Bytes outside of all items must be blank; the intake counts those that aren't."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a source that begins with a hand. `data`: the original bytes."""

    data: bytes
    start: int = 0  # byte offset of `data` in the source
    line: int = 1  # line number of its first byte
    encoding: str = "utf-8"  # "utf-8", "utf-16-le", "utf-16-be", "cp1252"; a BOM is in `data`
    name: str = ""  # the source's name, which some formats read facts from; hostile
    last: bool = True  # nothing follows
    _counted: list[int] = field(default_factory=lambda: [0, 0], repr=False, compare=False)

    def line_at(self, offset: int) -> int:
        """Return the line number of a byte of `data`.

        Counting continues from the last offset, so ascending offsets are quick.
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
    """Wrap a reader of UTF-8 so that it also reads UTF-16. Places are those of the original bytes."""

    def read_any_encoding(chunk: Chunk, people: People) -> Iterator[Item]:
        if not chunk.encoding.startswith("utf-16"):
            yield from read(chunk, people)
            return
        wide = Utf16Text(chunk.data, chunk.encoding, chunk.start)
        for item in read(replace(chunk, data=wide.data, start=0, encoding="utf-8"), people):
            yield wide.at_source(item)
        if wide.half_character:
            line = chunk.line + wide.data.count(b"\n")
            yield Reject(chunk.start + len(chunk.data) - 1, 1, line, "damaged", "half a character ends the file")

    return read_any_encoding


def find_utf16_cut_too(find_cut: CutFinder) -> CutFinder:
    """Wrap a cut finder for UTF-8 so that it also takes UTF-16."""

    def find_cut_in_any_encoding(buffer: bytes, encoding: str) -> int:
        if not encoding.startswith("utf-16"):
            return find_cut(buffer, encoding)
        wide = Utf16Text(buffer, encoding)
        return wide.offset(find_cut(wide.data, "utf-8")) & ~1

    return find_cut_in_any_encoding


@dataclass(frozen=True, slots=True)
class HandText:
    """A hand written in a format."""

    text: str
    losses: list[str] = field(default_factory=list)  # facts that the format can't express, each once: "dead blinds (2)"


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
    """Finds the readable part of a growing source: its bytes, and whether it is a pipe → start and end.

    The last hand is then read act by act. None: hands are read when they are complete.
    """
    is_appended: bool = True
    """Whether rooms append hands to such a source. Otherwise they write the document again."""
    written_events: frozenset[type] = frozenset()
    """Event types that `write` can write, perhaps without some fields. Others are losses."""
    identify: Callable[[bytes], str] | None = None
    """Reads the source's own identity from its first 64 KiB. Two files with one identity are versions of one source."""
    is_named_by_file: bool = False
    """Whether only the file's name contains the table's name. Then a game is recognised by its hands."""
    write_account: Callable[[Account | TableAccount, People], str] | None = None
    """Writes a hand without losses: with times, inferred events and corrections."""

    def __post_init__(self) -> None:
        """Make the reader and the cut finder take UTF-16 too."""
        object.__setattr__(self, "read", read_utf16_too(self.read))
        object.__setattr__(self, "find_cut", find_utf16_cut_too(self.find_cut))
