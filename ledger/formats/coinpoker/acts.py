"""Posts, acts and boards. An act is told by up to three voices: a seat's snapshot, an entry, the dealer's words.

The snapshot is believed first: its bet is the seat's total of the round, and its chips show what went in.
A second voice that says the same adds nothing; one that says something else is kept as unread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from ledger.formats.coinpoker.values import Hand
from ledger.formats.coinpoker.words import POSTS, WAGERS
from ledger.hand.betting import RunsAgreed
from ledger.hand.dealing import BoardDealt, DealCompleted
from ledger.hand.ending import CardsMucked, ResultDeclared
from ledger.vocabulary import Cards, Chips, Seat, Street


@dataclass(slots=True)
class Figures:
    """What a voice says of an act's chips, as written."""

    chips: Any = None  # what the seat has left
    bet: Any = None  # the seat's total of the round
    amount: Any = None  # an entry's amount: a call's chips, a raise's total
    pot: Any = None  # all chips in the pot behind the act


def entered(hand: Hand, name: str, kind: str, figures: Figures) -> None:
    """Tell an act of the list of acts, which names players and no seats."""
    seat = hand.seats.get(name)
    if seat is None:
        hand.strange("game.dealer_chat_action", hand.at)
        return
    act(hand, "entry", seat, kind, figures)


def act(hand: Hand, voice: str, seat: Seat, kind: str, figures: Figures) -> None:
    """Tell an act, unless another voice told it before."""
    if seat not in hand.stacks:
        hand.strange("game.seat", hand.at)
        return
    if kind in POSTS:
        _post(hand, voice, seat, kind, figures)
        return
    waiting = hand.heard.setdefault(seat, [])
    if waiting and waiting[0][0] != voice and _alike(waiting[0][1], kind):
        _, _, added, to = waiting.pop(0)
        _compare(hand, seat, kind, figures, added, to)
        return
    complete(hand)
    added = _added(hand, voice, seat, kind, figures) if kind in WAGERS else 0
    left = hand.maybe(figures.chips)
    hand.all_in = True if kind == "all-in" or (left == 0 and kind in WAGERS) else None
    _ACTS[kind](hand, seat, added)
    waiting.append((voice, kind, added, hand.bets[seat]))
    hand.said[seat] = added
    if left is not None and kind in WAGERS:
        hand.put(ResultDeclared("balance", seat, left))


def _alike(told: str, kind: str) -> bool:
    return told == kind or (told in WAGERS and kind in WAGERS and "all-in" in (told, kind))


def _compare(hand: Hand, seat: Seat, kind: str, figures: Figures, added: Chips, to: Chips) -> None:
    """Keep a second voice that says something else of an act than the first."""
    amount, bet = hand.maybe(figures.amount), hand.maybe(figures.bet)
    differs = False
    if amount is not None and kind in WAGERS:
        differs = amount != (added if kind == "call" else to)
    elif bet is not None and kind in WAGERS:
        differs = bet not in (to, to + hand.antes.get(seat, 0))
    if differs:
        hand.strange("an act told in two ways", hand.at)


def _added(hand: Hand, voice: str, seat: Seat, kind: str, figures: Figures) -> Chips:
    """Return how many chips an act put in."""
    stack, bets = hand.stacks.get(seat), hand.bets[seat]
    left = None if stack is None else stack - hand.put_in[seat]
    if voice == "seat":
        chips = hand.maybe(figures.chips)
        by_bet = hand.sum(figures.bet or 0) - bets
        if left is None or chips is None:
            return by_bet
        by_chips = left - chips
        # Where antes count in the snapshots' bets, the chips alone tell what went in now.
        return by_chips if by_bet - by_chips == hand.antes.get(seat, 0) else by_bet
    if kind == "all-in" and left is not None:
        return left
    amount = hand.sum(figures.amount or 0)
    pot = hand.maybe(figures.pot)
    behind = 0 if pot is None else pot - sum(hand.put_in)
    added = amount if kind == "call" else amount - bets
    return behind if behind > 0 and added != behind else added


def complete(hand: Hand) -> None:
    """Tell once that every seat has its cards."""
    if not hand.dealt:
        hand.dealt = True
        hand.put(DealCompleted())


# -- posts --------------------------------------------------------------------------------------


def _post(hand: Hand, voice: str, seat: Seat, kind: str, figures: Figures) -> None:
    if (seat, kind) in hand.posted:  # told again by another voice, or with a turn that comes
        amount = hand.maybe(figures.amount)
        if amount is not None and amount != hand.posts.get((seat, kind), amount):
            hand.strange("a post told in two ways", hand.at)
        return
    left = hand.maybe(figures.chips)
    added = _added(hand, voice, seat, kind, figures) if voice == "seat" else hand.sum(figures.amount or 0)
    hand.posted.add((seat, kind))
    hand.posts[seat, kind] = added
    hand.all_in = True if left == 0 else None
    if kind == "ante":
        hand.antes[seat] = added
        hand.ante(seat, added, all_in=hand.all_in)
    elif kind == "straddle":
        hand.straddle(seat, hand.bets[seat] + added if hand.bets[seat] else added, all_in=hand.all_in)
    else:
        role = "entry" if kind == "big" and hand.big else kind
        hand.post(seat, role, added, all_in=hand.all_in)  # type: ignore[arg-type]  # all are roles
    hand.said[seat] = added
    if left is not None:
        hand.put(ResultDeclared("balance", seat, left))


# -- acts ---------------------------------------------------------------------------------------


def _fold(hand: Hand, seat: Seat, _added: Chips) -> None:
    hand.fold(seat)


def _check(hand: Hand, seat: Seat, _added: Chips) -> None:
    hand.check(seat)


def _call(hand: Hand, seat: Seat, added: Chips) -> None:
    hand.call(seat, added, all_in=hand.all_in)


def _wager(hand: Hand, seat: Seat, added: Chips) -> None:
    """Tell a bet, a raise, or an all-in that may be a call: the highest bet tells which."""
    hand.wager(seat, hand.bets[seat] + added, all_in=hand.all_in)


def _muck(hand: Hand, seat: Seat, _added: Chips) -> None:
    hand.put(CardsMucked(seat))


_ACTS: Final[dict[str, Callable[[Hand, Seat, Chips], None]]] = {
    "fold": _fold,
    "check": _check,
    "call": _call,
    "raise": _wager,
    "all-in": _wager,
    "muck": _muck,
}


# -- boards -------------------------------------------------------------------------------------


def agree(hand: Hand) -> None:
    """Tell that the rest of the board is run several times."""
    hand.close_bets()
    hand.put(RunsAgreed(hand.runs))


def deal(hand: Hand, street: Street, found: Cards, board: int, run: int) -> None:
    """Deal to a board. A flop before the first act leaves the blinds what they are: bets of that round."""
    complete(hand)
    if street == "flop" and hand.carried and any(hand.bets) and hand.street == "preflop":
        hand.put(BoardDealt("preflop", found, board, run))
    elif board > 1 or run > 1:
        hand.street = street
        hand.put(BoardDealt(street, found, board, run))
    else:
        hand.board(street, found)
