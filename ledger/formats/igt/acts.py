"""The acts: a table from `type` to how it is told, and behind each the balance of its seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from ledger.formats.igt.values import Hand, digits
from ledger.formats.igt.words import BOARDS, OF_ACTION, cards
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, DealCompleted, HoleCardsDealt, StoodPat
from ledger.hand.ending import ResultDeclared
from ledger.vocabulary import Chips, Seat, split_cards

Make: TypeAlias = Callable[[Hand, dict[str, Any]], bool]
"""Tells an act; False where it says nothing that can be."""


def play(hand: Hand) -> None:
    """Tell the acts in their order, each with its moment."""
    for at, one in hand.parts("action"):
        hand.at = at
        before = len(hand.events)
        kind = one.get("type") if isinstance(one, dict) else None
        make = _ACTS.get(kind) if isinstance(kind, str) else None
        if make is None or not make(hand, one):
            hand.strange("action", at)
        if isinstance(one, dict):
            hand.strangers(one, OF_ACTION, at)
            hand.timed(before, digits(one.get("date")))


# -- posts and cards ----------------------------------------------------------------------------


def _post(hand: Hand, one: dict[str, Any]) -> bool:
    seat, make, amount = (hand.seat(one), _POSTS.get(str(one.get("kind"))), hand.sum(one.get("value")))
    if not seat or make is None or not amount:
        return False
    make(hand, seat, amount, _emptied(hand, one))
    _balance(hand, seat, one)
    return True


def _small(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post a small blind; from a second seat it makes up for a missed one and is dead."""
    if hand.small and hand.small != seat:
        hand.post(seat, "makeup-small", 0, amount, all_in=all_in)
    else:
        hand.small = seat
        hand.post(seat, "small", amount, all_in=all_in)


