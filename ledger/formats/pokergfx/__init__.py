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
from ledger.formats.pokergfx.players import VENUE
from ledger.formats.pokergfx.recorded_hand import read_hand
from ledger.hand.ending import LineUnread, RemarkNoted
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.documents import (
    BYTE_ORDER_MARK,
    DocumentListing,
    JsonDocument,
    build_document_reader,
    build_opening_finder,
    find_last_document,
    read_records,
    reject_bytes,
)
from ledger.readers.hand_boundaries import never_cut
from ledger.readers.json_hand import split_names
from ledger.table.events import TableEvent

_SIDE_FILE: Final = b"GAME,PokerGFX"
_MAX_DIGITS: Final = 20

_SESSION_MEMBERS: Final = split_names("CreatedDateTimeUTC EventTitle Hands ID Payouts SoftwareVersion Type")
"""Members of a session. Payouts and version belong to no hand; only the bytes keep them."""


def sniff(beginning: bytes) -> int:
    """Return how certain it is that this is a PokerGFX export, from 0 to 100."""
    stripped_beginning = beginning.removeprefix(BYTE_ORDER_MARK).lstrip()
    if stripped_beginning.startswith(_SIDE_FILE):
        return 90
    if stripped_beginning[:1] != b"{":
        return 0
    if b'"CreatedDateTimeUTC"' in beginning and b'"Hands"' in beginning:
        return 95
    return 90 if b'"FlopDrawBlinds"' in beginning and b'"Players"' in beginning else 0


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk, the session's own facts, and rejects for what isn't a hand."""
    data = chunk.data
    unmarked_data = data.removeprefix(BYTE_ORDER_MARK)
    if unmarked_data[:64].lstrip().startswith(_SIDE_FILE):
        yield reject_bytes(chunk, len(data) - len(unmarked_data), len(data), _SIDE_FILE_ERROR)
    else:
        yield from read_records(_SESSIONS, chunk, people)


def _find_session_key(chunk: Chunk, session: JsonDocument) -> tuple[str] | None:
    """Return a session's ID: its own, the one in the file's name, or one made from its start time."""
    table = (
        _find_session_id(session.other_members.get("ID"))
        or _parse_id_from_file_name(chunk.name)
        or _count_ticks(session.other_members.get("CreatedDateTimeUTC"))
        or _parse_id_from_date(chunk.data[session.start : session.start + 400])
    )
    return (table,) if table else None


def _read_session(
    chunk: Chunk, people: People, session: JsonDocument, session_key: tuple[str, ...]
) -> Iterator[TableAccount]:
    """Yield the session's own words as facts of the table."""
    (table,) = session_key
    for member_name, value in session.other_members.items():
        event: TableEvent
        if member_name == "EventTitle" and isinstance(value, str) and value.strip("\0 "):
            event = RemarkNoted(people.text(value.replace("\0", " ")))
        elif member_name not in _SESSION_MEMBERS:
            value_text = msgspec.json.encode(value).decode()[:2000].replace("\\u0000", " ")
            event = LineUnread(people.text(f"{member_name}: {value_text}".replace("\0", " ")))
        else:
            continue
        value_start, length = session.member_spans[member_name]
        yield TableAccount(VENUE, table, [event], [0, length], chunk.start + value_start, length)


def _find_session_id(value: object) -> str:
    """Return a session's ID as the name of its table, "" if the value isn't one."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return str(value) if value < 10**_MAX_DIGITS else ""
    return value.strip()[:80].replace("\0", "") if isinstance(value, str) else ""


def _parse_id_from_file_name(file_name: str) -> str:
    """Return the ID in the file's name, `… GameID=900000000000000028.json`, or ""."""
    digits = file_name.rpartition("GameID=")[2].partition(".")[0].split(" ", 1)[0]
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS
    return digits if is_number and "GameID=" in file_name else ""


def _parse_id_from_date(beginning: bytes) -> str:
    """Return the ID made from the start time at the beginning of a document, or ""."""
    _, member_name, text_after = beginning.partition(b'"CreatedDateTimeUTC"')
    return (
        _count_ticks(text_after.split(b'"')[1].decode("utf-8", "replace")) if member_name and b'"' in text_after else ""
    )


def _count_ticks(created_at: object) -> str:
    """Return a moment as the program counts it, in tenths of a microsecond since the year 1; "" if it isn't one."""
    if not isinstance(created_at, str) or not created_at.isascii() or len(created_at) > 40:
        return ""
    whole_seconds, _, fraction = created_at.rstrip("Z").partition(".")
    if fraction and not fraction.isdigit():
        return ""
    try:
        time_passed = datetime.fromisoformat(whole_seconds).replace(tzinfo=UTC) - datetime(1, 1, 1, tzinfo=UTC)
    except ValueError:
        return ""
    seconds = time_passed.days * 86_400 + time_passed.seconds
    return str(seconds * 10_000_000 + int(fraction[:7].ljust(7, "0") or "0"))


_SIDE_FILE_ERROR: Final = UnreadableHandError(
    "PokerGFX's side file, which tells the hands of the sessions' exports again without saying which session they are of",
    kind="side-file",
    hint="Import the files named PGFX_live_data_export GameID=….json: they hold these hands, and more of each.",
)
_SESSIONS: Final = DocumentListing(
    "Hands",
    read_hand,
    hand_mark=b'"CreatedDateTimeUTC"',
    shared_values=_find_session_key,
    read_extras=_read_session,
    not_a_hand="no PokerGFX session begins here",
    no_hands="a PokerGFX session without hands",
    cut_off="the file breaks off within a hand",
    cut_off_hint="The program writes the file anew after every hand: fetch it again.",
    nameless="the session has no ID",
    nameless_hint="Without it the hands cannot be told from those of other sessions.",
)

_SESSION_START: Final = re.compile(rb'\{\s{0,9}+"CreatedDateTimeUTC"')

FORMAT: Final = Format(
    name="pokergfx",
    title="PokerGFX export (JSON)",
    suffixes=(".json", ".txt"),
    sniff=sniff,
    read=build_document_reader(build_opening_finder(_SESSION_START), read),
    find_cut=never_cut,
    find_complete=lambda data, _pipe: find_last_document(_SESSION_START, data),
    is_appended=False,
)
