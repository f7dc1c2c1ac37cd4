"""PokerNow: the log of a private online game, with every action, the host's decisions and their times.

`docs/formats/pokernow.md` has the table from row to event, and what a log cannot say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from ledger.account import Account, Reject, TableAccount
from ledger.decoders import build_json_decoder
from ledger.errors import UnreadableHandError
from ledger.formats.pokernow import rows
from ledger.formats.pokernow.exported import read_exported_hand
from ledger.formats.pokernow.log_hands import HandRows, HandTeller, group_rows
from ledger.formats.pokernow.rows import LogRow, SeatHistory, Stretch, parse_order
from ledger.formats.pokernow.table import TOURNAMENT_WORDS, PokerNowTable
from ledger.hand.opening import GameFormat
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.documents import (
    BLANK,
    BYTE_ORDER_MARK,
    DocumentListing,
    JsonDocument,
    StrayBytes,
    build_document_reader,
    build_opening_finder,
    find_last_document,
    iter_documents,
    read_records,
    reject_bytes,
)
from ledger.readers.timestamps import parse_iso
from ledger.vocabulary import Millis

_GAME_ID: Final = "poker_now_log_"


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield the hands of a chunk, the facts between them, and rejects for what isn't a hand."""
    beginning = chunk.data[: 64 * 1024]
    if beginning.removeprefix(BYTE_ORDER_MARK).lstrip()[:1] != b"{":
        yield from _read_csv(chunk, people)
    elif rows.is_log(beginning):
        yield from _read_json_log(chunk, people)
    else:
        yield from read_records(_EXPORT, chunk, people)


def _read_csv(chunk: Chunk, people: People) -> Iterator[Item]:
    """Read rows of a CSV file."""
    logs, stray_stretches = rows.split_rows(chunk)
    if not logs:
        mark_length = len(BYTE_ORDER_MARK) if chunk.start == 0 and chunk.data.startswith(BYTE_ORDER_MARK) else 0
        if chunk.data[mark_length:].strip(BLANK):
            no_row_error = UnreadableHandError("no row of a PokerNow log", kind="not-a-hand")
            yield reject_bytes(chunk, mark_length, len(chunk.data), no_row_error)
        return
    items: list[Item] = []
    numbers_taken: dict[str, int] = {}
    bounds = [0, *(log[0].start for log in logs[1:]), len(chunk.data)]
    for log, (log_start, log_end) in zip(logs, pairwise(bounds), strict=True):
        stretches_inside = [stretch for stretch in stray_stretches if log_start <= stretch.start < log_end]
        items += _read_log(chunk, people, _sort_rows(chunk, log, stretches_inside), numbers_taken)
    _separate_bytes(chunk, items)
    yield from items


def _read_json_log(chunk: Chunk, people: People) -> Iterator[Item]:
    """Read rows of a log in JSON; the bytes between two rows belong to the later one."""
    try:
        log_rows, documents = _parse_json_rows(chunk)
    except UnreadableHandError as error:
        yield reject_bytes(chunk, 0, len(chunk.data), error)
        return
    if not log_rows:
        no_row_error = UnreadableHandError("a PokerNow log without rows", kind="not-a-hand")
        yield reject_bytes(chunk, 0, len(chunk.data), no_row_error)
        return
    numbers_taken: dict[str, int] = {}
    items = [
        item
        for log in rows.split_logs(log_rows)
        for item in _read_log(chunk, people, _sort_rows(chunk, log, []), numbers_taken)
    ]
    for document in documents:
        if isinstance(document, StrayBytes) or document.is_cut_off:
            torn_error = UnreadableHandError("no whole row of a PokerNow log", kind="cut-off")
            items.append(
                reject_bytes(
                    chunk,
                    document.start if isinstance(document, StrayBytes) else document.end_of_parts,
                    document.end,
                    torn_error,
                )
            )
    _separate_bytes(chunk, items)
    _cover_bytes(chunk, items)
    yield from items


def _sort_rows(chunk: Chunk, log: list[LogRow], stray_stretches: Sequence[Stretch]) -> list[LogRow]:
    """Return the rows from the oldest to the newest; text that isn't a row stays beside its neighbor."""
    is_newest_first = log[0].order >= log[-1].order
    if stray_stretches:
        codec = "cp1252" if chunk.encoding == "cp1252" else "utf-8"
        for stretch in stray_stretches:
            nearest_row = next((row for row in reversed(log) if row.start < stretch.start), log[0])
            stray_text = chunk.data[stretch.start : stretch.end].decode(codec, "replace").strip()
            log.append(
                LogRow(
                    nearest_row.order, nearest_row.moment, stray_text, stretch.start, stretch.end - stretch.start, b""
                )
            )
        log.sort(key=lambda row: row.start)
    if is_newest_first:
        log.reverse()
    if any(next_row.order < this_row.order for this_row, next_row in pairwise(log)):
        log.sort(key=lambda row: row.order)  # a stable sort: rows of one moment keep their order
    return log


