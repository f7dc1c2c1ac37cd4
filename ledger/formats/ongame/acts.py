"""Lines that begin with a seated player's name: posts, acts, draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.formats.ongame.hand import Hand
from ledger.formats.ongame.words import DRAW
from ledger.hand.dealing import CardsDiscarded, StoodPat, StreetDealt
from ledger.hand.opening import BlindPosted
from ledger.vocabulary import Chips, Seat

_ALL_IN: Final = " [all in]"


def act(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what follows a name; False where it is no act."""
    rest = rest.strip()
    reader = _WORDS.get(rest.partition(" ")[0])
    return reader is not None and reader(hand, seat, rest)


def _amount(hand: Hand, text: str) -> tuple[Chips, bool | None]:
    """Read `$5`, `($5)`, `5 [all in]`."""
    bare = text.removesuffix(_ALL_IN)
    return hand.chips(bare.strip("() ")), True if len(bare) < len(text) else None


def _fold(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest != "folds":
        return False
    hand.fold(seat)
    return True


def _check(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest != "checks":
        return False
    hand.check(seat)
    return True


def _call(hand: Hand, seat: Seat, rest: str) -> bool:
    amount, all_in = _amount(hand, rest[6:])
    hand.call(seat, amount, all_in=all_in)
    return True


def _bet(hand: Hand, seat: Seat, rest: str) -> bool:
    amount, all_in = _amount(hand, rest[5:])
    hand.bet(seat, amount, all_in=all_in)
    return True


def _raise(hand: Hand, seat: Seat, rest: str) -> bool:
    _, found, text = rest.partition(" to ")
    if not found:
        return False
    amount, all_in = _amount(hand, text)
    hand.raise_to(seat, amount, all_in=all_in)
    return True


def _bring_in(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `small bring in $0.05`."""
    _, found, text = rest.partition(" bring in ")
    if not found:
        return False
    amount, all_in = _amount(hand, text)
    hand.bring_in(seat, amount, all_in=all_in)
    return True


def _change(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `changed 2 cards`; the draw has no line of its own."""
    parts = rest.split(" ")
    if len(parts) != 3 or len(parts[1]) != 1 or parts[1] not in "012345":
        return False
    if hand.street == "preflop" and hand.game.variant in DRAW:
        hand.next_street("first-draw")
        hand.conclude(StreetDealt("first-draw"))
    count = int(parts[1])
    hand.thrown[seat] = len(hand.events)
    hand.put(CardsDiscarded(seat, count) if count else StoodPat(seat))
    return True


def _post(hand: Hand, seat: Seat, rest: str) -> bool:
    for words, make in _POSTS.items():
        if rest.startswith(words):
            amount, all_in = _amount(hand, rest[len(words) :])
            make(hand, seat, amount, all_in)
            return True
    return False


def _small(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.post(seat, "small", amount, all_in=all_in)


def _big(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    made_up = hand.put_in[seat] > hand.game.ante
    role = "makeup-big" if made_up else ("entry" if hand.big else "big")
    hand.post(seat, role, amount, all_in=all_in)  # type: ignore[arg-type]  # one of three


def _dead(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post a dead blind: the big blind that the seat posted before it is made up as well."""
    for index, event in enumerate(hand.events):
        if isinstance(event, BlindPosted) and event.seat == seat and event.role in ("big", "entry"):
            hand.events[index] = BlindPosted(seat, "makeup-big", event.live, 0, event.all_in)
            if hand.big == seat:
                hand.big = 0
    hand.post(seat, "makeup-small", 0, amount, all_in=all_in)


def _ante(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.ante(seat, amount, all_in=all_in)


def _straddle(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.straddle(seat, amount, all_in=all_in)


_POSTS: Final[dict[str, Callable[[Hand, Seat, Chips, bool | None], None]]] = {
    "posts small blind ": _small,
    "posts big blind ": _big,
    "posts dead blind ": _dead,
    "posts dead small blind ": _dead,
    "posts ante ": _ante,
    "posts straddle ": _straddle,
}
_WORDS: Final[dict[str, Callable[[Hand, Seat, str], bool]]] = {
    "folds": _fold,
    "checks": _check,
    "calls": _call,
    "bets": _bet,
    "raises": _raise,
    "completes": _raise,
    "posts": _post,
    "small": _bring_in,
    "big": _bring_in,
    "changed": _change,
}
"""The first word behind a name → how it is told."""
