"""Lines that begin with a seated player's name: posts, acts, hands shown, awards, news, talk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.formats.pkr.hand import Hand, Make
from ledger.formats.pkr.words import read_cards
from ledger.hand.betting import Checked, ClockExpired, Folded, TimeBankUsed
from ledger.hand.ending import CardsMucked, CardsShown, Half, RemarkNoted
from ledger.hand.variants import VARIANTS
from ledger.presence import ChipsAdded, ConnectionLost, EntryDeferred, WordsSaid
from ledger.readers.hand import SEATS
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat

_ALL_IN: Final = " (all-in)"
_LONGEST: Final = 60
"""What follows a name is remembered if it has fewer characters: hostile texts have no end."""
_FOLDED: Final = [Folded(seat) for seat in range(SEATS)]
_CHECKED: Final = [Checked(seat) for seat in range(SEATS)]


def act(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what follows a name; False where it is nothing known."""
    bare = rest.strip()
    news = _NEWS.get(bare)
    if news is not None:
        if len(rest) < _LONGEST:
            hand.acts_read[rest] = news, 0, None
        news(hand, seat, 0, None)
        return True
    for words, make in _MAKES.get(bare.partition(" ")[0], ()):
        if bare == words or (bare.startswith(words) and words.endswith((" ", "("))):
            return _put(hand, seat, rest, make, bare[len(words) :])
    reader = _WORDS.get(bare.partition(" ")[0])
    return reader is not None and reader(hand, seat, bare)


