"""Where a table's chain of hands breaks: between which two hands, and what shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

import msgspec

from ledger.table.events import HandPlayed, TableOpened
from ledger.table.fold import begin, walk
from ledger.table.numbers import Key, number_key
from ledger.table.order import TableEntry
from ledger.table.pools import has_pool_option as are_pooled
from ledger.table.positions import small_seat
from ledger.table.state import Continuity, Gap
from ledger.vocabulary import Chips, Seat, Witness

_PURCHASES: Final = int(Witness.CHIP_PURCHASES)  # enum flags are slow to combine


class StackBreak(msgspec.Struct, frozen=True):
    """A stack that is not what the hand before left: so much more, or less."""

    seat: Seat
    difference: Chips


class Break(msgspec.Struct, frozen=True):
    """Two hands that stand side by side and do not follow each other, as far as the record shows.

    `how` as of a `Gap`, or "button": it went past `seats`, who played both hands. "stacks" without a gap
    are chips that nobody told of.
    """

    after: str
    before: str
    how: Literal["numbers", "told", "stacks", "players", "order", "button"]
    count: int | None = None  # of the missing hands, where that is known
    stacks: list[StackBreak] = []
    seats: list[Seat] = []


def find_breaks(told: Iterable[TableEntry], upto: str | None = None) -> Iterator[Break]:
    """Yield where the chain of a table's hands breaks, oldest first; no farther than the hand `upto`.

    `upto` is the id of the hand's stream, hex. Hands of a pool, whose players meet for one hand, are no chain.
    """
    told = list(told) if isinstance(told, Iterator) else told
    if not is_plainly_chained(told):
        yield from walk_breaks(told, upto)


def walk_breaks(told: Iterable[TableEntry], upto: str | None = None) -> Iterator[Break]:
    """As `find_breaks`, by the walk alone: what the short way is held against."""
    state = begin()
    last: HandPlayed | None = None
    gaps = 0
    for one, _ in walk(told, state):
        hand = one.event
        if isinstance(hand, HandPlayed):
            gap = state.gaps[-1] if len(state.gaps) > gaps else None
            gaps = len(state.gaps)
            if last is not None and (found := between(last, hand, state.continuity, gap)) is not None:
                yield found
            if hand.hand == upto:
                return
            last = hand


def is_plainly_chained(told: Iterable[TableEntry]) -> bool:
    """Whether the hands of a table follow each other as nothing but hands can show: then nothing breaks.

    It is the short way past the walk of a table: of the first hand that needs a second look, and where
    facts stand between hands, it is said that they do not.
    """
    last: HandPlayed | None = None
    number: Key | None = None
    pooled = chained = True
    for one in told:
        event = one.event
        if type(event) is TableOpened:
            continue
        if not isinstance(event, HandPlayed):
            return False
        key = number_key(event.number)
        pooled = pooled and are_pooled(event.options)
        chained = chained and (number is None or number < key) and (last is None or _follows(last, event))
        if not pooled and not chained:
            return False
        last, number = event, key
    return True


def _follows(last: HandPlayed, hand: HandPlayed) -> bool:
    """Whether a hand was begun after another, every stack goes on, and the button went past nobody."""
    if last.started is None or hand.started is None or last.started >= hand.started:
        return False
    if last.within or last.voided or hand.voided or (last.witnesses | hand.witnesses) & _TOLD:
        return False
    after = {one.player: one.after for one in last.dealt_in}
    after.update((one.player, one.stack) for one in last.left_out)
    sat = {one.seat for one in last.dealt_in}
    sat.update(one.seat for one in last.left_out)
    now = [(one.player, one.before) for one in hand.dealt_in]
    now += [(one.player, one.stack) for one in hand.left_out]
    if not len(sat) == len(after) == len(now):
        return False  # others, or two in one seat, of whom a table can remember one
    unknown: object = None
    return all(stack is not None and after.get(player, unknown) == stack for player, stack in now) and not _passed(
        last, hand
    )


_TOLD: Final = int(Witness.MISSING_HANDS | Witness.SEATING)
"""Sources that tell more than the hands show are walked."""


def between(last: HandPlayed, hand: HandPlayed, fit: Continuity | None, gap: Gap | None) -> Break | None:
    """Return where the chain breaks between the last hand of a table and the next; `fit` and `gap`: how that follows."""
    if are_pooled(hand.options):
        return None
    if gap is not None:
        stacks = _stacks(fit) if gap.how == "stacks" else []
        return Break(gap.after, gap.before or hand.number, gap.how, gap.count, stacks)
    if fit is None:  # a new game began
        return None
    if last.witnesses & hand.witnesses & _PURCHASES and (unexplained := _stacks(fit)):
        return Break(last.number, hand.number, "stacks", None, unexplained)
    passed = _passed(last, hand)
    return Break(last.number, hand.number, "button", seats=passed) if passed else None


def _stacks(fit: Continuity | None) -> list[StackBreak]:
    return [] if fit is None else [StackBreak(one.seat, one.difference or 0) for one in fit.unexplained]


def _passed(last: HandPlayed, hand: HandPlayed) -> list[Seat]:
    """Return who played both hands and was passed by the button; of two players either may have it next.

    Who came in between the button and the small blind is not due for the button.
    """
    before, now = last.button, hand.button
    if (
        before is None or now is None or before == now or len(hand.dealt_in) == 2
    ):  # the big blind moves on, as it is due
        return []
    over = [one for one in hand.dealt_in if _lies(before, one.seat, now)]
    if not over:  # as it is nearly always
        return []
    small = small_seat(last)
    if small is not None:
        over = [one for one in over if not _lies(before, one.seat, small)]
    sat = {one.seat: one.player for one in last.dealt_in}
    return sorted(one.seat for one in over if sat.get(one.seat) == one.player)


def _lies(start: Seat, seat: Seat, end: Seat) -> bool:
    """Whether `seat` lies clockwise after `start` and before `end`; seats ascend clockwise."""
    return start < seat < end if start < end else seat > start or seat < end
