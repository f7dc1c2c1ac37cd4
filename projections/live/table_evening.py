"""The last evening of a table: its hands in playing order, and the players' stacks from hand to hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from sqlalchemy import select

from ledger.text.language import phrase
from ledger.vocabulary import Chips, Seat
from projections.findings.finding import Severity
from projections.live.evening_documents import EveningHand, StackLine, TableEvening
from projections.tables.result_tables import hand_results, seat_results
from projections.tables.table_set import open_tables

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.vocabulary import PlayerId
    from projections.live.floor_desk import LastHand

MAX_HANDS: Final = 400
"""The most hands of an evening. Of a longer evening, only the last hands are shown."""
LONGEST_BREAK: Final = 5 * 60 * 60 * 1000
"""Milliseconds between two hands of the same evening."""
_SEVERITIES: Final = get_args(Severity)
UNTIMED_HANDS: Final = 60
"""Hands that are shown if their times aren't recorded."""


def find_evening_rows(ledger: Ledger, table_key: TableKey) -> tuple[list[HandRow], bool]:
    """Return the hands of a table's last evening in playing order, and whether there are earlier ones."""
    newest_rows = list(ledger.hands(**table_key._asdict(), order="newest", limit=MAX_HANDS + 1, standing=True))
    evening_rows = newest_rows[:1]
    for newer, older in pairwise(newest_rows[:MAX_HANDS]):
        if _are_on_same_evening(older, newer, len(evening_rows)):
            evening_rows.append(older)
        else:
            break
    return evening_rows[::-1], len(newest_rows) > len(evening_rows)


def _are_on_same_evening(older: HandRow, newer: HandRow, hand_count: int) -> bool:
    if older.started is None or newer.started is None:
        return hand_count < UNTIMED_HANDS
    return newer.started - older.started <= LONGEST_BREAK


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
    evening_hands = [
        _build_evening_hand(last_hand, reason_not_judged, sees_findings=sees_findings) for last_hand in last_hands
    ]
    evening = TableEvening(evening_hands, [], has_earlier_hands=has_earlier_hands)
    _add_stacks(evening, ledger, rows)
    return evening


def _build_evening_hand(last_hand: LastHand, reason_not_judged: str, *, sees_findings: bool) -> EveningHand:
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
        not_judged=last_hand.not_judged_reason or reason_not_judged,
    )


class HandMoney(NamedTuple):
    """The money of a hand: only amounts of the same money can share a chart."""

    unit: str
    exponent: int
    format: str  # cash or tournament


class SeatOfHand(NamedTuple):
    """What a player had before a hand, and what the hand brought."""

    hand_index: int
    seat: Seat
    player: PlayerId
    stack: Chips | None
    net: Chips


def _add_stacks(evening: TableEvening, ledger: Ledger, rows: Sequence[HandRow]) -> None:
    money_by_hand, seats = _read_seats(ledger, rows)
    fill_in_stacks(evening, money_by_hand, seats, lambda player: ledger.people.name(player) or f"({player[:6]})")


def fill_in_stacks(
    evening: TableEvening,
    money_by_hand: Mapping[int, HandMoney],
    seats: Iterable[SeatOfHand],
    find_name: Callable[[PlayerId], str],
) -> None:
    """Add the players' stacks, in the money of the evening's last hand. `money_by_hand`: by the hand's index."""
    if not money_by_hand:
        return
    money = money_by_hand[max(money_by_hand)]
    evening.unit, evening.exponent = money.unit, money.exponent
    evening.hands_for_other_money = sum(hand_money != money for hand_money in money_by_hand.values())
    lines: dict[PlayerId, StackLine] = {}
    for result in sorted(seats, key=lambda result: (result.hand_index, result.seat)):
        if money_by_hand[result.hand_index] != money:
            continue
        if result.player not in lines:
            lines[result.player] = StackLine(find_name(result.player), [], [None] * (len(evening.hands) + 1), 0)
        line, next_index = lines[result.player], result.hand_index + 1
        line.stacks[result.hand_index] = result.stack
        line.net += result.net
        if result.seat not in line.seats:
            line.seats.append(result.seat)
        if result.stack is not None and line.stacks[next_index] is None:
            line.stacks[next_index] = result.stack + result.net
    evening.stacks = sorted(lines.values(), key=lambda line: line.seats)


def _read_seats(ledger: Ledger, rows: Sequence[HandRow]) -> tuple[dict[int, HandMoney], list[SeatOfHand]]:
    """Return the money of each hand by its index, and the seats dealt in."""
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
    money_by_hand: dict[int, HandMoney] = {}
    seats = []
    with open_tables(ledger, [], results=True) as (table_store, _), table_store.core() as connection:
        for position, unit, scale, hand_format, player, seat, stack, net in connection.execute(statement):
            hand_index = hand_indexes[position]
            money_by_hand[hand_index] = HandMoney(unit, len(str(scale)) - 1, hand_format)
            seats.append(SeatOfHand(hand_index, seat, player, stack, net))
    return money_by_hand, seats
