"""Tables of results beside the log: a row for each account of a hand and for each of its seats.

They're made from the log alone and can be dropped and rebuilt. Table and source are copied into the rows, so
the tables can be queried anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, cast
from uuid import UUID

from sqlalchemy import BigInteger, Column, Connection, Index, Integer, LargeBinary, MetaData, Table, delete

from ledger.hand.opening import GameSet, HandOpened
from ledger.store.database.derived_tables import RESULTS_NAME
from ledger.store.database.tables import BYTEWISE
from ledger.store.log.mapper import Mapper
from projections.tables.hand_result import SeatResult, summarize_hand

if TYPE_CHECKING:
    from ledger.hand.events import HandEvent
    from ledger.store.commits import Commit

RESULTS: Final = MetaData()
_Big = BigInteger().with_variant(Integer(), "sqlite")

hand_results = Table(
    "hand_results",
    RESULTS,
    Column("position", _Big, primary_key=True, autoincrement=False),  # in the index of hands
    Column("stream", LargeBinary, nullable=False, unique=True),
    Column("venue", BYTEWISE, nullable=False),
    Column("tournament", BYTEWISE, nullable=False),
    Column("name", BYTEWISE, nullable=False),  # of the table
    Column("number", BYTEWISE, nullable=False),
    Column("variant", BYTEWISE, nullable=False),
    Column("betting", BYTEWISE, nullable=False),
    Column("format", BYTEWISE, nullable=False),
    Column("source", BYTEWISE, nullable=False),  # SHA-256 of the file, hex; "" = none
    Column("started", _Big),
    Column("wall", _Big),
    Column("zone", BYTEWISE, nullable=False),
    Column("players", Integer, nullable=False),
    Column("button", Integer),
    Column("board", BYTEWISE, nullable=False),
    Column("streets", Integer, nullable=False),
    Column("pot", _Big, nullable=False),
    Column("rake", _Big, nullable=False),
    Column("carried", _Big, nullable=False),
    Column("big_blind", _Big, nullable=False),
    Column("scale", _Big, nullable=False),
    Column("unit", BYTEWISE, nullable=False),
    Column("showdown", Integer, nullable=False),
    Column("runs", Integer, nullable=False),
    Column("voided", Integer, nullable=False),
    Column("completed", Integer, nullable=False),
    Column("unbalanced", Integer, nullable=False),
    Column("corrected", Integer, nullable=False),
    Column("unread", Integer, nullable=False),
    Column("cash_out", Integer, nullable=False),
    Index("hand_results_table", "name", "venue", "tournament"),
)
seat_results = Table(
    "seat_results",
    RESULTS,
    Column("position", _Big, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", BYTEWISE, nullable=False),
    Column("place", BYTEWISE, nullable=False),  # BTN, SB, BB, ...
    Column("stack", _Big),
    Column("put", _Big, nullable=False),
    Column("won", _Big, nullable=False),
    Column("net", _Big, nullable=False),
    Column("rake", _Big, nullable=False),
    Column("showdown", Integer, nullable=False),
    Column("all_in", Integer, nullable=False),
    Column("scale", _Big, nullable=False),  # of the hand
    Index("seat_results_player", "player", "position"),
)


class Results:
    """Projects hands to their results; `ledger.store.log.projection` feeds it."""

    name = RESULTS_NAME
    tables = RESULTS

    def __init__(self, mapper: Mapper, stream: Callable[[UUID], Iterable[Commit]]) -> None:
        """Take the decoder of events and the reader of a stream's commits: corrections continue a hand."""
        self._mapper = mapper
        self._stream = stream

    def project(self, commits: Sequence[Commit], connection: Connection) -> None:
        """Write the results of commits that begin or continue a hand."""
        hands: list[dict[str, object]] = []
        seats: list[dict[str, object]] = []
        continued: dict[UUID, None] = {}
        for commit in commits:
            if commit.kind == "hand":
                if commit.version > 1:
                    continued[commit.stream] = None
                else:
                    _append_rows(commit, self._decoded([commit]), hands, seats)
        if continued:
            commits_by_stream = {stream: list(self._stream(stream)) for stream in continued}
            replaced_streams = [stream.bytes for stream in continued]
            hands = [row for row in hands if row["stream"] not in set(replaced_streams)]
            positions = [commits_of_hand[0].position for commits_of_hand in commits_by_stream.values()]
            seats = [row for row in seats if row["position"] not in set(positions)]
            connection.execute(delete(hand_results).where(hand_results.c.position.in_(positions)))
            connection.execute(delete(seat_results).where(seat_results.c.position.in_(positions)))
            for stream_commits in commits_by_stream.values():
                _append_rows(stream_commits[0], self._decoded(stream_commits), hands, seats)
        if hands:
            connection.execute(hand_results.insert(), hands)
        if seats:
            connection.execute(seat_results.insert(), seats)

    def _decoded(self, commits: Iterable[Commit]) -> list[HandEvent]:
        return [
            cast("HandEvent", event) for commit in commits for event in self._mapper.decode(commit.kind, commit.data)
        ]


def _append_rows(
    commit: Commit, events: list[HandEvent], hands: list[dict[str, object]], seats: list[dict[str, object]]
) -> None:
    """Append the rows of one hand; `commit` is its first."""
    hand, seat_rows = build_rows(events, commit.position, commit.stream.bytes, commit.source or "")
    if hand is not None:
        hands.append(hand)
        seats.extend(seat_rows)


def build_rows(
    events: Sequence[HandEvent], position: int, stream: bytes, source: str
) -> tuple[dict[str, object] | None, list[dict[str, object]]]:
    """Return the rows of a hand and its seats; None and no rows if the events don't begin a hand."""
    opened = events[0]
    if type(opened) is not HandOpened:
        return None, []
    game = next((event for event in events if type(event) is GameSet), None)
    hand, seat_results = summarize_hand(events)
    row = {
        "position": position,
        "stream": stream,
        "venue": opened.venue,
        "tournament": opened.tournament,
        "name": opened.table,
        "number": opened.number,
        "variant": game.variant if game else "",
        "betting": game.betting if game else "",
        "format": game.format if game else "",
        "source": source,
        **{name: int(value) if isinstance(value, bool) else value for name, value in hand._asdict().items()},
    }
    return row, [_seat_row(position, hand.scale, seat_result) for seat_result in seat_results]


def _seat_row(position: int, scale: int, seat_result: SeatResult) -> dict[str, object]:
    return {
        "position": position,
        "seat": seat_result.seat,
        "player": seat_result.player,
        "place": seat_result.position,
        "stack": seat_result.stack,
        "put": seat_result.put,
        "won": seat_result.won,
        "net": seat_result.net,
        "rake": seat_result.rake,
        "showdown": int(seat_result.showdown),
        "all_in": int(seat_result.all_in),
        "scale": scale,
    }
