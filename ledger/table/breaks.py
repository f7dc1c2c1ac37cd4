"""Find the breaks in a table's chain of hands: between which two hands, and what shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

import msgspec

from ledger.table.events import HandPlayed, TableOpened
from ledger.table.fold import begin, walk
from ledger.table.numbers import NumberKey, number_key
from ledger.table.order import TableEntry
from ledger.table.pools import has_pool_option
from ledger.table.positions import find_small_blind_seat
from ledger.table.state import Continuity, Gap
from ledger.vocabulary import Chips, Seat, Witness

_PURCHASES: Final = int(Witness.CHIP_PURCHASES)  # enum flags are slow to combine


class StackBreak(msgspec.Struct, frozen=True):
    """A stack that differs from the stack after the previous hand."""

    seat: Seat
    difference: Chips


class Break(msgspec.Struct, frozen=True):
    """Two neighbouring hands of the record that don't follow each other.

    `how` is as in `Gap`, or "button": it passed `seats`, who played both hands. "stacks" without a gap are chips that
    the record doesn't explain.
    """

    after: str
    before: str
    how: Literal["numbers", "told", "stacks", "players", "order", "button"]
    count: int | None = None  # of the missing hands, if known
    stacks: list[StackBreak] = []
    seats: list[Seat] = []


def find_breaks(entries: Iterable[TableEntry], last_stream: str | None = None) -> Iterator[Break]:
    """Yield the breaks in a table's chain of hands, oldest first, up to the hand `last_stream`.

    `last_stream` is the id of the hand's stream, hex. Hands of a pool form no chain, since their players meet for one
    hand.
    """
    entries = list(entries) if isinstance(entries, Iterator) else entries
    if not is_plainly_chained(entries):
        yield from walk_breaks(entries, last_stream)


def walk_breaks(entries: Iterable[TableEntry], last_stream: str | None = None) -> Iterator[Break]:
    """Do what `find_breaks` does, without its shortcut. Tests compare the two."""
    state = begin()
    previous_hand: HandPlayed | None = None
    gap_count = 0
    for entry, _ in walk(entries, state):
        hand = entry.event
        if isinstance(hand, HandPlayed):
            gap = state.gaps[-1] if len(state.gaps) > gap_count else None
            gap_count = len(state.gaps)
            if (
                previous_hand is not None
                and (chain_break := build_break(previous_hand, hand, state.continuity, gap)) is not None
            ):
                yield chain_break
            if hand.hand == last_stream:
                return
            previous_hand = hand


def is_plainly_chained(entries: Iterable[TableEntry]) -> bool:
    """Whether a quick look at the hands shows that none of them can be a break.

    This shortcut saves the walk of a table. It gives up at the first hand that needs a closer look, and at facts
    between hands.
    """
    previous_hand: HandPlayed | None = None
    previous_key: NumberKey | None = None
    is_pool = is_chained = True
    for entry in entries:
        event = entry.event
        if type(event) is TableOpened:
            continue
        if not isinstance(event, HandPlayed):
            return False
        key = number_key(event.number)
        is_pool = is_pool and has_pool_option(event.options)
        is_chained = (
            is_chained
            and (previous_key is None or previous_key < key)
            and (previous_hand is None or _follows(previous_hand, event))
        )
        if not is_pool and not is_chained:
            return False
        previous_hand, previous_key = event, key
    return True


def _follows(previous_hand: HandPlayed, hand: HandPlayed) -> bool:
    """Whether a hand began after another, every stack continues, and the button passed nobody."""
    if previous_hand.started is None or hand.started is None or previous_hand.started >= hand.started:
        return False
    has_stated_more = (previous_hand.witnesses | hand.witnesses) & _STATED_WITNESSES
    if previous_hand.within or previous_hand.voided or hand.voided or has_stated_more:
        return False
    return _do_stacks_go_on(previous_hand, hand) and not _find_passed_seats(previous_hand, hand)


def _do_stacks_go_on(previous_hand: HandPlayed, hand: HandPlayed) -> bool:
    """Whether both hands list the same players, each with the stack that the first hand left."""
    stack_by_player = {seat_entry.player: seat_entry.after for seat_entry in previous_hand.dealt_in}
    stack_by_player.update((seat_entry.player, seat_entry.stack) for seat_entry in previous_hand.left_out)
    occupied_seats = {seat_entry.seat for seat_entry in previous_hand.dealt_in}
    occupied_seats.update(seat_entry.seat for seat_entry in previous_hand.left_out)
    stacks_before = [(seat_entry.player, seat_entry.before) for seat_entry in hand.dealt_in]
    stacks_before += [(seat_entry.player, seat_entry.stack) for seat_entry in hand.left_out]
    if not len(occupied_seats) == len(stack_by_player) == len(stacks_before):
        return False  # other players, or two in one seat, which a table's state can't hold
    return all(stack is not None and stack_by_player.get(player) == stack for player, stack in stacks_before)


_STATED_WITNESSES: Final = int(Witness.MISSING_HANDS | Witness.SEATING)
"""Tables are walked if their sources record more than the hands show."""


def build_break(previous_hand: HandPlayed, hand: HandPlayed, fit: Continuity | None, gap: Gap | None) -> Break | None:
    """Return the break between the last hand of a table and the next, or None.

    `fit` and `gap` describe how the next one follows.
    """
    if has_pool_option(hand.options):
        return None
    if gap is not None:
        stacks = _list_stack_breaks(fit) if gap.how == "stacks" else []
        return Break(gap.after, gap.before or hand.number, gap.how, gap.count, stacks)
    if fit is None:  # a new game began
        return None
    if previous_hand.witnesses & hand.witnesses & _PURCHASES and (unexplained := _list_stack_breaks(fit)):
        return Break(previous_hand.number, hand.number, "stacks", None, unexplained)
    passed_seats = _find_passed_seats(previous_hand, hand)
    return Break(previous_hand.number, hand.number, "button", seats=passed_seats) if passed_seats else None


def _list_stack_breaks(fit: Continuity | None) -> list[StackBreak]:
    return [] if fit is None else [StackBreak(carry.seat, carry.difference or 0) for carry in fit.unexplained]


def _find_passed_seats(previous_hand: HandPlayed, hand: HandPlayed) -> list[Seat]:
    """Return the players of both hands whom the button passed. With two players, either may have it next.

    A player who sat down between the button and the small blind isn't due for the button.
    """
    old_button, new_button = previous_hand.button, hand.button
    if (
        old_button is None or new_button is None or old_button == new_button or len(hand.dealt_in) == 2
    ):  # the big blind moved on as usual
        return []
    passed_entries = [
        seat_entry for seat_entry in hand.dealt_in if _is_between(old_button, seat_entry.seat, new_button)
    ]
    if not passed_entries:  # the usual case
        return []
    small_blind_seat = find_small_blind_seat(previous_hand)
    if small_blind_seat is not None:
        passed_entries = [
            seat_entry
            for seat_entry in passed_entries
            if not _is_between(old_button, seat_entry.seat, small_blind_seat)
        ]
    player_by_seat = {seat_entry.seat: seat_entry.player for seat_entry in previous_hand.dealt_in}
    return sorted(
        seat_entry.seat for seat_entry in passed_entries if player_by_seat.get(seat_entry.seat) == seat_entry.player
    )


def _is_between(start: Seat, seat: Seat, end: Seat) -> bool:
    """Whether `seat` is clockwise after `start` and before `end`. Seat numbers ascend clockwise."""
    return start < seat < end if start < end else seat > start or seat < end
