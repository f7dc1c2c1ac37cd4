"""The last evening of a table: its hands in playing order, and the players' stacks from hand to hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

import msgspec
from sqlalchemy import select

from ledger.text.language import phrase
from ledger.vocabulary import Chips, Seat
from projections.findings.finding import Severity
from projections.tables.kept_results import hand_results, seat_results
from projections.tables.table_set import open_tables

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.vocabulary import PlayerId
    from projections.live.floor_desk import LastHand

MAX_HANDS: Final = 400
"""Hands of one evening. Of a longer one, the last."""
_LONGEST_BREAK: Final = 5 * 60 * 60 * 1000
"""Milliseconds between two hands of the same evening."""
_SEVERITIES: Final = get_args(Severity)
_UNTIMED_HANDS: Final = 60
"""Hands that are shown if their times aren't recorded."""


class EveningHand(msgspec.Struct):
    """One hand of the evening."""

    id: str
    address: str
    local: str  # when it began on the room's clock; "" = unknown
    findings: int | None  # None: the reader may not see findings
    severity: str  # the worst of its findings; "" = nothing found, or not for the reader
    not_judged: str  # the reason why it wasn't judged; "" = it was


class StackLine(msgspec.Struct):
    """A player's stack before each hand of the evening, and after the last one. None = not recorded, or not dealt in."""

    player: str
    seats: list[Seat]  # in which the player sat, in order
    stacks: list[Chips | None]
    net: Chips  # of the hands that were dealt to the player


class TableEvening(msgspec.Struct):
    """The last evening of a table. Amounts are in units of 10^-exponent of `unit`."""

    hands: list[EveningHand]
    stacks: list[StackLine]
    unit: str = ""
    exponent: int = 0
    has_earlier_hands: bool = msgspec.field(default=False, name="earlier")
    hands_for_other_money: int = msgspec.field(default=0, name="other_money")  # the stacks leave them out


def find_evening_rows(ledger: Ledger, table_key: TableKey) -> tuple[list[HandRow], bool]:
    """Return the hands of a table's last evening in playing order, and whether there are earlier ones."""
    newest_rows = list(ledger.hands(**table_key._asdict(), order="newest", limit=MAX_HANDS + 1, standing=True))
    evening_rows = newest_rows[:1]
    for newer, older in pairwise(newest_rows[:MAX_HANDS]):
        if _are_of_one_evening(older, newer, len(evening_rows)):
            evening_rows.append(older)
        else:
            break
    return evening_rows[::-1], len(newest_rows) > len(evening_rows)


def _are_of_one_evening(older: HandRow, newer: HandRow, shown_hands: int) -> bool:
    if older.started is None or newer.started is None:
        return shown_hands < _UNTIMED_HANDS
    return newer.started - older.started <= _LONGEST_BREAK


def build_evening(
    ledger: Ledger,
    rows: Sequence[HandRow],
    last_hands: Iterable[LastHand],
    *,
    is_judged: bool,
    sees_findings: bool,
    has_earlier_hands: bool,
) -> TableEvening:
    """Return the evening of these hands, in playing order.

    `last_hands`: the same hands with their findings. `is_judged`: by a rulebook, not only against themselves.
    """
    reason_not_judged = "" if is_judged else phrase("not judged: no rulebook was in force")
    evening_hands = [_mark_hand(last_hand, reason_not_judged, sees_findings=sees_findings) for last_hand in last_hands]
    evening = TableEvening(evening_hands, [], has_earlier_hands=has_earlier_hands)
    _add_stacks(evening, ledger, rows)
    return evening


def _mark_hand(last_hand: LastHand, reason_not_judged: str, *, sees_findings: bool) -> EveningHand:
    hand = last_hand.hand
    if not sees_findings:
        return EveningHand(hand.id, hand.address, hand.local, findings=None, severity="", not_judged="")
    worst_severity = min((finding.severity for finding in last_hand.findings), key=_SEVERITIES.index, default="")
    return EveningHand(
        hand.id,
        hand.address,
        hand.local,
        findings=len(last_hand.findings),
        severity=worst_severity,
        not_judged=last_hand.not_judged or reason_not_judged,
    )


class _Money(NamedTuple):
    """The money of a hand: only amounts of the same money can share a chart."""

    unit: str
    scale: int
    format: str  # cash or tournament


class _SeatOfHand(NamedTuple):
    """What a player had before a hand, and what the hand brought."""

    hand_index: int
    seat: Seat
    player: PlayerId
    stack: Chips | None
    net: Chips


def _add_stacks(evening: TableEvening, ledger: Ledger, rows: Sequence[HandRow]) -> None:
    """Add the players' stacks, in the money of the evening's last hand."""
    money_by_position, seats = _read_seats(ledger, rows)
    money = next((money for row in reversed(rows) if (money := money_by_position.get(row.position)) is not None), None)
    if money is None:
        return
    evening.unit, evening.exponent = money.unit, len(str(money.scale)) - 1
    evening.hands_for_other_money = sum(hand_money != money for hand_money in money_by_position.values())
    counted_hands = {index for index, row in enumerate(rows) if money_by_position.get(row.position) == money}
    lines: dict[PlayerId, StackLine] = {}
    for seat in sorted(seats):
        if seat.hand_index not in counted_hands:
            continue
        if seat.player not in lines:
            name = ledger.people.name(seat.player) or f"({seat.player[:6]})"
            lines[seat.player] = StackLine(name, [], [None] * (len(rows) + 1), 0)
        line = lines[seat.player]
        line.stacks[seat.hand_index] = seat.stack
        line.net += seat.net
        if seat.seat not in line.seats:
            line.seats.append(seat.seat)
        if seat.stack is not None and line.stacks[seat.hand_index + 1] is None:
            line.stacks[seat.hand_index + 1] = seat.stack + seat.net
    evening.stacks = sorted(lines.values(), key=lambda line: line.seats)


def _read_seats(ledger: Ledger, rows: Sequence[HandRow]) -> tuple[dict[int, _Money], list[_SeatOfHand]]:
    """Return the money of each hand by its position, and the seats dealt in."""
    hand_indexes = {row.position: index for index, row in enumerate(rows)}
    statement = (
        select(
            hand_results.c.position,
            hand_results.c.unit,
            hand_results.c.scale,
            hand_results.c.format,
            seat_results.c.player,
            seat_results.c.seat,
            seat_results.c.stack,
            seat_results.c.net,
        )
        .join_from(hand_results, seat_results, hand_results.c.position == seat_results.c.position)
        .where(hand_results.c.position.in_(list(hand_indexes)))
    )
    money_by_position: dict[int, _Money] = {}
    seats = []
    with open_tables(ledger, [], results=True) as (table_store, _), table_store.core() as connection:
        for position, unit, scale, hand_format, player, seat, stack, net in connection.execute(statement):
            money_by_position[position] = _Money(unit, scale, hand_format)
            seats.append(_SeatOfHand(hand_indexes[position], seat, player, stack, net))
    return money_by_position, seats


def iter_stack_summary(line: StackLine) -> Iterator[Chips | None]:
    """Yield a player's first, lowest, highest and last recorded stack; None if none is recorded."""
    recorded_stacks = [stack for stack in line.stacks if stack is not None]
    if not recorded_stacks:
        yield from (None, None, None, None)
        return
    yield from (recorded_stacks[0], min(recorded_stacks), max(recorded_stacks), recorded_stacks[-1])
