"""PokerNow: the log of a private online game, with every act, every word of the host and their times.

`docs/formats/pokernow.md` has the table from row to event, and what a log cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from ledger.account import Account, Reject, TableAccount
from ledger.errors import UnreadableHandError
from ledger.formats.pokernow import rows as r
from ledger.formats.pokernow.exported import tell
from ledger.formats.pokernow.rows import Row, Sitting, Stretch, number_of
from ledger.formats.pokernow.table import TOURNAMENT, Table
from ledger.formats.pokernow.telling import Group, Hands, groups_of
from ledger.hand.opening import GameFormat
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.documents import (
    BLANK,
    MARK,
    Document,
    Listing,
    Stray,
    document_by_document,
    documents,
    last_whole,
    records,
    reject,
    starts_of,
)
from ledger.readers.timestamps import iso
from ledger.vocabulary import Millis

_GAME_ID: Final = "poker_now_log_"


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk, what happened between them and, for what is none, rejects."""
    head = chunk.data[: 64 * 1024]
    if head.removeprefix(MARK).lstrip()[:1] != b"{":
        yield from _table(chunk, people)
    elif r.is_log(head):
        yield from _fetched(chunk, people)
    else:
        yield from records(_EXPORT, chunk, people)


def _table(chunk: Chunk, people: People) -> Iterator[Item]:
    """Read rows of a CSV file."""
    logs, strange = r.rows(chunk)
    if not logs:
        lead = len(MARK) if chunk.start == 0 and chunk.data.startswith(MARK) else 0
        if chunk.data[lead:].strip(BLANK):
            none = UnreadableHandError("no row of a PokerNow log", kind="not-a-hand")
            yield reject(chunk, lead, len(chunk.data), none)
        return
    items: list[Item] = []
    taken: dict[str, int] = {}
    bounds = [0, *(log[0].start for log in logs[1:]), len(chunk.data)]
    for log, (first, last) in zip(logs, pairwise(bounds), strict=True):
        within = [one for one in strange if first <= one.start < last]
        items += _log(chunk, people, _as_happened(chunk, log, within), taken)
    _part(chunk, items)
    yield from items


def _fetched(chunk: Chunk, people: People) -> Iterator[Item]:
    """Read rows of a log in JSON; the bytes between them belong to the first row behind them."""
    try:
        found, documents = _json_rows(chunk)
    except UnreadableHandError as error:
        yield reject(chunk, 0, len(chunk.data), error)
        return
    if not found:
        none = UnreadableHandError("a PokerNow log without rows", kind="not-a-hand")
        yield reject(chunk, 0, len(chunk.data), none)
        return
    taken: dict[str, int] = {}
    items = [item for log in r.in_logs(found) for item in _log(chunk, people, _as_happened(chunk, log, []), taken)]
    for one in documents:
        if isinstance(one, Stray) or one.broken:
            torn = UnreadableHandError("no whole row of a PokerNow log", kind="cut-off")
            items.append(reject(chunk, one.start if isinstance(one, Stray) else one.last, one.end, torn))
    _part(chunk, items)
    _cover(chunk, items)
    yield from items


def _as_happened(chunk: Chunk, log: list[Row], strange: Sequence[Stretch]) -> list[Row]:
    """Return the rows from the first to the last; what is no row stays beside its neighbour."""
    falling = log[0].order >= log[-1].order
    if strange:
        codec = "cp1252" if chunk.encoding == "cp1252" else "utf-8"
        for one in strange:
            near = next((row for row in reversed(log) if row.start < one.start), log[0])
            text = chunk.data[one.start : one.end].decode(codec, "replace").strip()
            log.append(Row(near.order, near.at, text, one.start, one.end - one.start, b""))
        log.sort(key=lambda row: row.start)
    if falling:
        log.reverse()
    if any(after.order < before.order for before, after in pairwise(log)):
        log.sort(key=lambda row: row.order)  # stable
    return log


def _log(chunk: Chunk, people: People, log: list[Row], taken: dict[str, int]) -> list[Item]:
    """Read one log, whose rows are in the order in which they were written."""
    lead, groups = groups_of(log)
    names = _names(chunk.name, groups, taken)
    cents = any("." in row.text for group in groups for row in group.rows if row.text.startswith(r.STACKS))
    known = Table(people, Sitting(log), 2 if cents else 0)
    said = [log[index].text for group in (lead, *groups) for index in group.between]
    form: GameFormat = "tournament" if any(word in text for text in said for word in TOURNAMENT) else "cash"
    hands = Hands(chunk, log, known, r.owner([group.rows for group in groups]), form)
    items = list(hands.between(names[0] if names else _plain_name(chunk.name), lead.between))
    for group, name in zip(groups, names, strict=True):
        items += hands.hand(name, group)
        items += hands.between(name, group.between)
    return items


# -- tables ---------------------------------------------------------------------------------------


def _plain_name(name: str) -> str:
    """Return the game's id that the file's name holds, else the name itself."""
    stem = name.replace("\\", "/").rpartition("/")[2].rpartition("!")[2]
    for suffix in (".csv", ".CSV", ".json", ".JSON", ".txt"):
        stem = stem.removesuffix(suffix)
    at = stem.rfind(_GAME_ID)
    if at >= 0:
        found = stem[at + len(_GAME_ID) :].split(" ", 1)[0].split("(", 1)[0]
        if found:
            return found
    return stem.replace("\0", "").strip()[:120] or "log"


