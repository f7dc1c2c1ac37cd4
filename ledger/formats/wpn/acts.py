"""Posts and acts that both generations tell in the same way once their amounts are read."""

from __future__ import annotations

from ledger.formats.wpn.hand import CHECKED, FOLDED, Hand
from ledger.vocabulary import Chips, Seat


def folded(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    """Give up the hand."""
    hand.folded.add(seat)
    hand.events.append(FOLDED[seat])
    hand.marks.append(hand.at)


def checked(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    """Pass without betting."""
    hand.events.append(CHECKED[seat])
    hand.marks.append(hand.at)


def called(hand: Hand, seat: Seat, added: Chips, all_in: bool | None) -> None:
    """Call with so many chips more."""
    hand.call(seat, added, all_in=all_in)


def betted(hand: Hand, seat: Seat, added: Chips, all_in: bool | None) -> None:
    """Open the betting."""
    hand.bet(seat, added, all_in=all_in)


def raised_by(hand: Hand, seat: Seat, added: Chips, all_in: bool | None) -> None:
    """Raise with so many chips more."""
    hand.raise_by(seat, added, all_in=all_in)


def raised_to(hand: Hand, seat: Seat, to: Chips, all_in: bool | None) -> None:
    """Raise to a total of the street."""
    hand.raise_to(seat, to, all_in=all_in)


def wagered(hand: Hand, seat: Seat, added: Chips, all_in: bool | None) -> None:
    """Put so many chips in: whether that bets, calls or raises shows the bet before."""
    hand.wager(seat, hand.bets[seat] + added, all_in=all_in)


def small(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post the small blind."""
    hand.post(seat, "small", amount, all_in=all_in)


def big(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post the big blind; a second one enters."""
    hand.post(seat, "entry" if hand.big else "big", amount, all_in=all_in)


def entered(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post without a word for it: live, whether it is a small or a big blind."""
    small_one = amount < hand.blind
    hand.post(seat, "makeup-small" if small_one else "entry", amount, all_in=all_in)


def dead(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post dead money; more than a big blind are both blinds in one amount."""
    if hand.blind and amount > hand.blind:
        hand.post_both(seat, amount, all_in=all_in)
    else:
        hand.post(seat, "makeup-small", 0, amount, all_in=all_in)


def missed(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post dead money that stands on a line of its own."""
    hand.post(seat, "makeup-small", 0, amount, all_in=all_in)


def ante(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Pay an ante."""
    hand.ante(seat, amount, all_in=all_in)


def straddled(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post a straddle."""
    hand.straddle(seat, amount, all_in=all_in)


def brought_in(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Bring it in."""
    hand.bring_in(seat, amount, all_in=all_in)