def said(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `says Boom!`, `yawns.`: what a figure at the table does ends with a stop."""
    bare = rest.strip()
    if not bare.endswith((".", "!")):
        return False
    hand.put(WordsSaid(hand.people.text(bare), seat, hand.player_in(seat)))
    return True


def _put(hand: Hand, seat: Seat, rest: str, make: Make, text: str) -> bool:
    """Tell an act whose amount is `$5`, `5 (all-in)`, `5)`, and remember how it is read."""
    bare = text.removesuffix(_ALL_IN)
    all_in = True if len(bare) < len(text) else None
    dead = bare.endswith(" dead")
    bare = bare.removesuffix(" dead").strip(" ()")
    if make in _WITHOUT and bare:
        return False
    amount = hand.chips(bare) if make not in _WITHOUT else 0
    if dead:
        make = _dead
    if len(rest) < _LONGEST:
        hand.acts_read[rest] = make, amount, all_in
    make(hand, seat, amount, all_in)
    return True


def _fold(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    hand.folded.add(seat)
    hand.put(_FOLDED[seat])


def _check(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    hand.put(_CHECKED[seat])


def _call(hand: Hand, seat: Seat, to: Chips, all_in: bool | None) -> None:
    hand.call_to(seat, to, all_in=all_in)


def _bet(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.bet(seat, amount, all_in=all_in)


def _raise(hand: Hand, seat: Seat, to: Chips, all_in: bool | None) -> None:
    hand.raise_to(seat, to, all_in=all_in)


def _small(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.post(seat, "small", amount, all_in=all_in)


def _big(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.post(seat, "entry" if hand.big else "big", amount, all_in=all_in)


def _enter(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    small = bool(hand.blind) and amount < hand.blind
    hand.post(seat, "makeup-small" if small else "entry", amount, all_in=all_in)


def _dead(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.post(seat, "makeup-small", 0, amount, all_in=all_in)


def _ante(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.ante(seat, amount, all_in=all_in)


_WITHOUT: Final = frozenset((_fold, _check))
"""Acts that have no amount."""

_MAKES: Final[dict[str, tuple[tuple[str, Make], ...]]] = {
    "folds": (("folds", _fold),),
    "checks": (("checks", _check),),
    "calls": (("calls ", _call),),
    "bets": (("bets ", _bet),),
    "raises": (("raises to ", _raise),),
    "posts": (
        ("posts small blind (", _small),
        ("posts big blind (", _big),
        ("posts ante of ", _ante),
        ("posts ", _enter),
    ),
}
"""The first word behind a name → how its lines begin, and how each is told."""


def _fold_and_show(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `folds and shows [XX] [A d]`."""
    shown = read_cards(rest[16:]) if rest.startswith("folds and shows ") else None
    if shown is None:
        return False
    hand.fold(seat, shown)
    return True


def _show(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `shows [A d][8 s]`."""
    shown = read_cards(rest[6:])
    if shown is None:
        return False
    hand.close_bets()
    hand.shown[seat] = shown
    missing = max(0, VARIANTS[hand.game.variant].start_cards - len(shown) // 2)
    hand.put(CardsShown(seat, shown + UNKNOWN_CARD * missing))
    return True


def _win(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `wins $2 from side pot #1 with: Flush`, `5 with low hand: A2345`."""
    words, _, claim = rest.removeprefix("wins ").partition(" with")
    amount, _, pot = words.partition(" from side pot #")
    amount = amount.partition(",")[0] if ", disconnection" in amount else amount
    number = int(pot) if pot.isascii() and pot.isdigit() and len(pot) < 3 else None
    half: Half = ""
    if claim.startswith(" high hand"):
        half = "high"
    elif claim.startswith(" low hand"):
        half = "low"
    hand.award(seat, hand.chips(amount.strip()), number, half=half)
    return True


def _ties(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `ties, and wins 5 with: Flush`, `ties side pot #1, and wins $0.43 with: Flush`, `ties $5 with low hand: A2345`."""
    tied, found, won = rest.partition(", and wins ")
    if not found:
        return any(one.isdigit() for one in rest[5:8]) and _win(hand, seat, rest[5:])
    pot = tied.removeprefix("ties").strip()
    if not pot.startswith("side pot #"):
        return not pot and _win(hand, seat, won)
    amount, _, claim = won.partition(" with")
    return _win(hand, seat, f"{amount} from {pot} with{claim}")


def _add(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `rebuys $4`, `brings $4 to table 90000027`: the stack at the end may count it."""
    amount = hand.chips(rest.split(" ")[1] if " " in rest else "")
    kind = "rebuy" if rest.startswith("rebuys") else "buy-in"
    hand.bought.add(seat)
    hand.put(ChipsAdded(seat, amount, kind, "player", hand.player_in(seat)))  # type: ignore[arg-type]  # one of two
    return True


def _has(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what a seat holds, its time and its connection."""
    if rest.startswith(("has become disconnected", "has disconnected")):
        hand.put(ConnectionLost(seat, hand.player_in(seat)))
    elif "time bank" in rest or rest.startswith(_HOLDS):
        hand.put(RemarkNoted(hand.people.text(hand.lines.text[hand.at].strip())))
    else:
        return False
    return True


_HOLDS: Final = (
    "has High Card",
    "has One Pair",
    "has Two Pairs",
    "has Three of a Kind",
    "has Straight",
    "has Flush",
    "has Full House",
    "has Four of a Kind",
    "has Royal",
    "has low hand: ",
    "has high hand: ",
    "has no qualifying low hand",
    "has joined from ",
    "has reconnected",
)


def _muck(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    hand.close_bets()
    hand.put(CardsMucked(seat))


def _decline(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    hand.close_bets()
    hand.put(CardsMucked(seat, declined=True))


def _late(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    hand.put(ClockExpired(seat))


def _more_time(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    hand.put(TimeBankUsed(seat))


def _deferred(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    hand.put(EntryDeferred(seat, hand.player_in(seat), "button-passed"))


_NEWS: Final[dict[str, Make]] = {
    "mucks": _muck,
    "doesn't show": _decline,
    "did not respond in time and is folded": _late,
    "did not respond in time and is checked": _late,
    "has requested more time": _more_time,
    "is using the time bank": _more_time,
    "will be dealt in after the button": _deferred,
}
"""What follows a name, as a whole → how it is told."""

_WORDS: Final[dict[str, Callable[[Hand, Seat, str], bool]]] = {
    "shows": _show,
    "folds": _fold_and_show,
    "wins": _win,
    "ties,": _ties,
    "ties": _ties,
    "rebuys": _add,
    "brings": _add,
    "has": _has,
}
"""The first word behind a name in all other lines → how it is told."""
