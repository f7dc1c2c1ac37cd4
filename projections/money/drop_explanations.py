"""Which hands could hold the difference between a counted box and what its hands dropped, likeliest first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from statistics import median_low
from typing import Final, NamedTuple, TypeAlias

from ledger.table.money_events import BoxKind
from ledger.text.language import phrase
from ledger.vocabulary import Chips
from projections.money.hand_drops import HandDrop

_EXPLANATIONS_MOST: Final = 10
_SIMILAR_POTS: Final = 3
"""So many hands with the nearest pots say what a hand of this size drops."""
_EQUAL_DROPS_MOST: Final = 3
"""If more hands dropped just the difference, it says nothing about any of them."""

Amounts: TypeAlias = Callable[[Chips], str]
"""Returns an amount as text."""


class HandExplanation(NamedTuple):
    """A hand that could hold the difference, and why."""

    drop: HandDrop
    note: str


class _Likelihood(IntEnum):
    """How well a hand explains a difference. The lower, the likelier."""

    CHIPS_MISSING = 0  # just so much of its pot went to nobody
    EXACT_DROP = 1  # with the drop of similar pots, the box would be right
    BROKEN_RECORD = 2  # cut off, unread lines, chips that don't add up
    CORRECTED = 3
    ODD_DROP = 4  # it dropped too little for a box that is over, or too much for one that is short
    EQUAL_DROP = 5  # it dropped just what the box is short


class _Candidate(NamedTuple):
    likelihood: _Likelihood
    distance: Chips  # from the drop that would make the box right
    order: int
    note: str


def explain_difference(
    drops: Sequence[HandDrop], box: BoxKind, difference: Chips, money: Amounts
) -> list[HandExplanation]:
    """Return the hands that could hold a difference. `difference`: what the box held beyond what they dropped."""
    usual_drops = UsualDrops(drops, box)
    candidates = [
        candidate
        for order, drop in enumerate(drops)
        if (candidate := _find_candidate(drop, order, usual_drops, box, difference, money)) is not None
    ]
    if not candidates and difference < 0:
        candidates = list(_list_equal_drops(drops, box, -difference, money))
    best_candidates = sorted(candidates)[:_EXPLANATIONS_MOST]
    return [HandExplanation(drops[candidate.order], candidate.note) for candidate in best_candidates]


class UsualDrops:
    """What hands with similar pots dropped into a box."""

    def __init__(self, drops: Iterable[HandDrop], box: BoxKind) -> None:
        """Take all hands of the box. Those that are void, or don't show their drop, are left out."""
        self._amounts: dict[bool, list[tuple[Chips, int, Chips]]] = {
            True: [],
            False: [],
        }  # pot, order and drop, by flop
        for order, drop in enumerate(drops):
            amount = drop.amounts[box]
            if amount is not None and not drop.is_void:
                self._amounts[drop.has_flop].append((drop.pot, order, amount))
        for amounts in self._amounts.values():
            amounts.sort()

    def estimate(self, drop: HandDrop, order: int) -> Chips | None:
        """Return the middle drop of the three other hands with the nearest pots; None if there are no others."""
        amounts = self._amounts[drop.has_flop]
        place = bisect_left(amounts, (drop.pot, order))
        neighbours = [
            (abs(pot - drop.pot), amount)
            for pot, other_order, amount in amounts[max(0, place - _SIMILAR_POTS) : place + _SIMILAR_POTS + 1]
            if other_order != order
        ]
        nearest = sorted(neighbours)[:_SIMILAR_POTS]
        return median_low(amount for _, amount in nearest) if nearest else None


def _find_candidate(
    drop: HandDrop, order: int, usual_drops: UsualDrops, box: BoxKind, difference: Chips, money: Amounts
) -> _Candidate | None:
    """Return the best reason why a hand could hold the difference."""
    candidates = [
        candidate
        for candidate in (
            _check_pot(drop, order, difference, money),
            _check_amount(drop, order, usual_drops, box, difference, money),
            _check_record(drop, order, difference),
            _check_correction(drop, order, difference),
        )
        if candidate is not None
    ]
    return min(candidates, default=None)


def _check_pot(drop: HandDrop, order: int, difference: Chips, money: Amounts) -> _Candidate | None:
    """Take chips of the pot that nobody got: a drop that nobody wrote down, if the box holds more."""
    if not drop.unaccounted or not drop.is_finished:
        return None
    distance = abs(drop.unaccounted - difference)
    likelihood = _Likelihood.BROKEN_RECORD if distance else _Likelihood.CHIPS_MISSING
    if drop.unaccounted < 0:
        note = phrase(
            "{amount} more came out of its pot of {pot} than went in",
            amount=money(-drop.unaccounted),
            pot=money(drop.pot),
        )
    else:
        note = phrase(
            "{amount} of its pot of {pot} went to nobody on record", amount=money(drop.unaccounted), pot=money(drop.pot)
        )
    return _Candidate(likelihood, distance, order, note)


def _check_amount(
    drop: HandDrop, order: int, usual_drops: UsualDrops, box: BoxKind, difference: Chips, money: Amounts
) -> _Candidate | None:
    """Take a drop that is less, or more, than that of similar pots."""
    amount = drop.amounts[box]
    if amount is None or drop.is_void:
        return None
    usual_drop = usual_drops.estimate(drop, order)
    if usual_drop is None or not (usual_drop - amount) * difference > 0:
        return None
    distance = abs(usual_drop - amount - difference)
    likelihood = _Likelihood.ODD_DROP if distance else _Likelihood.EXACT_DROP
    texts = {"pot": money(drop.pot), "usual": money(usual_drop), "amount": money(amount)}
    if amount:
        note = phrase("its pot of {pot} dropped {amount}; pots like it dropped {usual}", **texts)
    elif drop.has_flop:
        note = phrase("a flop, a pot of {pot} and no drop on record; pots like it dropped {usual}", **texts)
    else:
        note = phrase("a pot of {pot} and no drop on record; pots like it dropped {usual}", **texts)
    return _Candidate(likelihood, distance, order, note)


def _check_record(drop: HandDrop, order: int, difference: Chips) -> _Candidate | None:
    """Take a hand whose record is cut off or has lines that nobody could read."""
    if not drop.is_finished:
        note = phrase("its record stops before the end")
    elif drop.has_unread_lines:
        note = phrase("its record has lines that nobody could read")
    else:
        return None
    return _Candidate(_Likelihood.BROKEN_RECORD, abs(difference), order, note)


def _check_correction(drop: HandDrop, order: int, difference: Chips) -> _Candidate | None:
    if drop.correction is None:
        return None
    return _Candidate(_Likelihood.CORRECTED, abs(difference), order, phrase("it was corrected later"))


def _list_equal_drops(drops: Sequence[HandDrop], box: BoxKind, amount: Chips, money: Amounts) -> Iterable[_Candidate]:
    """Return the hands that dropped just what a box is short, if they are few."""
    orders = [order for order, drop in enumerate(drops) if drop.amounts[box] == amount]
    if len(orders) > _EQUAL_DROPS_MOST:
        return []
    note = phrase("it dropped {amount}, just what the box is short", amount=money(amount))
    return [_Candidate(_Likelihood.EQUAL_DROP, 0, order, note) for order in orders]
