"""Lines that begin with a seated player's name: posts, acts, hands shown, awards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from ledger.formats.pokertracker.hand import Hand, Make
from ledger.formats.pokertracker.words import Frame, read_cards
from ledger.hand.betting import Checked, Folded
from ledger.hand.ending import CardsMucked, CardsShown
from ledger.hand.variants import VARIANTS
from ledger.presence import ConnectionLost, PlayerAway
from ledger.readers.hand import SEATS
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat

_ALL_IN: Final = (", and is all-in", " and is all-in", " (all-in)")
_LONGEST: Final = 60
"""What follows a name is remembered if it has fewer characters: hostile texts have no end."""
_FOLDED: Final = [Folded(seat) for seat in range(SEATS)]
_CHECKED: Final = [Checked(seat) for seat in range(SEATS)]


def act(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what follows a name; False where it is nothing known."""
    bare = rest.strip()
    first = bare.partition(" ")[0]
    for words, make in _MAKES[hand.frame].get(first, ()):
        if bare == words and make in _WITHOUT:
            return _put(hand, seat, rest, make, "")
        if bare.startswith(words) and make not in _WITHOUT:
            return _put(hand, seat, rest, make, bare[len(words) :])
    reader = _WORDS.get(first.rstrip(":").lower())
    return reader is not None and reader(hand, seat, bare)


def _put(hand: Hand, seat: Seat, rest: str, make: Make, text: str) -> bool:
    """Tell an act whose amount is `$5`, `5 and is all-in`, and remember how it is read."""
    all_in = None
    for ending in _ALL_IN:
        if text.endswith(ending):
            text, all_in = text.removesuffix(ending), True
            break
    amount = hand.chips(text.strip()) if make not in _WITHOUT else 0
    if len(rest) < _LONGEST:
        hand.acts_read[rest] = make, amount, all_in
    make(hand, seat, amount, all_in)
    return True


