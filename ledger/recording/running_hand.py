"""Read a table's state from the ledger: the running hand, the last hand, the last event.

A hand is running if it was begun here and its table doesn't have it yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple
from uuid import UUID

from ledger.event import Event
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.live import LiveLines
from ledger.hand.corrections import apply_corrections
from ledger.hand.opening import GameSet, HandOpened, OptionSet
from ledger.recording.table_opening import change_settings, find_settings_before_hands
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries
from ledger.streams import table_stream
from ledger.table.events import HandPlayed
from ledger.table.fold import fold_table_entries
from ledger.table.order import put_in_order

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.table.state import SeatState
    from ledger.vocabulary import Millis, PlayerId, Seat

_DAY_MILLIS: Final = 86_400_000


class TableEnds(NamedTuple):
    """The ends of a table's stream and of the stream of the last hand that began there, as one query read them."""

    version: int  # of the table's last event; 0 = none
    position: int  # of that event in the log
    hand: UUID | None  # stream of the last hand; None = no hand was recorded live
    hand_began: int  # position of the hand's first commit
    hand_version: int  # of the hand's last event
    hand_position: int  # of that event in the log


_NEWEST_HAND: Final = (
    "SELECT l.position AS began, l.stream AS hand FROM hands AS h JOIN places AS p ON p.id = h.place "
    "JOIN log AS l ON l.position = h.position "
    "WHERE p.venue = ? AND p.tournament = ? AND p.name = ? AND l.source IS NULL ORDER BY l.position DESC LIMIT 1"
)
_LAST_OF_HAND: Final = "FROM log AS e WHERE e.stream = n.hand ORDER BY e.version DESC LIMIT 1"
_LAST_OF_TABLE: Final = "FROM log AS e WHERE e.stream = ? ORDER BY e.version DESC LIMIT 1"
_ENDS_QUERY: Final = (
    f"SELECT (SELECT e.version + e.count - 1 {_LAST_OF_TABLE}), (SELECT e.position {_LAST_OF_TABLE}), n.hand, n.began, "  # noqa: S608 - constants
    f"(SELECT e.version + e.count - 1 {_LAST_OF_HAND}), (SELECT e.position {_LAST_OF_HAND}) "
    f"FROM (SELECT 1) AS o LEFT JOIN ({_NEWEST_HAND}) AS n ON 1 = 1"
)


def find_table_ends(ledger: Ledger, settings: Settings) -> TableEnds:
    """Return where the streams of a table and of its last hand end."""
    table = table_stream(settings.venue, settings.tournament, settings.table).bytes
    with ledger.database.reading() as link:
        row = link.execute(_ENDS_QUERY, (table, table, settings.venue, settings.tournament, settings.table)).fetchone()
    version, position, hand, began, hand_version, hand_position = row
    stream = None if hand is None else UUID(bytes=bytes(hand))
    return TableEnds(version or 0, position or 0, stream, began or 0, hand_version or 0, hand_position or 0)


def find_running_stream(ledger: Ledger, settings: Settings, ends: TableEnds | None = None) -> UUID | None:
    """Return the stream of the running hand of a table, or None between hands. `ends`: as they were just read."""
    ends = ends or find_table_ends(ledger, settings)
    if ends.hand is None:
        return None
    is_table_ahead = ends.position > ends.hand_began  # the table may have the hand
    if is_table_ahead and _has_table_hand(ledger, settings, ends.hand_began, ends.hand.hex):
        return None
    return ends.hand


class TableLook:
    """The last look at a table: where its streams ended, and which hand was running."""

    def __init__(self, ledger: Ledger, settings: Settings) -> None:
        """Take the ledger and the table. Nobody has looked yet."""
        self._ledger, self._settings = ledger, settings
        self._ends: TableEnds | None = None
        self._running_stream: UUID | None = None
        self._is_trusted = False

    def repeat(self) -> tuple[TableEnds, UUID | None]:
        """Look again. Return the ends, and the stream of the running hand or None. Usually that's one query."""
        ends = find_table_ends(self._ledger, self._settings)
        if ends != self._ends:
            self._running_stream = find_running_stream(self._ledger, self._settings, ends)
            self._ends = ends
        return ends, self._running_stream

    def forget(self) -> None:
        """Forget the look, because something was recorded."""
        self._ends = None

    @contextmanager
    def trusted(self) -> Iterator[None]:
        """Let `find_ends` answer from the last look in this context, until it is forgotten."""
        was_trusted, self._is_trusted = self._is_trusted, True
        try:
            yield
        finally:
            self._is_trusted = was_trusted

    def find_ends(self) -> TableEnds:
        """Return where the table's streams end: at the last look if it is trusted, else now."""
        if self._is_trusted and self._ends is not None:
            return self._ends
        return find_table_ends(self._ledger, self._settings)


def _has_table_hand(ledger: Ledger, settings: Settings, position: int, hand: str) -> bool:
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


def read_seats(ledger: Ledger, settings: Settings) -> Mapping[Seat, SeatState]:
    """Return who sits at a table, read from its first event."""
    table_key = TableKey(settings.venue, settings.tournament, settings.table)
    return fold_table_entries(put_in_order(table_entries(ledger, table_key))).seats


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


def read_next_lines(
    ledger: Ledger, settings: Settings, read_players: Callable[[], Mapping[Seat, PlayerId]]
) -> LiveLines | None:
    """Return the lines of a table's next hand as the ledger has its stakes; None if nobody said what is played.

    `read_players`: returns who sits at the table when a line needs it.
    """
    former = find_last_settings(ledger, settings.venue, settings.table, settings.tournament)
    if former is None:
        return None
    lines = LiveLines(ledger.people, settings, former[1])
    lines.sits(read_players)
    return lines
