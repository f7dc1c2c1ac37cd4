"""Seats, and from an event's type or an act's kind to how it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.formats.globalpoker.values import Hand, chair
from ledger.formats.globalpoker.words import cards
from ledger.hand.betting import ClockExpired, TimeBankUsed
from ledger.hand.dealing import BoardDealt, HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, ResultDeclared
from ledger.hand.opening import BlindRole
from ledger.presence import WaitDeclared
from ledger.readers import amounts
from ledger.vocabulary import Chips, Seat

_NAME_MOST: Final = 200


def sit(hand: Hand) -> None:
    """Tell who sits where. Who gets no cards and does nothing but wait is left out."""
    busy, waits = set(), set()
    begun = False
    for one in hand.value["events"]:
        if not isinstance(one, dict):
            continue
        who, act = one.get("playerId"), one.get("action")
        begun = begun or one.get("type") == "PlayerCardsDealt"
        if not isinstance(who, int):
            continue
        if act == "WAIT_FOR_BIG_BLIND":
            waits.add(who)
        elif one.get("type") == "PlayerCardsDealt" or (isinstance(act, str) and act in _OF_PLAY):
            busy.add(who)
    for at, one in sorted(hand.parts("seats"), key=lambda part: _order(part[1])):
        hand.at = at
        if not isinstance(one, dict):
            hand.strange("seat", at)
            continue
        seat, who, name = chair(one.get("seatId")), one.get("playerId"), one.get("name")
        if not isinstance(who, int) or isinstance(who, bool):
            raise UnreadableHandError("a seat has no playerId", kind="seat")
        name = name[:_NAME_MOST] if isinstance(name, str) else str(who)
        stack = None
        if one.get("initialBalance") is not None:
            stack = amounts.number(one["initialBalance"], hand.exponent)
        if who in busy or (not begun and who not in waits):
            hand.sit(seat, name, stack)
            hand.seat_of[who] = seat
        else:
            hand.leave_out(seat, name, stack, "waiting-for-big-blind" if who in waits else "unknown")
    if not hand.stacks:
        raise UnreadableHandError("nobody of the record is dealt in", kind="seat")


def _order(seat: object) -> int:
    found = seat.get("seatId") if isinstance(seat, dict) else None
    return found if isinstance(found, int) else -1


def play(hand: Hand) -> None:
    """Tell the events in their order."""
    for at, one in hand.parts("events"):
        hand.at = at
        before = len(hand.events)
        kind = one.get("type") if isinstance(one, dict) else None
        make = _EVENTS.get(kind) if isinstance(kind, str) else None
        if make is None or not make(hand, one):
            hand.strange("event", at)
        if isinstance(one, dict):
            hand.timed(before, one.get("time"))


Make: TypeAlias = Callable[[Hand, dict[str, Any]], bool]
"""Tells an event; False where it says nothing that can be."""


def _deal(hand: Hand, one: dict[str, Any]) -> bool:
    seat, found = hand.seat(one.get("playerId")), cards(one.get("cards"))
    if not seat or not found:
        return False
    if found.strip("?"):
        hand.own = True
    up = "u" * (len(found) // 2) if one.get("exposed") is True else ""
    hand.put(HoleCardsDealt(seat, found, up, "owner" if found.strip("?") else "unknown"))
    return True


def _board(hand: Hand, one: dict[str, Any]) -> bool:
    """Deal to the board. Another `stackId` than 0 is another board or run: which, is not known."""
    found = cards(one.get("cards"))
    street = hand.street_of(len(found) // 2) if found else None
    if found is None or street is None or one.get("stackId", 0) != 0:
        return False
    hand.complete()
    if street != hand.street:
        hand.next_street(street)
    hand.lying += len(found) // 2
    hand.put(BoardDealt(street, found))
    return True


def _show(hand: Hand, one: dict[str, Any]) -> bool:
    seat, found = hand.seat(one.get("playerId")), cards(one.get("cards"))
    if not seat or not found:
        return False
    hand.put(CardsShown(seat, found))
    return True


def _pots(hand: Hand, one: dict[str, Any]) -> bool:
    """Give back what nobody called; what went from bets into pots follows from the acts."""
    moves = one.get("potTransitions", [])
    if not isinstance(moves, list):
        return False
    for move in moves:
        if not isinstance(move, dict) or move.get("fromChipStackToPlayer") is not True:
            continue
        seat, amount = hand.seat(move.get("playerId")), hand.amount(move)
        if not seat or amount is None:
            return False
        hand.give_back(seat, amount)
    return True


def _known(_hand: Hand, _one: dict[str, Any]) -> bool:
    """Tell nothing: balances follow from the acts, the best hand from the cards."""
    return True


def _action(hand: Hand, one: dict[str, Any]) -> bool:
    """Tell an act. One that timed out, a fold for instance, comes behind the clock."""
    kind, seat = one.get("action"), hand.seat(one.get("playerId"))
    if kind == "WAIT_FOR_BIG_BLIND":
        return _wait(hand, one)
    make = _OF_PLAY.get(kind) if isinstance(kind, str) else None
    if make is None or not seat:
        return False
    if kind not in _POSTS:
        hand.complete()
    if one.get("timeout") is True:
        hand.put(ClockExpired(seat))
    amount, left = hand.amount(one.get("amount")), None
    if amount and kind in _CHIPS and one.get("balanceAfterAction") is not None:
        left = amounts.number(one["balanceAfterAction"], hand.exponent)
    hand.all_in = True if left == 0 else None
    if not make(hand, seat, amount):
        return False
    if left is not None:
        hand.put(ResultDeclared("balance", seat, left))
    return True


def _wait(hand: Hand, one: dict[str, Any]) -> bool:
    who = one.get("playerId")
    for _, seat in hand.parts("seats"):
        if isinstance(seat, dict) and seat.get("playerId") == who:
            hand.put(WaitDeclared(chair(seat.get("seatId"))))
            return True
    return False


_EVENTS: Final[dict[str, Make]] = {
    "PlayerAction": _action,
    "PlayerCardsDealt": _deal,
    "TableCardsDealt": _board,
    "PlayerCardsExposed": _show,
    "PotUpdate": _pots,
    "PlayerBalances": _known,
    "PlayerBestHand": _known,
    "ShowDownSummary": _known,
}
"""An event's `type` → how it is told."""


