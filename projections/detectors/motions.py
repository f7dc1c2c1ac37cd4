"""Chips and words at the table: string raises, oversize chips, partial raises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ledger.hand.betting import Bet, Called, ChipsMoved, Raised
from ledger.vocabulary import Chips, Witness
from projections.detector import detects
from projections.finding import Answer, Breach, CannotTell
from projections.limits import ladder, openings
from projections.timeline import Act, Timeline
from projections.words import announced, moved


class _Turn(NamedTuple):
    """A wager with what its seat did and said since the act before it."""

    act: Act
    motions: list[tuple[int, ChipsMoved]]
    raise_said: int | None  # version of the first word that announces a raise


def _turns(hand: Timeline) -> Iterator[_Turn]:
    """Yield the calls, bets and raises that come with motions of chips."""
    said = {act.version: version for act, version in announced(hand)}
    for act, motions in moved(hand):
        if act.kind in ("call", "bet", "raise"):
            yield _Turn(act, motions, said.get(act.version))


def _silent(turn: _Turn) -> bool:
    return turn.raise_said is None or turn.raise_said > turn.motions[0][0]


def _raise(hand: Timeline, act: Act) -> tuple[Chips, Chips]:
    """Return by how much a full raise goes above the bet that an act faced, and where it ends.

    What only opens the first round above the blinds is the full bet, though it is less than a raise.
    """
    unit = hand.unit(act.street)
    if unit is None:
        steps = [high - low for low, high in zip((0, *act.wagers), act.wagers, strict=False)]
        size = max([*steps, hand.big or 0])
        opened = openings(hand, None) if act.street == "preflop" and not act.raises else ()
        return size, min([act.level + size, *(total for total in opened if total > act.level)])
    acts = [one for one in hand.acts if one.street == act.street]
    rungs = next(rungs for one, rungs in ladder(hand, acts, unit) if one is act)
    return unit, rungs.least


_NEEDS: Final = Witness.ACTS | Witness.WORDS


@detects(on=(ChipsMoved,), needs=_NEEDS)
def string_raise(hand: Timeline) -> Iterator[Answer]:
    """A raise was made in several motions without being announced before the first."""
    for turn in _turns(hand):
        act = turn.act
        if act.kind == "raise" and len(turn.motions) > 1 and _silent(turn):
            first = turn.motions[0][1].amount
            stands = max(first, act.call)
            yield Breach(
                act.version,
                f"seat {act.seat} raised to {hand.say(act.to)} in {len(turn.motions)} motions, unannounced",
                seat=act.seat,
                should=f"{hand.say(act.before + stands)}: the first motion of {hand.say(first)} counts",
                beside=tuple((v, f"motion of {hand.say(m.amount)}") for v, m in turn.motions),
            )


def _partial(hand: Timeline, turn: _Turn) -> tuple[Chips, Chips, Chips] | None:
    """Return chips, raise and its total of one silent motion of several chips, facing a bet."""
    act = turn.act
    if len(turn.motions) != 1 or not _silent(turn) or not act.call or act.all_in:
        return None
    ((_, moved),) = turn.motions
    if len(moved.chips) == 1 and moved.amount > act.call:
        return None  # one oversize chip is another clause's
    return moved.amount, *_raise(hand, act)


@detects(on=(ChipsMoved,), needs=_NEEDS)
def raise_cut_short(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """Silent chips of a call and this part of a raise were taken as a call, or left short of the raise."""
    for turn in _turns(hand):
        found, act = _partial(hand, turn), turn.act
        if found and found[0] >= act.call + part * found[1]:
            full = found[2]
            if act.to < full:
                yield Breach(
                    act.version,
                    f"seat {act.seat} put in {hand.say(found[0])}, ruled {hand.say(act.to)}",
                    seat=act.seat,
                    should=f"a raise, completed to {hand.say(full)}",
                    remedy="not-followed",
                )


@detects(on=(ChipsMoved,), needs=_NEEDS)
def short_raise_taken(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """Silent chips of less than a call and this part of a raise were taken as a raise."""
    for turn in _turns(hand):
        found, act = _partial(hand, turn), turn.act
        if found and act.kind == "raise" and found[0] < act.call + part * found[1]:
            yield Breach(
                act.version,
                f"seat {act.seat} put in {hand.say(found[0])}, ruled a raise to {hand.say(act.to)}",
                seat=act.seat,
                should=f"a call of {hand.say(act.call)}, the rest back",
                remedy="not-followed",
            )


@detects(on=(ChipsMoved,), needs=_NEEDS)
def oversize_chip(hand: Timeline) -> Iterator[Answer]:
    """One silent chip, larger than the call, was taken as a raise."""
    for turn in _turns(hand):
        if len(turn.motions) != 1:
            continue
        act, ((_, moved),) = turn.act, turn.motions
        if act.kind == "raise" and len(moved.chips) == 1 and _silent(turn) and 0 < act.call < moved.amount:
            yield Breach(
                act.version,
                f"seat {act.seat} put in one chip of {hand.say(moved.amount)}, ruled a raise to {hand.say(act.to)}",
                seat=act.seat,
                should=f"a call of {hand.say(act.call)} and change",
                remedy="not-followed",
            )


@detects(on=(Called, Bet, Raised), needs=Witness.ACTS | Witness.HOUSE_OPTIONS)
def chip_too_small(hand: Timeline) -> Iterator[Answer]:
    """A wager holds an amount below the game's smallest chip."""
    least = hand.option("smallest-chip")
    if not least:
        yield CannotTell("house-option smallest-chip")
        return
    for act in hand.acts:
        # Who matches or raises what was taken before has no part in its odd chips.
        if act.gain % least and act.added % least and not act.all_in:
            yield Breach(
                act.version,
                f"seat {act.seat} put in {hand.say(act.added)}",
                seat=act.seat,
                should=f"multiples of the smallest chip, {hand.say(least)}",
            )
