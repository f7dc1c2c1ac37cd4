"""The words of Betclic's notation: games, limits, acts, and what its text records."""

from __future__ import annotations

from typing import Final

from ledger.hand.dealing import DealCompleted, HoleCardsDealt
from ledger.hand.ending import BountyWon, CardsMucked, CardsShown, PlayerFinished, RemarkNoted
from ledger.hand.opening import Betting
from ledger.presence import ConnectionLost, ConnectionRestored, PlayerAway, PlayerBack
from ledger.telling import amounts, spoken
from ledger.telling.cards import KNOWN, reader
from ledger.telling.spoken import Spoken
from ledger.vocabulary import Chips, Millis, Seat, Street, Witness

VENUE: Final = "Betclic"

WITNESSES: Final = int(
    Witness.BUTTON | Witness.POSTS | Witness.ANTES | Witness.STACKS_BEFORE | Witness.ACTS
    | Witness.BOARD | Witness.SHOWDOWN | Witness.AWARDS | Witness.POTS | Witness.DROP
    | Witness.TIMES | Witness.PRESENCE | Witness.CONNECTIONS | Witness.BLIND_AMOUNTS
)  # fmt: skip
"""Not which bets went back, and not what of a post is live."""

LIMITS: Final[dict[str, Betting]] = {"NL": "no-limit", "PL": "pot-limit", "FL": "limit"}
GAMES: Final[dict[str, str]] = {
    "texas hold'em": "holdem",
    "hold'em": "holdem",
    "omaha": "omaha",
    "omaha hi": "omaha",
    "omaha hi/lo": "omaha8",
    "omaha 5": "omaha5",
    "5 card omaha": "omaha5",
}
STREETS: Final[dict[str, Street]] = {"FLOP": "flop", "TURN": "turn", "RIVER": "river"}
TAGS: Final = frozenset(("BTN", "SB", "BB", "Hero"))

read_cards: Final = reader(KNOWN)


class Hand(Spoken):
    """The hand being read: `14:09:13 - Name: Folds`, and without colon where cards and pots are told."""

    __slots__ = ("button", "clock", "hidden", "midnight", "preflop", "summary", "tags")

    BEHIND = (":", "")
    ALL_IN = (" and is all-in", " (all-in)")

    def begin(self, started: Millis | None) -> None:
        """Know of no cards and tags yet; the hand began at `started`."""
        self.button = 0  # the line that has the button's mark
        self.preflop = 0  # the line that ends the deal
        self.summary = 0  # the line with which the summary begins
        self.tags: dict[str, Seat] = {}  # BTN, SB, BB, Hero → seat
        self.hidden: list[tuple[HoleCardsDealt, int]] | None = []  # cards, until the posts are made
        self.midnight = None if started is None else started - started % _DAY
        self.clock = started or 0

    def deal(self) -> None:
        """End the deal before the first act: the text tells the cards before the posts."""
        if self.hidden is None:
            return
        at = self.at
        for event, line in self.hidden:
            self.at = line
            self.put(event)
        self.hidden, self.at = None, self.preflop
        if self.preflop:
            self.put(DealCompleted())
        else:
            self.conclude(DealCompleted())
        self.at = at

    def stamp(self, before: int, since: int) -> None:
        """Say when the events from `before` on happened: so long after midnight, perhaps the next one."""
        if self.midnight is None:
            return
        moment = self.midnight + since
        if moment < self.clock - _DAY // 2:
            moment += _DAY
        self.clock = moment
        for index in range(before, len(self.events)):
            if index not in self.derived and self.marks[index] == self.at:
                self.times[index] = moment


_DAY: Final = 86_400_000
_seconds: Final[dict[str, int]] = {}
_KEPT: Final = 90_000


def read_clock(clock: str) -> int:
    """Return the milliseconds since midnight of `14:09:13`, -1 of another text."""
    seconds = _seconds.get(clock)
    if seconds is not None:
        return seconds
    parts = clock.split(":")
    if len(clock) != 8 or len(parts) != 3 or not all(one.isascii() and one.isdigit() for one in parts):  # fmt: skip
        return -1
    hours, minutes, seconds = map(int, parts)
    found = -1 if hours > 23 or minutes > 59 or seconds > 60 else (hours * 3600 + minutes * 60 + seconds) * 1000  # fmt: skip
    if len(_seconds) < _KEPT:
        _seconds[clock] = found
    return found


