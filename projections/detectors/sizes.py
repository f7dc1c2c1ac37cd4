"""How much may be bet: fixed limits, the pot, the minimum to open."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ledger.hand.betting import Bet, Called, Raised
from ledger.hand.opening import Agreed
from ledger.vocabulary import Witness
from projections.course import Act, Course, full_level
from projections.detector import Sign, detects
from projections.finding import NO_OCCASION, Answer, Breach, CannotTell


@detects(on=(Bet, Raised), needs=Witness.ACTS | Witness.POSTS, signs=Sign.SMALL_BET)
def split_limit(hand: Course, *, lower: list[str], upper: list[str]) -> Iterator[Answer]:
    """A bet or raise is not of the size that the limit sets for its street."""
    bets = hand.game.bets if hand.game else ()
    if len(bets) < 2:
        yield CannotTell("the limits of the game")
        return
    low = hand.options.get("limit-schedule") == "lower-all-streets"
    for act in hand.acts:
        if act.kind not in ("bet", "raise") or act.all_in or act.street not in (*lower, *upper):
            continue
        unit = bets[1] if act.street in upper and not low else bets[0]
        base = full_level(act.wagers, unit)
        allowed = {act.level + unit, base + unit}
        if act.street == "preflop" and act.level < (hand.big or 0):
            allowed.add(
                (hand.big or 0) + unit
            )  # the blind is short: betting goes on as if it were full
        if act.level - base >= unit / 2:
            allowed.add(base + 2 * unit)
        if act.to not in allowed:
            yield Breach(
                act.version, f"seat {act.seat} made it {hand.say(act.to)} over {hand.say(act.level)} on the {act.street}",
                seat=act.seat, should=f"steps of {hand.say(unit)}: {hand.say(act.level + unit)}",
            )  # fmt: skip


@detects(on=(Bet, Raised, Called), needs=Witness.ACTS, signs=Sign.SMALL_BET)
def minimum_open(hand: Course) -> Iterator[Answer]:
    """A round was opened for less than the game's set minimum."""
    told = (
        hand.option("minimum-open")
        or hand.option("bring-in")
        or (hand.game.bets[0] if hand.game and hand.game.bets else None)
    )
    least = told or hand.big
    if least is None:
        yield CannotTell("house-option minimum-open")
        return
    for act in hand.acts:
        if act.kind == "bet" and not act.level and act.to < least and not act.all_in:
            yield Breach(
                act.version, f"seat {act.seat} opened the {act.street} for {hand.say(act.to)}", seat=act.seat,
                should=f"{hand.say(least)} at least", certainty="certain" if told else "likely",
                because="" if told else "no other minimum is told: the big blind is taken for it",
            )  # fmt: skip


@detects(on=(Bet, Raised), needs=Witness.ACTS | Witness.POSTS, signs=Sign.LARGE_BET)
def over_pot(hand: Course, *, only_two_handed: bool = False) -> Iterator[Answer]:
    """A bet or raise went above the size of the pot, and no two players had agreed to it."""
    for act in hand.acts:
        most, two = act.level + act.pot + act.call, len(act.live) == 2
        if act.kind in ("bet", "raise") and act.to > most and (two or not only_two_handed):
            if two and _agreed(hand, act):
                continue
            if two and not hand.witnessed(Witness.PERMISSIONS):
                yield CannotTell("permissions")
                continue
            yield Breach(
                act.version, f"seat {act.seat} made it {hand.say(act.to)}", seat=act.seat,
                should=f"{hand.say(most)} at most",
                because=f"pot {hand.say(act.pot)}, {hand.say(act.call)} to call",
            )  # fmt: skip


def _agreed(hand: Course, act: Act) -> bool:
    """Whether all who were left had agreed, before the act, to go beyond the pot."""
    return any(
        version < act.version and act.live <= set(event.seats)
        for version, event in hand.agreed("exceed-pot-limit")
    )


@detects(on=(Agreed,), needs=Witness.ACTS | Witness.POSTS)
def called_part(hand: Course) -> Iterator[Answer]:
    """A bet above the pot, by agreement, was called with neither the whole of it nor the pot."""
    occasion = False
    for bet, call in pairwise(hand.acts):
        most = bet.level + bet.pot + bet.call
        if (
            bet.kind not in ("bet", "raise")
            or bet.to <= most
            or len(bet.live) != 2
            or not _agreed(hand, bet)
        ):
            continue
        occasion = True
        if call.kind == "call" and call.to not in (bet.to, most) and not call.all_in:
            yield Breach(
                call.version, f"seat {call.seat} called {hand.say(call.to)} of {hand.say(bet.to)}", seat=call.seat,
                should=f"{hand.say(bet.to)}, or {hand.say(most)} for the size of the pot",
            )  # fmt: skip
    if not occasion:
        yield NO_OCCASION
