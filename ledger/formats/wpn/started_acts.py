"""The first generation's lines `Player X …`: what follows the name → how it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.formats.wpn import acts, dealing
from ledger.formats.wpn.hand import Hand, Make
from ledger.formats.wpn.words import read_cards
from ledger.hand.betting import Called, ClockExpired
from ledger.hand.ending import CardsMucked
from ledger.hand.opening import AntePosted, BlindPosted, NotDealtIn
from ledger.presence import ConnectionLost, ConnectionRestored, PlayerAway, PlayerBack, WaitDeclared
from ledger.vocabulary import UNKNOWN_CARD, Chips, Seat

BEFORE: Final = frozenset((acts.small, acts.big, acts.entered, acts.missed, acts.ante, acts.straddled))
"""How posts are told: they come before the deal ends."""


def ends_deal(line: str) -> bool:
    """Tell whether a line comes behind the deal: an act, a heading, a returned bet, the summary."""
    return (
        line.startswith(("*** ", "Uncalled", "------"))
        or line.rstrip().endswith(_ACTS_END)
        or (line.endswith(")") and any(words in line for words in _WAGERS))
    )


_ACTS_END: Final = (" folds", " checks", " mucks cards", " allin")
_WAGERS: Final = (" calls (", " bets (", " raises (", " allin (", " bring in (")


def act(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read what follows `Player Name `; False where it is nothing known."""
    told = hand.acts_read.get(rest)
    if told is None:
        bare = rest.strip()
        reader = _LINES.get(bare)
        if reader is not None:
            reader(hand, seat)
            return True
        if bare == "received a card.":
            dealing.received(hand, seat, UNKNOWN_CARD)
            return True
        if bare.startswith("received card: [") and bare.endswith("]"):
            card = read_cards(bare[16:-1])
            if card is None or len(card) != 2:
                return False
            dealing.received(hand, seat, card)
            return True
        told = _amounts(hand, bare)
        if told is None:
            return False
        hand.keep_act(rest, *told)
    make, amount, all_in = told
    make(hand, seat, amount, all_in)
    return True


def _amounts(hand: Hand, rest: str) -> tuple[Make, Chips, bool | None] | None:
    """Read `raises (6)`: what is told with an amount, or with none."""
    plain = _PLAIN.get(rest)
    if plain is not None:
        return plain, 0, None
    words, opening, amount = rest.partition(" (")
    if not opening:
        return None
    amount, _, behind = amount.partition(")")
    make = _MAKES.get(words + behind)
    if make is None:
        return None
    return make, hand.chips(amount), True if words == "allin" else None


def _all_in(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Put the rest of the stack in: before the first card that is a post too short to be called one."""
    ahead = None if hand.hole else _posts_ahead(hand)
    if ahead is None:
        acts.wagered(hand, seat, amount, all_in)
        return
    antes = [event.seat for event in hand.events if isinstance(event, AntePosted)]
    roles = [event.role for event in hand.events if isinstance(event, BlindPosted)]
    if any(" ante (" in line for line in ahead) or (antes and not roles and seat not in antes):
        acts.ante(hand, seat, amount, all_in)
    elif hand.big:
        acts.entered(hand, seat, amount, all_in)
    elif roles or not ahead:
        acts.big(hand, seat, amount, all_in)
    else:
        acts.small(hand, seat, amount, all_in)


def _posts_ahead(hand: Hand) -> list[str] | None:
    """Return the posts that follow before the first card; None where no card follows them."""
    text = hand.lines.text
    found: list[str] = []
    for k in range(hand.at + 1, min(hand.at + _POSTS_MOST, len(text))):
        line = text[k].rstrip()
        if " received " in line and line.startswith("Player "):
            return found
        if line.endswith(_NO_POST):
            return None
        if line.endswith((")", " dead bet")):
            found.append(line)
    return None


_POSTS_MOST: Final = 200
_NO_POST: Final = (" folds", " checks", "]", " mucks cards", " ------")


def _stays_in(hand: Hand, seat: Seat, _amount: Chips, _all_in: bool | None) -> None:
    """Go all-in without chips: who lost the connection plays on for what is in the pot already."""
    hand.put(Called(seat, 0, hand.bets[seat], True))


_PLAIN: Final[dict[str, Make]] = {"folds": acts.folded, "checks": acts.checked, "allin": _stays_in}
_MAKES: Final[dict[str, Make]] = {
    "has small blind": acts.small,
    "has big blind": acts.big,
    "posts": acts.entered,
    "posts as a dead bet": acts.missed,
    "posts dead": acts.missed,
    "ante": acts.ante,
    "posts ante": acts.ante,
    "straddle": acts.straddled,
    "straddles": acts.straddled,
    "posts straddle": acts.straddled,
    "bring in": acts.brought_in,
    "brings in": acts.brought_in,
    "calls": acts.called,
    "bets": acts.betted,
    "raises": acts.raised_by,
    "allin": _all_in,
    "caps": acts.wagered,
}


def _muck(hand: Hand, seat: Seat) -> None:
    hand.close_bets()
    hand.put(CardsMucked(seat))


def _timed_out(hand: Hand, seat: Seat) -> None:
    hand.put(ClockExpired(seat))


def _away(hand: Hand, seat: Seat) -> None:
    hand.absent[seat] = "sitting-out"
    hand.put(PlayerAway(seat, hand.player_in(seat), why="sits-out"))


def _waits(hand: Hand, seat: Seat) -> None:
    reason: NotDealtIn = "waiting-for-big-blind"
    hand.absent[seat] = reason
    hand.put(WaitDeclared(seat))


def _stands(hand: Hand, seat: Seat) -> None:
    hand.put(PlayerAway(seat, hand.player_in(seat), why="stood-up"))


def _back(hand: Hand, seat: Seat) -> None:
    hand.put(PlayerBack(seat, hand.player_in(seat)))


def _lost(hand: Hand, seat: Seat) -> None:
    hand.put(ConnectionLost(seat, hand.player_in(seat)))


def _restored(hand: Hand, seat: Seat) -> None:
    hand.put(ConnectionRestored(seat, hand.player_in(seat)))


_LINES: Final[dict[str, Callable[[Hand, Seat], None]]] = {
    "mucks cards": _muck,
    "is timed out.": _timed_out,
    "is timed out": _timed_out,
    "sitting out": _away,
    "sits out": _away,
    "wait BB": _waits,
    "stands up": _stands,
    "is back": _back,
    "sits down": _back,
    "is disconnected and ALL IN.": _lost,
    "is disconnected": _lost,
    "is disconnected.": _lost,
    "is connected": _restored,
    "is connected.": _restored,
    "is reconnected": _restored,
}
"""What follows a name and has no amount → how it is told."""
