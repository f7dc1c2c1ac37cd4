"""Draw the table at a moment of a hand, in text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from ledger import safe
from ledger.vocabulary import Chips, Seat
from projections.amount_text import MoneyFormat
from projections.reports.event_text import format_cards
from projections.reports.hand_documents import MomentDocument, SeatDocument

Amounts: TypeAlias = Callable[[Chips | None], str]
"""Formats an amount of chips."""

NO_GHOSTS: Final[Mapping[Seat, Sequence[str]]] = MappingProxyType({})

CELL_WIDTH: Final = 23
"""Columns of a seat in the drawing."""
_SEAT_LINES: Final = 3
_HIDDEN_CARDS_TEXTS: Final = {"folded": "folded", "dead": "hand is dead", "left-out": "not dealt in"}
"""Status of a seat → the text in place of its cards."""


def draw_table(
    moment: MomentDocument, width: int, amounts: Amounts | None = None, ghosts: Mapping[Seat, Sequence[str]] = NO_GHOSTS
) -> str:
    """Return the table at `moment`: seats clockwise, the board and the pots in the middle.

    `amounts`: formats chips; by default in the game's unit. `ghosts`: the positions that a seat should have had, shown in
    braces.
    """
    money = amounts or build_money_format(moment)
    cells = [_draw_seat(seat, money, moment, ghosts.get(seat.seat, ())) for seat in moment.seats]
    seat_sides = _split_seats(len(cells))
    seats_across = max(len(seat_sides[0]), len(seat_sides[2]), 2)
    middle = _list_middle_lines(moment, money)
    if width < CELL_WIDTH * seats_across + 4 or len(cells) < 2:
        body = ["  ".join(part.strip() for part in cell if part.strip()) for cell in cells]
        body += ["", *(line for line in middle if line)]
    else:
        inner_width = max(CELL_WIDTH * seats_across, 2 * CELL_WIDTH + max(map(safe.columns, middle)) + 2)
        body = _join_cells([cells[cell_index] for cell_index in seat_sides[0]], inner_width)
        body += ["", *_draw_middle_rows(cells, seat_sides, middle, inner_width), ""]
        body += _join_cells([cells[cell_index] for cell_index in seat_sides[2]], inner_width)
    return "\n".join(line.rstrip() for line in [*body, "", *_list_notes(moment, money)])


def build_money_format(moment: MomentDocument) -> MoneyFormat:
    """Return the format of amounts in the unit of a hand's game."""
    money = MoneyFormat(None)
    money.unit, money.exponent = moment.hand.unit, moment.hand.exponent
    return money


def _split_seats(count: int) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return the indexes of the seats, clockwise, at the top, the right, the bottom and the left of the drawing."""
    side_count = 1 if count >= 5 else 0
    top_count = (count - 2 * side_count + 1) // 2
    order = list(range(count))
    left_seats, other_seats = order[:side_count], order[side_count:]
    right_seats = other_seats[top_count : top_count + side_count]
    return other_seats[:top_count], right_seats, other_seats[top_count + side_count :][::-1], left_seats


def _draw_seat(
    seat: SeatDocument, money: Amounts, moment: MomentDocument, ghosts: Sequence[str]
) -> tuple[str, str, str]:
    is_to_act = moment.turn is not None and moment.turn.seat == seat.seat
    role_text = f" ({', '.join(seat.roles)})" if seat.roles else ""
    role_text += f" {{{' '.join(ghosts)}}}" if ghosts else ""
    player_name = safe.cut(seat.player, CELL_WIDTH - 5 - len(role_text))
    heading = f"{'>' if is_to_act else ' '}{seat.seat} {player_name}{role_text}"
    cards_text = _HIDDEN_CARDS_TEXTS.get(seat.status) or format_cards(seat.cards)
    if seat.status == "all-in":
        cards_text = f"{cards_text} ALL IN".strip()
    return heading, "   " + cards_text, "   " + _format_chips(seat, money)


def _format_chips(seat: SeatDocument, money: Amounts) -> str:
    """Return a seat's bet and its remaining stack, in the longest wording that fits."""
    bet = f"bet {money(seat.bet)}" if seat.bet else ""
    if seat.stack is None:
        return bet
    stack_text = money(seat.stack)
    if not bet:
        return f"{stack_text} behind"
    wordings = (
        f"{bet} · {stack_text} behind",
        f"{bet} · {stack_text} left",
        f"{bet} · {stack_text}",
        f"{money(seat.bet)} · {stack_text}",
    )
    return next((wording for wording in wordings if len(wording) <= CELL_WIDTH - 4), wordings[-1])


