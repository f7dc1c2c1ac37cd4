"""Lines that CoinPoker writes and PokerStars does not: all-ins, returns, automatic posts, splashes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.event import Event
from ledger.formats.pokerstars import acts
from ledger.formats.pokerstars.dialect import Act
from ledger.formats.pokerstars.hand import Hand
from ledger.formats.pokerstars.others import give_back
from ledger.hand.ending import CardsShown, PotAwarded, RemarkNoted, ResultDeclared, ShowdownBegun
from ledger.hand.opening import BlindPosted, PotSeeded, StraddlePosted
from ledger.readers.bomb_pots import BOMB_POT, settle
from ledger.vocabulary import Chips, Seat


def line(hand: Hand, text: str, k: int) -> bool:
    """Read `SPLASH dropped ₮0.04`, `MEGA SPLASH dropped ₮2`: chips that the room adds."""
    words, found, amount = text.partition("SPLASH dropped ")
    if words not in ("", "MEGA ") or not found:
        return False
    hand.put(PotSeeded("splash", hand.chips(amount)), k)
    return True


def _entry(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> Event:
    hand.posted(seat, amount)
    return BlindPosted(seat, "entry", amount, 0, all_in)


def _post(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    """Read `posts auto big blind ₮0.02`, of somebody who comes in."""
    if not rest.startswith("posts auto big blind "):
        return False
    amount, all_in = acts.amount_of(hand, rest[21:])
    return acts.put_act(hand, seat, rest, k, _entry, amount, all_in)


def _auto(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    return acts.put_act(hand, seat, rest, k, _entry, hand.chips(rest[7:]), False)


def _all_in(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    """Read `ALLIN ₮1.05`: so many chips more."""
    return acts.put_act(hand, seat, rest, k, _pushed, hand.chips(rest[6:]), True)


def _pushed(hand: Hand, seat: Seat, added: Chips, all_in: bool) -> Event:
    to = hand.bets[seat] + added
    if to <= hand.level:
        return acts.called(hand, seat, added, all_in)
    if not hand.level:
        return acts.bet(hand, seat, added, all_in)
    return acts.raised(hand, seat, to, all_in)


def _straddle(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    return acts.put_act(hand, seat, rest, k, _straddled, hand.chips(rest[9:]), False)


def _straddled(hand: Hand, seat: Seat, amount: Chips, all_in: bool) -> Event:
    again = any(isinstance(event, StraddlePosted) for event in hand.events)
    hand.posted(seat, amount)
    return StraddlePosted(seat, amount, "restraddle" if again else "straddle", all_in=all_in)


def _return(hand: Hand, seat: Seat, rest: str, k: int) -> bool:
    give_back(hand, seat, hand.chips(rest[7:]), k)
    return True


def finish(hand: Hand) -> None:
    """Do what only the whole hand can tell: who got a splash, who showed when, a bomb pot's antes."""
    _pay_splash(hand)
    events = hand.events
    shown = any(isinstance(event, ShowdownBegun) for event in events)
    if BOMB_POT in events:
        settle(events)
    for index, event in enumerate(events):
        if shown and isinstance(event, CardsShown) and event.after:
            # Each showdown is told winner by winner, so a hand shown behind an award is no favour.
            events[index] = CardsShown(event.seat, event.cards, False, event.claim)


def _pay_splash(hand: Hand) -> None:
    """Conclude the award of a splash where one player was paid everything.

    The room pays a splash with the main pot and writes no line for it. Where several were paid,
    nothing in the text says who got it.
    """
    splash = sum(event.amount for event in hand.events if isinstance(event, PotSeeded))
    awards = [at for at, event in enumerate(hand.events) if isinstance(event, PotAwarded)]
    paid = {getattr(hand.events[at], "seat", 0) for at in awards}
    if not splash or len(paid) != 1:
        return
    (seat,) = paid
    hand.insert(awards[-1] + 1, PotAwarded(seat, splash))
    for index, event in enumerate(hand.events):
        if isinstance(event, ResultDeclared) and (event.what, event.seat) == ("collected", seat):
            # What the summary says of the winner does not count the splash.
            words = hand.lines.text[hand.marks[index]].strip()
            hand.events[index] = RemarkNoted(hand.people.text(words))


ACTS: Final[Mapping[str, Act]] = {
    "posts": _post,
    "AUTOBB": _auto,
    "ALLIN": _all_in,
    "STRADDLE": _straddle,
    "RETURN": _return,
}
"""The first word behind a name and a colon → how it is told."""
