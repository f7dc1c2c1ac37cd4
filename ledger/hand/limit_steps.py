"""Fixed limits: what a raise may reach over the last whole bet and the all-ins on top of it.

A raise goes a whole bet beyond the last whole one. The blinds may make no whole bet (a blind of 3 where
bets are 5, a bring-in above the blind), and a short all-in can be measured in two ways. Wherever texts
and houses read it in more than one way, all of these amounts are whole ones here.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from ledger.vocabulary import Chips

__all__ = ["HALF", "LimitSteps", "first_steps"]

HALF: Final = 0.5
"""From which part of a bet an all-in counts as one, where a book does not say."""


class LimitSteps(NamedTuple):
    """What the next act of a limit round could raise to, as totals on this street."""

    whole_bets: frozenset[Chips]  # bets and raises of a whole step, by every reading
    filled: frozenset[Chips] = frozenset()  # what only fills a short all-in up to the bet below
    top: Literal["", "below", "half"] = ""  # the last wager: an all-in short of a bet, by how much
    odd: bool = False  # a wager of this round that was no all-in was of no whole step
    base: Chips = 0  # the last level that counts as a whole bet

    @property
    def smallest_raise(self) -> Chips:
        """The smallest whole raise."""
        return min(self.whole_bets)

    def after_wager(self, total: Chips, unit: Chips) -> LimitSteps:
        """Return the steps over a bet or raise to `total` by a seat that is not all-in."""
        if total in self.whole_bets | self.filled:
            return LimitSteps(frozenset({total + unit}), odd=self.odd, base=total)
        return LimitSteps(frozenset({total + unit, *self._next_whole_bets(total, unit)}), odd=True, base=total)

    def after_all_in(self, total: Chips, raise_size: Chips, unit: Chips, counting_part: float = HALF) -> LimitSteps:
        """Return the steps after an all-in to `total`, a raise by `raise_size`. `counting_part` of a bet counts as a bet."""
        total_gain, is_single = total - self.base, raise_size >= counting_part * unit
        if total_gain >= unit:
            wholes = {total + unit} if total in self.whole_bets else {total + unit, *self._next_whole_bets(total, unit)}
            return LimitSteps(frozenset(wholes), odd=self.odd, base=total)
        steps_above = frozenset(whole_bet for whole_bet in self.whole_bets if whole_bet > total)
        if total_gain < counting_part * unit:
            return LimitSteps(steps_above, steps_above, "below", self.odd, self.base)
        wholes = {total + unit, *(whole_bet + unit for whole_bet in steps_above)}
        if not is_single:  # several all-ins that make half a bet together: either way may be taken
            wholes |= steps_above
        return LimitSteps(frozenset(wholes), steps_above, "half", self.odd, total)

    def _next_whole_bets(self, total: Chips, unit: Chips) -> set[Chips]:
        """Return the next whole bets above a level that is none, each with the bet after it."""
        next_bets = {whole_bet + max(0, -(-(total + 1 - whole_bet) // unit)) * unit for whole_bet in self.whole_bets}
        return {next_bet + step for next_bet in next_bets for step in (0, unit)}


def first_steps(level: Chips, unit: Chips, opening_totals: frozenset[Chips], *, level_is_short: bool) -> LimitSteps:
    """Return the steps of a round before its first bet or raise.

    `level` is the bet that blinds or the bring-in make, 0 on a later street. `opening_totals` open the round
    above it. `level_is_short`: a blind that is all-in for less set it, so a raise may also fill it up.
    """
    opening_steps = {total + step for total in opening_totals for step in (0, unit)} if level else ()
    short_levels = frozenset({level} if level_is_short else ())
    return LimitSteps(frozenset({level + unit, *opening_steps}), short_levels, base=level)
