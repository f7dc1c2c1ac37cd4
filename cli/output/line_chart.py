"""Draw a line chart in plain characters: a player's winnings after each hand."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Final

from ledger import safe

_ROWS: Final = 10
_COLUMNS: Final = 60


def draw_line_chart(points: Sequence[tuple[int, int]], format_value: Callable[[int], str]) -> list[str]:
    """Return the lines of a chart of (hands, value) points in order of hands. The dotted row is zero.

    Each column is the value after its last hand, so the right end is the last value.
    """
    hands = [hand for hand, _ in points]
    column_count = min(_COLUMNS, hands[-1])
    values = [
        points[min(bisect_left(hands, hands[-1] * column / column_count), len(points) - 1)][1]
        for column in range(1, column_count + 1)
    ]
    highest, lowest = max(0, *values), min(0, *values)
    span = max(1, highest - lowest)
    value_rows = [round((highest - value) * (_ROWS - 1) / span) for value in values]
    zero_row = round(highest * (_ROWS - 1) / span)
    labels = {0: format_value(highest), _ROWS - 1: format_value(lowest)}
    labels[zero_row] = format_value(0)  # last: zero may be the highest or the lowest value
    width = max(map(safe.columns, labels.values()))
    chart = []
    for row in range(_ROWS):
        label = labels.get(row, "")
        background = "." if row == zero_row else " "
        marks = "".join("*" if value_row == row else background for value_row in value_rows)
        chart.append(f"{' ' * (width - safe.columns(label))}{label} |{marks}".rstrip())
    return chart
