"""Whether a hand runs at a table: it was begun here, and the table was not told yet what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from ledger.event import Event
from ledger.formats.handscript.context import Settings
from ledger.hand.corrections import apply_corrections
from ledger.hand.opening import GameSet, HandOpened, OptionSet
from ledger.streams import table_stream
from ledger.table.events import HandPlayed

if TYPE_CHECKING:
    from ledger.store import Ledger


def find_running_stream(ledger: Ledger, settings: Settings) -> UUID | None:
    """Return the stream of the running hand of a table, or None between hands."""
    newest_query = (
        "SELECT l.position, l.stream FROM hands AS h JOIN places AS p ON p.id = h.place "
        "JOIN log AS l ON l.position = h.position "
        "WHERE p.venue = ? AND p.tournament = ? AND p.name = ? AND l.source IS NULL ORDER BY l.position DESC LIMIT 1"
    )
    with ledger.database.reading() as link:
        hand_row = link.execute(newest_query, (settings.venue, settings.tournament, settings.table)).fetchone()
    if hand_row is None:
        return None
    position, stream = hand_row[0], UUID(bytes=bytes(hand_row[1]))
    return None if _is_told_to_table(ledger, settings, position, stream.hex) else stream


def _is_told_to_table(ledger: Ledger, settings: Settings, position: int, hand: str) -> bool:
    """Whether a table was told of a hand that began at a position of the log."""
    table = table_stream(settings.venue, settings.tournament, settings.table).bytes
    with ledger.database.reading() as link:
        version_row = link.execute(
            "SELECT min(version) FROM log WHERE stream = ? AND position > ?", (table, position)
        ).fetchone()
        commits = (
            []
            if version_row is None or version_row[0] is None
            else ledger.reader.stream(link, table, version_row[0] - 1)
        )
    numbered = [
        (commit.version + index, event)
        for commit in commits
        for index, event in enumerate(ledger.mapper.decode(commit.kind, commit.data))
    ]
    return any(isinstance(event, HandPlayed) and event.hand == hand for _, event in apply_corrections(numbered))


def find_last_version(ledger: Ledger, stream: UUID) -> int:
    """Return the version of a stream's last event, 0 if there is no such stream."""
    sql = "SELECT version + count - 1 FROM log WHERE stream = ? ORDER BY version DESC LIMIT 1"
    with ledger.database.reading() as link:
        version_row = link.execute(sql, (stream.bytes,)).fetchone()
    return 0 if version_row is None else int(version_row[0])


def find_last_settings(
    ledger: Ledger, venue: str | None, table: str, tournament: str = ""
) -> tuple[Settings, list[Event]] | None:
    """Return a table as its last hand was recorded, and what holds for each of its hands; None if there was none."""
    newest = next(ledger.hands(venue=venue, tournament=tournament, table=table, order="newest", limit=1), None)
    if newest is None:
        return None
    events = ledger.events(newest.stream)
    opened = events[0]
    assert isinstance(opened, HandOpened)  # noqa: S101 - the index holds only such
    settings = Settings(
        opened.venue, opened.table, opened.seats, opened.tournament, opened.club, witnesses=opened.witnesses
    )
    opening: list[Event] = [event for event in events if isinstance(event, GameSet | OptionSet)]
    for event in opening:
        if isinstance(event, GameSet):
            settings.unit, settings.exponent = event.unit, event.exponent
    return settings, opening
