"""Lines that begin with a seated player's name: posts, acts, hands shown, awards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.formats.everleaf.hand import Hand, Make
from ledger.formats.everleaf.words import HALVES, read_cards
from ledger.hand.betting import Checked, Folded
from ledger.hand.ending import CardsMucked, CardsShown
from ledger.hand.variants import VARIANTS
from ledger.presence import ConnectionLost, PlayerAway, SeatTaken
from ledger.readers.hand import SEATS
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat

_FOLDED: Final = [Folded(seat) for seat in range(SEATS)]
_CHECKED: Final = [Checked(seat) for seat in range(SEATS)]
_LONGEST: Final = 60
"""What follows a name is remembered if it has fewer characters: hostile texts have no end."""


def act(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what follows a name; False where it is no act."""
    bare = rest.strip()
    left = bare.find("[")
    make = _MAKES.get(bare if left < 0 else bare[:left].rstrip())
    if make is not None and (left < 0) == (make in _WITHOUT):
        return _put(hand, seat, rest, make, bare[left + 1 :] if left >= 0 else "")
    if bare.startswith("posts bring-in "):
        return _put(hand, seat, rest, _bring_in, bare[15:])
    if bare.startswith("completes to "):
        return _put(hand, seat, rest, _complete, bare[13:])
    reader = _WORDS.get(bare.partition(" ")[0])
    return reader is not None and reader(hand, seat, bare)


def called_out(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what follows a name and a colon: a post or a bet; False where it is neither."""
    bare = rest.strip()
    if not bare.endswith("]") or not bare.startswith(("posts ", "bets [", "raises [")):
        return False
    return act(hand, seat, rest)


def _put(hand: Hand, seat: Seat, rest: str, make: Make, text: str) -> bool:
    """Tell an act whose amount is `text`, and remember how it is read."""
    amount = hand.amount(text.removesuffix("]")) if make not in _WITHOUT else 0
    if len(rest) < _LONGEST:
        hand.acts_read[rest] = make, amount
    make(hand, seat, amount)
    return True


def _fold(hand: Hand, seat: Seat, _amount: Chips) -> None:
    hand.folded.add(seat)
    hand.put(_FOLDED[seat])


def _check(hand: Hand, seat: Seat, _amount: Chips) -> None:
    hand.put(_CHECKED[seat])


def _call(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.call(seat, amount)


def _bet(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.wager(seat, hand.bets[seat] + amount)


def _raise(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.raise_by(seat, amount)


def _complete(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.raise_to(seat, amount)


def _small(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.post(seat, "small", amount)


def _big(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.post(seat, "entry" if hand.big else "big", amount)


def _ante(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.ante(seat, amount)


def _dead(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.post(seat, "makeup-small", 0, amount)


def _both(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.post_both(seat, amount)


def _bring_in(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.bring_in(seat, amount)


_WITHOUT: Final = frozenset((_fold, _check))
"""Acts that have no amount."""

_MAKES: Final[dict[str, Make]] = {
    "folds": _fold,
    "checks": _check,
    "calls": _call,
    "bets": _bet,
    "raises": _raise,
    "posts small blind": _small,
    "posts big blind": _big,
    "posts ante": _ante,
    "posts dead blind": _dead,
    "posts dead small blind": _dead,
    "posts both blinds": _both,
    "posts small and big blind": _both,
    "posts small & big blinds": _both,
}
"""The words behind a name, before an amount in brackets → how they are told."""


def _show(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `shows [ 4c, 4d ] two pairs, jacks and fours`."""
    end = rest.find("]")
    shown = read_cards(rest[7:end]) if rest.startswith("shows [") and end > 0 else None
    if shown is None:
        return False
    hand.close_bets()
    hand.shown[seat] = shown
    missing = max(0, VARIANTS[hand.game.variant].start_cards - len(shown) // 2)
    claim = hand.people.text(rest[end + 1 :].strip())
    hand.put(CardsShown(seat, shown + UNKNOWN_CARD * missing, False, claim))
    return True


def _hide(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest not in ("does not show cards", "mucks", "mucks hand"):
        return False
    hand.close_bets()
    hand.put(CardsMucked(seat, declined=rest[0] == "d"))
    return True


def _win(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `wins $ 0.13 USD from main pot with two pairs, jacks and fours [ .. ]`, ` high ($ 0.95 USD) from main pot`."""
    words, found, pot = rest[5:].partition(" from ")
    if not found:
        return False
    half, bracket, amount = words.partition("(")
    number = 0 if pot.startswith("main pot") else None
    if not bracket:
        hand.award(seat, hand.amount(words), number)
    elif half.strip() in HALVES and amount.endswith(")"):
        hand.award(seat, hand.amount(amount[:-1]), number, half=HALVES[half.strip()])
    else:
        return False
    return True


def _sit_out(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest not in ("sits out", "is sitting out"):
        return False
    hand.away.add(seat)
    hand.put(PlayerAway(seat, hand.player_in(seat), why="sits-out"))
    return True


def _lose(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `has disconnected and …`, `est déconnecté et …`, `has joined the table`."""
    if rest.startswith(("has disconnected", "est déconnecté")):
        hand.put(ConnectionLost(seat, hand.player_in(seat)))
        return True
    if rest in ("has joined the table", "has been reseated to this table"):
        hand.put(SeatTaken(seat, hand.player_in(seat)))
        return True
    return False


_WORDS: Final[dict[str, Callable[[Hand, Seat, str], bool]]] = {
    "shows": _show,
    "does": _hide,
    "mucks": _hide,
    "wins": _win,
    "has": _lose,
    "est": _lose,
    "sits": _sit_out,
    "is": _sit_out,
}
"""The first word behind a name in all other lines → how it is told."""
