"""Who was paid, what came back, and the rake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.hand.ending import HandCompleted, PotAwarded, ResultDeclared
from ledger.hand.opening import BlindPosted
from ledger.readers.settling import conclude_rake, within_awards

if TYPE_CHECKING:
    from ledger.formats.microgaming.game import Game


def settle(told: Game) -> None:
    """Tell the payments and what the seats have in the end. A game without them is not over."""
    told.close_bets()
    for action in told.found.actions:
        for line in action.paid:
            told.place(line.tag)
            seat, pot = line.seat, line.get("pot")
            if seat is None or seat not in told.stacks:
                told.strange(line.tag.start, line.stop)
                continue
            number = int(pot) if pot.isascii() and pot.isdecimal() and len(pot) < 3 else None
            told.award(seat, told.chips(line.get("amount")), number)
    if not told.paid:
        return
    rake = told.head.rake
    if told.pending:
        _within(told, rake)
    told.return_bets()
    told.at = told.whole
    if rake is None:
        conclude_rake(told)
    elif rake:
        told.drop("rake", rake)
        told.put(ResultDeclared("rake", amount=rake))
    _silent(told)
    for line in told.found.seats:
        if line.seat in told.stacks and line.get("endbalance"):
            told.place(line.tag)
            told.put(ResultDeclared("end-stack", line.seat, told.chips(line.get("endbalance"))))
    told.at = told.whole
    told.put(HandCompleted())


def _within(told: Game, rake: int | None) -> None:
    """Part a bet that nobody called from the award that counts it: where the rake tells that it does."""
    left = sum(told.put_in) - told.taken - told.paid
    if rake is None:
        within_awards(told, always=False)
    elif left == rake or left < sum(amount for _, amount, _ in told.pending):
        within_awards(told, always=True)


def _silent(told: Game) -> None:
    """Conclude the dead small blind that some files leave out of a new player's post.

    Both must show it: what the seat has in the end, and what is missing in the pot.
    """
    missing = told.paid + told.taken - sum(told.put_in)
    if missing <= 0:
        return
    for line in told.found.seats:
        seat = line.seat
        start = told.stacks.get(seat or 0)
        if seat is None or start is None or not line.get("endbalance"):
            continue
        won = sum(one.amount for one in told.events if isinstance(one, PotAwarded) and one.seat == seat)
        if start - told.put_in[seat] + won - told.chips(line.get("endbalance")) != missing:
            continue
        for index, event in enumerate(told.events):
            if isinstance(event, BlindPosted) and event.seat == seat and event.role == "entry":
                told.put_in[seat] += missing
                told.insert(index, BlindPosted(seat, "makeup-small", 0, missing))
                return
