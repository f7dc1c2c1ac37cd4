"""What a hand-history format is: how it is recognised, cut, read and written.

A format is one module (or package) of `ledger.formats` with a value `FORMAT`. Reading works on
chunks of a source, so that a file of any size fits in little memory.
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
"""What a reader yields. Bytes that lie in no item must be blank; the intake counts the others."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Part of a source, cut where a hand begins. `data` are its original bytes, not re-encoded."""

    data: bytes
    start: int = 0  # byte offset of `data` in the source
    line: int = 1  # line number of its first byte
    encoding: str = "utf-8"  # "utf-8", "utf-16-le", "utf-16-be", "cp1252"; a BOM is in `data`
    name: str = ""  # the source's name, for formats that keep facts in it; hostile
    last: bool = True  # nothing follows
    _counted: list[int] = field(default_factory=lambda: [0, 0], repr=False, compare=False)

    def line_at(self, offset: int) -> int:
        """Return the number of the line in which byte `at` of `data` is.

        Counted from where it was asked last: who asks for many asks from the front to the back.
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
    """Return a reader of UTF-8 that reads UTF-16, too, with the places of the bytes as they stand."""

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
    """Return what cuts UTF-16, too, of what cuts UTF-8."""

    def cutter(buffer: bytes, encoding: str) -> int:
        if not encoding.startswith("utf-16"):
            return find_cut(buffer, encoding)
        wide = Utf16Text(buffer, encoding)
        return wide.offset(find_cut(wide.data, "utf-8")) & ~1

    return cutter


@dataclass(frozen=True, slots=True)
class HandText:
    """What a writer made of one hand: text, and what the format could not say of it."""

    text: str
    losses: list[str] = field(default_factory=list)  # sentences, each once: "dead blinds (2)"


@dataclass(frozen=True, slots=True)
class Format:
    """One notation. `read` never raises for bad input: it yields rejects.

    `read` and `cut` are given bytes that hold ASCII as it is: what comes in UTF-16 is UTF-8 for them.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[bytes], int]  # first 64 KiB as UTF-8 text → 0 (not mine) to 100 (certain)
    read: ChunkReader
    find_cut: CutFinder  # buffer, encoding → offset of the last hand's beginning, 0 = none
    write: Callable[[Sequence[Event], People], HandText] | None = None
    separator: str = ""  # what stands between two written hands
    reader: str = "1"  # version of the reader: part of what a commit says of its source
    frame_hand: Callable[[int, str], str] | None = None
    """Frames one of several written hands, the first is 1; None = they stand as they are."""
    find_complete: Callable[[bytes, bool], tuple[int, int]] | None = None
    """A source that still grows, and whether it comes through a pipe → from where to where it can be read.

    Its last hand is then told act by act. None: hands are told when they are whole.
    """
    is_appended: bool = True
    """Hands are appended to such a source; False: it is one document, written anew each time."""
    written_events: frozenset[type] = frozenset()
    """Events that `write` has a word for, perhaps not for all that they may hold; the rest is a loss."""
    identify: Callable[[bytes], str] | None = None
    """First 64 KiB → what such a source says it is; the same words, the same source, told anew."""
    is_named_by_file: bool = False
    """The table's name stands in the name of the file alone: a game is known again by its hands."""
    write_account: Callable[[Account | TableAccount, People], str] | None = None
    """Writes a hand as recorded and loses nothing: times, what was inferred, corrections."""

    def __post_init__(self) -> None:
        """Let the reader read UTF-16, too."""
        object.__setattr__(self, "read", read_utf16_too(self.read))
        object.__setattr__(self, "find_cut", find_utf16_cut_too(self.find_cut))
