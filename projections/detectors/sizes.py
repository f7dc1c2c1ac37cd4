"""How much may be bet: fixed limits, the pot, the minimum to open."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final

from ledger.hand.acts import Act
from ledger.hand.betting import Bet, Called, Raised
from ledger.hand.limit_steps import LimitSteps
from ledger.hand.opening import Agreed, BlindPosted
from ledger.vocabulary import Chips, Seat, Witness
from projections.detectors.shared.bet_limits import ladder
from projections.findings.detector import Symptom, hand_detector
from projections.findings.finding import NO_OCCASION, Answer, Breach, CannotTell
from projections.timeline.hand_timeline import MENDED, Timeline

_POSTED: Final = "house-option limit-schedule"
_ASSUMED_MINIMUM: Final = "no other minimum is told: the big blind is taken for it"


@hand_detector(events=(Bet, Raised), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.SMALL_BET)
def split_limit(hand: Timeline, *, lower: list[str], upper: list[str]) -> Iterator[Answer]:
    """A bet or raise is not of the size that the limit sets for its street."""
    bets = hand.game.bets if hand.game else ()
    if len(bets) < 2:
        yield CannotTell("the limits of the game")
        return
    schedule = hand.options.get("limit-schedule")
    # A sign may give the bets to other streets. Where one hangs there that nobody can read here, or
    # none would be recorded, the other bet of the limit is no wrong that the record tells.
    unit_uncertain = schedule == "posted" or (
        schedule is None and bool(hand.in_force.notices or not hand.witnessed(Witness.HOUSE_OPTIONS))
    )
    for street, acts in hand.rounds():
        unit = hand.unit(street)
        if unit is None or street not in (*lower, *upper):
            continue
        other_unit = bets[0] if unit == bets[1] else bets[1]
        wrong = list(_odd(hand, acts, unit))
        if unit_uncertain and wrong and not any(_odd(hand, acts, other_unit)):
            yield CannotTell(_POSTED)
            continue
        for act, steps, right_totals in wrong:
            is_mended = act.version in hand.undone or hand.settled(act) in {*right_totals, act.level}
            yield Breach(
                act.version,
                f"seat {act.seat} {hand.wager(act)} on the {act.street}",
                seat=act.seat,
                should=f"bets of {hand.say(unit)}: {hand.say(steps.least)}",
                certainty="likely" if unit_uncertain else "certain",
                because="; ".join(["no sign with other limits is known"] * unit_uncertain + [MENDED] * is_mended),
                severity="warning" if is_mended else None,
            )


def _odd(hand: Timeline, acts: list[Act], unit: Chips) -> Iterator[tuple[Act, LimitSteps, frozenset[Chips]]]:
    """Yield the bets and raises of a round that are of no whole step of a bet, with those that would be."""
    for act, steps in ladder(hand, acts, unit):
        # The clause says nothing of short all-ins: a raise may go a bet beyond one.
        right_totals = steps.whole | steps.filled | ({act.level + unit} if steps.top else set())
        if act.kind in ("bet", "raise") and not act.all_in and act.to not in right_totals:
            yield act, steps, right_totals


@hand_detector(events=(Bet, Raised, Called), needs=Witness.ACTS, signs=Symptom.SMALL_BET)
def minimum_open(hand: Timeline) -> Iterator[Answer]:
    """A round was opened for less than the game's set minimum."""
    for act in hand.acts:
        first = act.kind == "raise" and act.street == "preflop" and not act.raises
        if act.all_in or not (first or (act.kind == "bet" and not act.level)):
            continue
        set_minimum = _minimum(hand)
        if not set_minimum and hand.big is None:
            yield CannotTell("house-option minimum-open")
            return
        minimum = set_minimum if set_minimum or first else hand.big or 0  # above the blinds only what is set is asked
        if act.to < minimum:
            is_mended = hand.settled(act) >= minimum or hand.settled(act) == act.before
            yield Breach(
                act.version,
                f"seat {act.seat} opened the {act.street} for {hand.say(act.to)}",
                seat=act.seat,
                should=f"{hand.say(minimum)} at least",
                certainty="certain" if set_minimum else "likely",
                because="; ".join(
                    part for part in ("" if set_minimum else _ASSUMED_MINIMUM, MENDED if is_mended else "") if part
                ),
                severity="warning" if is_mended else None,
            )


