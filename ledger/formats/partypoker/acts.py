"""What players do: posts, acts, shows and awards, each by the word that tells it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.event import Event
from ledger.formats.partypoker.hand import Hand, cards
from ledger.hand.betting import (
    Bet,
    Called,
    CashOutTaken,
    Checked,
    ClockExpired,
    Completed,
    Folded,
    Raised,
    TimeBankUsed,
)
from ledger.hand.ending import CardsMucked, CardsShown, PotAwarded, RemarkNoted
from ledger.hand.opening import BlindPosted, BringInPosted
from ledger.presence import ConnectionLost, ConnectionRestored, PlayerAway, PlayerBack, SeatLeft
from ledger.readers.hand import SEATS
from ledger.vocabulary import Chips, Seat

_FOLDED: Final = [Folded(seat) for seat in range(SEATS)]
_CHECKED: Final = [Checked(seat) for seat in range(SEATS)]
Act = Callable[[Hand, Seat, Chips], None]

# -- with an amount ---------------------------------------------------------------------------------


def call(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Call with so many chips more."""
    hand.called(seat, amount)


def bet(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Bet."""
    hand.bet(seat, amount)


def raises(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Raise; what the number is, partypoker and its imitators do not agree on."""
    if hand.raises == "to":
        hand.raise_to(seat, amount)
    elif hand.raises == "over":
        hand.raise_over(seat, amount)
    else:
        hand.raise_by(seat, amount)


def all_in(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Put the rest of the stack in: a bet, a call or a raise."""
    hand.wager(seat, hand.bets[seat] + amount, all_in=True)


def small_blind(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Post the small blind; a second one counts toward calling here, until a call shows otherwise."""
    if hand.small and hand.small != seat:
        hand.second.add(seat)
        hand.post(seat, "makeup-small", amount)
    else:
        hand.small = seat
        hand.post(seat, "small", amount)


def big_blind(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Post the big blind; a further one is that of somebody who comes in."""
    hand.post(seat, "entry" if hand.big else "big", amount)


def button_blind(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Post the blind of the button, the only one of short deck."""
    hand.post(seat, "button", amount)


def both(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Post big blind and dead small blind in one amount."""
    hand.post_both(seat, amount)


def dead(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Post a dead blind alone."""
    hand.post(seat, "makeup", 0, amount)


def straddle(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Straddle."""
    hand.straddle(seat, amount)


def ante(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Post the ante."""
    hand.ante(seat, amount)


def bring_in(hand: Hand, seat: Seat, amount: Chips) -> None:
    """Bring it in."""
    hand.bring_in(seat, amount)


AMOUNT_ACTS: Final[dict[str, tuple[tuple[str, Act], ...]]] = {
    "calls": (("", call),),
    "bets": ((" double", bet), ("", bet)),
    "raises": (("", raises),),
    "completes": (("", raises),),
    "all-In": ((" is", all_in),),
    "all-in": ((" is", all_in),),
    "blind": (
        (" posts small", small_blind),
        (" posts big", big_blind),
        (" posts dead", dead),
        (" posts button", button_blind),
        (" posts the small", small_blind),
        (" posts the big", big_blind),
    ),
    "dead": ((" posts big blind +", both), (" posts", dead), (" posts small blind +", both)),
    "both": ((" posts", both),),
    "ante": ((" posts", ante), (" posts the", ante)),
    "of": ((" posts ante", ante),),
    "straddle": ((" posts", straddle), (" posts a", straddle)),
    "straddles": (("", straddle),),
    "bring-ins": (("", bring_in),),
    "brings-in": (("", bring_in),),
    "bring-in": ((" posts", bring_in),),
}
"""The last word before an amount → what stands between it and the name, and how it is told."""


# -- without an amount ------------------------------------------------------------------------------


def fold(hand: Hand, seat: Seat) -> None:
    """Fold."""
    hand.folded.add(seat)
    hand.put(_FOLDED[seat])


def check(hand: Hand, seat: Seat) -> None:
    """Check; who checks a bet must have posted it without a line."""
    if hand.bets[seat] != hand.level:
        hand.missing_post(seat, hand.bets[seat])
    hand.put(_CHECKED[seat])


def went_all_in(hand: Hand, seat: Seat) -> None:
    """Take note that the act before was all-in."""
    for index in range(len(hand.events) - 1, -1, -1):
        event = hand.events[index]
        if isinstance(event, Bet | Called | Raised | Completed) and event.seat == seat:
            hand.events[index] = type(event)(seat, event.added, event.to, True)
            return
        if isinstance(event, BlindPosted) and event.seat == seat:
            hand.events[index] = BlindPosted(seat, event.role, event.live, event.dead, True)
            return
        if isinstance(event, BringInPosted) and event.seat == seat:
            hand.events[index] = BringInPosted(seat, event.amount, True)
            return
    remark(hand, seat)


def remark(hand: Hand, _seat: Seat) -> None:
    """Keep a line that says nothing of the game's course."""
    hand.put(RemarkNoted(hand.people.text(hand.places.text[hand.at].strip())))  # type: ignore[attr-defined]  # they are lines


def declines(hand: Hand, seat: Seat) -> None:
    """Show no cards; of somebody who folded long ago it is a remark."""
    hand.close_bets()
    if seat in hand.folded:
        remark(hand, seat)
    else:
        hand.put(CardsMucked(seat, "", True))


def _event(make: Callable[[Hand, Seat], Event]) -> Callable[[Hand, Seat], None]:
    def tell(hand: Hand, seat: Seat) -> None:
        hand.put(make(hand, seat))

    return tell


def sits_out(hand: Hand, seat: Seat) -> None:
    """Sit out: this hand too, where no act says otherwise."""
    hand.put(PlayerAway(seat, hand.player_in(seat), why="sits-out"))
    hand.away.add(seat)


PLAIN_ACTS: Final[dict[str, Callable[[Hand, Seat], None]]] = {
    "folds": fold,
    "checks": check,
    "does not show cards": declines,
    "doesn't show cards": declines,
    "mucks": _event(lambda _hand, seat: CardsMucked(seat)),
    "mucks cards": _event(lambda _hand, seat: CardsMucked(seat)),
    "is all-In": went_all_in,
    "is all-in": went_all_in,
    "opens": remark,
    "Forward Folds": remark,
    "- Selects point card": remark,
    "is sitting out": sits_out,
    "sits out": sits_out,
    "has left the table": _event(lambda hand, seat: SeatLeft(seat, hand.player_in(seat), "left")),
    "has returned to the table": _event(lambda hand, seat: PlayerBack(seat, hand.player_in(seat))),
    "is back": _event(lambda hand, seat: PlayerBack(seat, hand.player_in(seat))),
    "did not respond in time": _event(lambda _hand, seat: ClockExpired(seat)),
    "could not respond in time": _event(lambda _hand, seat: ClockExpired(seat)),
    "could not respond in time.(disconnected)": _event(lambda _h, seat: ClockExpired(seat, False)),
    "will be using their time bank for this hand": _event(lambda _hand, seat: TimeBankUsed(seat)),
    "will be using his time bank for this hand": _event(lambda _hand, seat: TimeBankUsed(seat)),
    "will be using her time bank for this hand": _event(lambda _hand, seat: TimeBankUsed(seat)),
    "has been disconnected": _event(lambda hand, s: ConnectionLost(s, hand.player_in(s))),
    "is disconnected": _event(lambda hand, s: ConnectionLost(s, hand.player_in(s))),
    "has reconnected": _event(lambda hand, s: ConnectionRestored(s, hand.player_in(s))),
    "has been reconnected": _event(lambda hand, s: ConnectionRestored(s, hand.player_in(s))),
    "is connected": _event(lambda hand, s: ConnectionRestored(s, hand.player_in(s))),
}
"""What follows a name, without the stop at its end → how it is told."""

BEGINNINGS: Final[tuple[tuple[str, Callable[[Hand, Seat], None]], ...]] = (
    ("is disconnected. We will wait for ", PLAIN_ACTS["is disconnected"]),
    ("has been reconnected and has ", PLAIN_ACTS["has been reconnected"]),
    ("has reconnected and has ", PLAIN_ACTS["has been reconnected"]),
)
"""How longer lines begin behind the name."""


# -- with more behind the word ----------------------------------------------------------------------


def shows(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `[ 8c, 8d ]three of a kind, Eights.`; `8,5,3,2,A  for low.` is a remark."""
    shown, claim = _shown(rest)
    if shown is None:
        if "for low" in rest or "for high" in rest:
            remark(hand, seat)
            return True
        return False
    hand.close_bets()
    hand.put(CardsShown(seat, shown, claim=hand.people.text(claim)))
    return True


def hides(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `show [ Jc, Jd ]a pair of Jacks.` behind `doesn't`: known to the record all the same."""
    shown, claim = _shown(rest.removeprefix("show"))
    if shown is None:
        return False
    hand.close_bets()
    hand.put(CardsMucked(seat, shown, True))
    if claim:
        hand.put(RemarkNoted(hand.people.text(claim)))
    return True


def _shown(rest: str) -> tuple[str | None, str]:
    opening, close = rest.find("["), rest.find("]")
    if opening < 0 or close < opening or rest[:opening].strip():
        return None, ""
    return cards(rest[opening + 1 : close]), rest[close + 1 :].strip()


def wins(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `$5 USD from the side pot 1 with a flush`, `600 chips`, `Lo ($90.50 USD) from …`."""
    amount, _, pot = rest.partition(" from ")
    half = ""
    if amount[:3] in ("Lo ", "Hi "):
        half = "low" if amount[0] == "L" else "high"
        amount = amount[3:].strip("() ")
    if not any(one.isdigit() for one in amount[:40]) or len(amount) > 60:
        return False
    number = _pot(pot)
    if half == "low":
        _other_half_is_high(hand, number)
    hand.award(seat, hand.amount(amount), number, half=half)  # type: ignore[arg-type]  # one of three
    hand.ended = hand.at
    if " with " in (pot or ""):
        hand.claimed.add(seat)
    return True


def _pot(text: str) -> int | None:
    """Return the pot of ` the main pot  with …`, `the side pot 1 with …`, `side pot #1 …`."""
    words = text.replace("#", "").split()
    if "pot" not in words[:3]:
        return None
    at = words.index("pot")
    if at and words[at - 1] == "main":
        return 0
    number = words[at + 1] if at + 1 < len(words) else ""
    number = number.rstrip(".")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 3 else 1


def _other_half_is_high(hand: Hand, pot: int | None) -> None:
    for index, event in enumerate(hand.events):
        if isinstance(event, PotAwarded) and event.pot == pot and not event.half:
            hand.events[index] = PotAwarded(event.seat, event.amount, pot, event.run, event.board, "high")


def cashes_out(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `out for $22.77 USD` behind `cashed` or `cashes`."""
    words = rest.removeprefix("out").strip()
    price, _, fee = words.partition(" fee ")
    amount = price.rpartition("for ")[2].strip("[]() ")
    if not any(one.isdigit() for one in amount):
        return False
    hand.put(CashOutTaken(seat, hand.amount(amount), hand.amount(fee.strip("[]() ")) if fee else 0))
    return True


def sells(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `for cash-out` behind `opted`; another line tells the price."""
    if rest == "for cash-out":
        hand.put(CashOutTaken(seat))
    return rest == "for cash-out"


def sold_for(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `Amount is 23.01` behind `Cashout`."""
    amount = rest.removeprefix("Amount is ")
    sales = [at for at, one in enumerate(hand.events) if isinstance(one, CashOutTaken) and one.seat == seat]
    if not sales or amount == rest:
        return False
    hand.events[sales[-1]] = CashOutTaken(seat, hand.amount(amount))
    return True


def offered(hand: Hand, _seat: Seat, rest: str) -> bool:
    """Keep the terms of the offer: `Premium % is 1.0` behind `Cash-out`, `is 60.37` behind `probabilty`."""
    words, found, _ = rest.partition("is ")
    if found and words in ("", "Premium % "):
        hand.put(RemarkNoted(hand.people.text(hand.places.text[hand.at].strip())))  # type: ignore[attr-defined]  # they are lines
        return True
    return False


WORDS: Final[dict[str, Callable[[Hand, Seat, str], bool]]] = {
    "wins": wins,
    "shows": shows,
    "doesn't": hides,
    "cashed": cashes_out,
    "cashes": cashes_out,
    "opted": sells,
    "Cash-out": offered,
    "Cashout": sold_for,
    "probabilty": offered,
    "probability": offered,
}
"""The first word behind a name → how what follows it is read."""
