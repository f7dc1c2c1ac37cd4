"""What sources leave out at a hand's end: bets given back that nobody called, who was paid, and the rake."""

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
_SMALL: Final = 3
"""In pots of a few chips rounding makes the rake more than its tenth: so many units are believed."""


def split_uncalled_awards(told: HandBuilder, *, always: bool) -> None:
    """Part a bet that nobody called from the award that counts it.

    Some rooms pay such a bet out together with the pot. The award is then less by that bet, and the
    bet is told as given back; both are inferred. `always`: the room does so whenever it happens,
    otherwise only where the awards are more than the pot without that bet.
    """
    told.close_bets()
    if not told.uncalled_bets:
        return
    rest = sum(amount for _, amount, _ in told.uncalled_bets)
    if not always and told.total_awarded <= told.total_put_in() - rest:
        return
    for seat, amount, _ in told.uncalled_bets:
        _part(told, seat, amount)


def _part(told: HandBuilder, seat: Seat, amount: Chips) -> None:
    """Take `amount` off the seat's awards, the last side pot first; nothing where they are less."""
    indexes = _awards(told, seat)
    if len(indexes) == 1:
        event = told.events[indexes[0]]
        if isinstance(event, PotAwarded) and event.amount > amount:
            _less(told, indexes[0], event, amount)
            return
    awards = [(index, told.events[index]) for index in indexes]
    if sum(event.amount for _, event in awards if isinstance(event, PotAwarded)) < amount:
        return
    for index, event in sorted(awards, key=lambda one: -(getattr(one[1], "pot", 0) or 0)):
        if not amount or not isinstance(event, PotAwarded):
            break
        taken = min(amount, event.amount)
        amount -= taken
        _less(told, index, event, taken)
    for index in indexes:
        event = told.events[index]
        if isinstance(event, PotAwarded) and not event.amount:
            told.remove_event(index)


def _less(told: HandBuilder, index: int, event: PotAwarded, taken: Chips) -> None:
    """Make an award less; it is inferred then."""
    told.total_awarded -= taken
    told.events[index] = PotAwarded(event.seat, event.amount - taken, event.pot, event.run, event.board, event.half)
    if index not in told.inferred:
        told.inferred.append(index)


def _awards(told: HandBuilder, seat: Seat) -> list[int]:
    """Return where the seat's awards stand, the last one first: they all come behind the last act."""
    found = []
    for index in range(len(told.events) - 1, -1, -1):
        event = told.events[index]
        if isinstance(event, _ACTS):
            break
        if isinstance(event, PotAwarded) and event.seat == seat:
            found.append(index)
    return found


def return_unmatched_ante(told: ListedHand, *, in_the_end: bool = False) -> None:
    """Infer that what nobody matched of the highest ante went back, where the awards lack just that.

    So it is in hands in which all are all-in with the ante: `told.paid` then holds the lower one twice. `in_the_end`:
    it is told behind all else, not behind the antes.
    """
    *_, second, highest = sorted([0, 0, *told.betting.chips.put_in.values()])
    rest = highest - second
    if not rest or rest != told.total_put_in() - told.total_awarded - told.total_drop:
        return
    antes = [(at, event) for at, event in enumerate(told.events) if isinstance(event, AntePosted)]
    if antes:
        seat = min(seat for seat, chips in told.betting.chips.put_in.items() if chips == highest)
        if rest <= sum(ante.amount for _, ante in antes if ante.seat == seat):
            told.betting.put(seat, -rest)
            returned = PostReturned(seat, rest, "ante", dead=True)
            if in_the_end:
                told.add_inferred(returned)
            else:
                told.insert_and_shift(antes[-1][0] + 1, returned)


def award_by_play(told: HandBuilder) -> None:
    """Infer who was paid, for sources that do not say it: by folds, or by the cards."""
    state = fold(told.events[1:])  # type: ignore[arg-type]  # only hand events are put down
    for part in shares(state).parts:
        each = part.amount // len(part.winners)
        for at, seat in enumerate(part.winners):
            told.add_inferred(PotAwarded(seat, each + (at < part.odd), part.pot))


def infer_rake(told: HandBuilder) -> None:
    """Infer the rake that a room does not print: what went in and was not awarded.

    Only in cash games, where somebody was paid, and only what a room takes: up to a tenth of the
    pot. More than that is no rake, and the hand stays as it is told.
    """
    if told.game.format != "cash":
        return
    total = told.total_put_in()
    rest = total - told.total_awarded - told.total_drop
    if told.total_awarded and 0 < rest <= max(total // 10, _SMALL):
        told.total_drop += rest
        told.add_inferred(DropTaken("rake", rest))


def missing_chips(told: HandBuilder, seat: Seat, end: Chips) -> Chips:
    """Return by how much a stack at the end is less than what the seat put in and was paid leave it."""
    won = sum(event.amount for event in told.events if isinstance(event, PotAwarded) and event.seat == seat)
    return (told.stacks.get(seat) or 0) - told.chips_put_in(seat) + won - end


def declare_rake(told: HandBuilder, amount: Chips) -> None:
    """Let the house take its rake, which the source declares, also where it is nothing."""
    told.take_drop("rake", amount)
    told.add_event(ResultDeclared("rake", amount=amount))


def declare_totals(told: HandBuilder, rake: Chips | None, total: Chips | None) -> None:
    """Tell the rake and the whole pot as a source declares them; a rake that it leaves out is inferred."""
    if rake is None:
        infer_rake(told)
    else:
        declare_rake(told, rake)
    if total is not None:
        told.add_event(ResultDeclared("total-pot", amount=total))


def complete_paid_hand(told: ListedHand) -> None:
    """Infer what a room leaves out that tells neither rake nor what went back: its hands are over when they are paid."""
    told.infer_returns_by_payout()
    merge_high_halves(told)
    infer_rake(told)
    if any(told.betting.chips.put_in.values()):
        told.leave_out_silent()
    told.add_inferred(HandCompleted())


def merge_high_halves(told: HandBuilder) -> None:
    """Take a pot's `high` half as the whole one where no low was paid."""
    awards = [(at, event) for at, event in enumerate(told.events) if isinstance(event, PotAwarded)]
    if {"high"} == {event.half for _, event in awards}:
        for at, event in awards:
            told.events[at] = PotAwarded(event.seat, event.amount, event.pot, event.run, event.board)
