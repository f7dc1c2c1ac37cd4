"""Open Hand History: the JSON that tracker vendors ask rooms for, version 1.4.7.

`docs/formats/ohh.md` has the table from member to event, and what the format cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ledger.account import Account, Reject
from ledger.errors import UnreadableHandError
from ledger.formats.ohh.habits import decoded
from ledger.formats.ohh.reading import tell
from ledger.formats.ohh.writing import SAYS, write
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.documents import read_hand, reject_bytes
from ledger.readers.spans import whole_elements
from ledger.readers.text_format import TEXT_AFTER_HAND

_BESIDE: Final = rb'(?:"[a-z_]{1,20}"\s*+:\s*+[^,{}\[\]]{1,100}+,\s*+)?'
_HEAD: Final = re.compile(rb"\{\s*+" + 3 * _BESIDE + rb'"(ohh|ots)"\s*+:')
"""How a hand's or a tournament summary's object begins. Within a string its quotes had backslashes.

Some programs write an id of their own before it.
"""
_NAME: Final = re.compile(rb'"(?:ohh|ots)"')

_SUMMARY: Final = re.compile(
    rb'\{\s*+"spec_version"\s*+:(?:\s*+"[^"\\]{0,200}+"\s*+,\s*+"[a-z_]{1,30}+"\s*+:){1,12}?(?<="tournament_number":)'
)
"""How the summary of a tournament begins that has no name of its own around it: America's Cardroom writes it so."""

_AROUND: Final = b" \t\r\n,]"
_MEMBER: Final = re.compile(rb'"[a-z_]{1,40}"\s*+:')
"""A member of an object: where one stands behind an object, a bracket may have closed that too early."""


def cut(buffer: bytes, _encoding: str) -> int:
    """Return where the last object of the buffer begins, 0 if it is the first or none."""
    at = len(buffer)
    while (at := max(buffer.rfind(b'"ohh"', 0, at), buffer.rfind(b'"ots"', 0, at))) > 0:
        start = buffer.rfind(b"{", max(0, at - 4096), at)
        if start > 0 and _HEAD.match(buffer, start):
            return start
    return 0


def sniff(head: bytes) -> int:
    """Return how sure it is that this is Open Hand History: 0 no, 100 certain."""
    bare = head.lstrip(b"\xef\xbb\xbf \t\r\n[")
    found = _HEAD.match(bare)
    if found:
        return 98 if found[1] == b"ohh" else 60
    if _SUMMARY.match(bare):
        return 60
    return 40 if any(_heads(head)) else 0


def objects(data: bytes) -> Iterator[tuple[bytes, int, int, int]]:
    """Yield kind ("ohh", "ots" or "" for what is neither), start, end of the object, end with what follows it.

    What follows an object up to the next one (blanks, commas, an array's brackets) belongs to it.
    """
    heads = list(_heads(data))
    first = heads[0].start() if heads else len(data)
    lead = data[:first].removeprefix(b"\xef\xbb\xbf")
    if lead.strip(b" \t\r\n[" if heads else b" \t\r\n"):  # an array's bracket needs an object
        yield b"ots" if _SUMMARY.match(lead.lstrip()) else b"", first - len(lead), first, first
    for k, head in enumerate(heads):
        start = head.start()
        after = heads[k + 1].start() if k + 1 < len(heads) else len(data)
        end = start + len(data[start:after].rstrip(_AROUND))
        yield head[1], start, end, start + len(data[start:after].rstrip())


def _heads(data: bytes) -> Iterator[re.Match[bytes]]:
    """Yield how each object begins; its name is looked for first, which is rarer than a bracket."""
    last = 0
    for name in _NAME.finditer(data):
        start = data.rfind(b"{", last, name.start())
        found = _HEAD.match(data, start) if start >= 0 else None
        last = name.end() if found is None else found.end()
        if found is not None:
            yield found


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk and, for what is none, rejects."""
    data = chunk.data
    begun = False
    for kind, start, end, after in objects(data):
        bracket = -1 if begun else data.find(b"[", 0, start)  # it belongs to the first hand
        first = bracket if bracket >= 0 else start
        begun = True
        if kind != b"ohh":
            yield reject_bytes(chunk, first, after, _no_hand(kind))
            continue
        told = _hand(chunk, first, (start, end, after), people)
        yield from (_closed(chunk, first, (start, end, after), people) if isinstance(told, Reject) else None) or [told]


def _hand(chunk: Chunk, first: int, place: tuple[int, int, int], people: People) -> Account | Reject:
    start, end, after = place
    data = chunk.data
    return read_hand(chunk, (first, after), lambda exponent: tell(data, *decoded(data, start, end), people, exponent))


def _closed(chunk: Chunk, first: int, place: tuple[int, int, int], people: People) -> list[Item]:
    """Return the hand of an object behind which stands what is no part of it, and that; nothing where that may be one."""
    start, end, after = place
    try:
        whole = whole_elements(chunk.data[start:end], 0)[0]
    except UnreadableHandError:
        return []
    stop = start + whole[0][1] if whole else end
    rest = chunk.data[stop:after].lstrip()
    if not rest or _MEMBER.search(rest):
        return []
    told = _hand(chunk, first, (start, stop, stop), people)
    behind = reject_bytes(chunk, after - len(rest), after, UnreadableHandError(TEXT_AFTER_HAND, kind="not-a-hand"))
    return [] if isinstance(told, Reject) else [told, behind]


def _no_hand(kind: bytes) -> UnreadableHandError:
    if kind == b"ots":
        return UnreadableHandError(
            "the summary of a tournament, not a hand",
            kind="not-a-hand",
            hint="What each of its hands was stands in files of their own.",
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
    written_events=SAYS,
    separator="\n",
)
