"""All-in wagers: what they reopen, what they hold, and table stakes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from ledger.hand.acts import Act
from ledger.hand.betting import Bet, Called, Declared, Folded, HandKilled, Raised
from ledger.hand.bounds import call_level
from ledger.hand.limit_steps import LimitSteps
from ledger.presence import PlayerAway, PlayerBack
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.awards import expected, unopposed
from projections.detectors.shared.bet_limits import ladder
from projections.detectors.shared.spoken_words import announced
from projections.findings.detector import Symptom, detects
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.timeline.chip_flows import split
from projections.timeline.hand_timeline import MENDED, Timeline

_LIMITS: Final = CannotTell("the limits of the game")


def _faced(hand: Timeline, part: float) -> Iterator[tuple[Act, Chips, LimitSteps] | CannotTell]:
    """Yield the acts of a limit game that face an all-in short of a whole bet, with the bet."""
    for street, acts in hand.rounds():
        unit = hand.unit(street)
        if not unit:
            if any(act.all_in and act.kind in ("bet", "raise") for act in acts):
                yield _LIMITS
            continue
        for act, steps in ladder(hand, acts, unit, part):
            if not steps.top:
                continue
            yield _LIMITS if steps.odd else (act, unit, steps)


def _wagers_over(
    hand: Timeline, part: float, top: Literal["below", "half"]
) -> Iterator[tuple[Act, Chips, LimitSteps] | CannotTell]:
    """Yield the bets and raises over a short all-in that are of no whole size."""
    for found in _faced(hand, part):
        if isinstance(found, CannotTell):
            yield found
            continue
        act, _, steps = found
        wager = act.kind in ("bet", "raise") and not act.all_in
        if wager and steps.top == top and act.to not in steps.whole:
            yield found


def _since(hand: Timeline, act: Act) -> list[Act]:
    """Return the bets and raises of a round since a seat last acted in it."""
    found = []
    for one in hand.acts_back_from(act.version):
        if one.street == act.street:
            if one.seat == act.seat:
                break
            if one.to > one.level:
                found.append(one)
    return found


def _closed(hand: Timeline, act: Act, part: float, unit: Chips) -> bool:
    """Whether a seat that had acted faces nothing but all-ins that make less than part of a bet."""
    if act.first or not 0 < act.level - act.before < part * unit:
        return False
    since = _since(hand, act)
    return bool(since) and all(one.all_in for one in since)


@detects(on=(Raised, Bet), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.SHORT_ALL_IN, rare=True)
def reopened(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """Who had acted raised again although only a short all-in increment had come back."""
    for found in _faced(hand, part):
        if isinstance(found, CannotTell):
            yield found
            continue
        act, unit, _ = found
        if act.kind in ("bet", "raise") and _closed(hand, act, part, unit):
            faced, mended = act.level - act.before, act.version in hand.undone
            because = f"less than {part:g} of a bet of {hand.say(unit)} had been added"
            yield Breach(
                act.version,
                f"seat {act.seat} raised to {hand.say(act.to)} facing {hand.say(faced)} more",
                seat=act.seat,
                should=f"fold or call {hand.say(faced)}",
                because=f"{because}; {MENDED}" if mended else because,
                severity="warning" if mended else None,
            )


@detects(on=(Raised, Bet), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.SHORT_ALL_IN, rare=True)
def wrong_completion(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """Facing a short all-in, a wager was neither a call nor a completion to the full bet."""
    for found in _wagers_over(hand, part, "below"):
        if isinstance(found, CannotTell):
            yield found
            continue
        act, unit, steps = found
        if not _closed(hand, act, part, unit):
            yield Breach(
                act.version,
                f"seat {act.seat} raised an all-in of {hand.say(act.level)} to {hand.say(act.to)}",
                seat=act.seat,
                should=f"fold, call {hand.say(act.level)} or complete to {hand.say(steps.least)}",
            )


@detects(on=(Raised, Bet), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.SHORT_ALL_IN, rare=True)
def wrong_raise_over_full(hand: Timeline, *, part: float) -> Iterator[Answer]:
    """An all-in of half a bet or more was not treated as a full one by the raise over it."""
    for found in _wagers_over(hand, part, "half"):
        if isinstance(found, CannotTell):
            yield found
            continue
        act, unit, _ = found
        yield Breach(
            act.version,
            f"seat {act.seat} raised an all-in of {hand.say(act.level)} to {hand.say(act.to)}",
            seat=act.seat,
            should=f"fold, call or a full raise to {hand.say(act.level + unit)}",
        )
    said = {act.version: version for act, version in announced(hand)}
    for found in _faced(hand, part):
        if isinstance(found, CannotTell):
            continue
        act, unit, steps = found
        if act.kind == "call" and steps.top == "half" and act.version in said and not act.all_in:
            yield Breach(
                act.version,
                f"seat {act.seat} announced a raise over an all-in of {hand.say(act.level)} and was ruled to call",
                seat=act.seat,
                should=f"a full raise to {hand.say(act.level + unit)}",
                certainty="likely",
                because="that the raise was refused follows from the announcement",
                beside=((said[act.version], "a raise announced"),),
            )


@detects(on=(Called, Bet, Raised), needs=Witness.ACTS | Witness.STACKS_BEFORE, signs=Symptom.STACK)
def chips_left(hand: Timeline) -> Iterator[Answer]:
    """A wager that is called all-in left chips behind that play."""
    least = hand.option("smallest-chip")
    for act, paid in hand.stakes():
        if not act.added:
            continue  # no wager: a seat without connection or time stays in for what it has put in
        left = (hand.stack_at(act.seat) or 0) - paid
        if left <= 0 or not getattr(act.event, "all_in", None) or _covers(hand, act):
            continue
        if least is None and hand.big is not None and left < hand.big:
            yield CannotTell("house-option smallest-chip")
        elif least is None or left >= least:
            yield Breach(
                act.version,
                f"seat {act.seat} is said to be all-in with {hand.say(left)} behind",
                seat=act.seat,
                should="every chip that plays in the pot",
            )


def _covers(hand: Timeline, act: Act) -> bool:
    """Whether nobody who is left could match more: the rest of the stack does not play in that pot."""
    state = hand.played.before(act.version)
    others = act.live - {act.seat}
    reach = [(state.behind(seat), state.bet(seat)) for seat in others]
    return bool(reach) and all(behind is not None and behind + bet <= act.to for behind, bet in reach)


@detects(on=(Called, Bet, Raised), needs=Witness.ACTS | Witness.STACKS_BEFORE, signs=Symptom.STACK)
def beyond_table_stakes(hand: Timeline) -> Iterator[Answer]:
    """A seat put in more than it had on the table when the hand began."""
    told: set[Seat] = set()  # once for each seat
    for act, paid in hand.stakes():
        stack = hand.stack_at(act.seat)
        if stack is not None and paid > stack and act.seat not in told:
            told.add(act.seat)
            yield Breach(
                act.version,
                f"seat {act.seat} has put in {hand.say(paid)} of a stack of {hand.say(stack)}",
                seat=act.seat,
                should=f"{hand.say(stack)} at most",
            )


def _refused(hand: Timeline) -> Iterator[Answer]:
    """Yield where a seat lost its hand because it had too few chips to call."""
    for version, event in hand.of(HandKilled, Folded):
        if hand.ended is not None and version > hand.ended.version:
            return
        state = hand.played.before(version)
        behind = state.behind(event.seat)
        facing = call_level(state) - state.bet(event.seat)
        told = isinstance(event, HandKilled) and event.reason == "cannot-call"
        short = event.seat in state.live and behind is not None and behind < facing
        if told or (short and _meant_to_call(hand, version, event)):
            yield Breach(
                version,
                f"seat {event.seat} lost its hand for want of the chips to call",
                seat=event.seat,
                should="it is all-in, and plays on for what it covers",
                remedy="not-followed",
                certainty="certain" if told else "likely",
                because="" if told else f"it wanted to call {hand.say(facing)} and had {hand.say(behind or 0)}",
            )


def _meant_to_call(hand: Timeline, version: int, lost: HandKilled | Folded) -> bool:
    """Whether a seat had said, since its last act, that it calls, and lost its hand for no wrong of its own."""
    if isinstance(lost, HandKilled) and lost.reason not in ("rule", "unknown"):
        return False
    acts = [act.version for act in hand.acts_before(version) if act.seat == lost.seat]
    said = hand.since(max(acts, default=0), Declared, seat=lost.seat, before=version)
    return any(word.what in ("call", "all-in") for _, word in said)


def _away(hand: Timeline, act: Act) -> bool:
    """Whether the player of an act was away when it was made."""
    told = hand.upto(act.version, PlayerAway, PlayerBack, seat=act.seat)
    return bool(told) and isinstance(told[-1][1], PlayerAway)


@detects(
    on=(Called, Bet, Raised),
    needs=Witness.ACTS | Witness.STACKS_BEFORE | Witness.AWARDS,
    signs=Symptom.ALL_IN_AWARD | Symptom.TURN | Symptom.STACK,
    rare=True,
    occasion=Symptom.ALL_IN,
    ended=True,
)
def denied_share(hand: Timeline) -> Iterator[Answer]:
    """A seat that was all-in was folded, or was not paid its part of a pot that it covered."""
    for act in hand.acts:
        if act.kind == "fold" and act.seat in act.live - act.able and len(act.live) > 1:
            away = _away(hand, act)
            yield Breach(
                act.version,
                f"seat {act.seat} folded though it was all-in",
                seat=act.seat,
                should="the seat plays on for what it covers",
                certainty="likely" if away else "certain",
                because="the player was away: the hand may have been killed for that, and not for want of chips"
                if away
                else "",
            )
    yield from _refused(hand)
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
        if due and not got and state.is_all_in(seat) and hand.killed(seat) is None:
            yield Breach(
                version,
                f"seat {seat} was all-in, held the best hand and was paid nothing",
                seat=seat,
                should=f"{hand.say(due)} before the drop",
                money=split((s, d, g) for s, (d, g, _) in told.items()),
            )
