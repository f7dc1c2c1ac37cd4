"""Lines that begin with a seated player's name: posts, acts, discards, hands shown, awards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from ledger.formats.winamax.hand import Hand, Make
from ledger.formats.winamax.words import read_cards
from ledger.hand.betting import Checked, Folded
from ledger.hand.dealing import CardsDiscarded, HoleCardsDealt, StoodPat
from ledger.hand.ending import CardsMucked, CardsShown, Half
from ledger.hand.opening import BlindSkipped
from ledger.hand.variants import VARIANTS
from ledger.readers.hand import SEATS
from ledger.vocabulary import Chips, Seat

_ALL_IN: Final = " and is all-in"
_OUT: Final = " out of position"
_FOLDED: Final = [Folded(seat) for seat in range(SEATS)]
_CHECKED: Final = [Checked(seat) for seat in range(SEATS)]
_LONGEST: Final = 60
"""What follows a name is remembered if it has fewer characters: hostile texts have no end."""


def act(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what follows a name; False where it is no act."""
    told = hand.known.get(rest)
    if told is not None:
        make, amount, all_in = told
        make(hand, seat, amount, all_in)
        return True
    reader = _WORDS.get(rest.partition(" ")[0].rstrip())
    return reader is not None and reader(hand, seat, rest.strip())


def _put(hand: Hand, seat: Seat, rest: str, make: Make, text: str) -> bool:
    """Tell an act whose amount is `text`, and remember how it is read."""
    bare = text.removesuffix(_ALL_IN)
    all_in = True if len(bare) < len(text) else None
    amount = hand.chips(bare) if bare else 0
    if len(rest) < _LONGEST:
        hand.known[rest] = make, amount, all_in
    make(hand, seat, amount, all_in)
    return True


def _fold(hand: Hand, seat: Seat, rest: str) -> bool:
    return rest == "folds" and _put(hand, seat, rest, _folded, "")