def _minimum(hand: Timeline) -> Chips:
    """Return the least that a round may be opened for, by what is set for the game; 0 = not told."""
    bets = hand.game.bets if hand.game else ()
    return hand.option("minimum-open") or hand.option("bring-in") or (bets[0] if bets else 0)


@hand_detector(events=(Bet, Raised), needs=Witness.ACTS | Witness.POSTS, signs=Symptom.LARGE_BET)
def over_pot(hand: Timeline, *, only_two_handed: bool = False) -> Iterator[Answer]:
    """A bet or raise went above the size of the pot, and no two players had agreed to it."""
    lacking = _lacking(hand)
    for act in hand.acts:
        maximum, two = act.level + act.pot + act.call, len(act.live) == 2
        if not act.raises:  # the set opening bet is right though it is more than the pot
            maximum = max(maximum, hand.option("minimum-open") or 0)
        if act.kind not in ("bet", "raise") or act.to <= maximum or not (two or not only_two_handed):
            continue
        if two and _agreed(hand, act.live, act):
            continue
        full_maximum = _full(hand, act, lacking) if lacking and act.street == "preflop" else maximum
        if act.to <= full_maximum:
            yield CannotTell("whether a blind that is all-in for less counts in full")
        elif two and not hand.witnessed(Witness.PERMISSIONS):
            yield CannotTell("permissions")
        elif len(act.able) == 2 and _agreed(hand, act.able, act):
            yield CannotTell("whether two players may agree while another is all-in")
        else:
            is_mended, because = hand.settled(act) <= maximum, f"pot {hand.say(act.pot)}, {hand.say(act.call)} to call"
            yield Breach(
                act.version,
                f"seat {act.seat} {hand.wager(act)}",
                seat=act.seat,
                should=f"{hand.say(maximum)} at most"
                + (f", {hand.say(full_maximum)} if the short blind counts in full" if full_maximum > maximum else ""),
                because=f"{because}; {MENDED}" if is_mended else because,
                severity="warning" if is_mended else None,
            )


def _lacking(hand: Timeline) -> Chips:
    """Return what the blinds that are all-in for less lack."""
    amounts = dict(zip(("small", "big"), hand.blinds, strict=False))
    return sum(
        max(0, amounts.get(post.role, 0) - post.live - post.dead)
        for _, post in hand.standing_posts()
        if isinstance(post, BlindPosted) and (post.all_in or hand.stack_at(post.seat) == post.live + post.dead)
    )


def _full(hand: Timeline, act: Act, lacking: Chips) -> Chips:
    """Return the most of an act of the first round, if the blinds count as full ones."""
    level = max(act.level, hand.big or 0)
    return 2 * level - act.before + act.pot + lacking


def _agreed(hand: Timeline, seats: AbstractSet[Seat], act: Act) -> bool:
    """Whether these seats had agreed, before the act, to go beyond the pot."""
    return any(
        version < act.version and seats <= set(event.seats) for version, event in hand.agreed("exceed-pot-limit")
    )


@hand_detector(events=(Agreed,), needs=Witness.ACTS | Witness.POSTS)
def called_part(hand: Timeline) -> Iterator[Answer]:
    """A bet above the pot, by agreement, was called with neither the whole of it nor the pot."""
    occasion = False
    for bet, call in pairwise(hand.acts):
        pot_total = bet.level + bet.pot + bet.call
        if (
            bet.kind not in ("bet", "raise")
            or bet.to <= pot_total
            or len(bet.live) != 2
            or not _agreed(hand, bet.live, bet)
        ):
            continue
        occasion = True
        if call.kind == "call" and call.to not in (bet.to, pot_total) and not call.all_in:
            yield Breach(
                call.version,
                f"seat {call.seat} called {hand.say(call.to)} of {hand.say(bet.to)}",
                seat=call.seat,
                should=f"{hand.say(bet.to)}, or {hand.say(pot_total)} for the size of the pot",
            )
    if not occasion:
        yield NO_OCCASION
