"""The database tables of sittings and dealers, made from each poker table's stream.

If a table changed, its stream is read again from the first event. A sitting begins when the player takes the seat, or
with the first hand that shows the player there. It ends when the player leaves, when another player takes the seat, or
when the player takes another seat. A hand that doesn't name the player doesn't end the sitting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, Table, delete, insert, select

from ledger.presence import SeatLeft, SeatMoved, SeatTaken
from ledger.store.database.derived_tables import SITTINGS_NAME
from ledger.store.database.tables import BYTEWISE, tracking
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries
from ledger.table.events import DealerChanged, HandPlayed
from ledger.table.order import put_in_order
from projections.table_walk.played_tables import list_places
from projections.tables.changed_tables import find_changed_tables

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.table.standing_accounts import TableEntry
    from ledger.vocabulary import Millis, PlayerId, Seat
    from projections.tables.table_stores import TableStore

SITTINGS_SCHEMA: Final = MetaData()
"""The schema of both tables. `tracking` has the log position that they're made up to, under `SITTINGS_NAME`."""
_BIG_INTEGER = BigInteger().with_variant(Integer(), "sqlite")

sittings = Table(
    "sittings",
    SITTINGS_SCHEMA,
    Column("venue", BYTEWISE, primary_key=True),
    Column("tournament", BYTEWISE, primary_key=True),
    Column("name", BYTEWISE, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # 1, 2, ... at this table, in order of beginning
    Column("seat", Integer, nullable=False),
    Column("player", BYTEWISE, nullable=False),
    Column("since", _BIG_INTEGER),  # when it began, or else when its first hand began
    Column("began", BYTEWISE, nullable=False),  # "told": the record shows it; "seen": first seen in a hand
    Column("first", BYTEWISE, nullable=False),  # number of its first hand; "" = none
    Column("last", BYTEWISE, nullable=False),
    Column("hands", Integer, nullable=False),  # in which the player was dealt in
    Column("until", _BIG_INTEGER),  # when it ended, or else when the next hand began
    Column("ended", BYTEWISE, nullable=False),  # why it ended; "" = no end on record
    Index("sittings_player", "player"),
)
hand_dealers = Table(
    "hand_dealers",
    SITTINGS_SCHEMA,
    Column("position", _BIG_INTEGER, primary_key=True, autoincrement=False),  # of the hand in the index
    Column("venue", BYTEWISE, nullable=False),
    Column("tournament", BYTEWISE, nullable=False),
    Column("name", BYTEWISE, nullable=False),
    Column("dealer", BYTEWISE, nullable=False),
    Index("hand_dealers_table", "name", "venue", "tournament"),
)


@dataclass
class _Sitting:
    """A player's time in a seat. The fields are columns of `sittings`, under their names."""

    seat: Seat
    player: PlayerId
    since: Millis | None
    began: str
    first: str = ""
    last: str = ""
    hands: int = 0
    until: Millis | None = None
    ended: str = ""


class _SittingWalk:
    """Collects sittings and dealers while a table's stream is read from its first event."""

    def __init__(self) -> None:
        self.sittings: list[_Sitting] = []
        self.dealers: list[tuple[str, PlayerId]] = []  # the id of a hand's stream (hex), and who dealt it
        self._by_seat: dict[Seat, _Sitting] = {}
        self._dealer: PlayerId = ""
        self._awaiting_end_time: list[_Sitting] = []  # ended since the last hand, at an unknown time

    def add_entry(self, entry: TableEntry) -> None:
        """Add the next entry of the stream."""
        event = entry.event
        if isinstance(event, HandPlayed):
            self._add_hand(event, event.started if event.started is not None else entry.time)
        elif isinstance(event, DealerChanged):
            self._dealer = event.dealer
        else:
            self._add_event(event, entry.time)

    def _add_hand(self, hand: HandPlayed, moment: Millis | None) -> None:
        for past_sitting in self._awaiting_end_time:
            past_sitting.until = moment
        self._awaiting_end_time = []
        if self._dealer:
            self.dealers.append((hand.hand, self._dealer))
        seated_players = [(dealt_player.seat, dealt_player.player) for dealt_player in hand.dealt_in]
        seated_players += [(absent_player.seat, absent_player.player) for absent_player in hand.left_out]
        seat_counts = Counter(player for _, player in seated_players)  # a record may show one player in two seats
        sittings_by_seat = {}
        for seat, player in seated_players:
            sitting = sittings_by_seat[seat] = self._seat_player(
                seat, player, moment, "seen", is_only_seat=seat_counts[player] < 2
            )
            sitting.first = sitting.first or hand.number
            sitting.since = moment if sitting.since is None else sitting.since
            sitting.last = hand.number
        for dealt_player in hand.dealt_in:
            sittings_by_seat[dealt_player.seat].hands += 1
        for event in hand.within:
            self._add_event(event, moment)

    def _add_event(self, event: object, moment: Millis | None) -> None:
        if isinstance(event, SeatTaken):
            self._seat_player(event.seat, event.player, moment, "told")
        elif isinstance(event, SeatMoved):
            self._end_sittings(event.player, moment, "moved")
            self._seat_player(event.to, event.player, moment, "told")
        elif isinstance(event, SeatLeft):
            self._end_sittings(event.player, moment, "left" if event.reason == "unknown" else event.reason)

    def _seat_player(
        self, seat: Seat, player: PlayerId, moment: Millis | None, began: str, *, is_only_seat: bool = True
    ) -> _Sitting:
        occupant = self._by_seat.get(seat)
        if occupant is not None and occupant.player == player:
            return occupant
        if is_only_seat:
            self._end_sittings(player, moment, "moved")
        if occupant is not None:
            self._end_sitting(occupant, moment, "replaced")
        sitting = self._by_seat[seat] = _Sitting(seat, player, moment, began)
        self.sittings.append(sitting)
        return sitting

    def _end_sittings(self, player: PlayerId, moment: Millis | None, reason: str) -> None:
        for seat, sitting in list(self._by_seat.items()):
            if sitting.player == player:
                self._end_sitting(sitting, moment, reason)
                del self._by_seat[seat]

    def _end_sitting(self, sitting: _Sitting, moment: Millis | None, reason: str) -> None:
        sitting.until, sitting.ended = moment, reason
        if moment is None:
            self._awaiting_end_time.append(sitting)


def update_sittings(ledger: Ledger, table_store: TableStore) -> None:
    """Update sittings and dealers of the tables that changed since the last update."""
    target_position = ledger.head()[0] if ledger.upto is None else min(ledger.head()[0], ledger.upto)
    statement = select(tracking.c.position).where(tracking.c.name == SITTINGS_NAME)
    with table_store.core(write=True) as connection:
        SITTINGS_SCHEMA.create_all(connection)
        tracking.create(connection, checkfirst=True)
        walked_position = connection.execute(statement).scalar()  # None = no table was read yet
    log_end = ledger.head()[0]  # read after the position, which another process may just have moved
    if walked_position is not None and target_position <= walked_position <= log_end:
        return
    table_keys = list_places(ledger)  # read all tables if the stored position is beyond the log, so of another log
    if walked_position is not None and 0 < walked_position <= log_end:
        table_keys = sorted(find_changed_tables(ledger, walked_position).with_new_entries & set(table_keys))
    for table_key in table_keys:
        _update_table(ledger, table_store, table_key)
    with table_store.core(write=True) as connection:
        connection.execute(delete(tracking).where(tracking.c.name == SITTINGS_NAME))
        connection.execute(insert(tracking).values(name=SITTINGS_NAME, position=target_position))


def _update_table(ledger: Ledger, table_store: TableStore, table_key: TableKey) -> None:
    """Replace the rows of one table."""
    walk = _SittingWalk()
    for entry in put_in_order(table_entries(ledger, table_key)):
        walk.add_entry(entry)
    positions = {row.stream.hex: row.position for row in ledger.hands(**table_key._asdict())} if walk.dealers else {}
    key_columns = {"venue": table_key.venue, "tournament": table_key.tournament, "name": table_key.table}
    dealer_rows = [
        {**key_columns, "position": positions[stream], "dealer": dealer}
        for stream, dealer in walk.dealers
        if stream in positions
    ]
    with table_store.core(write=True) as connection:
        for table in (sittings, hand_dealers):
            conditions = (table.c[name] == value for name, value in key_columns.items())
            connection.execute(delete(table).where(*conditions))
        if walk.sittings:
            connection.execute(insert(sittings), [*_build_sitting_rows(key_columns, walk.sittings)])
        if dealer_rows:
            connection.execute(insert(hand_dealers), dealer_rows)


def _build_sitting_rows(key_columns: dict[str, str], table_sittings: Iterable[_Sitting]) -> Iterator[dict[str, object]]:
    for number, sitting in enumerate(table_sittings, 1):
        yield {**key_columns, "number": number, **vars(sitting)}
