"""Compute the raises of fixed limit over the last full bet and the all-ins on top of it.

A raise is a full bet above the last full one. The blinds may not be a full bet (a blind of 3 with bets of 5, a bring-in
above the blind), and a short all-in can be measured in two ways. If texts and houses differ, all of these amounts count
here.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from ledger.vocabulary import Chips

__all__ = ["HALF", "LimitSteps", "begin_steps"]

HALF: Final = 0.5
"""The part of a bet from which an all-in counts as a full one, unless a book decides."""


class LimitSteps(NamedTuple):
    """The possible raises of a limit round, as totals on this street."""

    whole_bets: frozenset[Chips]  # full bets and raises, by any reading
    filled: frozenset[Chips] = frozenset()  # totals that only complete a short all-in
    top: Literal["", "below", "half"] = ""  # if the last wager was a short all-in: below half a bet, or half and more
    odd: bool = False  # the round has an uneven wager that wasn't all-in
    base: Chips = 0  # the last level that counts as a full bet

    @property
    def smallest_raise(self) -> Chips:
        """The smallest full raise."""
        return min(self.whole_bets)

    def add_wager(self, total: Chips, unit: Chips) -> LimitSteps:
        """Return the steps after a bet or raise to `total` by a seat that isn't all-in."""
        if total in self.whole_bets | self.filled:
            return LimitSteps(frozenset({total + unit}), odd=self.odd, base=total)
        return LimitSteps(frozenset({total + unit, *self._list_next_full_bets(total, unit)}), odd=True, base=total)

    def add_all_in(self, total: Chips, raise_size: Chips, unit: Chips, counting_part: float = HALF) -> LimitSteps:
        """Return the steps after an all-in to `total`, a raise by `raise_size`.

        `counting_part` of a bet counts as a full bet.
        """
        total_gain, is_single = total - self.base, raise_size >= counting_part * unit
        if total_gain >= unit:
            wholes = (
                {total + unit} if total in self.whole_bets else {total + unit, *self._list_next_full_bets(total, unit)}
            )
            return LimitSteps(frozenset(wholes), odd=self.odd, base=total)
        steps_above = frozenset(whole_bet for whole_bet in self.whole_bets if whole_bet > total)
        if total_gain < counting_part * unit:
            return LimitSteps(steps_above, steps_above, "below", self.odd, self.base)
        wholes = {total + unit, *(whole_bet + unit for whole_bet in steps_above)}
        if not is_single:  # several all-ins that make half a bet together: both readings are possible
            wholes |= steps_above
        return LimitSteps(frozenset(wholes), steps_above, "half", self.odd, total)

    def _list_next_full_bets(self, total: Chips, unit: Chips) -> set[Chips]:
        """Return the next full bets above an uneven level, each with the bet after it."""
        next_bets = {whole_bet + max(0, -(-(total + 1 - whole_bet) // unit)) * unit for whole_bet in self.whole_bets}
        return {next_bet + step for next_bet in next_bets for step in (0, unit)}


def begin_steps(level: Chips, unit: Chips, opening_totals: frozenset[Chips], *, level_is_short: bool) -> LimitSteps:
    """Return the steps of a round before its first bet or raise.

    `level` is the bet that blinds or the bring-in set, 0 on a later street. `opening_totals` open the round above it.
    `level_is_short`: an all-in blind set it, so a raise may also complete it.
    """
    opening_steps = {total + step for total in opening_totals for step in (0, unit)} if level else ()
    short_levels = frozenset({level} if level_is_short else ())
    return LimitSteps(frozenset({level + unit, *opening_steps}), short_levels, base=level)
