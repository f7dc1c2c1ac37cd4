"""The state of a hand as a person would draw the table, in text."""

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
"""How amounts are written."""

NO_GHOSTS: Final[Mapping[Seat, Sequence[str]]] = MappingProxyType({})

CELL: Final = 23
"""Columns of a seat in the drawing."""


def drawing(
    moment: MomentDocument, width: int, amounts: Amounts | None = None, ghosts: Mapping[Seat, Sequence[str]] = NO_GHOSTS
) -> str:
    """Return the table at `moment`: seats clockwise, the board and the pots in the middle.

    `amounts`: otherwise than in the game's unit. `ghosts`: what should have lain before a seat, in braces.
    """
    money = amounts or money_of(moment)
    cells = [_draw_seat(seat, money, moment, ghosts.get(seat.seat, ())) for seat in moment.seats]
    seat_sides = _split_seats(len(cells))
    seats_across = max(len(seat_sides[0]), len(seat_sides[2]), 2)
    middle = _middle_lines(moment, money)
    if width < CELL * seats_across + 4 or len(cells) < 2:
        body = ["  ".join(part.strip() for part in cell if part.strip()) for cell in cells]
        body += ["", *(line for line in middle if line)]
    else:
        inner_width = max(CELL * seats_across, 2 * CELL + max(map(safe.columns, middle)) + 2)
        body = _join_cells([cells[cell_index] for cell_index in seat_sides[0]], inner_width)
        body += ["", *_draw_middle_rows(cells, seat_sides, middle, inner_width), ""]
        body += _join_cells([cells[cell_index] for cell_index in seat_sides[2]], inner_width)
    return "\n".join(line.rstrip() for line in [*body, "", *_notes_below(moment, money)])


def money_of(moment: MomentDocument) -> MoneyFormat:
    """Return the amounts of a hand in its game's unit."""
    money = MoneyFormat(None)
    money.unit, money.exponent = moment.hand.unit, moment.hand.exponent
    return money


def _split_seats(count: int) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return which of the seats, clockwise, stand above, at the right, below and at the left."""
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
    player_name = safe.cut(seat.player, CELL - 5 - len(role_text))
    heading = f"{'>' if is_to_act else ' '}{seat.seat} {player_name}{role_text}"
    cards_text = {"folded": "folded", "dead": "hand is dead", "left-out": "not dealt in"}.get(seat.status, "")
    cards_text = cards_text or format_cards(seat.cards)
    if seat.status == "all-in":
        cards_text = f"{cards_text} ALL IN".strip()
    return heading, "   " + cards_text, "   " + _format_chips(seat, money)


def _format_chips(seat: SeatDocument, money: Amounts) -> str:
    """Return what a seat has bet and has left: words give way before a digit is cut off."""
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
    return next((wording for wording in wordings if len(wording) <= CELL - 4), wordings[-1])


def _join_cells(cells: Sequence[tuple[str, str, str]], inner_width: int) -> list[str]:
    cell_width = inner_width // max(len(cells), 1)
    return ["".join(safe.fit(cell[line_index], cell_width) for cell in cells) for line_index in range(3)]


def _draw_middle_rows(
    cells: Sequence[tuple[str, str, str]],
    seat_sides: tuple[list[int], list[int], list[int], list[int]],
    middle: list[str],
    inner_width: int,
) -> list[str]:
    height = max(3, len(middle))
    left_cells, right_cells = ([cells[cell_index] for cell_index in seat_sides[side_index]] for side_index in (3, 1))
    middle_width = inner_width - CELL * (bool(left_cells) + bool(right_cells))
    rows = []
    for line_index in range(height):
        text = middle[line_index] if line_index < len(middle) else ""
        middle_text = safe.fit(" " * max((middle_width - safe.columns(text)) // 2, 0) + text, middle_width)
        left_text = (
            safe.fit(left_cells[0][line_index] if left_cells and line_index < 3 else "", CELL) if left_cells else ""
        )
        right_text = right_cells[0][line_index] if right_cells and line_index < 3 else ""
        rows.append(left_text + middle_text + right_text)
    return rows


def _middle_lines(moment: MomentDocument, money: Amounts) -> list[str]:
    boards = [f"[ {format_cards(board)} ]" for board in moment.boards if board] or ["[ no board yet ]"]
    if len(moment.pots) <= 1:
        pots = [f"pot {money(sum(pot.amount for pot in moment.pots))}"]
    else:
        pots = [
            f"{'side pot ' + str(pot_index) if pot_index else 'main pot'} {money(pot.amount)} (seats {', '.join(map(str, pot.seats))})"
            for pot_index, pot in enumerate(moment.pots)
        ]
    return [moment.street, *boards, *pots]


def _notes_below(moment: MomentDocument, money: Amounts) -> list[str]:
    lines = []
    turn = moment.turn
    if turn is not None:
        player_name = next((seat.player for seat in moment.seats if seat.seat == turn.seat), "")
        options_text = f"{money(turn.to_call)} to call" if turn.to_call else "may check"
        if turn.may_raise and turn.least is not None:
            action = "raise to" if moment_has_bet(moment) else "bet"
            options_text += f", {action} {_describe_bounds(turn.least, turn.most, money)}"
        elif turn.why:
            options_text += f", may not raise: {_NO_RAISE_REASONS.get(turn.why, safe.terminal(turn.why))}"
        lines.append(f"> {turn.seat} {player_name} is to act: {options_text}")
    return [*lines, *moment.notes]


def _describe_bounds(smallest: int, largest: int | None, money: Amounts) -> str:
    """Return what may be bet: `$20`, `at least $4`, `$4 or more, up to $200`."""
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


def moment_has_bet(moment: MomentDocument) -> bool:
    """Tell whether anybody has a live bet on this street."""
    return any(seat.bet for seat in moment.seats)
