"""Lay out the drawn table: each seat has a cell of its own, and no two cells touch.

From the rail inwards, a cell holds the seat's plate, a row for button and blinds, and its bet. The rows of
cells surround the middle, which holds the board and the pots. There are two drawings: a wide one for
screens and paper, a tall one for phones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ledger.safe import columns

WIDTH: Final = 118
"""Width of a cell, and of the plate in it."""

PLATE: Final = 70
MARKS: Final = 28
BET: Final = 22
HEIGHT: Final = PLATE + MARKS + BET
MIDDLE: Final = 118
"""Height of the middle of a tall table: street, board and pots."""

_SIDES: Final = {2: 0, 3: 0, 4: 0, 5: 0, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1}
_GAP: Final = 6
_EDGE: Final = 4


TEXT_WIDTH: Final = 110
"""Width of a text on a plate."""
_COLUMN_WIDTH: Final = 8
_CAPITAL_WIDTH: Final = 10
_WIDEST: Final = 14
"""Widths of bold letters, a little too large: of most, of capitals, and of those in `_WIDE_LETTERS`."""
_WIDE_LETTERS: Final = frozenset("MWmw@%&œæŒÆ…—")


def find_narrowed_width(text: str) -> int | None:
    """Return the width to which a text's letters are narrowed, so that it stays on its plate; None = it fits."""
    width = sum(_estimate_width(letter) for letter in text)
    return TEXT_WIDTH if width > TEXT_WIDTH else None


def _estimate_width(letter: str) -> int:
    if letter in _WIDE_LETTERS:
        return _WIDEST
    return _CAPITAL_WIDTH if letter.isupper() else _COLUMN_WIDTH * columns(letter)


class Cell(NamedTuple):
    """The upper left corner of a seat's cell. `below`: under the middle of the table, with its plate at the bottom."""

    x: int
    y: int
    below: bool

    @property
    def plate(self) -> int:
        """How far down in the cell the plate begins."""
        return MARKS + BET if self.below else 0

    @property
    def marks(self) -> int:
        """How far down in the cell the middle of the row of markers is."""
        return (BET if self.below else PLATE) + MARKS // 2

    @property
    def bet(self) -> int:
        """How far down in the cell the middle of the bet is."""
        return BET // 2 if self.below else PLATE + MARKS + BET // 2


class Drawing(NamedTuple):
    """A table of some seats: its size, the middle of its board, and the cell of each seat, clockwise."""

    name: str
    width: int
    height: int
    middle: tuple[int, int]
    cells: list[Cell]


def lay_out_wide(seats: int) -> Drawing:
    """Return the drawing for screens and paper: a row above, a row below, and a seat at either end."""
    seats_per_side = _SIDES.get(seats, 1)
    upper_seats = max(1, (seats - 2 * seats_per_side + 1) // 2)
    lower_seats = max(0, seats - 2 * seats_per_side - upper_seats)
    columns = max(upper_seats, lower_seats, 4)
    width = max(columns * (WIDTH + 3 * _GAP), 700) + 2 * _EDGE
    middle_y = HEIGHT + _GAP
    rows = [(middle_y, seats_per_side, seats_per_side)]
    return _arrange_cells(
        "wide", width, upper_seats, lower_seats, rows, (width // 2, middle_y + HEIGHT // 2), middle_y + HEIGHT + _GAP
    )


def lay_out_tall(seats: int) -> Drawing:
    """Return the drawing for phones: up to three seats above and three below, the others at the sides."""
    end_seats = min(6, seats)
    upper_seats, lower_seats = (end_seats + 1) // 2, end_seats // 2
    left_seats = (seats - end_seats + 1) // 2
    right_seats = seats - end_seats - left_seats
    width = 3 * WIDTH + 2 * _GAP + 2 * _EDGE
    rows_above_middle = (max(left_seats, right_seats) + 1) // 2
    row_y, rows = HEIGHT + _GAP, []
    for row_index in range(max(left_seats, right_seats)):
        if row_index == rows_above_middle:
            row_y += MIDDLE
        rows.append((row_y, int(left_seats > row_index), int(right_seats > row_index)))
        row_y += HEIGHT + _GAP
    if len(rows) <= rows_above_middle:
        row_y += MIDDLE
    board_y = rows[rows_above_middle][0] if len(rows) > rows_above_middle else row_y
    return _arrange_cells(
        "tall", width, upper_seats, lower_seats, rows, (width // 2, board_y - MIDDLE // 2 - _GAP // 2), row_y
    )


def _arrange_cells(
    name: str,
    width: int,
    upper_seats: int,
    lower_seats: int,
    rows: Sequence[tuple[int, int, int]],
    board_center: tuple[int, int],
    bottom_y: int,
) -> Drawing:
    """Arrange the cells clockwise from the bottom: leftwards, up the left side, along the top, down the right side."""
    board_y = board_center[1]
    lower_cells = [Cell(x, bottom_y, below=True) for x in reversed(_spread_cells(width, lower_seats))]
    left_cells = [Cell(_EDGE, row_y, row_y > board_y) for row_y, has_seat, _ in reversed(rows) if has_seat]
    upper_cells = [Cell(x, 0, below=False) for x in _spread_cells(width, upper_seats)]
    right_cells = [Cell(width - WIDTH - _EDGE, row_y, row_y > board_y) for row_y, _, has_seat in rows if has_seat]
    return Drawing(
        name,
        width,
        bottom_y + (HEIGHT if lower_seats else 0),
        board_center,
        [*lower_cells, *left_cells, *upper_cells, *right_cells],
    )


def _spread_cells(width: int, count: int) -> list[int]:
    """Return the left edges of `count` cells that share the whole width."""
    column_width = (width - 2 * _EDGE) / max(count, 1)
    return [round(_EDGE + column_width * column + (column_width - WIDTH) / 2) for column in range(count)]
