"""JSON documents that hold a list of hands: where each hand stands, also in one that breaks off.

Every byte of a document belongs to one of its parts: what stands before the first part is the
first one's, what follows a part up to the next one is that part's.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Final

import msgspec

from ledger.account import Account, Reject
from ledger.errors import UnreadableHandError
from ledger.notation import Chunk, ChunkReader, Format, Item
from ledger.people import People
from ledger.readers.hand import HandBuilder
from ledger.readers.hand_boundaries import never_cut
from ledger.readers.joints import split_chunk
from ledger.readers.spans import elements, members, whole_elements
from ledger.readers.text_format import read_in_unit

BLANK: Final = b" \t\r\n\0\x0b\x0c\x1a"
"""Bytes that are nothing, wherever they stand between hands."""

MARK: Final = b"\xef\xbb\xbf"

_NEWLINE: Final = re.compile(rb"\n")
_decoder: Final = msgspec.json.Decoder(float_hook=str)


@dataclass(slots=True)
class JsonDocument:
    """One document at these bytes. `head` are its members but for the list."""

    start: int
    end: int
    is_cut_off: bool = False  # it has no end
    other_members: dict[str, object] = field(default_factory=dict)
    member_spans: dict[str, tuple[int, int]] = field(default_factory=dict)  # start and length of members
    parts: list[tuple[int, int]] = field(default_factory=list)  # start and length

    def part_shares(self) -> list[tuple[int, int]]:
        """Return from where to where the bytes are for which each part answers."""
        stops = [at for at, _ in self.parts[1:]] + [self.end_of_parts]
        return list(zip([self.start, *stops], stops, strict=False))

    @property
    def end_of_parts(self) -> int:
        """The byte behind the last part's share: the end, unless the document breaks off."""
        return sum(self.parts[-1]) if self.is_cut_off and self.parts else self.end


@dataclass(slots=True)
class StrayBytes:
    """Bytes that are no document."""

    start: int
    end: int


def documents(data: bytes, name: str, *, inside: bytes) -> Iterator[JsonDocument | StrayBytes]:
    """Yield the documents of a source, whose member `name` is the list of their parts.

    What breaks off is a document if `inside` stands in it. A document that cannot be read, or
    nests too deep, raises `UnreadableHandError`.
    """
    first = len(MARK) if data.startswith(MARK) else 0
    at = end = len(data.rstrip(BLANK))
    if end <= first:
        return
    try:
        found = [(first, end - first)]
        yield _whole(data, first, end, name)
    except UnreadableHandError:  # several documents, or one that is damaged
        found, at = whole_elements(data, first)
        behind = first
        for start, length in found:
            if data[behind:start].strip(BLANK):
                yield StrayBytes(behind, start)
            yield _whole(data, start, start + length, name)
            behind = start + length
        yield from _rest(data, (behind, max(at, behind), end), name, inside)


def _rest(data: bytes, where: tuple[int, int, int], name: str, inside: bytes) -> Iterator[JsonDocument | StrayBytes]:
    """Yield what stands behind the last whole document."""
    behind, start, end = where
    if not data[behind:end].strip(BLANK):
        return
    if inside not in data[start:end]:
        yield StrayBytes(behind, end)
        return
    if data[behind:start].strip(BLANK):
        yield StrayBytes(behind, start)
    key = data.find(f'"{name}"'.encode(), start)
    bracket = data.find(b"[", key) if key >= 0 else -1
    parts = whole_elements(data, bracket + 1)[0] if bracket >= 0 else []
    last = sum(parts[-1]) if parts else start
    torn = bool(data[last:end].strip(BLANK + b",]}"))
    yield JsonDocument(start, end, is_cut_off=torn or not parts, parts=parts)


def _whole(data: bytes, start: int, end: int, name: str) -> JsonDocument:
    places = members(data, start, end - start)
    head = {}
    for key, (at, length) in places.items():
        if key != name:
            try:
                head[key] = _decoder.decode(data[at : at + length])
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
                raise UnreadableHandError(f"no JSON that can be read: {error}", kind="damaged") from None
    at, length = places.get(name, (start, 0))
    listed = data[at : at + 1] == b"["
    found = elements(data, at, length) if listed else []
    parts = [one for one in found if data[one[0] : one[0] + 1] == b"{"]
    return JsonDocument(start, end, other_members=head, member_spans=places, parts=parts)


def document_by_document(openings: Callable[[bytes], list[int]], read: ChunkReader) -> ChunkReader:
    """Return a reader of documents that begin at their `openings`, also where one was cut and another goes on.

    No value of JSON holds the opening of a document: within a string the quotation marks have a backslash.
    """

    def read_each(chunk: Chunk, people: People) -> Iterator[Item]:
        places = openings(chunk.data)
        if places and not chunk.data[: places[0]].strip(BLANK + MARK):
            places = places[1:]
        for part in split_chunk(chunk, [0, *places] if places and not _is_one(chunk.data) else [0]):
            yield from read(part, people)

    return read_each


def json_format(
    name: str,
    title: str,
    sniff: Callable[[bytes], int],
    read: ChunkReader,
    opening: re.Pattern[bytes] | Callable[[bytes], list[int]],
    suffixes: tuple[str, ...] = (".json",),
    *,
    live: bool = False,
) -> Format:
    """Return the format of documents that begin with an `opening`; `live`: one is written anew after every hand."""
    pattern = opening if isinstance(opening, re.Pattern) else None
    openings = opening_finder(opening) if isinstance(opening, re.Pattern) else opening
    return Format(
        name=name,
        title=title,
        suffixes=suffixes,
        sniff=sniff,
        read=document_by_document(openings, read),
        cut=never_cut,
        live=(lambda data, _pipe: last_whole(pattern, data)) if live and pattern else None,
        appended=False,
    )


