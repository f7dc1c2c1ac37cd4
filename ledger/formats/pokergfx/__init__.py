"""PokerGFX 3: the export of a live table whose cards and chips a video system recorded.

`docs/formats/pokergfx.md` has the table from value to event, what is inferred, and what a file
cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

import msgspec

from ledger.account import TableAccount
from ledger.errors import UnreadableHandError
from ledger.formats.pokergfx.reading import tell
from ledger.formats.pokergfx.seating import VENUE
from ledger.hand.ending import LineUnread, RemarkNoted
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.cutting import whole
from ledger.readers.documented import names
from ledger.readers.documents import (
    MARK,
    Document,
    Listing,
    document_by_document,
    last_whole,
    records,
    reject,
    starts_of,
)
from ledger.table.events import TableEvent

_SIDE_FILE: Final = b"GAME,PokerGFX"
_DIGITS_MOST: Final = 20

_KNOWN: Final = names("CreatedDateTimeUTC EventTitle Hands ID Payouts SoftwareVersion Type")
"""Members of a session. Payouts and version belong to no hand: the bytes keep them."""


def sniff(head: bytes) -> int:
    """Return how sure it is that this is a PokerGFX export: 0 no, 100 certain."""
    bare = head.removeprefix(MARK).lstrip()
    if bare.startswith(_SIDE_FILE):
        return 90
    if bare[:1] != b"{":
        return 0
    if b'"CreatedDateTimeUTC"' in head and b'"Hands"' in head:
        return 95
    return 90 if b'"FlopDrawBlinds"' in head and b'"Players"' in head else 0


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk, what the session itself tells and, for what is no hand, rejects."""
    data = chunk.data
    bare = data.removeprefix(MARK)
    if bare[:64].lstrip().startswith(_SIDE_FILE):
        yield reject(chunk, len(data) - len(bare), len(data), _SIDE)
    else:
        yield from records(_SESSIONS, chunk, people)


def _whose(chunk: Chunk, found: Document) -> tuple[str] | None:
    """Return a session's ID: as it says, as the file's name says, or as it follows from when it was begun."""
    table = (
        _identity(found.head.get("ID"))
        or _named(chunk.name)
        or _ticks(found.head.get("CreatedDateTimeUTC"))
        or _by_date(chunk.data[found.start : found.start + 400])
    )
    return (table,) if table else None


def _title(chunk: Chunk, people: People, found: Document, whose: tuple[str, ...]) -> Iterator[TableAccount]:
    """Keep what the session says of itself in words, as facts of the table."""
    (table,) = whose
    for name, value in found.head.items():
        event: TableEvent
        if name == "EventTitle" and isinstance(value, str) and value.strip("\0 "):
            event = RemarkNoted(people.text(value.replace("\0", " ")))
        elif name not in _KNOWN:
            said = msgspec.json.encode(value).decode()[:2000].replace("\\u0000", " ")
            event = LineUnread(people.text(f"{name}: {said}".replace("\0", " ")))
        else:
            continue
        at, length = found.places[name]
        yield TableAccount(VENUE, table, [event], [0, length], chunk.start + at, length)


def _identity(value: object) -> str:
    """Return a session's ID as its table is called, "" if it is none."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return str(value) if value < 10**_DIGITS_MOST else ""
    return value.strip()[:80].replace("\0", "") if isinstance(value, str) else ""


def _named(name: str) -> str:
    """Return the ID that the file's name holds: `… GameID=900000000000000028.json`."""
    digits = name.rpartition("GameID=")[2].partition(".")[0].split(" ", 1)[0]
    plain = digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_MOST
    return digits if plain and "GameID=" in name else ""


def _by_date(head: bytes) -> str:
    """Return the ID that follows from when the session was begun, at the beginning of a document."""
    _, found, rest = head.partition(b'"CreatedDateTimeUTC"')
    return _ticks(rest.split(b'"')[1].decode("utf-8", "replace")) if found and b'"' in rest else ""


def _ticks(created: object) -> str:
    """Return a moment as the program counts it: tenths of a microsecond since the year 1."""
    if not isinstance(created, str) or not created.isascii() or len(created) > 40:
        return ""
    whole, _, fraction = created.rstrip("Z").partition(".")
    if fraction and not fraction.isdigit():
        return ""
    try:
        since = datetime.fromisoformat(whole).replace(tzinfo=UTC) - datetime(1, 1, 1, tzinfo=UTC)
    except ValueError:
        return ""
    seconds = since.days * 86_400 + since.seconds
    return str(seconds * 10_000_000 + int(fraction[:7].ljust(7, "0") or "0"))


_SIDE: Final = UnreadableHandError(
    "PokerGFX's side file, which tells the hands of the sessions' exports again without saying which session they are of",
    kind="side-file",
    hint="Import the files named PGFX_live_data_export GameID=….json: they hold these hands, and more of each.",
)
_SESSIONS: Final = Listing(
    "Hands",
    tell,
    inside=b'"CreatedDateTimeUTC"',
    whose=_whose,
    beside=_title,
    none="no PokerGFX session begins here",
    empty="a PokerGFX session without hands",
    cut_off="the file breaks off within a hand",
    cut_off_hint="The program writes the file anew after every hand: fetch it again.",
    nameless="the session has no ID",
    nameless_hint="Without it the hands cannot be told from those of other sessions.",
)

_OPENING: Final = re.compile(rb'\{\s{0,9}+"CreatedDateTimeUTC"')

FORMAT: Final = Format(
    name="pokergfx",
    title="PokerGFX export (JSON)",
    suffixes=(".json", ".txt"),
    sniff=sniff,
    read=document_by_document(starts_of(_OPENING), read),
    cut=whole,
    live=lambda data, _pipe: last_whole(_OPENING, data),
    appended=False,
)
