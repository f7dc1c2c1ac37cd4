"""Lines that begin with a seated player's name: posts, acts, hands shown, awards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.formats.everleaf.hand import Hand
from ledger.formats.everleaf.words import read_cards
from ledger.hand.ending import CardsMucked, CardsShown
from ledger.hand.variants import VARIANTS
from ledger.presence import ConnectionLost, PlayerAway, SeatTaken
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat


def act(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what follows a name; False where it is no act."""
    rest = rest.strip()
    reader = _WORDS.get(rest.partition(" ")[0])
    return reader is not None and reader(hand, seat, rest)


def called_out(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what follows a name and a colon: a post or a bet; False where it is neither."""
    rest = rest.strip()
    if not rest.endswith("]") or not rest.startswith(("posts ", "bets [", "raises [")):
        return False
    return act(hand, seat, rest)


def _amount(hand: Hand, rest: str) -> Chips | None:
    """Read the amount of `calls [$ 0.02 USD]`, None if there is none."""
    left = rest.find("[")
    if left < 0 or not rest.endswith("]"):
        return None
    return hand.amount(rest[left + 1 : -1])


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


def _wager(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `calls`, `bets`, `raises`: all with what the player puts in."""
    added = _amount(hand, rest)
    if added is None:
        return False
    if rest.startswith("calls"):
        hand.call(seat, added)
    elif rest.startswith("bets"):
        hand.wager(seat, hand.bets[seat] + added)
    else:
        hand.raise_by(seat, added)
    return True


def _complete(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `completes to €0.05.`."""
    if not rest.startswith("completes to "):
        return False
    hand.raise_to(seat, hand.amount(rest[13:]))
    return True


def _post(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest.startswith("posts bring-in "):
        hand.bring_in(seat, hand.amount(rest[15:]))
        return True
    chips = _amount(hand, rest)
    if chips is None:
        return False
    words = rest[: rest.find("[")].strip()
    if words == "posts small blind":
        hand.post(seat, "small", chips)
    elif words == "posts big blind":
        hand.post(seat, "entry" if hand.big else "big", chips)
    elif words == "posts ante":
        hand.ante(seat, chips)
    elif words in ("posts dead blind", "posts dead small blind"):
        hand.post(seat, "makeup-small", 0, chips)
    elif words in ("posts both blinds", "posts small and big blind", "posts small & big blinds"):
        hand.post_both(seat, chips)
    else:
        return False
    return True


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
    """Read `wins $ 0.13 USD from main pot with two pairs, jacks and fours [ .. ]`."""
    words, found, pot = rest[5:].partition(" from ")
    if not found:
        return False
    number = 0 if pot.startswith("main pot") else None
    hand.award(seat, hand.amount(words), number)
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
    "folds": _fold,
    "checks": _check,
    "calls": _wager,
    "bets": _wager,
    "raises": _wager,
    "completes": _complete,
    "posts": _post,
    "shows": _show,
    "does": _hide,
    "mucks": _hide,
    "wins": _win,
    "has": _lose,
    "est": _lose,
    "sits": _sit_out,
    "is": _sit_out,
}
"""The first word behind a name → how it is told."""
