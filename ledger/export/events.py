"""Events as rows: one JSON object a line, or the columns of a Parquet file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import msgspec

from ledger import safe
from ledger.entry import Entry
from ledger.errors import MissingExtraError
from ledger.event import Event, topic
from ledger.hand.opening import HandOpened
from ledger.people import People

BATCH_ROWS: Final = 10_000
"""The number of rows written to a Parquet file at once, which bounds the memory."""


class ExportedEvent(NamedTuple):
    """An exported event with its entry in the ledger. Its cards may be hidden and its players renamed."""

    entry: Entry
    event: Event
    opened: HandOpened


def list_fields(event: Event) -> dict[str, Any]:
    """Return an event's fields by name, as JSON values."""
    return dict(zip(event.__struct_fields__, msgspec.to_builtins(event)[1:], strict=False))


def write_json_lines(exported_events: Iterable[ExportedEvent], people: People) -> Iterator[str]:
    """Yield a line of JSON for each event, with names and texts in addition to the opaque ids."""
    for entry, event, opened in exported_events:
        event_fields = list_fields(event)
        json_row = {
            "stream": entry.stream.hex,
            "number": opened.number,
            "version": entry.version,
            "position": entry.position,
            "topic": topic(type(event)),
            "event": event_fields,
        }
        player = event_fields.get("player")
        if player and (player_name := people.name(player)) is not None:
            json_row["name"] = player_name
        text_reference = event_fields.get("text") or event_fields.get("words") or event_fields.get("claim")
        if isinstance(text_reference, str) and text_reference and (free_text := people.words(text_reference)):
            json_row["text"] = free_text
        yield safe.json(json_row) + "\n"


def _build_parquet_schema(pyarrow: ModuleType) -> object:
    integer_type, string_type, timestamp_type = pyarrow.int64(), pyarrow.string(), pyarrow.timestamp("ms", tz="UTC")
    return pyarrow.schema(
        [
            ("position", integer_type),
            ("stream", string_type),
            ("version", pyarrow.int32()),
            ("venue", string_type),
            ("tournament", string_type),
            ("table", string_type),
            ("hand", string_type),
            ("started", timestamp_type),
            ("topic", string_type),
            ("seat", pyarrow.int16()),
            ("player", string_type),
            ("name", string_type),
            ("amount", integer_type),
            ("to", integer_type),
            ("cards", string_type),
            ("at", timestamp_type),
            ("recorded", timestamp_type),
            ("how", string_type),
            ("source", string_type),
            ("start", integer_type),
            ("length", integer_type),
            ("event", string_type),
        ]
    )


def write_parquet(exported_hands: Iterable[tuple[Iterable[ExportedEvent], People]], file_path: Path) -> int:
    """Write a Parquet file with a row for each event of the hands, in whose people they are named; return how many.

    `pyarrow` missing: `MissingExtraError`.

    `event` is the whole event as JSON; `amount` is what it moves, in units of the hand's game.
    """
    try:
        pyarrow, pyarrow_parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError("Parquet", "parquet") from None
    schema = _build_parquet_schema(pyarrow)
    row_count = 0
    with pyarrow_parquet.ParquetWriter(str(file_path), schema, compression="zstd") as parquet_writer:
        row_batch: list[dict[str, object]] = []
        for exported_events, people in exported_hands:
            row_batch += [_build_parquet_row(exported_event, people) for exported_event in exported_events]
            if len(row_batch) >= BATCH_ROWS:
                parquet_writer.write_table(pyarrow.Table.from_pylist(row_batch, schema))
                row_count += len(row_batch)
                row_batch = []
        if row_batch or not row_count:
            parquet_writer.write_table(pyarrow.Table.from_pylist(row_batch, schema))
    return row_count + len(row_batch)


def _build_parquet_row(exported_event: ExportedEvent, people: People) -> dict[str, object]:
    entry, event, opened = exported_event
    event_fields = list_fields(event)
    player = event_fields.get("player") or None
    source = entry.recorded.source
    return {
        "position": entry.position,
        "stream": entry.stream.hex,
        "version": entry.version,
        "venue": opened.venue,
        "tournament": opened.tournament,
        "table": opened.table,
        "hand": opened.number,
        "started": opened.started,
        "topic": topic(type(event)),
        "seat": _get_number(event_fields, "seat"),
        "player": player,
        "name": people.name(player) if player else None,
        "amount": _get_moved_amount(event_fields),
        "to": _get_number(event_fields, "to"),
        "cards": cards if isinstance(cards := event_fields.get("cards"), str) else None,
        "at": entry.mark.time,
        "recorded": entry.recorded.time,
        "how": entry.mark.basis,
        "source": source.source if source else None,
        "start": source.start + entry.mark.start if source and entry.mark.length else None,
        "length": entry.mark.length or None,
        "event": msgspec.json.encode(event_fields).decode(),
    }


def _get_number(event_fields: Mapping[str, object], name: str) -> int | None:
    """Return a field for a column of numbers, or None if the event lacks it or has text in it."""
    number = event_fields.get(name)
    return number if type(number) is int else None


def _get_moved_amount(event_fields: Mapping[str, object]) -> int | None:
    """Return the chips that an event moves: added chips, a post or an award."""
    live_chips, dead_chips = event_fields.get("live"), event_fields.get("dead")
    if isinstance(live_chips, int) and isinstance(dead_chips, int):
        return live_chips + dead_chips
    moved_chips = event_fields.get("added", event_fields.get("amount"))
    return moved_chips if isinstance(moved_chips, int) else None
