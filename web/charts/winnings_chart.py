"""A line chart of winnings as shapes: the template draws them as SVG. Every number that it shows is text, too."""

from __future__ import annotations

from bisect import bisect_left
from datetime import UTC, datetime
from typing import Final, NamedTuple

from projections.amount_text import amount
from projections.queries.statistics_row import WinLine, WinPoint
from web.charts.line_chart import choose_grid

_WIDTH: Final = 720
_HEIGHT: Final = 260
_SCALE_WIDTH, _MARGIN, _TOP, _BOTTOM = 84, 12, 12, 30
_TABLE_ROWS: Final = 10


class WinningsLine(NamedTuple):
    """A line: its class in the style sheet, and its points as SVG wants them."""

    css_class: str
    points: str


class Tick(NamedTuple):
    """A mark on an axis: where it is, and its text."""

    offset: float
    text: str


class WinningsChart(NamedTuple):
    """The shapes of a chart, in units of its view box."""

    series: list[WinningsLine]
    amounts: list[Tick]  # down the left side
    hands: list[Tick]  # along the bottom
    zero: float
    plot_left: int
    plot_right: int
    rows: list[WinPoint]  # some of the points, for the table below: the last one always


def build_winnings_chart(line: WinLine) -> WinningsChart:
    """Return the chart of a line: all that was won, and the part from showdowns and the rest."""
    points = [WinPoint(0, None, 0, 0, 0), *line.points]
    values = [value for point in points for value in (point.net, point.showdown, point.other)]
    grid_amounts = choose_grid(min(values), max(values))
    bottom, top = grid_amounts[0], grid_amounts[-1]

    def find_y(value: int) -> float:
        return round(_TOP + (top - value) * (_HEIGHT - _TOP - _BOTTOM) / (top - bottom), 1)

    def find_x(hands: int) -> float:
        return round(_SCALE_WIDTH + hands * (_WIDTH - _SCALE_WIDTH - _MARGIN) / line.hands, 1)

    def draw(css_class: str, heights: list[int]) -> WinningsLine:
        pairs = zip(points, heights, strict=True)
        return WinningsLine(css_class, " ".join(f"{find_x(point.hands)},{find_y(value)}" for point, value in pairs))

    return WinningsChart(
        series=[
            draw("other", [point.other for point in points]),
            draw("showdown", [point.showdown for point in points]),
            draw("net", [point.net for point in points]),
        ],
        amounts=[Tick(find_y(value), amount(value, line.unit, line.exponent)) for value in grid_amounts],
        hands=[Tick(find_x(hands), f"{hands:,}") for hands in sorted({0, line.hands // 2, line.hands})],
        zero=find_y(0),
        plot_left=_SCALE_WIDTH,
        plot_right=_WIDTH - _MARGIN,
        rows=_choose_rows(line),
    )


def _choose_rows(line: WinLine) -> list[WinPoint]:
    """Return points at even distances for the table, the last one always."""
    hands = [point.hands for point in line.points]
    row_count = min(_TABLE_ROWS, len(hands))
    indexes = {bisect_left(hands, line.hands * number // row_count) for number in range(1, row_count + 1)}
    return [line.points[min(index, len(hands) - 1)] for index in sorted(indexes)]


def format_day(point: WinPoint) -> str:
    """Return the day of a point's last hand in UTC; "" if the record has no time."""
    if point.started is None:
        return ""
    try:
        return datetime.fromtimestamp(point.started / 1000, UTC).date().isoformat()
    except (OverflowError, OSError, ValueError):
        return ""
