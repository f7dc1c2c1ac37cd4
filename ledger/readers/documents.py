"""Split JSON documents into the hands that they list, even if a document breaks off.

Every byte of a document belongs to one of its parts. Bytes before the first part belong to that part, and bytes
after a part belong to it, up to the next part.
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
from ledger.decoders import build_json_decoder
from ledger.errors import UnreadableHandError
from ledger.notation import Chunk, ChunkReader, Format, Item
from ledger.people import People
from ledger.readers.hand import HandBuilder
from ledger.readers.hand_boundaries import never_cut
from ledger.readers.joints import split_chunk
from ledger.readers.spans import find_elements, find_members, find_whole_elements
from ledger.readers.text_format import read_in_unit

BLANK: Final = b" \t\r\n\0\x0b\x0c\x1a"
"""Bytes between hands that have no meaning."""

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

_NEWLINE: Final = re.compile(rb"\n")
_decoder: Final = build_json_decoder(float_hook=str)


@dataclass(slots=True)
class JsonDocument:
    """The document at these bytes. `other_members`: all members except the list."""

    start: int
    end: int
    is_cut_off: bool = False  # it has no end
    other_members: dict[str, object] = field(default_factory=dict)
    member_spans: dict[str, tuple[int, int]] = field(default_factory=dict)  # start and length of members
    parts: list[tuple[int, int]] = field(default_factory=list)  # start and length

    def part_shares(self) -> list[tuple[int, int]]:
        """Return the start and end of the bytes that belong to each part."""
        stops = [part_start for part_start, _ in self.parts[1:]] + [self.end_of_parts]
        return list(zip([self.start, *stops], stops, strict=False))

    @property
    def end_of_parts(self) -> int:
        """The byte after the last part's bytes. Without a break it is the document's end."""
        return sum(self.parts[-1]) if self.is_cut_off and self.parts else self.end


@dataclass(slots=True)
class StrayBytes:
    """Bytes that aren't part of a document."""

    start: int
    end: int


def iter_documents(data: bytes, name: str, *, inside: bytes) -> Iterator[JsonDocument | StrayBytes]:
    """Yield the documents of a source. Their member `name` is the list of parts.

    Bytes that break off are a document if they contain `inside`. Raise `UnreadableHandError` if a document can't be
    read or is nested too deeply.
    """
    first = len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0
    document_start = end = len(data.rstrip(BLANK))
    if end <= first:
        return
    try:
        spans = [(first, end - first)]
        yield _parse_document(data, first, end, name)
    except UnreadableHandError:  # several documents, or one that is damaged
        spans, document_start = find_whole_elements(data, first)
        text_start = first
        for start, length in spans:
            if data[text_start:start].strip(BLANK):
                yield StrayBytes(text_start, start)
            yield _parse_document(data, start, start + length, name)
            text_start = start + length
        yield from _iter_last_documents(data, (text_start, max(document_start, text_start), end), name, inside)


def _iter_last_documents(
    data: bytes, bounds: tuple[int, int, int], name: str, inside: bytes
) -> Iterator[JsonDocument | StrayBytes]:
    """Yield the items after the last complete document."""
    text_start, start, end = bounds
    if not data[text_start:end].strip(BLANK):
        return
    if inside not in data[start:end]:
        yield StrayBytes(text_start, end)
        return
    if data[text_start:start].strip(BLANK):
        yield StrayBytes(text_start, start)
    key = data.find(f'"{name}"'.encode(), start)
    bracket = data.find(b"[", key) if key >= 0 else -1
    parts = find_whole_elements(data, bracket + 1)[0] if bracket >= 0 else []
    last = sum(parts[-1]) if parts else start
    is_torn = bool(data[last:end].strip(BLANK + b",]}"))
    yield JsonDocument(start, end, is_cut_off=is_torn or not parts, parts=parts)


