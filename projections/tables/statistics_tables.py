"""The database tables of statistics: a row for each hand, and for each seat of a hand that counts.

They are made from the log alone, so you can drop and rebuild them. `seat_results` names the players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, cast
from uuid import UUID

from sqlalchemy import BigInteger, Column, Connection, Integer, MetaData, Table, delete

from ledger.hand.opening import HandOpened
from ledger.replay import HandReplay
from ledger.store.database.derived_tables import STATISTICS_NAME
from ledger.store.database.tables import BYTEWISE
from ledger.store.log.mapper import Mapper
from projections.statistics.hand_statistics import SeatStatistics, read_hand

if TYPE_CHECKING:
    from ledger.hand.events import HandEvent
    from ledger.store.commits import Commit

STATISTICS: Final = MetaData()
_BIG_INTEGER = BigInteger().with_variant(Integer(), "sqlite")

hand_statistics = Table(
    "hand_statistics",
    STATISTICS,
    Column("position", _BIG_INTEGER, primary_key=True, autoincrement=False),  # in the index of hands
    Column("stakes", BYTEWISE, nullable=False),  # 1/2, 4/8, 5+0.500; "" = not on record
    Column("stakes_unit", BYTEWISE, nullable=False),
    Column("gap", BYTEWISE, nullable=False),  # why no seat has a row; "" = all have
    Column("showdown_unknown", Integer, nullable=False),
)
seat_statistics = Table(
    "seat_statistics",
    STATISTICS,
    Column("position", _BIG_INTEGER, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("preflop", Integer, nullable=False),  # it had a decision in the first betting round
    Column("vpip", Integer, nullable=False),
    Column("pfr", Integer, nullable=False),
    Column("three_bet_chance", Integer, nullable=False),
    Column("three_bet", Integer, nullable=False),
    Column("bets", Integer, nullable=False),  # after the first betting round, as all acts below
    Column("raises", Integer, nullable=False),
    Column("calls", Integer, nullable=False),
    Column("checks", Integer, nullable=False),
    Column("folds", Integer, nullable=False),
    Column("saw_flop", Integer, nullable=False),
    Column("showdown", Integer, nullable=False),
    Column("showdown_judged", Integer, nullable=False),  # the record shows whether it won there
    Column("showdown_won", Integer, nullable=False),
)


class StatisticsProjection:
    """The projection of hands to statistics. `ledger.store.log.projection` feeds it commits."""

    name = STATISTICS_NAME
    tables = STATISTICS

    def __init__(self, mapper: Mapper, read_stream: Callable[[UUID], Iterable[Commit]]) -> None:
        """Create the projection. `read_stream` returns a stream's commits, because a correction changes the whole hand."""
        self._mapper = mapper
        self._read_stream = read_stream

    def project(self, commits: Sequence[Commit], connection: Connection) -> None:
        """Write the statistics of the hands that these commits begin or continue."""
        continued_streams = {commit.stream for commit in commits if commit.kind == "hand" and commit.version > 1}
        commits_by_stream = {
            commit.stream: [commit]
            for commit in commits
            if commit.kind == "hand" and commit.version == 1 and commit.stream not in continued_streams
        }
        commits_by_stream |= {stream: list(self._read_stream(stream)) for stream in sorted(continued_streams)}
        continued_positions = [commits_by_stream[stream][0].position for stream in continued_streams]
        for table in (hand_statistics, seat_statistics) if continued_positions else ():
            connection.execute(delete(table).where(table.c.position.in_(sorted(continued_positions))))
        hand_rows: list[dict[str, object]] = []
        seat_rows: list[dict[str, object]] = []
        for hand_commits in commits_by_stream.values():
            self._append_rows(hand_commits, hand_rows, seat_rows)
        if hand_rows:
            connection.execute(hand_statistics.insert(), hand_rows)
        if seat_rows:
            connection.execute(seat_statistics.insert(), seat_rows)

    def _append_rows(
        self, commits: list[Commit], hand_rows: list[dict[str, object]], seat_rows: list[dict[str, object]]
    ) -> None:
        """Append the rows of one hand to `hand_rows` and `seat_rows`."""
        events = [
            cast("HandEvent", event) for commit in commits for event in self._mapper.decode(commit.kind, commit.data)
        ]
        if type(events[0]) is not HandOpened:
            return
        position = commits[0].position
        statistics = read_hand(HandReplay(events))
        hand_rows.append(
            {
                "position": position,
                "stakes": statistics.stakes.amounts,
                "stakes_unit": statistics.stakes.unit,
                "gap": statistics.gap,
                "showdown_unknown": int(statistics.is_showdown_unknown),
            }
        )
        seat_rows += [
            {"position": position, "seat": seat, **_build_values(line)} for seat, line in statistics.seats.items()
        ]


def _build_values(line: SeatStatistics) -> dict[str, int]:
    choices, acts = line.preflop, line.postflop
    return {
        "preflop": int(choices.had_choice),
        "vpip": int(choices.paid),
        "pfr": int(choices.raised),
        "three_bet_chance": int(choices.could_three_bet),
        "three_bet": int(choices.three_bet),
        **acts._asdict(),
        "saw_flop": int(line.saw_flop),
        "showdown": int(line.reached_showdown),
        "showdown_judged": int(line.can_tell_winner),
        "showdown_won": int(line.won_showdown),
    }
