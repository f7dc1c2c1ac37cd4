"""All-in wagers: what they reopen, what they hold, and table stakes."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.hand.betting import Bet, Called, Raised
from ledger.vocabulary import Chips, Seat, Witness
from projections.awards import expected, unopposed
from projections.course import Act, Course, full_level
from projections.detector import Sign, detects
from projections.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.money import split
from projections.words import announced


def _raises(hand: Course) -> Iterator[tuple[Act, Chips, Chips]]:
    """Yield the raises of a limit game with the unit and the last level that was full."""
    for street, acts in hand.rounds():
        unit = hand.unit(street)
        for act in acts:
            if unit and act.kind in ("bet", "raise"):
                yield act, unit, full_level(act.wagers, unit)


@detects(on=(Raised, Bet), needs=Witness.ACTS | Witness.POSTS, signs=Sign.SHORT_ALL_IN, rare=True)
def reopened(hand: Course, *, part: float) -> Iterator[Answer]:
    """Who had acted raised again although only a short all-in increment had come back."""
    for act, unit, _ in _raises(hand):
        faced = act.level - act.before
        if not act.first and 0 < faced < part * unit:
            yield Breach(
                act.version, f"seat {act.seat} raised to {hand.say(act.to)} facing {hand.say(faced)} more", seat=act.seat,
                should=f"fold or call {hand.say(faced)}", because=f"less than {part:g} of a bet of {hand.say(unit)} had been added",
            )  # fmt: skip


@detects(on=(Raised, Bet), needs=Witness.ACTS | Witness.POSTS, signs=Sign.SHORT_ALL_IN, rare=True)
def wrong_completion(hand: Course, *, part: float) -> Iterator[Answer]:
    """Facing a short all-in, a wager was neither a call nor a completion to the full bet."""
    for act, unit, base in _raises(hand):
        short = act.level - base
        acted = not act.first and act.level - act.before < part * unit
        if 0 < short < part * unit and act.to != base + unit and not act.all_in and not acted:
            yield Breach(
                act.version, f"seat {act.seat} made it {hand.say(act.to)} over an all-in of {hand.say(act.level)}",
                seat=act.seat, should=f"fold, call {hand.say(act.level)} or complete to {hand.say(base + unit)}",
            )  # fmt: skip


@detects(on=(Raised, Bet), needs=Witness.ACTS | Witness.POSTS, signs=Sign.SHORT_ALL_IN, rare=True)
def wrong_raise_over_full(hand: Course, *, part: float) -> Iterator[Answer]:
    """An all-in of half a bet or more was not treated as a full one by the raise over it."""
    for act, unit, base in _raises(hand):
        short = act.level - base
        full = (act.level + unit, base + 2 * unit)
        if short >= part * unit and act.to not in full and not act.all_in:
            yield Breach(
                act.version, f"seat {act.seat} made it {hand.say(act.to)} over an all-in of {hand.say(act.level)}",
                seat=act.seat, should=f"fold, call or a full raise to {hand.say(act.level + unit)}",
            )  # fmt: skip
    for act, said in announced(hand):
        bet = hand.unit(act.street)
        if not bet or act.kind != "call" or act.all_in:
            continue
        if act.level - full_level(act.wagers, bet) >= part * bet:
            yield Breach(
                act.version, f"seat {act.seat} announced a raise over an all-in of {hand.say(act.level)} and was ruled to call",
                seat=act.seat, should=f"a full raise to {hand.say(act.level + bet)}", certainty="likely",
                because="that the raise was refused follows from the announcement", beside=((said, "a raise announced"),),
            )  # fmt: skip


@detects(on=(Called, Bet, Raised), needs=Witness.ACTS | Witness.STACKS_BEFORE, signs=Sign.STACK)
def chips_left(hand: Course) -> Iterator[Answer]:
    """A wager that is called all-in left chips behind that play."""
    least = hand.option("smallest-chip")
    for act, paid in hand.stakes():
        left = (hand.stack_at(act.seat) or 0) - paid
        if left <= 0 or not getattr(act.event, "all_in", None):
            continue
        if least is None and hand.big is not None and left < hand.big:
            yield CannotTell("house-option smallest-chip")
        elif least is None or left >= least:
            yield Breach(
                act.version, f"seat {act.seat} is said to be all-in with {hand.say(left)} behind", seat=act.seat,
                should="every chip that plays in the pot",
            )  # fmt: skip


@detects(on=(Called, Bet, Raised), needs=Witness.ACTS | Witness.STACKS_BEFORE, signs=Sign.STACK)
def beyond_table_stakes(hand: Course) -> Iterator[Answer]:
    """A seat put in more than it had on the table when the hand began."""
    told: set[Seat] = set()  # once for each seat
    for act, paid in hand.stakes():
        stack = hand.stack_at(act.seat)
        if stack is not None and paid > stack and act.seat not in told:
            told.add(act.seat)
            yield Breach(
                act.version, f"seat {act.seat} has put in {hand.say(paid)} of a stack of {hand.say(stack)}",
                seat=act.seat, should=f"{hand.say(stack)} at most",
            )  # fmt: skip


@detects(
    on=(Called, Bet, Raised),
    needs=Witness.ACTS | Witness.STACKS_BEFORE | Witness.AWARDS,
    signs=Sign.ALL_IN_AWARD | Sign.TURN | Sign.STACK, rare=True, occasion=Sign.ALL_IN,
)  # fmt: skip
def denied_share(hand: Course) -> Iterator[Answer]:
    """A seat that was all-in was folded, or was not paid its part of a pot that it covered."""
    for act in hand.acts:
        if act.kind == "fold" and act.seat in act.live - act.able and len(act.live) > 1:
            yield Breach(act.version, f"seat {act.seat} folded though it was all-in", seat=act.seat,
                         should="the seat plays on for what it covers")  # fmt: skip
    state = hand.played.final
    if not hand.contested or not any(state.is_all_in(seat) for seat in state.live):
        yield NO_OCCASION
        return
    if unopposed(hand):
        return
    told = expected(hand)
    if isinstance(told, CannotTell):
        yield told
        return
    if told is None:
        yield NO_OCCASION
        return
    for seat, (due, got, version) in told.items():
        if due and not got and state.is_all_in(seat):
            yield Breach(
                version, f"seat {seat} was all-in, held the best hand and was paid nothing", seat=seat,
                should=f"{hand.say(due)} before the drop", money=split((s, d, g) for s, (d, g, _) in told.items()),
            )  # fmt: skip