def _read_log(chunk: Chunk, people: People, log: list[LogRow], numbers_taken: dict[str, int]) -> list[Item]:
    """Read one log, whose rows run from the oldest to the newest."""
    leading_group, groups = group_rows(log)
    table_names = _build_table_names(chunk.name, groups, numbers_taken)
    has_cents = any("." in row.text for group in groups for row in group.rows if row.text.startswith(rows.STACKS))
    table = PokerNowTable(people, SeatHistory(log), 2 if has_cents else 0)
    row_texts = [log[index].text for group in (leading_group, *groups) for index in group.indexes_after]
    game_format: GameFormat = (
        "tournament" if any(word in text for text in row_texts for word in TOURNAMENT_WORDS) else "cash"
    )
    hands = HandTeller(chunk, log, table, rows.find_owner([group.rows for group in groups]), game_format)
    items = list(
        hands.read_between(table_names[0] if table_names else _get_plain_name(chunk.name), leading_group.indexes_after)
    )
    for group, table_name in zip(groups, table_names, strict=True):
        items += hands.read_hand(table_name, group)
        items += hands.read_between(table_name, group.indexes_after)
    return items


# -- tables ---------------------------------------------------------------------------------------


def _get_plain_name(file_name: str) -> str:
    """Return the game's id in the file's name, otherwise the name itself."""
    file_stem = file_name.replace("\\", "/").rpartition("/")[2].rpartition("!")[2]
    for suffix in (".csv", ".CSV", ".json", ".JSON", ".txt"):
        file_stem = file_stem.removesuffix(suffix)
    id_index = file_stem.rfind(_GAME_ID)
    if id_index >= 0:
        game_id = file_stem[id_index + len(_GAME_ID) :].split(" ", 1)[0].split("(", 1)[0]
        if game_id:
            return game_id
    return file_stem.replace("\0", "").strip()[:120] or "log"


def _build_table_names(file_name: str, groups: Sequence[HandRows], numbers_taken: dict[str, int]) -> list[str]:
    """Return each hand's table. Where hand numbers start again, another game begins.

    `taken` has the numbers of the first game of this source, with the moments of their hands.
    """
    plain_name = _get_plain_name(file_name)
    games: list[list[HandRows]] = []
    last_number = (0, "")
    for group in groups:
        number = len(group.number), group.number
        if not games or (group.number and number <= last_number):
            games.append([])
            last_number = (0, "")
        games[-1].append(group)
        last_number = number if group.number else last_number
    table_names: list[str] = []
    for game in games:
        starts_by_number = {hand_rows.number: hand_rows.rows[0].order for hand_rows in game if hand_rows.number}
        is_another_game = any(
            numbers_taken.get(number, start_order) != start_order for number, start_order in starts_by_number.items()
        )
        table_names += [
            f"{plain_name} from {game[0].rows[0].moment_text.decode()}" if is_another_game else plain_name
        ] * len(game)
        if not is_another_game:
            numbers_taken.update(starts_by_number)
    return table_names


# -- bytes ----------------------------------------------------------------------------------------


def _separate_bytes(chunk: Chunk, items: list[Item]) -> None:
    """Make sure that no byte belongs to two hands, and that some item covers the file's first rows."""
    if not items:
        return
    first = min(items, key=lambda item: item.start)
    leading_bytes = len(chunk.data[: first.start - chunk.start].lstrip(b"\xef\xbb\xbf \t\r\n"))
    if leading_bytes:
        _move_start(first, -leading_bytes)
    end = 0
    for item in sorted(
        (hand_item for hand_item in items if isinstance(hand_item, Account | Reject)),
        key=lambda hand_item: hand_item.start,
    ):
        if item.start < end:
            _move_start(item, end - item.start)
        end = max(end, item.start + item.length)


def _cover_bytes(chunk: Chunk, items: Sequence[Item]) -> None:
    """Extend each item to the next one, so that the text between a document's rows belongs to one."""
    last_item, end = None, chunk.start
    for item in sorted(items, key=lambda later_item: later_item.start):
        if last_item is not None and item.start > end:
            last_item.length = item.start - last_item.start
        if last_item is None or item.start + item.length >= end:
            last_item, end = item, item.start + item.length
    if last_item is not None:
        content_end = len(chunk.data.rstrip(BLANK)) + chunk.start
        last_item.length = max(last_item.length, content_end - last_item.start)


