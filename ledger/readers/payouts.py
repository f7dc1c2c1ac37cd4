"""Infer what a source leaves out at the end of a hand: returned bets, awards and the rake."""

from __future__ import annotations

from typing import Final

from ledger.hand.betting import Bet, Called, Checked, Folded, Raised
from ledger.hand.ending import DropTaken, HandCompleted, PotAwarded, ResultDeclared
from ledger.hand.evaluate import shares
from ledger.hand.fold import fold
from ledger.hand.opening import AntePosted, PostReturned
from ledger.readers.hand import HandBuilder
from ledger.readers.listed_hand import ListedHand
from ledger.vocabulary import Chips, Seat

_ACTS: Final = (Bet, Called, Checked, Folded, Raised)
_MAX_ROUNDING: Final = 3
"""In tiny pots, rounding makes the rake more than a tenth. This many units still count as rake."""


def split_uncalled_awards(hand: HandBuilder, *, is_always_paid: bool) -> None:
    """Separate an uncalled bet from the award that includes it.

    Some rooms pay an uncalled bet together with the pot. The award is reduced by the bet, and the bet is returned; both
    are inferred. `is_always_paid`: the room always does so. Otherwise it's inferred only if the awards are more than the
    pot without that bet.
    """
    hand.close_bets()
    if not hand.uncalled_bets:
        return
    uncalled_total = sum(amount for _, amount, _ in hand.uncalled_bets)
    if not is_always_paid and hand.total_awarded <= hand.get_total_put_in() - uncalled_total:
        return
    for seat, amount, _ in hand.uncalled_bets:
        _reduce_awards(hand, seat, amount)


def _reduce_awards(hand: HandBuilder, seat: Seat, amount: Chips) -> None:
    """Subtract `amount` from the seat's awards, the last side pot first. Change nothing if they are less."""
    indexes = _award_indexes(hand, seat)
    if len(indexes) == 1:
        event = hand.events[indexes[0]]
        if isinstance(event, PotAwarded) and event.amount > amount:
            _reduce_award(hand, indexes[0], event, amount)
            return
    awards = [(index, hand.events[index]) for index in indexes]
    if sum(event.amount for _, event in awards if isinstance(event, PotAwarded)) < amount:
        return
    for index, event in sorted(awards, key=lambda indexed_event: -(getattr(indexed_event[1], "pot", 0) or 0)):
        if not amount or not isinstance(event, PotAwarded):
            break
        reduction = min(amount, event.amount)
        amount -= reduction
        _reduce_award(hand, index, event, reduction)
    for index in indexes:
        event = hand.events[index]
        if isinstance(event, PotAwarded) and not event.amount:
            hand.remove_event(index)


def _reduce_award(hand: HandBuilder, index: int, event: PotAwarded, reduction: Chips) -> None:
    """Reduce an award and mark it as inferred."""
    hand.total_awarded -= reduction
    hand.events[index] = PotAwarded(event.seat, event.amount - reduction, event.pot, event.run, event.board, event.half)
    if index not in hand.inferred:
        hand.inferred.append(index)


def _award_indexes(hand: HandBuilder, seat: Seat) -> list[int]:
    """Return the indexes of the seat's awards, last first. All awards come after the last act."""
    award_indexes = []
    for index in range(len(hand.events) - 1, -1, -1):
        event = hand.events[index]
        if isinstance(event, _ACTS):
            break
        if isinstance(event, PotAwarded) and event.seat == seat:
            award_indexes.append(index)
    return award_indexes


def return_unmatched_ante(hand: ListedHand, *, in_the_end: bool = False) -> None:
    """Infer that the unmatched part of the highest ante was returned, if the awards are short by exactly that.

    This happens in hands in which all players are all-in with the ante. `in_the_end`: the return comes after all other
    events, instead of after the antes.
    """
    *_, second, highest = sorted([0, 0, *hand.betting.chips.put_in.values()])
    unmatched = highest - second
    if not unmatched or unmatched != hand.get_total_put_in() - hand.total_awarded - hand.total_drop:
        return
    antes = [(index, event) for index, event in enumerate(hand.events) if isinstance(event, AntePosted)]
    if antes:
        seat = min(seat for seat, chips in hand.betting.chips.put_in.items() if chips == highest)
        if unmatched <= sum(ante.amount for _, ante in antes if ante.seat == seat):
            hand.betting.move_chips(seat, -unmatched)
            returned = PostReturned(seat, unmatched, "ante", dead=True)
            if in_the_end:
                hand.add_inferred(returned)
            else:
                hand.insert_and_shift(antes[-1][0] + 1, returned)


def award_by_play(hand: HandBuilder) -> None:
    """Infer the awards from folds or cards, for sources that don't record them."""
    state = fold(hand.events[1:])  # type: ignore[arg-type]  # only hand events are put down
    for pot_share in shares(state).parts:
        equal_share = pot_share.amount // len(pot_share.winners)
        for winner_index, seat in enumerate(pot_share.winners):
            hand.add_inferred(PotAwarded(seat, equal_share + (winner_index < pot_share.odd), pot_share.pot))


def infer_rake(hand: HandBuilder) -> None:
    """Infer a rake that the room doesn't print: the chips put in that nobody was awarded.

    It's inferred only in cash games in which somebody was paid, and only up to a tenth of the pot. A larger difference
    isn't rake, and the hand stays as written.
    """
    if hand.game.format != "cash":
        return
    total = hand.get_total_put_in()
    unpaid = total - hand.total_awarded - hand.total_drop
    if hand.total_awarded and 0 < unpaid <= max(total // 10, _MAX_ROUNDING):
        hand.total_drop += unpaid
        hand.add_inferred(DropTaken("rake", unpaid))


def count_missing_chips(hand: HandBuilder, seat: Seat, end: Chips) -> Chips:
    """Return how many chips are missing from a seat's stack at the end, by what it put in and was paid."""
    won = sum(event.amount for event in hand.events if isinstance(event, PotAwarded) and event.seat == seat)
    return (hand.stacks.get(seat) or 0) - hand.get_chips_put_in(seat) + won - end


def declare_rake(hand: HandBuilder, amount: Chips) -> None:
    """Take the rake that the source declares, even if it is 0."""
    hand.take_drop("rake", amount)
    hand.add_event(ResultDeclared("rake", amount=amount))


def declare_totals(hand: HandBuilder, rake: Chips | None, total: Chips | None) -> None:
    """Declare a source's rake and total pot. Infer a rake that it leaves out."""
    if rake is None:
        infer_rake(hand)
    else:
        declare_rake(hand, rake)
    if total is not None:
        hand.add_event(ResultDeclared("total-pot", amount=total))


def complete_paid_hand(hand: ListedHand) -> None:
    """Complete a hand of a room that writes neither rake nor returned bets. It ends when the pots are paid."""
    hand.infer_returns_by_payout()
    merge_high_halves(hand)
    infer_rake(hand)
    if any(hand.betting.chips.put_in.values()):
        hand.leave_out_silent()
    hand.add_inferred(HandCompleted())


def merge_high_halves(hand: HandBuilder) -> None:
    """Turn `high` halves into full pots if no low half was paid."""
    awards = [(index, event) for index, event in enumerate(hand.events) if isinstance(event, PotAwarded)]
    if {"high"} == {event.half for _, event in awards}:
        for index, event in awards:
            hand.events[index] = PotAwarded(event.seat, event.amount, event.pot, event.run, event.board)