def _join_cells(cells: Sequence[tuple[str, str, str]], inner_width: int) -> list[str]:
    cell_width = inner_width // max(len(cells), 1)
    return ["".join(safe.fit(cell[line_index], cell_width) for cell in cells) for line_index in range(_SEAT_LINES)]


def _draw_middle_rows(
    cells: Sequence[tuple[str, str, str]],
    seat_sides: tuple[list[int], list[int], list[int], list[int]],
    middle: list[str],
    inner_width: int,
) -> list[str]:
    height = max(_SEAT_LINES, len(middle))
    left_cells, right_cells = ([cells[cell_index] for cell_index in seat_sides[side_index]] for side_index in (3, 1))
    middle_width = inner_width - CELL_WIDTH * (bool(left_cells) + bool(right_cells))
    rows = []
    for line_index in range(height):
        text = middle[line_index] if line_index < len(middle) else ""
        row = safe.fit(" " * max((middle_width - safe.columns(text)) // 2, 0) + text, middle_width)
        has_seat_line = line_index < _SEAT_LINES
        if left_cells:
            row = safe.fit(left_cells[0][line_index] if has_seat_line else "", CELL_WIDTH) + row
        if right_cells and has_seat_line:
            row += right_cells[0][line_index]
        rows.append(row)
    return rows


def _list_middle_lines(moment: MomentDocument, money: Amounts) -> list[str]:
    boards = [f"[ {format_cards(board)} ]" for board in moment.boards if board] or ["[ no board yet ]"]
    if len(moment.pots) <= 1:
        pots = [f"pot {money(sum(pot.amount for pot in moment.pots))}"]
    else:
        pots = [
            f"{'side pot ' + str(pot_index) if pot_index else 'main pot'} {money(pot.amount)} (seats {', '.join(map(str, pot.seats))})"
            for pot_index, pot in enumerate(moment.pots)
        ]
    return [moment.street, *boards, *pots]


def _list_notes(moment: MomentDocument, money: Amounts) -> list[str]:
    lines = []
    turn = moment.turn
    if turn is not None:
        player_name = next((seat.player for seat in moment.seats if seat.seat == turn.seat), "")
        options_text = f"{money(turn.to_call)} to call" if turn.to_call else "may check"
        if turn.may_raise and turn.least is not None:
            action = "raise to" if has_bet(moment) else "bet"
            options_text += f", {action} {_describe_bounds(turn.least, turn.most, money)}"
        elif turn.why:
            options_text += f", may not raise: {_NO_RAISE_REASONS.get(turn.why, safe.terminal(turn.why))}"
        lines.append(f"> {turn.seat} {player_name} is to act: {options_text}")
    return [*lines, *moment.notes]


def _describe_bounds(smallest: int, largest: int | None, money: Amounts) -> str:
    """Return the possible bets: `$20`, `at least $4`, `$4 or more, up to $200`."""
    if largest is None:
        return f"at least {money(smallest)}"
    return money(smallest) if largest == smallest else f"{money(smallest)} or more, up to {money(largest)}"


_NO_RAISE_REASONS: Final = {
    "call-takes-all": "calling puts the seat all-in",
    "not-reopened": "a short all-in doesn't reopen the betting",
    "nobody-to-raise": "everybody else is all-in",
    "raise-cap": "the betting is capped",
    "bet-cap": "the cap for one hand is reached",
    "unknown-game": "the stakes aren't on record",
    "all-in": "the seat is all-in",
    "no-hand": "the seat has no hand",
}
"""Why a seat may not raise, in words."""


def has_bet(moment: MomentDocument) -> bool:
    """Whether anybody has a live bet on this street."""
    return any(seat.bet for seat in moment.seats)
