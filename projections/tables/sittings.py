"""Who sat where from when to when, and who dealt: kept in tables beside the log, made by walking each table's stream.

A table of which anything came in is walked again whole. That a player is named in a seat by a hand is
enough to sit there; that a hand does not name a player says nothing, so a sitting ends where somebody
tells that it ended, or where another player is in the seat, or the player in another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, Table, delete, insert, select

from ledger.presence import SeatLeft, SeatMoved, SeatTaken
from ledger.store.accounts import Place
from ledger.store.positions import SITTINGS_NAME
from ledger.store.table_streams import told as told_to
from ledger.store.tables import BYTEWISE, tracking
from ledger.table.events import DealerChanged, HandPlayed
from ledger.table.order import in_order
from projections.table_walk.played_tables import places
from projections.tables.changed_tables import touched

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.table.standing import Told
    from ledger.vocabulary import Millis, PlayerId, Seat
    from projections.tables.lending import Keeping

NAME: Final = SITTINGS_NAME
"""How far the tables are: under this name in `tracking`."""

SITTINGS: Final = MetaData()
_Big = BigInteger().with_variant(Integer(), "sqlite")

sittings = Table(
    "sittings",
    SITTINGS,
    Column("venue", BYTEWISE, primary_key=True),
    Column("tournament", BYTEWISE, primary_key=True),
    Column("name", BYTEWISE, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # 1, 2, ... at this table, as they began
    Column("seat", Integer, nullable=False),
    Column("player", BYTEWISE, nullable=False),
    Column("since", _Big),  # when it was told to begin, or the first hand that names the player there began
    Column("began", BYTEWISE, nullable=False),  # told, or seen
    Column("first", BYTEWISE, nullable=False),  # number of the first hand of it; "" = none
    Column("last", BYTEWISE, nullable=False),
    Column("hands", Integer, nullable=False),  # that dealt the player in
    Column("until", _Big),  # when it was told to end, or the next hand began: it had ended by then
    Column("ended", BYTEWISE, nullable=False),  # why; "" = nothing tells that it ended
    Index("sittings_player", "player"),
)
hand_dealers = Table(
    "hand_dealers",
    SITTINGS,
    Column("position", _Big, primary_key=True, autoincrement=False),  # of the hand, as in the index
    Column("venue", BYTEWISE, nullable=False),
    Column("tournament", BYTEWISE, nullable=False),
    Column("name", BYTEWISE, nullable=False),
    Column("dealer", BYTEWISE, nullable=False),
    Index("hand_dealers_table", "name", "venue", "tournament"),
)


@dataclass
class _Sitting:
    """A player in a seat, from when to when."""

    seat: Seat
    player: PlayerId
    since: Millis | None
    began: str
    first: str = ""
    last: str = ""
    hands: int = 0
    until: Millis | None = None
    ended: str = ""


class _Walk:
    """A table's stream, walked from its first event."""

    def __init__(self) -> None:
        self.found: list[_Sitting] = []
        self.dealers: list[tuple[str, PlayerId]] = []  # a hand's stream, and who dealt it
        self._here: dict[Seat, _Sitting] = {}
        self._dealer: PlayerId = ""
        self._untimed: list[_Sitting] = []  # that ended since the last hand, and nothing tells when

    def take(self, one: Told) -> None:
        """Take the next event."""
        event = one.event
        if isinstance(event, HandPlayed):
            self._hand(event, event.started if event.started is not None else one.at)
        elif isinstance(event, DealerChanged):
            self._dealer = event.dealer
        else:
            self._fact(event, one.at)

    def _hand(self, hand: HandPlayed, at: Millis | None) -> None:
        for ended in self._untimed:
            ended.until = at
        self._untimed = []
        if self._dealer:
            self.dealers.append((hand.hand, self._dealer))
        named = [(one.seat, one.player) for one in hand.dealt_in] + [(one.seat, one.player) for one in hand.left_out]
        players = Counter(player for _, player in named)  # a record may name one player in two seats
        sat = {}
        for seat, player in named:
            sitting = sat[seat] = self._sits(seat, player, at, "seen", alone=players[player] < 2)
            sitting.first = sitting.first or hand.number
            sitting.since = at if sitting.since is None else sitting.since
            sitting.last = hand.number
        for seated in hand.dealt_in:
            sat[seated.seat].hands += 1
        for event in hand.within:
            self._fact(event, at)

    def _fact(self, event: object, at: Millis | None) -> None:
        if isinstance(event, SeatTaken):
            self._sits(event.seat, event.player, at, "told")
        elif isinstance(event, SeatMoved):
            self._ends(event.player, at, "moved")
            self._sits(event.to, event.player, at, "told")
        elif isinstance(event, SeatLeft):
            self._ends(event.player, at, "left" if event.reason == "unknown" else event.reason)

    def _sits(self, seat: Seat, player: PlayerId, at: Millis | None, began: str, *, alone: bool = True) -> _Sitting:
        held = self._here.get(seat)
        if held is not None and held.player == player:
            return held
        if alone:
            self._ends(player, at, "moved")
        if held is not None:
            self._end(held, at, "replaced")
        sitting = self._here[seat] = _Sitting(seat, player, at, began)
        self.found.append(sitting)
        return sitting

    def _ends(self, player: PlayerId, at: Millis | None, why: str) -> None:
        for seat, held in list(self._here.items()):
            if held.player == player:
                self._end(held, at, why)
                del self._here[seat]

    def _end(self, sitting: _Sitting, at: Millis | None, why: str) -> None:
        sitting.until, sitting.ended = at, why
        if at is None:
            self._untimed.append(sitting)