def _parse_document(data: bytes, start: int, end: int, name: str) -> JsonDocument:
    places = find_members(data, start, end - start)
    head = {}
    for key, (value_start, length) in places.items():
        if key != name:
            try:
                head[key] = _decoder.decode(data[value_start : value_start + length])
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
                raise UnreadableHandError(f"no JSON that can be read: {error}", kind="damaged") from None
    value_start, length = places.get(name, (start, 0))
    is_list = data[value_start : value_start + 1] == b"["
    elements_found = find_elements(data, value_start, length) if is_list else []
    parts = [element for element in elements_found if data[element[0] : element[0] + 1] == b"{"]
    return JsonDocument(start, end, other_members=head, member_spans=places, parts=parts)


def build_document_reader(openings: Callable[[bytes], list[int]], read: ChunkReader) -> ChunkReader:
    """Return a reader that splits a chunk at the `openings` of documents, even inside a document that was cut off.

    A JSON value can't contain an opening, because quotation marks in a string have a backslash.
    """

    def read_each(chunk: Chunk, people: People) -> Iterator[Item]:
        places = openings(chunk.data)
        if places and not chunk.data[: places[0]].strip(BLANK + BYTE_ORDER_MARK):
            places = places[1:]
        for part in split_chunk(chunk, [0, *places] if places and not _is_whole_document(chunk.data) else [0]):
            yield from read(part, people)

    return read_each


def build_json_format(
    name: str,
    title: str,
    sniff: Callable[[bytes], int],
    read: ChunkReader,
    opening: re.Pattern[bytes] | Callable[[bytes], list[int]],
    suffixes: tuple[str, ...] = (".json",),
    *,
    live: bool = False,
) -> Format:
    """Return the format of documents that begin with an `opening`. `live`: the file is rewritten after every hand."""
    pattern = opening if isinstance(opening, re.Pattern) else None
    openings = build_opening_finder(opening) if isinstance(opening, re.Pattern) else opening
    return Format(
        name=name,
        title=title,
        suffixes=suffixes,
        sniff=sniff,
        read=build_document_reader(openings, read),
        find_cut=never_cut,
        find_complete=(lambda data, _pipe: find_last_document(pattern, data)) if live and pattern else None,
        is_appended=False,
    )


def build_sniffer(
    needed: tuple[bytes, ...], words: tuple[bytes, ...], scores: tuple[int, ...], allowed_before: bytes = b""
) -> Callable[[bytes], int]:
    """Return a `Format.sniff` for objects with all `needed` words. The number of other `words` selects the score.

    `allowed_before`: bytes that may come before the first object, in addition to blanks.
    """

    def sniff(head: bytes) -> int:
        text = head.removeprefix(BYTE_ORDER_MARK).lstrip(b" \t\r\n" + allowed_before)
        if not text.startswith(b"{") or not all(word in head for word in needed):
            return 0
        return scores[sum(word in head for word in words)]

    return sniff


def find_last_document(opening: re.Pattern[bytes], data: bytes) -> tuple[int, int]:
    """Return start and end of the last complete document of a growing source; zeros if there is none."""
    if _is_whole_document(data):
        return 0, len(data)
    end = len(data)
    for start in reversed(build_opening_finder(opening)(data)):
        if _is_whole_document(data[start:end]):
            return start, end
        end = start
    return 0, 0


def build_opening_finder(opening: re.Pattern[bytes]) -> Callable[[bytes], list[int]]:
    """Return a function that finds all offsets of an opening."""
    return lambda data: [match.start() for match in opening.finditer(data)]


