"""PokerNow's export of hands in JSON, and its log as the site itself fetches it.

Acts have numbers instead of words; the numbers' meanings are known from observation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from ledger.errors import UnreadableHandError
from ledger.formats.pokernow.exported import tell
from ledger.formats.pokernow.rows import Row
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.readers.documents import BLANK, Document, Stray, documents, reject
from ledger.readers.reading import in_unit
from ledger.readers.timestamps import iso
from ledger.vocabulary import Millis

_ORDER_DIGITS: Final = 15
_row: Final = msgspec.json.Decoder(dict[str, Any], float_hook=str)


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of an export and, for what is none, rejects."""
    done = 0
    try:
        for found in documents(chunk.data, "hands", inside=b'"gameId"'):
            if isinstance(found, Stray):
                none = UnreadableHandError("no PokerNow export begins here", kind="not-a-hand")
                yield reject(chunk, found.start, found.end, none)
            else:
                yield from _game(chunk, people, found)
            done = found.end
    except UnreadableHandError as error:
        yield reject(chunk, done, len(chunk.data), error)


def _game(chunk: Chunk, people: People, found: Document) -> Iterator[Item]:
    table = found.head.get("gameId")
    if found.broken and table is None:
        table = _in_front(chunk.data[found.start : found.start + 400])
    if not found.parts or not isinstance(table, str) or not table:
        kind = "cut-off" if found.broken else "not-a-hand" if not found.parts else "no-header"
        none = UnreadableHandError("a PokerNow export without hands or without a gameId", kind=kind)
        yield reject(chunk, found.start, found.end, none)
        return
    owner = found.head.get("playerId")
    owner = owner if isinstance(owner, str) else ""
    for place, (begin, stop) in zip(found.parts, found.shares(), strict=True):
        try:
            told = in_unit(lambda exponent: tell(chunk.data, place, (table, owner), people, exponent))  # noqa: B023 - called at once
        except UnreadableHandError as error:
            yield reject(chunk, begin, stop, error)
            continue
        yield told.account(chunk.start, begin, len(chunk.data[begin:stop].rstrip(BLANK)))
    if found.broken:
        torn = UnreadableHandError("the file breaks off within a hand", kind="cut-off", hint="Export the game again.")
        yield reject(chunk, found.last, found.end, torn)


def _in_front(head: bytes) -> str:
    """Return the game's id if it stands before the hands of a document that breaks off."""
    _, found, rest = head.partition(b'"gameId"')
    parts = rest.split(b'"', 2)
    return parts[1].decode("utf-8", "replace") if found and len(parts) == 3 else ""


def rows(chunk: Chunk) -> tuple[list[Row], list[Document | Stray]]:
    """Return the rows of a log in JSON, in the order of the file, and what is no document.

    What cannot be read at all raises `UnreadableHandError`.
    """
    found: list[Row] = []
    others: list[Document | Stray] = []
    for document in documents(chunk.data, "logs", inside=b'"msg"'):
        others.append(document)
        if isinstance(document, Stray):
            continue
        for start, length in document.parts:
            try:
                value = _row.decode(chunk.data[start : start + length])
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
                value = {}
            text, order, written = (value.get(name) for name in ("msg", "created_at", "at"))
            moment = _moment(written)
            number = _order(order, moment)
            words = text if isinstance(text, str) else chunk.data[start : start + length].decode("utf-8", "replace")
            said = written if isinstance(written, str) else ""
            found.append(Row(number, number // 100, words, start, length, said[:40].encode("ascii", "replace")))
    return found, others


def _moment(written: object) -> Millis:
    if isinstance(written, str):
        return iso(written) or 0
    return written if type(written) is int and 0 <= written < 10**13 else 0


def _order(order: object, moment: Millis) -> int:
    text = str(order)
    plain = text.isascii() and text.isdigit() and len(text) == _ORDER_DIGITS
    return int(text) if plain else moment * 100
