"""Open Hand History: the JSON that tracker vendors ask rooms for, version 1.4.7.

`docs/formats/ohh.md` has the table from member to event, and what the format doesn't contain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ledger.account import Account, Reject
from ledger.errors import UnreadableHandError
from ledger.formats.ohh.habits import decode_hand
from ledger.formats.ohh.parser import read_object
from ledger.formats.ohh.writer import WRITTEN_EVENTS, write
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.documents import read_hand, reject_bytes
from ledger.readers.spans import find_whole_elements
from ledger.readers.text_format import TEXT_AFTER_HAND

_MEMBER_BEFORE: Final = rb'(?:"[a-z_]{1,20}"\s*+:\s*+[^,{}\[\]]{1,100}+,\s*+)?'
_OBJECT_BEGINNING: Final = re.compile(rb"\{\s*+" + 3 * _MEMBER_BEFORE + rb'"(ohh|ots)"\s*+:')
"""The beginning of the object of a hand or a tournament's summary. Within a string, its quotes had backslashes.

Some programs write an id of their own before it.
"""
_OBJECT_NAME: Final = re.compile(rb'"(?:ohh|ots)"')

_SUMMARY_BEGINNING: Final = re.compile(
    rb'\{\s*+"spec_version"\s*+:(?:\s*+"[^"\\]{0,200}+"\s*+,\s*+"[a-z_]{1,30}+"\s*+:){1,12}?(?<="tournament_number":)'
)
"""The beginning of a tournament's summary without a name around it, as America's Cardroom writes it."""

_SEPARATORS: Final = b" \t\r\n,]"
_MEMBER_NAME: Final = re.compile(rb'"[a-z_]{1,40}"\s*+:')
"""A member of an object. If one follows an object, a bracket may have closed that too early."""


def cut(buffer: bytes, _encoding: str) -> int:
    """Return where the last object of the buffer begins, or 0 if it is the first or there is none."""
    name_start = len(buffer)
    while (name_start := max(buffer.rfind(b'"ohh"', 0, name_start), buffer.rfind(b'"ots"', 0, name_start))) > 0:
        object_start = buffer.rfind(b"{", max(0, name_start - 4096), name_start)
        if object_start > 0 and _OBJECT_BEGINNING.match(buffer, object_start):
            return object_start
    return 0


def sniff(head: bytes) -> int:
    """Return how likely this is Open Hand History, from 0 (no) to 100 (certain)."""
    stripped_head = head.lstrip(b"\xef\xbb\xbf \t\r\n[")
    match = _OBJECT_BEGINNING.match(stripped_head)
    if match:
        return 98 if match[1] == b"ohh" else 60
    if _SUMMARY_BEGINNING.match(stripped_head):
        return 60
    return 40 if any(_find_beginnings(head)) else 0


def find_objects(data: bytes) -> Iterator[tuple[bytes, int, int, int]]:
    """Yield kind, start and end of each object, and the end of the text that follows it.

    The kind is "ohh", "ots", or "" for anything else. The text up to the next object (blanks, commas, an
    array's brackets) belongs to the object before it.
    """
    beginnings = list(_find_beginnings(data))
    first_start = beginnings[0].start() if beginnings else len(data)
    leading_text = data[:first_start].removeprefix(b"\xef\xbb\xbf")
    if leading_text.strip(b" \t\r\n[" if beginnings else b" \t\r\n"):  # an array's bracket needs an object
        yield (
            b"ots" if _SUMMARY_BEGINNING.match(leading_text.lstrip()) else b"",
            first_start - len(leading_text),
            first_start,
            first_start,
        )
    for index, beginning in enumerate(beginnings):
        object_start = beginning.start()
        next_start = beginnings[index + 1].start() if index + 1 < len(beginnings) else len(data)
        object_end = object_start + len(data[object_start:next_start].rstrip(_SEPARATORS))
        yield beginning[1], object_start, object_end, object_start + len(data[object_start:next_start].rstrip())


def _find_beginnings(data: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the match of each object's beginning. Search for the name first, which is rarer than a bracket."""
    search_start = 0
    for name_match in _OBJECT_NAME.finditer(data):
        bracket = data.rfind(b"{", search_start, name_match.start())
        beginning = _OBJECT_BEGINNING.match(data, bracket) if bracket >= 0 else None
        search_start = name_match.end() if beginning is None else beginning.end()
        if beginning is not None:
            yield beginning


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk, and rejects for everything else."""
    data = chunk.data
    has_begun = False
    for kind, object_start, object_end, text_end in find_objects(data):
        bracket = -1 if has_begun else data.find(b"[", 0, object_start)  # it belongs to the first hand
        first_byte = bracket if bracket >= 0 else object_start
        has_begun = True
        if kind != b"ohh":
            yield reject_bytes(chunk, first_byte, text_end, _build_no_hand_error(kind))
            continue
        object_bounds = (object_start, object_end, text_end)
        account = _read_hand(chunk, first_byte, object_bounds, people)
        split_items: list[Item] = []
        if isinstance(account, Reject):
            split_items = _split_object(chunk, first_byte, object_bounds, people)
        yield from split_items or [account]


def _read_hand(chunk: Chunk, first_byte: int, object_bounds: tuple[int, int, int], people: People) -> Account | Reject:
    object_start, object_end, text_end = object_bounds
    data = chunk.data
    return read_hand(
        chunk,
        (first_byte, text_end),
        lambda exponent: read_object(data, *decode_hand(data, object_start, object_end), people, exponent),
    )


def _split_object(chunk: Chunk, first_byte: int, object_bounds: tuple[int, int, int], people: People) -> list[Item]:
    """Return the hand of an object that other text follows, and a reject for that text.

    Return nothing if the text may be a part of the object.
    """
    object_start, object_end, text_end = object_bounds
    try:
        complete_objects = find_whole_elements(chunk.data[object_start:object_end], 0)[0]
    except UnreadableHandError:
        return []
    object_stop = object_start + complete_objects[0][1] if complete_objects else object_end
    text_after = chunk.data[object_stop:text_end].lstrip()
    if not text_after or _MEMBER_NAME.search(text_after):
        return []
    account = _read_hand(chunk, first_byte, (object_start, object_stop, object_stop), people)
    text_reject = reject_bytes(
        chunk, text_end - len(text_after), text_end, UnreadableHandError(TEXT_AFTER_HAND, kind="not-a-hand")
    )
    return [] if isinstance(account, Reject) else [account, text_reject]


def _build_no_hand_error(kind: bytes) -> UnreadableHandError:
    if kind == b"ots":
        return UnreadableHandError(
            "the summary of a tournament, not a hand",
            kind="not-a-hand",
            hint="The tournament's hands are in files of their own.",
        )
    return UnreadableHandError("no hand begins here", kind="not-a-hand")


FORMAT: Final = Format(
    name="ohh",
    title="Open Hand History",
    suffixes=(".ohh",),
    sniff=sniff,
    read=read,
    find_cut=cut,
    write=write,
    written_events=WRITTEN_EVENTS,
    separator="\n",
)
