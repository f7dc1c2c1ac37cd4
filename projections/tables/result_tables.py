"""The database tables of results: a row for each account of a hand, and for each of its seats.

They are made from the log alone, so you can drop and rebuild them. The rows repeat the poker table and the source
file of the hand, so a lake of such tables can be queried without the ledger.
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
_BIG_INTEGER = BigInteger().with_variant(Integer(), "sqlite")

hand_results = Table(
    "hand_results",
    RESULTS,
    Column("position", _BIG_INTEGER, primary_key=True, autoincrement=False),  # in the index of hands
    Column("stream", LargeBinary, nullable=False, unique=True),
    Column("venue", BYTEWISE, nullable=False),
    Column("tournament", BYTEWISE, nullable=False),
    Column("name", BYTEWISE, nullable=False),  # of the table
    Column("number", BYTEWISE, nullable=False),
    Column("variant", BYTEWISE, nullable=False),
    Column("betting", BYTEWISE, nullable=False),
    Column("format", BYTEWISE, nullable=False),
    Column("source", BYTEWISE, nullable=False),  # SHA-256 of the file, hex; "" = none
    Column("started", _BIG_INTEGER),
    Column("wall", _BIG_INTEGER),
    Column("zone", BYTEWISE, nullable=False),
    Column("players", Integer, nullable=False),
    Column("button", Integer),
    Column("board", BYTEWISE, nullable=False),
    Column("streets", Integer, nullable=False),
    Column("pot", _BIG_INTEGER, nullable=False),
    Column("rake", _BIG_INTEGER, nullable=False),
    Column("carried", _BIG_INTEGER, nullable=False),
    Column("big_blind", _BIG_INTEGER, nullable=False),
    Column("scale", _BIG_INTEGER, nullable=False),
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
    Column("position", _BIG_INTEGER, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", BYTEWISE, nullable=False),
    Column("place", BYTEWISE, nullable=False),  # BTN, SB, BB, ...
    Column("stack", _BIG_INTEGER),
    Column("put", _BIG_INTEGER, nullable=False),
    Column("won", _BIG_INTEGER, nullable=False),
    Column("net", _BIG_INTEGER, nullable=False),
    Column("rake", _BIG_INTEGER, nullable=False),
    Column("showdown", Integer, nullable=False),
    Column("all_in", Integer, nullable=False),
    Column("scale", _BIG_INTEGER, nullable=False),  # of the hand
    Index("seat_results_player", "player", "position"),
)


class ResultsProjection:
    """The projection of hands to results. `ledger.store.log.projection` feeds it commits."""

    name = RESULTS_NAME
    tables = RESULTS

    def __init__(self, mapper: Mapper, read_stream: Callable[[UUID], Iterable[Commit]]) -> None:
        """Create the projection. `read_stream` returns a stream's commits, because a correction changes the whole hand."""
        self._mapper = mapper
        self._read_stream = read_stream

    def project(self, commits: Sequence[Commit], connection: Connection) -> None:
        """Write the results of the hands that these commits begin or continue."""
        hand_rows: list[dict[str, object]] = []
        seat_rows: list[dict[str, object]] = []
        continued_streams: dict[UUID, None] = {}
        for commit in commits:
            if commit.kind == "hand":
                if commit.version > 1:
                    continued_streams[commit.stream] = None
                else:
                    _append_rows(commit, self._decode_events([commit]), hand_rows, seat_rows)
        if continued_streams:
            commits_by_hand = [list(self._read_stream(stream)) for stream in continued_streams]
            positions = {hand_commits[0].position for hand_commits in commits_by_hand}
            hand_rows = [row for row in hand_rows if row["position"] not in positions]
            seat_rows = [row for row in seat_rows if row["position"] not in positions]
            connection.execute(delete(hand_results).where(hand_results.c.position.in_(sorted(positions))))
            connection.execute(delete(seat_results).where(seat_results.c.position.in_(sorted(positions))))
            for hand_commits in commits_by_hand:
                _append_rows(hand_commits[0], self._decode_events(hand_commits), hand_rows, seat_rows)
        if hand_rows:
            connection.execute(hand_results.insert(), hand_rows)
        if seat_rows:
            connection.execute(seat_results.insert(), seat_rows)

    def _decode_events(self, commits: Iterable[Commit]) -> list[HandEvent]:
        return [
            cast("HandEvent", event) for commit in commits for event in self._mapper.decode(commit.kind, commit.data)
        ]


def _append_rows(
    first_commit: Commit,
    events: list[HandEvent],
    hand_rows: list[dict[str, object]],
    seat_rows: list[dict[str, object]],
) -> None:
    """Append the rows of one hand to `hand_rows` and `seat_rows`."""
    hand_row, new_seat_rows = build_rows(
        events, first_commit.position, first_commit.stream.bytes, first_commit.source or ""
    )
    if hand_row is not None:
        hand_rows.append(hand_row)
        seat_rows.extend(new_seat_rows)


def build_rows(
    events: Sequence[HandEvent], position: int, stream: bytes, source: str
) -> tuple[dict[str, object] | None, list[dict[str, object]]]:
    """Return the rows of a hand and of its seats; (None, []) if the events don't begin a hand."""
    opened = events[0]
    if type(opened) is not HandOpened:
        return None, []
    game = next((event for event in events if type(event) is GameSet), None)
    hand_result, results_by_seat = summarize_hand(events)
    hand_row = {
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
        **{name: int(value) if isinstance(value, bool) else value for name, value in hand_result._asdict().items()},
    }
    return hand_row, [_build_seat_row(position, hand_result.scale, seat_result) for seat_result in results_by_seat]


def _build_seat_row(position: int, scale: int, seat_result: SeatResult) -> dict[str, object]:
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
