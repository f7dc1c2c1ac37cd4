"""Fixed limits: what a raise may reach, and which all-in lies on top that is no full bet.

A raise goes a whole bet beyond the last whole one. What the blinds set up may be no whole bet (a blind
of 3 where bets are 5, a bring-in above the blind), and a short all-in leaves room for two measures:
wherever texts and houses read it in more than one way, all of these amounts are whole ones here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from ledger.vocabulary import Chips
from projections.acts import Act
from projections.timeline import Timeline

HALF: Final = 0.5
"""From which part of a bet an all-in is one, where a book does not say."""


class Rungs(NamedTuple):
    """What an act of a round could raise to."""

    whole: frozenset[Chips]  # bets and raises of a whole step, by every reading
    filled: frozenset[Chips] = frozenset()  # what only fills a short all-in up to the bet below
    top: Literal["", "below", "half"] = ""  # the last wager: an all-in short of a bet, by how much
    odd: bool = False  # a wager of this round that was no all-in was of no whole step
    base: Chips = 0  # the last level that counts as a whole bet

    @property
    def least(self) -> Chips:
        """The smallest whole raise."""
        return min(self.whole)


def openings(hand: Timeline, unit: Chips | None) -> frozenset[Chips]:
    """Return the totals that open the first round above the blinds: they are the bet, no raise yet."""
    level, big = _forced(hand), hand.big or 0
    found = {hand.option("minimum-open") or 0}
    bring_in = hand.option("bring-in") or 0
    if bring_in > big > 0:
        straddles = [hand.straddled(*told) for told in hand.straddles()]
        found.add(-(-max([big, *straddles]) * bring_in // big))
    if unit and level % unit:
        found.add(level + unit - level % unit)
    return frozenset(total for total in found if total > level > 0)


def _forced(hand: Timeline) -> Chips:
    """Return the bet that the posts of the first round make, a short big blind taken for a whole one."""
    first = next((act for act in hand.acts if act.street == "preflop"), None)
    if first is None or not first.level:
        return 0
    return max(first.level, *hand.blinds, 0)


def ladder(hand: Timeline, acts: list[Act], unit: Chips, part: float = HALF) -> Iterator[tuple[Act, Rungs]]:
    """Yield the acts of one round, each with what it could raise to; `part` of a bet counts as one."""
    level = _forced(hand) if acts[0].street == "preflop" else 0
    opened = {total + step for total in openings(hand, unit) for step in (0, unit)} if level else ()
    lacks = frozenset({level} if level > acts[0].level else ())
    rungs = Rungs(frozenset({level + unit, *opened}), lacks, base=level)
    for act in acts:
        yield act, rungs
        if act.kind not in ("bet", "raise") or act.to <= act.level or act.version in hand.undone:
            continue
        if act.all_in:
            rungs = _after_all_in(rungs, act, unit, part)
        elif act.to in rungs.whole | rungs.filled:
            rungs = Rungs(frozenset({act.to + unit}), odd=rungs.odd, base=act.to)
        else:
            wholes = {act.to + unit, *_beyond(rungs, act.to, unit)}
            rungs = Rungs(frozenset(wholes), odd=True, base=act.to)


def _beyond(rungs: Rungs, to: Chips, unit: Chips) -> set[Chips]:
    """Return the next whole bets above a level that is none, each with the one after it."""
    next_ones = {whole + max(0, -(-(to + 1 - whole) // unit)) * unit for whole in rungs.whole}
    return {total + step for total in next_ones for step in (0, unit)}


def _after_all_in(rungs: Rungs, act: Act, unit: Chips, part: float) -> Rungs:
    """Return what may be raised to over an all-in, which may be short of a whole bet."""
    gain, single = act.to - rungs.base, act.gain >= part * unit
    if gain >= unit:
        exact = act.to in rungs.whole
        wholes = {act.to + unit} if exact else {act.to + unit, *_beyond(rungs, act.to, unit)}
        return Rungs(frozenset(wholes), odd=rungs.odd, base=act.to)
    over = frozenset(whole for whole in rungs.whole if whole > act.to)
    if gain < part * unit:
        return Rungs(over, over, "below", rungs.odd, rungs.base)
    wholes = {act.to + unit, *(whole + unit for whole in over)}
    if not single:  # several all-ins that make half a bet together: either way may be taken
        wholes |= over
    return Rungs(frozenset(wholes), over, "half", rungs.odd, act.to)
