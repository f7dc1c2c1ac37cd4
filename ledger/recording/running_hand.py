"""Read from the ledger how a table stands: the running hand, the last hand, the last event.

A hand is running if it was begun here and its table doesn't have it yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final
from uuid import UUID

from ledger.event import Event
from ledger.formats.handscript.context import Settings
from ledger.hand.corrections import apply_corrections
from ledger.hand.opening import GameSet, HandOpened, OptionSet
from ledger.recording.table_opening import change_settings, find_settings_before_hands
from ledger.store.hands.hand_accounts import TableKey
from ledger.streams import table_stream
from ledger.table.events import HandPlayed

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.vocabulary import Millis

_DAY_MILLIS: Final = 86_400_000


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
    """Whether a table has a hand that began at a position of the log."""
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
    """Return the version of a stream's last event, or 0 if there is no such stream."""
    sql = "SELECT version + count - 1 FROM log WHERE stream = ? ORDER BY version DESC LIMIT 1"
    with ledger.database.reading() as link:
        version_row = link.execute(sql, (stream.bytes,)).fetchone()
    return 0 if version_row is None else int(version_row[0])


def find_last_position(ledger: Ledger, streams: Sequence[UUID]) -> int:
    """Return the log position of the last event in some streams, or 0 if they have none."""
    sql = "SELECT position FROM log WHERE stream = ? ORDER BY version DESC LIMIT 1"
    with ledger.database.reading() as link:
        log_rows = [link.execute(sql, (stream.bytes,)).fetchone() for stream in streams]
    return max((int(log_row[0]) for log_row in log_rows if log_row is not None), default=0)


def find_last_start(ledger: Ledger, settings: Settings) -> Millis:
    """Return when the table's last hand began: the next one must begin later, even if the clock was set back.

    Return 0 if that is more than a day ahead: then the hand has another clock.
    """
    newest_rows = ledger.hands(
        venue=settings.venue, tournament=settings.tournament, table=settings.table, order="newest", limit=1
    )
    started = next((hand_row.started for hand_row in newest_rows), None)
    return started if started is not None and started - ledger.now() < _DAY_MILLIS else 0


def find_last_settings(
    ledger: Ledger, venue: str | None, table: str, tournament: str = ""
) -> tuple[Settings, list[Event]] | None:
    """Return a table's settings, and the events that open each of its hands; None if nobody said what is played there.

    They are those of its last hand, with the stakes that changed since; before the first hand, those that it was opened
    with.
    """
    newest = next(ledger.hands(venue=venue, tournament=tournament, table=table, order="newest", limit=1), None)
    if newest is None:
        return None if venue is None else find_settings_before_hands(ledger, TableKey(venue, tournament, table))
    events = ledger.events(newest.stream)
    opened = events[0]
    assert isinstance(opened, HandOpened)  # noqa: S101 - the index holds only such
    settings = Settings(
        opened.venue, opened.table, opened.seats, opened.tournament, opened.club, witnesses=opened.witnesses
    )
    hand_settings: list[Event] = [event for event in events if isinstance(event, GameSet | OptionSet)]
    return settings, change_settings(ledger, settings, hand_settings, newest.position)
