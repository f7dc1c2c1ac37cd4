"""Where the hands of an export stand: one document for a session, rewritten after every hand.

Every byte belongs to a hand or to a reject: what stands before the first hand belongs to it, what
follows a hand up to the next one belongs to that hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from ledger.account import Reject, TableAccount
from ledger.errors import UnreadableHandError
from ledger.formats.pokergfx.reading import tell
from ledger.formats.pokergfx.words import VENUE
from ledger.hand.ending import LineUnread, RemarkNoted
from ledger.notation import Chunk, Item
from ledger.people import People
from ledger.table.events import TableEvent
from ledger.telling.reading import in_unit
from ledger.telling.spans import elements, members, whole_elements

_SIDE_FILE: Final = b"GAME,PokerGFX"
_BLANK: Final = b" \t\r\n\0\x0b\x0c\x1a"
_MARK: Final = b"\xef\xbb\xbf"
_DIGITS_MOST: Final = 20

_KNOWN: Final = frozenset((
    "CreatedDateTimeUTC", "EventTitle", "Hands", "ID", "Payouts", "SoftwareVersion", "Type",
))  # fmt: skip
"""Members of a session. Payouts and version belong to no hand: the bytes keep them."""

_decoder: Final = msgspec.json.Decoder(float_hook=str)


def sniff(head: bytes) -> int:
    """Return how sure it is that this is a PokerGFX export: 0 no, 100 certain."""
    bare = head.removeprefix(_MARK).lstrip()
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
    first = len(_MARK) if data.startswith(_MARK) else 0
    if not data[first:].strip(_BLANK):
        return
    try:
        _refuse(chunk, data[first : first + 64])
        sessions, end = _sessions(data, first)
    except UnreadableHandError as error:
        yield _reject(chunk, first, len(data), error)
        return
    at = first
    for start, length in sessions:
        if data[at:start].strip(_BLANK):
            yield _reject(chunk, at, start, _no_hand())
        yield from _session(chunk, people, start, start + length)
        at = start + length
    if data[at:].strip(_BLANK):
        yield from _rest(chunk, people, at, max(at, end))


def _sessions(data: bytes, first: int) -> tuple[list[tuple[int, int]], int]:
    """Return where sessions stand, and the byte behind the last one that is whole."""
    end = first + len(data[first:].rstrip(_BLANK))
    try:
        members(data, first, end - first)
    except UnreadableHandError:  # several documents, or one that is damaged
        return whole_elements(data, first)
    return [(first, end - first)], end


def _refuse(chunk: Chunk, head: bytes) -> None:
    if chunk.encoding.startswith("utf-16"):
        raise UnreadableHandError(
            "a PokerGFX export in UTF-16", kind="encoding", hint="Save the file as UTF-8."
        )
    if head.lstrip().startswith(_SIDE_FILE):
        raise UnreadableHandError(
            "PokerGFX's side file, which tells the hands of the sessions' exports again without saying which session they are of",
            kind="side-file",
            hint="Import the files named PGFX_live_data_export GameID=….json: they hold these hands, and more of each.",
        )  # fmt: skip


def _no_hand() -> UnreadableHandError:
    return UnreadableHandError("no PokerGFX session begins here", kind="not-a-hand")


def _reject(chunk: Chunk, start: int, end: int, error: UnreadableHandError) -> Reject:
    end = start + len(chunk.data[start:end].rstrip(_BLANK))
    line = chunk.line + chunk.data.count(b"\n", 0, start)
    return Reject(chunk.start + start, end - start, line, error.kind, error.reason, error.hint)


def _rest(chunk: Chunk, people: People, at: int, start: int) -> Iterator[Item]:
    """Read the hands of a session that breaks off; what follows the last whole one is rejected."""
    data = chunk.data
    if not sniff(data[start:]):
        yield _reject(chunk, at, len(data), _no_hand())
        return
    if data[at:start].strip(_BLANK):
        yield _reject(chunk, at, start, _no_hand())
    yield from _session(chunk, people, start, len(data), broken=True)


def _session(
    chunk: Chunk, people: People, start: int, end: int, *, broken: bool = False
) -> Iterator[Item]:
    """Read one session at these bytes. `broken`: the document has no end."""
    data = chunk.data
    try:
        head: dict[str, Any] = {}
        if broken:
            places: dict[str, tuple[int, int]] = {}
            behind = data.find(b"[", max(data.find(b'"Hands"', start), start)) + 1
            hands, _ = whole_elements(data, behind) if behind else ([], 0)
            table = _named(chunk.name) or _by_date(data[start : start + 400])
        else:
            places = members(data, start, end - start)
            head = {
                name: _decoder.decode(data[at : at + length])
                for name, (at, length) in places.items()
                if name != "Hands"
            }
            at, length = places.get("Hands", (start, 0))
            behind = data.find(b"[", at, at + length) + 1
            hands = _elements(data, at, length) if behind else []
            table = _identity(head.get("ID")) or _named(chunk.name) or _ticks(head.get("CreatedDateTimeUTC"))  # fmt: skip
        if not hands or not table:
            raise _empty(hands, broken=broken)
    except UnreadableHandError as error:
        yield _reject(chunk, start, end, error)
        return
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        damaged = UnreadableHandError(f"no JSON that can be read: {error}", kind="damaged")
        yield _reject(chunk, start, end, damaged)
        return
    yield from _title(chunk, people, table, head, places)
    last = hands[-1][0] + hands[-1][1]
    stops = [at for at, _ in hands[1:]] + [last if broken else end]
    for (at, length), begin, stop in zip(hands, [start, *stops], stops, strict=False):
        yield _hand(chunk, people, table, (at, length), (begin, stop))
    if broken and data[last:end].strip(_BLANK + b",]}"):
        cut_off = UnreadableHandError(
            "the file breaks off within a hand", kind="cut-off",
            hint="The program writes the file anew after every hand: fetch it again.",
        )  # fmt: skip
        yield _reject(chunk, last, end, cut_off)


def _elements(data: bytes, at: int, length: int) -> list[tuple[int, int]]:
    """Return the objects of an array; what stands among them and is none belongs to its neighbour."""
    return [one for one in elements(data, at, length) if data[one[0] : one[0] + 1] == b"{"]


def _empty(hands: list[tuple[int, int]], *, broken: bool) -> UnreadableHandError:
    if hands:
        return UnreadableHandError(
            "the session has no ID", kind="no-header",
            hint="Without it the hands cannot be told from those of other sessions.",
        )  # fmt: skip
    if broken:
        return UnreadableHandError(
            "the file breaks off before the first hand is whole", kind="cut-off"
        )
    return UnreadableHandError("a PokerGFX session without hands", kind="not-a-hand")


def _hand(
    chunk: Chunk, people: People, table: str, place: tuple[int, int], span: tuple[int, int]
) -> Item:
    """Read the hand at `place`; `span` are the bytes that it answers for."""
    begin, stop = span[0], span[0] + len(chunk.data[span[0] : span[1]].rstrip(_BLANK))
    try:
        told = in_unit(lambda exponent: tell(chunk.data, place, table, people, exponent))
    except UnreadableHandError as error:
        return _reject(chunk, begin, stop, error)
    told.base = begin
    return told.account(chunk.start, begin, stop - begin)


def _title(
    chunk: Chunk,
    people: People,
    table: str,
    head: dict[str, Any],
    places: dict[str, tuple[int, int]],
) -> Iterator[TableAccount]:
    """Keep what the session says of itself in words, as facts of the table."""
    for name, value in head.items():
        event: TableEvent
        if name == "EventTitle" and isinstance(value, str) and value.strip("\0 "):
            event = RemarkNoted(people.text(value.replace("\0", " ")))
        elif name not in _KNOWN:
            said = msgspec.json.encode(value).decode()[:2000].replace("\\u0000", " ")
            event = LineUnread(people.text(f"{name}: {said}".replace("\0", " ")))
        else:
            continue
        at, length = places[name]
        yield TableAccount(VENUE, table, [event], [0, length], chunk.start + at, length)


def _identity(value: object) -> str:
    """Return a session's ID as its table is called, "" if it is none."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return str(value) if value < 10**_DIGITS_MOST else ""
    return value.strip()[:80].replace("\0", "") if isinstance(value, str) else ""


def _named(name: str) -> str:
    """Return the ID that the file's name holds: `… GameID=638964779338222042.json`."""
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
