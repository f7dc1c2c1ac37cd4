"""Read what a person won over time, as a line of at most `MAX_POINTS` points."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from sqlalchemy import ColumnElement, select

from projections.queries.statistics_row import WinLine, WinPoint
from projections.queries.statistics_sums import Currency
from projections.statistics.hand_gaps import NET_UNKNOWN
from projections.tables.result_tables import hand_results, seat_results
from projections.tables.statistics_tables import hand_statistics, seat_statistics

if TYPE_CHECKING:
    from projections.queries.query_run import HandSelection

MAX_POINTS: Final = 200
"""The most points of a line. The last hand is always one of them."""

_NO_TIME: Final = -(1 << 62)


@dataclass
class _Track:
    """What a person won in one unit, hand by hand; amounts in the units of each hand's scale."""

    times: array[int] = field(default_factory=lambda: array("q"))
    nets: list[int] = field(default_factory=list)
    scales: list[int] = field(default_factory=list)
    showdowns: bytearray = field(default_factory=bytearray)


def read_win_lines(selection: HandSelection, seat_condition: ColumnElement[bool]) -> list[WinLine]:
    """Return the lines of the matching seats, one for each unit. The line with the most hands comes first.

    Hands are in the order in which they began. Hands without a time on record come last, in the order of the log.
    Hands whose record doesn't show what was won are left out.
    """
    superseded = selection.find_superseded_positions()
    hand_columns = hand_results.c
    seat_line = (seat_statistics.c.position == seat_results.c.position) & (
        seat_statistics.c.seat == seat_results.c.seat
    )
    statement = (
        select(
            hand_columns.position,
            hand_columns.started,
            hand_columns.format,
            hand_columns.unit,
            hand_columns.scale,
            seat_results.c.net,
            seat_statistics.c.showdown,
        )
        .join_from(hand_results, seat_results, hand_columns.position == seat_results.c.position)
        .join(hand_statistics, hand_statistics.c.position == hand_columns.position)
        .outerjoin(seat_statistics, seat_line)
        .where(selection.conditions.with_seats, seat_condition, hand_statistics.c.gap.not_in(sorted(NET_UNKNOWN)))
        .order_by(hand_columns.started.is_(None), hand_columns.started, hand_columns.position)
    )
    tracks: dict[Currency, _Track] = {}
    for position, started, hand_format, unit, scale, net, showdown in selection.fetch_rows(statement):
        if position in superseded:
            continue
        track = tracks.setdefault(Currency(hand_format, unit), _Track())
        track.times.append(_NO_TIME if started is None else started)
        track.nets.append(net)
        track.scales.append(scale)
        track.showdowns.append(bool(showdown))
    ordered_tracks = sorted(tracks.items(), key=lambda pair: (-len(pair[1].nets), pair[0]))
    return [_build_line(currency, track) for currency, track in ordered_tracks]


def _build_line(currency: Currency, track: _Track) -> WinLine:
    """Return the line of a track, with points at even distances."""
    hand_count, scale = len(track.nets), max(track.scales)
    point_count = min(hand_count, MAX_POINTS)
    sampled_hands = {hand_count * index // point_count for index in range(1, point_count + 1)}
    showdown_net = other_net = 0
    points = []
    for hands, (time, net, hand_scale, is_showdown) in enumerate(
        zip(track.times, track.nets, track.scales, track.showdowns, strict=True), 1
    ):
        if is_showdown:
            showdown_net += net * (scale // hand_scale)
        else:
            other_net += net * (scale // hand_scale)
        if hands in sampled_hands:
            started = None if time == _NO_TIME else time
            points.append(WinPoint(hands, started, showdown_net + other_net, showdown_net, other_net))
    return WinLine(
        format=currency.format,
        unit=currency.unit,
        exponent=len(str(scale)) - 1,
        hands=hand_count,
        points=points,
        untimed=track.times.count(_NO_TIME),
    )