def _names(name: str, groups: Sequence[Group], taken: dict[str, int]) -> list[str]:
    """Return each hand's table. Where hand numbers begin anew, it is another game.

    `taken` has the numbers of the first game of this source, with the moments of their hands.
    """
    plain = _plain_name(name)
    games: list[list[Group]] = []
    last = (0, "")
    for group in groups:
        number = len(group.number), group.number
        if not games or (group.number and number <= last):
            games.append([])
            last = (0, "")
        games[-1].append(group)
        last = number if group.number else last
    found: list[str] = []
    for game in games:
        starts = {one.number: one.rows[0].order for one in game if one.number}
        other = any(taken.get(number, start) != start for number, start in starts.items())
        found += [f"{plain} from {game[0].rows[0].written.decode()}" if other else plain] * len(game)
        if not other:
            taken.update(starts)
    return found


# -- bytes ----------------------------------------------------------------------------------------


def _part(chunk: Chunk, items: list[Item]) -> None:
    """See to it that no byte belongs to two hands and that the first rows of the file are covered."""
    if not items:
        return
    first = min(items, key=lambda item: item.start)
    lead = len(chunk.data[: first.start - chunk.start].lstrip(b"\xef\xbb\xbf \t\r\n"))
    if lead:
        _move(first, -lead)
    end = 0
    for item in sorted((one for one in items if isinstance(one, Account | Reject)), key=lambda one: one.start):
        if item.start < end:
            _move(item, end - item.start)
        end = max(end, item.start + item.length)


def _cover(chunk: Chunk, items: Sequence[Item]) -> None:
    """Let each item reach to the next one: what stands between the rows of a document is theirs."""
    reached, end = None, chunk.start
    for item in sorted(items, key=lambda one: one.start):
        if reached is not None and item.start > end:
            reached.length = item.start - reached.start
        if reached is None or item.start + item.length >= end:
            reached, end = item, item.start + item.length
    if reached is not None:
        rest = len(chunk.data.rstrip(BLANK)) + chunk.start
        reached.length = max(reached.length, rest - reached.start)


def _move(item: Item, by: int) -> None:
    """Let an item begin so many bytes later, or earlier; events whose row then lies before it have no place any more."""
    item.start += by
    item.length = max(0, item.length - by)
    places = item.places if isinstance(item, Account | TableAccount) else []
    for at in range(0, len(places), 2):
        if places[at + 1] and places[at] >= by:
            places[at] -= by
        else:
            places[at] = places[at + 1] = 0


# -- JSON: the export of hands, and the log as the site itself fetches it ----------------------------

_row: Final = msgspec.json.Decoder(dict[str, object], float_hook=str)


def _whose(chunk: Chunk, found: Document) -> tuple[str, str] | None:
    """Return the game's id and whose export it is; None without an id."""
    table, player = found.head.get("gameId"), found.head.get("playerId")
    if found.broken and table is None:
        table = _in_front(chunk.data[found.start : found.start + 400])
    return (table, player if isinstance(player, str) else "") if isinstance(table, str) and table else None


def _in_front(head: bytes) -> str:
    """Return the game's id if it stands before the hands of a document that breaks off."""
    _, found, rest = head.partition(b'"gameId"')
    parts = rest.split(b'"', 2)
    return parts[1].decode("utf-8", "replace") if found and len(parts) == 3 else ""


_EXPORT: Final = Listing(
    "hands",
    tell,
    inside=b'"gameId"',
    whose=_whose,
    none="no PokerNow export begins here",
    empty="a PokerNow export without hands",
    cut_off="the file breaks off within a hand",
    cut_off_hint="Export the game again.",
    nameless="a PokerNow export without a gameId",
)


def _json_rows(chunk: Chunk) -> tuple[list[Row], list[Document | Stray]]:
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
            number = number_of(str(order).encode()) or 100 * _moment(written)
            words = text if isinstance(text, str) else chunk.data[start : start + length].decode("utf-8", "replace")
            said = written if isinstance(written, str) else ""
            found.append(Row(number, number // 100, words, start, length, said[:40].encode("ascii", "replace")))
    return found, others


def _moment(written: object) -> Millis:
    if isinstance(written, str):
        return iso(written) or 0
    return written if type(written) is int and 0 <= written < 10**13 else 0


_COLUMNS: Final = re.compile(rb"entry(?<![\r\n]entry),at,order[\r\n]")
"""How a log begins; column names in a line of their own may stand anywhere in it."""
_OBJECT: Final = re.compile(rb'\{\s{0,9}+"(?:generatedAt|logs)"\s{0,9}+:')
"""How an export in JSON begins."""


def _openings(data: bytes) -> list[int]:
    """Return where a source begins that was cut off, or put behind another; the rarer word is looked for first."""
    found = [one.start() for one in _COLUMNS.finditer(data)]
    if b'"generatedAt"' in data or b'"logs"' in data:
        found += starts_of(_OBJECT)(data)
    return sorted(found)


def _live(data: bytes, pipe: bool) -> tuple[int, int]:
    """Return what can be read of a log that still grows; one that runs backwards grows only as a file written anew."""
    if data.removeprefix(MARK).lstrip()[:1] == b"{":
        return last_whole(_OBJECT, data)
    end = r.whole_rows(data)
    if pipe and r.falls(data[:end]):
        raise UnreadableHandError(
            "this log runs backwards, its newest row first: through a pipe it cannot be followed, it is read at its end",
            kind="backwards",
            hint="Send the rows in the order in which they were written, or follow the file.",
        )
    return 0, end


FORMAT: Final = Format(
    name="pokernow",
    title="PokerNow log (CSV) and export (JSON)",
    suffixes=(".csv", ".json"),
    sniff=r.sniff,
    read=document_by_document(_openings, read),
    cut=r.cut,
    live=_live,
    appended=False,
    named_by_file=True,
)
