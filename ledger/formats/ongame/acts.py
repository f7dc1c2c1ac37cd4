"""Lines that begin with a seated player's name: posts, acts, draws."""

from __future__ import annotations

from typing import Final

from ledger.formats.ongame.hand import Hand, Make
from ledger.formats.ongame.words import DRAW
from ledger.hand.betting import Checked, Folded
from ledger.hand.dealing import CardsDiscarded, StoodPat, StreetDealt
from ledger.hand.opening import BlindPosted
from ledger.readers.hand import SEATS
from ledger.vocabulary import Chips, Seat

_FOLDED: Final = [Folded(seat) for seat in range(SEATS)]
_CHECKED: Final = [Checked(seat) for seat in range(SEATS)]
_LONGEST: Final = 60
"""What follows a name is remembered if it has fewer characters: hostile texts have no end."""
_ALL_IN: Final = " [all in]"


def act(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what follows a name; False where it is no act."""
    bare = rest.strip()
    if bare.startswith("changed "):
        return _change(hand, seat, bare)
    for words, make in _MAKES.get(bare.partition(" ")[0], ()):
        if bare.startswith(words):
            text = bare[len(words) :]
            if words == "raises ":
                _, found, text = text.partition(" to ")
                if not found:
                    return False
            return _put(hand, seat, rest, make, text)
    return False


def _put(hand: Hand, seat: Seat, rest: str, make: Make, text: str) -> bool:
    """Tell an act whose amount is `$5`, `($5)`, `5 [all in]`, and remember how it is read."""
    bare = text.removesuffix(_ALL_IN)
    all_in = True if len(bare) < len(text) else None
    if make in _WITHOUT:
        if text:
            return False
        amount = 0
    else:
        amount = hand.chips(bare.strip("() "))
    if len(rest) < _LONGEST:
        hand.acts_read[rest] = make, amount, all_in
    make(hand, seat, amount, all_in)
    return True


def _fold(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    hand.folded.add(seat)
    hand.put(_FOLDED[seat])


def _check(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    hand.put(_CHECKED[seat])


def _call(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.call(seat, amount, all_in=all_in)


def _bet(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.bet(seat, amount, all_in=all_in)


def _raise(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.raise_to(seat, amount, all_in=all_in)


def _bring_in(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.bring_in(seat, amount, all_in=all_in)


def _change(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `changed 2 cards`; the draw has no line of its own."""
    parts = rest.split(" ")
    if len(parts) != 3 or len(parts[1]) != 1 or parts[1] not in "012345":
        return False
    if hand.street == "preflop" and hand.game.variant in DRAW:
        hand.next_street("first-draw")
        hand.derive(StreetDealt("first-draw"))
    count = int(parts[1])
    hand.thrown[seat] = len(hand.events)
    hand.put(CardsDiscarded(seat, count) if count else StoodPat(seat))
    return True


def _small(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post the small blind; a second one with all its chips is a big blind that is short of chips."""
    short = all_in and not hand.big and any(isinstance(one, BlindPosted) and one.role == "small" for one in hand.events)
    hand.post(seat, "big" if short else "small", amount, all_in=all_in)


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


_WITHOUT: Final = frozenset((_fold, _check))
"""Acts that have no amount."""

_MAKES: Final[dict[str, tuple[tuple[str, Make], ...]]] = {
    "folds": (("folds", _fold),),
    "checks": (("checks", _check),),
    "calls": (("calls ", _call),),
    "bets": (("bets ", _bet),),
    "raises": (("raises ", _raise),),
    "small": (("small bring in ", _bring_in),),
    "big": (("big bring in ", _bring_in),),
    "posts": (
        ("posts small blind ", _small),
        ("posts big blind ", _big),
        ("posts dead blind ", _dead),
        ("posts dead small blind ", _dead),
        ("posts ante ", _ante),
        ("posts straddle ", _straddle),
    ),
}
"""The first word behind a name → how its lines begin, and how each is told."""
