"""Open a table before its first hand, and find the stakes that changed since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, cast
from uuid import UUID

from ledger.entry import Provenance
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.header import apply_changes
from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade
from ledger.hand.opening import GameSet
from ledger.store.commits import CommitDraft
from ledger.store.hands.hand_accounts import TableKey
from ledger.streams import table_stream
from ledger.table.events import GameChanged, StakesChanged, TableOpened

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.recording.author import Author
    from ledger.store import Ledger
    from ledger.table.events import GameSetting

_KEY: Final = "table-opened:"
"""Prefix of the key of a commit that opens a table with its game."""
_OPENINGS_PER_TABLE: Final = 3
"""A table is seldom opened more often: a game is chosen again after a slip."""


def build_table_opened(settings: Settings, opening: Sequence[Event] = ()) -> TableOpened:
    """Return the event that opens a table. `opening`: its game and the house's options, if chosen already."""
    return TableOpened(
        settings.venue,
        settings.table,
        settings.tournament,
        settings.club,
        settings.seats,
        settings.witnesses,
        cast("tuple[GameSetting, ...]", tuple(opening)),
    )


def open_table(ledger: Ledger, settings: Settings, opening: Sequence[Event], author: Author) -> None:
    """Record the game of a table for its first hand on. `opening` has its game and the house's options."""
    stream = table_stream(settings.venue, settings.tournament, settings.table)
    opened = build_table_opened(settings, opening)
    count = sum(1 for _ in ledger.entries_of_types(stream, TableOpened))
    provenance = Provenance(ledger.now(), author.clock, author.name, f"{_KEY}{stream.hex}:{count}")
    encoded_event = ledger.mapper.encode("table", [opened])
    ledger.append_all([CommitDraft("table", stream, None, 1, encoded_event, b"", provenance)])


def find_settings_before_hands(ledger: Ledger, table_key: TableKey) -> tuple[Settings, list[Event]] | None:
    """Return the last settings of a table without a hand, or None if its game isn't recorded."""
    openings = [
        (entry.position, entry.event)
        for entry in ledger.entries_of_types(table_stream(*table_key), TableOpened)
        if isinstance(entry.event, TableOpened) and entry.event.opening
    ]
    if not openings:
        return None
    position, opened = openings[-1]
    settings = Settings(
        opened.venue, opened.table, opened.seats, opened.tournament, opened.club, witnesses=opened.witnesses
    )
    return settings, change_settings(ledger, settings, opened.opening, position)


def change_settings(ledger: Ledger, settings: Settings, opening: Sequence[Event], position: int) -> list[Event]:
    """Return the opening of a table's next hand, with the stakes that changed after a log position.

    The unit of the game is set in `settings`.
    """
    changes = _list_stakes_changes(ledger, table_stream(settings.venue, settings.tournament, settings.table), position)
    changed = [apply_changes(event, changes) for event in opening]
    for event in changed:
        if isinstance(event, GameSet):
            settings.unit, settings.exponent = event.unit, event.exponent
    return changed


def _list_stakes_changes(ledger: Ledger, stream: UUID, position: int) -> list[Event]:
    """Return the changes of a table's stakes or game after a log position, without undone ones."""
    sql = "SELECT min(version) FROM log WHERE stream = ? AND position > ?"
    with ledger.database.reading() as link:
        version_row = link.execute(sql, (stream.bytes, position)).fetchone()
    if version_row is None or version_row[0] is None:
        return []
    kinds = (StakesChanged, GameChanged, CorrectionMade)
    entries = list(ledger.entries_of_types(stream, *kinds, after=version_row[0] - 1))
    in_force = dict(apply_corrections([(entry.version, entry.event) for entry in entries]))
    return [in_force[entry.version] for entry in entries if entry.version in in_force]


def list_opened_tables(ledger: Ledger, count: int) -> list[TableKey]:
    """Return at most `count` tables that were opened last and have no hand since, the newest last."""
    sql = "SELECT stream FROM log WHERE key >= ? AND key < ? ORDER BY position DESC LIMIT ?"
    bounds = (_KEY, f"{_KEY}~")
    with ledger.database.reading() as link:
        stream_rows = link.execute(sql, (*bounds, _OPENINGS_PER_TABLE * count)).fetchall()
    table_keys = []
    for stream_bytes in dict.fromkeys(bytes(stream_row[0]) for stream_row in stream_rows):
        opened = next(iter(ledger.entries_of_types(UUID(bytes=stream_bytes), TableOpened))).event
        assert isinstance(opened, TableOpened)  # noqa: S101 - it was asked for by its type
        table_key = TableKey(opened.venue, opened.tournament, opened.table)
        if next(ledger.hands(**table_key._asdict(), limit=1), None) is None:
            table_keys.append(table_key)
    return table_keys[:count][::-1]
