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

BATCH: Final = 10_000
"""Rows that are put into a Parquet file at once: what is in memory of a ledger of any size."""


class Told(NamedTuple):
    """One event on its way out: what stands in the ledger, perhaps with less shown, under other names."""

    entry: Entry
    event: Event
    opened: HandOpened


def fields(event: Event) -> dict[str, Any]:
    """Return an event's fields by name, as JSON knows them."""
    return dict(zip(event.__struct_fields__, msgspec.to_builtins(event)[1:], strict=False))


def json_lines(told: Iterable[Told], people: People) -> Iterator[str]:
    """Yield one JSON object a line for each event, with names and texts beside the opaque ids."""
    for entry, event, opened in told:
        inner = fields(event)
        line = {
            "stream": entry.stream.hex,
            "number": opened.number,
            "version": entry.version,
            "position": entry.position,
            "topic": topic(type(event)),
            "event": inner,
        }
        player = inner.get("player")
        if player and (name := people.name(player)) is not None:
            line["name"] = name
        words = inner.get("text") or inner.get("words") or inner.get("claim")
        if isinstance(words, str) and words and (said := people.words(words)):
            line["text"] = said
        yield safe.json(line) + "\n"


def _schema(arrow: ModuleType) -> object:
    number, text, moment = arrow.int64(), arrow.string(), arrow.timestamp("ms", tz="UTC")
    return arrow.schema(
        [
            ("position", number),
            ("stream", text),
            ("version", arrow.int32()),
            ("venue", text),
            ("tournament", text),
            ("table", text),
            ("hand", text),
            ("started", moment),
            ("topic", text),
            ("seat", arrow.int16()),
            ("player", text),
            ("name", text),
            ("amount", number),
            ("to", number),
            ("cards", text),
            ("at", moment),
            ("recorded", moment),
            ("how", text),
            ("source", text),
            ("start", number),
            ("length", number),
            ("event", text),
        ]
    )


def parquet(hands: Iterable[tuple[Iterable[Told], People]], path: Path) -> int:
    """Write a Parquet file with a row for each event of the hands, in whose people they are named; return how many.

    `pyarrow` missing: `MissingExtraError`.

    `event` is the whole event as JSON; `amount` is what it moves, in units of the hand's game.
    """
    try:
        arrow, writing = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError("Parquet", "parquet") from None
    schema = _schema(arrow)
    count = 0
    with writing.ParquetWriter(str(path), schema, compression="zstd") as out:
        batch: list[dict[str, object]] = []
        for told, people in hands:
            batch += [_row(one, people) for one in told]
            if len(batch) >= BATCH:
                out.write_table(arrow.Table.from_pylist(batch, schema))
                count += len(batch)
                batch = []
        if batch or not count:
            out.write_table(arrow.Table.from_pylist(batch, schema))
    return count + len(batch)


def _row(told: Told, people: People) -> dict[str, object]:
    entry, event, opened = told
    inner = fields(event)
    player = inner.get("player") or None
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
        "seat": inner.get("seat"),
        "player": player,
        "name": people.name(player) if player else None,
        "amount": _amount(inner),
        "to": inner.get("to"),
        "cards": inner.get("cards"),
        "at": entry.mark.at,
        "recorded": entry.recorded.at,
        "how": entry.mark.how,
        "source": source.source if source else None,
        "start": source.start + entry.mark.start if source and entry.mark.length else None,
        "length": entry.mark.length or None,
        "event": msgspec.json.encode(inner).decode(),
    }


def _amount(inner: Mapping[str, object]) -> int | None:
    """Return what an event moves: the chips added, the post, the award."""
    live, dead = inner.get("live"), inner.get("dead")
    if isinstance(live, int) and isinstance(dead, int):
        return live + dead
    found = inner.get("added", inner.get("amount"))
    return found if isinstance(found, int) else None
