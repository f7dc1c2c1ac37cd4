"""The second generation's lines `X …`: what follows the name → how it is told."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from ledger.formats.wpn import acts
from ledger.formats.wpn.hand import Hand, Make
from ledger.formats.wpn.words import read_cards
from ledger.hand.betting import ClockExpired
from ledger.hand.ending import CardsMucked, CardsShown, Half
from ledger.hand.variants import VARIANTS
from ledger.presence import ConnectionLost, ConnectionRestored, PlayerAway, PlayerBack, WaitDeclared
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat

_ALL_IN: Final = " and is all-in"


def act(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what follows a name; False where it is nothing known."""
    told = hand.acts_read.get(rest)
    if told is not None:
        make, amount, all_in = told
        make(hand, seat, amount, all_in)
        return True
    bare = rest.strip()
    reader = _LINES.get(bare)
    if reader is not None:
        reader(hand, seat)
        return True
    if bare.startswith("shows ["):
        return _show(hand, seat, bare)
    if bare.startswith("collected "):
        return _collect(hand, seat, rest, bare)
    plain = _PLAIN.get(bare)
    if plain is not None:
        return _put(hand, seat, rest, plain, "")
    for words, make in _MAKES.items():
        if bare.startswith(words):
            text = bare[len(words) :]
            at = text.find(" to ")
            return _put(hand, seat, rest, make, text if at < 0 else text[at + 4 :])
    return False


def _put(hand: Hand, seat: Seat, rest: str, make: Make, text: str) -> bool:
    """Tell an act whose amount is `text`, and remember how it is read."""
    bare = text.removesuffix(_ALL_IN)
    all_in = True if len(bare) < len(text) else None
    amount = hand.chips(bare) if bare else 0
    hand.keep_act(rest, make, amount, all_in)
    make(hand, seat, amount, all_in)
    return True


_PLAIN: Final[dict[str, Make]] = {"folds": acts.folded, "checks": acts.checked}
_MAKES: Final[dict[str, Make]] = {
    "calls ": acts.called,
    "bets ": acts.betted,
    "raises ": acts.raised_to,
    "completes ": acts.raised_to,
    "caps ": acts.wagered,
    "posts the small blind ": acts.small,
    "posts small blind ": acts.small,
    "posts the big blind ": acts.big,
    "posts big blind ": acts.big,
    "posts the ante ": acts.ante,
    "posts ante ": acts.ante,
    "posts dead blind ": acts.dead,
    "posts dead ": acts.dead,
    "posts the straddle ": acts.straddled,
    "posts straddle ": acts.straddled,
    "posts a straddle ": acts.straddled,
    "straddles ": acts.straddled,
    "straddle ": acts.straddled,
    "posts ": acts.entered,
    "brings in ": acts.brought_in,
    "brings in for ": acts.brought_in,
}
"""What follows a name, and then an amount → how it is told; the longer of two beginnings first."""


def _show(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `shows [- Jc] (a pair of Jacks [..])`; a card that is not shown is a dash."""
    end = rest.find("]")
    claim = rest[end + 1 :].strip()
    shown = read_cards(rest[7:end]) if end > 0 else None
    if shown is None or (claim and not (claim[0] == "(" and claim[-1] == ")")):
        return False
    hand.close_bets()
    hand.shown[seat] = shown
    missing = VARIANTS[hand.game.variant].start_cards - len(shown) // 2
    cards = shown + UNKNOWN_CARD * missing
    hand.put(CardsShown(seat, cards, False, hand.people.text(claim[1:-1])))
    return True


_HALVES: Final[dict[str, Half]] = {"": "", "HI": "high", "LO": "low"}


def _collect(hand: Hand, seat: Seat, rest: str, bare: str) -> bool:
    """Read `collected $5.05 from main pot`, `from side pot-1`, perhaps with `(HI)`."""
    amount, words, pot = bare[10:].partition(" from ")
    pot, _, half = pot.rstrip(")").partition("(")
    pot, half = pot.strip(), half.strip().upper()
    before, _, run = pot.rpartition(" ")
    if run in ("1", "2", "3") and (before == "main pot" or before[-1:].isdigit()):
        pot = before  # `main pot 2` is the second run's: the heading before it says so too
    number: int | None
    if pot == "main pot":
        number = 0
    elif pot in ("pot", "the pot"):
        number = None
    else:
        digits = pot.removeprefix("side pot").strip(" -#")
        if not pot.startswith("side pot") or not (digits.isascii() and digits.isdigit()):
            return False
        number = int(digits[:2])
    if not words or half not in _HALVES:
        return False
    return _put(hand, seat, rest, partial(_award, number, _HALVES[half]), amount)


def _award(pot: int | None, half: Half, hand: Hand, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    hand.award(seat, amount, pot, run=hand.run, half=half)


def _muck(hand: Hand, seat: Seat) -> None:
    hand.close_bets()
    hand.put(CardsMucked(seat))


def _keep(hand: Hand, seat: Seat) -> None:
    hand.close_bets()
    hand.put(CardsMucked(seat, declined=True))


def _away(hand: Hand, seat: Seat) -> None:
    hand.absent[seat] = "sitting-out"
    hand.put(PlayerAway(seat, hand.player_in(seat), why="sits-out"))


def _waits(hand: Hand, seat: Seat) -> None:
    hand.absent[seat] = "waiting-for-big-blind"
    hand.put(WaitDeclared(seat))


def _back(hand: Hand, seat: Seat) -> None:
    hand.put(PlayerBack(seat, hand.player_in(seat)))


def _timed_out(hand: Hand, seat: Seat) -> None:
    hand.put(ClockExpired(seat))


def _lost(hand: Hand, seat: Seat) -> None:
    hand.put(ConnectionLost(seat, hand.player_in(seat)))


def _restored(hand: Hand, seat: Seat) -> None:
    hand.put(ConnectionRestored(seat, hand.player_in(seat)))


_LINES: Final[dict[str, Callable[[Hand, Seat], None]]] = {
    "mucks": _muck,
    "mucks hand": _muck,
    "does not show": _keep,
    "doesn't show": _keep,
    "sits out": _away,
    "is sitting out": _away,
    "waits for big blind": _waits,
    "waits for the big blind": _waits,
    "has returned": _back,
    "is back": _back,
    "has timed out": _timed_out,
    "is timed out": _timed_out,
    "is disconnected": _lost,
    "is connected": _restored,
    "is reconnected": _restored,
}
"""What follows a name and has no amount → how it is told."""