# -- acts: each takes the hand, a seat and the amount, None where none is told --------------------

Act: TypeAlias = Callable[[Hand, Seat, Chips | None], bool]


def _ante(hand: Hand, seat: Seat, amount: Chips | None) -> bool:
    hand.ante(seat, amount or 0)
    return amount is not None


def _small(hand: Hand, seat: Seat, amount: Chips | None) -> bool:
    hand.post(seat, "small", amount or 0, all_in=hand.all_in)
    return amount is not None


def _big(hand: Hand, seat: Seat, amount: Chips | None) -> bool:
    role: BlindRole = "entry" if hand.big and hand.big != seat else "big"
    hand.post(seat, role, amount or 0, all_in=hand.all_in)
    return amount is not None


def _dead_small(hand: Hand, seat: Seat, amount: Chips | None) -> bool:
    hand.post(seat, "makeup-small", 0, amount or 0)
    return amount is not None


def _both(hand: Hand, seat: Seat, amount: Chips | None) -> bool:
    hand.post_both(seat, amount or 0)
    return amount is not None


def _entry(hand: Hand, seat: Seat, amount: Chips | None) -> bool:
    hand.post(seat, "entry", amount or 0)
    return amount is not None


def _straddle(hand: Hand, seat: Seat, amount: Chips | None) -> bool:
    hand.straddle(seat, amount or 0)
    return amount is not None


def _fold(hand: Hand, seat: Seat, _amount: Chips | None) -> bool:
    hand.fold(seat)
    return True


def _check(hand: Hand, seat: Seat, _amount: Chips | None) -> bool:
    hand.check(seat)
    return True


def _call(hand: Hand, seat: Seat, amount: Chips | None) -> bool:
    hand.call(seat, amount or 0, all_in=hand.all_in)
    return amount is not None


def _bet(hand: Hand, seat: Seat, amount: Chips | None) -> bool:
    hand.wager(seat, hand.bets[seat] + (amount or 0), all_in=hand.all_in)
    return amount is not None


def _raise(hand: Hand, seat: Seat, amount: Chips | None) -> bool:
    hand.wager(seat, amount or 0, all_in=hand.all_in)  # the street's total
    return amount is not None


def _bank(hand: Hand, seat: Seat, amount: Chips | None) -> bool:
    """Tell that a player draws on extra time; newer records tell how many seconds there are."""
    seconds = None if amount is None else amount // 10**hand.exponent
    hand.put(TimeBankUsed(seat, seconds))
    return True


def _muck(hand: Hand, seat: Seat, _amount: Chips | None) -> bool:
    hand.put(CardsMucked(seat))
    return True


_POSTS: Final[dict[str, Act]] = {
    "ANTE": _ante,
    "SMALL_BLIND": _small,
    "BIG_BLIND": _big,
    "DEAD_SMALL_BLIND": _dead_small,
    "BIG_BLIND_PLUS_DEAD_SMALL_BLIND": _both,
    "ENTRY_BET": _entry,
    "STRADDLE": _straddle,
}
_WAGERS: Final[dict[str, Act]] = {"CALL": _call, "BET": _bet, "RAISE": _raise}
_OF_PLAY: Final[dict[str, Act]] = {
    **_POSTS,
    **_WAGERS,
    "FOLD": _fold,
    "CHECK": _check,
    "TIME_BANK": _bank,
    "MUCK_CARDS": _muck,
}
"""An act's `action` → how it is told."""

_CHIPS: Final = frozenset((*_POSTS, *_WAGERS))
"""Acts behind which a seat has fewer chips."""