def _move_start(item: Item, distance: int) -> None:
    """Move an item's start by some bytes; events whose row is before the new start lose their place."""
    item.start += distance
    item.length = max(0, item.length - distance)
    places = item.places if isinstance(item, Account | TableAccount) else []
    for index in range(0, len(places), 2):
        if places[index + 1] and places[index] >= distance:
            places[index] -= distance
        else:
            places[index] = places[index + 1] = 0


# -- JSON: the export of hands, and the log as the site itself fetches it ----------------------------

_row_decoder: Final = build_json_decoder(dict[str, object], float_hook=str)


def _find_export_key(chunk: Chunk, document: JsonDocument) -> tuple[str, str] | None:
    """Return the game's id and the exporting player's, or None without a game's id."""
    table, player = document.other_members.get("gameId"), document.other_members.get("playerId")
    if document.is_cut_off and table is None:
        table = _find_leading_game_id(chunk.data[document.start : document.start + 400])
    return (table, player if isinstance(player, str) else "") if isinstance(table, str) and table else None


def _find_leading_game_id(beginning: bytes) -> str:
    """Return the game's id at the beginning of a document that breaks off, or ""."""
    _, member_name, text_after = beginning.partition(b'"gameId"')
    parts = text_after.split(b'"', 2)
    return parts[1].decode("utf-8", "replace") if member_name and len(parts) == 3 else ""


_EXPORT: Final = DocumentListing(
    "hands",
    read_exported_hand,
    hand_mark=b'"gameId"',
    shared_values=_find_export_key,
    not_a_hand="no PokerNow export begins here",
    no_hands="a PokerNow export without hands",
    cut_off="the file breaks off within a hand",
    cut_off_hint="Export the game again.",
    nameless="a PokerNow export without a gameId",
)


def _parse_json_rows(chunk: Chunk) -> tuple[list[LogRow], list[JsonDocument | StrayBytes]]:
    """Return the rows of a log in JSON, in the order of the file, and all its documents and stray texts.

    What cannot be read at all raises `UnreadableHandError`.
    """
    log_rows: list[LogRow] = []
    all_documents: list[JsonDocument | StrayBytes] = []
    for document in iter_documents(chunk.data, "logs", inside=b'"msg"'):
        all_documents.append(document)
        if isinstance(document, StrayBytes):
            continue
        for start, length in document.parts:
            try:
                row_value = _row_decoder.decode(chunk.data[start : start + length])
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
                row_value = {}
            message, order, moment_value = (row_value.get(member) for member in ("msg", "created_at", "at"))
            order_number = parse_order(str(order).encode()) or 100 * _parse_moment(moment_value)
            row_text = (
                message if isinstance(message, str) else chunk.data[start : start + length].decode("utf-8", "replace")
            )
            moment_text = moment_value if isinstance(moment_value, str) else ""
            log_rows.append(
                LogRow(
                    order_number,
                    order_number // 100,
                    row_text,
                    start,
                    length,
                    moment_text[:40].encode("ascii", "replace"),
                )
            )
    return log_rows, all_documents


def _parse_moment(moment_value: object) -> Millis:
    if isinstance(moment_value, str):
        return parse_iso(moment_value) or 0
    return moment_value if type(moment_value) is int and 0 <= moment_value < 10**13 else 0


_COLUMN_NAMES: Final = re.compile(rb"entry(?<![\r\n]entry),at,order[\r\n]")
"""The beginning of a log. Column names in a line of their own may be anywhere in it."""
_OBJECT_START: Final = re.compile(rb'\{\s{0,9}+"(?:generatedAt|logs)"\s{0,9}+:')
"""The beginning of an export in JSON."""


def _find_openings(data: bytes) -> list[int]:
    """Return the starts of sources within this one: one was cut off, or another was appended to it."""
    starts = [match.start() for match in _COLUMN_NAMES.finditer(data)]
    if b'"generatedAt"' in data or b'"logs"' in data:
        starts += build_opening_finder(_OBJECT_START)(data)
    return sorted(starts)


def _find_readable_part(data: bytes, is_pipe: bool) -> tuple[int, int]:
    """Return the readable part of a growing log. One with its newest row first grows only by being written again."""
    if data.removeprefix(BYTE_ORDER_MARK).lstrip()[:1] == b"{":
        return find_last_document(_OBJECT_START, data)
    end = rows.find_last_row_end(data)
    if is_pipe and rows.is_falling(data[:end]):
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
    sniff=rows.sniff,
    read=build_document_reader(_find_openings, read),
    find_cut=rows.cut,
    find_complete=_find_readable_part,
    is_appended=False,
    is_named_by_file=True,
)
