"""Find the hands that could explain the difference between a counted box and what its hands dropped."""

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

_MAX_EXPLANATIONS: Final = 10
_SIMILAR_POTS: Final = 3
"""The number of hands, with the nearest pots, from which a hand's usual drop is estimated."""
_MAX_POT_RATIO: Final = 2
"""How many times larger than another a pot may be, to be like it."""
_MAX_EQUAL_DROPS: Final = 3
"""If more hands than this dropped exactly the difference, none of them is a likely cause."""

FormatAmount: TypeAlias = Callable[[Chips], str]
"""Returns an amount as text."""


class HandExplanation(NamedTuple):
    """A hand that could explain the difference, and why."""

    drop: HandDrop
    note: str


class _Likelihood(IntEnum):
    """How well a hand explains a difference. The lower, the likelier."""

    CHIPS_MISSING = 0  # exactly this much of its pot went to nobody
    EXACT_DROP = 1  # with the drop of similar pots, the box would be right
    BROKEN_RECORD = 2  # cut off, unread lines, chips that don't add up
    CORRECTED = 3
    ODD_DROP = 4  # it dropped too little for a box that is over, or too much for one that is short
    EQUAL_DROP = 5  # it dropped exactly what the box is short


class _Candidate(NamedTuple):
    likelihood: _Likelihood
    distance: Chips  # from the drop that would make the box right
    order: int
    note: str


def explain_difference(
    drops: Sequence[HandDrop], box: BoxKind, difference: Chips, money: FormatAmount
) -> list[HandExplanation]:
    """Return the hands that could explain a difference, the likeliest first.

    `difference`: how much more the box held than they dropped; negative if it held less.
    """
    usual_drops = UsualDrops(drops, box)
    candidates = [
        candidate
        for order, drop in enumerate(drops)
        if (candidate := _find_candidate(drop, order, usual_drops, box, difference, money)) is not None
    ]
    if not candidates and difference < 0:
        candidates = list(_list_equal_drops(drops, box, -difference, money))
    best_candidates = sorted(candidates)[:_MAX_EXPLANATIONS]
    return [HandExplanation(drops[candidate.order], candidate.note) for candidate in best_candidates]


class UsualDrops:
    """What hands with similar pots dropped into a box."""

    def __init__(self, drops: Iterable[HandDrop], box: BoxKind) -> None:
        """Collect the drops of a box's hands. Hands that are void, or don't show their drop, are left out."""
        # Pot, order and drop of each hand, by whether it had a flop.
        self._amounts: dict[bool, list[tuple[Chips, int, Chips]]] = {True: [], False: []}
        for order, drop in enumerate(drops):
            amount = drop.amounts[box]
            if amount is not None and not drop.is_void:
                self._amounts[drop.has_flop].append((drop.pot, order, amount))
        for amounts in self._amounts.values():
            amounts.sort()

    def estimate(self, drop: HandDrop, order: int) -> Chips | None:
        """Return the median drop of the three other hands with the nearest pots; None if no pot is like its own."""
        amounts = self._amounts[drop.has_flop]
        index = bisect_left(amounts, (drop.pot, order))
        neighbours = [
            (abs(pot - drop.pot), amount)
            for pot, other_order, amount in amounts[max(0, index - _SIMILAR_POTS) : index + _SIMILAR_POTS + 1]
            if other_order != order and max(pot, drop.pot) <= _MAX_POT_RATIO * min(pot, drop.pot)
        ]
        nearest = sorted(neighbours)[:_SIMILAR_POTS]
        return median_low(amount for _, amount in nearest) if nearest else None


def _find_candidate(
    drop: HandDrop, order: int, usual_drops: UsualDrops, box: BoxKind, difference: Chips, money: FormatAmount
) -> _Candidate | None:
    """Return the best reason why a hand could explain the difference, or None if it couldn't."""
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


def _check_pot(drop: HandDrop, order: int, difference: Chips, money: FormatAmount) -> _Candidate | None:
    """Return the candidate for chips of the pot that went to nobody, which may be an unrecorded drop."""
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
    drop: HandDrop, order: int, usual_drops: UsualDrops, box: BoxKind, difference: Chips, money: FormatAmount
) -> _Candidate | None:
    """Return the candidate for a drop that is unusual for the size of the pot."""
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
    """Return the candidate for a hand whose record is cut off or has unreadable lines."""
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


def _list_equal_drops(
    drops: Sequence[HandDrop], box: BoxKind, amount: Chips, money: FormatAmount
) -> Iterable[_Candidate]:
    """Return the candidates that dropped exactly what a box is short; none if there are too many of them."""
    orders = [order for order, drop in enumerate(drops) if drop.amounts[box] == amount]
    if len(orders) > _MAX_EQUAL_DROPS:
        return []
    note = phrase("it dropped {amount}, just what the box is short", amount=money(amount))
    return [_Candidate(_Likelihood.EQUAL_DROP, 0, order, note) for order in orders]
