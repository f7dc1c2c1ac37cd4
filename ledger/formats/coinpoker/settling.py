"""The end of a hand: bets that go back, pots that are paid, what the room took, stacks behind it."""

from __future__ import annotations

from typing import Any, Final

from ledger.formats.coinpoker.values import Hand, Message, chair
from ledger.hand.betting import CashOutTaken
from ledger.hand.ending import DropTaken, HandCompleted, PotAwarded, ResultDeclared
from ledger.hand.opening import PotSeeded
from ledger.readers.documented import objects
from ledger.readers.hand import DropKind
from ledger.vocabulary import Chips, Seat

_POTS_MOST: Final = 30


def give_back(hand: Hand, message: Message, value: dict[str, Any]) -> None:
    """Give back a bet that nobody called."""
    seat, amount = _seat(hand, value), hand.maybe(value.get("chipsToReturn"))
    if not seat or amount is None:
        hand.strange(message.name, hand.at)
    elif amount:
        hand.give_back(seat, amount)


def pay(hand: Hand, message: Message, value: dict[str, Any]) -> None:
    """Pay the pots out. The second payment is that of the second run or board."""
    hand.settled += 1
    pots = objects(value, "winnerDataList")
    for index, one in enumerate(pots):
        where = hand.inside(message, "winnerDataList", index) if len(pots) > 1 else None
        hand.at = hand.spans.add(*where) if where else hand.at
        _pot(hand, one)


def _pot(hand: Hand, one: dict[str, Any]) -> None:
    number = one.get("potId")
    winners = objects(one.get("winnerDetails"), "winnerList")
    whole, after = hand.maybe(one.get("potAmount")), hand.maybe(one.get("potAmountAfterRake"))
    told = isinstance(number, int) and not isinstance(number, bool) and 0 <= number < _POTS_MOST
    paid = 0
    for who in winners:
        seat, amount = _seat(hand, who), hand.maybe(who.get("winAmountFromPot"))
        if amount is None and len(winners) == 1:
            amount = after
        if not seat or amount is None or who.get("isInsured") is True:
            hand.strange("game.winnerInfo", hand.at)  # what an insured winner gets is not known
            return
        _award(hand, seat, amount, int(str(number)) if told else None)
        paid += amount
        net = hand.maybe(who.get("actualWinAmount"))
        if net is not None:
            hand.nets.setdefault(seat, []).append(net)
    hand.pots += whole or 0
    if whole is not None and after is not None:
        _drop(hand, "rake", whole - after)
    if winners and after is not None:
        _drop(hand, "other", after - paid)


def _award(hand: Hand, seat: Seat, amount: Chips, pot: int | None) -> None:
    """Pay a seat. That payments follow the runs, or the boards, is concluded."""
    turn = hand.settled
    run = min(turn, hand.runs)
    board = min(turn, 2) if hand.runs == 1 and hand.boards > 1 else 1
    hand.award(seat, amount, pot, run=run, board=board)
    if hand.runs > 1 or hand.boards > 1:
        hand.derived.append(len(hand.events) - 1)


def _drop(hand: Hand, kind: DropKind, amount: Chips) -> None:
    """Conclude what the room took: the stream tells the pot before and behind it."""
    if amount > 0:
        hand.taken += amount
        hand.derive(DropTaken(kind, amount), at=hand.at)


def totals(hand: Hand, message: Message, value: dict[str, Any]) -> None:
    """Declare the pot and what players won; pay what the room laid on the table for one winner."""
    winners = objects(value, "winnersData")
    splash = hand.maybe(value.get("splashPotAmount")) or 0
    marked = [_seat(hand, one) for one in winners if one.get("isSplashPotWinner") is True]
    alone = splash > 0 and len(marked) == 1 and marked[0] > 0
    whole = hand.maybe(value.get("cumulativePotAmount"))
    if whole:  # the room's own chips lie beside the pot that it declares
        hand.pots = 0
        hand.put(ResultDeclared("total-pot", amount=whole + (splash if alone else 0)))
    if alone:
        hand.derive(PotSeeded("splash", splash), at=hand.at)
        hand.derive(PotAwarded(marked[0], splash), at=hand.at)
    elif splash > 0 or any(one.get("isEVChopWinner") is True for one in winners):
        hand.strange(message.name, hand.at)
    hand.nets.clear()
    for one in winners:
        seat, net = _seat(hand, one), hand.maybe(one.get("cumulativeProfitLoss"))
        if seat and net is not None:
            hand.put(ResultDeclared("net", seat, net))


def stacks(hand: Hand, message: Message, value: dict[str, Any]) -> None:
    """Declare the stacks behind the hand."""
    seats = objects(value, "seatResponseDataList")
    whole = hand.at
    for at, one in zip(hand.parts(message, "seatResponseDataList", len(seats)), seats, strict=False):
        seat, chips = chair(one.get("seatId")), hand.maybe(one.get("userChips"))
        if seat in hand.stacks and chips is not None and hand.seats.get(str(one.get("userName"))) == seat:
            hand.at = at
            hand.put(ResultDeclared("end-stack", seat, chips))
    hand.at = whole


def sold(hand: Hand, message: Message, value: dict[str, Any]) -> None:
    """Tell who sold the hand to the room; the price stands nowhere in words that are known."""
    for one in objects(value, "optedEvChopActionData"):
        if one.get("optedForEVChop") is True:
            seat = _seat(hand, one)
            if seat:
                hand.put(CashOutTaken(seat))
            else:
                hand.strange(message.name, hand.at)


def finish(hand: Hand, end: int) -> None:
    """Conclude bets that went back untold, and say that the hand is over."""
    hand.return_bets(hand.pots or None)
    if hand.settled:
        hand.at = end
        if hand.pots:
            hand.put(ResultDeclared("total-pot", amount=hand.pots))
        for seat, nets in hand.nets.items():
            if len(nets) == 1:
                hand.put(ResultDeclared("net", seat, nets[0]))
        hand.put(HandCompleted())


def _seat(hand: Hand, one: dict[str, Any]) -> Seat:
    """Return the seat that a value names by number or by player, 0 if it is not in the hand."""
    seat = chair(one.get("seatId"))
    if seat in hand.stacks:
        return seat
    for name in ("userName", "playerName", "username"):
        found = hand.seats.get(str(one.get(name)))
        if found:
            return found
    return 0