def _dead_small(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.post(seat, "makeup-small", 0, amount, all_in=all_in)


def _big(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post a big blind; from a second seat it is an entry, or makes up where a dead small one went before."""
    if not hand.big or hand.big == seat:
        hand.post(seat, "big", amount, all_in=all_in)
    else:
        hand.post(seat, "makeup-big" if hand.put_in[seat] else "entry", amount, all_in=all_in)


def _both(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.post_both(seat, amount, all_in=all_in)


_POSTS: Final[dict[str, Callable[[Hand, Seat, Chips, bool | None], None]]] = {
    "HAND_SB": _small,
    "HAND_BB": _big,
    "HAND_DSB": _dead_small,
    "HAND_AB": _both,
}
"""A blind's `kind` → how it is told. The last one is of the network's older records."""


def _ante(hand: Hand, one: dict[str, Any]) -> bool:
    seat, amount = hand.seat(one), hand.sum(one.get("value"))
    if not seat or not amount:
        return False
    hand.ante(seat, amount, all_in=_emptied(hand, one))
    _balance(hand, seat, one)
    return True


def _deal(hand: Hand, one: dict[str, Any]) -> bool:
    seat, found = hand.seat(one), cards(one.get("card"))
    if not seat or not found:
        return False
    known = bool(found.strip("?"))
    if known:
        hand.own[seat] = found
    hand.put(HoleCardsDealt(seat, found, how="owner" if known else "unknown"))
    return True


def _complete(hand: Hand) -> None:
    """Say that every seat has its cards, once."""
    if not hand.dealt:
        hand.dealt = True
        hand.put(DealCompleted())


def _board(hand: Hand, one: dict[str, Any]) -> bool:
    """Deal the new cards of a board, which holds those before them too."""
    _complete(hand)
    if hand.game.variant == "draw5":
        return _draw_begun(hand, one)
    found = cards(one.get("card"))
    street, count = BOARDS.get(str(one.get("value")), ("showdown", 0))
    if not found or not hand.lying < count <= len(found) // 2:
        return False
    before, hand.lying = hand.lying, count
    hand.board(street, found[2 * before : 2 * count])
    if found[: 2 * before] != hand.lain:
        hand.put(ResultDeclared("board", cards=found))  # other cards than were dealt before
    hand.lain += found[2 * before : 2 * count]
    return True


def _draw_begun(hand: Hand, _one: dict[str, Any]) -> bool:
    """Begin the draw of five-card draw; streets of other games have their boards."""
    _complete(hand)
    if hand.game.variant != "draw5":
        return False
    if hand.street != "first-draw":
        hand.deal_street("first-draw")
    return True


def _change(hand: Hand, one: dict[str, Any]) -> bool:
    """Tell a draw: each new card lies where the one did that was thrown away."""
    seat, count, found = hand.seat(one), digits(one.get("count")), cards(one.get("card"))
    if not seat or count is None or count > 5 or not _draw_begun(hand, one):
        return False
    if not count:
        hand.put(StoodPat(seat))
        return True
    before = split_cards(hand.own.get(seat, ""))
    now = split_cards(found or "")
    pairs = [pair for pair in zip(before, now, strict=False) if pair[0] != pair[1]]
    whole = len(pairs) == count and "?" not in (found or "?")
    hand.put(CardsDiscarded(seat, count, "".join(old for old, _ in pairs) if whole else ""))
    if whole:
        hand.own[seat] = found or ""
        hand.put(CardsDrawn(seat, "".join(new for _, new in pairs)))
    return True


# -- acts ---------------------------------------------------------------------------------------


def _act(make: Callable[[Hand, Seat, Chips, bool | None], bool], *, chips: bool = True) -> Make:
    def told_by(hand: Hand, one: dict[str, Any]) -> bool:
        seat, amount = hand.seat(one), hand.sum(one.get("value")) if chips else 0
        if not seat or amount is None or seat in hand.folded:
            return False
        _complete(hand)
        if not make(hand, seat, amount, _emptied(hand, one)):
            return False
        if chips:
            _balance(hand, seat, one)
        return True

    return told_by


def _emptied(hand: Hand, one: dict[str, Any]) -> bool | None:
    """Whether nothing is left behind this act; None where the record does not say that."""
    return True if hand.sum(one.get("bankRoll")) == 0 else None


def _balance(hand: Hand, seat: Seat, one: dict[str, Any]) -> None:
    behind = hand.sum(one.get("bankRoll"))
    if behind is not None:
        hand.put(ResultDeclared("balance", seat, behind))


def _fold(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> bool:
    hand.fold(seat)
    return True


def _check(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> bool:
    hand.check(seat)
    return True


def _call(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> bool:
    """Call; the amount is the street's total."""
    if amount <= hand.bets[seat]:
        return False
    hand.call_to(seat, amount, all_in=all_in)
    return True


def _wager(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> bool:
    """Bet or raise; the amount is the street's total."""
    if amount <= hand.bets[seat]:
        return False
    hand.wager(seat, amount, all_in=all_in)
    return True


def _all_in(hand: Hand, seat: Seat, amount: Chips, _told: bool | None) -> bool:
    """Put all in. The seat's stack tells whether the amount is the street's total or what is added."""
    stack = hand.stacks[seat]
    if stack is not None and amount == stack - hand.put_in[seat]:
        amount += hand.bets[seat]
    return _wager(hand, seat, amount, True)


def _adjust(hand: Hand, seat: Seat, amount: Chips, _all_in: bool | None) -> bool:
    """Give back what nobody called; the amount is the street's total that stays in."""
    back = hand.bets[seat] - amount
    if not 0 <= back <= hand.put_in[seat]:
        return False
    if back:
        hand.give_back(seat, back)
    return True


_ACTS: Final[dict[str, Make]] = {
    "HAND_BLINDS": _post,
    "HAND_ANTE": _ante,
    "HAND_DEAL": _deal,
    "HAND_BOARD": _board,
    "STREET": _draw_begun,
    "CHANGECARD": _change,
    "ACTION_FOLD": _act(_fold, chips=False),
    "ACTION_CHECK": _act(_check, chips=False),
    "ACTION_CALL": _act(_call),
    "ACTION_BET": _act(_wager),
    "ACTION_RAISE": _act(_wager),
    "ACTION_ALLIN": _act(_all_in),
}
"""An act's `type` → how it is told."""


def _adjustment(hand: Hand, one: dict[str, Any]) -> bool:
    """Tell a returned bet, of a seat that folded too."""
    seat, amount = hand.seat(one), hand.sum(one.get("value"))
    if not seat or amount is None or not _adjust(hand, seat, amount, None):
        return False
    _balance(hand, seat, one)
    return True


_ACTS["ACTION_ADJUSTEMENT"] = _ACTS["ACTION_ADJUSTMENT"] = _adjustment