def _small(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a small blind; of somebody in another seat than the small blind's it is dead."""
    if hand.tags.get("SB") == seat:
        hand.post(seat, "small", amount, all_in=all_in)
    else:
        hand.post(seat, "makeup-small", 0, amount, all_in=all_in)


def _big(hand: Hand, seat: Seat, amount: Chips, all_in: bool | None) -> None:
    """Tell a big blind; in another seat than the big blind's it is the post of somebody who comes in."""
    role = "entry" if hand.tags.get("BB", seat) != seat else "big"
    hand.post(seat, role, amount, all_in=all_in)  # type: ignore[arg-type]  # one of two


def _sits(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `Sits out`, `Sits in`."""
    if rest == "Sits out":
        hand.put(PlayerAway(seat, hand.player_in(seat), why="sits-out"))
    elif rest == "Sits in":
        hand.put(PlayerBack(seat, hand.player_in(seat)))
    else:
        return False
    return True


def _connection(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest not in ("Disconnected", "Reconnected"):
        return False
    kind = ConnectionLost if rest == "Disconnected" else ConnectionRestored
    hand.put(kind(seat, hand.player_in(seat)))
    return True


def _shows(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `shows [Ah Th] (Three of a Kind) [Ts Th Tc Ah 5s]`."""
    shown, closed, claim = rest[6:].removeprefix("[").partition("]")
    cards = read_cards(shown)
    if cards is None or not closed:
        return False
    hand.close_bets()
    hand.put(CardsShown(seat, cards, False, hand.people.text(claim.strip())))
    return True


def _mucks(hand: Hand, seat: Seat, rest: str) -> bool:
    if rest not in ("mucks", "mucks hand", "does not show"):
        return False
    hand.close_bets()
    hand.put(CardsMucked(seat, declined=rest.startswith("does")))
    return True


def _wins(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `wins main pot of €206.00`, `wins 1st side pot of 260`, `wins €2.50 for eliminating Bo (x1), …`."""
    what, found, amount = rest[5:].rpartition(" of ")
    if found and what in _POTS:
        hand.award(seat, hand.amount(amount), _POTS[what])
        return True
    prize, found, over = rest[5:].partition(" for eliminating ")
    chips = amounts.maybe(prize, 2) if found else None
    if chips is None:
        return False
    name, _, grown = over.partition(" (x")
    hand.put(BountyWon(seat, chips, hand.seat_of(name) or None, "progressive" if "own bounty increases" in grown else "knockout"))  # fmt: skip
    if grown:
        hand.put(RemarkNoted(hand.people.text(rest)))
    return True


_POTS: Final[dict[str, int | None]] = {
    "main pot": 0,
    "pot": None,
    **{f"{word} side pot": number for number, word in enumerate(("1st", "2nd", "3rd"), 1)},
    **{f"{number}th side pot": number for number in range(4, 10)},
    **{f"side pot {number}": number for number in range(1, 10)},
}


def _finished(hand: Hand, seat: Seat, rest: str) -> bool:
    """Read `finished 68th`, `finished 1st and wins 6.00 EUR`."""
    rank, _, prize = rest[9:].partition(" and wins ")
    digits = rank.rstrip("stndrh")
    won = amounts.maybe(prize.removesuffix(" EUR"), 2) if prize else None
    if not digits.isascii() or not digits.isdigit() or len(digits) > 7 or (prize and won is None):
        return False
    hand.put(PlayerFinished(seat, int(digits), won))
    return True


Hand.ACTS = {
    "Folds": (("Folds", spoken.folds),),
    "Checks": (("Checks", spoken.checks),),
    "Calls": (("Calls ", spoken.calls),),
    "Bets": (("Bets ", spoken.bets),),
    "Raises": (("Raises to ", spoken.raises_to),),
    "Posts": (
        ("Posts Ante ", spoken.antes),
        ("Posts SB ", _small),
        ("Posts BB ", _big),
        ("Posts Straddle ", spoken.straddles),
    ),
}
Hand.SAYS = {
    "Sits": _sits,
    "Disconnected": _connection,
    "Reconnected": _connection,
    "shows": _shows,
    "mucks": _mucks,
    "does": _mucks,
    "wins": _wins,
    "finished": _finished,
}
