"""A hand of 888poker while it is read, and how each word behind a name is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.formats.pacific.header import clean
from ledger.formats.pacific.words import VENUE, Tongue
from ledger.hand.betting import Checked, Folded
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, RemarkNoted
from ledger.hand.opening import GameSet
from ledger.people import People
from ledger.presence import ConnectionLost, ConnectionRestored, PlayerAway, PlayerBack, SeatLeft
from ledger.readers.hand import SEATS
from ledger.readers.lines import Lines
from ledger.readers.listed import Listed
from ledger.vocabulary import Cards, Chips, Seat

Act = Callable[["Hand", Seat, Chips], None]


class ForeignCardError(Exception):
    """A card is not in the tongue in which the hand is being read."""


class Hand(Listed):
    """The hand being read. `strict`: a card of another tongue raises `ForeignCardError`."""

    __slots__ = ("ended", "own", "small", "strict", "summary", "text", "tongue")

    def __init__(self, lines: Lines, people: People, game: GameSet, at: int, tongue: Tongue, *, strict: bool) -> None:
        super().__init__(lines, people, VENUE, game, at)
        self.text = lines.text
        self.tongue = tongue
        self.strict = strict
        self.small: Seat = 0  # who posted the small blind
        self.own = False  # somebody's own cards are told
        self.summary = False
        self.ended = -1  # the last line that tells the hand's end

    def clean(self, text: str) -> str:
        """Return an amount without blanks and with a decimal mark that can be told."""
        return clean(text)

    def cards(self, text: str) -> Cards | None:
        """Return ` 8h, Qh ` as cards; None where one of them is no card of this tongue."""
        found = self.tongue.read(text)
        if found is None and self.strict:
            raise ForeignCardError
        return found

    def not_dealt_in(self) -> None:
        """Leave those out who "fold" before the deal and have put nothing in: so the room says it."""
        for index, event in enumerate(self.events):
            if isinstance(event, Folded) and not self.put_in[event.seat]:
                words = self.people.text(self.text[self.marks[index]].strip())
                self.events[index] = RemarkNoted(words)
                self.folded.discard(event.seat)
                self.left_out(event.seat, "unknown", told=True)

    def remark(self) -> None:
        """Keep a line that says nothing of the game's course."""
        self.put(RemarkNoted(self.people.text(self.text[self.at].strip())))


# -- with an amount ---------------------------------------------------------------------------------


def _call(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.call(seat, amount)


def _bet(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.bet(seat, amount)


def _raise(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.raise_by(seat, amount)


def _all_in(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.wager(seat, hand.bets[seat] + amount, all_in=True)


def _small(hand: Hand, seat: Seat, amount: Chips) -> None:
    if hand.small and hand.small != seat:
        hand.post(seat, "makeup-small", 0, amount)
    else:
        hand.small = seat
        hand.post(seat, "small", amount)


def _big(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.post(seat, "entry" if hand.big else "big", amount)


def _ante(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.ante(seat, amount)


def _straddle(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.straddle(seat, amount)


def _collect(hand: Hand, seat: Seat, amount: Chips) -> None:
    hand.award(seat, amount)
    hand.ended = hand.at


SIMPLE_ACTS: Final[dict[str, Act]] = {
    "calls": _call,
    "bets": _bet,
    "raises": _raise,
    "collected": _collect,
    "wins": _collect,
    "all-in": _all_in,
    "all-In": _all_in,
    "straddles": _straddle,
}
"""The word between name and amount → how it is told."""

POSTS: Final[dict[str, Act]] = {
    " posts small blind": _small,
    " posts big blind": _big,
    " posts ante": _ante,
    " posts the ante": _ante,
    " posts straddle": _straddle,
    " posts a straddle": _straddle,
    " goes all-in": _all_in,
    " is all-in": _all_in,
}
"""Words of that kind with a blank within them."""


def dead_blind(hand: Hand, seat: Seat, amounts: str) -> None:
    """Read `$1 + $2`: what is dead and what counts; a lone amount is dead."""
    dead, plus, live = amounts.partition("+")
    hand.post(seat, "makeup-small", 0, hand.amount(dead.strip()))
    if plus:
        hand.post(seat, "makeup-big", hand.amount(live.strip()))


# -- with cards -------------------------------------------------------------------------------------


def _shows(hand: Hand, seat: Seat, cards: Cards) -> None:
    hand.close_bets()
    hand.put(CardsShown(seat, cards))


def _mucks(hand: Hand, seat: Seat, cards: Cards) -> None:
    hand.close_bets()
    hand.put(CardsMucked(seat, cards))


def dealt(hand: Hand, seat: Seat, cards: Cards) -> None:
    """Deal a seat its hole cards."""
    hand.own = True
    hand.dealt(HoleCardsDealt(seat, cards))


CARD_ACTS: Final[dict[str, Callable[[Hand, Seat, Cards], None]]] = {"shows": _shows, "mucks": _mucks}
"""The word between name and cards → how it is told."""


# -- alone ------------------------------------------------------------------------------------------

_FOLDED: Final = [Folded(seat) for seat in range(SEATS)]
_CHECKED: Final = [Checked(seat) for seat in range(SEATS)]


def _fold(hand: Hand, seat: Seat) -> None:
    hand.folded.add(seat)
    hand.put(_FOLDED[seat])


def _check(hand: Hand, seat: Seat) -> None:
    hand.put(_CHECKED[seat])


def _declines(hand: Hand, seat: Seat) -> None:
    hand.close_bets()
    hand.put(CardsMucked(seat, "", True))


def _mucked(hand: Hand, seat: Seat) -> None:
    hand.close_bets()
    hand.put(CardsMucked(seat))


def _sits_out(hand: Hand, seat: Seat) -> None:
    hand.away.add(seat)
    hand.put(PlayerAway(seat, hand.player_in(seat), why="sits-out"))


PLAIN: Final[dict[str, Callable[[Hand, Seat], None]]] = {
    "folds": _fold,
    "checks": _check,
    "did not show his hand": _declines,
    "did not show hand": _declines,
    "did not show her hand": _declines,
    "did not show their hand": _declines,
    "mucks": _mucked,
    "mucks hand": _mucked,
    "sits out": _sits_out,
    "is sitting out": _sits_out,
    "is sit out": _sits_out,
    "has left the table": lambda hand, seat: hand.put(SeatLeft(seat, hand.player_in(seat), "left")),
    "has returned": lambda hand, seat: hand.put(PlayerBack(seat, hand.player_in(seat))),
    "is disconnected": lambda hand, s: hand.put(ConnectionLost(s, hand.player_in(s))),
    "has disconnected": lambda hand, s: hand.put(ConnectionLost(s, hand.player_in(s))),
    "has reconnected": lambda hand, s: hand.put(ConnectionRestored(s, hand.player_in(s))),
    "is connected": lambda hand, s: hand.put(ConnectionRestored(s, hand.player_in(s))),
}
"""What follows a name and stands alone → how it is told."""