def sniffer(
    needed: tuple[bytes, ...], words: tuple[bytes, ...], sure: tuple[int, ...], before: bytes = b""
) -> Callable[[bytes], int]:
    """Return a `Format.sniff` of objects in which all `needed` words stand; how many of `words` do tells how `sure` it is.

    `before`: what may stand before the first one, beside blanks.
    """

    def sniff(head: bytes) -> int:
        bare = head.removeprefix(MARK).lstrip(b" \t\r\n" + before)
        if not bare.startswith(b"{") or not all(word in head for word in needed):
            return 0
        return sure[sum(word in head for word in words)]

    return sniff


def last_whole(opening: re.Pattern[bytes], data: bytes) -> tuple[int, int]:
    """Return where the last whole document of a source that still grows begins and ends; 0, 0 without one."""
    if _is_one(data):
        return 0, len(data)
    end = len(data)
    for start in reversed(opening_finder(opening)(data)):
        if _is_one(data[start:end]):
            return start, end
        end = start
    return 0, 0


def opening_finder(opening: re.Pattern[bytes]) -> Callable[[bytes], list[int]]:
    """Return what finds where an opening stands."""
    return lambda data: [found.start() for found in opening.finditer(data)]


def _is_one(data: bytes) -> bool:
    """Tell whether a source is one whole document."""
    try:
        _decoder.decode(data.removeprefix(MARK).strip(BLANK))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class DocumentListing:
    """Documents that list hands in the member `name`: how one that breaks off is known, and what is said of what is none."""

    name: str
    tell: Callable[..., HandBuilder]  # of the data, a hand's place, what `whose` gave, the people, the exponent
    hand_mark: bytes = b""  # stands in a document that breaks off; "" = the list's name
    shared_values: Callable[[Chunk, JsonDocument], tuple[str, ...] | None] = lambda _chunk, _document: ()
    """What a document says of all its hands; None where nothing tells them from those of other documents."""
    tell_extras: Callable[[Chunk, People, JsonDocument, tuple[str, ...]], Iterator[Item]] = lambda *_document: iter(())
    """Tells what else a document holds."""
    not_a_hand: str = "no record of a hand begins here"
    no_hands: str = ""  # of a document without hands; "" = as `none`
    cut_off: str = "the record breaks off"
    cut_off_hint: str = ""
    nameless: str = ""
    nameless_hint: str = ""


def read_records(listing: DocumentListing, chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of documents that list them and, for what is none, rejects."""
    data = chunk.data
    done = 0
    try:
        for found in documents(data, listing.name, inside=listing.hand_mark or f'"{listing.name}"'.encode()):
            if isinstance(found, StrayBytes):
                yield reject_bytes(
                    chunk, found.start, found.end, UnreadableHandError(listing.not_a_hand, kind="not-a-hand")
                )
            else:
                yield from _listed(listing, chunk, people, found)
            done = found.end
    except UnreadableHandError as error:
        yield reject_bytes(chunk, max(done, len(MARK) if data.startswith(MARK) else 0), len(data), error)


def _listed(listing: DocumentListing, chunk: Chunk, people: People, found: JsonDocument) -> Iterator[Item]:
    """Read the hands of one document."""
    whose = listing.shared_values(chunk, found)
    cut_off = UnreadableHandError(listing.cut_off, kind="cut-off", hint=listing.cut_off_hint)
    if not found.parts:
        none = UnreadableHandError(listing.no_hands or listing.not_a_hand, kind="not-a-hand")
        yield reject_bytes(chunk, found.start, found.end, cut_off if found.is_cut_off else none)
        return
    if whose is None:
        nameless = UnreadableHandError(listing.nameless, kind="no-header", hint=listing.nameless_hint)
        yield reject_bytes(chunk, found.start, found.end, nameless)
        return
    yield from listing.tell_extras(chunk, people, found, whose)
    for place, share in zip(found.parts, found.part_shares(), strict=True):
        yield read_hand(chunk, share, partial(listing.tell, chunk.data, place, *whose, people))
    if found.is_cut_off:
        yield reject_bytes(chunk, found.end_of_parts, found.end, cut_off)


def read_hand(chunk: Chunk, share: tuple[int, int], tell: Callable[[int | None], HandBuilder]) -> Account | Reject:
    """Read a hand in the unit that it needs; it answers for the bytes from and to `share`, without blank ones."""
    begin, stop = share[0], share[0] + len(chunk.data[share[0] : share[1]].rstrip(BLANK))
    try:
        told = read_in_unit(tell)
    except UnreadableHandError as error:
        return reject_bytes(chunk, begin, stop, error)
    return told.build_account(chunk.start, begin, stop - begin)


def reject_bytes(chunk: Chunk, start: int, end: int, error: UnreadableHandError) -> Reject:
    """Return the reject of these bytes of a chunk, blank ones at the end left out."""
    end = start + len(chunk.data[start:end].rstrip(BLANK))
    line = chunk.line + bisect_left(_newlines(chunk.data), start)
    return Reject(chunk.start + start, end - start, line, error.kind, error.reason, error.hint)


@lru_cache(maxsize=1)
def _newlines(data: bytes) -> list[int]:
    """Return where lines end: hostile chunks have thousands of rejects."""
    return [found.start() for found in _NEWLINE.finditer(data)]