def _is_whole_document(data: bytes) -> bool:
    """Whether a source is a single complete document."""
    try:
        _decoder.decode(data.removeprefix(BYTE_ORDER_MARK).strip(BLANK))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class DocumentListing:
    """How a format's documents list hands in the member `name`, and the texts of its rejects."""

    name: str
    read_hand: Callable[
        ..., HandBuilder
    ]  # of the data, a hand's place, what `shared_values` gave, the people, the exponent
    hand_mark: bytes = b""  # shows that bytes which break off are a document; "" = the list's name
    shared_values: Callable[[Chunk, JsonDocument], tuple[str, ...] | None] = lambda _chunk, _document: ()
    """Returns the values that a document's hands share, or None if nothing identifies the document."""
    read_extras: Callable[[Chunk, People, JsonDocument, tuple[str, ...]], Iterator[Item]] = lambda *_document: iter(())
    """Reads the document's other members."""
    not_a_hand: str = "no record of a hand begins here"
    no_hands: str = ""  # for a document without hands; "" = as `not_a_hand`
    cut_off: str = "the record breaks off"
    cut_off_hint: str = ""
    nameless: str = ""
    nameless_hint: str = ""


def read_records(listing: DocumentListing, chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of documents, and rejects for all other bytes."""
    data = chunk.data
    read_up_to = 0
    try:
        for document in iter_documents(data, listing.name, inside=listing.hand_mark or f'"{listing.name}"'.encode()):
            if isinstance(document, StrayBytes):
                yield reject_bytes(
                    chunk, document.start, document.end, UnreadableHandError(listing.not_a_hand, kind="not-a-hand")
                )
            else:
                yield from _read_document(listing, chunk, people, document)
            read_up_to = document.end
    except UnreadableHandError as error:
        yield reject_bytes(
            chunk, max(read_up_to, len(BYTE_ORDER_MARK) if data.startswith(BYTE_ORDER_MARK) else 0), len(data), error
        )


def _read_document(listing: DocumentListing, chunk: Chunk, people: People, document: JsonDocument) -> Iterator[Item]:
    """Read the hands of one document."""
    shared_values = listing.shared_values(chunk, document)
    cut_off = UnreadableHandError(listing.cut_off, kind="cut-off", hint=listing.cut_off_hint)
    if not document.parts:
        none = UnreadableHandError(listing.no_hands or listing.not_a_hand, kind="not-a-hand")
        yield reject_bytes(chunk, document.start, document.end, cut_off if document.is_cut_off else none)
        return
    if shared_values is None:
        nameless = UnreadableHandError(listing.nameless, kind="no-header", hint=listing.nameless_hint)
        yield reject_bytes(chunk, document.start, document.end, nameless)
        return
    yield from listing.read_extras(chunk, people, document, shared_values)
    for place, share in zip(document.parts, document.part_shares(), strict=True):
        yield read_hand(chunk, share, partial(listing.read_hand, chunk.data, place, *shared_values, people))
    if document.is_cut_off:
        yield reject_bytes(chunk, document.end_of_parts, document.end, cut_off)


def read_hand(chunk: Chunk, share: tuple[int, int], read: Callable[[int | None], HandBuilder]) -> Account | Reject:
    """Read a hand in the unit that it needs. `share`: start and end of its bytes; blanks at the end are left out."""
    begin, stop = share[0], share[0] + len(chunk.data[share[0] : share[1]].rstrip(BLANK))
    try:
        builder = read_in_unit(read)
    except UnreadableHandError as error:
        return reject_bytes(chunk, begin, stop, error)
    return builder.build_account(chunk.start, begin, stop - begin)


def reject_bytes(chunk: Chunk, start: int, end: int, error: UnreadableHandError) -> Reject:
    """Return the reject of these bytes of a chunk, without blanks at the end."""
    end = start + len(chunk.data[start:end].rstrip(BLANK))
    line = chunk.line + bisect_left(_find_newlines(chunk.data), start)
    return Reject(chunk.start + start, end - start, line, error.kind, error.reason, error.hint)


@lru_cache(maxsize=1)
def _find_newlines(data: bytes) -> list[int]:
    """Return the offsets of all line ends. Cached because hostile chunks have thousands of rejects."""
    return [match.start() for match in _NEWLINE.finditer(data)]
