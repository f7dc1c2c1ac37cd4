"""Where things stand on the drawn table: each seat has a cell of its own, and no two cells touch.

A cell holds the seat's plate, before it a row for button and blinds, before that its bet. The rows of
cells stand round the middle, where the board and the pots are. There are two drawings: a wide one for
screens and paper, a tall one for phones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

WIDTH: Final = 118
"""Of a cell, and of the plate in it."""

PLATE: Final = 70
MARKS: Final = 28
BET: Final = 22
HEIGHT: Final = PLATE + MARKS + BET
MIDDLE: Final = 118
"""Height of the middle of a tall table: street, board and pots."""

_SIDES: Final = {2: 0, 3: 0, 4: 0, 5: 0, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1}
_BETWEEN: Final = 6
_EDGE: Final = 4


class Cell(NamedTuple):
    """The cell of a seat: its upper left corner. `below`: it stands under the middle, and its plate is its lowest part."""

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


def wide(seats: int) -> Drawing:
    """Return the drawing for screens and paper: a row above, a row below, and a seat at either end."""
    side = _SIDES.get(seats, 1)
    above = max(1, (seats - 2 * side + 1) // 2)
    below = max(0, seats - 2 * side - above)
    across = max(above, below, 4)
    width = max(across * (WIDTH + 3 * _BETWEEN), 700) + 2 * _EDGE
    middle = HEIGHT + _BETWEEN
    rows = [(middle, side, side)]
    return _drawing("wide", width, above, below, rows, (width // 2, middle + HEIGHT // 2), middle + HEIGHT + _BETWEEN)


def tall(seats: int) -> Drawing:
    """Return the drawing for phones: at most three seats above and below, the others at the sides."""
    ends = min(6, seats)
    above, below = (ends + 1) // 2, ends // 2
    left = (seats - ends + 1) // 2
    right = seats - ends - left
    width = 3 * WIDTH + 2 * _BETWEEN + 2 * _EDGE
    upper = (max(left, right) + 1) // 2
    y, rows = HEIGHT + _BETWEEN, []
    for at in range(max(left, right)):
        if at == upper:
            y += MIDDLE
        rows.append((y, int(left > at), int(right > at)))
        y += HEIGHT + _BETWEEN
    if len(rows) <= upper:
        y += MIDDLE
    board = rows[upper][0] if len(rows) > upper else y
    return _drawing("tall", width, above, below, rows, (width // 2, board - MIDDLE // 2 - _BETWEEN // 2), y)


def _drawing(
    name: str,
    width: int,
    above: int,
    below: int,
    rows: Sequence[tuple[int, int, int]],
    board: tuple[int, int],
    last: int,
) -> Drawing:
    """Put the cells together clockwise from below: leftwards, up the left side, along above, down the right side."""
    under = board[1]
    lower = [Cell(x, last, below=True) for x in reversed(_spread(width, below))]
    left = [Cell(_EDGE, y, y > under) for y, there, _ in reversed(rows) if there]
    upper = [Cell(x, 0, below=False) for x in _spread(width, above)]
    right = [Cell(width - WIDTH - _EDGE, y, y > under) for y, _, there in rows if there]
    return Drawing(name, width, last + (HEIGHT if below else 0), board, [*lower, *left, *upper, *right])


def _spread(width: int, count: int) -> list[int]:
    """Return where so many cells begin that stand side by side over the whole width."""
    room = (width - 2 * _EDGE) / max(count, 1)
    return [round(_EDGE + room * at + (room - WIDTH) / 2) for at in range(count)]