def _fold(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    hand.folded.add(seat)
    hand.put(_FOLDED[seat])


def _check(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    hand.put(_CHECKED[seat])


def _call(hand: Hand, seat: Seat, added: Chips, all_in: bool | None) -> None:
    stack = hand.stacks[seat]
    short = all_in or (stack is not None and hand.put_in[seat] + added >= stack)
    if hand.bets[seat] + added != hand.level and not short:
        hand.misfits += 1
    hand.call(seat, added, all_in=all_in)


def _bet(hand: Hand, seat: Seat, added: Chips, all_in: bool | None) -> None:
    hand.wager(seat, hand.bets[seat] + added, all_in=all_in)


def _raise(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.raise_to(seat, amount + hand.bets[seat] if hand.adds else amount, all_in=all_in)


def _all_in(hand: Hand, seat: Seat, added: Chips, _all_in: bool | None) -> None:
    """Tell `Allin $5`, `went all-in - 5`: chips added; before the deal it is a blind."""
    if hand.begun:
        hand.wager(seat, hand.bets[seat] + added, all_in=True)
    elif hand.level:
        _big(hand, seat, added, True)
    else:
        _small(hand, seat, added, True)


def _small(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    _note(hand, seat, amount)
    hand.post(seat, "small", amount, all_in=all_in)


def _big(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    _note(hand, seat, amount)
    hand.post(seat, "entry" if hand.big else "big", amount, all_in=all_in)


def _small_all_in(hand: Hand, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    _small(hand, seat, amount, True)


def _big_all_in(hand: Hand, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    _big(hand, seat, amount, True)


def _enter(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell `posts $1`, `Post DB $0.02`, `posted to play - 1.50`: live up to the big blind.

    What is called a dead blind is live in Merge's hands: who posted it calls the rest.
    """
    _note(hand, seat, amount)
    if hand.blind and amount > hand.blind:
        hand.post_both(seat, amount, all_in=all_in)
    else:
        small = bool(hand.blind) and amount < hand.blind
        hand.post(seat, "makeup-small" if small else "entry", amount, all_in=all_in)


def _dead(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell Everest's `dead blind`: a small one is dead, of a big one the seat checks."""
    if not hand.blind or amount >= hand.blind:
        _enter(hand, seat, amount, all_in)
        return
    _note(hand, seat, amount)
    hand.post(seat, "makeup-small", 0, amount, all_in=all_in)


def _ante(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    _note(hand, seat, amount)
    hand.ante(seat, amount, all_in=all_in)


def _note(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.posted[seat] = hand.posted.get(seat, 0) + amount


_WITHOUT: Final = frozenset((_fold, _check))
"""Acts that have no amount."""

_MAKES: Final[dict[Frame, dict[str, tuple[tuple[str, Make], ...]]]] = {
    "everest": {
        "folds": (("folds", _fold),),
        "checks": (("checks", _check),),
        "calls": (("calls ", _call),),
        "bets": (("bets ", _bet),),
        "raises": (("raises to ", _raise),),
        "posts": (
            ("posts the small blind of ", _small),
            ("posts the big blind of ", _big),
            ("posts the dead blind of ", _dead),
            ("posts the ante of ", _ante),
            ("posts an ante of ", _ante),
            ("posts ", _enter),
        ),
    },
    "colon": {
        "Fold": (("Fold", _fold),),
        "Check": (("Check", _check),),
        "Call": (("Call (AI) ", _call), ("Call ", _call)),
        "Bet": (("Bet (AI) ", _bet), ("Bet ", _bet)),
        "Raise": tuple((f"Raise{how} ", _raise) for how in (" (NF)", " (AI)", " to", "")),
        "Allin": (("Allin ", _all_in),),
        "SB": (("SB ", _small),),
        "BB": (("BB ", _big),),
        "Ante": (("Ante ", _ante),),
        "Post": (
            ("Post SB Allin ", _small_all_in),
            ("Post BB Allin ", _big_all_in),
            ("Post SB ", _small),
            ("Post BB ", _big),
            ("Post Ante ", _ante),
            ("Post DB ", _enter),
            ("Post ", _enter),
        ),
    },
    "dash": {
        "folded": (("folded", _fold),),
        "checked": (("checked", _check),),
        "called": (("called - ", _call),),
        "bet": (("bet - ", _bet),),
        "raised": (("raised - ", _raise), ("raised to ", _raise)),
        "went": (("went all-in - ", _all_in),),
        "posted": (
            ("posted the small blind - ", _small),
            ("posted the big blind - ", _big),
            ("posted the ante - ", _ante),
            ("posted ante - ", _ante),
            ("posted to play - ", _enter),
        ),
    },
}
"""The frame, the first word behind a name → how its lines begin, and how each is told."""


def _show(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `shows [Ah Kd]`, `Shows [DK X] Straight, Ace High`, `shows: 6 of d, K of h`."""
    inner, claim = _inner(rest)
    cards = read_cards(inner)
    if cards is None:
        return False
    hand.close_bets()
    if hand.shown.get(seat) == cards:  # said again behind the last card
        return True
    hand.shown[seat] = cards
    missing = max(0, VARIANTS[hand.game.variant].start_cards - len(cards) // 2)
    hand.put(CardsShown(seat, cards + UNKNOWN_CARD * missing, False, hand.people.text(claim)))
    return True


def _muck(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `mucked [Ah Kd]`, `Mucks [SA H9] One Pair, Aces`, `mucks:`."""
    inner, _ = _inner(rest)
    cards = read_cards(inner) if inner else ""
    if cards is None:
        return False
    hand.close_bets()
    hand.put(CardsMucked(seat, cards))
    return True


def _inner(rest: str) -> tuple[str, str]:
    """Return the cards of a line, in brackets or behind a colon, and what is said of them."""
    words = rest.partition(" ")[2].strip()
    if not words.startswith("["):
        return words, ""
    inner, _, claim = words[1:].partition("]")
    return inner, claim.strip()


def _win(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `collects $5`, `wins $5 (uncalled)`, `wins 5 from the main pot`."""
    words, _, pot = rest.partition(" ")[2].partition(" from ")
    if words.endswith(" (uncalled)"):
        amount = hand.chips(words.removesuffix(" (uncalled)"))
        hand.close_bets()
        hand.give_back(seat, amount)
        return True
    number = pot.rpartition(" ")[2].lstrip("#")
    which = int(number) if number.isascii() and number.isdigit() and len(number) < 3 else None
    amount, make = hand.chips(words.strip()), partial(_award, 0 if "main pot" in pot else which)
    if len(rest) < _LONGEST:
        hand.acts_read[rest] = make, amount, None
    make(hand, seat, amount, None)
    return True


def _award(pot: int | None, hand: Hand, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    hand.award(seat, amount, pot)


def _lose(hand: Hand, seat: Seat, rest: str) -> bool:
    if not rest.startswith(("has been disconnected", "has disconnected")):
        return False
    hand.put(ConnectionLost(seat, hand.player_in(seat)))
    return True


def _sit_out(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest not in ("sits out", "is sitting out", "Sitout", "sat out"):
        return False
    hand.away.add(seat)
    hand.put(PlayerAway(seat, hand.player_in(seat), why="sits-out"))
    return True


_WORDS: Final[dict[str, Callable[[Hand, Seat, str], bool]]] = {
    "shows": _show,
    "mucked": _muck,
    "mucks": _muck,
    "collects": _win,
    "wins": _win,
    "has": _lose,
    "sits": _sit_out,
    "is": _sit_out,
    "sitout": _sit_out,
    "sat": _sit_out,
}
"""The first word behind a name in all other lines → how it is told."""
