"""Lines that GGPoker writes and PokerStars does not: straddles, missed blinds, cash-outs, insurance, drops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.event import Event
from ledger.formats.pokerstars.acts import amount_of, put_act
from ledger.formats.pokerstars.dialect import Act
from ledger.formats.pokerstars.hand import Hand
from ledger.formats.pokerstars.others import collected
from ledger.hand.betting import CashOutTaken, InsuranceBought, InsurancePaid
from ledger.hand.ending import RemarkNoted
from ledger.hand.opening import AntePosted, BlindPosted, PotSeeded, StraddlePosted
from ledger.vocabulary import Chips, Seat


def line(hand: Hand, text: str, k: int) -> bool:
    """Read `Cash Drop to Pot : total $0.2`, money that the room adds."""
    head, _, amount = text.rpartition(" total ")
    if head.rstrip(" :").lower() != "cash drop to pot":
        return False
    hand.put(PotSeeded("promotion", hand.chips(amount)), k)
    return True


def _straddle(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    """Read `straddle $4`: as everywhere here, the street's total."""
    amount, all_in = amount_of(hand, rest[9:])
    return put_act(hand, seat, rest, k, _straddled, amount, all_in)


def _straddled(hand: Hand, seat: Seat, to: Chips, all_in: bool) -> Event:
    added = max(0, to - hand.bets[seat])
    again = any(isinstance(event, StraddlePosted) for event in hand.events)
    hand.posted(seat, added)
    return StraddlePosted(seat, added, "restraddle" if again else "straddle", all_in=all_in)


def _post(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    for words, make in _POSTS.items():
        if rest.startswith(words):
            amount, all_in = amount_of(hand, rest[len(words) :])
            return put_act(hand, seat, rest, k, make, amount, all_in)
    return False


def _missed(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> Event:
    """Post a missed blind: a small one is dead, but the first call may show that it counted."""
    if hand.blind and amount >= hand.blind:
        hand.posted(seat, amount)
        return BlindPosted(seat, "makeup-big", amount, 0, all_in)
    hand.doubtful[seat] = len(hand.events)
    return BlindPosted(seat, "makeup-small", 0, amount, all_in)


def _dead(_hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> Event:
    return BlindPosted(seat, "makeup", 0, amount, all_in)


def _bomb(_hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> Event:
    return AntePosted(seat, amount, kind="bomb-pot", all_in=all_in)


_POSTS: Final = {
    "posts missed blind ": _missed,
    "posts missed small blind ": _missed,
    "posts missed big blind ": _missed,
    "posts dead blind ": _dead,
    "posts dead ": _dead,
    "posts bomb pot ": _bomb,
}


def _choose(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    if rest.lower() != "chooses to ev cashout":
        return False
    hand.put(CashOutTaken(seat), k)
    return True


def _pay(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    """Read `Pays Cashout Risk ($2)`: the winner's gain over the price goes to the house."""
    words, amount = _amount(rest)
    if words == "pays cashout risk":
        hand.put(CashOutTaken(seat, None, hand.chips(amount)), k)
        return True
    if words != "pay premium of all-in insurance":
        return False
    premium = hand.chips(amount)
    bought = sum(event.premium for event in hand.events if isinstance(event, InsuranceBought) and event.seat == seat)
    if bought == premium:  # told when it was bought: this is the settlement
        hand.put(RemarkNoted(hand.people.text(rest)), k)
    elif bought:
        return False
    else:
        hand.put(InsuranceBought(seat, premium), k)
    return True


def _receive(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    words, amount = _amount(rest)
    if words == "receives cashout":
        hand.put(CashOutTaken(seat, hand.chips(amount)), k)
    elif words.endswith("all-in insurance"):
        hand.put(InsurancePaid(seat, hand.chips(amount)), k)
    else:
        return False
    return True


def _insure(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    """Read `get an all-in insurance (premium ($0/$4/$0) for ($0/$9/$0) - (Mandatory/Main/Sub))`."""
    words, _, terms = rest.partition(" (premium (")
    if words.lower() != "get an all-in insurance":
        return False
    premium, _, covers = terms.partition(") for (")
    hand.put(InsuranceBought(seat, _sum(hand, premium), _sum(hand, covers.partition(")")[0])), k)
    return True


def _sum(hand: Hand, text: str) -> Chips:
    return sum(hand.chips(one) for one in text.split("/"))


def _amount(rest: str) -> tuple[str, str]:
    """Part `Receives Cashout ($9.98)` into words, small, and amount."""
    words, _, amount = rest.rstrip().partition(" (")
    return words.lower(), amount.removesuffix(")")


def _collect(hand: Hand, seat: Seat, _rest: str, k: int) -> bool:
    """Read `Hero: collected $0.12 from pot`, with a colon as in some exports."""
    head, _, tail = hand.lines.text[k].strip().rpartition(": collected ")
    return hand.seats.get(head) == seat and collected(hand, f"{head} collected {tail}", k)


ACTS: Final[Mapping[str, Act]] = {
    "straddle": _straddle,
    "posts": _post,
    "Chooses": _choose,
    "Pays": _pay,
    "pay": _pay,
    "pays": _pay,
    "Receives": _receive,
    "receives": _receive,
    "receive": _receive,
    "get": _insure,
    "gets": _insure,
    "collected": _collect,
}
"""The first word behind a name and a colon → how it is told."""
