"""Lay out lines over an evening, such as each player's stack from hand to hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias


class ChartSize(NamedTuple):
    """The size of a chart, with room for the numbers of the scale and for the names at the ends of the lines."""

    name: str  # the class in the style sheet
    width: int
    height: int
    scale_width: int
    name_width: int


WIDE: Final = ChartSize("wide", 720, 220, 62, 132)
TALL: Final = ChartSize("tall", 360, 260, 54, 112)
"""For phones, where the wide one is too small to read."""

_TOP: Final = 12
_BOTTOM: Final = 24
_LABEL_HEIGHT: Final = 14
_GRID_STEPS: Final = 4
_DOT_RADIUS: Final = 3
COLOURS: Final = 10
"""How many colours the style sheet has for lines: `.line-0` to `.line-9`."""

Point: TypeAlias = tuple[float, float]


class Series(NamedTuple):
    """The values of one line, one for each step. None = not recorded: the line has a gap there."""

    label: str  # escaped
    values: Sequence[int | None]


class Label(NamedTuple):
    """A text in the chart."""

    x: float
    y: float
    text: str


class ChartLine(NamedTuple):
    """One line: its colour, its segments between gaps, lone values as dots, and the label at its end."""

    colour_index: int
    dash_pattern: int  # lines of the same colour differ in their dashes
    segments: list[str]  # points of polylines, as SVG writes them
    dots: list[Point]
    label: Label


class GridLine(NamedTuple):
    """A horizontal line of the scale, with its amount."""

    y: float
    amount: int


class LineChart(NamedTuple):
    """The chart: its size, its lines, and the scale."""

    size: ChartSize
    plot_left: int
    plot_right: int
    lines: list[ChartLine]
    grid_lines: list[GridLine]


def lay_out_lines(all_series: Sequence[Series], size: ChartSize = WIDE) -> LineChart | None:
    """Return the chart of some lines, or None if no value is recorded."""
    recorded_values = [value for series in all_series for value in series.values if value is not None]
    if not recorded_values:
        return None
    grid_amounts = choose_grid(min(0, *recorded_values), max(0, *recorded_values))
    low, high = grid_amounts[0], grid_amounts[-1]
    step_count = max(len(series.values) for series in all_series)
    plot_left, plot_right = size.scale_width, size.width - size.name_width
    plot_height = size.height - _TOP - _BOTTOM

    def place(step: int, value: int) -> Point:
        x = plot_left + (plot_right - plot_left) * step / max(step_count - 1, 1)
        return round(x, 1), round(_TOP + plot_height * (high - value) / (high - low), 1)

    point_runs_by_series = [
        [[place(step, value) for step, value in point_run] for point_run in _split_at_gaps(series.values)]
        for series in all_series
    ]
    last_heights = [point_runs[-1][-1][1] if point_runs else None for point_runs in point_runs_by_series]
    label_heights = _spread_labels(last_heights, size.height)
    lines = [
        ChartLine(
            colour_index=index % COLOURS,
            dash_pattern=index // COLOURS,
            segments=[" ".join(f"{x},{y}" for x, y in point_run) for point_run in point_runs if len(point_run) > 1],
            dots=[point_run[0] for point_run in point_runs if len(point_run) == 1],
            label=Label(plot_right + 8, label_heights[index], series.label),
        )
        for index, (series, point_runs) in enumerate(zip(all_series, point_runs_by_series, strict=True))
        if point_runs
    ]
    grid_lines = [GridLine(place(0, grid_amount)[1], grid_amount) for grid_amount in grid_amounts]
    return LineChart(size, plot_left, plot_right, lines, grid_lines)


def choose_grid(low: int, high: int) -> list[int]:
    """Return round amounts from at most `low` to at least `high`, in about four steps.

    >>> choose_grid(0, 730)
    [0, 200, 400, 600, 800]
    """
    high = max(high, low + 1)
    span = high - low
    magnitude = 10 ** (len(str(max(span // _GRID_STEPS, 1))) - 1)
    grid_step = next(size * magnitude for size in (1, 2, 5, 10) if size * magnitude * _GRID_STEPS >= span)
    first_amount = low // grid_step * grid_step
    return list(range(first_amount, -(-high // grid_step) * grid_step + 1, grid_step))


def _split_at_gaps(values: Iterable[int | None]) -> Iterator[list[tuple[int, int]]]:
    """Yield the runs of recorded values, each value with its step."""
    point_run: list[tuple[int, int]] = []
    for step, value in enumerate(values):
        if value is not None:
            point_run.append((step, value))
        elif point_run:
            yield point_run
            point_run = []
    if point_run:
        yield point_run


def _spread_labels(heights: Sequence[float | None], chart_height: int) -> list[float]:
    """Move labels apart that would overlap, and keep their order. The height of a line without values is 0."""
    label_heights = [0.0] * len(heights)
    next_free = float(_TOP)
    order = sorted((height, index) for index, height in enumerate(heights) if height is not None)
    for remaining, (height, index) in zip(range(len(order), 0, -1), order, strict=True):
        lowest_start = chart_height - _LABEL_HEIGHT * remaining
        label_heights[index] = round(max(next_free, min(height, lowest_start)), 1)
        next_free = label_heights[index] + _LABEL_HEIGHT
    return label_heights
