"""The state of a hand as a person would draw the table, in text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from ledger import safe
from ledger.vocabulary import Chips, Seat
from projections.amount_text import Money
from projections.reports.event_text import format_cards
from projections.reports.hand_documents import MomentDocument, SeatTold

Amounts: TypeAlias = Callable[[Chips | None], str]
"""How amounts are written."""

NOWHERE: Final[Mapping[Seat, Sequence[str]]] = MappingProxyType({})

CELL: Final = 23
"""Columns of a seat in the drawing."""


def drawing(
    moment: MomentDocument, width: int, amounts: Amounts | None = None, ghosts: Mapping[Seat, Sequence[str]] = NOWHERE
) -> str:
    """Return the table at `moment`: seats clockwise, the board and the pots in the middle.

    `amounts`: otherwise than in the game's unit. `ghosts`: what should have lain before a seat, in braces.
    """
    money = amounts or money_of(moment)
    cells = [_cell(seat, money, moment, ghosts.get(seat.seat, ())) for seat in moment.seats]
    around = _sides(len(cells))
    across = max(len(around[0]), len(around[2]), 2)
    middle = _middle(moment, money)
    if width < CELL * across + 4 or len(cells) < 2:
        body = ["  ".join(part.strip() for part in cell if part.strip()) for cell in cells]
        body += ["", *(line for line in middle if line)]
    else:
        inner = max(CELL * across, 2 * CELL + max(map(safe.columns, middle)) + 2)
        body = _row([cells[i] for i in around[0]], inner)
        body += ["", *_between(cells, around, middle, inner), ""]
        body += _row([cells[i] for i in around[2]], inner)
    return "\n".join(line.rstrip() for line in [*body, "", *_below(moment, money)])


def money_of(moment: MomentDocument) -> Money:
    """Return the amounts of a hand in its game's unit."""
    money = Money(None)
    money.unit, money.exponent = moment.hand.unit, moment.hand.exponent
    return money


def _sides(count: int) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return which of the seats, clockwise, stand above, at the right, below and at the left."""
    side = 1 if count >= 5 else 0
    top = (count - 2 * side + 1) // 2
    order = list(range(count))
    left, rest = order[:side], order[side:]
    right = rest[top : top + side]
    return rest[:top], right, rest[top + side :][::-1], left


def _cell(seat: SeatTold, money: Amounts, moment: MomentDocument, ghosts: Sequence[str]) -> tuple[str, str, str]:
    due = moment.turn is not None and moment.turn.seat == seat.seat
    mark = f" ({', '.join(seat.roles)})" if seat.roles else ""
    mark += f" {{{' '.join(ghosts)}}}" if ghosts else ""
    name = safe.cut(seat.player, CELL - 5 - len(mark))
    head = f"{'>' if due else ' '}{seat.seat} {name}{mark}"
    held = {"folded": "folded", "dead": "hand is dead", "left-out": "not dealt in"}.get(seat.status, "")
    held = held or format_cards(seat.cards)
    if seat.status == "all-in":
        held = f"{held} ALL IN".strip()
    return head, "   " + held, "   " + _chips(seat, money)


def _chips(seat: SeatTold, money: Amounts) -> str:
    """Return what a seat has bet and has left: words give way before a digit is cut off."""
    bet = f"bet {money(seat.bet)}" if seat.bet else ""
    if seat.stack is None:
        return bet
    left = money(seat.stack)
    if not bet:
        return f"{left} behind"
    told = (f"{bet} · {left} behind", f"{bet} · {left} left", f"{bet} · {left}", f"{money(seat.bet)} · {left}")
    return next((words for words in told if len(words) <= CELL - 4), told[-1])


def _row(cells: Sequence[tuple[str, str, str]], inner: int) -> list[str]:
    share = inner // max(len(cells), 1)
    return ["".join(safe.fit(cell[line], share) for cell in cells) for line in range(3)]


def _between(
    cells: Sequence[tuple[str, str, str]],
    around: tuple[list[int], list[int], list[int], list[int]],
    middle: list[str],
    inner: int,
) -> list[str]:
    height = max(3, len(middle))
    left, right = ([cells[i] for i in around[n]] for n in (3, 1))
    room = inner - CELL * (bool(left) + bool(right))
    rows = []
    for line in range(height):
        text = middle[line] if line < len(middle) else ""
        shown = safe.fit(" " * max((room - safe.columns(text)) // 2, 0) + text, room)
        before = safe.fit(left[0][line] if left and line < 3 else "", CELL) if left else ""
        after = right[0][line] if right and line < 3 else ""
        rows.append(before + shown + after)
    return rows


def _middle(moment: MomentDocument, money: Amounts) -> list[str]:
    boards = [f"[ {format_cards(board)} ]" for board in moment.boards if board] or ["[ no board yet ]"]
    if len(moment.pots) <= 1:
        pots = [f"pot {money(sum(pot.amount for pot in moment.pots))}"]
    else:
        pots = [
            f"{'side pot ' + str(n) if n else 'main pot'} {money(pot.amount)} (seats {', '.join(map(str, pot.seats))})"
            for n, pot in enumerate(moment.pots)
        ]
    return [moment.street, *boards, *pots]


def _below(moment: MomentDocument, money: Amounts) -> list[str]:
    lines = []
    turn = moment.turn
    if turn is not None:
        who = next((seat.player for seat in moment.seats if seat.seat == turn.seat), "")
        call = f"{money(turn.to_call)} to call" if turn.to_call else "may check"
        if turn.may_raise and turn.least is not None:
            most = "" if turn.most is None else f" and at most {money(turn.most)}"
            call += f", {'raise' if moment_has_bet(moment) else 'bet'} to at least {money(turn.least)}{most}"
        elif turn.why:
            call += f", may not raise: {_WHY.get(turn.why, safe.terminal(turn.why))}"
        lines.append(f"> {turn.seat} {who} is to act: {call}")
    return [*lines, *moment.notes]


_WHY: Final = {
    "call-takes-all": "that is all it has",
    "not-reopened": "only less than a full raise came since it acted",
    "nobody-to-raise": "all others are all-in",
    "raise-cap": "no more raises are taken",
    "bet-cap": "the most for one hand is reached",
    "unknown-game": "the stakes are not on record",
    "all-in": "it is all-in",
    "no-hand": "it holds no hand",
}
"""Why a seat may not raise, in words."""


def moment_has_bet(moment: MomentDocument) -> bool:
    """Tell whether anybody has a live bet on this street."""
    return any(seat.bet for seat in moment.seats)
