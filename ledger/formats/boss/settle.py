"""The results: who showed, who was paid, the rake; what follows from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ledger.formats.boss.words import DEFAULT, FOLDED, HALVES, MUCKED
from ledger.hand.ending import CardsMucked, CardsShown, HandCompleted, ResultDeclared, ShowdownBegun
from ledger.hand.opening import AntePosted, BlindPosted, SeatDealtIn
from ledger.readers.settling import conclude_rake

if TYPE_CHECKING:
    from ledger.formats.boss.game import Game
    from ledger.formats.boss.parts import Line
    from ledger.vocabulary import Chips


def settle(told: Game) -> None:
    """Tell what stands in `SHOWDOWN`. A hand without it is not over."""
    showdown = told.found.showdown
    told.close_bets()
    if showdown is None:
        return
    told.place(showdown.tag)
    if len(told.stacks) - len(told.folded) > 1:
        told.put(ShowdownBegun())
    for line in told.found.results:
        _show(told, line)
    split = len({one.get("wintype") for one in told.found.results} & set(HALVES)) > 1
    for line in told.found.results:
        _award(told, line, split=split)
    rake = told.chips(showdown.get("rake")) if showdown.get("rake") else None
    total = None
    if showdown.get("pot") and rake is not None:
        total = told.chips(showdown.get("pot")) + rake
    told.return_bets(total)
    if total is not None:
        _antes(told, total, rake or 0)
    if rake is None:
        conclude_rake(told)
    told.place(showdown.tag)
    if rake:
        told.drop("rake", rake)
    if rake is not None:
        told.put(ResultDeclared("rake", amount=rake))
    if total is not None:
        told.put(ResultDeclared("total-pot", amount=total))
    told.put(HandCompleted())


def _show(told: Game, line: Line) -> None:
    """Tell what a result says of a hand; cards of the file's owner stand there in any case."""
    told.place(line.tag, line.stop)
    seat, hand = told.seats.get(line.name), line.get("hand").strip()
    if seat is None:
        told.strange(line.tag.start, line.stop)
    elif hand == MUCKED:
        told.put(CardsMucked(seat, line.known))
    elif hand in (DEFAULT, ""):
        if line.known and seat not in told.holds:
            told.put(CardsShown(seat, line.known))
    elif hand != FOLDED and line.known:
        told.put(CardsShown(seat, line.known, claim=told.people.text(hand[:200])))


def _award(told: Game, line: Line, *, split: bool) -> None:
    seat = told.seats.get(line.name)
    amount = told.chips(line.get("win")) if line.get("win") else 0
    if seat is not None and amount:
        told.place(line.tag, line.stop)
        told.award(seat, amount, half=HALVES.get(line.get("wintype"), "") if split else "")


def _antes(told: Game, total: Chips, rake: Chips) -> None:
    """Conclude the antes of old tournaments, which no line tells: what each seat must have put in.

    Only where the declared pot and what was paid agree, and the rest parts evenly. The stacks of such
    hands are told without the ante: who goes all-in puts in what stands there.
    """
    rest = total - sum(told.put_in)
    if (
        rest <= 0
        or rest % len(told.stacks)
        or told.paid + rake != total
        or told.game.format == "cash"
        or any(isinstance(one, AntePosted) for one in told.events)
    ):
        return
    first = next((at for at, one in enumerate(told.events) if isinstance(one, BlindPosted)), len(told.events))
    each = rest // len(told.stacks)
    for at, one in enumerate(told.events):
        if isinstance(one, SeatDealtIn) and one.stack is not None:
            told.stacks[one.seat] = one.stack + each
            told.events[at] = msgspec.structs.replace(one, stack=one.stack + each)
    for seat in sorted(told.stacks, reverse=True):
        told.put_in[seat] += each
        told.insert(first, AntePosted(seat, each))