def bring_up(ledger: Ledger, keeping: Keeping) -> None:
    """Walk the tables of which anything came into the log since they were walked."""
    head = ledger.head()[0] if ledger.upto is None else min(ledger.head()[0], ledger.upto)
    there = select(tracking.c.position).where(tracking.c.name == NAME)
    with keeping.core(write=True) as connection:
        SITTINGS.create_all(connection)
        tracking.create(connection, checkfirst=True)
        reached = connection.execute(there).scalar()
    end = ledger.head()[0]
    if reached is not None and head <= reached <= end:
        return
    if reached is not None and not 0 <= reached <= end:
        reached = 0  # somebody moved it: no walk ends outside of the log
    everywhere = places(ledger)
    for place in everywhere if not reached else sorted(touched(ledger, reached).late & set(everywhere)):
        _walked(ledger, keeping, place)
    with keeping.core(write=True) as connection:
        connection.execute(delete(tracking).where(tracking.c.name == NAME))
        connection.execute(insert(tracking).values(name=NAME, position=head))


def _walked(ledger: Ledger, keeping: Keeping, place: Place) -> None:
    walk = _Walk()
    for one in in_order(told_to(ledger, place)):
        walk.take(one)
    positions = {row.stream.hex: row.position for row in ledger.hands(**place._asdict())} if walk.dealers else {}
    of = {"venue": place.venue, "tournament": place.tournament, "name": place.table}
    dealt = [
        {**of, "position": positions[stream], "dealer": dealer}
        for stream, dealer in walk.dealers
        if stream in positions
    ]
    with keeping.core(write=True) as connection:
        for table in (sittings, hand_dealers):
            mine = (table.c[name] == value for name, value in of.items())
            connection.execute(delete(table).where(*mine))
        if walk.found:
            connection.execute(insert(sittings), [*_rows(of, walk.found)])
        if dealt:
            connection.execute(insert(hand_dealers), dealt)


def _rows(of: dict[str, str], found: Iterable[_Sitting]) -> Iterator[dict[str, object]]:
    for number, one in enumerate(found, 1):
        yield {**of, "number": number, **vars(one)}