def _folded(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    hand.folded.add(seat)
    hand.events.append(_FOLDED[seat])
    hand.marks.append(hand.at)


def _check(hand: Hand, seat: Seat, rest: str) -> bool:
    return rest == "checks" and _put(hand, seat, rest, _checked, "")


def _checked(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    hand.events.append(_CHECKED[seat])
    hand.marks.append(hand.at)


def _call(hand: Hand, seat: Seat, rest: str) -> bool:
    return _put(hand, seat, rest, _called, rest[6:])


def _called(hand: Hand, seat: Seat, added: Chips, all_in: bool | None) -> None:
    hand.call(seat, added, all_in=all_in)


def _bet(hand: Hand, seat: Seat, rest: str) -> bool:
    return _put(hand, seat, rest, _betted, rest[5:])


def _betted(hand: Hand, seat: Seat, added: Chips, all_in: bool | None) -> None:
    if hand.level:  # files of 2010 write the big blind's raise as a bet of what it adds
        hand.raise_by(seat, added, all_in=all_in)
    else:
        hand.bet(seat, added, all_in=all_in)


def _raise(hand: Hand, seat: Seat, rest: str) -> bool:
    at = rest.find(" to ", 7)
    return at > 0 and _put(hand, seat, rest, _raised, rest[at + 4 :])


def _raised(hand: Hand, seat: Seat, to: Chips, all_in: bool | None) -> None:
    if hand.posting:  # both blinds out of position, written as a raise (2014)
        hand.post_both(seat, to, all_in=all_in)
    elif to <= hand.level:  # a raise for less than the bet: the number is what the seat had left
        hand.raise_by(seat, to, all_in=all_in)
    else:
        hand.raise_to(seat, to, all_in=all_in)


def _post(hand: Hand, seat: Seat, rest: str) -> bool:
    for words, make in _POSTS.items():
        if rest.startswith(words):
            text = rest[len(words) :]
            if not text.endswith(_OUT):
                return _put(hand, seat, rest, make, text)
            return _put(hand, seat, rest, _OUT_OF_POSITION[words], text[: -len(_OUT)])
    return False


def _small(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    if hand.put_in[seat] > hand.game.ante:  # the seat posted both blinds already
        hand.post(seat, "makeup-small", 0, amount, all_in=all_in)
    else:
        hand.post(seat, "small", amount, all_in=all_in)


def _big(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.post(seat, "entry" if hand.big else "big", amount, all_in=all_in)


def _small_out(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post a missed small blind, which is dead; some files put both blinds into this line."""
    if hand.blind and amount > hand.blind:
        following = hand.lines.text[hand.at + 1 : hand.at + 2]
        if following and following[0].partition("posts big blind 0")[1]:
            hand.post(seat, "makeup-small", 0, amount - hand.blind, all_in=all_in)
            return
        hand.post_both(seat, amount, all_in=all_in)
        return
    hand.post(seat, "makeup-small", 0, amount, all_in=all_in)


def _big_out(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Post a big blind out of position; 0 where the line before has both."""
    makes_up = hand.put_in[seat] > hand.game.ante
    if amount == 0 and makes_up:
        if hand.bets[seat] == 0:
            hand.derived.append(len(hand.events))
            hand.post(seat, "makeup-big", hand.blind)
        return
    hand.post(seat, "makeup-big" if makes_up else "entry", amount, all_in=all_in)


def _ante(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.ante(seat, amount, all_in=all_in)


def _straddle(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.straddle(seat, amount, all_in=all_in)


_POSTS: Final[dict[str, Make]] = {
    "posts small blind ": _small,
    "posts big blind ": _big,
    "posts ante ": _ante,
    "posts the ante ": _ante,
    "posts straddle ": _straddle,
}
_OUT_OF_POSITION: Final[dict[str, Make]] = {**_POSTS, "posts small blind ": _small_out, "posts big blind ": _big_out}


def _deny(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `denies big blind`: who is asked for it declines."""
    role = {"denies big blind": "big", "denies small blind": "small"}.get(rest)
    if role is None:
        return False
    hand.put(BlindSkipped(role, seat))  # type: ignore[arg-type]  # one of two
    return True


def _bring_in(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `brings in 8€`, `bring-in 0.02`."""
    amount = rest.removeprefix("brings in ").removeprefix("bring-in ")
    return amount != rest and _put(hand, seat, rest, _brought_in, amount)


def _brought_in(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    hand.bring_in(seat, amount, all_in=all_in)


def _discard(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `discard 2 cards`, `discard 0 card`, perhaps with the cards in brackets."""
    words, _, known = rest.partition(" [")
    parts = words.split(" ")
    gone = read_cards(known.removesuffix("]")) if known else ""
    if len(parts) < 3 or len(parts[1]) != 1 or parts[1] not in "012345678" or gone is None:
        return False
    hand.thrown[seat] = count = int(parts[1])
    hand.put(CardsDiscarded(seat, count, gone) if count else StoodPat(seat))
    return True


def _stand(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `stands pat`, `stands pat [2h Td 8c 7c 8s]`: the cards are those that were dealt."""
    words, _, known = rest.partition(" [")
    if words != "stands pat" or (known and read_cards(known.removesuffix("]")) is None):
        return False
    hand.put(StoodPat(seat))
    return True


def _show(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `shows [Ah Kd] (One pair : Aces)`."""
    end = rest.find("]")
    claim = rest[end + 1 :].strip()
    if rest[6:7] != "[" or end < 0 or (claim and not (claim[0] == "(" and claim[-1] == ")")):
        return False
    shown = read_cards(rest[7:end])
    if shown is None:
        return False
    hand.close_bets()
    hand.shown[seat] = shown
    missing = VARIANTS[hand.game.variant].start_cards - len(shown) // 2
    hand.put(CardsShown(seat, shown + "??" * missing, False, hand.people.text(claim[1:-1])))
    return True


def _muck(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest not in ("mucks", "mucks hand", "doesn't show hand", "doesn't show"):
        return False
    hand.close_bets()
    hand.put(CardsMucked(seat, declined=rest[0] == "d"))
    return True


def _collect(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `collected 4.96€ from pot(HI)`, `from main pot`, `from side pot 1`."""
    amount, words, pot = rest[10:].partition(" from ")
    pot, _, half = pot.rstrip(")").partition("(")
    number = _pot(pot.strip())
    halves: dict[str, Half] = {"": "", "HI": "high", "LO": "low"}
    if not words or number == _NO_POT or half.strip() not in halves:
        return False
    make = partial(_award, number, halves[half.strip()])
    return _put(hand, seat, rest, make, amount)


_NO_POT: Final = -1


def _pot(text: str) -> int | None:
    """Return the number of `main pot` (0), `side pot 2`, None for `pot` alone, `_NO_POT` for others."""
    if text in ("pot", ""):
        return None
    if text == "main pot":
        return 0
    digits = text.removeprefix("side pot").lstrip(" -#")
    if text.startswith("side pot") and digits.isascii() and (digits.isdigit() or not digits):
        return int(digits[:2] or 1)
    return _NO_POT


def _award(pot: int | None, half: Half, hand: Hand, seat: Seat, amount: Chips, _all_in: bool | None) -> None:
    hand.award(seat, amount, pot, run=hand.run, half=half)


def dealt(hand: Hand, seat: Seat, groups: list[str]) -> None:
    """Tell cards dealt before the flop games' first betting."""
    hand.own = True
    hand.put(HoleCardsDealt(seat, "".join(groups)))


_WORDS: Final[dict[str, Callable[[Hand, Seat, str], bool]]] = {
    "folds": _fold,
    "checks": _check,
    "calls": _call,
    "bets": _bet,
    "raises": _raise,
    "collected": _collect,
    "posts": _post,
    "shows": _show,
    "mucks": _muck,
    "doesn't": _muck,
    "brings": _bring_in,
    "bring-in": _bring_in,
    "stands": _stand,
    "discard": _discard,
    "discards": _discard,
    "denies": _deny,
}
"""The first word behind a name → how it is told."""
